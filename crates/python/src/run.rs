//! Steps with and without a run folder.

use crate::error;
use crate::scene::Content;
use crate::simulation::Simulation;
use crate::state::{Held, Inner, Shared};
use esker::StepError;
use esker_scene::Loaded;
use esker_scene::run::{self, Checkpoint, Ended, Run, RunError, RunOptions};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// A run folder to write.
#[derive(Debug, FromPyObject)]
#[pyo3(from_item_all)]
pub struct FolderOptions {
    folder: PathBuf,
    resume: bool,
    force: bool,
    light: bool,
}

/// Reasons for an early end of the steps.
#[derive(Debug)]
pub enum Trouble {
    /// The state is unphysical.
    Step(Box<StepError>),
    /// Another error of the engine.
    Engine(esker::Error),
    /// An error of the run folder.
    Run(RunError),
    /// The simulation cannot continue after an earlier failure.
    Broken(String),
    /// An exception of Python.
    Python(PyErr),
}

/// Opens a run folder.
pub fn open(
    py: Python<'_>,
    content: &Content,
    loaded: Loaded,
    threads: usize,
    folder: &FolderOptions,
) -> PyResult<Simulation> {
    let options = RunOptions {
        folder: folder.folder.clone(),
        threads,
        resume: folder.resume,
        force: folder.force,
        overrides: content.overrides(),
        light: folder.light,
        strict: false,
        viewer: Some(esker_view::for_report),
        ranks: 1,
        comm: None,
        cores: 0,
    };
    let opened = py.detach(|| error::without_panic(|| Run::open(loaded, &options)))?;
    let run = opened.map_err(|problem| error::run(py, &problem))?;
    let inner = Inner {
        content: content.clone(),
        loaded: run.loaded().clone(),
        held: Held::Run(Box::new(run)),
        changes: Vec::new(),
        fields: Vec::new(),
        measure_states: BTreeMap::new(),
        ended: None,
        broken: None,
        live: None,
    };
    Ok(Simulation { shared: Shared::new(inner) })
}

/// Builds the simulation of a scene.
pub fn build(py: Python<'_>, inner: &mut Inner) -> PyResult<()> {
    let loaded = &inner.loaded;
    let built = py.detach(|| error::without_panic(|| run::build_without_end(loaded)));
    let (loaded, simulation) = built?.map_err(|problem| error::run(py, &problem))?;
    inner.loaded = loaded;
    inner.held = Held::Free(Box::new(simulation));
    Ok(())
}

/// Restores the state in the bytes of a checkpoint.
pub fn restore(py: Python<'_>, inner: &mut Inner, bytes: &[u8]) -> PyResult<()> {
    let checkpoint = Checkpoint::parse(bytes).map_err(PyValueError::new_err)?;
    let before = std::mem::replace(&mut inner.changes, checkpoint.positions.changes);
    let scene = inner.scene_for_restore()?;
    let restored =
        py.detach(|| error::without_panic(|| esker::Simulation::restore(scene, checkpoint.state)))?;
    let simulation = match restored {
        Ok(simulation) => simulation,
        Err(problem) => {
            inner.changes = before;
            return Err(match problem {
                esker::Error::State(_) => PyValueError::new_err(problem.to_string()),
                other => error::engine(py, &inner.loaded, &other),
            });
        }
    };
    inner.held = Held::Free(Box::new(simulation));
    inner.measure_states.clear();
    Ok(())
}

/// Makes one step.
pub fn step(inner: &mut Inner) -> Result<(), Trouble> {
    match &mut inner.held {
        Held::Free(simulation) => match simulation.step() {
            Ok(()) => {}
            Err(esker::Error::Step(problem)) => {
                let problem = Box::new(problem);
                inner.broken = Some(format!("the simulation has stopped as unphysical: {problem}"));
                return Err(Trouble::Step(problem));
            }
            Err(problem) => {
                inner.broken = Some(problem.to_string());
                return Err(Trouble::Engine(problem));
            }
        },
        Held::Run(run) => match run.advance().map_err(Trouble::Run)? {
            Some(Ended::Failed(problem)) => {
                inner.ended = Some(Ended::Failed(problem.clone()));
                return Err(Trouble::Step(problem));
            }
            ended => inner.ended = ended,
        },
        Held::Gone => return Err(Trouble::Broken("the run has ended".to_owned())),
    }
    for field in &inner.fields {
        if let Some(failure) = field.take_failure() {
            inner.broken = Some(
                "a force written in Python raised an exception during a step, which was completed \
                 without it; `restore` a saved state"
                    .to_owned(),
            );
            return Err(Trouble::Python(failure));
        }
    }
    Ok(())
}

/// The exception of such a reason.
pub fn raise(py: Python<'_>, simulation: &Simulation, trouble: &Trouble) -> PyErr {
    let inner = match simulation.shared.lock(py) {
        Ok(inner) => inner,
        Err(error) => return error,
    };
    let folder = match &inner.held {
        Held::Run(run) => Some(run.folder()),
        _ => None,
    };
    match trouble {
        Trouble::Step(problem) => error::unphysical(py, problem, folder),
        Trouble::Engine(problem) => error::engine(py, &inner.loaded, problem),
        Trouble::Run(problem) => error::run(py, problem),
        Trouble::Broken(why) => PyRuntimeError::new_err(why.clone()),
        Trouble::Python(problem) => problem.clone_ref(py),
    }
}

/// Completes a run folder. A run that has not reached its end is saved and can be resumed.
pub fn close(py: Python<'_>, simulation: &Simulation) -> PyResult<(String, Vec<String>)> {
    let closed = simulation.shared.detached(py, |inner| {
        let finished = inner.simulation().is_ok_and(esker::Simulation::is_finished);
        let ended = inner.ended.take();
        let ended = ended.unwrap_or(match finished {
            true => Ended::Finished,
            false => Ended::Interrupted,
        });
        match std::mem::replace(&mut inner.held, Held::Gone) {
            Held::Run(run) => Some(run.close(ended)),
            other => {
                inner.held = other;
                None
            }
        }
    })?;
    let closed = closed.ok_or_else(|| PyRuntimeError::new_err("there is no run folder"))?;
    let summary = closed.map_err(|problem| error::run(py, &problem))?;
    Ok((summary.json(), summary.end_warnings))
}
