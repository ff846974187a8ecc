//! `[outputs]`: outputs of a run.

use super::{Names, lookup, measures};
use crate::output::FORMATS;
use crate::settings::{Frames, Outputs, Probe, Target, ZeroSlip};
use crate::text::table::Table;
use crate::text::value::{Limits, Value};
use esker::Scene;

/// Reads the table.
pub(super) fn read(table: Table<'_>, names: &Names, scene: &Scene) -> Outputs {
    let mut outputs = Outputs::default();
    if let Some(frames) = table.optional("frames").and_then(|value| value.table()) {
        outputs.frames = Some(Frames {
            every: frames.positive("every"),
            formats: FORMATS
                .iter()
                .filter(|format| frames.flag(format.name, format.by_default))
                .map(|format| format.name)
                .collect(),
            contacts: frames.flag("contacts", true),
        });
        frames.finish();
    }
    outputs.energy = interval(&table, "energy");
    outputs.walls = interval(&table, "walls");
    outputs.contacts = interval(&table, "contacts");
    outputs.checkpoint = interval(&table, "checkpoint");
    outputs.events = table.optional("events").and_then(|value| events(&value));
    outputs.final_state = table.flag("final", true);
    outputs.report = table.flag("report", true);
    let mut taken = Vec::new();
    for item in super::tables(&table, "probes") {
        outputs.probes.extend(probe(item, names, &mut taken));
    }
    for item in super::tables(&table, "measure") {
        outputs.measures.extend(measures::measure(item, names, scene, &mut taken));
    }
    table.finish();
    outputs
}

/// `true`, or the detection of the end of slip.
fn events(value: &Value<'_>) -> Option<ZeroSlip> {
    if !value.is_table() {
        return value.flag()?.then_some(ZeroSlip::default());
    }
    let options = value.table()?;
    let value = options.required("zero_slip");
    let variants = [
        ("crossing", ZeroSlip::Crossing),
        ("predicted", ZeroSlip::Predicted),
        ("printed", ZeroSlip::Printed),
    ];
    let variant = value.and_then(|value| value.variant(&variants));
    options.finish();
    Some(variant.unwrap_or_default())
}

/// `{ every = … }`.
fn interval(table: &Table<'_>, key: &'static str) -> Option<f64> {
    let options = table.optional(key)?.table()?;
    let every = options.positive("every");
    options.finish();
    Some(every)
}

fn probe(table: Table<'_>, names: &Names, taken: &mut Vec<String>) -> Option<Probe> {
    let name = super::new_name(&table, taken, "probe");
    check_file(&table, &name, "probe");
    let target = table
        .one_of(&["particles", "particle", "contact", "wall"])
        .and_then(|(word, value)| target(word, &value, names));
    let columns = table.required("columns").and_then(|value| columns(&value)).unwrap_or_default();
    let probe = Probe {
        name,
        target: target.clone().unwrap_or(Target::Particles(None)),
        columns: columns.into_iter().map(str::to_owned).collect(),
        every: table.optional_number("every", Limits::Positive),
        mark: table.optional("mark").and_then(|value| value.vec3()),
        axis: table.optional("axis").and_then(|value| value.direction()),
    };
    table.finish();
    target.map(|_| probe)
}

/// The columns of a probe, each once.
fn columns<'a>(value: &Value<'a>) -> Option<Vec<&'a str>> {
    let texts = value.texts()?;
    if texts.is_empty() && value.list().is_some_and(|list| list.is_empty()) {
        value.report("a probe needs at least one column", "no column");
    }
    for (index, item) in value.list()?.iter().enumerate() {
        if item.is_text() && texts.iter().take(index).any(|earlier| Some(*earlier) == item.text()) {
            let name = item.text().unwrap_or_default();
            item.report(format!("the column `{name}` is given twice"), "named before");
        }
    }
    Some(texts)
}

/// The name of a probe or a measure is the name of its table.
pub(super) fn check_file(table: &Table<'_>, name: &str, kind: &str) {
    if name.contains(['/', '\\']) || name.starts_with('.') {
        table.report(
            format!("the {kind} `{name}` cannot be a file"),
            Some("its name is the name of its table: no slashes, no dot at the start".to_owned()),
        );
    }
}

fn target(word: &str, value: &Value<'_>, names: &Names) -> Option<Target> {
    match word {
        "particles" => group(value, names).map(Target::Particles),
        "particle" => value.count().map(Target::Particle),
        "wall" => wall(value, names).map(Target::Wall),
        "contact" => {
            let partners = value.list()?;
            let [first, second] = partners.as_slice() else {
                value.report("a contact has two partners", "such as [3, 7] or [3, \"floor\"]");
                return None;
            };
            let id = first.count();
            if second.is_text() {
                return Some(Target::WallContact(id?, wall(second, names)?));
            }
            Some(Target::Contact(id?, second.count()?))
        }
        _ => None,
    }
}

fn wall(value: &Value<'_>, names: &Names) -> Option<String> {
    lookup(value, &names.walls, "wall", "no wall of this name").map(|i| names.walls[i].clone())
}

/// A group of particles; the word `all` means all of them.
fn group(value: &Value<'_>, names: &Names) -> Option<Option<String>> {
    if value.text()? == "all" {
        return Some(None);
    }
    lookup(value, &names.groups, "group", "no group of this name")
        .map(|i| Some(names.groups[i].clone()))
}
