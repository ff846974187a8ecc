//! The schema of walls and their motions.

use super::build::*;
use crate::registry::motions::MOTIONS;
use crate::registry::shapes::SHAPES;
use crate::registry::{self, names};
use serde_json::Value;

/// `[[walls]]`.
pub(super) fn walls() -> Value {
    let mut wall = table(
        "A rigid surface",
        [
            ("!name", text("Name, used by stages and tables")),
            ("!material", text("A name from [materials]")),
            ("motion", motion()),
        ],
    );
    for entry in SHAPES {
        wall["properties"][entry.name] = entry.schema();
    }
    exactly_one(wall, &names(SHAPES))
}

/// `motion` of a wall.
pub(super) fn motion() -> Value {
    let one = registry::choice_schema("Motion of the wall", MOTIONS);
    either("Motion of the wall", vec![one.clone(), list("Superposed motions", one)])
}
