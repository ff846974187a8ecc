//! Evaluation of all contacts between particles: the touch test packs candidates within reach into
//! chunks, and each chunk is evaluated while it is in the cache.

use super::cuts::owner;
use super::fused::{Fused, Given, MOMENT, REMEMBERED};
use super::load::{Images, load_inertias, load_motions, load_pairs};
use super::packed::{Packed, PackedChunk, SCANNED};
use super::rows::{Columns, FIRST_ROW, RowShares};
use super::scan::{BLOCK, Scan};
use super::{Candidates, Chunk, PairLaws, Scratch};
use crate::geometry::approach;
use crate::law::WIDTH;
use crate::parallel::{Reading, Shares};
use crate::particles::Record;
use std::ops::Range;

/// An evaluation of all contacts between particles, which writes results, trial rows and trial
/// history. Parts go through the slots in order, each through its own.
pub(crate) struct PairRun<'a> {
    pub chunk: &'a Chunk<'a>,
    /// Without the trial rows.
    pub listed: &'a Candidates,
    pub records: Reading<'a, Record>,
    pub accepted: &'a Columns,
    pub output: RowShares<'a>,
    pub trial: Shares<'a, u32>,
    pub scratch: Shares<'a, Scratch>,
}

/// Candidates that are evaluated before the particles that are ready are taken in hand: few enough
/// that results and records are in the cache still. Measured in a bed of 100 000: a tenth faster
/// than all at once; with a quarter of this the gain is gone, for reasons not understood.
///
/// Where assertions are on it is short, so that the small scenes of tests have many.
const STRETCH: usize = if cfg!(debug_assertions) { 192 } else { 16384 };

/// Candidates of all groups after which each group has its turn, where there are several: their
/// records are near then. Measured with six groups: 3 % on a busy machine, nothing on an idle one.
const WINDOW: usize = STRETCH / 8;

/// Least candidates of a group in a window and in a stretch, on average: turns cost something, and the
/// last chunk of a stretch is not full.
const LEAST_IN_WINDOW: usize = WIDTH;
const LEAST_IN_STRETCH: usize = if cfg!(debug_assertions) { WIDTH } else { 16 * WIDTH };

/// The stretches of a part.
fn rounds(listed: &Candidates, part: usize) -> usize {
    let all: usize = listed.parts(part).map(|(_, range)| range.len()).sum();
    all.div_ceil(STRETCH.max(LEAST_IN_STRETCH * listed.groups.len())).max(1)
}

/// The windows of a stretch.
fn windows(listed: &Candidates) -> usize {
    match listed.groups.len() {
        0 | 1 => 1,
        groups => (STRETCH / WINDOW.max(LEAST_IN_WINDOW * groups)).max(1),
    }
}

/// Rows for this many candidates of a group: chunks begin at a line of the cache, and the last one
/// of each round need not be full.
fn rows_for(candidates: usize, rounds: usize) -> usize {
    candidates.next_multiple_of(WIDTH) + rounds * WIDTH
}

/// Rows for the candidates of a part.
fn rows_of(listed: &Candidates, part: usize) -> usize {
    let rounds = rounds(listed, part);
    listed.parts(part).map(|(_, range)| rows_for(range.len(), rounds)).sum()
}

/// Rows for all candidates.
pub(crate) fn rows_needed(listed: &Candidates, parts: usize) -> usize {
    (0..parts).map(|part| rows_of(listed, part)).sum()
}

/// How far a part has got with the candidates of one group.
#[derive(Debug)]
pub(super) struct Course {
    pair: usize,
    range: Range<usize>,
    /// The next one to test, counted from the first.
    next: usize,
    /// Row of the first that waits.
    row: usize,
    packed: Packed,
}

impl Course {
    fn new() -> Self {
        Self { pair: 0, range: 0..0, next: 0, row: 0, packed: Packed::EMPTY }
    }

    /// Begins anew. What is packed is large, and is not cleared.
    fn begin(&mut self, pair: usize, range: Range<usize>, row: usize) {
        (self.pair, self.range, self.next, self.row) = (pair, range, 0, row);
        self.packed.count = 0;
    }
}

impl PairRun<'_> {
    /// Evaluates the candidates of a part. Now and then tells `ready` the slot before which all
    /// candidates that the part has have been evaluated.
    ///
    /// # Safety
    /// No other call for the same part may run at the same time.
    pub(crate) unsafe fn evaluate(&self, part: usize, mut ready: impl FnMut(usize)) {
        // SAFETY: the caller's promise: each part has its own scratch.
        let [scratch] = (unsafe { self.scratch.piece(part..part + 1) }) else { return };
        let mut room = std::mem::take(&mut scratch.courses);
        let count = self.listed.groups.len();
        room.resize_with(room.len().max(count), Course::new);
        let courses = &mut room[..count];
        let rounds = rounds(self.listed, part);
        let mut row = FIRST_ROW + (0..part).map(|part| rows_of(self.listed, part)).sum::<usize>();
        for (course, (pair, range)) in courses.iter_mut().zip(self.listed.parts(part)) {
            let rows = rows_for(range.len(), rounds);
            course.begin(pair, range, row);
            row += rows;
        }
        let slots = self.listed.cuts.slots(part);
        let windows = windows(self.listed);
        for round in 1..=rounds {
            for window in 1..=windows {
                let done = (round - 1) * windows + window;
                let end = slots.start + slots.len() * done / (rounds * windows);
                for course in &mut *courses {
                    // SAFETY: the caller's promise.
                    unsafe { self.advance(course, end, scratch) };
                }
            }
            for course in &mut *courses {
                // SAFETY: as above.
                unsafe { self.finish(course, scratch) };
            }
            ready(slots.start + slots.len() * round / rounds);
        }
        scratch.courses = room;
    }

    fn group(&self, course: &Course) -> Group<'_> {
        Group {
            chunk: self.chunk,
            laws: &self.chunk.table.pairs[course.pair],
            records: self.records,
            listed: self.listed,
            accepted: self.accepted,
        }
    }

    /// Evaluates the candidates of a course that belong to slots before `end`, but for some that wait
    /// for others to fill their chunk.
    ///
    /// # Safety
    /// The candidates belong to the calling part alone.
    unsafe fn advance(&self, course: &mut Course, end: usize, scratch: &mut Scratch) {
        let group = self.group(course);
        let range = course.range.clone();
        let scan = Scan {
            records: self.records,
            images: &self.chunk.images,
            reach: group.laws.reach,
            looks_ahead: Scan::looks_ahead(self.records.len(), self.listed.pairs.len()),
            pairs: &self.listed.pairs[range.clone()],
            accepted: &self.listed.accepted[range.clone()],
        };
        let write_ahead = self.output.write_ahead();
        let end = course.next + first_of(&scan.pairs[course.next..], end);
        // whole blocks, or all
        let end = end.next_multiple_of(BLOCK).min(scan.pairs.len());
        // SAFETY: the caller's promise.
        let trial = unsafe { self.trial.piece(range) };
        while course.next < end {
            let next = end.min(course.next + SCANNED);
            scan.fill(course.next..next, course.row, trial, &mut course.packed);
            course.next = next;
            for index in 0..course.packed.count / WIDTH {
                let chunk = course.packed.chunk(index);
                let row = course.row + index * WIDTH;
                if let Some(write_ahead) = &write_ahead {
                    write_ahead.prefetch(row);
                }
                // SAFETY: the caller's promise: each part has rows of its own, as many as candidates.
                unsafe { group.evaluate_packed(&chunk, row, &self.output, scratch) };
            }
            course.row += course.packed.take_full() * WIDTH;
        }
    }

    /// Evaluates those of a course that wait.
    ///
    /// # Safety
    /// As `advance`.
    unsafe fn finish(&self, course: &mut Course, scratch: &mut Scratch) {
        let group = self.group(course);
        if course.packed.count > 0 {
            course.packed.fill_up();
            let chunk = course.packed.chunk(0);
            // SAFETY: the caller's promise; there are rows for a chunk that is not full.
            unsafe { group.evaluate_packed(&chunk, course.row, &self.output, scratch) };
            course.packed.count = 0;
            course.row += WIDTH;
        }
    }
}

/// How many of the pairs, which are in order of their owners, belong to slots before this one; it is
/// not far.
fn first_of(pairs: &[[u32; 2]], slot: usize) -> usize {
    let (mut before, mut stride) = (0, 128);
    while pairs.get(before + stride).is_some_and(|pair| owner(pair) < slot) {
        before += stride;
        stride *= 2;
    }
    let end = pairs.len().min(before + stride);
    before + pairs[before..end].partition_point(|pair| owner(pair) < slot)
}

/// Candidates of one pair of materials.
pub(super) struct Group<'a> {
    pub chunk: &'a Chunk<'a>,
    pub laws: &'a PairLaws,
    pub records: Reading<'a, Record>,
    pub listed: &'a Candidates,
    pub accepted: &'a Columns,
}

impl Group<'_> {
    /// Evaluates a chunk and writes what it gives.
    ///
    /// # Safety
    /// The `WIDTH` rows from `row` on belong to the calling part alone.
    unsafe fn evaluate_packed(
        &self,
        packed: &PackedChunk<'_>,
        row: usize,
        output: &RowShares<'_>,
        scratch: &mut Scratch,
    ) {
        if self.listed.touched.is_kept() {
            packed.slots.iter().for_each(|slots| self.listed.touched.mark(&slots[..]));
        }
        load_pairs(self.records, packed.slots, &mut scratch.partners, &mut scratch.contacts);
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

    fn evaluate_stages(&self, packed: &PackedChunk<'_>, scratch: &mut Scratch) {
        load_inertias(self.records, packed.slots, &mut scratch.contacts);
        if self.chunk.table.layout.stride > 0 {
            for lane in 0..WIDTH {
                let pair = packed.slots.map(|slots| slots[lane]);
                let known = packed.old_rows[lane] > 0;
                let candidate = if known { self.listed.candidate(pair) } else { None };
                scratch.slots[lane] = candidate.map_or(0, |candidate| candidate as u32 + 1);
            }
        }
        let Images { period, half } = &self.chunk.images;
        let elapsed = self.chunk.step.elapsed;
        approach(&scratch.partners, period, half, elapsed, &mut scratch.contacts);
        if !self.chunk.motions.is_empty() {
            load_motions(self.chunk.motions, packed.slots, &mut scratch.partners);
        }
        self.chunk.evaluate(self.laws, self.accepted, packed.old_rows, scratch);
    }

    /// As `evaluate_packed`, once the partners are loaded. History goes straight from where it is
    /// to where it belongs.
    unsafe fn evaluate_fused(
        &self,
        fused: &Fused,
        packed: &PackedChunk<'_>,
        row: usize,
        output: &RowShares<'_>,
        scratch: &mut Scratch,
    ) {
        let Scratch {
            partners,
            contacts,
            old: room,
            extremes,
            results,
            second_torque,
            between,
            ..
        } = scratch;
        let rows = packed.old_rows;
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
                let old = [x, y, z, mx, my, mz];
                fused.evaluate_rolling(&given, old, new, extremes, between, results, second_torque);
                output.store_sides(row, results, second_torque);
            } else {
                let old = self.accepted.look_up(rows, room);
                let new = output.trial_columns(row);
                fused.evaluate(&given, old, new, extremes, between, results);
                output.store_results(row, results);
            }
        }
    }

    /// Loads and evaluates some candidates by the stages, for a look at all columns.
    pub(super) fn view_chunk(&self, candidates: &[u32], scratch: &mut Scratch) {
        let last = candidates.len() - 1;
        let lane = |lane: usize| candidates[lane.min(last)] as usize;
        let pairs: [_; WIDTH] = std::array::from_fn(|at| self.listed.pairs[lane(at)]);
        let packed = PackedChunk {
            slots: [&pairs.map(|pair| pair[0]), &pairs.map(|pair| pair[1])],
            old_rows: &std::array::from_fn(|at| self.listed.accepted[lane(at)]),
        };
        load_pairs(self.records, packed.slots, &mut scratch.partners, &mut scratch.contacts);
        self.evaluate_stages(&packed, scratch);
    }
}
