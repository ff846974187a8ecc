//! Contacts with walls: pairs of particles and walls (items), their detection and evaluation.

pub(crate) mod closest_points;
pub(crate) mod detect;
mod evaluate;
pub(crate) mod history;
pub(crate) mod joints;
pub(crate) mod neighbours;
pub(crate) mod pack;

use crate::Vec3;
use crate::contact_state::result_buffer::ContactState;
use crate::wall::{ClosestPoint, MESH_CONTACTS};
use crate::wall_contact::history::AcceptedContacts;
use std::ops::Range;

/// A particle near a wall.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WallNeighbour {
    pub particle: u32,
    pub wall: u16,
    /// Index of the pair of materials in the law table.
    pub pair: u16,
    /// Nearby facets of a mesh, in `facets`.
    pub facets: [u32; 2],
    /// A lower bound of the distance from a mesh at the last rebuild [m].
    pub clearance: f32,
}

impl WallNeighbour {
    /// Largest number of contacts of this item.
    pub(crate) fn capacity(&self) -> u32 {
        (self.facets[1] - self.facets[0]).clamp(1, MAX_MESH_CONTACTS)
    }

    pub(crate) fn facets(&self) -> Range<usize> {
        self.facets[0] as usize..self.facets[1] as usize
    }
}

/// Largest number of contacts of one particle with one mesh.
const MAX_MESH_CONTACTS: u32 = MESH_CONTACTS as u32;

/// Contacts of an item: index of the first one, and their number.
pub(crate) type ContactRange = [u32; 2];

/// All contacts with walls.
#[derive(Debug, Default)]
pub(crate) struct WallContacts {
    /// Sorted by particle, then by wall.
    pub items: Vec<WallNeighbour>,
    /// The first item of each particle, and the number of items.
    pub starts: Vec<u32>,
    pub facets: Vec<u32>,
    /// A lower bound of the distance from each of these facets at the last rebuild [m].
    pub clearances: Vec<f32>,
    /// Items by pair of materials, then by wall: the order of evaluation.
    pub order: Vec<u32>,
    /// Pairs of materials, and their range of the order.
    pub groups: Vec<(usize, Range<usize>)>,
    /// For each element of the order, the largest number of contacts of the elements before it; the last is the total.
    pub capacity_before: Vec<u32>,
    pub accepted: Vec<ContactRange>,
    pub trial: Vec<ContactRange>,
    /// Closest point of each contact by index, to identify it in the next step and to rotate
    /// its history.
    pub accepted_points: Vec<ClosestPoint>,
    pub trial_points: Vec<ClosestPoint>,
    pub state: ContactState,
}

impl WallContacts {
    pub(crate) fn commit(&mut self) {
        self.state.commit();
        std::mem::swap(&mut self.accepted, &mut self.trial);
        std::mem::swap(&mut self.accepted_points, &mut self.trial_points);
    }

    /// Bytes in use, without results and history.
    pub(crate) fn bytes(&self) -> usize {
        let words = [&self.starts, &self.facets, &self.order, &self.capacity_before];
        size_of::<WallNeighbour>() * self.items.capacity()
            + 4 * words.iter().map(|words| words.capacity()).sum::<usize>()
            + 4 * self.clearances.capacity()
            + size_of::<ContactRange>() * (self.accepted.capacity() + self.trial.capacity())
            + 2 * size_of::<Vec3>() * self.items.len()
    }

    /// The items of the particles in a range of slots.
    #[inline]
    pub(crate) fn items_of(&self, slots: Range<usize>) -> Range<usize> {
        let start = |slot: usize| self.starts.get(slot).map_or(0, |start| *start as usize);
        start(slots.start)..start(slots.end)
    }

    /// The item of a particle and a wall.
    pub(crate) fn item_of(&self, slot: usize, wall: u16) -> Option<usize> {
        self.items_of(slot..slot + 1).find(|&item| self.items[item].wall == wall)
    }

    /// The contacts of the accepted state.
    pub(crate) fn accepted_contacts(&self) -> AcceptedContacts<'_> {
        AcceptedContacts {
            ranges: &self.accepted,
            closest_points: &self.accepted_points,
            items: &self.items,
        }
    }
}
