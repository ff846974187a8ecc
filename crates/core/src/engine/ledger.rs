//! The energy ledger: energy by kind, accumulated work, and the closure error.
//!
//! With velocity Verlet the work of a step is that of forces on displacements ([`ParticleStep`]).
//! Other integrators add the power of contacts by the trapezoidal rule.

use super::Engine;
use super::step_work::{ParticleStep, add_powers};
use crate::Vec3;
use crate::contact_state::energy_terms::{
    AccumulatedWork, COHESION_LOSS, EnergyTerms, FIRST_STORED, LedgerTerms,
};
use crate::exact_sum::ExactSum;
use crate::parallel::DisjointSlices;
use crate::particles::{ForceTorque, HotData};
use crate::ranks::sum_exactly;
use crate::snapshot::Energy;
use std::ops::Range;

/// Energies, powers and forces of each particle, and the accumulated work.
#[derive(Debug)]
pub(crate) struct Ledger {
    /// True if the work of a step is that of forces on displacements, false if it is that of powers.
    by_displacement: bool,
    /// Terms at the accepted state.
    accepted: Vec<LedgerTerms>,
    trial: Vec<LedgerTerms>,
    /// Power of non-conservative fields in the accepted state [W].
    field_power: Vec<f64>,
    trial_field_power: Vec<f64>,
    /// Accumulated work [J].
    works: Vec<AccumulatedWork>,
    /// Accumulated work of particles that were deleted [J].
    departed_works: AccumulatedWork,
}

/// The ledger during an evaluation.
pub(super) struct LedgerSlices<'a> {
    by_displacement: bool,
    accepted: &'a [LedgerTerms],
    field_power: &'a [f64],
    trial: DisjointSlices<'a, LedgerTerms>,
    trial_field_power: DisjointSlices<'a, f64>,
    works: DisjointSlices<'a, AccumulatedWork>,
}

impl LedgerSlices<'_> {
    /// The ledger of some particles.
    ///
    /// # Safety
    /// While the result is alive, no other block may contain any of these slots.
    pub(super) unsafe fn block(&self, slots: Range<usize>) -> LedgerBlock<'_> {
        // SAFETY: guaranteed by the caller.
        unsafe {
            LedgerBlock {
                by_displacement: self.by_displacement,
                accepted: self.accepted.get(slots.clone()).unwrap_or_default(),
                field_power: self.field_power.get(slots.clone()).unwrap_or_default(),
                trial: self.trial.slice_mut(slots.clone()),
                trial_field_power: self.trial_field_power.slice_mut(slots.clone()),
                works: self.works.slice_mut(slots),
            }
        }
    }
}

/// The ledger of some particles: terms of both ends of a step, and the accumulated work.
pub(crate) struct LedgerBlock<'a> {
    by_displacement: bool,
    accepted: &'a [LedgerTerms],
    field_power: &'a [f64],
    pub(super) trial: &'a mut [LedgerTerms],
    pub(super) trial_field_power: &'a mut [f64],
    works: &'a mut [AccumulatedWork],
}

impl LedgerBlock<'_> {
    /// Adds the work of a step. `new` and `old` are the forces of both ends of the step.
    pub(crate) fn add_step(
        &mut self,
        dt: f64,
        records: &[HotData],
        new: &[ForceTorque],
        old: &[ForceTorque],
    ) {
        let terms = self.accepted.iter().zip(&mut *self.trial);
        for (index, (works, (before, after))) in self.works.iter_mut().zip(terms).enumerate() {
            if before.is_zero() && after.is_zero() {
                continue;
            }
            let record = &records[index];
            if self.by_displacement && record.inverse_mass > 0.0 {
                let step = ParticleStep { record, loads: [&old[index], &new[index]], dt };
                step.correct_powers(after);
                step.add_loss_at_springs(before, after, works);
            }
            add_powers(dt, before, after, works);
        }
        let half = 0.5 * dt;
        let powers = self.field_power.iter().zip(&*self.trial_field_power);
        for (works, (old, new)) in self.works.iter_mut().zip(powers) {
            works[COHESION_LOSS + 1] += half * (old + new);
        }
    }
}

/// Terms of one particle, for checkpoints: accumulated work, energy terms, power of fields.
pub(crate) type LedgerEntry = (AccumulatedWork, EnergyTerms, f64);

impl Ledger {
    /// An empty ledger; `by_displacement`: the work of a step is that of forces on displacements.
    pub(crate) fn new(by_displacement: bool) -> Self {
        Self {
            by_displacement,
            accepted: Vec::new(),
            trial: Vec::new(),
            field_power: Vec::new(),
            trial_field_power: Vec::new(),
            works: Vec::new(),
            departed_works: AccumulatedWork::default(),
        }
    }

    /// Slices of the ledger for an evaluation of this many particles, which threads fill.
    pub(super) fn slices(&mut self, particles: usize) -> LedgerSlices<'_> {
        self.trial.resize(particles, LedgerTerms::default());
        self.trial_field_power.resize(particles, 0.0);
        self.works.resize(particles, AccumulatedWork::default());
        LedgerSlices {
            by_displacement: self.by_displacement,
            accepted: &self.accepted,
            field_power: &self.field_power,
            trial: DisjointSlices::new(&mut self.trial),
            trial_field_power: DisjointSlices::new(&mut self.trial_field_power),
            works: DisjointSlices::new(&mut self.works),
        }
    }

    /// Adds the work of a step. `new` and `old` are the forces of both ends of the step.
    pub(super) fn add_step(
        &mut self,
        dt: f64,
        records: &[HotData],
        new: &[ForceTorque],
        old: &[ForceTorque],
    ) {
        let slices = self.slices(records.len());
        // SAFETY: the only slice.
        let mut all = unsafe { slices.block(0..records.len()) };
        all.add_step(dt, records, new, old);
    }

    /// The terms of the last evaluation become those of the accepted state.
    pub(super) fn accept(&mut self) {
        std::mem::swap(&mut self.accepted, &mut self.trial);
        std::mem::swap(&mut self.field_power, &mut self.trial_field_power);
    }

    /// Clears the terms of all particles, except those of deleted ones.
    pub(super) fn clear(&mut self) {
        for terms in [&mut self.accepted, &mut self.trial] {
            terms.clear();
        }
        for powers in [&mut self.field_power, &mut self.trial_field_power] {
            powers.clear();
        }
        self.works.clear();
    }

    /// Sorts the terms in the order of the particles: the one at `order[slot]` moves to `slot`.
    pub(super) fn reorder(&mut self, order: &[u32]) {
        fn reorder<T: Copy + Default>(values: &mut Vec<T>, order: &[u32]) {
            let old = |&slot: &u32| values.get(slot as usize).copied().unwrap_or_default();
            *values = order.iter().map(old).collect();
        }
        reorder(&mut self.works, order);
        reorder(&mut self.accepted, order);
        reorder(&mut self.field_power, order);
    }

    /// Records the deletion of a particle with this accumulated work.
    fn depart(&mut self, works: &AccumulatedWork) {
        self.departed_works.iter_mut().zip(works).for_each(|(sum, work)| *sum += work);
    }

    /// Accumulated work and energies in springs, summed exactly over own particles; `with_departed`: also over deleted
    /// ones.
    fn sums(&self, with_departed: bool) -> ([ExactSum; 5], [ExactSum; 4]) {
        let mut works: [ExactSum; 5] = std::array::from_fn(|_| ExactSum::new());
        let mut stored: [ExactSum; 4] = std::array::from_fn(|_| ExactSum::new());
        let departed = with_departed.then_some(&self.departed_works);
        for own in departed.into_iter().chain(&self.works) {
            works.iter_mut().zip(own).for_each(|(sum, work)| sum.add(*work));
        }
        for terms in &self.accepted {
            let energies = &terms.energy[FIRST_STORED..];
            stored.iter_mut().zip(energies).for_each(|(sum, energy)| sum.add(*energy));
        }
        (works, stored)
    }
}

impl Engine {
    /// True if the energy ledger is kept.
    pub(crate) fn has_ledger(&self) -> bool {
        self.ledger.is_some()
    }

    /// Records the deletion of particles of all ranks, given by slot. Returns their kinetic energy; zero without a
    /// ledger [J].
    pub(crate) fn account_departure(&mut self, slots: &[usize]) -> f64 {
        let Some(ledger) = &self.ledger else { return 0.0 };
        let kinetic = self.kinetic_energy_of(slots);
        let work = |&slot: &usize| {
            let works = ledger.works.get(slot).copied().unwrap_or_default();
            (self.world.particles.metadata[slot].number, works)
        };
        let mut works = self.halo.gather_numbers(slots.iter().map(work));
        works.sort_unstable_by_key(|(id, _)| *id);
        if let Some(ledger) = &mut self.ledger {
            works.iter().for_each(|(_, works)| ledger.depart(works));
        }
        kinetic
    }

    /// Terms of the particle in a slot, for a checkpoint.
    pub(crate) fn ledger_entry(&self, slot: usize) -> LedgerEntry {
        let Some(ledger) = &self.ledger else { return LedgerEntry::default() };
        let terms = ledger.accepted.get(slot).copied().unwrap_or_default();
        (
            ledger.works.get(slot).copied().unwrap_or_default(),
            terms.energy,
            ledger.field_power.get(slot).copied().unwrap_or_default(),
        )
    }

    /// Damping and tangential forces on the particle in a slot, for a checkpoint; none without a ledger.
    pub(crate) fn dissipative_force(&self, slot: usize) -> Option<Vec3> {
        let ledger = self.ledger.as_ref()?;
        Some(ledger.accepted.get(slot).copied().unwrap_or_default().dissipative())
    }

    /// Adds the terms of the particle that was restored last.
    pub(crate) fn push_ledger_entry(
        &mut self,
        (works, energy, power): LedgerEntry,
        dissipative: Vec3,
    ) {
        if let Some(ledger) = &mut self.ledger {
            ledger.works.push(works);
            ledger.accepted.push(LedgerTerms::accepted(energy, dissipative));
            ledger.field_power.push(power);
        }
    }

    /// Accumulated work of deleted particles.
    pub(crate) fn departed_works(&self) -> AccumulatedWork {
        self.ledger.as_ref().map(|ledger| ledger.departed_works).unwrap_or_default()
    }

    pub(crate) fn set_departed_works(&mut self, works: AccumulatedWork) {
        if let Some(ledger) = &mut self.ledger {
            ledger.departed_works = works;
        }
    }

    /// Translational and rotational kinetic energy, of the particles of all ranks [J].
    pub(crate) fn kinetic_energy(&self) -> [f64; 2] {
        let mut sums = [ExactSum::new(), ExactSum::new()];
        for record in &self.world.particles.records {
            let kinetic = kinetic_energy_of(record);
            sums.iter_mut().zip(kinetic).for_each(|(sum, energy)| sum.add(energy));
        }
        if let Some(comm) = self.halo.active() {
            sum_exactly(comm, &mut sums.iter_mut().collect::<Vec<_>>());
        }
        sums.map(|sum| sum.value())
    }

    /// Total kinetic energy of some particles of all ranks, translational and rotational [J].
    fn kinetic_energy_of(&self, slots: &[usize]) -> f64 {
        let mut sum = ExactSum::new();
        for &slot in slots {
            let record = &self.world.particles.records[slot];
            kinetic_energy_of(record).iter().for_each(|one| sum.add(*one));
        }
        self.sum_exactly_over_ranks(&mut [&mut sum]);
        sum.value()
    }

    /// Accumulated work and energies in springs, of the particles of all ranks; zero without a ledger.
    fn ledger_sums(&self) -> ([f64; 5], [f64; 4]) {
        let Some(ledger) = &self.ledger else { return Default::default() };
        // every rank has the work of deleted particles
        let is_first = self.halo.active().is_none_or(|comm| comm.rank() == 0);
        let (mut works, mut stored) = ledger.sums(is_first);
        let all = works.iter_mut().chain(&mut stored);
        self.sum_exactly_over_ranks(&mut all.collect::<Vec<_>>());
        (works.map(|sum| sum.value()), stored.map(|sum| sum.value()))
    }

    /// The ledger of all ranks without inserted energy. Elastic energies and losses are zero without a
    /// ledger.
    pub(crate) fn energy(&self, time: f64) -> Energy {
        let [kinetic, rotational] = self.kinetic_energy();
        let (works, stored) = self.ledger_sums();
        let [damping, tangential, rolling, cohesion_loss, field_work] = works;
        let [elastic_normal, in_slip, in_rolling, cohesion] = stored;
        Energy {
            kinetic,
            rotational,
            half_step_difference: self.half_step_difference(),
            potential: self.potential_energy(time),
            elastic_normal,
            elastic_tangential: in_slip + in_rolling,
            cohesion,
            damping_loss: damping,
            // work on tangential springs that is not stored in them is dissipated
            sliding_loss: tangential - in_slip,
            rolling_loss: rolling - in_rolling,
            cohesion_loss,
            field_work,
            wall_work: self.world.walls.iter().map(|wall| wall.work).sum(),
            ..Energy::default()
        }
    }

    /// Difference between kinetic energy, spring energy and recorded losses, and the energy that the scheme conserves,
    /// if the work on displacements is added: `Δt² (F²/m + T²/I)/8` of the velocities half a step before and after,
    /// minus `Δt² (F·N/m + T²/I)/4` of the last half of the work of dissipative forces N [J].
    fn half_step_difference(&self) -> f64 {
        let Some(ledger) = self.ledger.as_ref().filter(|ledger| ledger.by_displacement) else {
            return 0.0;
        };
        let mut sum = ExactSum::new();
        let factor = self.dt * self.dt / 8.0;
        let particles = &self.world.particles;
        let all = particles.records.iter().zip(&particles.loads).zip(&ledger.accepted);
        for ((record, load), terms) in all.filter(|((record, _), _)| record.inverse_mass > 0.0) {
            let force = load.force();
            sum.add(factor * record.inverse_mass * force.dot(force - 2.0 * terms.dissipative()));
            sum.add(-factor * record.inverse_inertia * load.torque().length_squared());
        }
        self.sum_exactly_over_ranks(&mut [&mut sum]);
        sum.value()
    }

    fn potential_energy(&self, time: f64) -> f64 {
        let mut sum = ExactSum::new();
        let (particles, external) = (&self.world.particles, &self.external);
        let period = self.world.domain.period();
        for slot in 0..particles.len() {
            let image = particles.metadata[slot].image;
            let mut body = particles.body(slot);
            if particles.records[slot].inverse_mass == 0.0 {
                continue;
            }
            // the height includes the periods that a particle has travelled
            for axis in 0..3 {
                body.position[axis] += f64::from(image[axis]) * period[axis];
            }
            sum.add(-body.mass * external.gravity.dot(body.position));
            for field in &external.fields {
                sum.add(field.potential(&body, time).unwrap_or(0.0));
            }
        }
        self.sum_exactly_over_ranks(&mut [&mut sum]);
        sum.value()
    }
}

/// Translational and rotational kinetic energy of a particle, none if it is held [J].
fn kinetic_energy_of(record: &HotData) -> [f64; 2] {
    if !(record.inverse_mass > 0.0) {
        return [0.0; 2];
    }
    let square = |v: [f64; 3]| v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    [0.5 * record.mass * square(record.velocity), 0.5 * record.inertia() * square(record.spin)]
}
