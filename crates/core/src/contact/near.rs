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

/// Places and radii of the particles by column: slots that follow each other are tested together.
/// Each column goes on for a block, so that whole blocks can be read.
#[derive(Debug)]
pub(super) struct Places {
    columns: [Vec<f64>; 4],
}

impl Places {
    pub(super) fn new(records: &[Record], pool: &mut Pool) -> Self {
        let mut columns = [(); 4].map(|()| vec![0.0; records.len() + BLOCK]);
        let [x, y, z, radius] = &mut columns;
        let [x, y, z, radius] =
            [Shares::new(x), Shares::new(y), Shares::new(z), Shares::new(radius)];
        pool.split(records.len(), |_, range| {
            // SAFETY: `split` gives disjoint ranges.
            let [x, y, z, radius] = unsafe {
                [
                    x.piece(range.clone()),
                    y.piece(range.clone()),
                    z.piece(range.clone()),
                    radius.piece(range.clone()),
                ]
            };
            for (place, record) in records[range].iter().enumerate() {
                [x[place], y[place], z[place], radius[place]] = *record.place();
            }
        });
        Self { columns }
    }

    /// A block of each column.
    #[inline(always)]
    fn block(&self, start: usize) -> [&[f64; BLOCK]; 4] {
        let [x, y, z, radius] = &self.columns;
        let block = |column: &'_ [f64]| -> *const f64 { column[start..start + BLOCK].as_ptr() };
        // SAFETY: each is the start of a slice of as many numbers.
        unsafe { [&*block(x).cast(), &*block(y).cast(), &*block(z).cast(), &*block(radius).cast()] }
    }
}

/// Particles near one, found so far.
struct Near<'a> {
    from: &'a Surroundings<'a>,
    places: &'a Places,
    record: &'a Record,
    /// Periods, or zeros where no image can be nearer, and half of them.
    period: [f64; 3],
    half: [f64; 3],
    /// Distance from surface to surface at which any pair is listed [m].
    gap: f64,
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
        let gap = from.skin + from.reach;
        let range = record.radius + from.largest_radius + gap;
        for axis in 0..3 {
            let place = record.position[axis];
            let (low, high) = (from.domain.min[axis] + range, from.domain.max[axis] - range);
            if place > low && place < high {
                period[axis] = 0.0;
            }
        }
        let half = period.map(|length| if length > 0.0 { 0.5 * length } else { f64::INFINITY });
        Self { from, places, record, period, half, gap, slots: [0; ROOM + BLOCK], count: 0 }
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
            let limit = Set::Eight::load(places[3]).plus(Set::Eight::all(own[3] + self.gap));
            let bits = square.less(limit.times(limit)) & mask_of(end - start);
            if let Some(to) = self.slots[self.count..].first_chunk_mut() {
                Set::Eight::write_places(bits, start as u32, to);
            }
            self.count += bits.count_ones() as usize;
        }
    }

    /// Whether a pair whose laws reach less far than others is near enough.
    fn within(&self, j: usize, reach: f64) -> bool {
        let other = &self.from.records[j];
        let away = Vec3::from_array(other.position) - Vec3::from_array(self.record.position);
        let limit = self.record.radius + other.radius + self.from.skin + reach;
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
            let is_near = laws.reach >= from.reach || self.within(slot as usize, laws.reach);
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
                Finder::Grid(grid) => grid.neighbours(from.records, i, &mut ranges),
                Finder::Cubes(cubes) => cubes.neighbours(from.records, i, &mut ranges),
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
