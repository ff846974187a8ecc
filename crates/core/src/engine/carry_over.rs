//! Transfer of contact history at a rebuild of the lists: each new pair or wall item gets the index of its accepted
//! history. Columns are not moved; only the indices change. History stored outside the columns moves with the pair.

use crate::contact_state::stored::StoredHistories;
use crate::neighbour::list::NeighbourList;
use crate::parallel::{DisjointSlices, Pool};
use crate::particles::NO_SLOT;
use crate::wall_contact::WallContacts;
use crate::wall_contact::{ContactRange, WallNeighbour};

/// The pairs of the old list and the indices of their history.
pub(crate) struct OldPairs<'a> {
    pub pairs: &'a [[u32; 2]],
    pub history_indices: &'a [u32],
}

/// Assigns to each pair of the new list the accepted history of the old pair with the same partners. `now` maps an old
/// pair to the slot of one partner in the new list, or `NO_SLOT`, and the id of the other.
pub(crate) fn carry_pairs(
    old: OldPairs<'_>,
    now: impl Fn(&[u32; 2]) -> (u32, u32) + Sync,
    new: &mut NeighbourList,
    stored_histories: &mut StoredHistories,
    pool: &mut Pool,
) {
    let OldPairs { pairs: old_pairs, history_indices: old_indices } = old;
    let mut history_indices = std::mem::take(&mut new.accepted);
    let (listed, slices) = (&*new, DisjointSlices::new(&mut history_indices));
    let new_index = |pair: &[u32; 2]| match now(pair) {
        (NO_SLOT, _) => None,
        (slot, partner) => listed.pair_with(slot as usize, partner),
    };
    pool.split(old_pairs.len(), |_, range| {
        for (pair, &history_index) in old_pairs[range.clone()].iter().zip(&old_indices[range]) {
            if history_index == 0 {
                continue;
            }
            if let Some(index) = new_index(pair) {
                // SAFETY: a pair is listed once, so no other old pair maps to this index.
                let target = unsafe { slices.slice_mut(index..index + 1) };
                target[0] = history_index;
            }
        }
    });
    stored_histories.rebuild_list(listed.pairs.len());
    if stored_histories.stride > 0 {
        for (old, (pair, &history_index)) in old_pairs.iter().zip(old_indices).enumerate() {
            if history_index > 0
                && let Some(index) = new_index(pair)
            {
                stored_histories.carry(old, index);
            }
        }
    }
    new.accepted = history_indices;
    new.forget_partners();
}

/// As `carry_pairs`, for contacts with walls.
pub(crate) fn carry_walls(
    old_items: &[WallNeighbour],
    old_indices: &[ContactRange],
    new_slot: &[u32],
    new: &mut WallContacts,
) {
    for (item, &range) in old_items.iter().zip(old_indices) {
        let particle = new_slot[item.particle as usize];
        if range[1] == 0 || particle == NO_SLOT {
            continue;
        }
        if let Some(target) = new.item_of(particle as usize, item.wall) {
            new.accepted[target] = range;
        }
    }
}
