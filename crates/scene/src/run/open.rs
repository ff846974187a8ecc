//! Starts or resumes a run.

use super::checkpoint::{Checkpoint, Positions};
use super::checkpoint_file::{CheckpointFile, Sections};
use super::lazy_snapshot::LazySnapshot;
use super::lock::Lock;
use super::ranks::Team;
use super::recorder::Recorder;
use super::report_frames::ReportFrames;
use super::{Earlier, Run, RunError, RunOptions};
use super::{changes, check, checked, continued, folder, inputs, refuse_doubts, refused, threads};
use crate::Loaded;
use esker::Simulation;
use esker::Trigger;
use esker::state::State;
use esker_draw::OutputError;
use std::path::{Path, PathBuf};

/// Checks a scene, and applies its outputs and the options of the run.
pub(super) fn prepare(mut loaded: Loaded, options: &RunOptions) -> Result<Loaded, RunError> {
    check(&loaded)?;
    if options.ranks > 1 {
        let problems = loaded.scene.unsupported_on_ranks();
        if !problems.is_empty() {
            return Err(refused(&loaded, &esker::Error::Scene(problems)));
        }
    }
    loaded.scene.ledger =
        loaded.outputs.energy.is_some() || loaded.scene.health.energy_error.is_some();
    continued::fill(&mut loaded)?;
    if options.light {
        loaded.outputs.frames = None;
        loaded.outputs.contacts = None;
    }
    loaded.scene.threads = match options.threads {
        0 => threads::on_rank(&loaded.scene, options),
        given => given,
    };
    Ok(loaded)
}

impl Run {
    /// Builds the simulation and starts its files, or continues both. Other processes that wait for a scene are
    /// informed if there is no run.
    pub fn open(loaded: Loaded, options: &RunOptions) -> Result<Self, RunError> {
        let mut team = Team::new(options);
        let opened = prepare(loaded, options).and_then(|loaded| match options.resume {
            true => Self::resume(loaded, options, &mut team),
            false => Self::start(loaded, options, &mut team),
        });
        match opened {
            Ok(mut run) => {
                run.light = options.light;
                run.viewer = options.viewer;
                (run.ranks, run.rank_threads) = team.into_parts();
                Ok(run)
            }
            Err(error) => {
                team.dismiss();
                Err(error)
            }
        }
    }

    fn start(loaded: Loaded, options: &RunOptions, team: &mut Team) -> Result<Self, RunError> {
        let simulation = checked(team.build(&loaded)?, &loaded)?;
        refuse_doubts(&simulation, options)?;
        let lock = folder::prepare(&options.folder, options.force)?;
        Self::begin(simulation, loaded, options, lock)
    }

    /// Creates all files in an empty, locked folder.
    fn begin(
        simulation: Simulation,
        loaded: Loaded,
        options: &RunOptions,
        lock: Lock,
    ) -> Result<Self, RunError> {
        let folder = options.folder.clone();
        folder::write_scene(&folder, &loaded, &options.overrides)?;
        inputs::write(&folder, loaded.provided())?;
        let now = LazySnapshot::new(&simulation);
        let mut recorder = Recorder::start(&folder, &loaded.outputs, &now)?;
        recorder.record(&now)?;
        let report_frames = ReportFrames::new(&now, loaded.outputs.report && !options.light);
        let mut checkpoints = loaded.outputs.checkpoint.map(Trigger::every);
        // No checkpoint at the start: the scene is sufficient.
        if let Some(trigger) = &mut checkpoints {
            trigger.fires(&simulation);
        }
        Ok(Self::assembled(simulation, recorder, report_frames, loaded, folder, checkpoints, lock))
    }

    #[allow(clippy::too_many_lines, reason = "the steps of a resume, in their order")]
    fn resume(loaded: Loaded, options: &RunOptions, team: &mut Team) -> Result<Self, RunError> {
        let folder = options.folder.clone();
        let nothing = |what| RunError::NothingToResume { path: folder.clone(), what };
        if !folder.is_dir() {
            return Err(nothing("is not there"));
        }
        let lock = Lock::take(&folder)?;
        if !folder::holds_run(&folder) && !lock.stale {
            return Err(nothing("holds no run"));
        }
        let changes = match folder::holds_run(&folder) {
            true => changes::between(&folder::scene_as_used(&folder)?, loaded.source.text()),
            false => None,
        };
        if let Some(changes) = changes.clone().filter(|_| !options.force) {
            return Err(RunError::OtherScene { path: folder, changes });
        }
        if !folder::has_checkpoint(&folder) {
            if folder.join("summary.json").is_file() {
                return Err(nothing("holds a run that has ended without a checkpoint"));
            }
            let simulation = checked(team.build(&loaded)?, &loaded)?;
            refuse_doubts(&simulation, options)?;
            folder::clear(&folder)?;
            let mut run = Self::begin(simulation, loaded, options, lock)?;
            run.remarks.push("the run had no checkpoint yet and starts from the beginning".into());
            return Ok(run);
        }
        let (saved, positions, damaged) = Saved::newest(&folder, team)?;
        let inputs = changes::inputs(&loaded.scene);
        let altered = changes::between_inputs(&positions.inputs, &inputs);
        if let Some(changes) = altered.clone().filter(|_| !options.force) {
            return Err(RunError::OtherScene { path: folder, changes });
        }
        let simulation = saved.restore(&loaded, team)?;
        refuse_doubts(&simulation, options)?;
        folder::sweep(&folder)?;
        let now = LazySnapshot::new(&simulation);
        let recorder = Recorder::resume(&folder, &loaded.outputs, &now, &positions)?;
        folder::forget_end(&folder)?;
        let report_frames = ReportFrames::new(&now, loaded.outputs.report && !options.light);
        let (time, dt) = (simulation.time(), simulation.dt());
        let every = loaded.outputs.checkpoint;
        let checkpoints = every.map(|every| Trigger::every(every).resumed(time, dt));
        if changes.is_some() {
            folder::write_scene(&folder, &loaded, &options.overrides)?;
        }
        let mut run =
            Self::assembled(simulation, recorder, report_frames, loaded, folder, checkpoints, lock);
        run.earlier = Earlier {
            steps: run.simulation.steps(),
            wall_time: positions.wall_time,
            processor_time: positions.processor_time,
        };
        run.remarks
            .extend(damaged.map(|error| format!("{error}; the previous checkpoint is used")));
        run.remarks.extend(
            changes
                .into_iter()
                .chain(altered)
                .map(|changes| format!("the scene has changed: {changes}")),
        );
        Ok(run)
    }

    fn assembled(
        simulation: Simulation,
        recorder: Recorder,
        report_frames: ReportFrames,
        loaded: Loaded,
        folder: PathBuf,
        checkpoints: Option<Trigger>,
        lock: Lock,
    ) -> Self {
        let remarks = lock.remark.iter().cloned().collect();
        Self {
            simulation,
            recorder,
            report_frames,
            loaded,
            folder,
            checkpoints,
            stopwatch: None,
            earlier: Earlier::default(),
            particle_steps: 0.0,
            remarks,
            light: false,
            viewer: None,
            ranks: None,
            rank_threads: None,
            _lock: lock,
        }
    }
}

/// A saved state.
enum Saved {
    /// It is in memory.
    State(Box<State>),
    /// It is in a file that all ranks read together.
    File(Sections),
}

impl Saved {
    /// The latest intact checkpoint of a run folder with its positions, and the problem of the latest file if that is
    /// damaged.
    fn newest(
        folder: &Path,
        team: &Team,
    ) -> Result<(Self, Positions, Option<OutputError>), OutputError> {
        if team.is_single() {
            let (Checkpoint { positions, state }, damaged) = Checkpoint::newest(folder)?;
            return Ok((Self::State(Box::new(state)), positions, damaged));
        }
        let (CheckpointFile { positions, sections }, damaged) = CheckpointFile::newest(folder)?;
        Ok((Self::File(sections), positions, damaged))
    }

    fn restore(self, loaded: &Loaded, team: &mut Team) -> Result<Simulation, RunError> {
        match self {
            Self::State(state) => Simulation::restore(loaded.scene.clone(), *state)
                .map_err(|error| refused(loaded, &error)),
            Self::File(sections) => team.restore(loaded, sections),
        }
    }
}
