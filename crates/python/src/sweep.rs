//! Sweeps: one scene with many values of its parameters.

use crate::error;
use crate::scene::Scene;
use esker_study::batch::{check_folder, side_by_side, take_folder};
use esker_study::sweep::{
    Method, Outcome, Parameter, Plan, Prepared, Results, Sweep, SweepError, Wrong,
};
use pyo3::exceptions::{PyKeyboardInterrupt, PyValueError};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

/// Name of the command, which marks its folder.
const COMMAND: &str = "sweep";
/// Time between two checks for signals (Ctrl-C) while runs are made.
const SLICE: Duration = Duration::from_millis(50);

/// Parameters and options of a sweep.
#[derive(Debug, FromPyObject)]
#[pyo3(from_item_all)]
pub struct Options {
    vary: Vec<String>,
    method: Option<String>,
    samples: Option<usize>,
    seeds: usize,
    seed: u64,
    folder: PathBuf,
    threads: usize,
    jobs: usize,
    keep: bool,
    collect: Vec<String>,
    program: String,
}

/// Makes the runs of a sweep and writes its tables and report. Returns the names of the runs and their outcomes. `poll`
/// is called with the numbers of finished runs and of all runs.
#[pyfunction]
#[pyo3(signature = (scene, options, poll=None))]
pub fn sweep(
    py: Python<'_>,
    scene: &Bound<'_, Scene>,
    options: Options,
    poll: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<(String, String, Option<String>)>> {
    let content = scene.get().content(py)?;
    let plan = plan(&options)?;
    let jobs = options.jobs;
    let prepared = Sweep {
        scene: content.text.clone(),
        provided: content.provided.clone(),
        plan,
        common: content.overrides(),
        folder: options.folder,
        program: options.program,
        threads: if jobs == 1 { options.threads } else { options.threads.max(1) },
        light: !options.keep,
    };
    let prepared = py.detach(|| error::without_panic(|| prepared.prepare(&options.collect)))?;
    let prepared = prepared.map_err(|problem| raise(py, problem))?;
    let folder = &prepared.sweep.folder;
    check_folder(folder, COMMAND)
        .and_then(|()| take_folder(folder, COMMAND))
        .map_err(|problem| error::run(py, &problem))?;
    let outcomes = make(py, &prepared, jobs, poll)?;
    let results =
        Results::new(&prepared, outcomes).map_err(|problem| error::output(py, &problem))?;
    let written = py.detach(|| results.write(&content.stem));
    written.map_err(|problem| error::output(py, &problem))?;
    if results.outcomes.contains(&Outcome::Unfinished) {
        return Err(PyKeyboardInterrupt::new_err(()));
    }
    let described = prepared.runs.iter().zip(&results.outcomes).map(|(run, outcome)| {
        (run.name.clone(), outcome.name().to_owned(), outcome.failure().map(str::to_owned))
    });
    Ok(described.collect())
}

fn plan(options: &Options) -> PyResult<Plan> {
    let parameters: Result<Vec<Parameter>, Wrong> =
        options.vary.iter().map(|text| Parameter::parse(text)).collect();
    let method = match options.method.as_deref() {
        None => None,
        Some("grid") => Some(Method::Grid),
        Some("sobol") => Some(Method::Sobol),
        Some("morris") => Some(Method::Morris),
        Some("latin") => Some(Method::Latin),
        Some(other) => {
            return Err(PyValueError::new_err(format!(
                "`method` is \"grid\", \"sobol\", \"morris\" or \"latin\", not {other:?}"
            )));
        }
    };
    parameters
        .and_then(|list| Plan::new(list, method, options.samples, options.seeds, options.seed))
        .map_err(|problem| wrong(&problem))
}

fn wrong(problem: &Wrong) -> PyErr {
    PyValueError::new_err(format!("{}\nhelp: {}", problem.message, problem.help))
}

fn raise(py: Python<'_>, problem: SweepError) -> PyErr {
    match problem {
        SweepError::Run(problem) => error::run(py, &problem),
        SweepError::Arguments(problem) => wrong(&problem),
    }
}

/// Makes all runs on other threads, while this thread handles signals.
fn make(
    py: Python<'_>,
    prepared: &Prepared,
    jobs: usize,
    poll: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<Outcome>> {
    let different = prepared.different();
    let (interrupt, ended) = (AtomicBool::new(false), AtomicUsize::new(0));
    let count = different.len();
    let poll: Option<Py<PyAny>> = poll.map(|poll| poll.clone().unbind());
    let work = |position: usize| {
        let outcome = prepared.make(different[position], &interrupt);
        ended.fetch_add(1, Ordering::Relaxed);
        Outcome::of(&outcome)
    };
    let (attempts, raised) = py.detach(|| {
        std::thread::scope(|scope| {
            let (work, stop) = (&work, &interrupt);
            let runs = scope.spawn(move || side_by_side(count, jobs, stop, work));
            let mut raised = None;
            while !runs.is_finished() {
                std::thread::park_timeout(SLICE.min(Duration::from_millis(20)));
                let checked = Python::attach(|py| -> PyResult<()> {
                    py.check_signals()?;
                    if let Some(poll) = &poll {
                        poll.call1(py, (ended.load(Ordering::Relaxed), count))?;
                    }
                    Ok(())
                });
                if let Err(problem) = checked
                    && raised.is_none()
                {
                    interrupt.store(true, Ordering::Relaxed);
                    raised = Some(problem);
                }
            }
            (runs.join(), raised)
        })
    });
    if let Some(raised) = raised {
        return Err(raised);
    }
    let attempts = error::without_panic(|| match attempts {
        Ok(attempts) => attempts,
        Err(panic) => std::panic::resume_unwind(panic),
    })?;
    let mut outcomes = vec![Outcome::Unfinished; prepared.runs.len()];
    for (index, outcome) in different.into_iter().zip(attempts) {
        outcomes[index] = outcome.unwrap_or(Outcome::Unfinished);
    }
    for index in 0..outcomes.len() {
        outcomes[index] = outcomes[prepared.firsts[index]].clone();
    }
    Ok(outcomes)
}
