//! Looking for the particle that has gone wrong, once a step has seen that one has.

use crate::engine::Engine;
use crate::measure::{ContactView, Partner};
use crate::wall::live::LiveWall;

impl Engine {
    /// Slot of the particle with the lowest id whose state or force is not finite.
    pub(crate) fn first_not_finite(&self) -> Option<usize> {
        let finite = |values: &[f64; 3]| values.iter().all(|value| value.is_finite());
        self.particles.slots_by_id().find(|&slot| {
            let (record, load) = (&self.particles.records[slot], &self.particles.loads[slot]);
            let state =
                finite(&record.position) && finite(&record.velocity) && finite(&record.spin);
            !(state && load.force().is_finite() && load.torque().is_finite())
        })
    }

    /// The contact with the largest overlap as a share of the smaller radius: slot of its first
    /// partner, name of its second, and the share.
    pub(crate) fn deepest_contact(&self) -> Option<(usize, String, f64)> {
        let share = |view: &ContactView| {
            let radius = |id: u64| {
                self.particles
                    .slot(id)
                    .map_or(f64::INFINITY, |slot| self.particles.records[slot].radius)
            };
            let smaller = match view.second {
                Partner::Particle(id) => radius(view.first).min(radius(id)),
                Partner::Wall(_) => radius(view.first),
            };
            view.overlap / smaller
        };
        let views = self.contact_views();
        let deepest = views.iter().max_by(|a, b| share(a).total_cmp(&share(b)))?;
        let partner = match deepest.second {
            Partner::Particle(id) => format!("particle {id}"),
            Partner::Wall(wall) => format!("wall `{}`", self.walls[usize::from(wall)].wall.name),
        };
        Some((self.particles.slot(deepest.first)?, partner, share(deepest)))
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
