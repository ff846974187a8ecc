//! Tiles: the pairs of a part are evaluated tile by tile, and their results are stored in a ring buffer.
//!
//! After each tile the particles whose contacts are complete are reduced while results and particles are in the cache.
//! A result is not needed after both partners are reduced, so the results of a group are in a ring buffer. Its length
//! is the largest number of results that are in use at a time, so that it stays in the cache (measured in a bed of 100
//! 000 particles: a sixth of the time of a step). Results that are in use until the end, for boundary blocks, are
//! mostly those of the first tiles: they are stored before the ring.

use crate::chunk::WIDTH;
use crate::neighbour::list::NeighbourList;
use crate::parallel::{DisjointSlices, Pool};
use crate::partition::indices::{
    BufferLengths, FILTER_BLOCK, FIRST_INDEX, MOST_WAITING, OutputIndex,
};
use crate::partition::{BLOCK, Partition, owner};
use std::ops::Range;

/// Pairs of a tile. Measured in beds of 10 000 and 100 000: no difference from 2000 to 8000.
///
/// Small in debug builds, so that the small scenes of tests have many tiles.
const PAIRS_PER_TILE: usize = if cfg!(debug_assertions) { 192 } else { 4096 };

/// Smallest mean number of pairs of a group in a tile: a tile has a fixed cost, and contacts that do not
/// fill a chunk by the end of the next tile are evaluated in a partly empty one.
const LEAST: usize = if cfg!(debug_assertions) { WIDTH } else { 8 * WIDTH };

/// The tiles of a part.
#[derive(Debug, Clone, Default)]
pub(crate) struct TilePlan {
    pub tile_count: usize,
    slots: Range<usize>,
    /// The end of each group after each tile, counted from its first pair; tile by tile.
    ends: Vec<u32>,
    pub groups: Vec<TileGroup>,
    /// The first tile with a pair of which one partner is a ghost; the number of tiles if there is none.
    pub first_with_ghosts: usize,
}

/// Indices of history and results of the pairs of one group.
#[derive(Debug, Clone, Default)]
pub(crate) struct TileGroup {
    /// Index of the pair of materials.
    pub pair: usize,
    pub pairs: Range<usize>,
    /// The first index of history.
    pub history: usize,
    /// The first index of results.
    pub result: usize,
    /// Numbers of results before the ring, and in it.
    head: usize,
    pub ring: usize,
}

impl TileGroup {
    /// The end of the ring, after which it starts again.
    fn limit(&self) -> usize {
        self.result + self.head + self.ring
    }

    /// Indices of the first contact.
    pub(crate) fn first_index(&self) -> OutputIndex {
        let Self { history, result, ring, .. } = *self;
        OutputIndex { history, result, limit: self.limit(), ring }
    }
}

impl TilePlan {
    /// The slot before which particles may be complete after this many tiles.
    pub(crate) fn end_of(&self, tile: usize) -> usize {
        let blocks = self.slots.len().div_ceil(BLOCK);
        (self.slots.start + blocks * tile / self.tile_count * BLOCK).min(self.slots.end)
    }

    /// The end of each group after a tile; the first tile is 0.
    pub(crate) fn ends(&self, tile: usize) -> &[u32] {
        &self.ends[tile * self.groups.len()..][..self.groups.len()]
    }

    pub(crate) fn bytes(&self) -> usize {
        4 * self.ends.capacity() + size_of::<TileGroup>() * self.groups.capacity()
    }

    fn new(list: &NeighbourList, partition: &Partition, part: usize) -> Self {
        let slots = partition.slots(part);
        let groups: Vec<TileGroup> = partition
            .pairs(part)
            .map(|(pair, pairs)| TileGroup { pair, pairs, ..TileGroup::default() })
            .collect();
        let all: usize = groups.iter().map(|group| group.pairs.len()).sum();
        let tile_count = all.div_ceil(PAIRS_PER_TILE.max(LEAST * groups.len())).max(1);
        let mut tiles =
            Self { tile_count, slots, ends: Vec::new(), groups, first_with_ghosts: tile_count };
        for tile in 1..=tile_count {
            let end = tiles.end_of(tile);
            for group in &tiles.groups {
                let pairs = &list.pairs[group.pairs.clone()];
                let before = pairs.partition_point(|pair| owner(pair) < end);
                // the filter tests whole blocks
                let before = before.next_multiple_of(FILTER_BLOCK).min(pairs.len());
                tiles.ends.push(before as u32);
            }
        }
        tiles.first_with_ghosts = tiles.find_ghosts(list);
        let reduced = tiles.tiles_of_reduction(partition);
        for index in 0..tiles.groups.len() {
            let needs = tiles.needs(list, index, &reduced);
            let (head, ring) = tiles.ring_of(index, &needs);
            (tiles.groups[index].head, tiles.groups[index].ring) = (head, ring);
        }
        tiles
    }

    /// The first tile with a pair of an own particle and a ghost.
    fn find_ghosts(&self, list: &NeighbourList) -> usize {
        let own = list.starts.len() as u32 - 1;
        let first = |(index, group): (usize, &TileGroup)| {
            let mut pairs = list.pairs[group.pairs.clone()].iter();
            let pair = pairs.position(|pair| pair[0].max(pair[1]) >= own)?;
            (0..self.tile_count).find(|&tile| self.ends(tile)[index] as usize > pair)
        };
        self.groups.iter().enumerate().filter_map(first).min().unwrap_or(self.tile_count)
    }

    /// The tile after which each block of the part is reduced at the latest.
    fn tiles_of_reduction(&self, partition: &Partition) -> Vec<usize> {
        let last = self.tile_count - 1;
        let mut reduced = Vec::new();
        for tile in 0..self.tile_count {
            for block in self.end_of(tile) / BLOCK..self.end_of(tile + 1).div_ceil(BLOCK) {
                // contacts wait for a full chunk for at most one tile
                let is_interior = partition.is_interior(block);
                reduced.push(if is_interior { (tile + 1).min(last) } else { last });
            }
        }
        reduced
    }

    /// For each tile, the largest number of results of a group that are written from the result of one of its pairs
    /// until that result is read for the last time.
    fn needs(&self, list: &NeighbourList, index: usize, reduced: &[usize]) -> Vec<usize> {
        let group = &self.groups[index];
        let pairs = &list.pairs[group.pairs.clone()];
        let own = list.starts.len() - 1;
        let end = |tile: usize| self.ends(tile)[index] as usize;
        let mut start = 0;
        let mut needs = Vec::with_capacity(self.tile_count);
        for tile in 0..self.tile_count {
            let mut most = 0;
            for (index, pair) in (start..end(tile)).zip(&pairs[start..end(tile)]) {
                let until = pair.iter().map(|&slot| {
                    let block = (slot as usize - self.slots.start) / BLOCK;
                    if (slot as usize) < self.slots.end {
                        reduced[block]
                    } else if (slot as usize) < own {
                        self.tile_count - 1
                    } else {
                        // a ghost is not reduced
                        tile
                    }
                });
                let until = until.fold(tile, usize::max);
                // at the end of each tile the last chunk may not be full
                most = most.max(end(until) - index + (until - tile + 1) * WIDTH);
            }
            needs.push(most);
            start = end(tile);
        }
        needs
    }

    /// Numbers of results before the ring and in it, with minimum sum.
    fn ring_of(&self, index: usize, needs: &[usize]) -> (usize, usize) {
        let all = self.length_for(index);
        let (mut head, mut ring, mut most) = (all, 0, LEAST_RING);
        for tile in (0..self.tile_count).rev() {
            most = most.max(needs[tile]);
            let before = match tile {
                0 => 0,
                _ => self.ends(tile - 1)[index] as usize + tile * WIDTH,
            };
            let before = before.next_multiple_of(WIDTH);
            let length = most.next_multiple_of(WIDTH);
            if before + length < head + ring {
                (head, ring) = (before, length);
            }
        }
        (head, ring)
    }

    /// Number of elements for all pairs of a group: the last chunk of each tile may be incomplete.
    fn length_for(&self, index: usize) -> usize {
        let pairs = self.groups[index].pairs.len();
        pairs.next_multiple_of(WIDTH) + self.tile_count * WIDTH
    }
}

/// All contacts that can wait, and a block, must fit into the ring.
const LEAST_RING: usize = MOST_WAITING + FILTER_BLOCK;

impl Partition {
    /// Plans the tiles of each part.
    pub(super) fn plan(
        &self,
        list: &NeighbourList,
        pool: &mut Pool,
    ) -> (Vec<TilePlan>, BufferLengths) {
        let mut all = vec![TilePlan::default(); pool.threads()];
        let slices = DisjointSlices::new(&mut all);
        pool.run(|part| {
            // SAFETY: each part has its own element.
            let own = unsafe { slices.slice_mut(part..part + 1) };
            own.iter_mut().for_each(|tiles| *tiles = TilePlan::new(list, self, part));
        });
        let (mut history, mut result) = (FIRST_INDEX, FIRST_INDEX);
        for tiles in &mut all {
            for index in 0..tiles.groups.len() {
                let length = tiles.length_for(index);
                let group = &mut tiles.groups[index];
                (group.history, group.result) = (history, result);
                (history, result) = (history + length, group.limit());
            }
        }
        (all, BufferLengths { history: history - FIRST_INDEX, results: result - FIRST_INDEX })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::partition::tests::partitioned;
    use crate::random::{Draws, Purpose};

    /// Progress of a part in one group: waiting contacts, and the indices of the next one.
    struct Progress {
        next: OutputIndex,
        waiting: Vec<usize>,
    }

    /// A list of which some pairs touch, and the pair of each result.
    struct Model {
        list: NeighbourList,
        partition: Partition,
        touches: Vec<bool>,
        /// Pairs that have been tested, and evaluated if they touch.
        tested: Vec<bool>,
        /// Index of the result of each pair that touches.
        results: Vec<usize>,
        holders: Vec<Option<usize>>,
    }

    impl Model {
        /// Writes the results of a chunk.
        fn write(&mut self, progress: &mut Progress) {
            let chunk: Vec<usize> =
                progress.waiting.drain(..progress.waiting.len().min(WIDTH)).collect();
            let first = progress.next.result;
            self.holders[first..first + WIDTH].fill(None);
            for (lane, &pair) in chunk.iter().enumerate() {
                assert_eq!(self.results[pair], first + lane);
                self.holders[first + lane] = Some(pair);
                self.tested[pair] = true;
            }
            progress.next.advance(WIDTH);
        }

        /// Reads the results that are reduced for the particles of a block.
        fn read(&self, block: usize) {
            let end = (block * BLOCK + BLOCK).min(self.partition.count());
            for slot in block * BLOCK..end {
                for entry in self.list.entries(slot) {
                    let pair = (entry >> 1) as usize;
                    // the particle moves now, so no later evaluation may read it
                    assert!(self.tested[pair], "{pair} is still to be evaluated");
                    if self.touches[pair] {
                        assert_eq!(self.holders[self.results[pair]], Some(pair));
                    }
                }
            }
        }

        /// The work of a part in an evaluation.
        fn evaluate(&mut self, part: usize) {
            let tiles = self.partition.tiles[part].clone();
            let begin =
                |group: &TileGroup| Progress { next: group.first_index(), waiting: Vec::new() };
            let mut groups: Vec<Progress> = tiles.groups.iter().map(begin).collect();
            let mut next = vec![0; groups.len()];
            let mut block = tiles.end_of(0) / BLOCK;
            for tile in 0..tiles.tile_count {
                let (start, mut done) = (tiles.end_of(tile), tiles.end_of(tile + 1));
                for (index, progress) in groups.iter_mut().enumerate() {
                    let end = tiles.ends(tile)[index] as usize;
                    for position in std::mem::replace(&mut next[index], end)..end {
                        let pair = tiles.groups[index].pairs.start + position;
                        self.tested[pair] = !self.touches[pair];
                        if self.touches[pair] {
                            let waiting = progress.waiting.len();
                            self.results[pair] = progress.next.result_after(waiting);
                            progress.waiting.push(pair);
                        }
                        if progress.waiting.len() == WIDTH {
                            self.write(progress);
                        }
                    }
                    if let Some(&first) = progress.waiting.first() {
                        let waiting = owner(&self.list.pairs[first]);
                        if waiting < start || tile + 1 == tiles.tile_count {
                            self.write(progress);
                        } else {
                            done = done.min(waiting);
                        }
                    }
                }
                while (block * BLOCK + BLOCK).min(tiles.slots.end) <= done
                    && block * BLOCK < tiles.slots.end
                {
                    if self.partition.is_interior(block) {
                        self.read(block);
                    }
                    block += 1;
                }
            }
            assert!(block * BLOCK >= tiles.slots.end, "all have been reduced");
        }
    }

    #[test]
    fn no_result_is_overwritten_before_it_has_been_read() {
        for (threads, count, far_apart, touching) in [
            (1, 3000, 0.0, 1.0),
            (1, 3000, 0.0, 0.9),
            (1, 3000, 0.0, 0.1),
            (1, 3000, 0.01, 0.7),
            (3, 6000, 0.0, 0.8),
            (2, 3000, 0.003, 1.0),
            (4, 130, 0.05, 0.5),
            (2, 0, 0.0, 1.0),
        ] {
            let (list, partition) = partitioned(count, far_apart, &mut Pool::new(threads));
            let touch =
                |index: usize| Draws::new(3, Purpose::Test, index as u64).uniform(0) < touching;
            let mut model = Model {
                touches: (0..list.pairs.len()).map(touch).collect(),
                tested: vec![false; list.pairs.len()],
                results: vec![0; list.pairs.len()],
                holders: vec![None; FIRST_INDEX + partition.needed.results],
                list,
                partition,
            };
            // the second time a result of the first evaluation could be mistaken for a new one
            for _ in 0..2 {
                model.tested.fill(false);
                (0..threads).for_each(|part| model.evaluate(part));
                let boundary = &model.partition.boundary;
                boundary.iter().for_each(|&block| model.read(block as usize));
            }
            let BufferLengths { history, results } = model.partition.needed;
            assert!(results <= history);
            // with the constants of a release build these lists are too short
            if far_apart == 0.0 && count > 0 && cfg!(debug_assertions) {
                assert!(results < history / 2, "{results} results for {history}");
            }
        }
    }
}
