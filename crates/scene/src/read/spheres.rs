//! Particles given one by one: in the scene file, in a table, or in a state file.

use crate::text::value::{Limits, Value};
use esker::Vec3;
use esker::insert::{Radius, Sphere};

/// Reads `list`, `csv` or `state`; particles without a radius take that of their group.
pub(super) fn read(word: &str, value: &Value<'_>, radius: &Radius) -> Option<Vec<Sphere>> {
    match word {
        "list" => list(value, radius),
        "csv" => csv(value, radius),
        _ => state(value),
    }
}

fn common_radius(radius: &Radius) -> Option<f64> {
    match radius {
        Radius::Constant(radius) if radius.is_finite() => Some(*radius),
        _ => None,
    }
}

fn list(value: &Value<'_>, radius: &Radius) -> Option<Vec<Sphere>> {
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
        spheres.push(Sphere {
            position: table.vec3("position"),
            radius: radius.unwrap_or(f64::NAN),
            velocity: table.optional_vec3("velocity"),
            spin: table.optional_vec3("spin"),
        });
        table.finish();
    }
    Some(spheres)
}

/// A table with a header row: `x`, `y`, `z`, and where given `radius`, `vx`…`vz`, `wx`…`wz` and
/// `group`. Other columns, such as those of `final.csv`, are passed over.
fn csv(value: &Value<'_>, radius: &Radius) -> Option<Vec<Sphere>> {
    let (file, group) = if value.is_text() {
        (value.clone(), None)
    } else {
        let table = value.table()?;
        let file = table.required("file");
        let group = table.optional("group").and_then(|value| value.text());
        table.finish();
        (file?, group)
    };
    let bytes = file.read_file()?;
    rows(&bytes, group, common_radius(radius))
        .map_err(|what| {
            let name = file.text().unwrap_or_default();
            file.report(format!("`{name}`: {what}"), "read here");
        })
        .ok()
}

fn rows(bytes: &[u8], group: Option<&str>, radius: Option<f64>) -> Result<Vec<Sphere>, String> {
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(bytes);
    let header = reader.headers().map_err(|error| error.to_string())?.clone();
    let column = |name: &str| header.iter().position(|found| found == name);
    let needed = |name: &str| column(name).ok_or(format!("there is no column `{name}`"));
    // The names of the final table of a run, or short ones.
    let long = |name: &str| ["x", "y", "z"].map(|axis| column(&format!("{name}_{axis}")));
    let position = match long("position") {
        [Some(x), Some(y), Some(z)] => [x, y, z],
        _ => [needed("x")?, needed("y")?, needed("z")?],
    };
    let own_radius = column("radius").or(column("r"));
    if own_radius.is_none() && radius.is_none() {
        return Err("there is no column `radius`, and the group has no single radius".to_owned());
    }
    let either = |long: [Option<usize>; 3], short: [&str; 3]| {
        if long.iter().all(Option::is_some) { long } else { short.map(column) }
    };
    let velocity = either(long("velocity"), ["vx", "vy", "vz"]);
    let spin = either(long("spin"), ["wx", "wy", "wz"]);
    let group_column = match group {
        Some(_) => Some(needed("group")?),
        None => None,
    };
    let mut spheres = Vec::new();
    for (index, record) in reader.records().enumerate() {
        // Row 1 is the header.
        let row = index + 2;
        let record = record.map_err(|error| error.to_string())?;
        if group_column.is_some_and(|column| record.get(column) != group) {
            continue;
        }
        let number = |column: usize| {
            let text = record.get(column).unwrap_or_default();
            finite(text).ok_or(format!("row {row}: `{text}` is not a number"))
        };
        let vector = |columns: [Option<usize>; 3]| {
            let part = |column: Option<usize>| column.map_or(Ok(0.0), number);
            Ok::<_, String>(Vec3::new(part(columns[0])?, part(columns[1])?, part(columns[2])?))
        };
        let radius = match own_radius {
            Some(column) => number(column)?,
            None => radius.unwrap_or(f64::NAN),
        };
        if radius <= 0.0 {
            return Err(format!("row {row}: the radius is {radius}"));
        }
        spheres.push(Sphere {
            position: vector(position.map(Some))?,
            radius,
            velocity: vector(velocity)?,
            spin: vector(spin)?,
        });
    }
    Ok(spheres)
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
