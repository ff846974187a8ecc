//! The schema of walls and their motions.

use super::build::*;
use super::particles::{csv, sphere_list};
use serde_json::{Value, json};

/// `[[walls]]`.
pub(super) fn walls() -> Value {
    let half_space = table(
        "Solid behind a plane",
        [("!point", vector("A point [m]")), ("!normal", vector("Out of the solid"))],
    );
    let rectangle =
        table("A rectangle", [("!corner", vector("A corner [m]")), ("!edges", edges())]);
    let wall = table(
        "A rigid surface",
        [
            ("!name", text("Name, used by stages and tables")),
            ("!material", text("A name from [materials]")),
            ("half-space", half_space),
            ("rectangle", rectangle),
            ("disc", disc()),
            ("cylinder", cylinder()),
            ("cone", cone()),
            ("sphere", sphere()),
            ("mesh", mesh()),
            ("particles", wall_particles()),
            ("motion", motion()),
        ],
    );
    exactly_one(wall, &crate::read::SHAPES)
}

fn radius() -> Value {
    positive("Radius [m]")
}

fn side() -> Value {
    words("Where the particles are", &["inside", "outside"])
}

fn disc() -> Value {
    let center = vector("Centre [m]");
    table("A disc", [("!center", center), ("!normal", vector("Normal")), ("!radius", radius())])
}

fn sphere() -> Value {
    let center = vector("Centre [m]");
    table("A sphere", [("!center", center), ("!radius", radius()), ("!particles", side())])
}

fn cylinder() -> Value {
    table(
        "A cylinder without caps",
        [
            ("!start", vector("Centre of one end [m]")),
            ("!end", vector("Centre of the other end [m]")),
            ("!radius", radius()),
            ("!particles", side()),
        ],
    )
}

fn cone() -> Value {
    table(
        "A cone without caps",
        [
            ("!start", vector("Centre of one end [m]")),
            ("!end", vector("Centre of the other end [m]")),
            ("!start_radius", not_negative("Radius at the start [m]")),
            ("!end_radius", not_negative("Radius at the end [m]")),
            ("!particles", side()),
        ],
    )
}

fn edges() -> Value {
    let mut edges = list("The two edges that start at the corner [m]", vector("An edge [m]"));
    edges["minItems"] = json!(2);
    edges["maxItems"] = json!(2);
    edges
}

fn mesh() -> Value {
    let mesh = table(
        "A mesh",
        [
            ("!file", text("An STL or OBJ file")),
            (
                "smooth_angle",
                not_negative(
                    "A contact that turns by less within a step keeps its history [degrees]",
                ),
            ),
            ("scale", positive("Coordinates are multiplied by this")),
            ("translate", vector("Added to the scaled coordinates [m]")),
            ("closed", flag("Whether an edge that belongs to one facet only is an error")),
        ],
    );
    either("Triangles", vec![text("An STL or OBJ file"), mesh])
}

fn wall_particles() -> Value {
    let particles = table(
        "Particles that move as one body",
        [
            ("radius", positive("Radius of those that give none [m]")),
            ("list", sphere_list()),
            ("csv", csv()),
            ("state", text("A state file")),
        ],
    );
    exactly_one(particles, &["list", "csv", "state"])
}

/// `motion` of a wall.
pub(super) fn motion() -> Value {
    let one = one_motion();
    either("How the wall moves", vec![one.clone(), list("Several motions at once", one)])
}

fn one_motion() -> Value {
    let expression = |about| either(about, vec![text("An expression of t"), number("A constant")]);
    let axis = |key: &'static str| (key, expression("Displacement as an expression of t [m]"));
    let rotation = table(
        "Constant rate about an axis",
        [
            ("!point", vector("A point of the axis [m]")),
            ("!axis", vector("Direction of the axis")),
            ("rate", number("Rate [rad/s]")),
            ("turns_per_second", number("Rate [1/s]")),
        ],
    );
    let mut row = list("t, x, y, z", json!({ "type": "number" }));
    row["minItems"] = json!(4);
    row["maxItems"] = json!(4);
    choice(
        "How the wall moves",
        &["still"],
        vec![
            ("still", table("It does not", [])),
            ("velocity", vector("Constant velocity [m/s]")),
            ("rotation", exactly_one(rotation, &["rate", "turns_per_second"])),
            (
                "oscillation",
                table(
                    "Sinusoidal displacement",
                    [
                        ("!amplitude", vector("Amplitude and direction [m]")),
                        ("!frequency", positive("Frequency [Hz]")),
                        ("phase", number("Phase at the start [rad]")),
                    ],
                ),
            ),
            ("expression", table("Displacement", [axis("x"), axis("y"), axis("z")])),
            (
                "angle",
                table(
                    "Angle about an axis",
                    [
                        ("!point", vector("A point of the axis [m]")),
                        ("!axis", vector("Direction of the axis")),
                        ("!expression", expression("Angle as an expression of t [rad]")),
                    ],
                ),
            ),
            (
                "table",
                either(
                    "Displacement, linear between rows",
                    vec![text("A file with a header row, then t, x, y, z"), list("Rows", row)],
                ),
            ),
        ],
    )
}
