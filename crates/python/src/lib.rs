//! Esker's Python module: scenes, simulations and run folders for scripts and notebooks.

/// The native part of the package `esker`.
#[pyo3::pymodule(gil_used = false)]
mod _native {}
