//! Checks of the state after each step, and the search for the particle that caused a failure.

use crate::diagnosis::DetectedAt;
use crate::engine::{Engine, Integration};
use crate::error::{Cause, Error};
use crate::id::ParticleId;
use crate::kernel::laws::PairLaws;
use crate::particles::wrap;
use crate::scene::OverlapPolicy;
use crate::simulation::Simulation;
use crate::snapshot::{ContactView, Partner};

/// Number of steps between two checks of the energy ledger, which needs sums over all particles.
const STEPS_BETWEEN_LEDGERS: u64 = 64;

/// Overlaps beyond the limit so far.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::{simulation, OVERLAP, RADIUS};
/// use esker::prelude::*;
///
/// # let second = Vec3::X * (2.0 * RADIUS - OVERLAP);
/// let grains = vec![Sphere::new(RADIUS, Vec3::ZERO), Sphere::new(RADIUS, second)];
/// let simulation = simulation(ContactModel::normal(Hertz::default()), Pair::new(), grains);
/// let overlaps = simulation.overlaps();
/// assert_eq!(overlaps.steps, 0); // none beyond the limit
/// assert!((overlaps.when_placed - OVERLAP / RADIUS).abs() < 1e-12);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Overlaps {
    /// Number of steps after which an overlap was beyond the limit.
    pub steps: u64,
    /// Largest of these overlaps as a fraction of the smaller radius; zero if none was beyond the limit.
    pub largest: f64,
    /// Largest overlap directly after bodies were placed, as a fraction of the smaller radius.
    pub when_placed: f64,
}

impl Simulation {
    /// Overlaps beyond the limit so far.
    pub fn overlaps(&self) -> Overlaps {
        self.overlaps
    }

    /// Stops the run if an overlap is beyond the limit, or counts it if the scene only warns.
    pub(crate) fn check_overlap(&mut self, detected_at: DetectedAt) -> Result<(), Error> {
        let limit = self.scene.health.overlap_limit;
        let worst = self.engine.worst_overlap();
        if detected_at == DetectedAt::Change {
            self.overlaps.when_placed = self.overlaps.when_placed.max(worst);
        }
        if worst <= limit {
            return Ok(());
        }
        self.check_finite()?;
        if self.scene.health.overlap == OverlapPolicy::Warn {
            self.overlaps.steps += u64::from(detected_at == DetectedAt::Step);
            self.overlaps.largest = self.overlaps.largest.max(worst);
            return Ok(());
        }
        self.join();
        let Some(deepest) = self.engine.deepest_contact().filter(|found| found.fraction() > limit)
        else {
            return Ok(());
        };
        // whether the step was too long is determined from the current contacts
        self.refresh_limit();
        let (diagnosis, advice) = self.explain_overlap(&deepest, detected_at);
        let cause = Cause::Overlap(deepest.fraction());
        let mut error = self.stopped(cause, deepest.slot, Some(deepest.partner));
        (error.diagnosis, error.advice) = (diagnosis, advice);
        Err(error.into())
    }

    /// Records the largest stiffness of the contacts and the number of steps in the shortest one. Contacts that are
    /// stiffer than predicted cause an update of the time step before the next step.
    pub(crate) fn record_stiffness(&mut self) {
        let rate = self.engine.largest_rate();
        self.control.update_rate(rate);
        let steps = std::f64::consts::PI / rate.sqrt() / self.last_dt;
        if steps < self.fewest_steps {
            self.fewest_steps = steps;
        }
    }

    /// Stops the run if the closure error of the energy ledger is above the limit of the scene.
    pub(crate) fn check_energy(&mut self) -> Result<(), Error> {
        let Some(limit) = self.scene.health.energy_error else { return Ok(()) };
        if !self.engine.has_ledger() || !self.steps().is_multiple_of(STEPS_BETWEEN_LEDGERS) {
            return Ok(());
        }
        let error = self.energy_together().relative_closure_error().abs();
        if error <= limit {
            return Ok(());
        }
        self.check_finite()?;
        self.join();
        match self.engine.most_energetic() {
            Some(slot) => Err(self.stopped(Cause::Energy(error), slot, None).into()),
            None => Ok(()),
        }
    }
}

impl Engine {
    /// Slot of the particle with the largest kinetic energy; of several, that with the lowest id.
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

    /// True if every free particle of all ranks is slower than this [m/s].
    pub(crate) fn is_slower_than(&self, speed: f64) -> bool {
        let free = self.particles().records.iter().filter(|record| record.inverse_mass > 0.0);
        let squares = free.map(|record| crate::Vec3::from_array(record.velocity).length_squared());
        !self.any(!squares.into_iter().all(|square| square < speed * speed))
    }

    /// Slot of the particle with the lowest id whose state or force is not finite.
    pub(crate) fn first_not_finite(&self) -> Option<usize> {
        self.particles().lowest_id(|slot| {
            let (record, load) = (&self.particles().records[slot], &self.particles().loads[slot]);
            !(record.is_finite() && load.force().is_finite() && load.torque().is_finite())
        })
    }

    /// Maps positions set by the user into a periodic domain. Returns the slot of the particle with the lowest id that
    /// is outside the domain.
    pub(crate) fn wrap_edited(&mut self) -> Option<usize> {
        let Integration { particles, domain, .. } = self.integration();
        for (record, metadata) in particles.records.iter_mut().zip(&mut particles.metadata) {
            if !domain.contains(record.position.into()) {
                wrap(domain, record, metadata);
            }
        }
        particles.lowest_id(|slot| !domain.contains(particles.records[slot].position.into()))
    }

    /// The contact with the largest k/m*, its laws and its effective mass [kg].
    pub(crate) fn stiffest_contact<'a>(
        &'a self,
        views: &'a [ContactView],
    ) -> Option<(&'a ContactView, &'a PairLaws, f64)> {
        let particles = self.particles();
        let mobility = |id: ParticleId| {
            particles.slot(id).map_or(0.0, |slot| particles.records[slot].inverse_mass)
        };
        let inverse_mass = |view: &ContactView| {
            let second = match view.second {
                Partner::Particle(id) => mobility(id),
                Partner::Wall(_) => 0.0,
            };
            mobility(view.first) + second
        };
        let rate = |view: &ContactView| view.normal_stiffness * inverse_mass(view);
        let stiffest = views.iter().max_by(|a, b| rate(a).total_cmp(&rate(b)))?;
        let material =
            |id: ParticleId| particles.slot(id).map(|slot| particles.metadata[slot].material);
        let second = match stiffest.second {
            Partner::Particle(id) => material(id)?,
            Partner::Wall(wall) => self.walls()[wall.index()].wall.material.number(),
        };
        let table = self.table();
        let laws = table.pairs.get(table.index.of(material(stiffest.first)?, second))?;
        Some((stiffest, laws, 1.0 / inverse_mass(stiffest)))
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
