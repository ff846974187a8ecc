//! Motions of walls.

use super::Entry;
use crate::read::motion::{displacement_table, expression};
use crate::schema::build::{either, list, number, table, text, vector};
use crate::text::value::Value;
use esker::parameters::{ITSELF, Limits, Parameters};
use esker::wall::{Motion, Orbit};
use serde_json::{Value as Json, json};
use std::f64::consts::TAU;

/// Motions by name.
pub(crate) const MOTIONS: &[Entry<Motion>] = &[
    Entry::new("still", "No motion", |_| Motion::Still),
    Entry::new("velocity", "Constant velocity", |parameters| {
        Motion::Velocity(parameters.vector(ITSELF, "Constant velocity [m/s]"))
    }),
    Entry::new("rotation", "Constant rate about an axis", rotation),
    Entry::new("oscillation", "Sinusoidal displacement", oscillation),
    Entry::own("expression", displacement, displacement_schema),
    Entry::own("angle", angle, angle_schema),
    Entry::own("table", displacement_table, displacement_table_schema),
    Entry::of::<Orbit>(),
];

const POINT: &str = "A point of the axis [m]";
const AXIS: &str = "Direction of the axis";

fn rotation(parameters: &mut dyn Parameters) -> Motion {
    let point = parameters.vector("point", POINT);
    let axis = parameters.direction("axis", AXIS);
    let rate = match parameters
        .one_number(&[("rate", "Rate [rad/s]"), ("turns_per_second", "Rate [1/s]")])
    {
        (0, rate) => rate,
        (_, turns) => TAU * turns,
    };
    Motion::Rotation { point, axis, rate }
}

fn oscillation(parameters: &mut dyn Parameters) -> Motion {
    let amplitude = parameters.vector("amplitude", "Amplitude and direction [m]");
    let frequency = parameters.number("frequency", "Frequency [Hz]", Limits::Positive);
    let phase = parameters.optional_number("phase", "Phase at the start [rad]", Limits::Any);
    Motion::Oscillation { amplitude, frequency, phase: phase.unwrap_or(0.0) }
}

fn displacement(value: &Value<'_>) -> Option<Motion> {
    let table = value.table()?;
    let parts = ["x", "y", "z"].map(|key| expression(&table.optional(key)?));
    if !["x", "y", "z"].iter().any(|key| table.has(key)) {
        table.report("an expression needs at least one of `x`, `y` or `z`", None);
    }
    table.finish();
    Some(Motion::Displacement(value.context.motions.displacement(parts)))
}

fn expression_schema(about: &str) -> Json {
    either(about, vec![text("An expression of t"), number("A constant")])
}

fn displacement_schema() -> Json {
    let axis = |key| (key, expression_schema("Displacement as an expression of t [m]"));
    table("Displacement", [axis("x"), axis("y"), axis("z")])
}

fn angle(value: &Value<'_>) -> Option<Motion> {
    let table = value.table()?;
    let (point, axis) = (table.vec3("point"), table.direction("axis"));
    let angle = table.required("expression").and_then(|value| expression(&value));
    table.finish();
    Some(Motion::Angle { point, axis, angle: value.context.motions.angle(angle?) })
}

fn angle_schema() -> Json {
    table(
        "Angle about an axis",
        [
            ("!point", vector(POINT)),
            ("!axis", vector(AXIS)),
            ("!expression", expression_schema("Angle as an expression of t [rad]")),
        ],
    )
}

fn displacement_table_schema() -> Json {
    let mut row = list("t, x, y, z", json!({ "type": "number" }));
    (row["minItems"], row["maxItems"]) = (json!(4), json!(4));
    let file = text("A file with a header row, then t, x, y, z");
    either("Displacement, linear between rows", vec![file, list("Rows", row)])
}
