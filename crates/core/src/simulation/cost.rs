//! Counts and durations of the work of a simulation.

use super::Simulation;
use crate::engine::Statistics;
use crate::integrate::{ForcedRejections, StepCounts};
use crate::phases::Phase;

impl Simulation {
    /// Counts of rebuilds, steps and evaluations.
    pub fn statistics(&self) -> Statistics {
        self.engine.statistics()
    }

    /// Counts of steps: rejected attempts, iterations, evaluations, shortest and longest step.
    pub fn step_counts(&self) -> StepCounts {
        self.integrator.counts
    }

    /// For tests: repeats acceptable attempts of each step, up to `most` times, a random number of times. Used only by
    /// integrators that can reject a step.
    #[doc(hidden)]
    pub fn force_rejections(&mut self, seed: u64, most: u64) {
        self.integrator.forced = Some(ForcedRejections { seed, most });
    }

    /// Number of pairs of materials whose laws are evaluated by a compiled contact kernel; the others use the dynamic
    /// path, which gives the same results.
    pub fn pairs_with_kernel(&self) -> usize {
        self.engine.table().pairs.iter().filter(|pair| pair.kernel.is_some()).count()
    }

    /// Current number of pairs in the neighbour list and of contacts between particles.
    pub fn pairs_and_contacts(&self) -> (usize, usize) {
        self.whole().engine.pairs_and_contacts()
    }

    /// Starts to measure the time of each pass of a step, with a clock in seconds.
    pub fn time_phases(&mut self, clock: fn() -> f64) {
        self.engine.phases_mut().start(clock);
    }

    /// Seconds of each pass since [`Self::time_phases`].
    pub fn phases(&self) -> impl Iterator<Item = (Phase, f64)> {
        Phase::ALL.into_iter().zip(self.engine.phases().seconds())
    }

    /// Bytes used for particles and contacts.
    pub fn bytes(&self) -> usize {
        self.engine.bytes()
    }
}
