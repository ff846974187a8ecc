//! The pass over contacts between particles: each thread evaluates its contacts tile by tile, sums the
//! forces on the particles whose contacts are complete, and passes these particles to the sink.

use super::evaluate::{Block, BlockSink};
use super::external::{Batch, Bodies, External};
use super::ghost_arrival::GhostArrival;
use super::ledger::{Ledger, LedgerBlock, LedgerSlices};
use crate::Quat;
use crate::contact_state::result_buffer::{ContactState, ResultSlices};
use crate::contact_state::touched::Touched;
use crate::kernel::evaluate::{Chunk, Scratch};
use crate::kernel::pairs::PairRun;
use crate::neighbour::list::NeighbourList;
use crate::parallel::{DisjointSlices, Pool};
use crate::particles::{ForceTorque, HalfKick, HotData, MeanMotion, Metadata, Particles};
use crate::partition::{BLOCK, Partition};
use crate::phases::{Phase, Phases};
use crate::reduce::{Gather, gather_terms};
use crate::search::skin::Skins;
use crate::wall_contact::WallContacts;
use std::ops::Range;

/// The pass over contacts between particles.
///
/// Invariant, on which all `unsafe` code of this file relies:
/// - An element of the result buffer, and the index of a pair, is read by the reduction only after
///   the tile of its contact was evaluated. It is written again only after both partners were reduced
///   (`partition/tiles.rs`).
/// - A particle is written only after all its contacts were evaluated, so no evaluation reads it then.
/// - A ghost, with its mean motion or kick, is written by the first thread only, before any thread evaluates a tile with
///   ghosts (`engine/ghost_arrival.rs`).
/// - A block of particles belongs to one thread: an interior block to the thread that owns its slots, a
///   boundary block to the thread that takes it after all contacts were evaluated.
pub(super) struct ContactPass<'a> {
    run: PairRun<'a>,
    /// Of own particles and ghosts.
    records: DisjointSlices<'a, HotData>,
    motions: &'a DisjointSlices<'a, MeanMotion>,
    kicks: &'a DisjointSlices<'a, HalfKick>,
    /// The ghosts, if there are other ranks.
    arrival: Option<GhostArrival<'a>>,
    metadata: DisjointSlices<'a, Metadata>,
    orientations: DisjointSlices<'a, Quat>,
    loads: DisjointSlices<'a, ForceTorque>,
    charges: &'a [f64],
    inverse_skins: &'a [f32],
    walls: &'a WallContacts,
    external: &'a External,
    time: f64,
    ledger: Option<LedgerSlices<'a>>,
}

/// The parts of the engine that the pass uses.
pub(super) struct PassInput<'a> {
    pub particles: &'a mut Particles,
    pub list: &'a NeighbourList,
    pub partition: &'a Partition,
    pub touched: &'a Touched,
    pub skins: &'a Skins,
    pub pairs: &'a mut ContactState,
    pub walls: &'a WallContacts,
    pub external: &'a External,
    pub ledger: Option<&'a mut Ledger>,
    /// Indices of history and results of each pair.
    pub indices: &'a mut [Vec<u32>; 2],
    pub scratch: &'a mut [Scratch],
    pub motions: &'a DisjointSlices<'a, MeanMotion>,
    pub kicks: &'a DisjointSlices<'a, HalfKick>,
    pub arrival: Option<GhostArrival<'a>>,
    pub time: f64,
}

impl<'a> ContactPass<'a> {
    pub(super) fn new(chunk: &'a Chunk<'a>, input: PassInput<'a>) -> Self {
        let count = input.partition.count();
        let (accepted, output) = ResultSlices::new(input.pairs, chunk.table.extras);
        let Particles { records, metadata, orientations, loads, charges, .. } = input.particles;
        let records = DisjointSlices::new(records.all_mut());
        let [trial, result_indices] = input.indices;
        let run = PairRun {
            chunk,
            list: input.list,
            partition: input.partition,
            touched: input.touched,
            // SAFETY: the invariant of the type.
            records: unsafe { records.reader() },
            accepted,
            output,
            trial: DisjointSlices::new(trial),
            result_indices: DisjointSlices::new(result_indices),
            scratch: DisjointSlices::new(input.scratch),
        };
        Self {
            run,
            records,
            motions: input.motions,
            kicks: input.kicks,
            arrival: input.arrival,
            metadata: DisjointSlices::new(metadata),
            orientations: DisjointSlices::new(orientations),
            loads: DisjointSlices::new(loads),
            charges,
            inverse_skins: &input.skins.inverse,
            walls: input.walls,
            external: input.external,
            time: input.time,
            ledger: input.ledger.map(|ledger| ledger.slices(count)),
        }
    }

    /// Evaluates all contacts, and reduces and passes on the interior blocks of each thread.
    pub(super) fn interior(&self, pool: &mut Pool, phases: &mut Phases, sink: &impl BlockSink) {
        let partition = self.run.partition;
        let phases = DisjointSlices::new(std::slice::from_mut(phases));
        let reduction = self.reduction();
        pool.run(|part| {
            let end_phase = |phase: Phase| {
                if part == 0 {
                    // SAFETY: only the first part uses the timers.
                    let phases = unsafe { phases.slice_mut(0..1) };
                    phases.iter_mut().for_each(|phases| phases.end(phase));
                }
            };
            let own = partition.slots(part);
            let mut next = own.start;
            let mut sums = [ForceTorque::default(); BLOCK];
            let reduce = |ready: usize| {
                end_phase(Phase::Contacts);
                while next < own.end && (next + BLOCK).min(own.end) <= ready {
                    let slots = next..(next + BLOCK).min(own.end);
                    if partition.is_interior(next / BLOCK) {
                        // SAFETY: the invariant of the type; the contacts of these slots are complete.
                        sink.take(unsafe { self.reduced(slots, &reduction, &mut sums) });
                    }
                    next += BLOCK;
                }
                end_phase(Phase::Gather);
            };
            let _guard = self.arrival.as_ref().map(|arrival| arrival.guard(part));
            let additional = (self.motions, self.kicks);
            let begin = |has_ghosts: bool| {
                if let Some(arrival) = &self.arrival {
                    // SAFETY: the invariant of the type.
                    unsafe { arrival.before_tile(part, has_ghosts, &self.records, additional) };
                }
            };
            // SAFETY: the pool runs each part once.
            unsafe { self.run.evaluate(part, begin, reduce) };
            if part == 0 {
                begin(true);
            }
        });
    }

    /// Reduces and passes on the boundary blocks.
    pub(super) fn boundary(&self, pool: &mut Pool, sink: &impl BlockSink) {
        let partition = self.run.partition;
        let boundary = &partition.boundary;
        if boundary.is_empty() {
            return;
        }
        let reduction = self.reduction();
        pool.split(boundary.len(), |_, range| {
            let mut sums = [ForceTorque::default(); BLOCK];
            for &block in &boundary[range] {
                let start = block as usize * BLOCK;
                let slots = start..(start + BLOCK).min(partition.count());
                // SAFETY: the invariant of the type; all contacts are complete.
                sink.take(unsafe { self.reduced(slots, &reduction, &mut sums) });
            }
        });
    }

    /// The results to be summed.
    fn reduction(&self) -> Gather<'_> {
        let run = &self.run;
        // SAFETY: the invariant of the type.
        let ((results, energy_terms), trial, result_indices) =
            unsafe { (run.output.reader(), run.trial.reader(), run.result_indices.reader()) };
        let has_moments = run.chunk.table.extras.moments;
        Gather {
            list: run.list,
            touched: run.touched,
            trial,
            result_indices,
            results,
            second_offset: has_moments.then(|| run.output.second_offset()),
            energy_terms,
            walls: self.walls,
        }
    }

    /// A block of particles with the sums of all forces.
    ///
    /// # Safety
    /// All contacts of these particles have been evaluated, and no other block contains any of them.
    unsafe fn reduced<'b>(
        &'b self,
        slots: Range<usize>,
        reduction: &Gather<'_>,
        sums: &'b mut [ForceTorque; BLOCK],
    ) -> Block<'b> {
        let new = &mut sums[..slots.len()];
        // SAFETY: guaranteed by the caller.
        unsafe {
            let records = self.records.slice_mut(slots.clone());
            let metadata = self.metadata.slice_mut(slots.clone());
            let mut ledger = self.ledger.as_ref().map(|ledger| ledger.block(slots.clone()));
            self.sum(records, metadata, slots.clone(), reduction, new, ledger.as_mut());
            Block {
                ledger,
                records,
                metadata,
                orientations: self.orientations.slice_mut(slots.clone()),
                old: self.loads.slice_mut(slots.clone()),
                new,
                inverse_skins: &self.inverse_skins[slots.clone()],
                slots,
            }
        }
    }

    /// Sums contacts, gravity and fields.
    fn sum(
        &self,
        records: &[HotData],
        metadata: &[Metadata],
        range: Range<usize>,
        reduction: &Gather<'_>,
        loads: &mut [ForceTorque],
        ledger: Option<&mut LedgerBlock<'_>>,
    ) {
        let gravity = self.external.gravity.extend(0.0).to_array();
        reduction.sum(range.clone(), records, &gravity, loads);
        let mut power: &mut [f64] = &mut [];
        if let Some(ledger) = ledger {
            gather_terms(reduction, range.clone(), ledger.trial);
            power = ledger.trial_field_power;
        }
        let bodies = Bodies { start: range.start, records, metadata, charges: self.charges };
        self.external.apply(self.time, bodies, Batch::Evaluated, loads, power);
        self.external.constrain(loads);
    }
}
