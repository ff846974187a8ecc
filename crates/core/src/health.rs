//! Looking for the particle that has gone wrong, once a step has seen that one has.

use crate::engine::Engine;
use crate::measure::{ContactView, Partner};
use crate::wall::live::LiveWall;

/// The contact with the largest overlap.
pub(crate) struct Deepest {
    /// Slot of its first partner.
    pub slot: usize,
    /// Name of its second partner.
    pub partner: String,
    /// Overlap as a share of the smaller radius.
    pub share: f64,
    /// Overlap [m].
    pub overlap: f64,
    /// The share that it will reach, as far as speed and force tell.
    pub peak: f64,
}

impl Engine {
    /// Slot of the particle with the lowest id whose state or force is not finite.
    pub(crate) fn first_not_finite(&self) -> Option<usize> {
        self.particles.slots_by_id().find(|&slot| {
            let (record, load) = (&self.particles.records[slot], &self.particles.loads[slot]);
            !(record.is_finite() && load.force().is_finite() && load.torque().is_finite())
        })
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
        let partner = match deepest.second {
            Partner::Particle(id) => format!("particle {id}"),
            Partner::Wall(wall) => format!("wall `{}`", self.walls[usize::from(wall)].wall.name),
        };
        // what is still moving will be stored as well: 2/5 F δ grows with δ to the power 5/2
        let inverse_masses = partners(deepest).map(|r| r.map_or(0.0, |r| r.inverse_mass));
        let speed = deepest.closing_speed.max(0.0);
        let moving = 0.5 * speed * speed / (inverse_masses[0] + inverse_masses[1]);
        let stored = 0.4 * deepest.elastic * deepest.overlap;
        let growth = if stored > 0.0 { libm::pow(1.0 + moving / stored, 0.4) } else { 1.0 };
        let share = share(deepest);
        let slot = self.particles.slot(deepest.first)?;
        Some(Deepest { slot, partner, share, overlap: deepest.overlap, peak: growth * share })
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
