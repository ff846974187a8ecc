//! The text of a scene file as a tree of values, each of which knows its place.

pub(crate) mod file;
pub(crate) mod motion_functions;
pub(crate) mod nesting;
pub(crate) mod options;
pub(crate) mod set;
pub(crate) mod source;
mod synonyms;
pub(crate) mod table;
pub(crate) mod value;
pub(crate) mod visible;
pub(crate) mod words;
