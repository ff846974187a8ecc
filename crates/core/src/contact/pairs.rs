//! Evaluation of all contacts between particles: the touch test packs candidates within reach into
//! chunks, and each chunk is evaluated while it is in the cache.

use super::load::{Images, load_motions, load_pairs};
use super::rows::{Columns, FIRST_ROW, RowShares};
use super::{Candidates, Chunk, PairLaws, Rows, Scratch};
use crate::law::WIDTH;
use crate::parallel::{Pool, Shares};
use crate::particles::Record;
use crate::simd::{prefetch, vectorise_rows};
use std::ops::Range;

/// How far ahead records are asked for, in candidates. Measured: flat from 32 to 192 in the cache,
/// 96 and more is best beyond it.
const PREFETCH_AHEAD: usize = 96;

/// Candidates tested at once, between two looks at whether a chunk is full.
const BLOCK: usize = 16;

/// Evaluates every contact between particles; writes results, trial rows and trial history.
pub(crate) fn evaluate_pairs(
    chunk: &Chunk<'_>,
    records: &[Record],
    candidates: &mut Candidates,
    rows: &mut Rows,
    scratch: &mut [Scratch],
    pool: &mut Pool,
) {
    let parts = pool.threads();
    rows.reserve(candidates.rows_needed(parts, WIDTH), chunk.table.extras);
    let mut trial_rows = std::mem::take(&mut candidates.trial);
    let listed = &*candidates;
    let trial = Shares::new(&mut trial_rows);
    let (accepted, output) = RowShares::new(rows, chunk.table.extras);
    let scratch = Shares::new(scratch);
    pool.run(|part| {
        // SAFETY: each part has its own scratch.
        let [scratch] = (unsafe { scratch.piece(part..part + 1) }) else { return };
        for (pair, range, row) in listed.parts(part, parts, WIDTH) {
            // SAFETY: each part has its own range of candidates.
            let trial = unsafe { trial.piece(range.clone()) };
            let laws = &chunk.table.pairs[pair];
            let group = Group { chunk, laws, records, listed, accepted };
            group.evaluate(
                range,
                trial,
                FIRST_ROW + row,
                |row, scratch| {
                    // SAFETY: `parts` gives each part rows of its own, with a gap for the last chunk.
                    unsafe { output.store(row, scratch) }
                },
                scratch,
            );
        }
    });
    candidates.trial = trial_rows;
}

/// Candidates of one pair of materials.
pub(super) struct Group<'a> {
    pub chunk: &'a Chunk<'a>,
    pub laws: &'a PairLaws,
    pub records: &'a [Record],
    pub listed: &'a Candidates,
    pub accepted: &'a Columns,
}

impl Group<'_> {
    /// Evaluates the contacts among a range of candidates; `trial` receives their rows, counted
    /// from `row`; `store` is called for each chunk with its first row.
    fn evaluate(
        &self,
        range: Range<usize>,
        trial: &mut [u32],
        mut row: usize,
        store: impl Fn(usize, &Scratch),
        scratch: &mut Scratch,
    ) {
        let mut packed = [0u32; WIDTH + BLOCK];
        let mut count = 0;
        let mut start = range.start;
        while start < range.end {
            let end = (start + BLOCK).min(range.end);
            self.prefetch(end);
            let block = &mut trial[start - range.start..end - range.start];
            let tested = Tested {
                pairs: &self.listed.pairs[start..end],
                first: start as u32,
                row: (row + count) as u32,
            };
            count += pack(
                self.records,
                &self.chunk.images,
                self.laws.reach,
                &tested,
                block,
                &mut packed,
                count,
            );
            if count >= WIDTH {
                self.evaluate_chunk(&packed, scratch);
                store(row, scratch);
                packed.copy_within(WIDTH.., 0);
                count -= WIDTH;
                row += WIDTH;
            }
            start = end;
        }
        if count > 0 {
            let last = packed[count - 1];
            packed[count..WIDTH].fill(last);
            self.evaluate_chunk(&packed, scratch);
            store(row, scratch);
        }
    }

    #[inline(always)]
    fn prefetch(&self, ahead_of: usize) {
        let ahead = ahead_of + PREFETCH_AHEAD;
        for pair in self.listed.pairs.get(ahead..ahead + BLOCK).unwrap_or_default() {
            let record = &raw const self.records[pair[1] as usize];
            prefetch(record);
            prefetch(record.cast::<u8>().wrapping_add(64));
        }
    }

    /// Loads and evaluates the contacts of the first lanes; the others hold copies of the last.
    pub(super) fn evaluate_chunk(&self, packed: &[u32], scratch: &mut Scratch) {
        let mut pairs = [[0u32; 2]; WIDTH];
        let mut rows = [0u32; WIDTH];
        for lane in 0..WIDTH {
            pairs[lane] = self.listed.pairs[packed[lane] as usize];
            rows[lane] = self.listed.accepted[packed[lane] as usize];
        }
        if self.chunk.table.layout.stride > 0 {
            for lane in 0..WIDTH {
                scratch.slots[lane] = if rows[lane] > 0 { packed[lane] + 1 } else { 0 };
            }
        }
        let images = &self.chunk.images;
        load_pairs(self.records, &pairs, images, &mut scratch.partners, &mut scratch.contacts);
        if !self.chunk.motions.is_empty() {
            load_motions(self.chunk.motions, &pairs, &mut scratch.partners);
        }
        self.chunk.evaluate(self.laws, self.accepted, &rows, scratch);
    }
}

/// A block of candidates, the index of its first one, and the row of the next contact.
struct Tested<'a> {
    pairs: &'a [[u32; 2]],
    first: u32,
    row: u32,
}

vectorise_rows! {
    /// The touch test: appends candidates within reach to `packed` from `place` on, gives each its
    /// row (0 where there is no contact), and returns how many there are. Free of branches: one
    /// that depends on the outcome costs more than all the rest.
    fn pack(
        records: &[Record],
        images: &Images,
        reach: f64,
        tested: &Tested<'_>,
        trial: &mut [u32],
        packed: &mut [u32; WIDTH + BLOCK],
        place: usize,
    ) -> usize {
        let mut count = 0;
        for (index, (pair, trial)) in tested.pairs.iter().zip(trial).enumerate() {
            let [first, second] = pair.map(|slot| &records[slot as usize]);
            let mut square = 0.0;
            for axis in 0..3 {
                let mut d = second.position[axis] - first.position[axis];
                d -= if d > images.half[axis] { images.period[axis] } else { 0.0 };
                d += if d < -images.half[axis] { images.period[axis] } else { 0.0 };
                square += d * d;
            }
            let limit = first.radius + second.radius + reach;
            let touches = square < limit * limit;
            packed[place + count] = tested.first + index as u32;
            *trial = if touches { tested.row + count as u32 } else { 0 };
            count += usize::from(touches);
        }
        count
    }
}
