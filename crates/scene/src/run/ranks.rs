//! A run whose particles are divided among ranks: threads of this process, or processes of an MPI job.

use super::open::prepare;
use super::{Run, RunError, RunOptions, refused};
use crate::Loaded;
use esker::ranks::{Comm, spawn_ranks};
use esker::state::State;
use esker::{Ownership, Scene, Simulation};
use std::sync::Arc;

impl Run {
    /// Shares the work among ranks. All start from the same state, which the first one sends.
    pub(super) fn on_ranks(mut self, options: &RunOptions) -> Result<Self, RunError> {
        let comm = match &options.comm {
            Some(comm) => Arc::clone(comm),
            None => {
                let scene = self.loaded.scene.clone();
                let (comm, threads) = spawn_ranks(options.ranks, move |comm| {
                    receive_and_follow(&scene, &comm);
                });
                self.rank_threads = Some(threads);
                comm
            }
        };
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

/// The part of a rank that is not the first: it has loaded the same scene, receives the state and makes
/// the steps of the first rank until that one ends. Ends at once if the first one has refused to run.
pub fn follow(
    loaded: Result<Loaded, String>,
    options: &RunOptions,
    comm: &Arc<dyn Comm>,
) -> Result<(), RunError> {
    match loaded {
        Ok(loaded) => match prepare(loaded, options) {
            Ok(loaded) => receive_and_follow(&loaded.scene, comm),
            Err(error) => refuse_to_follow(comm, &error.to_string()),
        },
        Err(problem) => refuse_to_follow(comm, &problem),
    }
    Ok(())
}

/// Tells the other ranks that there will be no run.
pub fn dismiss(comm: &dyn Comm) {
    comm.broadcast(&mut Vec::new());
}

/// The first rank has found the same problem and reports it; if not, all end with this one.
fn refuse_to_follow(comm: &Arc<dyn Comm>, problem: &str) {
    let mut message = Vec::new();
    comm.broadcast(&mut message);
    if !message.is_empty() {
        comm.abort(problem);
    }
}

fn receive_and_follow(scene: &Scene, comm: &Arc<dyn Comm>) {
    let mut message = Vec::new();
    comm.broadcast(&mut message);
    if message.is_empty() {
        return;
    }
    let simulation = postcard::from_bytes::<State>(&message)
        .map_err(|error| error.to_string())
        .and_then(|state| {
            let own = Simulation::restore(scene.clone(), state);
            own.and_then(|own| own.on_ranks(Arc::clone(comm), Ownership::default()))
                .map_err(|error| error.to_string())
        });
    match simulation {
        Ok(simulation) => {
            simulation.follow();
        }
        Err(problem) => comm.abort(&problem),
    }
}
