//! Esker's Python module: scenes, simulations and run folders for scripts and notebooks.
//!
//! This crate only converts between Python and the engine: functions that the program could also use are in
//! `esker-scene` and `esker-study`; functions that need no Rust are in the package `python/esker`.

#![warn(clippy::print_stderr, clippy::print_stdout, clippy::too_many_lines, clippy::unwrap_used)]

mod arrays;
mod convert;
mod error;
mod field;
mod frames;
mod lease;
mod live;
mod page;
mod picture;
mod reuse;
mod run;
mod scene;
mod simulation;
mod state;
mod sweep;
mod table;

/// The native part of the package `esker`.
#[pyo3::pymodule(gil_used = false)]
mod _native {
    #[pymodule_export]
    use crate::convert::to_toml;
    #[pymodule_export]
    use crate::frames::{FrameFile, frame_files};
    #[pymodule_export]
    use crate::lease::{InPlace, Owner};
    #[pymodule_export]
    use crate::live::{ViewServer, serve_run, serve_simulation};
    #[pymodule_export]
    use crate::page::{page_of_run, page_of_scene, page_of_simulation, picture_of_run};
    #[pymodule_export]
    use crate::reuse::run_or_reuse;
    #[pymodule_export]
    use crate::scene::{Scene, builtin_scenes, measure_words, schema};
    #[pymodule_export]
    use crate::simulation::Simulation;
    #[pymodule_export]
    use crate::sweep::sweep;
    #[pymodule_export]
    use crate::table::{fresh_folder, read_table};
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
