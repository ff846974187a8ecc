//! Finding the partners of a particle among those that the search has brought together.

use super::list::Surroundings;
use crate::Vec3;
use crate::parallel::{Pool, Shares};
use crate::particles::Record;
use crate::search::Finder;
use crate::simd::eight::Eight;
use crate::simd::lines::Lines;
use crate::simd::with_lines;
use std::ops::Range;

/// Slots tested at once.
const BLOCK: usize = 8;

/// Places of the particles by column: slots that follow each other are tested together. Each column
/// goes on for a block, so that whole blocks can be read.
#[derive(Debug)]
pub(super) struct Places {
    columns: [Vec<f64>; 3],
}

/// The length of a column of which whole blocks can be read.
pub(crate) fn padded(count: usize) -> usize {
    count + BLOCK
}

impl Places {
    pub(super) fn new(records: &[Record], pool: &mut Pool) -> Self {
        let mut columns = [(); 3].map(|()| vec![0.0; padded(records.len())]);
        let [x, y, z] = columns.each_mut().map(|column| Shares::new(column));
        pool.split(records.len(), |_, range| {
            // SAFETY: `split` gives disjoint ranges.
            let [x, y, z] =
                unsafe { [x.piece(range.clone()), y.piece(range.clone()), z.piece(range.clone())] };
            for (place, record) in records[range].iter().enumerate() {
                [x[place], y[place], z[place]] = record.position;
            }
        });
        Self { columns }
    }

    /// A block of each column.
    #[inline(always)]
    fn block(&self, start: usize) -> [&[f64; BLOCK]; 3] {
        let [x, y, z] = &self.columns;
        [block(x, start), block(y, start), block(z, start)]
    }
}

/// A block of a padded column.
#[inline(always)]
fn block(column: &[f64], start: usize) -> &[f64; BLOCK] {
    let block = column[start..start + BLOCK].as_ptr();
    // SAFETY: it is the start of a slice of as many numbers.
    unsafe { &*block.cast() }
}

/// Particles near one, found so far.
struct Near<'a> {
    from: &'a Surroundings<'a>,
    places: &'a Places,
    record: &'a Record,
    /// Periods, or zeros where no image can be nearer, and half of them.
    period: [f64; 3],
    half: [f64; 3],
    /// Its extent and the largest reach [m].
    extent: f64,
    slots: [u32; ROOM + BLOCK],
    count: usize,
}

/// Partners that are kept before their laws are looked up.
const ROOM: usize = 64;

impl<'a> Near<'a> {
    #[inline(always)]
    fn new(from: &'a Surroundings<'a>, places: &'a Places, i: usize) -> Self {
        let record = &from.records[i];
        let mut period = from.domain.period().to_array();
        let extent = from.extents[i] + from.reach;
        let range = extent + from.largest_extent;
        for axis in 0..3 {
            let place = record.position[axis];
            let (low, high) = (from.domain.min[axis] + range, from.domain.max[axis] - range);
            if place > low && place < high {
                period[axis] = 0.0;
            }
        }
        let half = period.map(|length| if length > 0.0 { 0.5 * length } else { f64::INFINITY });
        Self { from, places, record, period, half, extent, slots: [0; ROOM + BLOCK], count: 0 }
    }

    /// Tests a block of slots, of which those before `end` count, and keeps those that are near. Free
    /// of branches on whether one is: four of five are not, in no order that could be foreseen.
    ///
    /// # Safety
    /// The machine has the instruction set.
    #[inline(always)]
    unsafe fn test<Set: Lines>(&mut self, start: usize, end: usize) {
        let places = self.places.block(start);
        let own = self.record.place();
        // SAFETY: the caller's promise.
        unsafe {
            let mut square = Set::Eight::all(0.0);
            for axis in 0..3 {
                let d = Set::Eight::load(places[axis]).minus(Set::Eight::all(own[axis]));
                let (half, period) = (self.half[axis], self.period[axis]);
                let d = d.minus_where(Set::Eight::all(half).less(d), Set::Eight::all(period));
                let d = d.minus_where(d.less(Set::Eight::all(-half)), Set::Eight::all(-period));
                square = square.plus(d.times(d));
            }
            let extents = Set::Eight::load(block(self.from.extents, start));
            let limit = extents.plus(Set::Eight::all(self.extent));
            let bits = square.less(limit.times(limit)) & mask_of(end - start);
            if let Some(to) = self.slots[self.count..].first_chunk_mut() {
                Set::Eight::write_places(bits, start as u32, to);
            }
            self.count += bits.count_ones() as usize;
        }
    }

    /// Whether a pair whose laws reach less far than others is near enough.
    fn within(&self, i: usize, j: usize, reach: f64) -> bool {
        let other = &self.from.records[j];
        let away = Vec3::from_array(other.position) - Vec3::from_array(self.record.position);
        let limit = self.from.extents[i] + self.from.extents[j] + reach;
        self.from.domain.nearest_image(away).length_squared() < limit * limit
    }

    /// Appends those found to the lists of their pairs of materials.
    fn list(&mut self, i: usize, found: &mut [Vec<[u32; 2]>]) {
        let from = self.from;
        let own = &from.labels[i];
        for index in 0..self.count {
            let slot = self.slots[index];
            let its = &from.labels[slot as usize];
            let pair = from.laws.pair(own.material, its.material);
            let Some(laws) = from.laws.pairs.get(pair) else { continue };
            let is_near = laws.reach >= from.reach || self.within(i, slot as usize, laws.reach);
            let other = &from.records[slot as usize];
            if is_near && self.record.inverse_mass + other.inverse_mass > 0.0 {
                let i = i as u32;
                found[pair].push(if own.id < its.id { [i, slot] } else { [slot, i] });
            }
        }
        self.count = 0;
    }
}

/// The bits of the first few of eight.
#[inline(always)]
fn mask_of(few: usize) -> u8 {
    if few < 8 { (1 << few) - 1 } else { 255 }
}

with_lines! {
    /// Finds the partners of the particles in a range of slots.
    pub(super) fn find_all<Set: Lines>(
        finder: &Finder,
        from: &Surroundings<'_>,
        places: &Places,
        range: Range<usize>,
        found: &mut [Vec<[u32; 2]>],
    ) {
        let mut ranges = Vec::new();
        for i in range {
            ranges.clear();
            match finder {
                Finder::Grid(grid) => {
                    grid.neighbours(from.records, from.extents[i], i, &mut ranges);
                },
                Finder::Cubes(cubes) => {
                    cubes.neighbours(from.records, from.extents[i], i, &mut ranges);
                },
                Finder::BruteForce => ranges.push(i + 1..from.records.len()),
            }
            let mut near = Near::new(from, places, i);
            // no closures here: they are not compiled for the instruction set
            for range in &ranges {
                let mut start = range.start;
                while start < range.end {
                    // SAFETY: `Set` is one that the machine has.
                    unsafe { near.test::<Set>(start, range.end) };
                    if near.count >= ROOM {
                        near.list(i, found);
                    }
                    start += BLOCK;
                }
            }
            near.list(i, found);
        }
    }
}
