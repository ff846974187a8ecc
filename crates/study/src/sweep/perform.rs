//! Prepares a sweep and makes its runs.

use super::collect::{self, Collected};
use super::plan::{Plan, PlannedRun, firsts};
use super::units;
use super::vary::Wrong;
use crate::batch::{self, Attempt, RunSpecification};
use esker::Simulation;
use esker_scene::run::{self, RunError};
use esker_scene::{Diagnostics, Loaded, Provided, SceneText, Setting};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// Number of runs that are built for the estimate of a sweep, spread over all runs.
const BUILT: usize = 8;

/// A scene with many values of its parameters.
#[derive(Debug, Clone)]
pub struct Sweep {
    /// The scene.
    pub scene: SceneText,
    /// Particles given as arrays, by file name in the scene.
    pub provided: Provided,
    /// Parameters and their values.
    pub plan: Plan,
    /// Overrides of the scene in all runs, `KEY=VALUE`.
    pub common: Vec<String>,
    /// The output folder.
    pub folder: PathBuf,
    /// Identification of the program: results of other versions are not reused.
    pub program: String,
    /// Threads of each run; 0 selects a suitable number.
    pub threads: usize,
    /// True if only numerical results are needed: no frames, no contact lists, no reports of the runs.
    pub light: bool,
}

/// Reasons why a sweep cannot start.
#[derive(Debug)]
pub enum SweepError {
    /// The scene is invalid in every run that was checked.
    Run(RunError),
    /// The arguments are invalid.
    Arguments(Wrong),
}

impl From<RunError> for SweepError {
    fn from(error: RunError) -> Self {
        Self::Run(error)
    }
}

impl From<Wrong> for SweepError {
    fn from(wrong: Wrong) -> Self {
        Self::Arguments(wrong)
    }
}

impl From<Diagnostics> for SweepError {
    fn from(diagnostics: Diagnostics) -> Self {
        Self::Run(RunError::Scene(Box::new(diagnostics)))
    }
}

/// A sweep that is ready to be run.
#[derive(Debug)]
pub struct Prepared {
    /// The sweep.
    pub sweep: Sweep,
    /// All runs.
    pub runs: Vec<PlannedRun>,
    /// For each run, the first identical one.
    pub firsts: Vec<usize>,
    /// Stamp of each run; none if its scene cannot be read, which is reported when it is made.
    stamps: Vec<String>,
    /// Results collected from each run.
    pub collected: Collected,
}

impl Sweep {
    /// Reads the scene of a run. Messages name the option from which a value came.
    fn load(&self, changes: &[String]) -> Result<Loaded, Diagnostics> {
        let varied = self.common.len();
        let seed =
            if self.plan.seeds > 1 { changes.len().saturating_sub(1) } else { changes.len() };
        let settings: Vec<Setting<'_>> = changes
            .iter()
            .enumerate()
            .filter_map(|(index, change)| {
                let (path, value) = change.split_once('=')?;
                let option = match index {
                    _ if index < varied => "--set",
                    _ if index < seed => "--vary",
                    _ => "--seeds",
                };
                Some(Setting { option, path, value })
            })
            .collect();
        self.scene.load_provided(&settings, &self.provided)
    }

    /// Reads the scene of every run and determines the available results. Fails if no run can be made.
    pub fn prepare(self, wanted: &[String]) -> Result<Prepared, SweepError> {
        let first_seed = match self.load(&self.common) {
            Ok(loaded) => loaded.scene.seed,
            // A value that the scene lacks may be a varied one.
            Err(_) => self.load(&self.plan.runs(&self.common, 1)[0].changes)?.scene.seed,
        };
        let runs = self.plan.runs(&self.common, first_seed);
        let mut files = BTreeMap::new();
        let (mut stamps, mut error) = (Vec::with_capacity(runs.len()), None);
        for run in &runs {
            match self.load(&run.changes) {
                Ok(loaded) => {
                    let (program, changes) = (&self.program, &run.changes);
                    stamps.push(batch::stamp(program, self.light, &loaded, changes, &mut files));
                }
                Err(diagnostics) => {
                    error.get_or_insert(diagnostics);
                    stamps.push(String::new());
                }
            }
        }
        if stamps.iter().all(String::is_empty)
            && let Some(diagnostics) = error
        {
            return Err(diagnostics.into());
        }
        let firsts = firsts(&runs);
        let collected = Collected::default();
        let mut prepared = Prepared { sweep: self, runs, firsts, stamps, collected };
        let (loaded, simulation) = prepared.first_that_builds()?;
        let names = collect::names(&loaded, &simulation)?;
        let probes: Vec<String> =
            loaded.outputs.probes.iter().map(|probe| probe.name.clone()).collect();
        let mut collected = collect::chosen(&names, wanted, &probes)?;
        let unit = |name: &String| units::of_result(&loaded, name);
        collected.units = collected.columns.iter().map(unit).collect();
        prepared.collected = collected;
        Ok(prepared)
    }
}

impl Prepared {
    /// The folder of the runs.
    pub fn parent(&self) -> PathBuf {
        self.sweep.folder.join("runs")
    }

    /// Indices of the distinct runs.
    pub fn different(&self) -> Vec<usize> {
        (0..self.runs.len()).filter(|index| self.firsts[*index] == *index).collect()
    }

    fn specification<'a>(&'a self, index: usize, parent: &'a Path) -> RunSpecification<'a> {
        RunSpecification {
            name: &self.runs[index].name,
            parent,
            stamp: &self.stamps[index],
            changes: &self.runs[index].changes,
            threads: self.sweep.threads,
            light: self.sweep.light,
        }
    }

    /// Number of existing runs, and of runs of another scene or program.
    pub fn found(&self) -> (usize, usize) {
        let parent = self.parent();
        let mut counts = (0, 0);
        for index in self.different() {
            let specification = self.specification(index, &parent);
            counts.0 += usize::from(specification.finished().is_some());
            counts.1 += usize::from(specification.earlier() == Some(false));
        }
        counts
    }

    /// Makes or continues a run, or returns the finished result.
    pub fn make(&self, index: usize, interrupt: &AtomicBool) -> Result<Attempt, RunError> {
        let parent = self.parent();
        let load = || self.sweep.load(&self.runs[index].changes);
        self.specification(index, &parent).make(load, interrupt, &mut ())
    }

    /// Scene and initial state of some runs, spread over all of them; those that cannot be built are omitted.
    pub fn examples(&self) -> impl Iterator<Item = Result<(Loaded, Simulation), RunError>> + '_ {
        let count = self.runs.len();
        let step = count.div_ceil(BUILT).max(1);
        (0..count).step_by(step).map(|index| {
            let loaded = self
                .sweep
                .load(&self.runs[index].changes)
                .map_err(|diagnostics| RunError::Scene(Box::new(diagnostics)))?;
            let simulation = run::build(&loaded)?;
            Ok((loaded, simulation))
        })
    }

    fn first_that_builds(&self) -> Result<(Loaded, Simulation), SweepError> {
        let mut error = None;
        for example in self.examples() {
            match example {
                Ok(built) => return Ok(built),
                Err(other) => error = error.or(Some(other)),
            }
        }
        match error {
            Some(error) => Err(error.into()),
            None => Err(Wrong::new("there are no runs", "vary something").into()),
        }
    }
}
