//! scene

pub mod output;
