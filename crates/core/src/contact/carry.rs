//! Carrying contacts over a rebuild of the lists: which row of the accepted state belongs to which
//! new candidate or item. Histories stay where they are; only the references to them are renewed.
//! What laws keep of a pair beside its columns moves with the candidate.

use super::memory::Memories;
use super::walls::{Item, ItemRows};
use super::{Candidates, WallContacts};
use crate::particles::NOWHERE;

/// Gives each new candidate the accepted row of the old candidate with the same partners.
/// `new_slot[old]` is where each old slot has gone.
pub(crate) fn carry_pairs(
    old_pairs: &[[u32; 2]],
    old_rows: &[u32],
    new_slot: &[u32],
    new: &mut Candidates,
    memories: &mut Memories,
) {
    memories.relist(new.pairs.len());
    for (old, (pair, &row)) in old_pairs.iter().zip(old_rows).enumerate() {
        if row == 0 {
            continue;
        }
        let [first, second] = pair.map(|slot| new_slot[slot as usize]);
        if first == NOWHERE || second == NOWHERE {
            continue;
        }
        let same = |entry: &&u32| new.pairs[(**entry >> 1) as usize] == [first, second];
        if let Some(&entry) = new.entries(first as usize).iter().find(same) {
            new.accepted[(entry >> 1) as usize] = row;
            memories.carry(old, (entry >> 1) as usize);
        }
    }
}

/// As `carry_pairs`, for contacts with walls.
pub(crate) fn carry_walls(
    old_items: &[Item],
    old_rows: &[ItemRows],
    new_slot: &[u32],
    new: &mut WallContacts,
) {
    for (item, &rows) in old_items.iter().zip(old_rows) {
        let particle = new_slot[item.particle as usize];
        if rows[1] == 0 || particle == NOWHERE {
            continue;
        }
        let mut place = new.heads[particle as usize];
        while place > 0 {
            let candidate = &new.items[place as usize - 1];
            if candidate.wall == item.wall {
                new.accepted[place as usize - 1] = rows;
            }
            place = candidate.next;
        }
    }
}
