//! `[[walls]]`: surfaces, what they are made of and how they move.

use super::motion;
use super::spheres;
use super::{Names, material, new_name};
use crate::mesh;
use crate::text::table::Table;
use crate::text::value::{Limits, Value};
use esker::Vec3;
use esker::insert::Radius;
use esker::wall::{Motion, Shape, Side, Wall};

/// The key that gives the shape is the shape's word.
pub(crate) const SHAPES: [&str; 8] =
    ["half-space", "rectangle", "disc", "cylinder", "cone", "sphere", "mesh", "particles"];

/// Reads one wall.
pub(super) fn read(table: Table<'_>, names: &mut Names) -> Wall {
    let wall = Wall {
        name: new_name(&table, &mut names.walls, "wall"),
        material: material(table.required("material"), names),
        shape: table
            .one_of(&SHAPES)
            .and_then(|(word, value)| shape(word, &value))
            // Something harmless: an error has been reported.
            .unwrap_or(Shape::HalfSpace { point: Vec3::ZERO, normal: Vec3::Z }),
        motion: table.optional("motion").map_or(Motion::Still, |value| motion::read(&value)),
    };
    table.finish();
    wall
}

fn shape(word: &str, value: &Value<'_>) -> Option<Shape> {
    if word == "mesh" {
        return mesh::read(value).map(Shape::Mesh);
    }
    let table = value.table()?;
    let shape = match word {
        "half-space" => {
            Shape::HalfSpace { point: table.vec3("point"), normal: table.direction("normal") }
        }
        "rectangle" => rectangle(&table)?,
        "disc" => Shape::Disc {
            center: table.vec3("center"),
            normal: table.direction("normal"),
            radius: table.positive("radius"),
        },
        "cylinder" => Shape::Cylinder {
            start: table.vec3("start"),
            end: end(&table),
            radius: table.positive("radius"),
            side: side(&table),
        },
        "cone" => Shape::Cone {
            start: table.vec3("start"),
            end: end(&table),
            start_radius: table.number("start_radius", Limits::NotNegative),
            end_radius: table.number("end_radius", Limits::NotNegative),
            side: side(&table),
        },
        "sphere" => Shape::Sphere {
            center: table.vec3("center"),
            radius: table.positive("radius"),
            side: side(&table),
        },
        _ => {
            let radius = table.optional_number("radius", Limits::Positive);
            let radius = Radius::Constant(radius.unwrap_or(f64::NAN));
            let (word, list) = table.one_of(&["list", "csv", "state"])?;
            Shape::Particles(spheres::read(word, &list, &radius)?.spheres)
        }
    };
    table.finish();
    Some(shape)
}

fn rectangle(table: &Table<'_>) -> Option<Shape> {
    let corner = table.vec3("corner");
    let value = table.required("edges")?;
    let edges: Vec<Vec3> = value.list()?.iter().filter_map(Value::vec3).collect();
    let [first, second] = edges.as_slice() else {
        value
            .report("`edges` must be two lists of three numbers", "the edges that start at corner");
        return None;
    };
    // Edges computed by hand in a few digits are accepted; the engine takes the exact check.
    if first.cross(*second).length() == 0.0 {
        value.report("the two edges span no rectangle", "parallel, or of no length");
    } else if first.dot(*second).abs() > 1e-6 * first.length() * second.length() {
        value.report("the two edges are not at right angles", "the edges that start at corner");
    }
    Some(Shape::Rectangle { corner, edges: [*first, *second] })
}

/// The other end of an axis, which must not be where it starts.
fn end(table: &Table<'_>) -> Vec3 {
    let end = table.vec3("end");
    if table.has("start") && table.has("end") && end == table.vec3("start") {
        table.report("`start` and `end` are the same point", None);
    }
    end
}

fn side(table: &Table<'_>) -> Side {
    match table.required("particles").and_then(|value| value.word(&["inside", "outside"])) {
        Some("outside") => Side::Outside,
        _ => Side::Inside,
    }
}
