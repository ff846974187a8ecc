//! The engine: particles, walls and laws, and the two things an integrator asks of them: evaluate
//! the forces at a trial state (`evaluation.rs`), and commit what was evaluated.

pub(crate) mod carry_over;
pub(crate) mod evaluate;
pub(crate) mod field_batch;
pub(crate) mod rebuild;
pub(crate) mod single;
pub(crate) mod view;

use crate::Vec3;
use crate::chunk::Images;
use crate::contact_state::result_buffer::ContactState;
use crate::contact_state::result_buffer::{AccumulatedWork, COHESION_LOSS, EnergyTerms};
use crate::contact_state::stored::StoredHistories;
use crate::domain::Domain;
use crate::field::Field;
use crate::integrate::Workspace;
use crate::kernel::evaluate::Scratch;
use crate::kernel::laws::LawTable;
use crate::law::Step;
use crate::neighbour::list::NeighbourList;
use crate::parallel::Pool;
use crate::particles::{ForceTorque, MeanMotion, Particles};
use crate::phases::Phases;
use crate::search::SearchOptions;
use crate::search::skin::Skins;
use crate::wall::live::LiveWall;
use crate::wall_contact::WallContacts;
use crate::wall_loads::Sums;
use field_batch::FieldBatch;
use std::sync::Arc;

/// Everything that a force evaluation needs.
#[derive(Debug)]
pub(crate) struct Engine {
    pub particles: Particles,
    pub walls: Vec<LiveWall>,
    /// Which walls are joined is known; not so after a change of walls or of their motions.
    pub joints_known: bool,
    pub domain: Domain,
    pub gravity: Vec3,
    pub fields: Vec<Arc<dyn Field>>,
    pub field_batch: FieldBatch,
    pub table: LawTable,
    pub candidates: NeighbourList,
    pub rows: ContactState,
    pub wall_contacts: WallContacts,
    /// What laws keep of contacts beside their columns.
    pub stored_histories: StoredHistories,
    /// Forces of the last evaluation.
    pub trial_loads: Vec<ForceTorque>,
    /// Those of the evaluation before, where an integrator makes several a step.
    pub kept_loads: Vec<ForceTorque>,
    /// Mean motion of each particle since the accepted state; empty unless the integrator gives it.
    pub motions: Vec<MeanMotion>,
    /// Room for integrators that make several evaluations a step.
    pub workspace: Workspace,
    /// Powers and energies of the accepted state, with a ledger.
    pub energy_terms: Vec<EnergyTerms>,
    pub trial_energy_terms: Vec<EnergyTerms>,
    /// Power of fields without a potential at the accepted state, with a ledger [W].
    pub field_power: Vec<f64>,
    pub trial_field_power: Vec<f64>,
    /// Works so far, with a ledger [J].
    pub works: Vec<AccumulatedWork>,
    /// The same of particles that have left.
    pub departed_works: AccumulatedWork,
    /// Time by which the spins of the last evaluation were behind the velocities [s].
    pub spin_lag: f64,
    pub search: SearchOptions,
    pub skins: Skins,
    /// How far walls that are no particles may go before the next listing, and those that are [m].
    pub wall_skins: [f64; 2],
    /// Allowance that a trial state has asked for; zero otherwise [m].
    pub skin_needed: f64,
    /// Length of the present step and time at its start, for the choice of the allowances [s].
    pub dt: f64,
    pub time: f64,
    pub ledger: bool,
    pub plane_normal: Option<usize>,
    pub rotations: bool,
    pub pool: Pool,
    pub wall_sums: Vec<Sums>,
    pub scratch: Vec<Scratch>,
    /// Which rows the results belong to.
    pub results: Results,
    pub statistics: Statistics,
    pub phases: Phases,
}

/// Counts of work done.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Times the candidates were listed anew.
    pub rebuilds: u64,
    /// Steps since the last time.
    pub steps_since_rebuild: u64,
    /// Force evaluations.
    pub evaluations: u64,
}

/// Which rows the results of contacts belong to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Results {
    /// There are none yet: the state was restored.
    None,
    /// Those of the last evaluation, which has not been committed.
    Trial,
    /// Those of the accepted state.
    Accepted,
}

impl Engine {
    pub(crate) fn images(&self) -> Images {
        Images::new(self.domain.period())
    }

    /// Accepts the last evaluation: its history and forces become those of the accepted state.
    pub(crate) fn commit(&mut self, elapsed: f64) {
        std::mem::swap(&mut self.particles.loads, &mut self.trial_loads);
        self.commit_contacts(elapsed);
    }

    /// As `commit`, where the forces have been accepted already.
    pub(crate) fn commit_contacts(&mut self, elapsed: f64) {
        self.results = Results::Accepted;
        if self.stored_histories.stride > 0 {
            self.commit_memories(elapsed);
        }
        self.rows.commit();
        self.wall_contacts.commit();
        std::mem::swap(&mut self.candidates.accepted, &mut self.candidates.trial);
        if self.ledger {
            self.book(elapsed);
            self.accept_books();
        } else {
            self.add_wall_work(elapsed);
        }
    }

    /// Lets the laws renew what they keep of contacts beside their columns.
    fn commit_memories(&mut self, elapsed: f64) {
        let Self {
            stored_histories,
            table,
            candidates,
            rows,
            wall_contacts,
            walls,
            scratch,
            pool,
            ..
        } = self;
        stored_histories.commit_pairs(table, elapsed, candidates, rows, scratch, pool);
        stored_histories.commit_walls(table, elapsed, wall_contacts, walls, scratch, pool);
    }

    /// Adds the work of a step, by the trapezoidal rule: that is what the integrator's forces do.
    fn book(&mut self, elapsed: f64) {
        self.works.resize(self.particles.len(), AccumulatedWork::default());
        // spins lagged behind the velocities in this evaluation: the power of the end is wanted
        let loads = self.particles.loads.iter().zip(&self.trial_loads);
        for ((book, record), (new, old)) in
            self.trial_energy_terms.iter_mut().zip(&self.particles.records).zip(loads)
        {
            book[1] -= self.spin_lag * record.inverse_inertia * new.torque().dot(old.torque());
        }
        let half = 0.5 * elapsed;
        for (works, (old, new)) in
            self.works.iter_mut().zip(self.energy_terms.iter().zip(&self.trial_energy_terms))
        {
            for index in 0..COHESION_LOSS {
                works[index] += half * (old[index] + new[index]);
            }
            works[COHESION_LOSS] += new[COHESION_LOSS];
        }
        for (works, (old, new)) in
            self.works.iter_mut().zip(self.field_power.iter().zip(&self.trial_field_power))
        {
            works[COHESION_LOSS + 1] += half * (old + new);
        }
        self.walls.iter_mut().for_each(|wall| wall.work += half * wall.power);
        self.sum_wall_loads();
        self.walls.iter_mut().for_each(|wall| wall.work += half * wall.power);
    }

    /// Keeps the forces of the last evaluation while another is made.
    pub(crate) fn keep_trial_loads(&mut self) {
        std::mem::swap(&mut self.trial_loads, &mut self.kept_loads);
    }

    /// Does something with the kept forces in the place of those of the accepted state.
    pub(crate) fn with_kept_loads<R>(&mut self, act: impl FnOnce(&mut Self) -> R) -> R {
        std::mem::swap(&mut self.particles.loads, &mut self.kept_loads);
        let result = act(self);
        std::mem::swap(&mut self.particles.loads, &mut self.kept_loads);
        result
    }

    /// Evaluates as `evaluate` does and takes over the forces without the history.
    pub(crate) fn evaluate_loads(&mut self, time: f64, step: Step) {
        self.evaluate_and(time, step, |block| block.old.copy_from_slice(block.new));
        if self.ledger {
            self.accept_books();
            self.sum_wall_loads();
        } else {
            self.sum_wall_power();
        }
    }

    fn accept_books(&mut self) {
        std::mem::swap(&mut self.energy_terms, &mut self.trial_energy_terms);
        std::mem::swap(&mut self.field_power, &mut self.trial_field_power);
    }

    /// Largest overlap in the last evaluation as a share of the smaller radius.
    pub(crate) fn worst_overlap(&self) -> f64 {
        self.scratch.iter().map(|scratch| scratch.extremes.overlap_fraction()).fold(0.0, f64::max)
    }

    /// Duration of the shortest contact, from the stiffness of the stiffest one in the last
    /// evaluation; infinite without contacts [s].
    pub(crate) fn shortest_contact(&self) -> f64 {
        let rates = self.scratch.iter().map(|scratch| scratch.extremes.rate());
        std::f64::consts::PI / rates.fold(0.0, f64::max).sqrt()
    }

    /// Moves walls, and the particles that they drive, to where they are at this time.
    pub(crate) fn advance_walls(&mut self, time: f64) {
        let mut drives = false;
        for wall in self.walls.iter_mut().filter(|wall| !wall.wall.motion.is_still()) {
            wall.advance(time);
            drives |= wall.is_made_of_particles();
        }
        if drives {
            self.drive_particles();
        }
    }

    /// Notes how walls, and the particles that they drive, have moved since the accepted state, where
    /// the integrator goes by mean motions.
    pub(crate) fn note_wall_motions(&mut self, elapsed: f64) {
        if self.motions.is_empty() || elapsed == 0.0 {
            return;
        }
        let mut drives = false;
        for wall in self.walls.iter_mut().filter(|wall| !wall.wall.motion.is_still()) {
            wall.note_mean_spin(elapsed);
            drives |= wall.is_made_of_particles();
        }
        if drives {
            self.note_driven_motions(elapsed);
        }
    }

    /// Place of the wall of this name that is there now.
    pub(crate) fn present_wall(&self, name: &str) -> Option<usize> {
        self.walls.iter().position(|wall| wall.present && wall.wall.name == name)
    }

    /// Bytes in use for particles and contacts.
    pub(crate) fn bytes(&self) -> usize {
        let loads = self.particles.loads.capacity()
            + self.trial_loads.capacity()
            + self.kept_loads.capacity();
        let each = size_of::<crate::particles::HotData>()
            + size_of::<crate::particles::Metadata>()
            + size_of::<crate::Quat>()
            + size_of::<u32>();
        let touching = self.candidates.accepted.iter().filter(|row| **row > 0).count();
        let at_walls = self.wall_contacts.items.len();
        let columns =
            size_of_val(&self.particles.charges[..]) + size_of_val(&self.particles.drivers[..]);
        self.particles.len() * each
            + columns
            + loads * size_of::<ForceTorque>()
            + self.candidates.bytes()
            + self.rows.bytes(touching)
            + self.wall_contacts.rows.bytes(at_walls)
            + self.wall_contacts.bytes()
            + self.stored_histories.bytes()
    }
}
