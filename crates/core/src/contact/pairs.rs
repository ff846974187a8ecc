//! Evaluation of all contacts between particles: the touch test packs candidates within reach into
//! chunks, and each chunk is evaluated while it is in the cache.

use super::fused::{Fused, Given, MOMENT, REMEMBERED};
use super::load::{Images, load_motions, load_pairs};
use super::rows::{Columns, FIRST_ROW, RowShares};
use super::scan::{Packed, Scan};
use super::{Candidates, Chunk, PairLaws, Rows, Scratch};
use crate::geometry::approach;
use crate::law::WIDTH;
use crate::parallel::{Pool, Shares};
use crate::particles::Record;
use std::ops::Range;

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
    candidates.touched.clear();
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
            // SAFETY: `parts` gives each part rows of its own, with a gap for the last chunk.
            unsafe { group.evaluate(range, trial, FIRST_ROW + row, &output, scratch) };
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
    /// from `row`.
    ///
    /// # Safety
    /// As many rows from `row` on as there are candidates, and a chunk more, belong to the calling
    /// part alone.
    unsafe fn evaluate(
        &self,
        range: Range<usize>,
        trial: &mut [u32],
        mut row: usize,
        output: &RowShares<'_>,
        scratch: &mut Scratch,
    ) {
        let scan = Scan {
            records: self.records,
            images: &self.chunk.images,
            reach: self.laws.reach,
            looks_ahead: Scan::looks_ahead(self.records.len(), self.listed.pairs.len()),
            pairs: &self.listed.pairs[range.clone()],
            accepted: &self.listed.accepted[range.clone()],
            output: output.write_ahead(),
        };
        let mut packed = Packed::EMPTY;
        let mut start = 0;
        while start < range.len() {
            start += scan.fill(start, row, trial, &mut packed);
            if packed.count >= WIDTH {
                // SAFETY: the caller's promise: there are no more contacts than candidates.
                unsafe { self.evaluate_packed(&packed, row, output, scratch) };
                packed.take_chunk();
                row += WIDTH;
            }
        }
        if packed.count > 0 {
            packed.fill_up();
            // SAFETY: the caller's promise: there is a chunk more.
            unsafe { self.evaluate_packed(&packed, row, output, scratch) };
        }
    }

    /// Evaluates a chunk and writes what it gives.
    ///
    /// # Safety
    /// The `WIDTH` rows from `row` on belong to the calling part alone.
    unsafe fn evaluate_packed(
        &self,
        packed: &Packed,
        row: usize,
        output: &RowShares<'_>,
        scratch: &mut Scratch,
    ) {
        if self.listed.touched.is_kept() {
            packed.slots().iter().for_each(|slots| self.listed.touched.mark(slots));
        }
        load_pairs(self.records, packed.slots(), &mut scratch.partners, &mut scratch.contacts);
        if let Some(fused) = &self.laws.fused
            && self.chunk.is_plain()
        {
            // SAFETY: the caller's promise.
            unsafe { self.evaluate_fused(fused, packed, row, output, scratch) };
        } else {
            self.evaluate_stages(packed, scratch);
            // SAFETY: the caller's promise.
            unsafe { output.store(row, scratch) };
        }
    }

    fn evaluate_stages(&self, packed: &Packed, scratch: &mut Scratch) {
        if self.chunk.table.layout.stride > 0 {
            for lane in 0..WIDTH {
                let pair = [packed.first[lane], packed.second[lane]];
                let known = packed.old_row[lane] > 0;
                let candidate = if known { self.listed.candidate(pair) } else { None };
                scratch.slots[lane] = candidate.map_or(0, |candidate| candidate as u32 + 1);
            }
        }
        let Images { period, half } = &self.chunk.images;
        let elapsed = self.chunk.step.elapsed;
        approach(&scratch.partners, period, half, elapsed, &mut scratch.contacts);
        if !self.chunk.motions.is_empty() {
            load_motions(self.chunk.motions, packed.slots(), &mut scratch.partners);
        }
        self.chunk.evaluate(self.laws, self.accepted, &packed.old_row, scratch);
    }

    /// As `evaluate_packed`, once the partners are loaded. History goes straight from where it is
    /// to where it belongs.
    unsafe fn evaluate_fused(
        &self,
        fused: &Fused,
        packed: &Packed,
        row: usize,
        output: &RowShares<'_>,
        scratch: &mut Scratch,
    ) {
        let Scratch { partners, contacts, forces, old: room, extremes, results, between, .. } =
            scratch;
        let rows = &packed.old_row[..WIDTH];
        let given = Given {
            partners,
            contacts,
            images: &self.chunk.images,
            elapsed: self.chunk.step.elapsed,
        };
        // SAFETY: the caller's promise; every column is asked for once.
        unsafe {
            if fused.rolls() {
                let all: [_; REMEMBERED + MOMENT] = self.accepted.look_up(rows, room);
                let [x, y, z, _, mx, my, mz] = all;
                let new = output.trial_columns(row);
                let (old, couples) = ([x, y, z, mx, my, mz], &mut forces.couple);
                fused.evaluate_rolling(&given, old, new, extremes, results, couples);
                output.store_couples(row, couples);
            } else {
                let old = self.accepted.look_up(rows, room);
                let new = output.trial_columns(row);
                fused.evaluate(&given, old, new, extremes, between, results);
            }
            output.store_results(row, results);
        }
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
        load_pairs(self.records, packed.slots(), &mut scratch.partners, &mut scratch.contacts);
        self.evaluate_stages(&packed, scratch);
    }
}
