//! `[[stages]]`: stages of the run.

use super::{Names, contact, fields, lookup, motion, particles, walls};
use crate::registry;
use crate::registry::fields::FIELDS;
use crate::text::table::Table;
use crate::text::value::{Limits, join};
use esker::MaterialId;
use esker::Scene;
use esker::stage::{Change, End, Stage};

/// Reads one stage. Changes have a fixed order: removals, changes, additions.
pub(super) fn read(table: Table<'_>, names: &mut Names, scene: &Scene) -> Stage {
    let mut taken: Vec<String> = scene.stages.iter().map(|stage| stage.name.clone()).collect();
    let mut stage =
        Stage { name: super::new_name(&table, &mut taken, "stage"), ..Stage::default() };
    if let Some(end) = table.required("end").and_then(|value| value.table()) {
        stage.end = read_end(end);
    }
    let mut changes = Vec::new();
    remove(&table, names, &mut changes);
    change(&table, names, &mut changes);
    for wall in super::tables(&table, "add_walls") {
        let path = wall.path.clone();
        changes.push((Change::AddWall(walls::read(wall, names)), path));
    }
    for value in table.optional("insert").and_then(|value| value.list()).unwrap_or_default() {
        let Some(group) = value.table() else { continue };
        let path = group.path.clone();
        let (source, checkpoint) = particles::group(group, names);
        if checkpoint.is_some() {
            value.report("a stage cannot insert from a checkpoint", "only [[particles]] can");
        }
        changes.push((Change::Insert(source), path));
    }
    let mut paths = table.context.paths.borrow_mut();
    for (index, (change, path)) in changes.into_iter().enumerate() {
        paths.push((format!("stages[{}].changes[{index}]", scene.stages.len()), path));
        stage.changes.push(change);
    }
    drop(paths);
    table.finish();
    stage
}

/// A change and its location in the file.
type LocatedChange = (Change, String);

fn read_end(table: Table<'_>) -> End {
    let after = table.optional_number("after", Limits::Positive);
    let kinetic_energy_below = table.optional_number("kinetic_energy_below", Limits::Positive);
    let or_after = table.optional("or_after");
    let latest = or_after.as_ref().and_then(|value| value.number(Limits::Positive));
    let end = End {
        after: after.or(latest),
        kinetic_energy_below,
        speed_below: table.optional_number("speed_below", Limits::Positive),
        particles_reach: table.optional_count("particles_reach"),
        particles_fall_to: table.optional_count("particles_fall_to"),
    };
    if let (Some(value), true) = (&or_after, table.has("after")) {
        value.report("`after` and `or_after` exclude each other", "`after` is given too");
    }
    let keys = [
        "after",
        "or_after",
        "kinetic_energy_below",
        "speed_below",
        "particles_reach",
        "particles_fall_to",
    ];
    if !keys.iter().any(|key| table.has(key)) {
        let help = "give `after`, or a condition such as `kinetic_energy_below`";
        table.missing(&keys, "the stage never ends", Some(help.to_owned()));
    }
    table.finish();
    end
}

fn remove(table: &Table<'_>, names: &Names, changes: &mut Vec<LocatedChange>) {
    let list = |key| table.optional(key).and_then(|value| value.list()).unwrap_or_default();
    for item in list("remove_walls") {
        if let Some(wall) = lookup(&item, &names.walls, "wall", "no wall of this name") {
            changes.push((Change::RemoveWall(names.walls[wall].clone()), item.path.clone()));
        }
    }
    for item in list("remove_particles") {
        if let Some(group) = lookup(&item, &names.groups, "group", "no group of this name") {
            let change = Change::RemoveParticles(names.groups[group].clone());
            changes.push((change, item.path.clone()));
        }
    }
    for item in list("remove_fields") {
        if let Some(word) = item.word(&registry::names(FIELDS)) {
            changes.push((Change::RemoveField(word.to_owned()), item.path.clone()));
        }
    }
}

fn change(table: &Table<'_>, names: &Names, changes: &mut Vec<LocatedChange>) {
    if let Some(motions) = table.optional("set_motion").and_then(|value| value.table()) {
        for (name, span, value) in motions.entries() {
            if names.walls.contains(&name) {
                changes.push((Change::SetMotion(name, motion::read(&value)), value.path.clone()));
            } else {
                let error = super::unknown_name(&name, span, &names.walls, "wall");
                table.context.report(error.label("no wall of this name"));
            }
        }
    }
    if let Some(gravity) = table.optional("gravity").and_then(|value| value.vec3()) {
        changes.push((Change::SetGravity(gravity), join(&table.path, "gravity")));
    }
    for pair in super::tables(table, "set_pair") {
        let between = pair
            .required("between")
            .and_then(|value| contact::two_materials(&value, names))
            .map(|indices| indices.map(|index| MaterialId::new(index as u16)));
        for (parameter, value) in contact::parameters(&pair) {
            if let Some(between) = between {
                let path = join(&pair.path, &parameter);
                let change = Change::SetPair { between, parameter, value };
                changes.push((change, path));
            }
        }
        pair.finish_with(|_| true);
    }
    for item in super::tables(table, "set_fields") {
        let path = item.path.clone();
        changes.extend(fields::field(item).map(|field| (Change::SetField(field), path)));
    }
}
