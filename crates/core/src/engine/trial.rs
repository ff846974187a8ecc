//! The trial state of an integrator: forces and mean motions that are not accepted yet.

use super::halo::Additional;
use crate::particles::{ForceTorque, HalfKick, MeanMotion};

/// Forces and mean motions of a trial state. Positions and velocities of a trial state are those of the
/// particles.
#[derive(Debug, Default)]
pub(crate) struct TrialState {
    /// Forces of the last evaluation.
    pub(super) loads: Vec<ForceTorque>,
    /// Forces of the previous evaluation, for integrators with several evaluations per step.
    pub(super) saved_loads: Vec<ForceTorque>,
    /// Mean motion of each particle since the accepted state; empty unless the integrator provides it.
    pub(super) motions: Vec<MeanMotion>,
    /// Kicks of each particle in the current step, if the slip of some is accurate; empty otherwise.
    pub(super) kicks: Vec<HalfKick>,
}

impl TrialState {
    /// Mean motions that laws may use; none if no time has elapsed.
    pub(super) fn motions_after(&self, elapsed: f64) -> &[MeanMotion] {
        if elapsed > 0.0 { &self.motions } else { &[] }
    }

    /// Kicks to be used in an evaluation; none if no time has elapsed.
    pub(super) fn kicks_after(&self, elapsed: f64) -> &[HalfKick] {
        if elapsed > 0.0 { &self.kicks } else { &[] }
    }

    /// Extends the vectors that are sent with the motion of ghosts to this number of particles.
    pub(super) fn make_room_for_ghosts(&mut self, additional: Additional, particles: usize) {
        match additional {
            Additional::Nothing => {}
            Additional::MeanMotion => self.motions.resize(particles, MeanMotion::default()),
            Additional::Kick => self.kicks.resize(particles, HalfKick::default()),
        }
    }

    /// Removes what was added for ghosts.
    pub(super) fn remove_ghosts(&mut self, own: usize) {
        self.motions.truncate(own);
        self.kicks.truncate(own);
    }
}
