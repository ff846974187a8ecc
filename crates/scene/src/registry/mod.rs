//! Registry of the names in scene files and their constructors: one line per addition.
//!
//! Laws and measures are read by their own `Deserialize`; fields, wall shapes, motions, insertions and
//! integrators by an [`Entry`]. Reader, messages and schema come from the same type or function.

mod collector;
mod entry;
pub(crate) mod fields;
mod from_scene;
pub(crate) mod integrators;
pub(crate) mod laws;
pub(crate) mod measures;
pub(crate) mod motions;
pub(crate) mod patterns;
pub(crate) mod shapes;

pub(crate) use entry::{Entry, choice_schema, names, read, read_choice};
