//! Patterns: points at which particles are inserted.

use super::Entry;
use crate::read::check_box;
use crate::schema::build::{count, either, not_negative, positive, table, vector};
use crate::text::value::{Limits, Value};
use esker::Vec3;
use esker::insert::{Hexagonal, Placement};
use serde_json::Value as Json;

/// Patterns by name.
pub(crate) const PATTERNS: &[Entry<Placement>] =
    &[Entry::own("lattice", lattice, lattice_schema), Entry::of::<Hexagonal>()];

fn lattice(value: &Value<'_>) -> Option<Placement> {
    let table = value.table()?;
    let (min, max) = (table.vec3("min"), table.vec3("max"));
    // Lattices of one layer are common, so a flat box is allowed here.
    if (0..3).any(|axis| min[axis] > max[axis]) {
        check_box(&table, min, max);
    }
    let spacing = match table.required("spacing") {
        Some(value) if value.is_number() => value.number(Limits::Positive).map(Vec3::splat),
        Some(value) => value.vec3().inspect(|spacing| {
            if spacing.min_element() <= 0.0 {
                value.report("`spacing` must be greater than zero along each axis", "not positive");
            }
        }),
        None => None,
    };
    let placement = Placement::Lattice {
        min,
        max,
        spacing: spacing.unwrap_or(Vec3::ONE),
        count: table.optional_count("count"),
        jitter: table.optional_number("jitter", Limits::NotNegative).unwrap_or(0.0),
    };
    table.finish();
    Some(placement)
}

fn lattice_schema() -> Json {
    let spacing = vec![positive("Along every axis"), vector("Along each axis")];
    table(
        "Points of a rectangular lattice",
        [
            ("!min", vector("Lower corner [m]")),
            ("!max", vector("Upper corner [m]")),
            ("!spacing", either("Distance of neighbours [m]", spacing)),
            ("count", count("Number of particles; default: as many as fit")),
            ("jitter", not_negative("Largest random displacement [m]")),
        ],
    )
}
