//! A hierarchy of cell grids: particles are sorted into levels by size, each with its own grid, so that one boulder in
//! sand does not enlarge the cells of the sand.
//!
//! Partners of a particle are searched in its own level and in the coarser levels. A search in a
//! coarser grid visits at most 27 cells, so that the cost is linear in the number of particles and
//! in the number of levels, which grows with the logarithm of the size ratio.

use super::{Lattice, Layers, SlotRange};
use crate::domain::Domain;
use crate::parallel::{DisjointSlices, Pool};
use crate::particles::HotData;
use crate::simd::multiversion_avx2;
use std::ops::Range;

/// Largest ratio of radii within a level.
const LEVEL_RATIO: f64 = 2.0;

#[derive(Debug)]
pub(crate) struct Hierarchy {
    /// From fine to coarse.
    levels: Vec<Level>,
    /// See [`super::Finder`] [m].
    gap: f64,
}

#[derive(Debug)]
struct Level {
    lattice: Lattice,
    largest_radius: f64,
    /// First slot of each cell, and the end of the last.
    starts: Vec<u32>,
    /// First slot of this level.
    first: usize,
}

impl Hierarchy {
    /// Sorts `order`, the slots to keep, by level and cell, and builds the grids for the sorted
    /// sequence.
    pub(crate) fn new(
        records: &[HotData],
        order: &mut Vec<u32>,
        domain: &Domain,
        gap: f64,
        largest_skin: f64,
        layers: Layers,
        pool: &mut Pool,
    ) -> Self {
        let margin = gap + largest_skin;
        let smallest =
            order.iter().map(|&slot| records[slot as usize].radius).fold(f64::INFINITY, f64::min);
        let level_of = |record: &HotData| {
            let mut level = 0usize;
            let mut bound = smallest * LEVEL_RATIO;
            while record.radius > bound {
                bound *= LEVEL_RATIO;
                level += 1;
            }
            level
        };
        let mut members: Vec<Vec<u32>> = Vec::new();
        for &slot in order.iter() {
            let level = level_of(&records[slot as usize]);
            if members.len() <= level {
                members.resize_with(level + 1, Vec::new);
            }
            members[level].push(slot);
        }
        order.clear();
        let levels = members
            .into_iter()
            .filter(|members| !members.is_empty())
            .map(|members| Level::new(records, members, order, domain, margin, layers, pool))
            .collect();
        Self { levels, gap }
    }

    /// Appends slot ranges that may be near `i` in levels coarser than its own. Positions are not shifted by periods;
    /// the nearest image must be used.
    #[inline(always)]
    pub(crate) fn coarser(
        &self,
        records: &[HotData],
        extent: f64,
        i: usize,
        level: usize,
        found: &mut Vec<SlotRange>,
    ) {
        for level in &self.levels[level + 1..] {
            let range = extent + level.largest_radius + self.gap;
            level.visit(records[i].position, range, found);
        }
    }

    /// The cells that contain the slots of a range.
    pub(crate) fn cells(&self, range: Range<usize>) -> Cells<'_> {
        let level = self.levels.partition_point(|level| level.first <= range.start).max(1) - 1;
        let cell = self.levels.get(level).map_or(0, |level| level.cell_of(range.start));
        Cells { levels: &self.levels, level, cell, range }
    }

    /// Appends ranges of the slots after the first slot of a cell that may be near any of its slots, in its own level;
    /// those of its own row come first. Returns whether other periodic images may be nearer.
    #[inline(always)]
    pub(crate) fn surround(&self, cell: &Cell, found: &mut Vec<SlotRange>) -> bool {
        let level = &self.levels[cell.level];
        level.surround(cell.index, cell.slots.start + 1, found)
    }

    /// True if there is no coarser level than that of a cell.
    pub(crate) fn is_coarsest(&self, cell: &Cell) -> bool {
        cell.level + 1 >= self.levels.len()
    }
}

/// A range of slots of one cell.
#[derive(Debug, Clone)]
pub(crate) struct Cell {
    pub level: usize,
    pub slots: Range<usize>,
    index: usize,
}

/// Iterates over cells that are not empty.
#[derive(Debug)]
pub(crate) struct Cells<'a> {
    levels: &'a [Level],
    level: usize,
    cell: usize,
    range: Range<usize>,
}

impl Cells<'_> {
    #[inline(always)]
    pub(crate) fn next_cell(&mut self) -> Option<Cell> {
        while self.range.start < self.range.end {
            let starts = &self.levels[self.level].starts;
            let Some(&end) = starts.get(self.cell + 1) else {
                (self.level, self.cell) = (self.level + 1, 0);
                continue;
            };
            let slots = self.range.start..self.range.end.min(end as usize);
            let index = self.cell;
            self.cell += 1;
            if slots.start < slots.end {
                self.range.start = slots.end;
                return Some(Cell { level: self.level, slots, index });
            }
        }
        None
    }
}

impl Level {
    /// Appends the members in order of cell to `order`.
    fn new(
        records: &[HotData],
        members: Vec<u32>,
        order: &mut Vec<u32>,
        domain: &Domain,
        margin: f64,
        layers: Layers,
        pool: &mut Pool,
    ) -> Self {
        let radius = |&slot: &u32| records[slot as usize].radius;
        let largest_radius = members.iter().map(radius).fold(0.0, f64::max);
        let positions = || members.iter().map(|&slot| records[slot as usize].position);
        let size = 2.0 * largest_radius + margin;
        let lattice = Lattice::new(positions(), domain, size, layers);
        let mut cells = vec![0u32; members.len()];
        let slices = DisjointSlices::new(&mut cells);
        pool.split(members.len(), |_, range| {
            // SAFETY: the ranges of `split` are disjoint.
            let cells = unsafe { slices.slice_mut(range.clone()) };
            find_cells(&lattice, records, &members[range], cells);
        });
        let first = order.len();
        let mut starts = vec![0u32; lattice.cells() + 1];
        for &cell in &cells {
            starts[cell as usize + 1] += 1;
        }
        starts[0] = first as u32;
        for cell in 1..starts.len() {
            starts[cell] += starts[cell - 1];
        }
        let mut next = starts.clone();
        order.resize(first + members.len(), 0);
        for (&cell, &slot) in cells.iter().zip(&members) {
            order[next[cell as usize] as usize] = slot;
            next[cell as usize] += 1;
        }
        Self { lattice, largest_radius, starts, first }
    }

    /// The cell of a slot.
    fn cell_of(&self, slot: usize) -> usize {
        self.starts.partition_point(|&start| start as usize <= slot).max(1) - 1
    }

    /// Appends the slots from `from` on in a cell and in its neighbours.
    #[inline(always)]
    fn surround(&self, cell: usize, from: usize, found: &mut Vec<SlotRange>) -> bool {
        let lattice = &self.lattice;
        let [first, second, last] = lattice.axes;
        let [across, along] = [second, last].map(|axis| lattice.count[axis] as u32);
        let (row, along_row) = (cell as u32 / along, (cell as u32 % along) as usize);
        let layers = lattice.around(first, lattice.layer((row / across) as usize));
        let rows = lattice.around(second, (row % across) as usize);
        let runs = lattice.runs(along_row);
        let mut shift = [0.0; 3];
        for &(layer, way) in layers.iter().flatten() {
            shift[first] = way;
            for &(row, way) in rows.iter().flatten() {
                shift[second] = way;
                let row = lattice.row(layer, row);
                for (run, way) in runs.iter().flatten() {
                    shift[last] = *way;
                    let start = (self.starts[row + run.start] as usize).max(from);
                    let end = self.starts[row + run.end] as usize;
                    if start < end {
                        found.push(SlotRange { slots: start..end, shift });
                    }
                }
            }
        }
        (0..3).any(|axis| lattice.is_narrow(axis))
    }

    /// Appends the slots in the cells within `range` of a position. Cells along the last axis
    /// are contiguous in memory, so that each row of cells is one range of slots.
    #[inline(always)]
    fn visit(&self, position: [f64; 3], range: f64, found: &mut Vec<SlotRange>) {
        let lattice = &self.lattice;
        let last = lattice.axes[2];
        let runs = lattice.span(last, position[last], range);
        for (layer, row) in lattice.rows(position, range) {
            let row = lattice.row(layer, row);
            for (first, end) in runs {
                let start = self.starts[row + first] as usize;
                let end = self.starts[row + end] as usize;
                if start < end {
                    found.push(SlotRange::here(start..end));
                }
            }
        }
    }
}

multiversion_avx2! {
    /// The cell of each of some particles.
    fn find_cells(lattice: &Lattice, records: &[HotData], slots: &[u32], cells: &mut [u32]) {
        for (cell, slot) in cells.iter_mut().zip(slots) {
            *cell = lattice.index(records[*slot as usize].position) as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Vec3;
    use crate::random::{Draws, Purpose};
    use std::collections::BTreeSet;

    const RADIUS: f64 = 0.05;

    /// Positions in the unit cube, some on its boundary.
    fn points(count: u64, seed: u64) -> Vec<[f64; 3]> {
        let point = |index: u64| {
            let draws = Draws::new(seed, Purpose::Test, index);
            [0, 1, 2].map(|axis| match draws.uniform(3 + axis) {
                at if index.is_multiple_of(3) && at < 0.2 => 0.0,
                at if index.is_multiple_of(3) && at > 0.8 => 1.0,
                _ => draws.uniform(axis),
            })
        };
        (0..count).map(point).collect()
    }

    /// Pairs whose distance is below twice the radius and the margin.
    fn near(distance: impl Fn(usize, usize) -> f64, count: usize) -> BTreeSet<(usize, usize)> {
        let pairs = (0..count).flat_map(|i| (i + 1..count).map(move |j| (i, j)));
        pairs.filter(|&(i, j)| distance(i, j) < 2.0 * RADIUS + 0.01).collect()
    }

    #[test]
    fn neighbours_across_a_period_are_two_layers_apart_in_memory() {
        for count in 2..9 {
            let mut domain = Domain::new(Vec3::ZERO, Vec3::new(count as f64, 0.1, 0.1));
            domain.periodic = [true, false, false];
            let points = [[0.0; 3]; 2].into_iter();
            let lattice = Lattice::new(points, &domain, 0.99, Layers::Folded);
            assert_eq!((lattice.count, lattice.axes), ([count, 1, 1], [0, 1, 2]));
            for layer in 0..count {
                let rank = lattice.rank(layer);
                assert_eq!(lattice.layer(rank), layer);
                assert!(rank < count && rank.abs_diff(lattice.rank((layer + 1) % count)) <= 2);
            }
        }
    }

    #[test]
    fn cells_with_their_surroundings_hold_every_pair_where_it_is_seen() {
        let cases = [
            (1, [true; 3], [1.0, 1.0, 1.0], [0, 1, 2]),
            (2, [false; 3], [1.0, 1.0, 1.0], [0, 1, 2]),
            (3, [true, false, false], [1.0, 1.0, 1.0], [1, 0, 2]),
            (4, [false, true, true], [1.0, 1.0, 1.0], [0, 1, 2]),
            (5, [true, true, false], [0.6, 0.7, 1.3], [2, 0, 1]),
            (6, [true, false, true], [0.5, 1.4, 0.6], [1, 0, 2]),
            (7, [false, false, true], [0.6, 0.6, 1.5], [2, 0, 1]),
        ];
        let layers = [Layers::Straight, Layers::Folded];
        for (layers, (seed, periodic, size, axes)) in
            layers.into_iter().flat_map(|layers| cases.map(|case| (layers, case)))
        {
            let mut domain = Domain::new(Vec3::ZERO, Vec3::from_array(size));
            domain.periodic = periodic;
            let record = |point: [f64; 3]| {
                let position = [0, 1, 2].map(|axis| size[axis] * point[axis]);
                HotData { position, radius: RADIUS, ..bytemuck::Zeroable::zeroed() }
            };
            let records: Vec<HotData> = points(400, seed).into_iter().map(record).collect();
            let mut order: Vec<u32> = (0..400).collect();
            let mut pool = Pool::new(1);
            let hierarchy =
                Hierarchy::new(&records, &mut order, &domain, 0.005, 0.005, layers, &mut pool);
            assert_eq!(hierarchy.levels[0].lattice.axes, axes);
            let records: Vec<HotData> = order.iter().map(|&slot| records[slot as usize]).collect();
            let position = |slot: usize| Vec3::from_array(records[slot].position);
            let expected = near(
                |i, j| domain.nearest_image(position(j) - position(i)).length(),
                records.len(),
            );
            let mut found = BTreeSet::new();
            let mut cells = hierarchy.cells(0..records.len());
            while let Some(cell) = cells.next_cell() {
                let mut stretches = Vec::new();
                assert!(!hierarchy.surround(&cell, &mut stretches), "the grid is fine enough");
                for i in cell.slots.clone() {
                    for stretch in &stretches {
                        for j in stretch.slots.clone().filter(|&j| j > i) {
                            let away = position(j) + Vec3::from_array(stretch.shift) - position(i);
                            if away.length() < 2.0 * RADIUS + 0.01 {
                                assert!(found.insert((i, j)), "{i} and {j} are met twice");
                            }
                        }
                    }
                }
            }
            assert!(expected.len() > 300 && found == expected, "{periodic:?}");
        }
    }
}
