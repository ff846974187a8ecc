//! Carrying contacts over a rebuild of the lists: which row of the accepted state belongs to which
//! new pair or wall item. Histories are not moved; only the references to them are renewed. Stored histories
//! beside the columns move with the pair.

use crate::contact_state::stored::StoredHistories;
use crate::neighbour::list::Label;
use crate::neighbour::list::NeighbourList;
use crate::parallel::{DisjointSlices, Pool};
use crate::particles::NOWHERE;
use crate::wall_contact::WallContacts;
use crate::wall_contact::{ItemRows, WallNeighbour};

/// Gives each pair of the new list the accepted row of the old pair with the same partners.
/// `new_slot[old]` is where each old slot has gone.
pub(crate) fn carry_pairs(
    old_pairs: &[[u32; 2]],
    old_rows: &[u32],
    new_slot: &[u32],
    labels: &[Label],
    new: &mut NeighbourList,
    stored_histories: &mut StoredHistories,
    pool: &mut Pool,
) {
    let mut rows = std::mem::take(&mut new.accepted);
    let (listed, shares) = (&*new, DisjointSlices::new(&mut rows));
    let now = |pair: &[u32; 2]| {
        let [first, second] = pair.map(|slot| new_slot[slot as usize]);
        if first == NOWHERE || second == NOWHERE {
            return None;
        }
        listed.pair_with(first as usize, labels[second as usize].number)
    };
    pool.split(old_pairs.len(), |_, range| {
        for (pair, &row) in old_pairs[range.clone()].iter().zip(&old_rows[range]) {
            if row == 0 {
                continue;
            }
            if let Some(pair_index) = now(pair) {
                // SAFETY: a pair is listed once, so no other old pair leads to this index.
                let place = unsafe { shares.slice_mut(pair_index..pair_index + 1) };
                place[0] = row;
            }
        }
    });
    stored_histories.rebuild_list(listed.pairs.len());
    if stored_histories.stride > 0 {
        for (old, (pair, &row)) in old_pairs.iter().zip(old_rows).enumerate() {
            if row > 0
                && let Some(pair_index) = now(pair)
            {
                stored_histories.carry(old, pair_index);
            }
        }
    }
    new.accepted = rows;
    new.forget_partners();
}

/// As `carry_pairs`, for contacts with walls.
pub(crate) fn carry_walls(
    old_items: &[WallNeighbour],
    old_rows: &[ItemRows],
    new_slot: &[u32],
    new: &mut WallContacts,
) {
    for (item, &rows) in old_items.iter().zip(old_rows) {
        let particle = new_slot[item.particle as usize];
        if rows[1] == 0 || particle == NOWHERE {
            continue;
        }
        if let Some(place) = new.item_of(particle as usize, item.wall) {
            new.accepted[place] = rows;
        }
    }
}
