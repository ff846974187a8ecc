//! A run whose particles are divided among ranks within this process.

use super::{Run, RunError, refused};
use esker::ranks::spawn_ranks;
use esker::{Ownership, Simulation};
use std::sync::Arc;

impl Run {
    /// Shares the work among ranks, which are threads of this process. All start from the same state.
    pub(super) fn on_ranks(mut self, ranks: usize) -> Result<Self, RunError> {
        let scene = Arc::new(self.loaded.scene.clone());
        let state = Arc::new(self.simulation.save());
        let (of_others, from) = (Arc::clone(&scene), Arc::clone(&state));
        let restored = |scene: &esker::Scene, state: &esker::state::State| {
            Simulation::restore(scene.clone(), state.clone())
        };
        let own = restored(&scene, &state).map_err(|error| refused(&self.loaded, &error))?;
        let (comm, threads) = spawn_ranks(ranks, move |comm| {
            // the first rank has made the same simulation, so that an error here cannot be one of the user
            let simulation = restored(&of_others, &from)
                .and_then(|own| own.on_ranks(Arc::clone(&comm), Ownership::default()));
            match simulation {
                Ok(simulation) => {
                    simulation.follow();
                }
                Err(error) => comm.abort(&error.to_string()),
            }
        });
        let own = own.on_ranks(comm, Ownership::default());
        self.simulation = own.map_err(|error| refused(&self.loaded, &error))?;
        self.rank_threads = Some(threads);
        Ok(self)
    }
}
