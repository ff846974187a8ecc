//! `[[particles]]`: groups of particles, their sizes and their insertion.

use super::insert::{self, Inserted};
use super::{Names, Parts, check_box, material, new_name};
use crate::settings::FromCheckpoint;
use crate::text::table::Table;
use crate::text::value::{Limits, Value};
use esker::insert::{Placement, Radius, Region, Source};

/// Reads all groups.
pub(super) fn read(root: &Table<'_>, parts: &mut Parts, names: &mut Names) {
    for table in super::tables(root, "particles") {
        let source = parts.scene.particles.len();
        let (group, checkpoint) = group(table, names);
        parts.scene.particles.push(group);
        parts.checkpoints.extend(checkpoint.map(|(file, history)| FromCheckpoint {
            source,
            file,
            history,
        }));
    }
}

/// One group, and the checkpoint from which it comes.
pub(super) fn group(
    table: Table<'_>,
    names: &mut Names,
) -> (Source, Option<(std::path::PathBuf, bool)>) {
    let name = new_name(&table, &mut names.groups, "group");
    let material_value = table.required("material");
    let mut source = Source::list(name, material(material_value.clone(), names), Vec::new());
    let has_density = names.has_density.get(source.material.index());
    if let (Some(value), Some(false)) = (&material_value, has_density)
        && value.text().is_some_and(|name| names.materials.iter().any(|known| known == name))
    {
        value.report(
            format!("the material `{}` has no density", value.text().unwrap_or_default()),
            "particles need one",
        );
    }
    let radius = table.optional("radius");
    source.radius = radius.as_ref().and_then(read_radius);
    source.velocity = table.optional_vec3("velocity");
    source.random_velocity =
        table.optional_number("random_velocity", Limits::NotNegative).unwrap_or(0.0);
    source.spin = table.optional_vec3("spin");
    source.charge = table.optional_number("charge", Limits::Any).unwrap_or(0.0);
    source.fixed = table.flag("fixed", false);
    let mut checkpoint = None;
    if let Some(value) = table.required("insert") {
        match insert::read(&value, source.radius.as_ref(), names.plane_normal) {
            Some(Inserted::Now(placement)) => {
                if radius.is_none() {
                    table.report(format!("`{}` needs `radius`", table.path), None);
                }
                source.placement = placement;
            }
            Some(Inserted::List(given)) => {
                source.placement = Placement::List(given.spheres);
                source.orientations = given.orientations;
                if !given.charges.is_empty() && table.optional("charge").is_some() {
                    let message = "the table of particles also has the column `charge`";
                    table.report(format!("`{}.charge`: {message}", table.path), None);
                }
                source.charges = given.charges;
            }
            Some(Inserted::Checkpoint { file, history }) => checkpoint = Some((file, history)),
            None => {}
        }
    }
    table.finish();
    (source, checkpoint)
}

/// A radius or a distribution of radii.
fn read_radius(value: &Value<'_>) -> Option<Radius> {
    if value.is_number() {
        return value.number(Limits::Positive).map(Radius::Constant);
    }
    if value.is_text() {
        value.expected("a number [m] or a distribution such as { uniform = { … } }");
        return None;
    }
    let names: Vec<_> = DISTRIBUTIONS.iter().map(|(name, _)| *name).chain(["mix"]).collect();
    let choice = value.choice(&names)?;
    let Some((_, read)) = DISTRIBUTIONS.iter().find(|(name, _)| *name == choice.word) else {
        return mix(choice.value.as_ref()?);
    };
    let table = choice.table()?;
    let radius = read(&table);
    table.finish();
    Some(radius)
}

/// Distributions of radii with a table of options.
type ReadRadius = fn(&Table<'_>) -> Radius;
const DISTRIBUTIONS: [(&str, ReadRadius); 3] =
    [("uniform", uniform), ("normal", normal), ("log-normal", log_normal)];

fn uniform(table: &Table<'_>) -> Radius {
    let (min, max) = (table.positive("min"), table.positive("max"));
    if min > max {
        table.report(format!("min {min} is greater than max {max}"), None);
    }
    Radius::Uniform { min, max }
}

fn normal(table: &Table<'_>) -> Radius {
    let mean = table.positive("mean");
    let deviation = table.number("deviation", Limits::NotNegative);
    let truncate = table.positive("truncate");
    if mean - truncate * deviation <= 0.0 {
        table.report(
            "the smallest radius, mean - truncate · deviation, is not positive",
            Some(format!("`truncate` must be below {}", mean / deviation)),
        );
    }
    Radius::Normal { mean, deviation, truncate }
}

fn log_normal(table: &Table<'_>) -> Radius {
    Radius::LogNormal {
        median: table.positive("median"),
        deviation: table.number("deviation", Limits::NotNegative),
        truncate: table.positive("truncate"),
    }
}

fn mix(value: &Value<'_>) -> Option<Radius> {
    let mut sizes = Vec::new();
    for table in value.tables()? {
        sizes.push((table.positive("radius"), table.positive("share")));
        table.finish();
    }
    if sizes.is_empty() {
        value.report("a mix needs at least one size", "empty");
    }
    Some(Radius::Mix(sizes))
}

/// A region: the one given as `box`, `cylinder` or `ball`. In a plane problem a box may be flat along the normal.
pub(super) fn region(table: &Table<'_>, plane_normal: Option<usize>) -> Option<Region> {
    let (word, value) = table.one_of(&REGIONS.map(|(name, _)| name))?;
    let (_, read) = REGIONS.iter().find(|(name, _)| *name == word)?;
    let shape = value.table()?;
    let region = read(&shape, plane_normal);
    shape.finish();
    Some(region)
}

/// Readers of regions; each takes its table and the normal of a plane problem.
type ReadRegion = fn(&Table<'_>, Option<usize>) -> Region;
const REGIONS: [(&str, ReadRegion); 3] =
    [("box", box_region), ("cylinder", cylinder), ("ball", ball)];

fn box_region(shape: &Table<'_>, plane_normal: Option<usize>) -> Region {
    let (min, max) = (shape.vec3("min"), shape.vec3("max"));
    let in_plane = |axis: usize| plane_normal == Some(axis) && min[axis] == max[axis];
    if !(0..3).all(|axis| min[axis] < max[axis] || in_plane(axis)) {
        check_box(shape, min, max);
    }
    Region::Box { min, max }
}

fn cylinder(shape: &Table<'_>, _plane_normal: Option<usize>) -> Region {
    let (start, end) = (shape.vec3("start"), shape.vec3("end"));
    Region::Cylinder { start, end, radius: shape.positive("radius") }
}

fn ball(shape: &Table<'_>, _plane_normal: Option<usize>) -> Region {
    Region::Ball { center: shape.vec3("center"), radius: shape.positive("radius") }
}
