//! The schema of particles.

use super::build::*;
use crate::read::insert::patterns;
use crate::registry::patterns::PATTERNS;
use serde_json::Value;

/// `[[particles]]`.
pub(super) fn particles() -> Value {
    table(
        "A group of particles",
        [
            ("!name", text("Name of the group")),
            ("!material", text("A name from [materials]; it must have a density")),
            ("radius", radius()),
            ("velocity", vector("Initial velocity [m/s]")),
            (
                "random_velocity",
                not_negative("Largest random contribution to each component [m/s]"),
            ),
            ("spin", vector("Initial spin [rad/s]")),
            ("charge", number("Electric charge [C]")),
            ("fixed", flag("True if the particles are held in place")),
            ("!insert", insert()),
        ],
    )
}

fn radius() -> Value {
    let truncate = || positive("Truncation in standard deviations");
    let size = table(
        "One size",
        [
            ("!radius", positive("Radius [m]")),
            ("!share", positive("Fraction by number, relative to the other sizes")),
        ],
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
                            ("!deviation", not_negative("Standard deviation before truncation")),
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
        "Particles inserted over time",
        [
            ("box", region_box()),
            ("cylinder", region_cylinder()),
            ("ball", region_ball()),
            ("!rate", positive("Particles per second")),
            ("count", count("Total number; default: the stream does not end")),
            ("start", not_negative("Start, relative to the beginning of the stage [s]")),
        ],
    );
    let mut insert = table(
        "Position and time of the insertion",
        [
            ("count", count("Number of particles at random positions in a region")),
            ("fraction", positive("Volume fraction in the region")),
            ("box", region_box()),
            ("cylinder", region_cylinder()),
            ("ball", region_ball()),
            ("dense", flag("True if particles are grown to a dense packing")),
            ("stream", exactly_one(stream, &["box", "cylinder", "ball"])),
            ("list", sphere_list()),
            ("csv", csv()),
            ("state", text("A state file: lines of `x y z r vx vy vz wx wy wz`")),
            ("from", text("A checkpoint of another run")),
            ("history", flag("True if the contact history is restored")),
        ],
    );
    for entry in PATTERNS {
        insert["properties"][entry.name] = entry.schema();
    }
    exactly_one(insert, &patterns())
}

/// List of particles.
pub(crate) fn sphere_list() -> Value {
    let sphere = table(
        "One particle",
        [
            ("!position", vector("Centre [m]")),
            ("radius", positive("Radius [m]; that of the group if missing")),
            ("velocity", vector("Velocity [m/s]")),
            ("spin", vector("Spin [rad/s]")),
        ],
    );
    list("List of particles", sphere)
}

/// A table of particles.
pub(crate) fn csv() -> Value {
    let with_group = table(
        "A table",
        [("!file", text("The file")), ("group", text("Only this group of the file"))],
    );
    either("A table with columns x, y, z, …", vec![text("The file"), with_group])
}
