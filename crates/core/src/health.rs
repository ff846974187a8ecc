//! Looking for the particle that has gone wrong, once a step has seen that one has.

use crate::diagnosis::Moment;
use crate::engine::{Engine, Integration};
use crate::error::{Cause, Diagnosis, Error};
use crate::id::ParticleId;
use crate::particles::wrap;
use crate::scene::{OverlapPolicy, StepLimit};
use crate::simulation::Simulation;
use crate::snapshot::{ContactView, Partner};
use crate::time_step::LIMIT_SHARE;

/// Steps from one look at the energy ledger to the next: sums over all particles have their cost.
const STEPS_BETWEEN_LEDGERS: u64 = 64;

/// How far beyond the limit a contact may take the step before the run stops. Among twelve
/// neighbours a step is stable up to 1.24 of the limit.
const BEYOND_LIMIT: f64 = 1.2;

/// Overlaps beyond the limit so far.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Overlaps {
    /// Steps after which an overlap was beyond the limit.
    pub steps: u64,
    /// Largest overlap found then, as a fraction of the smaller radius; zero if none was beyond the
    /// limit.
    pub largest: f64,
    /// Largest overlap right after bodies were placed, as a fraction of the smaller radius.
    pub when_placed: f64,
}

impl Simulation {
    /// Overlaps beyond the limit so far.
    pub fn overlaps(&self) -> Overlaps {
        self.overlaps
    }

    /// Stops the run if bodies overlap more than they may, or counts it where the scene only warns.
    pub(crate) fn check_overlap(&mut self, moment: Moment) -> Result<(), Error> {
        let limit = self.scene.health.overlap_limit;
        let worst = self.engine.worst_overlap();
        if moment == Moment::Change {
            self.overlaps.when_placed = self.overlaps.when_placed.max(worst);
        }
        if worst <= limit {
            return Ok(());
        }
        if let Some(slot) = self.engine.first_not_finite() {
            return Err(self.stopped(Cause::NotFinite, slot, None).into());
        }
        if self.scene.health.overlap == OverlapPolicy::Warn {
            self.overlaps.steps += u64::from(moment == Moment::Step);
            self.overlaps.largest = self.overlaps.largest.max(worst);
            return Ok(());
        }
        let Some(deepest) = self.engine.deepest_contact().filter(|found| found.fraction() > limit)
        else {
            return Ok(());
        };
        let (diagnosis, advice) = self.explain_overlap(&deepest, moment);
        let cause = Cause::Overlap(deepest.fraction());
        let mut error = self.stopped(cause, deepest.slot, Some(deepest.partner));
        (error.diagnosis, error.advice) = (diagnosis, advice);
        Err(error.into())
    }

    /// Notes how many steps lie in the shortest contact; stops the run if they are too few for the
    /// integration to be stable.
    pub(crate) fn check_stiffness(&mut self) -> Result<(), Error> {
        let steps = self.engine.shortest_contact() / self.last_dt;
        if !(steps < self.fewest_steps) {
            return Ok(());
        }
        self.fewest_steps = steps;
        let too_few = LIMIT_SHARE * steps * BEYOND_LIMIT < 1.0;
        if !too_few || self.scene.health.step_limit == StepLimit::Warn {
            return Ok(());
        }
        let Some((slot, partner)) = self.engine.stiffest_contact() else { return Ok(()) };
        let mut error = self.stopped(Cause::Stiffness(steps), slot, Some(partner));
        let views = self.engine.contact_views();
        let deepest = self.engine.deepest_contact();
        let pressed = deepest.and_then(|deepest| self.explain_pressed(&deepest, &views));
        (error.diagnosis, error.advice) = pressed
            .filter(|(diagnosis, _)| *diagnosis == Diagnosis::Pinched)
            .unwrap_or_else(|| (Diagnosis::StepTooLong, self.advise_for_depth(steps)));
        Err(error.into())
    }

    /// What to say of a step that suited contacts at the speed assumed and not this one.
    fn advise_for_depth(&self, steps: f64) -> String {
        format!(
            "the time step {:.1e} s suits contacts at the speed assumed, and this one is pressed in \
             more deeply: the step is too long for it; try {:.1e} s",
            self.last_dt,
            0.05 * steps * self.last_dt
        )
    }

    /// Stops the run if the energy ledger does not close as well as the scene asks.
    pub(crate) fn check_energy(&self) -> Result<(), Error> {
        let Some(limit) = self.scene.health.energy_error else { return Ok(()) };
        if !self.engine.has_ledger() || !self.steps().is_multiple_of(STEPS_BETWEEN_LEDGERS) {
            return Ok(());
        }
        let share = self.energy().closure_share().abs();
        if share <= limit {
            return Ok(());
        }
        if let Some(slot) = self.engine.first_not_finite() {
            return Err(self.stopped(Cause::NotFinite, slot, None).into());
        }
        match self.engine.most_energetic() {
            Some(slot) => Err(self.stopped(Cause::Energy(share), slot, None).into()),
            None => Ok(()),
        }
    }
}

impl Engine {
    /// Slot of the particle with most kinetic energy; of several, the one with the lowest id.
    fn most_energetic(&self) -> Option<usize> {
        let kinetic = |slot: usize| {
            let record = &self.particles().records[slot];
            let square = |v: [f64; 3]| v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
            let energy =
                record.mass * square(record.velocity) + record.inertia() * square(record.spin);
            if record.inverse_mass > 0.0 { energy } else { -1.0 }
        };
        let slots = self.particles().slots_by_id();
        slots.reduce(|best, slot| if kinetic(slot) > kinetic(best) { slot } else { best })
    }

    /// Whether every free particle is slower than this [m/s].
    pub(crate) fn is_slower_than(&self, speed: f64) -> bool {
        let free = self.particles().records.iter().filter(|record| record.inverse_mass > 0.0);
        free.map(|record| crate::Vec3::from_array(record.velocity).length_squared())
            .all(|square| square < speed * speed)
    }

    /// Slot of the particle with the lowest id whose state or force is not finite.
    pub(crate) fn first_not_finite(&self) -> Option<usize> {
        self.particles().slots_by_id().find(|&slot| {
            let (record, load) = (&self.particles().records[slot], &self.particles().loads[slot]);
            !(record.is_finite() && load.force().is_finite() && load.torque().is_finite())
        })
    }

    /// Maps positions that the user has set into a periodic domain. Returns the slot of the particle
    /// with the lowest id that is outside the domain.
    pub(crate) fn wrap_edited(&mut self) -> Option<usize> {
        let Integration { particles, domain, .. } = self.integration();
        for (record, description) in particles.records.iter_mut().zip(&mut particles.descriptions) {
            if !domain.contains(record.position.into()) {
                wrap(domain, record, description);
            }
        }
        particles
            .slots_by_id()
            .find(|&slot| !domain.contains(particles.records[slot].position.into()))
    }

    /// Slot of the first partner and name of the second of the contact with the largest k/m*.
    fn stiffest_contact(&self) -> Option<(usize, String)> {
        let mobility = |id: ParticleId| {
            self.particles()
                .slot(id)
                .map_or(0.0, |slot| self.particles().records[slot].inverse_mass)
        };
        let rate = |view: &ContactView| {
            let second = match view.second {
                Partner::Particle(id) => mobility(id),
                Partner::Wall(_) => 0.0,
            };
            view.normal_stiffness * (mobility(view.first) + second)
        };
        let views = self.contact_views();
        let stiffest = views.iter().max_by(|a, b| rate(a).total_cmp(&rate(b)))?;
        Some((self.particles().slot(stiffest.first)?, self.partner_name(stiffest.second)))
    }

    /// Touching partners of each particle, by slot.
    pub(crate) fn coordination(&self, contacts: &[ContactView]) -> Vec<u32> {
        let mut counts = vec![0; self.particles().len()];
        let mut count = |id: ParticleId| {
            if let Some(slot) = self.particles().slot(id) {
                counts[slot] += 1;
            }
        };
        for contact in contacts.iter().filter(|contact| contact.overlap > 0.0) {
            count(contact.first);
            if let Partner::Particle(id) = contact.second {
                count(id);
            }
        }
        counts
    }
}
