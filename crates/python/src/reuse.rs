//! Runs that are reused if the same program has finished them from the same input.

use crate::error;
use crate::scene::Scene;
use esker_draw::OutputError;
use esker_scene::Loaded;
use esker_scene::run::RunError;
use esker_study::batch::{self, Attempt, RunSpecification, Watcher};
use pyo3::exceptions::{PyKeyboardInterrupt, PyValueError};
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Time between two checks for signals (Ctrl-C) while steps are made.
const SLICE: Duration = Duration::from_millis(50);

/// Handles Python signals during a run, and calls `poll` with its progress.
struct Signals<'a> {
    last: Instant,
    interrupt: &'a AtomicBool,
    poll: Option<&'a Py<PyAny>>,
    raised: Option<PyErr>,
}

impl Watcher for Signals<'_> {
    fn begin(&mut self, _: &Loaded, _: bool) -> Result<(), RunError> {
        Ok(())
    }

    fn look(&mut self, simulation: &esker::Simulation) -> Result<(), OutputError> {
        if self.last.elapsed() < SLICE || self.raised.is_some() {
            return Ok(());
        }
        self.last = Instant::now();
        let checked = Python::attach(|py| -> PyResult<()> {
            py.check_signals()?;
            if let Some(poll) = self.poll {
                poll.call1(py, (simulation.progress(), simulation.time(), simulation.steps()))?;
            }
            Ok(())
        });
        if let Err(error) = checked {
            self.raised = Some(error);
            self.interrupt.store(true, Ordering::Relaxed);
        }
        Ok(())
    }
}

/// Makes or resumes a run in `folder`, or reuses a finished one. Returns whether it was reused, and the reason if it
/// failed.
#[pyfunction]
#[pyo3(signature = (scene, folder, threads, light, program, poll=None))]
pub fn run_or_reuse(
    py: Python<'_>,
    scene: &Bound<'_, Scene>,
    folder: PathBuf,
    threads: usize,
    light: bool,
    program: &str,
    poll: Option<Py<PyAny>>,
) -> PyResult<(bool, Option<String>)> {
    let (content, loaded) = scene.get().load(py)?;
    let name = folder.file_name().and_then(|name| name.to_str()).map(str::to_owned);
    let name = name.ok_or_else(|| PyValueError::new_err("`out` must be the name of a folder"))?;
    let parent = folder.parent().map(PathBuf::from).unwrap_or_default();
    let changes = content.overrides();
    let stamp = batch::stamp(program, light, &loaded, &changes, &mut BTreeMap::new());
    let specification = RunSpecification {
        name: &name,
        parent: &parent,
        stamp: &stamp,
        changes: &changes,
        threads,
        light,
    };
    let interrupt = AtomicBool::new(false);
    let (attempt, raised) = py.detach(|| {
        let mut signals = Signals {
            last: Instant::now(),
            interrupt: &interrupt,
            poll: poll.as_ref(),
            raised: None,
        };
        let attempt =
            error::without_panic(|| specification.make(|| Ok(loaded), &interrupt, &mut signals));
        (attempt, signals.raised)
    });
    if let Some(raised) = raised {
        return Err(raised);
    }
    match attempt?.map_err(|problem| error::run(py, &problem))? {
        Attempt::Made(result) => Ok((result.reused, result.failure)),
        Attempt::Interrupted => Err(PyKeyboardInterrupt::new_err(())),
    }
}
