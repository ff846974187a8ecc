//! A hierarchy of cell grids: particles are sorted into levels by size, each with its own grid, so
//! that one boulder among sand does not make the cells of the sand large.
//!
//! A particle looks for partners in its own level and in the coarser ones; a look into a coarser
//! grid touches at most 27 cells, so the cost is linear in the number of particles and in the
//! number of levels, which grows with the logarithm of the size ratio.

use super::Lattice;
use crate::domain::Domain;
use crate::parallel::{Pool, Shares};
use crate::particles::Record;
use crate::simd::vectorise_rows;
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
    /// Sorts `order`, a list of the slots to keep, by level and cell, and makes the grids for the
    /// sorted sequence.
    pub(crate) fn new(
        records: &[Record],
        order: &mut Vec<u32>,
        domain: &Domain,
        gap: f64,
        largest_allowance: f64,
        pool: &mut Pool,
    ) -> Self {
        let margin = gap + largest_allowance;
        let smallest =
            order.iter().map(|&slot| records[slot as usize].radius).fold(f64::INFINITY, f64::min);
        let level_of = |record: &Record| {
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
            .map(|members| Level::new(records, members, order, domain, margin, pool))
            .collect();
        Self { levels, gap }
    }

    /// Appends ranges of slots beyond `i` that may be near it.
    #[inline(always)]
    pub(crate) fn neighbours(
        &self,
        records: &[Record],
        extent: f64,
        i: usize,
        found: &mut Vec<Range<usize>>,
    ) {
        let record = &records[i];
        let own = self.levels.partition_point(|level| level.first <= i) - 1;
        for level in &self.levels[own..] {
            let range = extent + level.largest_radius + self.gap;
            level.visit(record.position, range, i + 1, found);
        }
    }
}

impl Level {
    /// Appends the members in order of cell to `order`.
    fn new(
        records: &[Record],
        members: Vec<u32>,
        order: &mut Vec<u32>,
        domain: &Domain,
        margin: f64,
        pool: &mut Pool,
    ) -> Self {
        let radius = |&slot: &u32| records[slot as usize].radius;
        let largest_radius = members.iter().map(radius).fold(0.0, f64::max);
        let positions = || members.iter().map(|&slot| records[slot as usize].position);
        let lattice = Lattice::new(positions(), domain, 2.0 * largest_radius + margin);
        let mut cells = vec![0u32; members.len()];
        let shares = Shares::new(&mut cells);
        pool.split(members.len(), |_, range| {
            // SAFETY: `split` gives disjoint ranges.
            let cells = unsafe { shares.piece(range.clone()) };
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

    /// Appends the slots from `from` on in the cells within `range` of a position. Cells along the
    /// last axis are neighbours in memory, so each row of them is one range of slots.
    #[inline(always)]
    fn visit(&self, position: [f64; 3], range: f64, from: usize, found: &mut Vec<Range<usize>>) {
        let lattice = &self.lattice;
        let last = lattice.span(2, position[2], range);
        for (first_x, end_x) in lattice.span(0, position[0], range) {
            for x in first_x..end_x {
                for (first_y, end_y) in lattice.span(1, position[1], range) {
                    for y in first_y..end_y {
                        let row = (x * lattice.count[1] + y) * lattice.count[2];
                        for (first_z, end_z) in last {
                            let start = (self.starts[row + first_z] as usize).max(from);
                            let end = self.starts[row + end_z] as usize;
                            if start < end {
                                found.push(start..end);
                            }
                        }
                    }
                }
            }
        }
    }
}

vectorise_rows! {
    /// The cell of each of some particles.
    fn find_cells(lattice: &Lattice, records: &[Record], slots: &[u32], cells: &mut [u32]) {
        for (cell, slot) in cells.iter_mut().zip(slots) {
            *cell = lattice.index(records[*slot as usize].position) as u32;
        }
    }
}
