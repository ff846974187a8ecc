//! `final.csv`: the particles at the end of a run, bitwise exact, as a possible start of another run.

use super::state_tables::{columns, push_vectors, write_whole};
use super::tables::Cell;
use crate::plain_file;
use esker::measure::{ParticleView, Snapshot};
use esker::rotation::rotation_vector;
use esker::{Quat, Vec3};
use esker_draw::OutputError;
use std::path::Path;

/// One row of `final.csv`.
#[derive(Debug, Clone, PartialEq)]
pub struct FinalRow {
    /// Id.
    pub id: u64,
    /// Name of its group.
    pub group: String,
    /// Name of its material.
    pub material: String,
    /// Radius [m].
    pub radius: f64,
    /// Position inside the domain [m].
    pub position: Vec3,
    /// Velocity [m/s].
    pub velocity: Vec3,
    /// Spin [rad/s].
    pub spin: Vec3,
    /// Orientation.
    pub orientation: Quat,
}

pub(super) fn final_columns() -> Vec<String> {
    let mut names =
        columns(&["id", "group", "material", "radius", "position_*", "velocity_*", "spin_*"]);
    names.extend(["w", "x", "y", "z"].map(|axis| format!("orientation_{axis}")));
    names.extend(columns(&["rotation_vector_*"]));
    names
}

/// Writes `final.csv`: the particles of a snapshot, bitwise exact.
pub fn write_final_csv(path: &Path, snapshot: &Snapshot) -> Result<(), OutputError> {
    let rows = snapshot.particles.iter().map(|particle| final_row(snapshot, particle));
    write_whole(path, &final_columns(), rows)
}

/// The row of a particle; the snapshot has the names of groups and materials.
pub(super) fn final_row<'a>(snapshot: &'a Snapshot, particle: &ParticleView) -> Vec<Cell<'a>> {
    let group = snapshot.groups.get(particle.group.index());
    let material = snapshot.materials.get(particle.material.index());
    let mut row = vec![
        Cell::Integer(particle.id.into()),
        Cell::Text(group.map_or("", String::as_str)),
        Cell::Text(material.map_or("", String::as_str)),
        Cell::Number(particle.radius),
    ];
    let vectors = [particle.position, particle.velocity, particle.spin];
    push_vectors(&mut row, &vectors);
    let Quat { x, y, z, w } = particle.orientation;
    row.extend([w, x, y, z].map(Cell::Number));
    push_vectors(&mut row, &[rotation_vector(particle.orientation)]);
    row
}

/// Reads `final.csv` back.
pub fn read_final_csv(path: &Path) -> Result<Vec<FinalRow>, OutputError> {
    let wrong = |error: csv::Error| OutputError::content(path, error.to_string());
    let mut reader = csv::Reader::from_reader(
        plain_file::open(path).map_err(OutputError::system("read", path))?.0,
    );
    let expected = final_columns();
    if reader.headers().map_err(wrong)? != &csv::StringRecord::from(expected.clone()) {
        let problem = format!("its columns are not `{}`", expected.join(","));
        return Err(OutputError::content(path, problem));
    }
    reader
        .records()
        .map(|record| {
            let record = record.map_err(wrong)?;
            let line = record.position().map_or(0, csv::Position::line);
            parsed_row(&record).ok_or_else(|| {
                OutputError::content(path, format!("line {line}: not a number where one belongs"))
            })
        })
        .collect()
}

fn parsed_row(record: &csv::StringRecord) -> Option<FinalRow> {
    let number = |column: usize| record.get(column)?.parse::<f64>().ok();
    let vector =
        |column: usize| Some(Vec3::new(number(column)?, number(column + 1)?, number(column + 2)?));
    Some(FinalRow {
        id: record.get(0)?.parse().ok()?,
        group: record.get(1)?.to_string(),
        material: record.get(2)?.to_string(),
        radius: number(3)?,
        position: vector(4)?,
        velocity: vector(7)?,
        spin: vector(10)?,
        orientation: Quat::from_xyzw(number(14)?, number(15)?, number(16)?, number(13)?),
    })
}
