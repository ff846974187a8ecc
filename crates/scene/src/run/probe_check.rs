//! Validation of probes: columns that do not exist, particles that never exist.

use super::probe::known;
use super::threads::expected;
use crate::settings::{Probe, Target};
use crate::text::words;
use esker::insert::{Placement, Source};
use esker::stage::Change;
use esker::wall::Shape;
use esker::{Problem, Scene, Simulation};

/// Problems of the columns of the probes of a scene.
pub(crate) fn problems(probes: &[Probe]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (index, probe) in probes.iter().enumerate() {
        let names: Vec<&str> = known(&probe.target).iter().map(|(name, _)| *name).collect();
        for (column_index, column) in probe.columns.iter().enumerate() {
            if !names.contains(&column.as_str()) {
                let path = format!("outputs.probes[{index}].columns[{column_index}]");
                let message = format!("unknown column `{column}`");
                let help = match column.as_str() {
                    "couple" => "this column is now `moment`".to_owned(),
                    _ => words::suggestion(column, &names, "columns of such a probe"),
                };
                problems.push(Problem::at(path, message).help(help));
                continue;
            }
            let (needed, is_given, help) = match column.as_str() {
                "mark" => {
                    ("mark", probe.mark.is_some(), "a point of the particle, from its centre")
                }
                "accumulated_angle" => ("axis", probe.axis.is_some(), "the axis of the angle"),
                _ => continue,
            };
            if !is_given {
                let path = format!("outputs.probes[{index}].columns[{column_index}]");
                let message = format!("the column `{column}` needs `{needed}`");
                let help = format!("add `{needed} = [x, y, z]`, {help}");
                problems.push(Problem::at(path, message).help(help));
            }
        }
    }
    problems
}

/// Columns of quantities that the laws of the scene do not record.
pub(crate) fn not_recorded(probes: &[Probe], remembered: &[String]) -> Vec<Problem> {
    if remembered.iter().any(|name| name.starts_with("sliding displacement")) {
        return Vec::new();
    }
    let mut problems = Vec::new();
    for (index, probe) in probes.iter().enumerate() {
        let needs_record = |column: &String| column == "sliding_displacement";
        if let Some(column_index) = probe.columns.iter().position(needs_record) {
            let path = format!("outputs.probes[{index}].columns[{column_index}]");
            let help = "`tangential = { mindlin = { record_sliding = true } }` records it";
            let message = "no law of this scene records the sliding displacement";
            problems.push(Problem::at(path, message).help(help));
        }
    }
    problems
}

/// Probes of particles that never exist. Ids are not checked if the number of particles of a source is unknown.
pub(crate) fn without_particles(
    probes: &[Probe],
    scene: &Scene,
    simulation: &Simulation,
) -> Vec<Problem> {
    let ids = later_ids(scene).map(|more| simulation.counts().present + more);
    let sizes = simulation.group_sizes();
    let present = |group: &str| {
        let mut named = simulation.groups().iter().zip(&sizes).filter(|(name, _)| *name == group);
        named.any(|(_, size)| *size > 0)
    };
    let comes = |group: &str| {
        later_sources(scene).any(|source| source.name == group && expected(source) != Some(0))
    };
    let mut problems = Vec::new();
    for (index, probe) in probes.iter().enumerate() {
        let (word, named) = match &probe.target {
            Target::Particles(Some(group)) if !present(group) && !comes(group) => {
                let path = format!("outputs.probes[{index}].particles");
                let message = format!("the group `{group}` has no particles");
                let help = "its `insert` adds none, now or later";
                problems.push(Problem::at(path, message).help(help));
                continue;
            }
            Target::Particle(id) => ("particle", vec![*id]),
            Target::WallContact(id, _) => ("contact", vec![*id]),
            Target::Contact(first, second) => ("contact", vec![*first, *second]),
            _ => continue,
        };
        let path = format!("outputs.probes[{index}].{word}");
        problems.extend(wrong_ids(&named, ids, &path));
    }
    problems
}

/// Problems of the ids that a probe names, given the number of particles of the run.
fn wrong_ids(named: &[u64], ids: Option<u64>, path: &str) -> Option<Problem> {
    if let [first, second] = named
        && first == second
    {
        let message = format!("particle {first} has no contact with itself");
        return Some(Problem::at(path, message).help("two different ids, or a wall's name"));
    }
    let ids = ids?;
    let missing = named.iter().find(|id| **id >= ids)?;
    let help = match ids {
        0 => "the scene has no particles".to_owned(),
        _ => format!("ids are from 0 to {}", ids - 1),
    };
    Some(Problem::at(path, format!("there is no particle {missing}, now or later")).help(help))
}

/// Sources that insert particles after the start.
fn later_sources(scene: &Scene) -> impl Iterator<Item = &Source> {
    let is_stream = |source: &&Source| matches!(source.placement, Placement::Stream { .. });
    let staged = scene.stages.iter().flat_map(|stage| &stage.changes);
    scene.particles.iter().filter(is_stream).chain(staged.filter_map(|change| match change {
        Change::Insert(source) => Some(source),
        _ => None,
    }))
}

/// Number of particles after the start, those of walls included; none if that of a source is unknown.
fn later_ids(scene: &Scene) -> Option<u64> {
    let staged = scene.stages.iter().flat_map(|stage| &stage.changes);
    let walls = staged.filter_map(|change| match change {
        Change::AddWall(wall) => Some(&wall.shape),
        _ => None,
    });
    let of_walls: usize = walls
        .map(|shape| match shape {
            Shape::Particles(list) => list.len(),
            _ => 0,
        })
        .sum();
    let sources = later_sources(scene);
    let of_sources = sources
        .map(expected)
        .try_fold(0, |sum: u64, count| Some(sum.saturating_add(count? as u64)));
    of_sources.map(|count| count.saturating_add(of_walls as u64))
}
