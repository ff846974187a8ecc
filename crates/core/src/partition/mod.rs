//! Partition of slots and pairs into parts, one for each thread.
//!
//! A pair belongs to the lower slot of its partners, and the list is sorted by this slot. A thread that
//! has reached a slot has therefore evaluated all its pairs with lower slots: these particles are
//! reduced while their results are in the cache (interior blocks). Blocks with pairs of an earlier part
//! are reduced after all threads have finished (boundary blocks).

pub(crate) mod indices;
pub(crate) mod tiles;

use crate::neighbour::list::NeighbourList;
use crate::parallel::Pool;
use crate::partition::indices::BufferLengths;
use crate::partition::tiles::TilePlan;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

/// Number of slots that are reduced at once and belong to the same part.
pub(crate) const BLOCK: usize = 64;

/// Relative cost, measured in a bed of 10 000 particles: test of a pair, evaluation of a contact, addition
/// of a result to a sum, correction of a particle.
pub(crate) const COST_PER_TEST: usize = 3;
pub(crate) const COST_PER_CONTACT: usize = 14;
pub(crate) const COST_PER_ENTRY: usize = 2;
pub(crate) const COST_PER_SLOT: usize = 5;

#[derive(Debug, Clone, Default)]
pub(crate) struct Partition {
    /// First slot of each part, and the end of the last.
    slots: Vec<usize>,
    /// Pair of materials of each group of the list.
    groups: Vec<usize>,
    /// First pair of each part in each group, and the end of the last; group by group.
    pairs: Vec<usize>,
    /// Boundary blocks: those with pairs of an earlier part than their own.
    pub boundary: Vec<u32>,
    /// Tiles of each part.
    pub(crate) tiles: Vec<TilePlan>,
    /// Lengths of the buffers required by all parts.
    pub needed: BufferLengths,
}

impl Partition {
    /// The slots of a part.
    pub(crate) fn slots(&self, part: usize) -> Range<usize> {
        self.slots[part]..self.slots[part + 1]
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of::<usize>() * (self.slots.capacity() + self.pairs.capacity())
            + size_of::<u32>() * self.boundary.capacity()
            + self.tiles.iter().map(TilePlan::bytes).sum::<usize>()
    }

    /// True if this is a partition of this many slots into this many parts.
    pub(crate) fn fits(&self, count: usize, parts: usize) -> bool {
        self.slots.len() == parts + 1 && self.count() == count
    }

    /// Total number of slots.
    pub(crate) fn count(&self) -> usize {
        self.slots.last().map_or(0, |end| *end)
    }

    /// For each group of the list its pair of materials, and the pairs of a part.
    pub(crate) fn pairs(&self, part: usize) -> impl Iterator<Item = (usize, Range<usize>)> {
        let ranges = self.pairs.chunks(self.slots.len());
        let ranges = ranges.map(move |bounds| bounds[part]..bounds[part + 1]);
        self.groups.iter().copied().zip(ranges)
    }

    /// True if all pairs of the particles of a block belong to the same part as the block.
    #[inline]
    pub(crate) fn is_interior(&self, block: usize) -> bool {
        self.boundary.binary_search(&(block as u32)).is_err()
    }
}

/// The slot to which a pair belongs.
pub(crate) fn owner(pair: &[u32; 2]) -> usize {
    pair[0].min(pair[1]) as usize
}

impl Partition {
    /// Partitions the list into one part for each thread with about equal work. Pairs with an accepted
    /// history are in contact.
    pub(crate) fn new(list: &NeighbourList, pool: &mut Pool) -> Self {
        let count = list.starts.len() - 1;
        let blocks = count.div_ceil(BLOCK);
        let parts = pool.threads();
        let mut work = if parts > 1 { work_of_blocks(list, blocks) } else { Vec::new() };
        let mut partition = Self::with_equal_work(list, parts, &work);
        partition.boundary = partition.boundary_blocks(list, pool);
        if parts > 1 {
            // boundary blocks are reduced later, by all threads
            for &block in &partition.boundary {
                work[block as usize] -= work_of_reduction(list, block as usize);
            }
            partition = Self::with_equal_work(list, parts, &work);
            partition.boundary = partition.boundary_blocks(list, pool);
        }
        (partition.tiles, partition.needed) = partition.plan(list, pool);
        partition
    }

    /// Divides the slots into parts of about equal work.
    fn with_equal_work(list: &NeighbourList, parts: usize, work: &[usize]) -> Self {
        let count = list.starts.len() - 1;
        let all: usize = work.iter().sum();
        let mut slots = vec![0];
        let (mut block, mut before) = (0, 0);
        for part in 1..parts {
            // the block boundary nearest to an equal division
            while block < work.len() && (2 * before + work[block]) * parts < 2 * all * part {
                before += work[block];
                block += 1;
            }
            slots.push((block * BLOCK).min(count));
        }
        slots.push(count);
        let pairs = list.groups.iter().flat_map(|(_, group)| {
            let pairs = &list.pairs[group.clone()];
            debug_assert!(pairs.is_sorted_by_key(owner));
            let before = |slot: &usize| group.start + pairs.partition_point(|p| owner(p) < *slot);
            slots.iter().map(before).collect::<Vec<_>>()
        });
        let groups = list.groups.iter().map(|(group, _)| *group).collect();
        Self { pairs: pairs.collect(), groups, slots, ..Self::default() }
    }

    /// The blocks that have pairs of an earlier part.
    fn boundary_blocks(&self, list: &NeighbourList, pool: &mut Pool) -> Vec<u32> {
        if pool.threads() == 1 {
            return Vec::new();
        }
        let count = self.count();
        let is_boundary: Vec<AtomicBool> =
            (0..list.starts.len().div_ceil(BLOCK)).map(|_| AtomicBool::new(false)).collect();
        pool.run(|part| {
            let end = self.slots(part).end;
            for (_, range) in self.pairs(part) {
                for &[first, second] in &list.pairs[range] {
                    let higher = first.max(second) as usize;
                    // ghosts are not reduced
                    if higher >= end && higher < count {
                        is_boundary[higher / BLOCK].store(true, Ordering::Relaxed);
                    }
                }
            }
        });
        let blocks = (0u32..).zip(is_boundary);
        blocks
            .filter(|(_, boundary)| boundary.load(Ordering::Relaxed))
            .map(|(block, _)| block)
            .collect()
    }
}

/// The work of each block.
fn work_of_blocks(list: &NeighbourList, blocks: usize) -> Vec<usize> {
    let mut work: Vec<usize> = (0..blocks).map(|block| work_of_reduction(list, block)).collect();
    for (pair, &history) in list.pairs.iter().zip(&list.accepted) {
        work[owner(pair) / BLOCK] += COST_PER_TEST + if history > 0 { COST_PER_CONTACT } else { 0 };
    }
    work
}

/// The work of reducing and correcting the particles of a block.
fn work_of_reduction(list: &NeighbourList, block: usize) -> usize {
    let count = list.starts.len() - 1;
    let (start, end) = (block * BLOCK, (block * BLOCK + BLOCK).min(count));
    let entries = list.starts[end] - list.starts[start];
    COST_PER_ENTRY * entries as usize + COST_PER_SLOT * (end - start)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::neighbour::list::Label;
    use crate::random::{Draws, Purpose};

    /// A list of random pairs in two groups, each in order of the lower slot, of which a fraction `far_apart` is far
    /// apart, and its partition.
    pub(crate) fn partitioned(
        count: usize,
        far_apart: f64,
        pool: &mut Pool,
    ) -> (NeighbourList, Partition) {
        let mut groups = [Vec::new(), Vec::new()];
        for slot in 0..count {
            for partner in 0..3 {
                let draws = Draws::new(7, Purpose::Test, (3 * slot + partner) as u64);
                // most are close, some at the other end, as across a period
                let far = if draws.uniform(0) < far_apart { count } else { 90 };
                let other = slot + 1 + (draws.uniform(1) * far as f64) as usize;
                if other < count {
                    let pair = [slot as u32, other as u32];
                    let pair = if draws.uniform(2) < 0.5 { pair } else { [pair[1], pair[0]] };
                    groups[usize::from(draws.uniform(3) < 0.3)].push(pair);
                }
            }
        }
        let first = groups[0].len();
        let all = groups.concat();
        let mut list = NeighbourList::default();
        list.groups = vec![(0, 0..first), (1, first..all.len())];
        list.pairs = all;
        let labels: Vec<Label> =
            (0..count as u32).map(|number| Label { number, ..Label::NONE }).collect();
        list.build_adjacency(&labels, count, pool);
        list.accepted = vec![0; list.pairs.len()];
        let partition = Partition::new(&list, pool);
        (list, partition)
    }

    #[test]
    fn each_slot_and_each_pair_belongs_to_one_part() {
        for (threads, count) in [(1, 1000), (3, 1000), (4, 130), (5, 63), (2, 0)] {
            let (list, partition) = partitioned(count, 0.05, &mut Pool::new(threads));
            let slots: Vec<usize> = (0..threads).flat_map(|part| partition.slots(part)).collect();
            assert!(slots.into_iter().eq(0..count));
            let mut taken = vec![0; list.pairs.len()];
            for part in 0..threads {
                for (_, range) in partition.pairs(part) {
                    for pair in range {
                        taken[pair] += 1;
                        let owner = owner(&list.pairs[pair]);
                        assert!(partition.slots(part).contains(&owner));
                    }
                }
            }
            assert!(taken.iter().all(|&times| times == 1));
        }
    }

    #[test]
    fn parts_have_as_much_work_wherever_contacts_are() {
        let (threads, count) = (3, 20_000);
        let mut pool = Pool::new(threads);
        let (mut list, _) = partitioned(count, 0.0, &mut pool);
        for touching in [0..0, 0..count / 4, count / 2..count, 0..count] {
            let index = |pair| u32::from(touching.contains(&owner(pair)));
            list.accepted = list.pairs.iter().map(index).collect();
            let partition = Partition::new(&list, &mut pool);
            let work = |part: usize| {
                let slots = partition.slots(part);
                let early = slots.clone().filter(|slot| partition.is_interior(slot / BLOCK));
                let sums =
                    early.map(|slot| COST_PER_ENTRY * list.entries(slot).len() + COST_PER_SLOT);
                let own = list.pairs.iter().zip(&list.accepted);
                let own = own.filter(|(pair, _)| slots.contains(&owner(pair)));
                sums.sum::<usize>()
                    + own
                        .map(|(_, index)| COST_PER_TEST + COST_PER_CONTACT * *index as usize)
                        .sum::<usize>()
            };
            let works: Vec<usize> = (0..threads).map(work).collect();
            let (least, most) = (works.iter().min().unwrap(), works.iter().max().unwrap());
            // of some 300 blocks, each part may have one too many, and others may become boundary blocks
            assert!(most - least < least / 20, "{touching:?}: {works:?}");
        }
    }

    #[test]
    fn a_block_is_boundary_exactly_if_it_has_a_pair_of_an_earlier_part() {
        let threads = 3;
        let (list, partition) = partitioned(2000, 0.05, &mut Pool::new(threads));
        for block in 0..2000usize.div_ceil(BLOCK) {
            let slots = block * BLOCK..(block * BLOCK + BLOCK).min(2000);
            let part = (0..threads).find(|&part| partition.slots(part).contains(&slots.start));
            let first = partition.slots(part.unwrap()).start;
            let mut entries = slots.flat_map(|slot| list.entries(slot).iter());
            let is_boundary =
                entries.any(|entry| owner(&list.pairs[(entry >> 1) as usize]) < first);
            assert_eq!(partition.is_interior(block), !is_boundary, "block {block}");
        }
        assert!(!partition.boundary.is_empty());
    }
}
