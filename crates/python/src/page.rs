//! The viewer as a self-contained page, for notebooks and files.

use crate::error;
use crate::scene::Scene;
use crate::simulation::Simulation;
use crate::state::Inner;
use esker_scene::{Loaded, run};
use esker_view::{Export, Feed, FolderFeed, PictureOptions, SnapshotsFeed, ViewError};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::path::PathBuf;

/// Contents of the page: quantities to colour by, and the number of frames.
fn options(columns: Vec<String>, frames: Option<usize>) -> Export {
    let most = Export::default().particle_frames;
    // Pages of a notebook start when they are scrolled into view: browsers limit the number of WebGL contexts.
    let particle_frames = if frames.is_some() { usize::MAX } else { most };
    Export { frames, particle_frames, columns, starts_in_view: true }
}

/// An exception of the viewer.
pub fn raise(py: Python<'_>, problem: &ViewError) -> PyErr {
    match problem {
        ViewError::Output(problem) => error::output(py, problem),
        other => PyValueError::new_err(other.to_string()),
    }
}

/// The page of a run folder.
#[pyfunction]
#[pyo3(signature = (folder, columns, frames=None))]
pub fn page_of_run(
    py: Python<'_>,
    folder: PathBuf,
    columns: Vec<String>,
    frames: Option<usize>,
) -> PyResult<String> {
    let options = options(columns, frames);
    let page = py.detach(|| {
        error::without_panic(|| {
            let feed = FolderFeed::open(&folder)?;
            if feed.progress()?.times.is_empty() {
                let message = format!(
                    "the run in `{}` has no frames: its scene requests none, or the run is `light`",
                    folder.display()
                );
                return Err(ViewError::missing(message));
            }
            esker_view::export(&feed, &options)
        })
    })?;
    page.map_err(|problem| raise(py, &problem))
}

/// A picture of a frame of a run folder, as PNG.
#[pyfunction]
pub fn picture_of_run<'py>(
    py: Python<'py>,
    folder: PathBuf,
    frame: usize,
    color: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    let options =
        PictureOptions { frame: Some(frame), color: color.to_owned(), ..PictureOptions::default() };
    let drawn = py.detach(|| {
        error::without_panic(|| esker_view::picture(&FolderFeed::open(&folder)?, &options))
    })?;
    let (png, _) = drawn.map_err(|problem| raise(py, &problem))?;
    Ok(PyBytes::new(py, &png))
}

/// The page of the current state of a simulation.
#[pyfunction]
pub fn page_of_simulation(
    py: Python<'_>,
    simulation: &Bound<'_, Simulation>,
    columns: Vec<String>,
) -> PyResult<String> {
    let options = options(columns, None);
    let page = simulation.get().shared.detached(py, |inner| -> PyResult<_> {
        Ok(frame_of(inner)?.and_then(|feed| esker_view::export(&feed, &options)))
    })??;
    page.map_err(|problem| raise(py, &problem))
}

/// The current state of a simulation as the only frame of a run.
pub fn frame_of(inner: &Inner) -> PyResult<Result<SnapshotsFeed, ViewError>> {
    let simulation = inner.simulation()?;
    let state = if simulation.is_finished() { "finished" } else { "stopped" };
    Ok(frame(simulation, &inner.loaded, &inner.content.stem, state))
}

fn frame(
    simulation: &esker::Simulation,
    loaded: &Loaded,
    name: &str,
    state: &str,
) -> Result<SnapshotsFeed, ViewError> {
    let title = &loaded.scene.title;
    let title = if title.is_empty() { name } else { title };
    let gravity = simulation.gravity().to_array();
    let feed = SnapshotsFeed::new(vec![simulation.snapshot()], true, gravity, state)?;
    Ok(feed.named(title, name))
}

/// The page of a scene at time 0.
#[pyfunction]
pub fn page_of_scene(
    py: Python<'_>,
    scene: &Bound<'_, Scene>,
    columns: Vec<String>,
) -> PyResult<String> {
    let (content, mut loaded) = scene.get().load(py)?;
    let options = options(columns, None);
    let page = py.detach(|| {
        error::without_panic(|| {
            loaded.scene.threads = run::suitable_threads(&loaded.scene);
            let (loaded, simulation) = run::build_without_end(&loaded)?;
            let feed = frame(&simulation, &loaded, &content.stem, "scene");
            Ok(feed.and_then(|feed| esker_view::export(&feed, &options)))
        })
    })?;
    let page = page.map_err(|problem| error::run(py, &problem))?;
    page.map_err(|problem| raise(py, &problem))
}
