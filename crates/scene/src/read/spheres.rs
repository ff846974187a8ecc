//! Lists of particles: in the scene file, in a table, or in a state file.

use super::particle_table;
use crate::text::provided::ParticleArrays;
use crate::text::value::{Limits, Value};
use esker::Vec3;
use esker::insert::{Radius, Sphere};

/// Ways to list particles.
pub(crate) const NAMES: &[&str] = &["list", "csv", "state"];

/// Reads `list`, `csv` or `state`; particles without a radius have that of their group.
pub(crate) fn read(
    word: &str,
    value: &Value<'_>,
    radius: Option<&Radius>,
) -> Option<ParticleArrays> {
    let alone = |spheres| ParticleArrays { spheres, ..ParticleArrays::default() };
    match word {
        "list" => list(value, radius).map(alone),
        "csv" => csv(value, radius),
        "state" => state(value).map(alone),
        _ => None,
    }
}

fn common_radius(radius: Option<&Radius>) -> Option<f64> {
    match radius {
        Some(Radius::Constant(radius)) => Some(*radius),
        _ => None,
    }
}

fn list(value: &Value<'_>, radius: Option<&Radius>) -> Option<Vec<Sphere>> {
    let mut spheres = Vec::new();
    for table in value.tables()? {
        let own = table.optional_number("radius", Limits::Positive);
        let radius = own.or(common_radius(radius));
        if radius.is_none() && !table.has("radius") {
            table.report(
                format!("`{}` needs `radius`", table.path),
                Some("give it here, or one number as the radius of the group".to_owned()),
            );
        }
        let [position, velocity, spin] =
            [table.vec3("position"), table.optional_vec3("velocity"), table.optional_vec3("spin")];
        spheres.extend(radius.map(|radius| Sphere { position, radius, velocity, spin }));
        table.finish();
    }
    Some(spheres)
}

/// A table with the columns of `final.csv` or with short names.
fn csv(value: &Value<'_>, radius: Option<&Radius>) -> Option<ParticleArrays> {
    let (file, group) = if value.is_text() {
        (value.clone(), None)
    } else {
        let table = value.table()?;
        let file = table.required("file");
        let group = table.optional("group").and_then(|value| value.text());
        table.finish();
        (file?, group)
    };
    let provided = file.text().and_then(|name| file.context.provided.get(name));
    if let (Some(list), None) = (provided, group) {
        return Some(ParticleArrays::clone(list));
    }
    let bytes = file.read_file()?;
    particle_table::read(&bytes, group, common_radius(radius))
        .map_err(|what| {
            let name = file.text().unwrap_or_default();
            file.report(format!("cannot read the particles of `{name}`"), what);
        })
        .ok()
}

fn finite(text: &str) -> Option<f64> {
    text.parse::<f64>().ok().filter(|number| number.is_finite())
}

/// A state: lines of `x y z r vx vy vz wx wy wz`, and comments.
fn state(value: &Value<'_>) -> Option<Vec<Sphere>> {
    let bytes = value.read_file()?;
    let text = String::from_utf8_lossy(&bytes);
    let mut spheres = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let numbers: Option<Vec<f64>> = line.split_whitespace().map(finite).collect();
        match numbers.as_deref() {
            Some(&[x, y, z, radius, vx, vy, vz, wx, wy, wz]) if radius > 0.0 => {
                spheres.push(Sphere {
                    position: Vec3::new(x, y, z),
                    radius,
                    velocity: Vec3::new(vx, vy, vz),
                    spin: Vec3::new(wx, wy, wz),
                });
            }
            _ => {
                let name = value.text().unwrap_or_default();
                value.report(
                    format!("`{name}`, line {}: not ten numbers with a positive radius", index + 1),
                    "lines are `x y z r vx vy vz wx wy wz`",
                );
                return None;
            }
        }
    }
    Some(spheres)
}
