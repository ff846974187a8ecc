//! `[time]`: the integrator, the length of a step, and the rule for rotations.

use crate::registry;
use crate::registry::integrators::INTEGRATORS;
use crate::text::table::Table;
use crate::text::value::{Limits, Value};
use esker::Scene;
use esker::integrate::RotationMap;
use esker::scene::StepSize;

/// Reads the table.
pub(super) fn read(root: &Table<'_>, scene: &mut Scene) {
    let Some(table) = root.optional("time").and_then(|value| value.table()) else { return };
    let names = registry::names(INTEGRATORS);
    let choice = table.optional("integrator").and_then(|value| value.choice(&names));
    if let Some(choice) = choice {
        scene.integrator = registry::read_choice(INTEGRATORS, &choice).unwrap_or_default();
    }
    if let Some(step) = table.optional("step").and_then(|value| step(&value)) {
        scene.step = step;
    }
    if let Some(safety) = table.optional_number("safety", Limits::Positive) {
        scene.safety = Some(safety);
    }
    if let Some(value) = table.optional("rotation") {
        let maps = [("exact", RotationMap::Exact), ("literal", RotationMap::Literal)];
        scene.rotation = value.variant(&maps).unwrap_or_default();
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
