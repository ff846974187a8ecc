//! Particles of the neighbouring cells in contiguous columns, which are tested eight at a time.

use crate::parallel::{DisjointSlices, Pool};
use crate::particles::HotData;
use crate::search::SlotRange;
use crate::simd::f64x8::F64x8;
use crate::simd::transpose::Transpose;

/// Number of particles tested at once.
pub(crate) const BLOCK: usize = 8;

/// The length of a column from which whole blocks can be read.
pub(crate) fn padded(count: usize) -> usize {
    count + BLOCK
}

/// Positions and extents of all particles by column, each padded by a block.
#[derive(Debug)]
pub(crate) struct Positions<'a> {
    columns: [Vec<f64>; 3],
    extents: &'a [f64],
}

impl<'a> Positions<'a> {
    pub(crate) fn new(records: &[HotData], extents: &'a [f64], pool: &mut Pool) -> Self {
        let mut columns = [(); 3].map(|()| vec![0.0; padded(records.len())]);
        let [x, y, z] = columns.each_mut().map(|column| DisjointSlices::new(column));
        pool.split(records.len(), |_, range| {
            // SAFETY: the ranges of `split` are disjoint.
            let [x, y, z] = unsafe {
                [x.slice_mut(range.clone()), y.slice_mut(range.clone()), z.slice_mut(range.clone())]
            };
            for (index, record) in records[range].iter().enumerate() {
                [x[index], y[index], z[index]] = record.position;
            }
        });
        Self { columns, extents }
    }

    /// Position of a particle and its extent.
    #[inline(always)]
    pub(crate) fn of(&self, slot: usize) -> [f64; 4] {
        let [x, y, z] = &self.columns;
        [x[slot], y[slot], z[slot], self.extents[slot]]
    }

    #[inline(always)]
    fn block(&self, column: usize, start: usize) -> [f64; BLOCK] {
        let column = if column < 3 { &self.columns[column] } else { self.extents };
        *block(column, start)
    }
}

/// A block of a padded column.
#[inline(always)]
fn block(column: &[f64], start: usize) -> &[f64; BLOCK] {
    let block = column[start..start + BLOCK].as_ptr();
    // SAFETY: it is the start of a slice of this many numbers.
    unsafe { &*block.cast() }
}

/// Copies of positions and extents, in any order of slots.
#[derive(Debug, Default)]
pub(crate) struct CellNeighbours {
    columns: [Vec<f64>; 4],
    slots: Vec<u32>,
    count: usize,
}

/// The particle that is tested against the particles of the neighbouring cells.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Probe {
    /// Position, and extent plus the largest interaction range.
    pub position: [f64; 4],
    /// Periods, or zeros if no image can be nearer, and half periods.
    pub period: [f64; 3],
    pub half: [f64; 3],
}

impl CellNeighbours {
    /// Copies the particles of these slot ranges.
    #[inline(always)]
    pub(crate) fn fill(&mut self, positions: &Positions<'_>, ranges: &[SlotRange]) {
        let length: usize = ranges.iter().map(|range| range.slots.len()).sum();
        if self.slots.len() < length + 2 * BLOCK {
            self.columns.iter_mut().for_each(|column| column.resize(2 * length + 2 * BLOCK, 0.0));
            self.slots.resize(2 * length + 2 * BLOCK, 0);
        }
        self.count = 0;
        for range in ranges {
            let mut start = range.slots.start;
            while start < range.slots.end {
                self.put(positions, start, &range.shift);
                let step = BLOCK.min(range.slots.end - start);
                start += step;
                self.count += step;
            }
        }
        // NaN is never within a distance
        self.columns[0][self.count..self.count + BLOCK].fill(f64::NAN);
    }

    /// Writes a block after the end.
    #[inline(always)]
    fn put(&mut self, positions: &Positions<'_>, start: usize, shift: &[f64; 3]) {
        let to = self.count..self.count + BLOCK;
        for column in 0..4 {
            let mut values = positions.block(column, start);
            let shift = if column < 3 { shift[column] } else { 0.0 };
            if shift != 0.0 {
                values.iter_mut().for_each(|value| *value += shift);
            }
            self.columns[column][to.clone()].copy_from_slice(&values);
        }
        for (lane, slot) in self.slots[to].iter_mut().enumerate() {
            *slot = (start + lane) as u32;
        }
    }

    pub(crate) fn count(&self) -> usize {
        self.count
    }

    #[inline(always)]
    pub(crate) fn slot(&self, index: u32) -> u32 {
        self.slots[index as usize]
    }

    /// Tests the block that starts at `start` and writes the indices of partners to the front of `near`; returns their
    /// number. Without branches on the result: one test in five succeeds, which cannot be predicted.
    #[inline(always)]
    pub(crate) fn test<Set: Transpose, const IMAGES: bool>(
        &self,
        set: Set,
        probe: &Probe,
        start: usize,
        near: &mut [u32; BLOCK],
    ) -> usize {
        let mut square = set.splat8(0.0);
        for axis in 0..3 {
            let coordinate = set.load8(block(&self.columns[axis], start));
            let mut d = coordinate.sub(set.splat8(probe.position[axis]));
            if IMAGES {
                let (half, period) = (probe.half[axis], probe.period[axis]);
                d = d.sub_where(set.splat8(half).lt(d), set.splat8(period));
                d = d.sub_where(d.lt(set.splat8(-half)), set.splat8(-period));
            }
            square = square.add(d.mul(d));
        }
        let extents = set.load8(block(&self.columns[3], start));
        let limit = extents.add(set.splat8(probe.position[3]));
        let bits = square.lt(limit.mul(limit));
        set.write_indices(bits, start as u32, near);
        bits.count_ones() as usize
    }
}
