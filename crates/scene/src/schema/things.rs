//! The schema of particles, walls and motions.

use super::build::*;
use serde_json::{Value, json};

/// `[[particles]]`.
pub(super) fn particles() -> Value {
    table(
        "A group of particles",
        [
            ("!name", text("Name of the group")),
            ("!material", text("A name from [materials]; it must have a density")),
            ("radius", radius()),
            ("velocity", vector("Initial velocity [m/s]")),
            ("random_velocity", not_negative("Largest random part of each component [m/s]")),
            ("spin", vector("Initial spin [rad/s]")),
            ("charge", number("Electric charge [C]")),
            ("fixed", flag("Whether the particles are held where they are")),
            ("!insert", insert()),
        ],
    )
}

fn radius() -> Value {
    let truncate = || positive("Cut in deviations");
    let size = table(
        "One size",
        [("!radius", positive("Radius [m]")), ("!share", positive("Share by number"))],
    );
    either(
        "Radius or distribution of radii [m]",
        vec![
            positive("Radius [m]"),
            table(
                "Distribution",
                [(
                    "!uniform",
                    table(
                        "Uniform",
                        [("!min", positive("Smallest")), ("!max", positive("Largest"))],
                    ),
                )],
            ),
            table(
                "Distribution",
                [(
                    "!normal",
                    table(
                        "Normal",
                        [
                            ("!mean", positive("Mean")),
                            ("!deviation", not_negative("Standard deviation before the cut")),
                            ("!truncate", truncate()),
                        ],
                    ),
                )],
            ),
            table(
                "Distribution",
                [(
                    "!log-normal",
                    table(
                        "Log-normal",
                        [
                            ("!median", positive("Median")),
                            ("!deviation", not_negative("Deviation of the logarithm")),
                            ("!truncate", truncate()),
                        ],
                    ),
                )],
            ),
            table("Distribution", [("!mix", list("A mix of sizes", size))]),
        ],
    )
}

fn region_box() -> Value {
    table("A box", [("!min", vector("Lower corner [m]")), ("!max", vector("Upper corner [m]"))])
}

fn region_cylinder() -> Value {
    table(
        "A cylinder",
        [
            ("!start", vector("Centre of one end [m]")),
            ("!end", vector("Centre of the other end [m]")),
            ("!radius", positive("Radius [m]")),
        ],
    )
}

fn region_ball() -> Value {
    table("A ball", [("!center", vector("Centre [m]")), ("!radius", positive("Radius [m]"))])
}

fn insert() -> Value {
    let stream = table(
        "Particles that appear over time",
        [
            ("box", region_box()),
            ("cylinder", region_cylinder()),
            ("ball", region_ball()),
            ("!rate", positive("Particles a second")),
            ("count", count("Total number; without one the stream goes on")),
            ("start", not_negative("Start, from the beginning of the stage [s]")),
        ],
    );
    let lattice = table(
        "Points of a rectangular lattice",
        [
            ("!min", vector("Lower corner [m]")),
            ("!max", vector("Upper corner [m]")),
            (
                "!spacing",
                either(
                    "Distance of neighbours [m]",
                    vec![positive("Along every axis"), vector("Along each axis")],
                ),
            ),
            ("count", count("Number of particles; all that fit without one")),
            ("jitter", not_negative("Largest random displacement [m]")),
        ],
    );
    let insert = table(
        "Where and when the particles appear",
        [
            ("count", count("Number of particles, at random in a region")),
            ("fraction", positive("Volume of the particles as a share of the region's")),
            ("box", region_box()),
            ("cylinder", region_cylinder()),
            ("ball", region_ball()),
            ("dense", flag("Whether overlaps are pushed apart to reach a dense packing")),
            ("lattice", lattice),
            ("stream", exactly_one(stream, &["box", "cylinder", "ball"])),
            ("list", sphere_list()),
            ("csv", csv()),
            ("state", text("A state file: lines of `x y z r vx vy vz wx wy wz`")),
            ("from", text("A checkpoint of another run")),
            ("history", flag("Whether the history of contacts is taken over too")),
        ],
    );
    let ways = ["count", "fraction", "lattice", "stream", "list", "csv", "state", "from"];
    exactly_one(insert, &ways)
}

fn sphere_list() -> Value {
    let sphere = table(
        "One particle",
        [
            ("!position", vector("Centre [m]")),
            ("radius", positive("Radius [m]; that of the group if missing")),
            ("velocity", vector("Velocity [m/s]")),
            ("spin", vector("Spin [rad/s]")),
        ],
    );
    list("Particles one by one", sphere)
}

fn csv() -> Value {
    let with_group =
        table("A table", [("!file", text("The file")), ("group", text("Only this group of it"))]);
    either("A table with columns x, y, z, …", vec![text("The file"), with_group])
}

/// `[[walls]]`.
pub(super) fn walls() -> Value {
    let side = || words("Where the particles are", &["inside", "outside"]);
    let start = || vector("Centre of one end [m]");
    let end = || vector("Centre of the other end [m]");
    let mut edges = list("The two edges that start at the corner [m]", vector("An edge [m]"));
    edges["minItems"] = json!(2);
    edges["maxItems"] = json!(2);
    let mesh = table(
        "A mesh",
        [
            ("!file", text("An STL or OBJ file")),
            ("smooth_angle", not_negative("Facets that bend by less are one surface [degrees]")),
            ("scale", positive("Coordinates are multiplied by this")),
            ("translate", vector("Added to the scaled coordinates [m]")),
        ],
    );
    let particles = table(
        "Particles that move as one body",
        [
            ("radius", positive("Radius of those that give none [m]")),
            ("list", sphere_list()),
            ("csv", csv()),
            ("state", text("A state file")),
        ],
    );
    let center = || vector("Centre [m]");
    let radius = || positive("Radius [m]");
    let wall = table(
        "A rigid surface",
        [
            ("!name", text("Name, used by stages and tables")),
            ("!material", text("A name from [materials]")),
            (
                "half-space",
                table(
                    "Solid behind a plane",
                    [("!point", vector("A point [m]")), ("!normal", vector("Out of the solid"))],
                ),
            ),
            (
                "rectangle",
                table("A rectangle", [("!corner", vector("A corner [m]")), ("!edges", edges)]),
            ),
            (
                "disc",
                table(
                    "A disc",
                    [("!center", center()), ("!normal", vector("Normal")), ("!radius", radius())],
                ),
            ),
            (
                "cylinder",
                table(
                    "A cylinder",
                    [
                        ("!start", start()),
                        ("!end", end()),
                        ("!radius", radius()),
                        ("!particles", side()),
                    ],
                ),
            ),
            (
                "cone",
                table(
                    "A cone",
                    [
                        ("!start", start()),
                        ("!end", end()),
                        ("!start_radius", not_negative("Radius at the start [m]")),
                        ("!end_radius", not_negative("Radius at the end [m]")),
                        ("!particles", side()),
                    ],
                ),
            ),
            (
                "sphere",
                table(
                    "A sphere",
                    [("!center", center()), ("!radius", radius()), ("!particles", side())],
                ),
            ),
            ("mesh", either("Triangles", vec![text("An STL or OBJ file"), mesh])),
            ("particles", exactly_one(particles, &["list", "csv", "state"])),
            ("motion", motion()),
        ],
    );
    exactly_one(wall, &crate::read::SHAPES)
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
