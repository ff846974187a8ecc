//! Shapes of walls.

use super::Entry;
use crate::mesh;
use crate::read::spheres;
use crate::schema::build::{
    either, exactly_one, flag, list, not_negative, positive, table, text, vector,
};
use crate::schema::particles::{csv, sphere_list};
use crate::text::table::Table;
use crate::text::value::{Limits, Value};
use esker::Vec3;
use esker::insert::Radius;
use esker::parameters::Parameters;
use esker::wall::{Annulus, Shape, Side};
use serde_json::{Value as Json, json};

/// Shapes by name.
pub(crate) const SHAPES: &[Entry<Shape>] = &[
    Entry::new("half-space", "Solid behind a plane", |parameters| Shape::HalfSpace {
        point: parameters.vector("point", "A point [m]"),
        normal: parameters.direction("normal", "Outward normal"),
    }),
    Entry::own("rectangle", rectangle, rectangle_schema),
    Entry::new("disc", "A disc", |parameters| Shape::Disc {
        center: parameters.vector("center", "Centre [m]"),
        normal: parameters.direction("normal", "Normal"),
        radius: radius(parameters),
    }),
    Entry::new("cylinder", "A cylinder without caps", cylinder),
    Entry::new("cone", "A cone without caps", cone),
    Entry::new("sphere", "A sphere", |parameters| Shape::Sphere {
        center: parameters.vector("center", "Centre [m]"),
        radius: radius(parameters),
        side: side(parameters),
    }),
    Entry::own("mesh", |value| mesh::read(value).map(Shape::Mesh), mesh_schema),
    Entry::own("particles", particles, particles_schema),
    Entry::of::<Annulus>(),
];

fn radius(parameters: &mut dyn Parameters) -> f64 {
    parameters.number("radius", "Radius [m]", Limits::Positive)
}

fn side(parameters: &mut dyn Parameters) -> Side {
    const SIDES: [Side; 2] = [Side::Inside, Side::Outside];
    SIDES[parameters.word("particles", "Side of the particles", &["inside", "outside"])]
}

/// The two ends of an axis, which must differ.
fn ends(parameters: &mut dyn Parameters) -> [Vec3; 2] {
    let start = parameters.vector("start", "Centre of one end [m]");
    let end = parameters.vector("end", "Centre of the other end [m]");
    if start == end {
        parameters.problem(
            "end",
            "`start` and `end` are the same point".to_owned(),
            "the same point",
        );
    }
    [start, end]
}

fn cylinder(parameters: &mut dyn Parameters) -> Shape {
    let [start, end] = ends(parameters);
    Shape::Cylinder { start, end, radius: radius(parameters), side: side(parameters) }
}

fn cone(parameters: &mut dyn Parameters) -> Shape {
    let [start, end] = ends(parameters);
    let mut radius = |key, about| parameters.number(key, about, Limits::NotNegative);
    let start_radius = radius("start_radius", "Radius at the start [m]");
    let end_radius = radius("end_radius", "Radius at the end [m]");
    Shape::Cone { start, end, start_radius, end_radius, side: side(parameters) }
}

fn rectangle(value: &Value<'_>) -> Option<Shape> {
    let table = value.table()?;
    let corner = table.vec3("corner");
    let edges = edges(&table);
    table.finish();
    Some(Shape::Rectangle { corner, edges: edges? })
}

fn edges(table: &Table<'_>) -> Option<[Vec3; 2]> {
    let value = table.required("edges")?;
    let edges: Vec<Vec3> = value.list()?.iter().filter_map(Value::vec3).collect();
    let [first, second] = edges.as_slice() else {
        value
            .report("`edges` must be two lists of three numbers", "the edges that start at corner");
        return None;
    };
    // Edges computed by hand with a few digits are accepted; the engine makes the exact check.
    if first.cross(*second).length() == 0.0 {
        value.report("the two edges do not span a rectangle", "parallel, or of zero length");
    } else if first.dot(*second).abs() > 1e-6 * first.length() * second.length() {
        value.report("the two edges are not at right angles", "the edges that start at corner");
    }
    Some([*first, *second])
}

fn rectangle_schema() -> Json {
    let mut edges = list("The two edges that start at the corner [m]", vector("An edge [m]"));
    (edges["minItems"], edges["maxItems"]) = (json!(2), json!(2));
    table("A rectangle", [("!corner", vector("A corner [m]")), ("!edges", edges)])
}

fn mesh_schema() -> Json {
    let smooth = "Angle below which a contact whose normal rotates within a step keeps its history [degrees]";
    let mesh = table(
        "A mesh",
        [
            ("!file", text("An STL or OBJ file")),
            ("smooth_angle", not_negative(smooth)),
            ("scale", positive("Factor of the coordinates")),
            ("translate", vector("Translation of the scaled coordinates [m]")),
            ("closed", flag("True if boundary edges are an error")),
        ],
    );
    either("Triangles", vec![text("An STL or OBJ file"), mesh])
}

fn particles(value: &Value<'_>) -> Option<Shape> {
    let table = value.table()?;
    let radius = table.optional_number("radius", Limits::Positive);
    let radius = radius.map(Radius::Constant);
    let (name, list) = table.one_of(spheres::NAMES)?;
    let given = spheres::read(name, &list, radius.as_ref())?;
    if !given.charges.is_empty() {
        list.report("particles of a wall have no charge", "has the column `charge`");
    }
    table.finish();
    Some(Shape::Particles(given.spheres))
}

fn particles_schema() -> Json {
    let particles = table(
        "A rigid body of particles",
        [
            ("radius", positive("Default radius [m]")),
            ("list", sphere_list()),
            ("csv", csv()),
            ("state", text("A state file")),
        ],
    );
    exactly_one(particles, spheres::NAMES)
}
