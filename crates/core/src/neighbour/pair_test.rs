//! The pair test: finds the partners of a particle among the particles of the neighbouring cells.

use crate::Vec3;
use crate::neighbour::cell_neighbours::{BLOCK, CellNeighbours, Positions, Probe};
use crate::neighbour::list::ListInput;
use crate::search::{Finder, Hierarchy, OneByOne, SlotRange};
use crate::simd::multiversion_transpose;
use crate::simd::transpose::Transpose;
use std::ops::Range;

/// Number of partners that are collected before their laws are looked up.
const CAPACITY: usize = 64;

/// Finds the partners of one particle after the other.
struct PairTest<'a> {
    from: &'a ListInput<'a>,
    positions: &'a Positions<'a>,
    /// Periods, and halves of them.
    period: [f64; 3],
    half: [f64; 3],
    near: [u32; CAPACITY + BLOCK],
    neighbours: CellNeighbours,
    /// Particles of a coarser level, while those of a cell are preserved.
    coarser: CellNeighbours,
    ranges: Vec<SlotRange>,
}

impl<'a> PairTest<'a> {
    fn new(from: &'a ListInput<'a>, positions: &'a Positions<'a>) -> Self {
        let period = from.domain.period().to_array();
        Self {
            from,
            positions,
            period,
            half: period.map(|length| if length > 0.0 { 0.5 * length } else { f64::INFINITY }),
            near: [0; CAPACITY + BLOCK],
            neighbours: CellNeighbours::default(),
            coarser: CellNeighbours::default(),
            ranges: Vec::new(),
        }
    }

    /// Collects the particles of the slot ranges.
    #[inline(always)]
    fn collect(&mut self) {
        self.neighbours.fill(self.positions, &self.ranges);
    }

    /// Tests a particle against the collected ones from index `first`, and lists its partners.
    #[inline(always)]
    fn test<Set: Transpose, const IMAGES: bool>(
        &mut self,
        set: Set,
        i: usize,
        first: usize,
        found: &mut [Vec<[u32; 2]>],
    ) {
        let mut probe =
            Probe { position: self.positions.of(i), period: self.period, half: self.half };
        probe.position[3] += self.from.interaction_range;
        let (mut start, mut count) = (first, 0);
        while start < self.neighbours.count() {
            if let Some(rest) = self.near[count..].first_chunk_mut() {
                count += self.neighbours.test::<Set, IMAGES>(set, &probe, start, rest);
            }
            if count >= CAPACITY {
                self.list(i, count, found);
                count = 0;
            }
            start += BLOCK;
        }
        self.list(i, count, found);
    }

    /// True if a pair whose laws have a shorter interaction range than others is within that range.
    fn within(&self, i: usize, j: usize, interaction_range: f64) -> bool {
        let [own, other] = [i, j].map(|slot| Vec3::from_array(self.from.records[slot].position));
        let limit = self.from.extents[i] + self.from.extents[j] + interaction_range;
        self.from.domain.nearest_image(other - own).length_squared() < limit * limit
    }

    /// Appends the partners found to the lists of their pairs of materials.
    #[inline(always)]
    fn list(&mut self, i: usize, count: usize, found: &mut [Vec<[u32; 2]>]) {
        let from = self.from;
        let own = &from.labels[i];
        for &index in &self.near[..count] {
            let slot = self.neighbours.slot(index);
            let its = &from.labels[slot as usize];
            let pair = from.laws.of(own.material, its.material);
            let Some(range) = from.laws.range(pair) else { continue };
            let is_near = range >= from.interaction_range || self.within(i, slot as usize, range);
            if is_near && !(own.is_held && its.is_held) {
                let i = i as u32;
                found[pair].push(if own.number < its.number { [i, slot] } else { [slot, i] });
            }
        }
    }

    /// Lists the partners of single particles, among those collected by `ranges`.
    #[inline(always)]
    fn find_each<Set: Transpose>(
        &mut self,
        set: Set,
        finder: &OneByOne,
        range: Range<usize>,
        found: &mut [Vec<[u32; 2]>],
    ) {
        for i in range {
            self.ranges.clear();
            let (records, extent) = (self.from.records, self.from.extents[i]);
            finder.neighbours(records, extent, i, &mut self.ranges);
            self.collect();
            self.test::<Set, true>(set, i, 0, found);
        }
    }

    /// Lists the partners of the particles of a hierarchy of grids, cell by cell: the particles of a cell have the same
    /// neighbouring cells.
    #[inline(always)]
    fn find_by_cells<Set: Transpose>(
        &mut self,
        set: Set,
        hierarchy: &Hierarchy,
        range: Range<usize>,
        found: &mut [Vec<[u32; 2]>],
    ) {
        let mut cells = hierarchy.cells(range);
        while let Some(cell) = cells.next_cell() {
            self.ranges.clear();
            let images = hierarchy.surround(&cell, &mut self.ranges);
            self.collect();
            let has_coarser = !hierarchy.is_coarsest(&cell);
            for i in cell.slots.clone() {
                // the collected neighbours begin with those after the first particle of the cell
                let first = i - cell.slots.start;
                if images {
                    self.test::<Set, true>(set, i, first, found);
                } else {
                    self.test::<Set, false>(set, i, first, found);
                }
                if has_coarser {
                    // in one pass, so that the list is in order of the slots
                    std::mem::swap(&mut self.neighbours, &mut self.coarser);
                    self.ranges.clear();
                    let (records, extent) = (self.from.records, self.from.extents[i]);
                    hierarchy.coarser(records, extent, i, cell.level, &mut self.ranges);
                    self.collect();
                    self.test::<Set, true>(set, i, 0, found);
                    std::mem::swap(&mut self.neighbours, &mut self.coarser);
                }
            }
        }
    }
}

multiversion_transpose! {
    /// Finds the partners of the particles in a range of slots.
    pub(crate) fn find_all<Set: Transpose>(
        set: Set,
        finder: &Finder,
        from: &ListInput<'_>,
        positions: &Positions<'_>,
        range: Range<usize>,
        found: &mut [Vec<[u32; 2]>],
    ) {
        let mut near = PairTest::new(from, positions);
        match finder {
            Finder::Grid(hierarchy) => near.find_by_cells(set, hierarchy, range, found),
            Finder::OneByOne(finder) => near.find_each(set, finder, range, found),
        }
    }
}
