//! Particles passed to the reader as arrays, written to the files that the scene names: a run folder contains
//! everything that the run depends on.

use crate::Provided;
use crate::output::{Cell, write_whole};
use crate::text::provided::ParticleArrays;
use esker_draw::OutputError;
use std::path::Path;

const COLUMNS: [&str; 14] = [
    "radius",
    "position_x",
    "position_y",
    "position_z",
    "velocity_x",
    "velocity_y",
    "velocity_z",
    "spin_x",
    "spin_y",
    "spin_z",
    "orientation_w",
    "orientation_x",
    "orientation_y",
    "orientation_z",
];

/// Writes each list to the file named in the scene.
pub(super) fn write(folder: &Path, provided: &Provided) -> Result<(), OutputError> {
    for (name, list) in provided.iter() {
        let path = folder.join(name);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).map_err(OutputError::system("create", parent))?;
        }
        write_list(&path, list)?;
    }
    Ok(())
}

fn write_list(path: &Path, list: &ParticleArrays) -> Result<(), OutputError> {
    let with_orientations = !list.orientations.is_empty();
    let columns = if with_orientations { &COLUMNS[..] } else { &COLUMNS[..10] };
    let mut columns: Vec<String> = columns.iter().map(|name| (*name).to_owned()).collect();
    if !list.charges.is_empty() {
        columns.push("charge".to_owned());
    }
    let rows = list.spheres.iter().enumerate().map(|(index, sphere)| {
        let mut row = vec![Cell::Number(sphere.radius)];
        for vector in [sphere.position, sphere.velocity, sphere.spin] {
            row.extend(vector.to_array().map(Cell::Number));
        }
        if let Some(quaternion) = list.orientations.get(index) {
            let esker::Quat { x, y, z, w } = *quaternion;
            row.extend([w, x, y, z].map(Cell::Number));
        }
        row.extend(list.charges.get(index).copied().map(Cell::Number));
        row
    });
    write_whole(path, &columns, rows)
}
