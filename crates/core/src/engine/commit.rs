//! Commit of the numbers that laws store in addition to their history columns.

use crate::contact_state::result_buffer::{ContactState, HistoryColumns};
use crate::contact_state::stored::StoredHistories;
use crate::kernel::evaluate::Scratch;
use crate::kernel::laws::{LawTable, PairLaws};
use crate::law::{UntypedCommit, WIDTH};
use crate::neighbour::list::NeighbourList;
use crate::parallel::{DisjointSlices, Pool, range_of_part};
use crate::partition::Partition;
use crate::partition::indices::FIRST_INDEX;
use crate::wall::live::LiveWall;
use crate::wall_contact::WallContacts;

impl StoredHistories {
    /// Calls the laws to update the stored numbers of contacts between particles, before the trial
    /// history becomes the accepted one.
    pub(crate) fn commit_pairs(
        &mut self,
        table: &LawTable,
        elapsed: f64,
        (list, partition): (&NeighbourList, &Partition),
        state: &ContactState,
        scratch: &mut [Scratch],
        pool: &mut Pool,
    ) {
        let stride = self.stride;
        let stored = DisjointSlices::new(&mut self.pairs);
        let scratch = DisjointSlices::new(scratch);
        pool.run(|part| {
            // SAFETY: each part has its own scratch memory.
            let [scratch] = (unsafe { scratch.slice_mut(part..part + 1) }) else { return };
            for (pair, range) in partition.pairs(part) {
                let own = (range.start + 1) * stride..(range.end + 1) * stride;
                // SAFETY: each part has its own range of pairs.
                let stored = unsafe { stored.slice_mut(own) };
                let laws = &table.pairs[pair];
                let mut lanes = Lanes::new(table, laws, elapsed, state);
                let touching = range.clone().filter(|&pair_index| list.trial[pair_index] > 0);
                for pair_index in touching {
                    let slot = (pair_index - range.start) as u32;
                    let old = list.accepted[pair_index];
                    if old == 0 {
                        stored[slot as usize * stride..][..stride].fill(0.0);
                    }
                    lanes.push(old, list.trial[pair_index], slot, stored, scratch);
                }
                lanes.finish(stored, scratch);
            }
        });
    }

    /// As `commit_pairs`, for contacts with walls.
    pub(crate) fn commit_walls(
        &mut self,
        table: &LawTable,
        elapsed: f64,
        contacts: &WallContacts,
        walls: &[LiveWall],
        scratch: &mut [Scratch],
        pool: &mut Pool,
    ) {
        let (parts, stride) = (pool.threads(), self.stride);
        let length = contacts.state.results.len() * stride;
        self.trial_walls.resize(length.max(self.trial_walls.len()), 0.0);
        self.walls.resize(length.max(self.walls.len()), 0.0);
        let accepted = &self.walls;
        let stored = DisjointSlices::new(&mut self.trial_walls);
        let scratch = DisjointSlices::new(scratch);
        pool.run(|part| {
            // SAFETY: each part has its own scratch memory.
            let [scratch] = (unsafe { scratch.slice_mut(part..part + 1) }) else { return };
            for (pair, group) in &contacts.groups {
                let own = range_of_part(group.len(), part, parts);
                let own = group.start + own.start..group.start + own.end;
                let items = contacts.order[own].iter().map(|&item| item as usize);
                let used = items.clone().map(|item| contacts.trial[item]);
                let used = used.filter(|range| range[1] > 0);
                let start = used.clone().map(|range| range[0]).min().unwrap_or(0) as usize;
                let end = used.map(|range| range[0] + range[1]).max().unwrap_or(0) as usize;
                // SAFETY: the indices of a part are consecutive and belong to it alone.
                let stored = unsafe { stored.slice_mut(start * stride..end * stride) };
                let mut lanes = Lanes::new(table, &table.pairs[*pair], elapsed, &contacts.state);
                for item in items {
                    contacts.continued(item, walls, |trial, old| {
                        let slot = trial as usize - start;
                        let from = old as usize * stride;
                        stored[slot * stride..][..stride]
                            .copy_from_slice(&accepted[from..from + stride]);
                        lanes.push(old, trial, slot as u32, stored, scratch);
                    });
                }
                lanes.finish(stored, scratch);
            }
        });
        std::mem::swap(&mut self.walls, &mut self.trial_walls);
        debug_assert!(self.walls[..FIRST_INDEX.min(length)].iter().all(|value| *value == 0.0));
    }
}

/// Contacts of one pair of materials, collected into a chunk for the commit.
struct Lanes<'a> {
    table: &'a LawTable,
    laws: &'a PairLaws,
    elapsed: f64,
    state: &'a ContactState,
    old: [u32; WIDTH],
    new: [u32; WIDTH],
    stored_slots: [u32; WIDTH],
    count: usize,
}

impl<'a> Lanes<'a> {
    fn new(table: &'a LawTable, laws: &'a PairLaws, elapsed: f64, state: &'a ContactState) -> Self {
        let (old, new, stored_slots) = ([0; WIDTH], [0; WIDTH], [0; WIDTH]);
        Self { table, laws, elapsed, state, old, new, stored_slots, count: 0 }
    }

    fn push(&mut self, old: u32, new: u32, slot: u32, stored: &mut [f64], scratch: &mut Scratch) {
        self.old[self.count] = old;
        self.new[self.count] = new;
        self.stored_slots[self.count] = slot;
        self.count += 1;
        if self.count == WIDTH {
            self.finish(stored, scratch);
        }
    }

    fn finish(&mut self, stored: &mut [f64], scratch: &mut Scratch) {
        let layout = &self.table.layout;
        let count = std::mem::take(&mut self.count);
        if count == 0 {
            return;
        }
        let all = self.laws.laws.iter().zip(layout.laws.iter().zip(&layout.stored));
        for (law, (&(start, width), numbers)) in all.filter(|(_, (_, numbers))| numbers.width > 0) {
            for index in start..start + width {
                fetch(&self.state.accepted, index, &self.old[..count], &mut scratch.old[index]);
                fetch(&self.state.trial, index, &self.new[..count], &mut scratch.new[index]);
            }
            law.commit_columns(&mut UntypedCommit {
                elapsed: self.elapsed,
                old: &scratch.old[start..start + width],
                new: &scratch.new[start..start + width],
                count,
                stored,
                stride: layout.stride,
                start: numbers.start,
                width: numbers.width,
                slots: &self.stored_slots,
            });
        }
    }
}

/// Loads lanes of one history column.
fn fetch(stored: &HistoryColumns, index: usize, indices: &[u32], column: &mut crate::law::Column) {
    let stored = stored.column(index);
    for (value, &stored_index) in column.iter_mut().zip(indices) {
        *value = stored[stored_index as usize];
    }
}
