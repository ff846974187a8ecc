//! Frames of a run folder, column by column.

use crate::{arrays, error};
use esker_draw::OutputError;
use esker_scene::output;
use pyo3::prelude::*;
use std::path::PathBuf;

/// Time, particles, contacts if they were written, and walls of a frame.
type Files = (f64, PathBuf, Option<PathBuf>, PathBuf);

/// The frames of a run folder in order of time.
#[pyfunction]
pub fn frame_files(py: Python<'_>, folder: PathBuf) -> PyResult<Vec<Files>> {
    let found = py.detach(|| output::frame_files(&folder));
    let found = found.map_err(|problem| error::output(py, &problem))?;
    Ok(found.into_iter().map(|one| (one.time, one.particles, one.contacts, one.walls)).collect())
}

/// One file of a frame. Columns are read when they are requested.
#[pyclass(frozen, module = "esker._native")]
#[derive(Debug)]
pub struct FrameFile {
    file: output::FrameFile,
}

#[pymethods]
impl FrameFile {
    #[new]
    fn new(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let file = py.detach(|| output::FrameFile::open(&path));
        Ok(Self { file: file.map_err(|problem| error::output(py, &problem))? })
    }

    /// Simulated time [s].
    #[getter]
    fn time(&self) -> f64 {
        self.file.time()
    }

    /// Steps made.
    #[getter]
    fn step(&self) -> u64 {
        self.file.step()
    }

    /// Name of the stage; empty if the scene has none.
    #[getter]
    fn stage(&self) -> &str {
        self.file.stage().unwrap_or_default()
    }

    /// Number of points: particles, ends of contacts, vertices of walls.
    #[getter]
    fn points(&self) -> usize {
        self.file.points()
    }

    /// Names of the file as a whole: `groups`, `materials` or `walls`.
    fn names(&self, of: &str) -> Vec<String> {
        self.file.words(of).unwrap_or_default().to_vec()
    }

    /// Names of the columns.
    fn columns(&self) -> Vec<&str> {
        self.file.columns().map(|(name, _)| name).collect()
    }

    /// A column as a new array of floats, of shape (n,) or (n, components).
    fn read<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let read = py.detach(|| error::without_panic(|| self.file.read(name)))?;
        let column = read.map_err(|problem: OutputError| error::output(py, &problem))?;
        arrays::shaped(py, column.values, column.components)
    }
}
