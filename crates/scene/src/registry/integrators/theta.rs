//! `theta`: options and schema.

use super::{accepts, count, no_convergence};
use crate::registry::Entry;
use crate::schema::build::{self, either, number, positive, table, words};
use crate::text::table::Table;
use crate::text::value::{Limits, Value};
use esker::integrate::{Integrator, Iteration, StepExponents, Theta, Tolerances};
use serde_json::Value as Schema;

pub(super) const THETA: Entry<Integrator> = Entry::table("theta", read, schema);

fn read(options: &Table<'_>) -> Integrator {
    let mut theta = Theta { phi: options.number("phi", Limits::Any), ..Theta::default() };
    let iterations = [
        ("jacobi", Iteration::Jacobi),
        ("gauss-seidel", Iteration::GaussSeidel),
        ("frozen", Iteration::Frozen),
    ];
    let iteration = options.optional("iteration").and_then(|value| value.variant(&iterations));
    theta.iteration = iteration.unwrap_or_default();
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
        let exponents = [("derived", StepExponents::Derived), ("printed", StepExponents::Printed)];
        theta.exponents = value.variant(&exponents).unwrap_or_default();
    }
    theta.accept = accepts(options, |value| for_iterations(&theta, value));
    Integrator::Theta(theta)
}

/// Refuses a key that has an effect only if the rule iterates.
fn for_iterations(theta: &Theta, value: &Value<'_>) {
    if theta.iteration == Iteration::Frozen {
        value.report_with(
            format!("`{}` has no effect with `iteration = \"frozen\"`", value.key()),
            "nothing is iterated",
            "remove it, or choose \"jacobi\" or \"gauss-seidel\"",
        );
    }
}

/// A number for all quantities, or a table with one for each.
fn tolerances(value: &Value<'_>, mut tolerances: Tolerances) -> Tolerances {
    if !value.is_table() {
        return value.number(Limits::Positive).map_or(tolerances, Tolerances::all);
    }
    let Some(table) = value.table() else { return tolerances };
    for (key, target) in [
        ("position", &mut tolerances.position),
        ("velocity", &mut tolerances.velocity),
        ("spin", &mut tolerances.spin),
        ("rotation", &mut tolerances.rotation),
    ] {
        if let Some(tolerance) = table.optional_number(key, Limits::Positive) {
            *target = tolerance;
        }
    }
    table.finish();
    tolerances
}

fn schema() -> Schema {
    let one = |about| positive(about);
    let tolerances = table(
        "For each quantity",
        [
            ("position", one("Of positions")),
            ("velocity", one("Of velocities")),
            ("spin", one("Of spins")),
            ("rotation", one("Of the rotations in the step")),
        ],
    );
    table(
        "Generalised trapezoidal rule",
        [
            ("!phi", number("Weight of the state at the end of the step, 0 to 1")),
            ("iteration", words("Iterative method", &["jacobi", "gauss-seidel", "frozen"])),
            (
                "tolerance",
                either(
                    "Largest error as a fraction of the change in the step",
                    vec![positive("For all quantities"), tolerances],
                ),
            ),
            ("desired_iterations", build::count("Iterations after which a shorter step is tried")),
            (
                "most_iterations",
                build::count("Largest number of iterations of a step of the shortest length"),
            ),
            (
                "step_exponents",
                words(
                    "Exponents of the step control: as derived in B, or as printed",
                    &["derived", "printed"],
                ),
            ),
            ("on_no_convergence", no_convergence()),
        ],
    )
}
