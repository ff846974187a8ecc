//! `insert`: position and time of the insertion of a group.

use super::particles::region;
use super::spheres;
use crate::registry;
use crate::registry::patterns::PATTERNS;
use crate::text::provided::ParticleArrays;
use crate::text::table::Table;
use crate::text::value::{Limits, Value};
use esker::insert::{Amount, Placement, Radius};
use std::path::PathBuf;

/// Particles placed by the engine, or by the runner from a checkpoint.
#[derive(Debug)]
pub(super) enum Inserted {
    Now(Placement),
    List(ParticleArrays),
    Checkpoint { file: PathBuf, history: bool },
}

/// Keys of random insertion in a region, which has its own key.
const AT_RANDOM: [&str; 2] = ["count", "fraction"];
/// Particles inserted over time.
const STREAM: &str = "stream";
/// Particles of another run.
const CHECKPOINT: &str = "from";

/// All kinds of insertion, by key.
pub(crate) fn patterns() -> Vec<&'static str> {
    let patterns = registry::names(PATTERNS);
    [&AT_RANDOM[..], &patterns, &[STREAM], spheres::NAMES, &[CHECKPOINT]].concat()
}

/// Largest number of particles; more do not fit into any machine and are a typing error.
const MOST: u64 = 10_000_000_000;

/// Reads `insert`; particles of a list without a radius have that of their group.
pub(super) fn read(
    value: &Value<'_>,
    radius: Option<&Radius>,
    plane_normal: Option<usize>,
) -> Option<Inserted> {
    let table = value.table()?;
    let Some((word, options)) = table.one_of(&patterns()) else {
        // Additional keys of the kinds of insertion are accepted here.
        table.finish_with(|key| ["box", "cylinder", "ball", "dense", "history"].contains(&key));
        return None;
    };
    let inserted = if AT_RANDOM.contains(&word) {
        random(&table, word, &options, plane_normal).map(Inserted::Now)
    } else if spheres::NAMES.contains(&word) {
        spheres::read(word, &options, radius).map(Inserted::List)
    } else if word == STREAM {
        options.table().and_then(|table| stream(table, plane_normal)).map(Inserted::Now)
    } else if word == CHECKPOINT {
        let file = options.file().unwrap_or_default();
        Some(Inserted::Checkpoint { file, history: table.flag("history", false) })
    } else {
        registry::read(PATTERNS, word, &options).map(Inserted::Now)
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
        let fraction = value.number(Limits::Positive);
        if fraction.is_some_and(|fraction| fraction >= 1.0) {
            value.report("`fraction` must be below 1", "a fraction of the volume of the region");
        }
        fraction.map(Amount::Fraction)
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

fn stream(table: Table<'_>, plane_normal: Option<usize>) -> Option<Placement> {
    let region = region(&table, plane_normal);
    let rate = table.positive("rate");
    let count = table.optional_count("count");
    let start = table.optional_number("start", Limits::NotNegative).unwrap_or(0.0);
    table.finish();
    Some(Placement::Stream { region: region?, rate, count, start })
}
