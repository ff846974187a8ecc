//! The text of a scene file as a tree of values with their locations.

pub(crate) mod file;
pub(crate) mod motion_functions;
pub mod nesting;
pub(crate) mod options;
pub mod provided;
pub mod set;
pub(crate) mod source;
mod synonyms;
pub(crate) mod table;
pub(crate) mod value;
pub(crate) mod visible;
pub mod words;
