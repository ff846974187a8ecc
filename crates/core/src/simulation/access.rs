//! Read access between steps: time, stage, particles, warnings.

use super::{Counts, Simulation};
use crate::Vec3;
use crate::domain::Domain;
use crate::particles::Particles;
use crate::particles::storage::DetachedStorage;
use crate::time_step::Advice;

impl Simulation {
    /// Simulated time [s].
    pub fn time(&self) -> f64 {
        self.clock.time()
    }

    /// Number of steps.
    pub fn steps(&self) -> u64 {
        self.clock.step
    }

    /// Length of the current time step [s].
    pub fn dt(&self) -> f64 {
        self.clock.dt
    }

    /// True if all stages have ended. A scene without stages never ends.
    pub fn is_finished(&self) -> bool {
        self.schedule.is_finished(self)
    }

    /// Name of the current stage.
    pub fn stage(&self) -> &str {
        self.schedule.stage_name()
    }

    /// Completed fraction of the run, if it follows from times.
    pub fn progress(&self) -> Option<f64> {
        self.schedule.progress(self.time())
    }

    /// The particles.
    pub fn particles(&self) -> &Particles {
        self.whole().engine.particles()
    }

    /// The particles, to be changed between steps; forces are evaluated before the next one.
    ///
    /// # Panics
    /// On several ranks, where changes between steps are not supported.
    pub fn particles_mut(&mut self) -> &mut Particles {
        assert!(self.ranks.is_none(), "particles cannot be changed on several ranks");
        if !self.energy_exchange.is_edited() {
            self.energy_exchange.begin_edit(self.balance());
        }
        self.engine.particles_mut()
    }

    /// Continues with a copy of the particles and returns their previous memory, for views that still refer to it
    /// ([`Particles::view`]). Changes no result.
    pub fn detach_particles(&mut self) -> DetachedStorage {
        self.engine.particles_mut().detach()
    }

    /// Numbers of particles.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Quantities from which the time step was chosen.
    pub fn advice(&self) -> &Advice {
        &self.advice
    }

    /// Number of steps within the shortest contact so far, measured from the stiffest contact. None before the first
    /// contact.
    pub fn steps_per_contact(&self) -> Option<f64> {
        self.fewest_steps.is_finite().then_some(self.fewest_steps)
    }

    /// Warnings so far.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Remarks of the laws on their parameters.
    pub fn remarks(&self) -> &[String] {
        &self.engine.table().remarks
    }

    /// Names of the groups of particles.
    pub fn groups(&self) -> &[String] {
        &self.groups
    }

    /// The domain.
    pub fn domain(&self) -> &Domain {
        self.engine.domain()
    }

    /// Current gravity [m/s²].
    pub fn gravity(&self) -> Vec3 {
        self.engine.gravity()
    }
}
