//! First pass over the neighbour list: the included pairs, each evaluated once.

use super::approach::{Approach, ContactEstimate};
use super::block::ContactWeights;
use super::survey::{Surveyor, ThreadSurvey};
use crate::Vec3;
use crate::kernel::laws::PairLaws;
use crate::particles::HotData;
use crate::snapshot::Partner;
use std::ops::Range;

/// Thread of a contact and its index in the arrays of that thread.
pub(super) type ContactIndex = [u32; 2];

/// Value of a pair that does not enter the bound.
pub(super) const NO_CONTACT: ContactIndex = [u32::MAX; 2];

/// Two particles whose contact is included in the bound.
#[derive(Debug, Clone, Copy)]
pub(super) struct PairContact {
    pub slots: [u32; 2],
    /// From the first partner to the second.
    pub normal: Vec3,
    /// Moment arm of the first partner, and minus that of the second, whose outward normal is the opposite one [m].
    pub arms: [f64; 2],
    pub weights: ContactWeights,
}

impl Surveyor<'_> {
    /// Evaluates a range of the pairs of the list: contacts are appended to the part, their indices are written to
    /// `indices`.
    pub(super) fn find_contacts(
        &self,
        range: Range<usize>,
        number: u32,
        part: &mut ThreadSurvey,
        contacts: &mut Vec<PairContact>,
        indices: &mut [ContactIndex],
    ) {
        for (pair, group) in &self.list.groups {
            let own = group.start.max(range.start)..group.end.min(range.end);
            for pair_index in own {
                let laws = &self.table.pairs[*pair];
                let Some((approach, estimate)) = self.estimate(pair_index, laws) else { continue };
                if let Some(contact) = &estimate.stiffness {
                    indices[pair_index - range.start] = [number, contacts.len() as u32];
                    if contacts.len() == contacts.capacity() {
                        // grows by an eighth, since there are several contacts per particle
                        contacts.reserve_exact(contacts.len() / 8 + 256);
                    }
                    contacts.push(PairContact {
                        slots: self.list.pairs[pair_index],
                        normal: approach.normal,
                        arms: [approach.radii[0], -approach.radii[1]],
                        weights: ContactWeights::of(contact, &self.scheme),
                    });
                    let mobility = approach.inverse_masses[0] + approach.inverse_masses[1];
                    part.rate = part.rate.max(contact.normal * mobility * laws.duration_factor);
                }
                if let Some(encounter) = estimate.impact {
                    part.impacts.record(laws, *pair, self.steps[*pair], &encounter, || {
                        let slots = self.list.pairs[pair_index];
                        let ids = slots.map(|slot| self.particles.metadata[slot as usize].id());
                        (ids[0], Partner::Particle(ids[1]))
                    });
                }
            }
        }
    }

    /// A pair of the neighbour list; none if it is not included.
    #[inline(always)]
    pub(super) fn estimate(
        &self,
        pair_index: usize,
        laws: &PairLaws,
    ) -> Option<(Approach, ContactEstimate)> {
        let slots = self.list.pairs[pair_index];
        let [first, second] = slots.map(|slot| &self.particles.records[slot as usize]);
        let apart = Vec3::from_array(second.position) - Vec3::from_array(first.position);
        let [x, y, z] = apart.to_array();
        let nearest = |axis: usize, component: f64| self.images.nearest(axis, component);
        let difference = Vec3::new(nearest(0, x), nearest(1, y), nearest(2, z));
        let [own, other] = slots.map(|slot| self.travels[slot as usize]);
        let farthest = first.radius + second.radius + laws.interaction_range.max(own + other);
        if difference.length_squared() > farthest * farthest {
            return None;
        }
        let acceleration = self.relative_acceleration(slots, [first, second]);
        let approach = Approach::of_particles(first, second, difference, acceleration);
        Some((approach, approach.estimate(laws, self.horizon.time)?))
    }

    /// Relative acceleration of two particles: gravity cancels between two free ones.
    #[inline(always)]
    fn relative_acceleration(&self, slots: [u32; 2], records: [&HotData; 2]) -> f64 {
        let both_free = records[0].inverse_mass > 0.0 && records[1].inverse_mass > 0.0;
        if both_free && self.accelerations.is_empty() {
            return 0.0;
        }
        let [first, second] = [0, 1].map(|index| {
            let is_free = records[index].inverse_mass > 0.0;
            if is_free { self.acceleration(slots[index] as usize) } else { Vec3::ZERO }
        });
        (first - second).length()
    }
}
