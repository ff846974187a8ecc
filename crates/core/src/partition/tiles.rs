//! Tiles: the pairs of a part are evaluated tile by tile, and their results are stored in a ring buffer.
//!
//! After each tile the particles whose contacts are complete are reduced while results and particles
//! are in the cache. A result is not needed after both partners are reduced, so the rows of a group are
//! a ring buffer. It is as long as the largest number of rows that are in use at a time, so that it stays
//! in the cache (measured in a bed of 100 000 particles: a sixth of the time of a step). Rows that are in
//! use until the end, for boundary blocks, are mostly those of the first tiles: they are stored before
//! the ring.

use crate::contact_state::result_buffer::{FIRST_ROW, Needed};
use crate::kernel::compacted::ROOM;
use crate::kernel::filter;
use crate::law::WIDTH;
use crate::neighbour::list::NeighbourList;
use crate::parallel::{DisjointSlices, Pool};
use crate::partition::{BLOCK, owner};
use std::ops::Range;

/// Pairs of a tile. Measured in beds of 10 000 and 100 000: flat from 2000 to 8000.
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
}

/// Rows of history and results of the pairs of one group.
#[derive(Debug, Clone, Default)]
pub(crate) struct TileGroup {
    /// Index of the pair of materials.
    pub pair: usize,
    pub candidates: Range<usize>,
    /// The first row of history.
    pub row: usize,
    /// The first row of results.
    pub place: usize,
    /// Rows of results before the ring, and in it.
    head: usize,
    pub ring: usize,
}

impl TileGroup {
    /// The end of the ring, after which it starts again.
    pub(crate) fn limit(&self) -> usize {
        self.place + self.head + self.ring
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

    fn new(listed: &NeighbourList, part: usize) -> Self {
        let slots = listed.partition.slots(part);
        let groups: Vec<TileGroup> = listed
            .parts(part)
            .map(|(pair, candidates)| TileGroup { pair, candidates, ..TileGroup::default() })
            .collect();
        let all: usize = groups.iter().map(|group| group.candidates.len()).sum();
        let tile_count = all.div_ceil(PAIRS_PER_TILE.max(LEAST * groups.len())).max(1);
        let mut tiles = Self { tile_count, slots, ends: Vec::new(), groups };
        for tile in 1..=tile_count {
            let end = tiles.end_of(tile);
            for group in &tiles.groups {
                let pairs = &listed.pairs[group.candidates.clone()];
                let before = pairs.partition_point(|pair| owner(pair) < end);
                // the filter tests whole blocks
                let before = before.next_multiple_of(filter::BLOCK).min(pairs.len());
                tiles.ends.push(before as u32);
            }
        }
        let reduced = tiles.tiles_of_reduction(listed);
        for index in 0..tiles.groups.len() {
            let needs = tiles.needs(listed, index, &reduced);
            let (head, ring) = tiles.room(index, &needs);
            (tiles.groups[index].head, tiles.groups[index].ring) = (head, ring);
        }
        tiles
    }

    /// The tile after which each block of the part is reduced at the latest.
    fn tiles_of_reduction(&self, listed: &NeighbourList) -> Vec<usize> {
        let last = self.tile_count - 1;
        let mut reduced = Vec::new();
        for tile in 0..self.tile_count {
            for block in self.end_of(tile) / BLOCK..self.end_of(tile + 1).div_ceil(BLOCK) {
                // contacts wait for a full chunk for at most one tile
                let is_interior = listed.partition.is_interior(block);
                reduced.push(if is_interior { (tile + 1).min(last) } else { last });
            }
        }
        reduced
    }

    /// For each tile, the largest number of rows of a group that are written from the row of one of its
    /// pairs on until that row is read for the last time.
    fn needs(&self, listed: &NeighbourList, index: usize, reduced: &[usize]) -> Vec<usize> {
        let group = &self.groups[index];
        let pairs = &listed.pairs[group.candidates.clone()];
        let end = |tile: usize| self.ends(tile)[index] as usize;
        let mut start = 0;
        let mut needs = Vec::with_capacity(self.tile_count);
        for tile in 0..self.tile_count {
            let mut most = 0;
            for (place, pair) in (start..end(tile)).zip(&pairs[start..end(tile)]) {
                let until = pair.iter().map(|&slot| {
                    let block = (slot as usize - self.slots.start) / BLOCK;
                    if (slot as usize) < self.slots.end {
                        reduced[block]
                    } else {
                        self.tile_count - 1
                    }
                });
                let until = until.fold(tile, usize::max);
                // at the end of each tile the last chunk may not be full
                most = most.max(end(until) - place + (until - tile + 1) * WIDTH);
            }
            needs.push(most);
            start = end(tile);
        }
        needs
    }

    /// Rows before the ring and in it, so that they are fewest.
    fn room(&self, index: usize, needs: &[usize]) -> (usize, usize) {
        let all = self.rows_for(index);
        let (mut head, mut ring, mut most) = (all, 0, LEAST_RING);
        for tile in (0..self.tile_count).rev() {
            most = most.max(needs[tile]);
            let before = match tile {
                0 => 0,
                _ => self.ends(tile - 1)[index] as usize + tile * WIDTH,
            };
            let before = before.next_multiple_of(WIDTH);
            let room = most.next_multiple_of(WIDTH);
            if before + room < head + ring {
                (head, ring) = (before, room);
            }
        }
        (head, ring)
    }

    /// Rows for all candidates of a group: the last chunk of each tile need not be full.
    fn rows_for(&self, index: usize) -> usize {
        let candidates = self.groups[index].candidates.len();
        candidates.next_multiple_of(WIDTH) + self.tile_count * WIDTH
    }
}

/// All that can wait, and a block, must not go tile the ring twice.
const LEAST_RING: usize = ROOM + filter::BLOCK;

impl NeighbourList {
    /// Plans the rounds of each part.
    pub(crate) fn plan(&self, pool: &mut Pool) -> (Vec<TilePlan>, Needed) {
        let mut all = vec![TilePlan::default(); pool.threads()];
        let shares = DisjointSlices::new(&mut all);
        pool.run(|part| {
            // SAFETY: each part has its own element.
            let own = unsafe { shares.slice_mut(part..part + 1) };
            own.iter_mut().for_each(|tiles| *tiles = TilePlan::new(self, part));
        });
        let (mut row, mut place) = (FIRST_ROW, FIRST_ROW);
        for tiles in &mut all {
            for index in 0..tiles.groups.len() {
                let rows = tiles.rows_for(index);
                let group = &mut tiles.groups[index];
                (group.row, group.place) = (row, place);
                (row, place) = (row + rows, group.limit());
            }
        }
        (all, Needed { contacts: row - FIRST_ROW, results: place - FIRST_ROW })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::filter::Numbers;
    use crate::partition::tests::listed;
    use crate::random::{Draws, Purpose};

    /// What a part has got to: contacts of one group that wait, and where the next one goes.
    struct Course {
        numbers: Numbers,
        waiting: Vec<usize>,
    }

    /// A list of which some candidates touch, and which of them each row of results is of.
    struct Model {
        listed: NeighbourList,
        touches: Vec<bool>,
        /// Which have been tested, and evaluated if they touch.
        tested: Vec<bool>,
        /// The place of each candidate that touches.
        places: Vec<usize>,
        holders: Vec<Option<usize>>,
    }

    impl Model {
        /// Notes the rows of a chunk.
        fn write(&mut self, course: &mut Course) {
            let chunk: Vec<usize> =
                course.waiting.drain(..course.waiting.len().min(WIDTH)).collect();
            let place = course.numbers.place;
            self.holders[place..place + WIDTH].fill(None);
            for (lane, &candidate) in chunk.iter().enumerate() {
                assert_eq!(self.places[candidate], place + lane);
                self.holders[place + lane] = Some(candidate);
                self.tested[candidate] = true;
            }
            course.numbers.go_on(WIDTH);
        }

        /// Looks up the rows that are reduced for the particles of a block.
        fn read(&self, block: usize) {
            let end = (block * BLOCK + BLOCK).min(self.listed.partition.count());
            for slot in block * BLOCK..end {
                for entry in self.listed.entries(slot) {
                    let candidate = (entry >> 1) as usize;
                    // so the particle may move: nobody else will look at it
                    assert!(self.tested[candidate], "{candidate} is still to be evaluated");
                    if self.touches[candidate] {
                        assert_eq!(self.holders[self.places[candidate]], Some(candidate));
                    }
                }
            }
        }

        /// What a part does in an evaluation.
        fn evaluate(&mut self, part: usize) {
            let tiles = self.listed.partition.tiles[part].clone();
            let course = |group: &TileGroup| Course {
                numbers: Numbers {
                    row: group.row,
                    place: group.place,
                    limit: group.limit(),
                    ring: group.ring,
                },
                waiting: Vec::new(),
            };
            let mut courses: Vec<Course> = tiles.groups.iter().map(course).collect();
            let mut next = vec![0; courses.len()];
            let mut block = tiles.end_of(0) / BLOCK;
            for tile in 0..tiles.tile_count {
                let (start, mut done) = (tiles.end_of(tile), tiles.end_of(tile + 1));
                for (index, course) in courses.iter_mut().enumerate() {
                    let end = tiles.ends(tile)[index] as usize;
                    for place in std::mem::replace(&mut next[index], end)..end {
                        let candidate = tiles.groups[index].candidates.start + place;
                        self.tested[candidate] = !self.touches[candidate];
                        if self.touches[candidate] {
                            self.places[candidate] = course.numbers.place_of(course.waiting.len());
                            course.waiting.push(candidate);
                        }
                        if course.waiting.len() == WIDTH {
                            self.write(course);
                        }
                    }
                    if let Some(&first) = course.waiting.first() {
                        let waiting = owner(&self.listed.pairs[first]);
                        if waiting < start || tile + 1 == tiles.tile_count {
                            self.write(course);
                        } else {
                            done = done.min(waiting);
                        }
                    }
                }
                while (block * BLOCK + BLOCK).min(tiles.slots.end) <= done
                    && block * BLOCK < tiles.slots.end
                {
                    if self.listed.partition.is_interior(block) {
                        self.read(block);
                    }
                    block += 1;
                }
            }
            assert!(block * BLOCK >= tiles.slots.end, "all have been reduced");
        }
    }

    #[test]
    fn no_row_of_results_is_written_anew_before_it_has_been_read() {
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
            let listed = listed(count, far_apart, &mut Pool::new(threads));
            let touch =
                |index: usize| Draws::new(3, Purpose::Test, index as u64).uniform(0) < touching;
            let mut model = Model {
                touches: (0..listed.pairs.len()).map(touch).collect(),
                tested: vec![false; listed.pairs.len()],
                places: vec![0; listed.pairs.len()],
                holders: vec![None; FIRST_ROW + listed.partition.needed.results],
                listed,
            };
            // the second time there is something to overwrite that looks right
            for _ in 0..2 {
                model.tested.fill(false);
                (0..threads).for_each(|part| model.evaluate(part));
                model
                    .listed
                    .partition
                    .boundary
                    .iter()
                    .for_each(|&block| model.read(block as usize));
            }
            let Needed { contacts, results } = model.listed.partition.needed;
            assert!(results <= contacts);
            // with the constants of a release these lists are too short for it
            if far_apart == 0.0 && count > 0 && cfg!(debug_assertions) {
                assert!(results < contacts / 2, "{results} rows of results for {contacts}");
            }
        }
    }
}
