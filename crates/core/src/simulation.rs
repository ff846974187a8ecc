//! A simulation: valid by construction, advanced step by step.

mod access;
mod clock;
mod cost;
mod failure;
mod output;

pub(crate) use clock::Clock;

use crate::diagnosis::DetectedAt;
use crate::distributed::Ranks;
use crate::energy_exchange::EnergyExchange;
use crate::engine::Engine;
use crate::error::{Cause, Error};
use crate::health::Overlaps;
use crate::insert::Restart;
use crate::integrate::{Failure, Outcome, StepPlan, Workspace, advance};
use crate::law::Step;
use crate::scene::{Scene, StepSize};
use crate::schedule::Schedule;
use crate::time_step::Advice;
use crate::time_step::control::StepControl;
use crate::time_step::survey::SurveyScratch;
use std::sync::Arc;

/// Numbers of particles; `inserted = deleted + present` always holds.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::{simulation, RADIUS};
/// use esker::prelude::*;
///
/// # let grains = vec![Sphere::new(RADIUS, Vec3::ZERO)];
/// let simulation = simulation(ContactModel::normal(Hertz::default()), Pair::new(), grains);
/// let counts = simulation.counts();
/// assert_eq!((counts.inserted, counts.deleted, counts.present), (1, 0, 1));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Counts {
    /// Inserted so far, including the particles of walls.
    pub inserted: u64,
    /// Deleted so far: they left the domain, or a stage removed them.
    pub deleted: u64,
    /// Currently in the domain.
    pub present: u64,
}

/// A running simulation of a scene.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::{scene, RADIUS};
/// use esker::prelude::*;
///
/// let (mut scene, grain) = scene(ContactModel::normal(Hertz::default()), Pair::new());
/// let left = Sphere { velocity: Vec3::X, ..Sphere::new(RADIUS, Vec3::ZERO) };
/// let [left, right] =
///     [left, Sphere::new(RADIUS, Vec3::X * 0.03)].map(|sphere| scene.add_sphere(grain, sphere));
/// let mut simulation = scene.build()?;
/// simulation.run_until(0.05)?;
/// // an elastic impact of equal spheres exchanges their velocities
/// let particles = simulation.particles();
/// assert!(particles[left].velocity.length() < 1e-3);
/// assert!((particles[right].velocity - Vec3::X).length() < 1e-3);
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug)]
pub struct Simulation {
    pub(crate) engine: Engine,
    /// Scratch memory of the integrator.
    pub(crate) integrator: Workspace,
    pub(crate) scene: Scene,
    pub(crate) schedule: Schedule,
    pub(crate) clock: Clock,
    pub(crate) counts: Counts,
    pub(crate) groups: Vec<String>,
    pub(crate) energy_exchange: EnergyExchange,
    pub(crate) advice: Advice,
    /// Control of the automatic time step.
    pub(crate) control: StepControl,
    /// Scratch arrays of the passes that choose the time step.
    pub(crate) survey_scratch: SurveyScratch,
    pub(crate) warnings: Vec<String>,
    pub(crate) outcome: Outcome,
    /// Length of the last step [s].
    pub(crate) last_dt: f64,
    /// Number of steps in the shortest contact so far, from the stiffest contact; infinite
    /// before the first contact.
    pub(crate) fewest_steps: f64,
    /// Overlaps beyond the limit so far.
    pub(crate) overlaps: Overlaps,
    /// Contact histories to be assigned to new particles: first id, path in the scene.
    pub(crate) inherited: Vec<(u64, String, Arc<Restart>)>,
    /// Communication with the other ranks, if there are several.
    pub(crate) ranks: Option<Ranks>,
}

impl Simulation {
    /// Advances by one time step, after the changes that are due before it.
    pub fn step(&mut self) -> Result<(), Error> {
        self.lead_step();
        self.step_together()
    }

    /// The step of one rank, made together with all other ranks.
    pub(crate) fn step_together(&mut self) -> Result<(), Error> {
        self.accept_edits()?;
        self.apply_schedule()?;
        self.update_step()?;
        self.refresh_neighbour_list()?;
        self.integrate()?;
        self.engine.count_step();
        let Outcome { within_skin, inside } = self.outcome;
        let [beyond_skin, outside] = self.engine.agree([!within_skin, !inside]);
        self.outcome = Outcome { within_skin: !beyond_skin, inside: !outside };
        self.count_division();
        self.check_health()
    }

    /// Integrates one time step.
    fn integrate(&mut self) -> Result<(), Error> {
        let (longest, shortest) = self.step_bounds();
        let Clock { dt, step, .. } = self.clock;
        let plan = StepPlan {
            time: self.clock.time(),
            dt,
            longest,
            shortest,
            step,
            rotation: self.scene.rotation,
            speed: self.advice.reference_speed,
            is_controlled: !matches!(self.scene.step, StepSize::Fixed(_)),
        };
        match advance(self.scene.integrator, &mut self.engine, &mut self.integrator, &plan) {
            Ok(completed) => {
                self.outcome = completed.outcome;
                self.integrator.counts.record(completed.dt);
                self.control.count_step();
                self.last_dt = completed.dt;
                self.clock.pass(completed.dt, completed.next);
                Ok(())
            }
            Err(Failure { cause, id }) => {
                self.join();
                let slot = self.engine.particles().slot(id).unwrap_or(0);
                // a failure is reported with the accepted state
                let step = Step::at_accepted_state(dt);
                self.engine.evaluate_trial(self.clock.time(), step);
                Err(self.stopped(cause, slot, None).into())
            }
        }
    }

    /// Rebuilds the neighbour list from the current state, to measure its cost. A step rebuilds
    /// the list if a particle could leave its skin. Results do not change.
    pub fn rebuild_neighbour_list(&mut self) {
        self.engine.rebuild(|_| true);
        self.outcome.within_skin = self.engine.stays_within_skin();
    }

    /// Evaluates the forces after an edit through [`Self::particles_mut`] and adds its energy to the ledger. The next
    /// step does this too; without an edit there is no effect.
    pub fn accept_edits(&mut self) -> Result<(), Error> {
        let Some(before) = self.energy_exchange.end_edit() else { return Ok(()) };
        if let Some(slot) = self.engine.first_not_finite() {
            return Err(self.stopped(Cause::NotFinite, slot, None).into());
        }
        if let Some(slot) = self.engine.wrap_edited() {
            return Err(self.stopped(Cause::LeftDomain, slot, None).into());
        }
        self.changed()?;
        self.energy_exchange.insert(before, self.balance());
        Ok(())
    }

    /// Rebuilds the neighbour list if a particle or wall could leave its skin within the next step.
    fn refresh_neighbour_list(&mut self) -> Result<(), Error> {
        let next = self.clock.time() + self.clock.dt;
        self.engine.set_step(self.clock.time(), self.clock.dt);
        let is_due = !self.outcome.within_skin || self.engine.walls_leave_skin(next);
        if !is_due && !self.must_split() {
            return Ok(());
        }
        if is_due {
            self.check_finite()?;
        }
        if !self.must_split() {
            self.rebuild_list();
        } else {
            if is_due {
                self.engine.count_rebuild();
            }
            self.split();
        }
        self.outcome.within_skin = true;
        Ok(())
    }

    /// Stops if a particle of any rank is not finite.
    pub(crate) fn check_finite(&mut self) -> Result<(), Error> {
        if self.engine.any(self.engine.first_not_finite().is_some()) {
            self.join();
            if let Some(slot) = self.engine.first_not_finite() {
                return Err(self.stopped(Cause::NotFinite, slot, None).into());
            }
        }
        Ok(())
    }

    fn check_health(&mut self) -> Result<(), Error> {
        if !self.outcome.inside {
            self.leave_domain()?;
        }
        self.check_overlap(DetectedAt::Step)?;
        self.record_stiffness();
        self.check_energy()
    }

    /// Evaluates the forces at the accepted state after a change between steps.
    pub(crate) fn evaluate_after_change(&mut self) {
        let step = Step::at_accepted_state(self.clock.dt);
        self.engine.evaluate_accepted(self.clock.time(), step);
    }
}
