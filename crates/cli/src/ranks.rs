//! The ranks of a run: threads of this process (`--ranks`), or processes of an MPI job.

use crate::arguments;
use crate::failure::{Failure, say};
#[cfg(feature = "mpi")]
use crate::launcher;
use esker::ranks::{Comm, RankFailure};
use esker_scene::run::{self, Placement, RankReport, RunOptions};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::time::Duration;

/// The MPI job of this process, until the end of the program.
pub struct Job {
    comm: Option<Arc<dyn Comm>>,
    /// Placement of the processes.
    placement: Option<Placement>,
    #[cfg(feature = "mpi")]
    _universe: Option<esker_mpi::Universe>,
}

impl Job {
    /// This process is the only one.
    #[cfg(not(feature = "mpi"))]
    #[allow(clippy::unnecessary_wraps, reason = "as with MPI")]
    pub fn start(_: Duration, _: usize) -> Result<Self, Failure> {
        Ok(Self { comm: None, placement: None })
    }

    /// Starts MPI if this is one of several processes. Signals must be blocked before, since MPI starts threads. The
    /// job ends if a process waits longer than `timeout` for another one; `threads` is the number requested for each.
    #[cfg(feature = "mpi")]
    pub fn start(timeout: Duration, threads: usize) -> Result<Self, Failure> {
        if launcher::processes().is_none() {
            return Ok(Self { comm: None, placement: None, _universe: None });
        }
        let Some((universe, comm)) = esker_mpi::start() else {
            return Err(Failure::input("MPI cannot be initialised"));
        };
        esker_mpi::abort_on_panic();
        comm.watch(timeout);
        let placement = Some(Placement::of(&comm, threads));
        Ok(Self { comm: Some(Arc::new(comm)), placement, _universe: Some(universe) })
    }

    /// Communicator with the other processes.
    pub fn comm(&self) -> Option<&Arc<dyn Comm>> {
        self.comm.as_ref()
    }

    /// True if this process only follows the first one.
    pub fn follows(&self) -> bool {
        self.comm.as_ref().is_some_and(|comm| comm.rank() > 0)
    }

    /// Number of ranks within this process.
    pub fn ranks(&self, requested: usize) -> usize {
        self.comm.as_ref().map_or(requested, |comm| comm.size())
    }

    /// Cores that this process may use; 0 if it is the only one.
    pub fn cores(&self) -> usize {
        let placed = self.comm.as_ref().zip(self.placement.as_ref());
        placed.map_or(0, |(comm, placement)| placement.cores(comm.rank()))
    }

    /// Prints the placement of the processes, with a warning if there are too many threads; `threads` is the number per
    /// process.
    pub fn say_placement(&self, threads: usize, quiet: bool) {
        let Some(placement) = &self.placement else { return };
        if !quiet {
            say(format_args!("{}\n", placement.describe(threads)));
        }
        if let Some(warning) = placement.warning(threads) {
            say(format_args!("warning: {warning}\n"));
        }
    }

    /// Follows the steps of the first process, which sends the scene.
    pub fn follow(&self, arguments: &arguments::Run) {
        if let Some(comm) = &self.comm {
            let options = RunOptions {
                threads: arguments.threads,
                ranks: comm.size(),
                cores: self.cores(),
                ..RunOptions::default()
            };
            run::follow(&options, comm);
        }
    }

    /// Informs the other processes that there will be no run.
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

/// Memory and communication of the ranks in one line; none on one rank.
pub fn describe(reports: &[RankReport]) -> Option<String> {
    if reports.is_empty() {
        return None;
    }
    let part = |seconds: fn(&RankReport) -> f64| {
        let parts = reports.iter().map(|one| 100.0 * seconds(one) / one.wall_time.max(1e-9));
        parts.sum::<f64>() / reports.len() as f64
    };
    let mut text = format!(
        "{} ranks: {:.0} % of the time in the exchange of ghosts, {:.0} % in agreements, {:.0} % in other \
         communication",
        reports.len(),
        part(|report| report.communication.halo_seconds),
        part(|report| report.communication.agreement_seconds),
        part(|report| report.communication.other_seconds),
    );
    let memory = reports.iter().map(|one| one.peak_memory).collect::<Option<Vec<u64>>>();
    let memory = memory.unwrap_or_default();
    if let Some((least, most)) = memory.iter().min().zip(memory.iter().max()) {
        text += &format!("; memory of a rank {} to {} MB", least / 1_000_000, most / 1_000_000);
    }
    Some(text)
}
