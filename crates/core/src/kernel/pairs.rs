//! Evaluation of all contacts between particles: the contact filter packs pairs within range into
//! chunks, and each chunk is evaluated while it is in the cache.

use crate::contact_state::prefetch::PREFETCH_DISTANCE;
use crate::contact_state::result_buffer::{HistoryColumns, ResultSlices};
use crate::contact_state::touched::Touched;
use crate::geometry::pair_kinematics;
use crate::kernel::compacted::{CompactedChunk, CompactedPairs};
use crate::kernel::contact_kernel::Kernel;
use crate::kernel::evaluate::Chunk;
use crate::kernel::evaluate::Scratch;
use crate::kernel::filter::ContactFilter;
use crate::kernel::laws::PairLaws;
use crate::kernel::load::{load_inertias, load_kicks, load_motions, load_pairs};
use crate::law::WIDTH;
use crate::neighbour::list::NeighbourList;
use crate::parallel::{DisjointSlices, UnsynchronisedReader};
use crate::particles::HotData;
use crate::partition::indices::{FILTERED, OutputIndex};
use crate::partition::tiles::TileGroup;
use crate::partition::{Partition, owner};
use std::ops::Range;

/// An evaluation of all contacts between particles, which writes results, trial indices and trial
/// history. Each part evaluates its own slots in order.
pub(crate) struct PairRun<'a> {
    pub chunk: &'a Chunk<'a>,
    /// The list without the indices that are written here.
    pub list: &'a NeighbourList,
    pub partition: &'a Partition,
    pub touched: &'a Touched,
    pub records: UnsynchronisedReader<'a, HotData>,
    pub accepted: &'a HistoryColumns,
    pub output: ResultSlices<'a>,
    pub trial: DisjointSlices<'a, u32>,
    /// Indices of results.
    pub result_indices: DisjointSlices<'a, u32>,
    pub scratch: DisjointSlices<'a, Scratch>,
}

/// Progress of a part in the pairs of one group.
#[derive(Debug)]
pub(crate) struct Progress {
    pair: usize,
    range: Range<usize>,
    /// The next pair to test, counted from the first.
    next: usize,
    /// Indices of the first contact that is not yet evaluated.
    first: OutputIndex,
    packed: CompactedPairs,
}

impl Progress {
    fn new() -> Self {
        Self {
            pair: 0,
            range: 0..0,
            next: 0,
            first: OutputIndex::default(),
            packed: CompactedPairs::EMPTY,
        }
    }

    /// Starts a group. The compacted pairs are large and are not cleared.
    fn begin(&mut self, group: &TileGroup) {
        (self.pair, self.range, self.next) = (group.pair, group.pairs.clone(), 0);
        self.first = group.first_index();
        self.packed.count = 0;
    }

    /// The slot of the first contact that is not yet evaluated.
    fn waiting(&self) -> Option<usize> {
        let packed = &self.packed;
        (packed.count > 0).then(|| owner(&[packed.first[0], packed.second[0]]))
    }
}

impl PairRun<'_> {
    /// Evaluates the pairs of a part. Calls `begin` before each tile; if its argument is true, the tile has
    /// ghosts, and their motion must be there afterwards. Calls `ready` after each tile with the slot before which all
    /// pairs of the part have been evaluated. `ready` must reduce the whole interior blocks before that slot,
    /// because their results are overwritten by later tiles (`partition/tiles.rs`).
    ///
    /// # Safety
    /// No other call for the same part may run at the same time.
    pub(crate) unsafe fn evaluate(
        &self,
        part: usize,
        mut begin: impl FnMut(bool),
        mut ready: impl FnMut(usize),
    ) {
        // SAFETY: guaranteed by the caller: each part has its own scratch.
        let [scratch] = (unsafe { self.scratch.slice_mut(part..part + 1) }) else { return };
        let mut groups = std::mem::take(&mut scratch.groups);
        let tiles = &self.partition.tiles[part];
        let count = tiles.groups.len();
        groups.resize_with(groups.len().max(count), Progress::new);
        let active = &mut groups[..count];
        for (progress, group) in active.iter_mut().zip(&tiles.groups) {
            progress.begin(group);
        }
        for tile in 0..tiles.tile_count {
            begin(tile >= tiles.first_with_ghosts);
            let (start, mut done) = (tiles.end_of(tile), tiles.end_of(tile + 1));
            for (progress, &end) in active.iter_mut().zip(tiles.ends(tile)) {
                // SAFETY: guaranteed by the caller.
                unsafe { self.advance(progress, end as usize, scratch) };
            }
            for progress in &mut *active {
                let Some(waiting) = progress.waiting() else { continue };
                if waiting < start || tile + 1 == tiles.tile_count {
                    // SAFETY: as above.
                    unsafe { self.finish(progress, scratch) };
                } else {
                    done = done.min(waiting);
                }
            }
            ready(done);
        }
        scratch.groups = groups;
    }

    fn group(&self, progress: &Progress) -> Group<'_> {
        Group {
            chunk: self.chunk,
            laws: &self.chunk.table.pairs[progress.pair],
            records: self.records,
            list: self.list,
            accepted: self.accepted,
        }
    }

    /// Evaluates the pairs of a group up to `end`, except those of an incomplete chunk.
    ///
    /// # Safety
    /// The pairs are accessed by the calling part alone.
    unsafe fn advance(&self, progress: &mut Progress, end: usize, scratch: &mut Scratch) {
        let group = self.group(progress);
        let range = progress.range.clone();
        let scan = ContactFilter {
            records: self.records,
            images: &self.chunk.images,
            interaction_range: group.laws.interaction_range,
            prefetches: ContactFilter::prefetches(self.records.len(), self.list.pairs.len()),
            pairs: &self.list.pairs[range.clone()],
            accepted: &self.list.accepted[range.clone()],
        };
        let result_prefetch = self.output.result_prefetch();
        // SAFETY: guaranteed by the caller.
        let (trial, result_indices) =
            unsafe { (self.trial.slice_mut(range.clone()), self.result_indices.slice_mut(range)) };
        while progress.next < end {
            let next = end.min(progress.next + FILTERED);
            scan.fill(
                progress.next..next,
                &progress.first,
                trial,
                result_indices,
                &mut progress.packed,
            );
            progress.next = next;
            for index in 0..progress.packed.count / WIDTH {
                let chunk = progress.packed.chunk(index);
                let OutputIndex { history, result, .. } = progress.first;
                if let Some(result_prefetch) = &result_prefetch {
                    result_prefetch
                        .prefetch(history, progress.first.result_after(PREFETCH_DISTANCE));
                }
                self.mark(&chunk);
                // SAFETY: guaranteed by the caller: each part has its own indices, as many of history as it has pairs,
                // and of results a ring buffer.
                unsafe { group.evaluate_packed(&chunk, [history, result], &self.output, scratch) };
                progress.first.advance(WIDTH);
            }
            progress.packed.take_full();
        }
    }

    /// Marks the particles of a chunk as in contact.
    #[inline(always)]
    fn mark(&self, chunk: &CompactedChunk<'_>) {
        if self.touched.is_enabled() {
            chunk.slots.iter().for_each(|slots| self.touched.mark(&slots[..]));
        }
    }

    /// Evaluates the remaining contacts of a group.
    ///
    /// # Safety
    /// As `advance`.
    unsafe fn finish(&self, progress: &mut Progress, scratch: &mut Scratch) {
        let group = self.group(progress);
        if progress.packed.count > 0 {
            progress.packed.fill_up();
            let chunk = progress.packed.chunk(0);
            let OutputIndex { history, result, .. } = progress.first;
            self.mark(&chunk);
            // SAFETY: guaranteed by the caller; there are elements for an incomplete chunk.
            unsafe { group.evaluate_packed(&chunk, [history, result], &self.output, scratch) };
            progress.packed.count = 0;
            progress.first.advance(WIDTH);
        }
    }
}

/// Pairs of particles with one pair of materials.
pub(crate) struct Group<'a> {
    pub chunk: &'a Chunk<'a>,
    pub laws: &'a PairLaws,
    pub records: UnsynchronisedReader<'a, HotData>,
    pub list: &'a NeighbourList,
    pub accepted: &'a HistoryColumns,
}

impl Group<'_> {
    /// Loads the particles of a chunk.
    #[inline(always)]
    fn load(&self, slots: [&[u32; WIDTH]; 2], scratch: &mut Scratch) {
        load_pairs(self.records, slots, &mut scratch.partners, &mut scratch.contacts);
        if !self.chunk.kicks.is_empty() {
            load_kicks(self.chunk.kicks, slots, &mut scratch.partners);
        }
    }

    /// Evaluates a chunk and writes its results.
    ///
    /// # Safety
    /// The `WIDTH` elements of history and of results from these indices are accessed by the calling part alone.
    unsafe fn evaluate_packed(
        &self,
        packed: &CompactedChunk<'_>,
        [history, result]: [usize; 2],
        output: &ResultSlices<'_>,
        scratch: &mut Scratch,
    ) {
        self.load(packed.slots, scratch);
        if let Some(kernel) = &self.laws.kernel
            && self.chunk.is_plain()
        {
            // SAFETY: guaranteed by the caller.
            unsafe {
                self.evaluate_kernel(kernel.as_ref(), packed, [history, result], output, scratch)
            };
        } else {
            self.evaluate_dynamic(packed, scratch);
            let Scratch { contacts, forces, new, results, second_torque, .. } = scratch;
            // SAFETY: guaranteed by the caller.
            unsafe {
                output.store([history, result], contacts, forces, new, results, second_torque)
            };
        }
    }

    fn evaluate_dynamic(&self, packed: &CompactedChunk<'_>, scratch: &mut Scratch) {
        load_inertias(self.records, packed.slots, &mut scratch.contacts);
        if self.chunk.table.layout.stride > 0 {
            for lane in 0..WIDTH {
                let pair = packed.slots.map(|slots| slots[lane]);
                let known = packed.old_indices[lane] > 0;
                let index = if known { self.list.index_of(pair) } else { None };
                scratch.slots[lane] = index.map_or(0, |index| index as u32 + 1);
            }
        }
        let Chunk { images, step, .. } = self.chunk;
        pair_kinematics(&scratch.partners, images, step.elapsed, &mut scratch.contacts);
        if !self.chunk.motions.is_empty() {
            load_motions(self.chunk.motions, packed.slots, &mut scratch.partners);
        }
        self.chunk.evaluate(self.laws, self.accepted, packed.old_indices, scratch);
    }

    /// As `evaluate_packed` by a kernel, after the partners are loaded. History is read and written in place.
    ///
    /// # Safety
    /// As `evaluate_packed`.
    unsafe fn evaluate_kernel(
        &self,
        kernel: &dyn Kernel,
        packed: &CompactedChunk<'_>,
        [history, result]: [usize; 2],
        output: &ResultSlices<'_>,
        scratch: &mut Scratch,
    ) {
        if kernel.needs_inertias() {
            load_inertias(self.records, packed.slots, &mut scratch.contacts);
        }
        let (accepted, indices) = (self.accepted, packed.old_indices);
        let (input, history, chunk_output) =
            scratch.kernel_arguments(self.chunk, accepted, indices, output, history);
        // SAFETY: guaranteed by the caller.
        unsafe {
            kernel.evaluate_pairs(&input, history, chunk_output);
            output.store_results(result, &scratch.results, &scratch.second_torque);
        }
    }

    /// Loads and evaluates selected pairs on the dynamic path, which fills all columns.
    pub(crate) fn view_chunk(&self, chosen: &[u32], scratch: &mut Scratch) {
        let last = chosen.len() - 1;
        let lane = |lane: usize| chosen[lane.min(last)] as usize;
        let pairs: [_; WIDTH] = std::array::from_fn(|at| self.list.pairs[lane(at)]);
        let packed = CompactedChunk {
            slots: [&pairs.map(|pair| pair[0]), &pairs.map(|pair| pair[1])],
            old_indices: &std::array::from_fn(|at| self.list.accepted[lane(at)]),
        };
        self.load(packed.slots, scratch);
        self.evaluate_dynamic(&packed, scratch);
    }
}
