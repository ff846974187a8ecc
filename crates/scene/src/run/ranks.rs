//! A run whose particles are divided among ranks: threads of this process, or processes of an MPI job.

use super::checkpoint_file::Sections;
use super::open::prepare;
use super::served::serve;
use super::{CountedRanks, RunError, RunOptions, refused};
use crate::{Bundle, Loaded};
use esker::ranks::{Comm, RankThreads, spawn_ranks};
use esker::{Ownership, Scene, Simulation};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Version of the program: all processes of a job must have the same.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The first message to ranks that have the scene.
#[derive(Debug, Serialize, Deserialize)]
enum Start {
    /// The simulation is built by all ranks together.
    Build,
    /// It continues from a checkpoint.
    Restore(Sections),
}

/// The ranks of a run while the first of them starts it.
#[derive(Debug)]
pub(super) struct Team {
    size: usize,
    /// The other ranks, if they are processes that wait for the scene.
    processes: Option<Arc<dyn Comm>>,
    /// The communication with ranks that have the scene.
    started: Option<Arc<CountedRanks>>,
    threads: Option<RankThreads>,
}

impl Team {
    /// The ranks that the options request.
    pub(super) fn new(options: &RunOptions) -> Self {
        let processes = options.comm.clone();
        Self { size: options.ranks.max(1), processes, started: None, threads: None }
    }

    /// Builds the simulation of a scene, on all ranks together.
    pub(super) fn build(&mut self, loaded: &Loaded) -> Result<Simulation, RunError> {
        let scene = loaded.scene.clone();
        let simulation = match self.start(loaded, &Start::Build) {
            None => scene.build(),
            Some(comm) => scene.build_on(comm, Ownership::default()),
        };
        simulation.map_err(|error| refused(loaded, &error))
    }

    /// True if there is only one rank.
    pub(super) fn is_single(&self) -> bool {
        self.size == 1
    }

    /// Continues from a checkpoint, which all ranks read together.
    pub(super) fn restore(
        &mut self,
        loaded: &Loaded,
        sections: Sections,
    ) -> Result<Simulation, RunError> {
        let start = Start::Restore(sections);
        let comm = self.start(loaded, &start);
        let (Some(comm), Start::Restore(sections)) = (comm, start) else {
            return self.build(loaded);
        };
        let simulation = sections.restore(loaded.scene.clone(), &comm);
        simulation.map_err(|error| refused(loaded, &error))
    }

    /// Sends the scene and the first message to the other ranks; none if there is only one.
    fn start(&mut self, loaded: &Loaded, start: &Start) -> Option<Arc<dyn Comm>> {
        if self.size == 1 {
            return None;
        }
        let comm = match self.processes.take() {
            Some(comm) => {
                send_scene(loaded, &*comm);
                Arc::new(CountedRanks::new(comm, true))
            }
            None => {
                let scene = loaded.scene.clone();
                let (comm, threads) = spawn_ranks(self.size, move |comm| {
                    start_and_follow(&scene, comm, false);
                });
                self.threads = Some(threads);
                Arc::new(CountedRanks::new(comm, false))
            }
        };
        self.started = Some(Arc::clone(&comm));
        match postcard::to_allocvec(start) {
            Ok(mut message) => comm.broadcast(&mut message),
            Err(error) => comm.abort(&error.to_string()),
        }
        Some(comm)
    }

    /// Informs processes that wait for the scene that there will be no run.
    pub(super) fn dismiss(self) {
        if let Some(comm) = self.processes {
            dismiss(&*comm);
        }
    }

    /// The communication and the threads of the other ranks.
    pub(super) fn into_parts(self) -> (Option<Arc<CountedRanks>>, Option<RankThreads>) {
        (self.started, self.threads)
    }
}

/// The run of a process that is not the first: it receives the scene and the state, and follows the steps of the first
/// process to the end. Returns at once if the first one has refused to run. It reads no files.
pub fn follow(options: &RunOptions, comm: &Arc<dyn Comm>) {
    let mut message = Vec::new();
    comm.broadcast(&mut message);
    if message.is_empty() {
        return;
    }
    match received_scene(&message, options) {
        Ok(loaded) => start_and_follow(&loaded.scene, Arc::clone(comm), true),
        Err(problem) => comm.abort(&problem),
    }
}

/// Informs the other ranks that there will be no run.
pub fn dismiss(comm: &dyn Comm) {
    comm.broadcast(&mut Vec::new());
}

/// Sends the version of the program and the scene with all files that it names.
fn send_scene(loaded: &Loaded, comm: &dyn Comm) {
    let message = Bundle::of(loaded).and_then(|bundle| {
        postcard::to_allocvec(&(VERSION, bundle)).map_err(|error| error.to_string())
    });
    match message {
        Ok(mut message) => comm.broadcast(&mut message),
        Err(problem) => comm.abort(&problem),
    }
}

/// The scene that the first process has sent, ready to be built.
fn received_scene(message: &[u8], options: &RunOptions) -> Result<Loaded, String> {
    let other = |version: &str| {
        format!(
            "this is Esker {VERSION}, but the first process is Esker {version}: start the same program everywhere"
        )
    };
    let (version, rest) =
        postcard::take_from_bytes::<String>(message).map_err(|_| other("of another version"))?;
    if version != VERSION {
        return Err(other(&version));
    }
    let bundle = postcard::from_bytes::<Bundle>(rest).map_err(|error| error.to_string())?;
    let loaded = bundle.load().map_err(|diagnostics| diagnostics.render(false))?;
    prepare(loaded, options).map_err(|error| error.to_string())
}

/// Builds or restores the simulation together with the first rank, and follows its steps.
fn start_and_follow(scene: &Scene, comm: Arc<dyn Comm>, is_process: bool) {
    let comm: Arc<dyn Comm> = Arc::new(CountedRanks::new(comm, is_process));
    let mut message = Vec::new();
    comm.broadcast(&mut message);
    let scene = scene.clone();
    let simulation = match postcard::from_bytes::<Start>(&message) {
        Ok(Start::Build) => scene.build_on(comm, Ownership::default()),
        Ok(Start::Restore(sections)) => sections.restore(scene, &comm),
        Err(error) => comm.abort(&error.to_string()),
    };
    // the first rank finds and reports the same error
    if let Ok(simulation) = simulation {
        simulation.follow_and_serve(serve);
    }
}
