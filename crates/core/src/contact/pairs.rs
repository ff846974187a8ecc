//! Evaluation of all contacts between particles: the touch test packs candidates within reach into
//! chunks, and each chunk is evaluated while it is in the cache.

use super::fused::{Fused, Memory};
use super::load::{Images, load_inertia, load_pairs};
use super::rows::{Columns, FIRST_ROW, RowShares};
use super::scan::{Packed, Scan};
use super::{Candidates, Chunk, PairLaws, Rows, Scratch};
use crate::geometry::separate;
use crate::law::WIDTH;
use crate::parallel::{Pool, Shares};
use crate::particles::Record;
use std::ops::Range;

/// Evaluates every contact between particles; writes results, trial rows and trial history.
pub(crate) fn evaluate_pairs(
    chunk: &Chunk<'_>,
    records: &[Record],
    images: &Images,
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
            let group = Group { chunk, laws, records, images, listed, accepted };
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
    pub images: &'a Images,
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
        let scan = Scan {
            records: self.records,
            images: self.images,
            reach: self.laws.reach,
            pairs: &self.listed.pairs[range.clone()],
            accepted: &self.listed.accepted[range.clone()],
        };
        let mut packed = Packed::EMPTY;
        let mut start = 0;
        while start < range.len() {
            start += scan.fill(start, row, trial, &mut packed);
            if packed.count >= WIDTH {
                self.evaluate_packed(&packed, scratch);
                store(row, scratch);
                packed.take_chunk();
                row += WIDTH;
            }
        }
        if packed.count > 0 {
            packed.fill_up();
            self.evaluate_packed(&packed, scratch);
            store(row, scratch);
        }
    }

    fn evaluate_packed(&self, packed: &Packed, scratch: &mut Scratch) {
        let slots = [&packed.first[..WIDTH], &packed.second[..WIDTH]];
        load_pairs(self.records, slots, &mut scratch.partners, &mut scratch.contacts);
        match &self.laws.fused {
            Some(fused) if self.chunk.is_plain() => self.evaluate_fused(fused, packed, scratch),
            _ => self.evaluate_stages(packed, scratch),
        }
    }

    fn evaluate_stages(&self, packed: &Packed, scratch: &mut Scratch) {
        let slots = [&packed.first[..WIDTH], &packed.second[..WIDTH]];
        load_inertia(self.records, slots, &mut scratch.contacts);
        separate(&mut scratch.contacts, &self.images.period, &self.images.half);
        self.chunk.evaluate(self.laws, self.accepted, &packed.old_row, scratch);
    }

    fn evaluate_fused(&self, fused: &Fused, packed: &Packed, scratch: &mut Scratch) {
        self.accepted.fetch(&packed.old_row, &mut scratch.old);
        let (Some(old), Some(new)) = (scratch.old.as_array(), scratch.new.as_mut_array()) else {
            return;
        };
        let memory = Memory { old, new, extremes: &mut scratch.extremes };
        fused.evaluate(
            &scratch.partners,
            &scratch.contacts,
            self.images,
            &self.chunk.step,
            memory,
            &mut scratch.results,
        );
        scratch.note_extremes(self.laws.duration_factor);
    }

    /// Loads and evaluates some candidates by the stages, for a look at all columns.
    pub(super) fn view_chunk(&self, candidates: &[u32], scratch: &mut Scratch) {
        let mut packed = Packed::EMPTY;
        for &candidate in candidates {
            [packed.first[packed.count], packed.second[packed.count]] =
                self.listed.pairs[candidate as usize];
            packed.old_row[packed.count] = self.listed.accepted[candidate as usize];
            packed.count += 1;
        }
        packed.fill_up();
        let slots = [&packed.first[..WIDTH], &packed.second[..WIDTH]];
        load_pairs(self.records, slots, &mut scratch.partners, &mut scratch.contacts);
        self.evaluate_stages(&packed, scratch);
    }
}
