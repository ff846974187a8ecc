//! `[[walls]]`: shape, material and motion of walls.

use super::motion;
use super::{Names, material, new_name};
use crate::registry;
use crate::registry::shapes::SHAPES;
use crate::text::table::Table;
use esker::Vec3;
use esker::wall::{Motion, Shape, Wall};

/// Reads one wall.
pub(super) fn read(table: Table<'_>, names: &mut Names) -> Wall {
    let wall = Wall {
        name: new_name(&table, &mut names.walls, "wall"),
        material: material(table.required("material"), names),
        shape: table
            .one_of(&registry::names(SHAPES))
            .and_then(|(name, value)| registry::read(SHAPES, name, &value))
            // A placeholder: an error has been reported.
            .unwrap_or(Shape::HalfSpace { point: Vec3::ZERO, normal: Vec3::Z }),
        motion: table.optional("motion").map_or(Motion::Still, |value| motion::read(&value)),
    };
    table.finish();
    wall
}
