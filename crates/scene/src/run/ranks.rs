//! A run whose particles are divided among ranks: threads of this process, or processes of an MPI job.

use super::open::prepare;
use super::{CountedRanks, Run, RunError, RunOptions, refused};
use crate::{Bundle, Loaded};
use esker::ranks::{Comm, spawn_ranks};
use esker::state::State;
use esker::{Ownership, Scene, Simulation};
use std::sync::Arc;

/// Version of the program: all processes of a job must have the same.
const VERSION: &str = env!("CARGO_PKG_VERSION");

impl Run {
    /// Divides the particles among ranks. All start from the same state, which the first one sends.
    pub(super) fn on_ranks(mut self, options: &RunOptions) -> Result<Self, RunError> {
        let comm = match &options.comm {
            Some(comm) => {
                send_scene(&self.loaded, &**comm);
                Arc::clone(comm)
            }
            None => {
                let scene = self.loaded.scene.clone();
                let (comm, threads) = spawn_ranks(options.ranks, move |comm| {
                    receive_and_follow(&scene, comm, false);
                });
                self.rank_threads = Some(threads);
                comm
            }
        };
        let counted = Arc::new(CountedRanks::new(comm, options.comm.is_some()));
        let comm: Arc<dyn Comm> = Arc::<CountedRanks>::clone(&counted);
        self.ranks = Some(counted);
        let state = self.simulation.save();
        let mut message = match postcard::to_allocvec(&state) {
            Ok(message) => message,
            Err(error) => comm.abort(&error.to_string()),
        };
        comm.broadcast(&mut message);
        let own = Simulation::restore(self.loaded.scene.clone(), state);
        let own = own.and_then(|own| own.on_ranks(comm, Ownership::default()));
        self.simulation = own.map_err(|error| refused(&self.loaded, &error))?;
        Ok(self)
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
        Ok(loaded) => receive_and_follow(&loaded.scene, Arc::clone(comm), true),
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

fn receive_and_follow(scene: &Scene, comm: Arc<dyn Comm>, is_process: bool) {
    let comm: Arc<dyn Comm> = Arc::new(CountedRanks::new(comm, is_process));
    let mut message = Vec::new();
    comm.broadcast(&mut message);
    if message.is_empty() {
        return;
    }
    let simulation = postcard::from_bytes::<State>(&message)
        .map_err(|error| error.to_string())
        .and_then(|state| {
            let own = Simulation::restore(scene.clone(), state);
            own.and_then(|own| own.on_ranks(Arc::clone(&comm), Ownership::default()))
                .map_err(|error| error.to_string())
        });
    match simulation {
        Ok(simulation) => {
            simulation.follow();
        }
        Err(problem) => comm.abort(&problem),
    }
}
