//! A force evaluation, as a list of passes.

use super::Engine;
use super::contact_pass::{ContactPass, PassInput};
use super::contacts::Results;
use super::ghost_arrival::GhostArrival;
use super::ledger::LedgerBlock;
use super::neighbours::Neighbours;
use crate::Quat;
use crate::kernel::evaluate::Chunk;
use crate::law::Step;
use crate::parallel::DisjointSlices;
use crate::particles::{ForceTorque, HotData, Metadata};
use crate::phases::Phase;
use std::ops::Range;

/// Some particles and the forces on them.
pub(crate) struct Block<'a> {
    pub slots: Range<usize>,
    pub records: &'a mut [HotData],
    pub metadata: &'a mut [Metadata],
    pub orientations: &'a mut [Quat],
    /// Forces at the accepted state.
    pub old: &'a mut [ForceTorque],
    /// Forces at the last evaluation.
    pub new: &'a [ForceTorque],
    /// Inverse skins [1/m].
    pub inverse_skins: &'a [f32],
    /// The energy ledger of these particles.
    pub ledger: Option<LedgerBlock<'a>>,
}

/// Receives blocks of particles whose sums are complete, in any order, from several threads, while they are in the
/// cache. It may change the particles of the block.
pub(crate) trait BlockSink: Sync {
    fn take(&self, block: Block<'_>);
}

/// Stores the forces of the evaluation as trial forces.
struct StoreLoads<'a>(DisjointSlices<'a, ForceTorque>);

impl BlockSink for StoreLoads<'_> {
    fn take(&self, block: Block<'_>) {
        // SAFETY: blocks are disjoint.
        unsafe { self.0.slice_mut(block.slots) }.copy_from_slice(block.new);
    }
}

/// Makes the forces of the evaluation those of the accepted state.
struct AcceptLoads;

impl BlockSink for AcceptLoads {
    fn take(&self, block: Block<'_>) {
        block.old.copy_from_slice(block.new);
    }
}

impl Engine {
    /// Evaluates forces at the trial state of the particles, with walls at `time`. Reads the
    /// accepted history and writes trial history; passes each block of particles to `sink`.
    pub(crate) fn evaluate(&mut self, time: f64, step: Step, sink: &impl BlockSink) {
        self.begin_evaluation();
        self.move_walls(time, step.elapsed);
        self.start_halo(step.elapsed);
        self.wall_pass(step);
        self.external.evaluate_batch(&self.world.particles, time);
        self.contact_pass(time, step, sink);
        self.workers.phases.end(Phase::Gather);
    }

    /// Evaluates forces at the trial state and stores them as trial forces.
    pub(crate) fn evaluate_trial(&mut self, time: f64, step: Step) {
        let mut loads = std::mem::take(&mut self.trial.loads);
        loads.resize(self.world.particles.len(), ForceTorque::default());
        self.evaluate(time, step, &StoreLoads(DisjointSlices::new(&mut loads)));
        self.trial.loads = loads;
    }

    /// Evaluates forces at the accepted state and accepts them, without the history.
    pub(crate) fn evaluate_accepted(&mut self, time: f64, step: Step) {
        self.evaluate(time, step, &AcceptLoads);
        if let Some(ledger) = &mut self.ledger {
            ledger.accept();
        }
        self.sum_wall_power();
    }

    fn begin_evaluation(&mut self) {
        let (count, threads) = (self.world.particles.len(), self.workers.pool.threads());
        assert!(self.neighbours.partition.fits(count, threads), "the list is out of date");
        self.workers.phases.end(Phase::Other);
        self.workers.reset_extremes();
        self.neighbours.statistics.evaluations += 1;
        self.contacts.results = Results::Trial;
    }

    /// Moves walls and the particles that they drive.
    pub(crate) fn move_walls(&mut self, time: f64, elapsed: f64) {
        self.world.advance_walls(time);
        self.world.update_wall_motions(elapsed, &mut self.trial.motions);
    }

    /// Contacts with walls.
    fn wall_pass(&mut self, step: Step) {
        let Self { world, contacts, table, trial, ledger, workers, .. } = self;
        let chunk = Chunk {
            table,
            step: Step { ledger: ledger.is_some(), ..step },
            images: world.images(),
            at_wall: true,
            stored: &contacts.stored.walls,
            motions: trial.motions_after(step.elapsed).into(),
            kicks: trial.kicks_after(step.elapsed).into(),
        };
        let (scratch, pool) = (&mut workers.scratch, &mut workers.pool);
        contacts.walls.evaluate(&chunk, &world.particles.records, &world.walls, scratch, pool);
        workers.phases.end(Phase::Walls);
    }

    /// Contacts between particles, and the sums of all forces. The motion of ghosts arrives meanwhile.
    fn contact_pass(&mut self, time: f64, step: Step, sink: &impl BlockSink) {
        let additional = self.sent_with_motion(step.elapsed);
        let Self {
            world, external, neighbours, contacts, table, trial, ledger, workers, halo, ..
        } = self;
        let own = world.particles.len();
        let has_ghosts = halo.active().is_some();
        if has_ghosts {
            trial.make_room_for_ghosts(additional, own + halo.ids.len());
        }
        let arrival = has_ghosts.then(|| GhostArrival::new(halo, own, additional));
        let motions = DisjointSlices::new(&mut trial.motions);
        let kicks = DisjointSlices::new(&mut trial.kicks);
        let chunk = Chunk {
            table,
            step: Step { ledger: ledger.is_some(), ..step },
            images: world.images(),
            at_wall: false,
            stored: &contacts.stored.pairs,
            // SAFETY: the invariant of `ContactPass`.
            motions: unsafe { motions.reader() }.when(step.elapsed > 0.0),
            // SAFETY: as above.
            kicks: unsafe { kicks.reader() }.when(step.elapsed > 0.0),
        };
        let Neighbours { list, partition, touched, skins, .. } = neighbours;
        contacts.pairs.reserve(partition.needed, table.extras);
        let mut indices =
            [std::mem::take(&mut list.trial), std::mem::take(&mut list.result_indices)];
        touched.clear();
        let input = PassInput {
            particles: &mut world.particles,
            list,
            partition,
            touched,
            skins,
            pairs: &mut contacts.pairs,
            walls: &contacts.walls,
            external,
            ledger: ledger.as_mut(),
            indices: &mut indices,
            scratch: &mut workers.scratch,
            motions: &motions,
            kicks: &kicks,
            arrival,
            time,
        };
        let pass = ContactPass::new(&chunk, input);
        pass.interior(&mut workers.pool, &mut workers.phases, sink);
        pass.boundary(&mut workers.pool, sink);
        [list.trial, list.result_indices] = indices;
        trial.remove_ghosts(own);
    }
}
