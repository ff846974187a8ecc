//! `insert`: where the particles of a group are and when they appear.

use super::check_box;
use super::particles::region;
use super::spheres;
use crate::text::provided::ParticleArrays;
use crate::text::table::Table;
use crate::text::value::{Limits, Value};
use esker::Vec3;
use esker::insert::{Amount, Placement, Radius};
use std::path::PathBuf;

/// Particles placed by the engine, or by the runner from a checkpoint.
#[derive(Debug)]
pub(super) enum Inserted {
    Now(Placement),
    List(ParticleArrays),
    Checkpoint { file: PathBuf, history: bool },
}

/// Ways to insert. The first two say how many and need a region beside them.
const WAYS: [&str; 8] = ["count", "fraction", "lattice", "stream", "list", "csv", "state", "from"];

/// More particles than any machine holds: a slip of the pen, not a wish.
const MOST: u64 = 10_000_000_000;

/// Reads `insert`; particles of a list without radius take that of their group.
pub(super) fn read(
    value: &Value<'_>,
    radius: &Radius,
    plane_normal: Option<usize>,
) -> Option<Inserted> {
    let table = value.table()?;
    let Some((word, way)) = table.one_of(&WAYS) else {
        // Keys that go with one of the ways are no mistake of their own.
        table.finish_with(|key| ["box", "cylinder", "ball", "dense", "history"].contains(&key));
        return None;
    };
    let inserted = match word {
        "count" | "fraction" => random(&table, word, &way, plane_normal).map(Inserted::Now),
        "lattice" => way.table().map(lattice).map(Inserted::Now),
        "stream" => way.table().and_then(|table| stream(table, plane_normal)).map(Inserted::Now),
        "from" => Some(Inserted::Checkpoint {
            file: way.file().unwrap_or_default(),
            history: table.flag("history", false),
        }),
        _ => spheres::read(word, &way, radius).map(Inserted::List),
    };
    table.finish();
    inserted
}

fn random(
    table: &Table<'_>,
    word: &str,
    value: &Value<'_>,
    plane_normal: Option<usize>,
) -> Option<Placement> {
    let amount = if word == "count" {
        let count = value.count();
        if count.is_some_and(|count| count > MOST) {
            value.report("`count` is too large", format!("at most {MOST} particles"));
        }
        count.map(|count| Amount::Count(count as usize))
    } else {
        let share = value.number(Limits::Positive);
        if share.is_some_and(|share| share >= 1.0) {
            value.report("`fraction` must be below 1", "a share of the region's volume");
        }
        share.map(Amount::Fraction)
    };
    let region = region(table, plane_normal);
    let dense = table.flag("dense", false);
    let (amount, region) = (amount?, region?);
    Some(if dense {
        Placement::Grow { region, amount }
    } else {
        Placement::Random { region, amount }
    })
}

fn lattice(table: Table<'_>) -> Placement {
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
    placement
}

fn stream(table: Table<'_>, plane_normal: Option<usize>) -> Option<Placement> {
    let region = region(&table, plane_normal);
    let rate = table.positive("rate");
    let count = table.optional_count("count");
    let start = table.optional_number("start", Limits::NotNegative).unwrap_or(0.0);
    table.finish();
    Some(Placement::Stream { region: region?, rate, count, start })
}
