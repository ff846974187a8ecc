//! Evaluation of all contacts between particles: the touch test packs candidates within reach into
//! chunks, and each chunk is evaluated while it is in the cache.

use crate::contact_state::prefetch::PREFETCH_DISTANCE;
use crate::contact_state::result_buffer::{HistoryColumns, ResultSlices};
use crate::geometry::pair_kinematics;
use crate::kernel::compacted::{CompactedChunk, CompactedPairs, SCANNED};
use crate::kernel::contact_kernel::Kernel;
use crate::kernel::evaluate::Chunk;
use crate::kernel::evaluate::Scratch;
use crate::kernel::filter::{ContactFilter, Numbers};
use crate::kernel::laws::PairLaws;
use crate::kernel::load::{load_inertias, load_motions, load_pairs};
use crate::law::WIDTH;
use crate::neighbour::list::NeighbourList;
use crate::parallel::{DisjointSlices, UnsynchronisedReader};
use crate::particles::HotData;
use crate::partition::owner;
use crate::partition::tiles::TileGroup;
use std::ops::Range;

/// An evaluation of all contacts between particles, which writes results, trial rows and trial
/// history. Parts go through the slots in order, each through its own.
pub(crate) struct PairRun<'a> {
    pub chunk: &'a Chunk<'a>,
    /// Without the rows that are written here.
    pub listed: &'a NeighbourList,
    pub records: UnsynchronisedReader<'a, HotData>,
    pub accepted: &'a HistoryColumns,
    pub output: ResultSlices<'a>,
    pub trial: DisjointSlices<'a, u32>,
    /// Rows of results.
    pub places: DisjointSlices<'a, u32>,
    pub scratch: DisjointSlices<'a, Scratch>,
}

/// How far a part has got with the candidates of one group.
#[derive(Debug)]
pub(crate) struct Course {
    pair: usize,
    range: Range<usize>,
    /// The next one to test, counted from the first.
    next: usize,
    /// Rows of the first that waits.
    numbers: Numbers,
    packed: CompactedPairs,
}

impl Course {
    fn new() -> Self {
        Self {
            pair: 0,
            range: 0..0,
            next: 0,
            numbers: Numbers::default(),
            packed: CompactedPairs::EMPTY,
        }
    }

    /// Begins anew. What is packed is large, and is not cleared.
    fn begin(&mut self, places: &TileGroup) {
        (self.pair, self.range, self.next) = (places.pair, places.candidates.clone(), 0);
        self.numbers = Numbers {
            row: places.row,
            place: places.place,
            limit: places.limit(),
            ring: places.ring,
        };
        self.packed.count = 0;
    }

    /// The slot that the first one that waits belongs to.
    fn waiting(&self) -> Option<usize> {
        let packed = &self.packed;
        (packed.count > 0).then(|| owner(&[packed.first[0], packed.second[0]]))
    }
}

impl PairRun<'_> {
    /// Evaluates the candidates of a part. Now and then tells `ready` the slot before which all
    /// candidates that the part has have been evaluated. It is to sum the whole blocks before that slot
    /// at once, but for the late ones: rows of results are used again (`tiles.rs`).
    ///
    /// # Safety
    /// No other call for the same part may run at the same time.
    pub(crate) unsafe fn evaluate(&self, part: usize, mut ready: impl FnMut(usize)) {
        // SAFETY: the caller's promise: each part has its own scratch.
        let [scratch] = (unsafe { self.scratch.slice_mut(part..part + 1) }) else { return };
        let mut room = std::mem::take(&mut scratch.courses);
        let tiles = &self.listed.partition.tiles[part];
        let count = tiles.groups.len();
        room.resize_with(room.len().max(count), Course::new);
        let courses = &mut room[..count];
        for (course, places) in courses.iter_mut().zip(&tiles.groups) {
            course.begin(places);
        }
        for round in 0..tiles.tile_count {
            let (start, mut done) = (tiles.end_of(round), tiles.end_of(round + 1));
            for (course, &end) in courses.iter_mut().zip(tiles.ends(round)) {
                // SAFETY: the caller's promise.
                unsafe { self.advance(course, end as usize, scratch) };
            }
            for course in &mut *courses {
                let Some(waiting) = course.waiting() else { continue };
                if waiting < start || round + 1 == tiles.tile_count {
                    // SAFETY: as above.
                    unsafe { self.finish(course, scratch) };
                } else {
                    done = done.min(waiting);
                }
            }
            ready(done);
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

    /// Evaluates the candidates of a course to `end`, but for some that wait for others to fill their
    /// chunk.
    ///
    /// # Safety
    /// The candidates belong to the calling part alone.
    unsafe fn advance(&self, course: &mut Course, end: usize, scratch: &mut Scratch) {
        let group = self.group(course);
        let range = course.range.clone();
        let scan = ContactFilter {
            records: self.records,
            images: &self.chunk.images,
            reach: group.laws.reach,
            prefetches: ContactFilter::prefetches(self.records.len(), self.listed.pairs.len()),
            pairs: &self.listed.pairs[range.clone()],
            accepted: &self.listed.accepted[range.clone()],
        };
        let write_ahead = self.output.write_ahead();
        // SAFETY: the caller's promise.
        let (trial, places) =
            unsafe { (self.trial.slice_mut(range.clone()), self.places.slice_mut(range)) };
        while course.next < end {
            let next = end.min(course.next + SCANNED);
            scan.fill(course.next..next, &course.numbers, trial, places, &mut course.packed);
            course.next = next;
            for index in 0..course.packed.count / WIDTH {
                let chunk = course.packed.chunk(index);
                let Numbers { row, place, .. } = course.numbers;
                if let Some(write_ahead) = &write_ahead {
                    write_ahead.prefetch(row, course.numbers.place_of(PREFETCH_DISTANCE));
                }
                // SAFETY: the caller's promise: each part has rows of its own, of history as many as
                // candidates, of results in a ring.
                unsafe { group.evaluate_packed(&chunk, row, place, &self.output, scratch) };
                course.numbers.go_on(WIDTH);
            }
            course.packed.take_full();
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
            let Numbers { row, place, .. } = course.numbers;
            // SAFETY: the caller's promise; there are rows for a chunk that is not full.
            unsafe { group.evaluate_packed(&chunk, row, place, &self.output, scratch) };
            course.packed.count = 0;
            course.numbers.go_on(WIDTH);
        }
    }
}

/// Candidates of one pair of materials.
pub(crate) struct Group<'a> {
    pub chunk: &'a Chunk<'a>,
    pub laws: &'a PairLaws,
    pub records: UnsynchronisedReader<'a, HotData>,
    pub listed: &'a NeighbourList,
    pub accepted: &'a HistoryColumns,
}

impl Group<'_> {
    /// Evaluates a chunk and writes what it gives.
    ///
    /// # Safety
    /// The `WIDTH` rows of history from `row` on, and those of results from `place` on, belong to the
    /// calling part alone.
    unsafe fn evaluate_packed(
        &self,
        packed: &CompactedChunk<'_>,
        row: usize,
        place: usize,
        output: &ResultSlices<'_>,
        scratch: &mut Scratch,
    ) {
        if self.listed.touched.is_kept() {
            packed.slots.iter().for_each(|slots| self.listed.touched.mark(&slots[..]));
        }
        load_pairs(self.records, packed.slots, &mut scratch.partners, &mut scratch.contacts);
        if let Some(kernel) = &self.laws.kernel
            && self.chunk.is_plain()
        {
            // SAFETY: the caller's promise.
            unsafe { self.evaluate_kernel(kernel.as_ref(), packed, row, place, output, scratch) };
        } else {
            self.evaluate_dynamic(packed, scratch);
            let Scratch { forces, new, results, second_torque, .. } = scratch;
            // SAFETY: the caller's promise.
            unsafe { output.store([row, place], forces, new, results, second_torque) };
        }
    }

    fn evaluate_dynamic(&self, packed: &CompactedChunk<'_>, scratch: &mut Scratch) {
        load_inertias(self.records, packed.slots, &mut scratch.contacts);
        if self.chunk.table.layout.stride > 0 {
            for lane in 0..WIDTH {
                let pair = packed.slots.map(|slots| slots[lane]);
                let known = packed.old_rows[lane] > 0;
                let candidate = if known { self.listed.candidate(pair) } else { None };
                scratch.slots[lane] = candidate.map_or(0, |candidate| candidate as u32 + 1);
            }
        }
        let Chunk { images, step, .. } = self.chunk;
        pair_kinematics(&scratch.partners, images, step.elapsed, &mut scratch.contacts);
        if !self.chunk.motions.is_empty() {
            load_motions(self.chunk.motions, packed.slots, &mut scratch.partners);
        }
        self.chunk.evaluate(self.laws, self.accepted, packed.old_rows, scratch);
    }

    /// As `evaluate_packed` by a kernel, once the partners are loaded. History is read and written in
    /// place.
    ///
    /// # Safety
    /// As `evaluate_packed`.
    unsafe fn evaluate_kernel(
        &self,
        kernel: &dyn Kernel,
        packed: &CompactedChunk<'_>,
        row: usize,
        place: usize,
        output: &ResultSlices<'_>,
        scratch: &mut Scratch,
    ) {
        if kernel.needs_inertias() {
            load_inertias(self.records, packed.slots, &mut scratch.contacts);
        }
        let Chunk { images, step, .. } = self.chunk;
        let (accepted, indices) = (self.accepted, packed.old_rows);
        let (input, history, chunk_output) =
            scratch.kernel_arguments(images, step, accepted, indices, output, row);
        // SAFETY: the caller's promise.
        unsafe {
            kernel.evaluate_pairs(&input, history, chunk_output);
            output.store_results(place, &scratch.results, &scratch.second_torque);
        }
    }

    /// Loads and evaluates some pairs on the dynamic path, which fills all columns.
    pub(crate) fn view_chunk(&self, candidates: &[u32], scratch: &mut Scratch) {
        let last = candidates.len() - 1;
        let lane = |lane: usize| candidates[lane.min(last)] as usize;
        let pairs: [_; WIDTH] = std::array::from_fn(|at| self.listed.pairs[lane(at)]);
        let packed = CompactedChunk {
            slots: [&pairs.map(|pair| pair[0]), &pairs.map(|pair| pair[1])],
            old_rows: &std::array::from_fn(|at| self.listed.accepted[lane(at)]),
        };
        load_pairs(self.records, packed.slots, &mut scratch.partners, &mut scratch.contacts);
        self.evaluate_dynamic(&packed, scratch);
    }
}
