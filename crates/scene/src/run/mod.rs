//! The loop of a run: time steps and output.
//!
//! Outputs are written at the first step at or after their time and record the actual time; they never change a step.

mod changes;
mod checkpoint;
mod checkpoint_file;
mod continued;
mod counted;
mod error;
mod events;
mod folder;
pub(crate) mod host;
mod inputs;
mod lazy_snapshot;
mod lock;
mod measure;
mod measure_plots;
mod measure_table;
mod open;
mod page;
mod placement;
mod postmortem;
mod probe;
mod probe_check;
mod quantities;
mod ranks;
mod recorder;
mod report_frames;
mod requests;
mod section;
pub(crate) mod served;
mod stopwatch;
mod summary;
mod table_plots;
mod threads;
mod warnings;

pub use checkpoint::{ChangeMade, Checkpoint, Positions, checkpoint_path, checkpoint_times};
pub use counted::{Communication, CountedRanks, RankReport};
pub use error::RunError;
pub use folder::write_file;
pub use folder::{folder_to_resume, fresh_folder, holds_run};
pub use host::peak_memory;
pub use lock::is_running;
pub use measure::Measures;
pub use measure_table::Outcome;
pub use placement::Placement;
pub use ranks::{dismiss, follow};
pub use requests::Requests;
pub use stopwatch::today;
pub use summary::{Ended, Summary, TimeStep};
pub use threads::{expected_particles, suitable as suitable_threads};

use crate::Loaded;
use crate::output::write_final_csv;
use esker::Simulation;
use esker::Trigger;
use esker::measure::Snapshot;
use esker::particles::storage::DetachedStorage;
use esker::ranks::{Comm, RankThreads};
use esker_draw::OutputError;
use lazy_snapshot::LazySnapshot;
use lock::Lock;
use measure::EndCounts;
use recorder::Recorder;
use report_frames::ReportFrames;
use served::{Request, write_table};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use stopwatch::Stopwatch;

/// Options of a run.
#[derive(Debug, Clone, Default)]
pub struct RunOptions {
    /// The output folder.
    pub folder: PathBuf,
    /// Number of threads; 0 selects one per thousand particles, at most all cores. Never changes a result.
    pub threads: usize,
    /// True if to continue from the checkpoint in the folder.
    pub resume: bool,
    /// True if files of an earlier run may be replaced, and a run be resumed with another scene.
    pub force: bool,
    /// `KEY=VALUE` arguments already applied to the scene, to be recorded in `run.toml`.
    pub overrides: Vec<String>,
    /// True if only numerical results are needed: no frames, contact lists and report, and no checkpoint at the end
    /// unless the scene has an interval for checkpoints.
    pub light: bool,
    /// True if a run with warnings of the engine is refused, before its folder is changed.
    pub strict: bool,
    /// Makes the viewer of the report from the run folder and the snapshots for the pictures.
    pub viewer: Option<ViewerPage>,
    /// Number of ranks among which the particles are divided; 0 and 1 are one rank. Never changes a result.
    pub ranks: usize,
    /// The other ranks, if they are processes; otherwise ranks are threads of this process.
    pub comm: Option<Arc<dyn Comm>>,
    /// Number of cores that this rank may use; 0 selects those of the machine, divided by the ranks.
    pub cores: usize,
}

/// Makes a page that shows a run, to be embedded into its report, from its folder and the snapshots for the pictures.
/// The crate of the viewer depends on this one; the caller of a run passes its function.
pub type ViewerPage = fn(&Path, &[Snapshot]) -> Result<String, String>;

/// A run in progress.
#[derive(Debug)]
pub struct Run {
    simulation: Simulation,
    recorder: Recorder,
    report_frames: ReportFrames,
    loaded: Loaded,
    folder: PathBuf,
    checkpoints: Option<Trigger>,
    /// Measures the time of the steps.
    stopwatch: Option<Stopwatch>,
    /// Progress before the run was resumed.
    earlier: Earlier,
    particle_steps: f64,
    remarks: Vec<String>,
    light: bool,
    viewer: Option<ViewerPage>,
    /// The communication with other ranks.
    ranks: Option<Arc<CountedRanks>>,
    /// The other ranks, dropped after the simulation of this rank.
    rank_threads: Option<RankThreads>,
    /// Locks the folder until all output is written.
    _lock: Lock,
}

/// Progress of a run when it was saved.
#[derive(Debug, Clone, Copy, Default)]
struct Earlier {
    steps: u64,
    /// Wall-clock time of computing [s].
    wall_time: f64,
    /// Processor time, if known [s].
    processor_time: Option<f64>,
}

impl Run {
    /// The simulation.
    pub fn simulation(&self) -> &Simulation {
        &self.simulation
    }

    /// See [`Simulation::detach_particles`].
    pub fn detach_particles(&mut self) -> DetachedStorage {
        self.simulation.detach_particles()
    }

    /// The scene as read.
    pub fn loaded(&self) -> &Loaded {
        &self.loaded
    }

    /// The output folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Messages for the user, such as a damaged checkpoint.
    pub fn remarks(&self) -> &[String] {
        &self.remarks
    }

    /// Runs to the end, to an interrupt or to a failure, and writes all output. `watch` is called after each step. A
    /// run stopped as unphysical is an outcome, not an error.
    pub fn finish(
        self,
        interrupt: &AtomicBool,
        watch: impl FnMut(&Simulation),
    ) -> Result<Summary, RunError> {
        let save = AtomicBool::new(false);
        self.finish_with(&Requests { stop: interrupt, save: &save, deadline: None }, watch)
    }

    /// Runs to the end or until a request ends the run, and writes all output, as [`Run::finish`].
    pub fn finish_with(
        mut self,
        requests: &Requests<'_>,
        mut watch: impl FnMut(&Simulation),
    ) -> Result<Summary, RunError> {
        let mut made = 0_u64;
        let ended = loop {
            if self.simulation.is_finished() {
                break Ended::Finished;
            }
            if let Some(ended) = requests.end(made) {
                break ended;
            }
            if let Some(ended) = self.advance()? {
                break ended;
            }
            made += 1;
            if requests.take_save() {
                self.save()?;
            }
            watch(&self.simulation);
        };
        self.close(ended)
    }

    /// Makes one step and writes the outputs that are due. Returns how the run has ended, if it has; the caller then
    /// ends it with [`Run::close`]. For programs that act between steps.
    pub fn advance(&mut self) -> Result<Option<Ended>, RunError> {
        if self.stopwatch.is_none() {
            let ranks = self.ranks.as_ref().map_or(1, |ranks| ranks.size());
            self.stopwatch = Some(Stopwatch::start(ranks * self.loaded.scene.threads));
            if let Some(ranks) = &self.ranks {
                ranks.reset();
            }
        }
        if self.simulation.is_finished() {
            return Ok(Some(Ended::Finished));
        }
        match self.simulation.step() {
            Ok(()) => self.after_step()?,
            Err(esker::Error::Step(error)) => return Ok(Some(Ended::Failed(Box::new(error)))),
            Err(other) => return Err(refused(&self.loaded, &other)),
        }
        Ok(None)
    }

    fn after_step(&mut self) -> Result<(), OutputError> {
        self.particle_steps += self.simulation.counts().present as f64;
        let now = LazySnapshot::new(&self.simulation);
        self.recorder.record(&now)?;
        if self.reports() {
            self.report_frames.record(&now);
        }
        if self.checkpoints.as_mut().is_some_and(|trigger| trigger.fires(&self.simulation)) {
            self.save()?;
        }
        Ok(())
    }

    /// True if a report is written.
    fn reports(&self) -> bool {
        !self.light && self.loaded.outputs.report
    }

    fn save(&mut self) -> Result<(), OutputError> {
        let mut positions = self.recorder.positions()?;
        positions.wall_time = self.wall_time();
        positions.processor_time = self.processor_time();
        positions.inputs = changes::inputs(&self.loaded.scene);
        checkpoint_file::write(&self.simulation, &positions, &self.folder)
    }

    fn wall_time(&self) -> f64 {
        self.earlier.wall_time + self.stopwatch.as_ref().map_or(0.0, Stopwatch::wall_time)
    }

    /// Processor time of all ranks. None if that of a part of the run is not known.
    fn processor_time(&self) -> Option<f64> {
        let before = match self.earlier.steps {
            0 => Some(0.0),
            _ => self.earlier.processor_time,
        };
        let own = self.stopwatch.as_ref()?.processor_time();
        let others = match &self.ranks {
            Some(ranks) if ranks.are_processes() => {
                ranks.reports().iter().skip(1).map(|report| report.processor_time).sum()
            }
            _ => Some(0.0),
        };
        Some(before? + own? + others?)
    }

    /// Writes the outputs of the end.
    pub fn close(mut self, ended: Ended) -> Result<Summary, RunError> {
        let computing = self.wall_time() - self.earlier.wall_time;
        match &ended {
            // The last checkpoint before the failure is kept.
            Ended::Failed(error) => {
                self.recorder.write_failure(&self.simulation)?;
                let text = postmortem::postmortem(error, &self.simulation.snapshot());
                folder::write_file(&self.folder.join("postmortem.json"), text.as_bytes())?;
            }
            Ended::Interrupted | Ended::OutOfTime => self.save()?,
            // Runs of a sweep, of which only numerical results are needed, are not resumed.
            Ended::Finished if self.light && self.checkpoints.is_none() => {}
            Ended::Finished => self.save()?,
        }
        let now = LazySnapshot::new(&self.simulation);
        self.recorder.finish(&now)?;
        if self.loaded.outputs.final_state {
            let path = self.folder.join("final.csv");
            match now.is_divided() {
                true => write_table(&self.simulation, &path, Request::ParticleTable)?,
                false => write_final_csv(&path, now.snapshot())?,
            }
        }
        let speed = self.particle_steps / computing.max(f64::MIN_POSITIVE);
        let counts = EndCounts::of(&now);
        let mut summary = Summary::new(&self.simulation, &self.loaded, counts, ended);
        summary.warn_at_end(&self.simulation, &self.loaded);
        summary.measured = self.recorder.outcomes();
        summary.wall_time = self.wall_time();
        summary.processor_time = self.processor_time();
        summary.ranks = self.ranks.as_ref().map_or_else(Vec::new, |ranks| ranks.reports());
        summary.particle_steps_per_second = speed;
        summary.resumed_at_step = Some(self.earlier.steps).filter(|step| *step > 0);
        folder::write_file(&self.folder.join("summary.json"), summary.json().as_bytes())?;
        if self.reports() {
            let mut notes = Vec::new();
            let instants = match now.is_divided() && self.report_frames.is_too_large(&now) {
                true => {
                    notes
                        .push("Several ranks draw no pictures of this number of particles.".into());
                    Vec::new()
                }
                false => self.report_frames.chosen(now.snapshot()),
            };
            let viewer = self.viewer.filter(|_| !instants.is_empty()).and_then(|make| {
                make(&self.folder, &instants)
                    .map_err(|problem| notes.push(format!("The report has no viewer: {problem}")))
                    .ok()
            });
            let parts = page::Parts { instants: &instants, viewer, notes };
            let page = page::report(&summary, &self.loaded, &self.folder, parts)?;
            folder::write_file(&self.folder.join("report.html"), page.as_bytes())?;
        }
        Ok(summary)
    }
}

/// Checks that the engine does not make: it has no outputs, and the end of a run is defined by its caller.
fn check(loaded: &Loaded) -> Result<(), RunError> {
    let mut problems = probe_check::problems(&loaded.outputs.probes);
    if loaded.scene.stages.is_empty() {
        let help = "add for example `[[stages]]` with `name = \"run\"` and `end = { after = 1.0 }`";
        let message = "the scene has no stages, so the run would never end";
        problems.push(esker::Problem::at("stages", message).help(help));
    }
    if problems.is_empty() {
        return Ok(());
    }
    Err(refused(loaded, &esker::Error::Scene(problems)))
}

/// Checks a scene as far as possible without running it, and builds its simulation.
pub fn build(loaded: &Loaded) -> Result<Simulation, RunError> {
    check(loaded)?;
    let mut loaded = loaded.clone();
    continued::fill(&mut loaded)?;
    built(&loaded)
}

/// The same for a scene without an end, which is defined by the caller.
pub fn build_without_end(loaded: &Loaded) -> Result<(Loaded, Simulation), RunError> {
    let mut loaded = loaded.clone();
    continued::fill(&mut loaded)?;
    let simulation = built(&loaded)?;
    Ok((loaded, simulation))
}

/// The summary of a run that has not started: its numbers have the same names as those at the end.
pub fn summary_at_start(loaded: &Loaded, simulation: &Simulation) -> Summary {
    let counts = EndCounts::of(&LazySnapshot::new(simulation));
    let mut summary = Summary::new(simulation, loaded, counts, Ended::Finished);
    summary.measured =
        loaded.outputs.measures.iter().map(measure_table::Outcome::missing).collect();
    summary
}

/// The tables of the probes of a scene: names and columns.
pub fn probe_columns(outputs: &crate::Outputs) -> Vec<(String, Vec<String>)> {
    outputs.probes.iter().map(|probe| (probe.name.clone(), probe::columns(probe))).collect()
}

fn built(loaded: &Loaded) -> Result<Simulation, RunError> {
    let simulation = loaded.scene.clone().build().map_err(|error| refused(loaded, &error))?;
    checked(simulation, loaded)
}

/// Checks the probes of a scene, given its simulation.
fn checked(simulation: Simulation, loaded: &Loaded) -> Result<Simulation, RunError> {
    let probes = &loaded.outputs.probes;
    let mut problems = probe_check::not_recorded(probes, simulation.history_columns());
    problems.extend(probe_check::without_particles(probes, &loaded.scene, &simulation));
    if problems.is_empty() {
        return Ok(simulation);
    }
    Err(refused(loaded, &esker::Error::Scene(problems)))
}

/// Refuses a simulation with warnings if the options request it.
fn refuse_doubts(simulation: &Simulation, options: &RunOptions) -> Result<(), RunError> {
    match simulation.warnings() {
        warnings if options.strict && !warnings.is_empty() => {
            Err(RunError::Doubtful(warnings.to_vec()))
        }
        _ => Ok(()),
    }
}

fn refused(loaded: &Loaded, error: &esker::Error) -> RunError {
    RunError::Scene(Box::new(loaded.explain(error)))
}

/// The program in the README is a doctest.
#[cfg(doctest)]
#[doc = include_str!("../../../../README.md")]
struct Readme;
