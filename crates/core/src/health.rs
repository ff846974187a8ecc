//! Looking for the particle that has gone wrong, once a step has seen that one has.

use crate::engine::Engine;
use crate::error::{Cause, Error};
use crate::measure::{ContactView, Partner};
use crate::scene::StepLimit;
use crate::simulation::Simulation;
use crate::time_step::LIMIT_SHARE;
use crate::wall::live::LiveWall;

/// The contact with the largest overlap.
pub(crate) struct Deepest {
    /// Overlap [m].
    pub overlap: f64,
    /// Slot of its first partner.
    pub slot: usize,
    /// Name of its second partner.
    pub partner: String,
    /// Overlap as a share of the smaller radius.
    pub share: f64,
    /// The share that it will reach, as far as speed and force tell.
    pub peak: f64,
}

/// Steps from one look at the energy ledger to the next: sums over all particles have their cost.
const STEPS_BETWEEN_LEDGERS: u64 = 64;

/// How far beyond the limit a contact may take the step before the run stops. Among twelve
/// neighbours a step is stable up to 1.24 of the limit.
const BEYOND_LIMIT: f64 = 1.2;

impl Simulation {
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
        error.advice = format!(
            "the time step {:.1e} s suits contacts at the speed assumed, and this one is pressed in \
             more deeply; try {:.1e} s",
            self.last_dt,
            0.05 * steps * self.last_dt
        );
        Err(error.into())
    }

    /// Stops the run if the energy ledger does not close as well as the scene asks.
    pub(crate) fn check_energy(&self) -> Result<(), Error> {
        let Some(limit) = self.scene.health.energy_error else { return Ok(()) };
        if !self.engine.ledger || !self.steps().is_multiple_of(STEPS_BETWEEN_LEDGERS) {
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
            let record = &self.particles.records[slot];
            let square = |v: [f64; 3]| v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
            let energy =
                record.mass * square(record.velocity) + record.inertia() * square(record.spin);
            if record.inverse_mass > 0.0 { energy } else { -1.0 }
        };
        let slots = self.particles.slots_by_id();
        slots.reduce(|best, slot| if kinetic(slot) > kinetic(best) { slot } else { best })
    }

    /// Slot of the particle with the lowest id whose state or force is not finite.
    pub(crate) fn first_not_finite(&self) -> Option<usize> {
        self.particles.slots_by_id().find(|&slot| {
            let (record, load) = (&self.particles.records[slot], &self.particles.loads[slot]);
            !(record.is_finite() && load.force().is_finite() && load.torque().is_finite())
        })
    }

    /// Slot of the first partner and name of the second of the contact with the largest k/m*.
    fn stiffest_contact(&self) -> Option<(usize, String)> {
        let mobility = |id: u64| {
            self.particles.slot(id).map_or(0.0, |slot| self.particles.records[slot].inverse_mass)
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
        Some((self.particles.slot(stiffest.first)?, self.partner_name(stiffest.second)))
    }

    /// As messages name it.
    fn partner_name(&self, partner: Partner) -> String {
        match partner {
            Partner::Particle(id) => format!("particle {id}"),
            Partner::Wall(wall) => format!("wall `{}`", self.walls[usize::from(wall)].wall.name),
        }
    }

    /// The contact with the largest overlap as a share of the smaller radius.
    pub(crate) fn deepest_contact(&self) -> Option<Deepest> {
        let record = |id: u64| self.particles.slot(id).map(|slot| &self.particles.records[slot]);
        let partners = |view: &ContactView| {
            let second = match view.second {
                Partner::Particle(id) => record(id),
                Partner::Wall(_) => None,
            };
            [record(view.first), second]
        };
        let share = |view: &ContactView| {
            let radii = partners(view).map(|record| record.map_or(f64::INFINITY, |r| r.radius));
            view.overlap / radii[0].min(radii[1])
        };
        let views = self.contact_views();
        let deepest = views.iter().max_by(|a, b| share(a).total_cmp(&share(b)))?;
        let partner = self.partner_name(deepest.second);
        // what is still moving will be stored as well: 2/5 F δ grows with δ to the power 5/2
        let inverse_masses = partners(deepest).map(|r| r.map_or(0.0, |r| r.inverse_mass));
        let speed = deepest.closing_speed.max(0.0);
        let moving = 0.5 * speed * speed / (inverse_masses[0] + inverse_masses[1]);
        let stored = 0.4 * deepest.elastic * deepest.overlap;
        let growth = if stored > 0.0 { libm::pow(1.0 + moving / stored, 0.4) } else { 1.0 };
        let share = share(deepest);
        let slot = self.particles.slot(deepest.first)?;
        Some(Deepest { overlap: deepest.overlap, slot, partner, share, peak: growth * share })
    }

    /// Touching partners of each particle, by slot.
    pub(crate) fn coordination(&self, contacts: &[ContactView]) -> Vec<u32> {
        let mut counts = vec![0; self.particles.len()];
        let mut count = |id: u64| {
            if let Some(slot) = self.particles.slot(id) {
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

    /// The walls, with force, torque and power of the accepted state.
    pub(crate) fn walls_with_loads(&self) -> Vec<LiveWall> {
        let mut walls = self.walls.clone();
        self.sum_wall_loads_into(&mut walls, &mut Vec::new());
        walls
    }
}
