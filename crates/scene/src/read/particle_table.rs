//! Particles of a CSV file with a header: the columns of `final.csv`, or short names.

use crate::plain_file;
use crate::text::provided::ParticleArrays;
use crate::text::words;
use esker::insert::Sphere;
use esker::{Quat, Vec3};

/// The content of a column.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Quantity {
    /// Not used: the scene defines this quantity.
    Unused,
    Group,
    Radius,
    Position(usize),
    Velocity(usize),
    Spin(usize),
    /// w, x, y, z.
    Orientation(usize),
    RotationVector(usize),
    Charge,
}

/// All columns: name in `final.csv`, short name, and content.
const COLUMNS: [(&str, &str, Quantity); 21] = [
    ("id", "", Quantity::Unused),
    ("group", "", Quantity::Group),
    ("material", "", Quantity::Unused),
    ("radius", "r", Quantity::Radius),
    ("position_x", "x", Quantity::Position(0)),
    ("position_y", "y", Quantity::Position(1)),
    ("position_z", "z", Quantity::Position(2)),
    ("velocity_x", "vx", Quantity::Velocity(0)),
    ("velocity_y", "vy", Quantity::Velocity(1)),
    ("velocity_z", "vz", Quantity::Velocity(2)),
    ("spin_x", "wx", Quantity::Spin(0)),
    ("spin_y", "wy", Quantity::Spin(1)),
    ("spin_z", "wz", Quantity::Spin(2)),
    ("orientation_w", "", Quantity::Orientation(0)),
    ("orientation_x", "", Quantity::Orientation(1)),
    ("orientation_y", "", Quantity::Orientation(2)),
    ("orientation_z", "", Quantity::Orientation(3)),
    ("rotation_vector_x", "", Quantity::RotationVector(0)),
    ("rotation_vector_y", "", Quantity::RotationVector(1)),
    ("rotation_vector_z", "", Quantity::RotationVector(2)),
    ("charge", "q", Quantity::Charge),
];

/// Largest deviation of the length of a quaternion from 1: a few digits suffice.
const UNIT: f64 = 1e-3;

/// The columns of a table, each with its content.
struct Header(Vec<(String, Quantity)>);

impl Header {
    fn new(names: &csv::StringRecord) -> Result<Self, String> {
        let mut columns: Vec<(String, Quantity)> = Vec::new();
        for (index, name) in names.iter().enumerate() {
            if name.is_empty() {
                return Err(format!("line 1: column {} has no name", index + 1));
            }
            let column = COLUMNS.iter().find(|(long, short, _)| name == *long || name == *short);
            let Some((_, _, quantity)) = column else {
                return Err(format!("line 1: unknown column `{name}`; {}", known(name)));
            };
            let twice = |(_, other): &&(String, Quantity)| {
                *quantity != Quantity::Unused && other == quantity
            };
            match columns.iter().find(twice) {
                Some((other, _)) if other == name => {
                    return Err(format!("line 1: the column `{name}` is given twice"));
                }
                Some((other, _)) => {
                    return Err(format!("line 1: the columns `{other}` and `{name}` are the same"));
                }
                None => columns.push((name.to_owned(), *quantity)),
            }
        }
        Ok(Self(columns))
    }

    fn find(&self, quantity: Quantity) -> Option<usize> {
        self.0.iter().position(|(_, other)| *other == quantity)
    }

    /// True if all of these are there; an error if only some are.
    fn has_all(&self, quantities: &[Quantity]) -> Result<bool, String> {
        let missing = |quantity: &&Quantity| self.find(**quantity).is_none();
        match quantities.iter().filter(missing).count() {
            0 => Ok(true),
            count if count == quantities.len() => Ok(false),
            _ => {
                let first = quantities.iter().find(missing);
                let name = COLUMNS.iter().find(|(_, _, other)| Some(other) == first);
                Err(no_column(name.map_or("", |(long, _, _)| long)))
            }
        }
    }
}

fn known(name: &str) -> String {
    let names: Vec<&str> = COLUMNS
        .iter()
        .flat_map(|(long, short, _)| [*long, *short])
        .filter(|name| !name.is_empty())
        .collect();
    words::suggestion(name, &names, "columns")
}

fn no_column(name: &str) -> String {
    format!("line 1: there is no column `{name}`")
}

/// Reads the particles of a group, or all; those without a radius take the given one.
pub(super) fn read(
    bytes: &[u8],
    group: Option<&str>,
    radius: Option<f64>,
) -> Result<ParticleArrays, String> {
    let text = plain_file::text(bytes)?;
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(text.as_bytes());
    let header = Header::new(reader.headers().map_err(|error| explain(text, &error))?)?;
    for (axis, name) in ["x", "y", "z"].iter().enumerate() {
        header.find(Quantity::Position(axis)).ok_or_else(|| no_column(name))?;
    }
    if header.find(Quantity::Radius).is_none() && radius.is_none() {
        return Err(format!("{}, and the group does not have one radius", no_column("radius")));
    }
    if group.is_some() && header.find(Quantity::Group).is_none() {
        return Err(no_column("group"));
    }
    let quaternion = header.has_all(&[0, 1, 2, 3].map(Quantity::Orientation))?;
    let vector = header.has_all(&[0, 1, 2].map(Quantity::RotationVector))?;
    let mut given = ParticleArrays::default();
    let mut groups: Vec<String> = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| explain(text, &error))?;
        let row = Row { table: text, header: &header, record: &record };
        if let Some(wanted) = group {
            let own = row.text(Quantity::Group);
            if own != wanted {
                if groups.len() < 10 && !groups.iter().any(|known| known == own) {
                    groups.push(own.to_owned());
                }
                continue;
            }
        }
        given.spheres.push(row.sphere(radius)?);
        if header.find(Quantity::Charge).is_some() {
            given.charges.push(row.number(Quantity::Charge)?);
        }
        if quaternion {
            given.orientations.push(row.orientation()?);
        } else if vector {
            given.orientations.push(Quat::from_scaled_axis(row.vector(Quantity::RotationVector)?));
        }
    }
    if let (Some(wanted), true) = (group, given.spheres.is_empty()) {
        let groups: Vec<&str> = groups.iter().map(String::as_str).collect();
        let help = words::suggestion(wanted, &groups, "groups");
        return Err(format!("no particle belongs to the group `{wanted}`; {help}"));
    }
    Ok(given)
}

/// The message of the library, with the line.
fn explain(text: &str, error: &csv::Error) -> String {
    let line = plain_file::line_of(text, error.position());
    match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            format!("line {line}: {len} cells where {expected_len} columns are")
        }
        _ => format!("line {line}: {error}"),
    }
}

/// A particle of the table.
struct Row<'a> {
    table: &'a str,
    header: &'a Header,
    record: &'a csv::StringRecord,
}

impl Row<'_> {
    fn text(&self, quantity: Quantity) -> &str {
        self.header.find(quantity).and_then(|column| self.record.get(column)).unwrap_or_default()
    }

    fn wrong(&self, what: &str) -> String {
        format!("line {}: {what}", plain_file::line_of(self.table, self.record.position()))
    }

    /// A number; zero if there is no such column.
    fn number(&self, quantity: Quantity) -> Result<f64, String> {
        let Some(column) = self.header.find(quantity) else { return Ok(0.0) };
        let text = self.record.get(column).unwrap_or_default();
        let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
        number.ok_or_else(|| {
            let name = &self.header.0[column].0;
            self.wrong(&format!("`{text}` in the column `{name}` is not a number"))
        })
    }

    fn vector(&self, part: fn(usize) -> Quantity) -> Result<Vec3, String> {
        Ok(Vec3::new(self.number(part(0))?, self.number(part(1))?, self.number(part(2))?))
    }

    fn sphere(&self, radius: Option<f64>) -> Result<Sphere, String> {
        let radius = match self.header.find(Quantity::Radius) {
            Some(_) => self.number(Quantity::Radius)?,
            None => radius.unwrap_or(f64::NAN),
        };
        if !(radius > 0.0) {
            return Err(self.wrong(&format!("the radius is {radius}")));
        }
        Ok(Sphere {
            position: self.vector(Quantity::Position)?,
            radius,
            velocity: self.vector(Quantity::Velocity)?,
            spin: self.vector(Quantity::Spin)?,
        })
    }

    fn orientation(&self) -> Result<Quat, String> {
        let part = |index| self.number(Quantity::Orientation(index));
        let quaternion = Quat::from_xyzw(part(1)?, part(2)?, part(3)?, part(0)?);
        if !((quaternion.length() - 1.0).abs() < UNIT) {
            let length = quaternion.length();
            return Err(self.wrong(&format!("the orientation has the length {length}, not 1")));
        }
        // A quaternion that was written bitwise exactly is not normalised again.
        let is_exact = (quaternion.length_squared() - 1.0).abs() < 1e-12;
        Ok(if is_exact { quaternion } else { quaternion.normalize() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(text: &str) -> String {
        read(text.as_bytes(), None, Some(1.0)).unwrap_err()
    }

    #[test]
    fn unknown_and_doubled_columns_are_refused_with_the_nearest() {
        let message = wrong("x,y,z,velocityx,radus\n0,0,0.05,5,0.02\n");
        let start = "line 1: unknown column `velocityx`; did you mean `velocity_x`? columns: id,";
        assert!(message.starts_with(start), "{message}");
        let message = wrong("x,y,z,radus\n0,0,0.05,0.02\n");
        assert!(message.contains("did you mean `radius`?"), "{message}");
        assert_eq!(wrong("x,y,z,x\n1,2,3,4\n"), "line 1: the column `x` is given twice");
        assert_eq!(
            wrong("x,y,z,vx,velocity_x\n1,2,3,4,5\n"),
            "line 1: the columns `vx` and `velocity_x` are the same"
        );
        assert_eq!(wrong(",x,y,z\n0,1,2,3\n"), "line 1: column 1 has no name");
    }

    #[test]
    fn what_is_wrong_has_its_line() {
        assert_eq!(wrong("x,y\n1,2\n"), "line 1: there is no column `z`");
        assert_eq!(
            wrong("x,y,z\n1,2,3\n\n1,2,up\n"),
            "line 4: `up` in the column `z` is not a number"
        );
        assert_eq!(wrong("x,y,z\n1,2\n"), "line 2: 2 cells where 3 columns are");
        assert_eq!(wrong("x,y,z,r\n1,2,3,0\n"), "line 2: the radius is 0");
        let some = "x,y,z,orientation_w,orientation_x\n1,2,3,1,0\n";
        assert_eq!(wrong(some), "line 1: there is no column `orientation_y`");
        let long = "x,y,z,orientation_w,orientation_x,orientation_y,orientation_z\n1,2,3,1,1,0,0\n";
        assert!(wrong(long).starts_with("line 2: the orientation has the length 1.414"));
        assert_eq!(
            read(b"x,y,z\n\xff,1,1", None, None).unwrap_err(),
            "line 2 is not text in UTF-8"
        );
        let other = read(b"x,y,z,group\n1,1,1,grains\n", Some("grain"), Some(1.0)).unwrap_err();
        assert_eq!(
            other,
            "no particle belongs to the group `grain`; did you mean `grains`? groups: grains"
        );
    }

    #[test]
    fn a_rotation_vector_alone_is_an_orientation() {
        let text = "x,y,z,rotation_vector_x,rotation_vector_y,rotation_vector_z\n0,0,0,0,0,1\n";
        let given = read(text.as_bytes(), None, Some(1.0)).unwrap();
        // by half the angle about z
        let (sine, cosine) = 0.5_f64.sin_cos();
        let expected = Quat::from_xyzw(0.0, 0.0, sine, cosine);
        assert!(given.orientations[0].angle_between(expected) < 1e-7);
    }
}
