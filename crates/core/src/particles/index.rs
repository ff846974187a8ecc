//! Slots in order of id, computed on demand.

use super::{Metadata, Particles};
use crate::id::ParticleId;
use std::sync::OnceLock;

/// Largest ratio of the span of the ids to their number up to which they are not sorted by comparison.
const MOST_SPAN: usize = 4;

/// The slots in order of id. Computed on demand and discarded when particles are added, removed or stored in another
/// order, so that a rank needs no memory for particles of other ranks.
#[derive(Debug, Clone, Default)]
pub(super) struct SlotIndex(OnceLock<Vec<u32>>);

impl SlotIndex {
    /// Discards the slots.
    pub(super) fn clear(&mut self) {
        self.0.take();
    }

    /// Slots in order of id.
    pub(super) fn slots(&self, particles: &[Metadata]) -> &[u32] {
        self.0.get_or_init(|| sorted_by_id(particles))
    }
}

/// The slots of particles in order of their ids.
fn sorted_by_id(particles: &[Metadata]) -> Vec<u32> {
    let ids = || particles.iter().map(|one| one.number);
    let (Some(low), Some(high)) = (ids().min(), ids().max()) else { return Vec::new() };
    let span = (high - low) as usize + 1;
    let slots = 0..particles.len() as u32;
    if span > MOST_SPAN * particles.len() {
        let mut sorted: Vec<u32> = slots.collect();
        sorted.sort_unstable_by_key(|&slot| particles[slot as usize].number);
        return sorted;
    }
    // nearly all ids exist: each slot is written directly to its index
    const NONE: u32 = u32::MAX;
    let mut table = vec![NONE; span];
    slots.zip(ids()).for_each(|(slot, id)| table[(id - low) as usize] = slot);
    table.retain(|&slot| slot != NONE);
    table
}

impl Particles {
    /// The slot of the particle with this id.
    pub(crate) fn slot(&self, id: ParticleId) -> Option<usize> {
        let slots = self.slots();
        let at = |index: usize| slots.get(index).map(|&slot| slot as usize);
        let is_wanted = |slot: &usize| self.metadata[*slot].number == id.number();
        // if no particle has been deleted, the index is the id
        at(id.index()).filter(is_wanted).or_else(|| {
            let number = |&slot: &u32| self.metadata[slot as usize].number;
            at(slots.binary_search_by_key(&id.number(), number).ok()?)
        })
    }

    /// Slots in order of id.
    pub(crate) fn slots_by_id(&self) -> impl Iterator<Item = usize> + '_ {
        self.slots().iter().map(|&slot| slot as usize)
    }

    /// Slots in order of id.
    pub(crate) fn slots(&self) -> &[u32] {
        self.index.slots(&self.metadata)
    }

    /// The slot of the particle with the lowest id for which `holds` is true.
    pub(crate) fn lowest_id(&self, holds: impl Fn(usize) -> bool) -> Option<usize> {
        let found = (0..self.len()).filter(|&slot| holds(slot));
        found.min_by_key(|&slot| self.metadata[slot].number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn particles(ids: &[u32]) -> Vec<Metadata> {
        ids.iter()
            .map(|&number| Metadata { number, group: 0, material: 0, image: [0; 3] })
            .collect()
    }

    #[test]
    fn slots_are_in_order_of_id_whether_ids_are_dense_or_far_apart() {
        assert!(sorted_by_id(&particles(&[])).is_empty());
        assert_eq!(sorted_by_id(&particles(&[3, 1, 2, 0])), [3, 1, 2, 0]);
        assert_eq!(sorted_by_id(&particles(&[8, 5, 6])), [1, 2, 0]);
        assert_eq!(sorted_by_id(&particles(&[4_000_000_000, 17, 90])), [1, 2, 0]);
    }
}
