//! `measure`: measures that a run evaluates at intervals and at its end.

use super::{Names, lookup};
use crate::diagnostic::Diagnostic;
use crate::registry::measures::{MEASURES, measure_words};
use crate::settings::Measured;
use crate::text::table::Table;
use crate::text::value::{Limits, Value};
use esker::Scene;
use esker::measure::Reference;
use esker::stage::Change;
use esker::wall::Shape;

/// Reads one measure of the list. Its name, by default that of the measure, is the name of its table.
pub(super) fn measure(
    table: Table<'_>,
    names: &Names,
    scene: &Scene,
    taken: &mut Vec<String>,
) -> Option<Measured> {
    let every = table.optional_number("every", Limits::Positive);
    let given = table.optional("name").and_then(|value| {
        let name = value.text()?;
        super::check_name(value.context, value.span(), name, super::LONGEST_FILE_NAME);
        Some(name.to_owned())
    });
    let found = table.one_of(&measure_words());
    let Some((word, value)) = found else {
        table.finish();
        return None;
    };
    let name = given.unwrap_or_else(|| word.to_owned());
    super::outputs::check_file(&table, &name, "measure");
    if taken.contains(&name) {
        let help = "set a different `name = \"…\"`, which is also the name of its table";
        let message = format!("two measures or probes are called `{name}`");
        table.report(message, Some(help.to_owned()));
    }
    taken.push(name.clone());
    table.finish();
    let entry = MEASURES.iter().find(|entry| entry.word == word)?;
    let measure = (entry.read)(&value)?;
    for (option, reference) in measure.references() {
        check_reference(&value, option, reference, names, scene);
    }
    for problem in measure.problems() {
        let location = value.table().and_then(|options| options.peek(&problem.path));
        let span = location.map_or_else(|| value.span(), |option| option.span());
        let remark = Diagnostic { help: problem.help, ..Diagnostic::error(problem.message, span) };
        value.context.report(remark);
    }
    Some(Measured { name, every, measure })
}

/// Reads a single measure without a table.
pub(crate) fn alone(table: Table<'_>, names: &Names, scene: &Scene) -> Option<Measured> {
    measure(table, names, scene, &mut Vec::new())
}

/// Checks that the groups and walls named by an option exist.
fn check_reference(
    value: &Value<'_>,
    option: &'static str,
    reference: Reference<'_>,
    names: &Names,
    scene: &Scene,
) {
    let Some(location) = value.table().and_then(|options| options.peek(option)) else { return };
    // The names of a list have locations in the list.
    let location = match (&reference, location.is_list()) {
        (Reference::Group(name), true) => {
            let items = location.list().unwrap_or_default();
            let item = items.iter().find(|item| item.is_text() && item.text() == Some(name));
            item.cloned().unwrap_or(location)
        }
        _ => location,
    };
    match reference {
        Reference::Group(_) => {
            lookup(&location, &names.groups, "group", "no group of this name");
        }
        Reference::Wall(_) => {
            lookup(&location, &names.walls, "wall", "no wall of this name");
        }
        Reference::PlaneWall(name) => {
            let known = lookup(&location, &names.walls, "wall", "no wall of this name");
            if known.is_some() && !is_plane(scene, name) {
                location.report_with(
                    format!("the wall `{name}` is not plane"),
                    "a plane wall is needed here",
                    "half-spaces, rectangles and discs are plane",
                );
            }
        }
    }
}

fn is_plane(scene: &Scene, name: &str) -> bool {
    let staged = scene.stages.iter().flat_map(|stage| &stage.changes);
    let added = staged.filter_map(|change| match change {
        Change::AddWall(wall) => Some(wall),
        _ => None,
    });
    scene.walls.iter().chain(added).filter(|wall| wall.name == name).all(|wall| {
        matches!(wall.shape, Shape::HalfSpace { .. } | Shape::Rectangle { .. } | Shape::Disc { .. })
    })
}
