//! x
use pyo3::prelude::*;
/// x
#[pymodule(gil_used = false)]
mod _native {}
