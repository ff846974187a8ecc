//! The ranks of a run: threads of this process (`--ranks`), or processes of an MPI job.

use crate::arguments;
use crate::failure::Failure;
#[cfg(feature = "mpi")]
use crate::launcher;
use esker::ranks::{Comm, RankFailure};
use esker_scene::run::{self, RunOptions};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;

/// The MPI job that this process belongs to, until the end of the program.
pub struct Job {
    comm: Option<Arc<dyn Comm>>,
    #[cfg(feature = "mpi")]
    _universe: Option<esker_mpi::Universe>,
}

impl Job {
    /// This process is the only one.
    #[cfg(not(feature = "mpi"))]
    #[allow(clippy::unnecessary_wraps, reason = "as with MPI")]
    pub fn start(_: &arguments::Run) -> Result<Self, Failure> {
        Ok(Self { comm: None })
    }

    /// Starts MPI if this is one of several processes. Signals must be blocked before: MPI starts threads.
    #[cfg(feature = "mpi")]
    pub fn start(arguments: &arguments::Run) -> Result<Self, Failure> {
        if launcher::processes().is_none() {
            return Ok(Self { comm: None, _universe: None });
        }
        let Some((universe, comm)) = esker_mpi::start() else {
            return Err(Failure::input("MPI cannot be initialised"));
        };
        esker_mpi::abort_on_panic();
        comm.watch(arguments.mpi_timeout);
        Ok(Self { comm: Some(Arc::new(comm)), _universe: Some(universe) })
    }

    /// The communication with the other processes.
    pub fn comm(&self) -> Option<&Arc<dyn Comm>> {
        self.comm.as_ref()
    }

    /// Whether this process only follows the first one.
    pub fn follows(&self) -> bool {
        self.comm.as_ref().is_some_and(|comm| comm.rank() > 0)
    }

    /// Number of ranks of a run.
    pub fn ranks(&self, arguments: &arguments::Run) -> usize {
        self.comm.as_ref().map_or(arguments.ranks, |comm| comm.size())
    }

    /// Makes the steps of the first process, which sends the scene.
    pub fn follow(&self, arguments: &arguments::Run) {
        if let Some(comm) = &self.comm {
            let options = RunOptions {
                threads: arguments.threads,
                ranks: comm.size(),
                ..RunOptions::default()
            };
            run::follow(&options, comm);
        }
    }

    /// Tells the other processes that there will be no run.
    pub fn dismiss(&self) {
        if let Some(comm) = &self.comm {
            run::dismiss(&**comm);
        }
    }
}

/// Runs the first rank. If another rank fails, the first one unwinds: that is reported as an error.
pub fn report_failures<R>(work: impl FnOnce() -> R) -> Result<R, Failure> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        match payload.downcast::<RankFailure>() {
            Ok(failure) => Failure::input(format!("the run has ended: {failure}"))
                .help("`--resume` continues from the last checkpoint"),
            Err(payload) => resume_unwind(payload),
        }
    })
}
