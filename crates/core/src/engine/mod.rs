//! The engine: bodies, laws and contacts. An integrator calls it to evaluate the forces at a trial
//! state (`evaluate.rs`) and to commit the result.
//!
//! The engine is composed of components. A pass borrows the components that it needs. Their fields
//! are visible in this module only.

mod agreement;
mod balance;
mod carry_over;
mod commit;
mod contact_pass;
mod contacts;
mod evaluate;
mod external;
mod field_batch;
mod ghost_arrival;
mod halo;
mod history;
mod ledger;
mod neighbours;
mod rank_boxes;
mod rebuild;
mod rebuild_split;
mod single;
mod step_work;
mod time_step;
mod trial;
mod view;
mod wall_loads;
mod workers;
mod world;

pub use balance::Imbalance;
use contacts::ContactRecords;
pub(crate) use evaluate::{Block, BlockSink};
pub(crate) use external::External;
pub(crate) use halo::Halo;
pub(crate) use history::WallHistory;
pub(crate) use ledger::Ledger;
pub(crate) use neighbours::Neighbours;
pub use neighbours::Statistics;
pub(crate) use single::SingleScratch;
pub(crate) use time_step::StepParts;
use trial::TrialState;
use workers::Workers;
pub(crate) use world::World;

use crate::Vec3;
use crate::domain::Domain;
use crate::field::Field;
use crate::kernel::laws::LawTable;
use crate::parallel::Pool;
use crate::particles::{ForceTorque, HalfKick, MeanMotion, Particles};
use crate::phases::Phases;
use crate::search::skin::Skins;
use crate::wall::Motion;
use crate::wall::live::LiveWall;
use contacts::Results;
use std::sync::Arc;

/// State of a force evaluation.
#[derive(Debug)]
pub(crate) struct Engine {
    world: World,
    external: External,
    neighbours: Neighbours,
    contacts: ContactRecords,
    table: LawTable,
    trial: TrialState,
    /// Present if the scene keeps an energy ledger.
    ledger: Option<Ledger>,
    workers: Workers,
    halo: Halo,
    /// True if particles can have accurate slip.
    corrects_slip: bool,
    /// Time at the start of the current step and its length, used to choose skins [s].
    time: f64,
    dt: f64,
}

/// The components that an integrator uses.
pub(crate) struct Integration<'a> {
    pub particles: &'a mut Particles,
    pub walls: &'a mut [LiveWall],
    pub domain: &'a Domain,
    /// Mean motion of each particle since the accepted state.
    pub motions: &'a mut Vec<MeanMotion>,
    /// Kicks of each particle in a step; filled if the slip of some is accurate.
    pub kicks: &'a mut Vec<HalfKick>,
    /// Forces of the last evaluation.
    pub trial_loads: &'a [ForceTorque],
    pub skins: &'a Skins,
    pub pool: &'a mut Pool,
    pub rotations: bool,
    /// True if particles can have accurate slip.
    pub corrects_slip: bool,
}

impl Engine {
    pub(crate) fn new(
        world: World,
        external: External,
        neighbours: Neighbours,
        table: LawTable,
        ledger: Option<Ledger>,
        threads: usize,
    ) -> Self {
        Self {
            world,
            external,
            neighbours,
            contacts: ContactRecords::new(&table.layout),
            workers: Workers::new(threads, &table.layout),
            table,
            trial: TrialState::default(),
            ledger,
            halo: Halo::default(),
            corrects_slip: false,
            time: 0.0,
            dt: 0.0,
        }
    }

    /// The components that an integrator uses.
    pub(crate) fn integration(&mut self) -> Integration<'_> {
        Integration {
            particles: &mut self.world.particles,
            walls: &mut self.world.walls,
            domain: &self.world.domain,
            motions: &mut self.trial.motions,
            kicks: &mut self.trial.kicks,
            trial_loads: &self.trial.loads,
            skins: &self.neighbours.skins,
            pool: &mut self.workers.pool,
            rotations: self.external.rotations(),
            corrects_slip: self.corrects_slip,
        }
    }

    /// Sets whether particles can have accurate slip; at first none has.
    pub(crate) fn set_slip_correction(&mut self, corrects_slip: bool) {
        self.corrects_slip = corrects_slip;
        if !corrects_slip {
            self.trial.kicks.clear();
            self.world.particles.accurate_slip.fill(false);
        }
    }

    /// Sets which particles have accurate slip, slot by slot.
    pub(crate) fn set_accurate_slip(&mut self, chosen: impl Iterator<Item = bool>) {
        let flags = &mut self.world.particles.accurate_slip;
        flags.clear();
        flags.extend(chosen);
    }

    /// True if particles can have accurate slip.
    pub(crate) fn corrects_slip(&self) -> bool {
        self.corrects_slip
    }

    /// Accepts the last evaluation: its history and forces become those of the accepted state.
    pub(crate) fn commit(&mut self, elapsed: f64) {
        std::mem::swap(&mut self.world.particles.loads, &mut self.trial.loads);
        if let Some(ledger) = &mut self.ledger {
            let Particles { records, loads, .. } = &self.world.particles;
            ledger.add_step(elapsed, records, loads, &self.trial.loads);
        }
        self.commit_contacts(elapsed);
    }

    /// As `commit`, if the forces have been accepted and the work of the step has been added already.
    pub(crate) fn commit_contacts(&mut self, elapsed: f64) {
        let Self { world, neighbours, contacts, table, ledger, workers, .. } = self;
        let Neighbours { list, partition, .. } = neighbours;
        contacts.results = Results::Accepted;
        if contacts.stored.stride > 0 {
            let (scratch, pool) = (&mut workers.scratch, &mut workers.pool);
            let lists = (&*list, &*partition);
            contacts.stored.commit_pairs(table, elapsed, lists, &contacts.pairs, scratch, pool);
            let walls = &contacts.walls;
            contacts.stored.commit_walls(table, elapsed, walls, &world.walls, scratch, pool);
        }
        contacts.pairs.commit();
        contacts.walls.commit();
        std::mem::swap(&mut list.accepted, &mut list.trial);
        if let Some(ledger) = ledger {
            ledger.accept();
        }
        self.add_wall_work(elapsed);
    }

    /// Stores the forces of the last evaluation during another one.
    pub(crate) fn save_trial_loads(&mut self) {
        std::mem::swap(&mut self.trial.loads, &mut self.trial.saved_loads);
    }

    /// Runs `act` with the stored forces instead of those of the accepted state.
    pub(crate) fn with_saved_loads<R>(&mut self, act: impl FnOnce(&mut Self) -> R) -> R {
        std::mem::swap(&mut self.world.particles.loads, &mut self.trial.saved_loads);
        let result = act(self);
        std::mem::swap(&mut self.world.particles.loads, &mut self.trial.saved_loads);
        result
    }

    /// Mean motion of each particle since the accepted state.
    pub(crate) fn motions(&self) -> &[MeanMotion] {
        &self.trial.motions
    }

    /// Number of particles, and whether they rotate.
    pub(crate) fn size(&self) -> (usize, bool) {
        (self.world.particles.len(), self.external.rotations())
    }

    /// Rebuilds the neighbour list with skins of at least this length [m].
    pub(crate) fn rebuild_with_skin(&mut self, skin: f64) {
        self.neighbours.skin_needed = skin;
        self.rebuild(|_| true);
        self.neighbours.skin_needed = 0.0;
    }

    /// Largest k/m* of a contact in the last evaluation, converted to that of a contact of constant stiffness with the
    /// same duration [1/s²].
    pub(crate) fn largest_rate(&self) -> f64 {
        self.workers.largest_rate()
    }

    /// Records time and length of the next step [s].
    pub(crate) fn set_step(&mut self, time: f64, dt: f64) {
        (self.time, self.dt) = (time, dt);
    }

    /// Length of the current step [s].
    pub(crate) fn dt(&self) -> f64 {
        self.dt
    }

    /// Time at the start of the current step [s].
    pub(crate) fn time(&self) -> f64 {
        self.time
    }

    pub(crate) fn particles(&self) -> &Particles {
        &self.world.particles
    }

    pub(crate) fn particles_mut(&mut self) -> &mut Particles {
        &mut self.world.particles
    }

    pub(crate) fn walls(&self) -> &[LiveWall] {
        &self.world.walls
    }

    /// The walls, to be restored from a saved state.
    pub(crate) fn walls_to_restore(&mut self) -> &mut Vec<LiveWall> {
        self.world.walls_to_restore()
    }

    pub(crate) fn domain(&self) -> &Domain {
        &self.world.domain
    }

    /// Adds a wall and moves its particles, which exist already, to their positions.
    pub(crate) fn add_wall(&mut self, wall: LiveWall) {
        self.world.add_wall(wall);
        self.world.drive_particles();
    }

    pub(crate) fn remove_wall(&mut self, index: usize) {
        self.world.remove_wall(index);
    }

    pub(crate) fn set_motion(&mut self, index: usize, motion: Motion, time: f64) {
        self.world.set_motion(index, motion, time);
    }

    /// Index of the present wall of this name.
    pub(crate) fn present_wall(&self, name: &str) -> Option<usize> {
        self.world.present_wall(name)
    }

    pub(crate) fn gravity(&self) -> Vec3 {
        self.external.gravity
    }

    pub(crate) fn set_gravity(&mut self, gravity: Vec3) {
        self.external.set_gravity(gravity);
    }

    pub(crate) fn fields(&self) -> &[Arc<dyn Field>] {
        &self.external.fields
    }

    pub(crate) fn fields_mut(&mut self) -> &mut Vec<Arc<dyn Field>> {
        &mut self.external.fields
    }

    pub(crate) fn table(&self) -> &LawTable {
        &self.table
    }

    /// The laws, for tests that change them.
    #[cfg(test)]
    pub(crate) fn table_mut(&mut self) -> &mut LawTable {
        &mut self.table
    }

    pub(crate) fn set_table(&mut self, table: LawTable) {
        self.table = table;
    }

    /// Number of pairs in the neighbour list, and of those in contact.
    pub(crate) fn pairs_and_contacts(&self) -> (usize, usize) {
        (self.neighbours.list.pairs.len(), self.neighbours.contacts())
    }

    pub(crate) fn statistics(&self) -> Statistics {
        self.neighbours.statistics
    }

    /// Counts a step since the last rebuild of the list.
    pub(crate) fn count_step(&mut self) {
        self.neighbours.statistics.steps_since_rebuild += 1;
    }

    /// Skin of walls that are not made of particles [m].
    pub(crate) fn wall_skin(&self) -> f64 {
        self.neighbours.wall_skins[0]
    }

    /// Largest overlap in the last evaluation as a fraction of the smaller radius.
    pub(crate) fn worst_overlap(&self) -> f64 {
        self.workers.worst_overlap()
    }

    pub(crate) fn phases(&self) -> &Phases {
        &self.workers.phases
    }

    pub(crate) fn phases_mut(&mut self) -> &mut Phases {
        &mut self.workers.phases
    }

    /// Bytes in use for particles and contacts.
    pub(crate) fn bytes(&self) -> usize {
        let particles = &self.world.particles;
        let loads = particles.loads.capacity()
            + self.trial.loads.capacity()
            + self.trial.saved_loads.capacity();
        let each = size_of::<crate::particles::HotData>()
            + size_of::<crate::particles::Metadata>()
            + size_of::<crate::Quat>()
            + size_of::<u32>();
        let columns = size_of_val(&particles.charges[..]) + size_of_val(&particles.drivers[..]);
        particles.len() * each
            + columns
            + loads * size_of::<ForceTorque>()
            + self.neighbours.bytes()
            + self.contacts.bytes(self.neighbours.contacts())
    }
}
