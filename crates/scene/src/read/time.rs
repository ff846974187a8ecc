//! `[time]`: the integrator, the length of a step, and how rotations follow from spins.

use crate::registry;
use crate::registry::integrators::INTEGRATORS;
use crate::text::table::Table;
use crate::text::value::{Limits, Value};
use esker::Scene;
use esker::integrate::{
    Integrator, Iteration, NewmarkPredictor, Rkf45, RotationMap, StepExponents, Theta, Tolerances,
};
use esker::scene::StepSize;

/// Reads the table.
pub(super) fn read(root: &Table<'_>, scene: &mut Scene) {
    let Some(table) = root.optional("time").and_then(|value| value.table()) else { return };
    let names = registry::names(INTEGRATORS);
    let choice = table.optional("integrator").and_then(|value| value.choice(&names));
    if let Some(choice) = choice {
        scene.integration = registry::read_choice(INTEGRATORS, &choice).unwrap_or_default();
    }
    if let Some(step) = table.optional("step").and_then(|value| step(&value)) {
        scene.step = step;
    }
    if let Some(safety) = table.optional_number("safety", Limits::Positive) {
        scene.safety = Some(safety);
    }
    if table.optional("rotation").and_then(|value| value.word(&["exact", "literal"]))
        == Some("literal")
    {
        scene.rotation = RotationMap::Literal;
    }
    table.finish();
}

/// `"auto"`, a number, `{ auto = "once" }`, `{ max = … }` or `{ max = …, min = … }`.
fn step(value: &Value<'_>) -> Option<StepSize> {
    if value.is_text() {
        return value.word(&["auto"]).map(|_| StepSize::Auto);
    }
    if !value.is_table() {
        return value.number(Limits::Positive).map(StepSize::Fixed);
    }
    let table = value.table()?;
    let step = if let Some(auto) = table.optional("auto") {
        auto.word(&["once"]).map(|_| StepSize::AutoOnce)
    } else {
        let max = table.positive("max");
        let min = table.optional_number("min", Limits::Positive);
        Some(min.map_or(StepSize::AtMost(max), |min| StepSize::Between { max, min }))
    };
    table.finish();
    step
}

pub(crate) fn newmark(options: &Table<'_>) -> Integrator {
    let corrections = options.optional("corrections").and_then(|value| count(&value, 1));
    let predictor = options.optional("predictor");
    let predictor = predictor.and_then(|value| value.word(&["consistent", "printed"]));
    Integrator::NewmarkPec {
        corrections: corrections.unwrap_or(1),
        final_evaluation: options.flag("final_evaluation", false),
        predictor: match predictor {
            Some("printed") => NewmarkPredictor::Printed,
            _ => NewmarkPredictor::Consistent,
        },
    }
}

pub(crate) fn theta(options: &Table<'_>) -> Theta {
    let mut theta = Theta { phi: options.number("phi", Limits::Any), ..Theta::default() };
    let words = &["jacobi", "gauss-seidel", "frozen"];
    theta.iteration = match options.optional("iteration").and_then(|value| value.word(words)) {
        Some("gauss-seidel") => Iteration::GaussSeidel,
        Some("frozen") => Iteration::Frozen,
        _ => Iteration::Jacobi,
    };
    if let Some(value) = options.optional("tolerance") {
        for_iterations(&theta, &value);
        theta.tolerances = tolerances(&value, theta.tolerances);
    }
    if let Some(value) = options.optional("desired_iterations") {
        for_iterations(&theta, &value);
        theta.desired_iterations = count(&value, 2).unwrap_or(theta.desired_iterations);
        theta.most_iterations = 2 * theta.desired_iterations;
    }
    if let Some(value) = options.optional("most_iterations") {
        for_iterations(&theta, &value);
        theta.most_iterations = count(&value, 2).unwrap_or(theta.most_iterations);
    }
    if let Some(value) = options.optional("step_exponents") {
        for_iterations(&theta, &value);
        if value.word(&["derived", "printed"]) == Some("printed") {
            theta.exponents = StepExponents::Printed;
        }
    }
    theta.accept = accepts(options, |value| for_iterations(&theta, value));
    theta
}

pub(crate) fn rkf45(options: &Table<'_>) -> Rkf45 {
    let mut rkf45 = Rkf45 { accept: accepts(options, |_| {}), ..Rkf45::default() };
    let Some(value) = options.optional("tolerance") else { return rkf45 };
    if value.is_table() {
        let Some(table) = value.table() else { return rkf45 };
        for (key, place) in [
            ("position", &mut rkf45.position),
            ("velocity", &mut rkf45.velocity),
            ("spin", &mut rkf45.spin),
        ] {
            if let Some(tolerance) = table.optional_number(key, Limits::Positive) {
                *place = tolerance;
            }
        }
        table.finish();
    } else if let Some(tolerance) = value.number(Limits::Positive) {
        (rkf45.position, rkf45.velocity, rkf45.spin) = (tolerance, tolerance, tolerance);
    }
    rkf45
}

/// What is done where the shortest step does not do.
fn accepts(options: &Table<'_>, check: impl Fn(&Value<'_>)) -> bool {
    let Some(value) = options.optional("on_no_convergence") else { return false };
    check(&value);
    value.word(&["error", "accept"]) == Some("accept")
}

/// Refuses a key that has a meaning only where something is iterated.
fn for_iterations(theta: &Theta, value: &Value<'_>) {
    if theta.iteration == Iteration::Frozen {
        value.report_with(
            format!("`{}` means nothing with `iteration = \"frozen\"`", value.key()),
            "nothing is iterated",
            "remove it, or take \"jacobi\" or \"gauss-seidel\"",
        );
    }
}

/// A number for all quantities, or a table with one for each.
fn tolerances(value: &Value<'_>, mut tolerances: Tolerances) -> Tolerances {
    if !value.is_table() {
        return value.number(Limits::Positive).map_or(tolerances, Tolerances::all);
    }
    let Some(table) = value.table() else { return tolerances };
    for (key, place) in [
        ("position", &mut tolerances.position),
        ("velocity", &mut tolerances.velocity),
        ("spin", &mut tolerances.spin),
        ("rotation", &mut tolerances.rotation),
    ] {
        if let Some(tolerance) = table.optional_number(key, Limits::Positive) {
            *place = tolerance;
        }
    }
    table.finish();
    tolerances
}

/// A number of iterations or corrections, at most a hundred.
fn count(value: &Value<'_>, least: u64) -> Option<u32> {
    let count = value.count()?;
    if (least..=100).contains(&count) {
        return Some(count as u32);
    }
    value.report(format!("`{}` is {count}", value.key()), format!("between {least} and 100"));
    None
}
