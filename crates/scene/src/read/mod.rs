//! From the values of a scene file to a scene: one file per table.

mod contact;
pub(crate) mod fields;
pub(crate) mod insert;
pub(crate) mod measures;
pub(crate) mod motion;
mod outputs;
mod particle_table;
mod particles;
pub(crate) mod spheres;
mod stages;
pub(crate) mod time;
mod walls;

pub(crate) use motion::report as report_expression;

use crate::diagnostic::Diagnostic;
use crate::notation::KEYS;
use crate::registry::laws::LawInForce;
use crate::settings::{FromCheckpoint, Outputs, Probe};
use crate::text::table::Table;
use crate::text::value::{Context, Limits, Value};
use crate::text::visible::is_hidden;
use crate::text::words;
use esker::Scene;
use esker::domain::{Domain, Outside};
use esker::material::MaterialId;
use esker::scene::{OverlapPolicy, StepLimit};
use esker::search::SearchMethod;
use std::ops::Range;

/// The only version of the scene file so far.
const FORMAT: u64 = 1;

/// Names that other parts of the file refer to.
#[derive(Debug, Default)]
pub(crate) struct Names {
    pub materials: Vec<String>,
    pub has_density: Vec<bool>,
    pub groups: Vec<String>,
    pub walls: Vec<String>,
    /// The axis along which nothing moves.
    pub plane_normal: Option<usize>,
}

/// Content of a scene file.
#[derive(Debug, Default)]
pub(crate) struct Parts {
    pub scene: Scene,
    pub outputs: Outputs,
    pub checkpoints: Vec<FromCheckpoint>,
    pub laws: Vec<LawInForce>,
}

/// Reads the whole file; problems are collected in the context.
pub(crate) fn scene(root: Table<'_>) -> Parts {
    let mut parts = Parts::default();
    parts.scene.notation = KEYS;
    let mut names = Names::default();
    header(&root, &mut parts.scene);
    time::read(&root, &mut parts.scene);
    options(&root, &mut parts.scene);
    names.plane_normal = parts.scene.plane_normal;
    if let Some(value) = root.optional("domain") {
        parts.scene.domain = domain(&value);
    }
    parts.laws = contact::read(&root, &mut parts.scene, &mut names);
    particles::read(&root, &mut parts, &mut names);
    for table in tables(&root, "walls") {
        let wall = walls::read(table, &mut names);
        parts.scene.walls.push(wall);
    }
    for table in tables(&root, "fields") {
        parts.scene.fields.extend(fields::field(table));
    }
    for table in tables(&root, "stages") {
        let stage = stages::read(table, &mut names, &parts.scene);
        parts.scene.stages.push(stage);
    }
    if let Some(table) = root.optional("outputs").and_then(|value| value.table()) {
        parts.outputs = outputs::read(table, &names, &parts.scene);
    }
    // The ledger costs time, so that it is kept only if it is written or checked.
    parts.scene.ledger = parts.outputs.energy.is_some();
    let sums = |probe: &Probe| probe.columns.iter().any(|column| column == "accumulated_angle");
    parts.scene.accumulate_angles = parts.outputs.probes.iter().any(sums);
    root.finish();
    parts
}

/// The tables of an optional list.
fn tables<'a>(table: &Table<'a>, key: &'static str) -> Vec<Table<'a>> {
    table.optional(key).and_then(|value| value.tables()).unwrap_or_default()
}

fn header(root: &Table<'_>, scene: &mut Scene) {
    if let Some(value) = root.required("format")
        && let Some(format) = value.count()
        && format != FORMAT
    {
        value.report(format!("unknown format {format}"), "this program reads format 1");
    }
    if let Some(title) = root.optional("title").and_then(|value| value.text()) {
        scene.title = title.to_owned();
    }
    scene.seed = root.optional("seed").and_then(|value| value.count()).unwrap_or(0);
    scene.gravity = root.optional_vec3("gravity");
}

fn options(root: &Table<'_>, scene: &mut Scene) {
    if let Some(table) = root.optional("motion").and_then(|value| value.table()) {
        scene.plane_normal = table.optional("plane_normal").and_then(|value| axis(&value));
        scene.rotations = table.flag("rotations", true);
        table.finish();
    }
    if let Some(table) = root.optional("search").and_then(|value| value.table()) {
        if let Some(value) = table.optional("method") {
            let methods = [
                ("grid", SearchMethod::Grid),
                ("cubes", SearchMethod::Cubes),
                ("brute-force", SearchMethod::BruteForce),
            ];
            scene.search.method = value.variant(&methods).unwrap_or_default();
        }
        scene.search.skin = table.optional_number("skin", Limits::Positive);
        table.finish();
    }
    if let Some(table) = root.optional("health").and_then(|value| value.table()) {
        if let Some(limit) = table.optional_number("overlap_limit", Limits::Positive) {
            scene.health.overlap_limit = limit;
        }
        if let Some(value) = table.optional("overlap") {
            let policies = [("error", OverlapPolicy::Error), ("warn", OverlapPolicy::Warn)];
            scene.health.overlap = value.variant(&policies).unwrap_or_default();
        }
        scene.health.energy_error = table.optional_number("energy_error", Limits::Positive);
        if let Some(value) = table.optional("step_limit") {
            let policies = [("error", StepLimit::Error), ("warn", StepLimit::Warn)];
            scene.health.step_limit = value.variant(&policies).unwrap_or_default();
        }
        table.finish();
    }
}

/// `x`, `y` or `z` as 0, 1 or 2.
pub(crate) fn axis(value: &Value<'_>) -> Option<usize> {
    let word = value.word(&["x", "y", "z"])?;
    ["x", "y", "z"].iter().position(|axis| *axis == word)
}

fn domain(value: &Value<'_>) -> Option<Domain> {
    let table = value.table()?;
    let mut domain = Domain::new(table.vec3("min"), table.vec3("max"));
    check_box(&table, domain.min, domain.max);
    if table.optional("outside").and_then(|value| value.word(&["error", "delete"]))
        == Some("delete")
    {
        domain.outside = Outside::Delete;
    }
    for item in table.optional("periodic").and_then(|value| value.list()).unwrap_or_default() {
        if let Some(axis) = axis(&item) {
            domain.periodic[axis] = true;
        }
    }
    table.finish();
    Some(domain)
}

/// A box must have a volume.
pub(crate) fn check_box(table: &Table<'_>, min: esker::Vec3, max: esker::Vec3) {
    let flat = ["x", "y", "z"].into_iter().enumerate().find(|(axis, _)| min[*axis] >= max[*axis]);
    if let Some((axis, name)) = flat
        && table.has("min")
        && table.has("max")
    {
        let (min, max) = (min[axis], max[axis]);
        table.report(format!("the box is empty along {name}: min {min}, max {max}"), None);
    }
}

/// The material that a value names.
pub(crate) fn material(value: Option<Value<'_>>, names: &Names) -> MaterialId {
    let index = value.and_then(|value| {
        lookup(&value, &names.materials, "material", "not defined in [materials]")
    });
    MaterialId::new(index.unwrap_or(0) as u16)
}

/// The index of a name in a list of names.
pub(crate) fn lookup(
    value: &Value<'_>,
    names: &[String],
    kind: &str,
    label: &str,
) -> Option<usize> {
    let name = value.text()?;
    let index = names.iter().position(|known| known == name);
    // If there are no materials at all, this has been reported.
    if index.is_none() && (kind != "material" || !names.is_empty()) {
        value.context.report(unknown_name(name, value.span(), names, kind).label(label));
    }
    index
}

/// The error for an unknown name.
pub(crate) fn unknown_name(
    name: &str,
    span: Range<usize>,
    names: &[String],
    kind: &str,
) -> Diagnostic {
    let known: Vec<&str> = names.iter().map(String::as_str).collect();
    Diagnostic::error(format!("unknown {kind} `{name}`"), span).help(words::suggestion(
        name,
        &known,
        "defined here",
    ))
}

/// Longest name [bytes].
const LONGEST_NAME: usize = 255;
/// The longest name of what has a table of its own [bytes]: file systems allow 255, of which `.csv`
/// and the ending of a file that is being written are a part.
const LONGEST_FILE_NAME: usize = 240;

/// Refuses names that no terminal, table or file system takes.
fn check_name(context: &Context, span: Range<usize>, name: &str, longest: usize) {
    if let Some(character) = name.chars().find(|c| *c == '\t' || *c == '\n' || is_hidden(*c)) {
        let what = format!("it contains the control character U+{:04X}", u32::from(character));
        context.report(
            Diagnostic::error("a name must not contain control characters", span).label(what),
        );
    } else if name.len() > longest {
        let what = format!("{} bytes; at most {longest} are possible", name.len());
        context.report(Diagnostic::error("the name is too long", span).label(what));
    }
}

/// A name that must be there and must be new.
pub(crate) fn new_name(table: &Table<'_>, taken: &mut Vec<String>, kind: &str) -> String {
    let Some(value) = table.required("name") else { return String::new() };
    let name = value.text().unwrap_or_default().to_owned();
    let longest = if kind == "probe" { LONGEST_FILE_NAME } else { LONGEST_NAME };
    check_name(value.context, value.span(), &name, longest);
    if name.is_empty() && value.is_text() {
        value.report(format!("the name of a {kind} is empty"), "no name");
    } else if taken.contains(&name) {
        table.context.report(
            Diagnostic::error(format!("two {kind}s are called `{name}`"), value.span())
                .label("the name is taken"),
        );
    }
    taken.push(name.clone());
    name
}
