//! The energy ledger: energy by kind, accumulated work, and the closure error.

use super::Engine;
use crate::contact_state::result_buffer::{
    AccumulatedWork, COHESION_LOSS, EnergyTerms, FIRST_STORED,
};
use crate::exact_sum::ExactSum;
use crate::parallel::DisjointSlices;
use crate::particles::{ForceTorque, HotData};
use crate::snapshot::Energy;

/// Powers and energies of the contacts and fields of each particle, and their accumulated work.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    /// Powers and energies at the accepted state.
    energy_terms: Vec<EnergyTerms>,
    trial_energy_terms: Vec<EnergyTerms>,
    /// Power of fields without a potential at the accepted state [W].
    field_power: Vec<f64>,
    trial_field_power: Vec<f64>,
    /// Accumulated work [J].
    works: Vec<AccumulatedWork>,
    /// Accumulated work of particles that were deleted [J].
    departed_works: AccumulatedWork,
}

/// Terms of one particle, for checkpoints: accumulated work, energy terms, power of fields.
pub(crate) type LedgerEntry = (AccumulatedWork, EnergyTerms, f64);

impl Ledger {
    /// Memory for the terms of an evaluation, which threads fill.
    pub(super) fn trial(
        &mut self,
        particles: usize,
    ) -> (DisjointSlices<'_, EnergyTerms>, DisjointSlices<'_, f64>) {
        self.trial_energy_terms.resize(particles, EnergyTerms::default());
        self.trial_field_power.resize(particles, 0.0);
        (
            DisjointSlices::new(&mut self.trial_energy_terms),
            DisjointSlices::new(&mut self.trial_field_power),
        )
    }

    /// Adds the work of a step by the trapezoidal rule, which is the work of the integrator's forces.
    /// `new` and `old` are the forces of both ends of the step.
    pub(super) fn add_step(
        &mut self,
        elapsed: f64,
        spin_lag: f64,
        records: &[HotData],
        new: &[ForceTorque],
        old: &[ForceTorque],
    ) {
        self.works.resize(records.len(), AccumulatedWork::default());
        // spins lagged behind the velocities in this evaluation: the power at the end is needed
        let all = self.trial_energy_terms.iter_mut().zip(records).zip(new.iter().zip(old));
        for ((terms, record), (new, old)) in all {
            terms[1] -= spin_lag * record.inverse_inertia * new.torque().dot(old.torque());
        }
        let half = 0.5 * elapsed;
        let terms = self.energy_terms.iter().zip(&self.trial_energy_terms);
        for (works, (old, new)) in self.works.iter_mut().zip(terms) {
            for index in 0..COHESION_LOSS {
                works[index] += half * (old[index] + new[index]);
            }
            works[COHESION_LOSS] += new[COHESION_LOSS];
        }
        let powers = self.field_power.iter().zip(&self.trial_field_power);
        for (works, (old, new)) in self.works.iter_mut().zip(powers) {
            works[COHESION_LOSS + 1] += half * (old + new);
        }
    }

    /// The terms of the last evaluation become those of the accepted state.
    pub(super) fn accept(&mut self) {
        std::mem::swap(&mut self.energy_terms, &mut self.trial_energy_terms);
        std::mem::swap(&mut self.field_power, &mut self.trial_field_power);
    }

    /// Forgets the terms of all particles, but not those of deleted ones.
    pub(super) fn clear(&mut self) {
        let departed_works = self.departed_works;
        *self = Self { departed_works, ..Self::default() };
    }

    /// Sorts the terms as particles are sorted: the one at `order[slot]` moves to `slot`.
    pub(super) fn reorder(&mut self, order: &[u32]) {
        fn reorder<T: Copy + Default>(values: &mut Vec<T>, order: &[u32]) {
            let old = |&slot: &u32| values.get(slot as usize).copied().unwrap_or_default();
            *values = order.iter().map(old).collect();
        }
        reorder(&mut self.works, order);
        reorder(&mut self.energy_terms, order);
        reorder(&mut self.field_power, order);
    }

    /// Accounts for the deletion of the particle in a slot.
    fn depart(&mut self, slot: usize) {
        let works = self.works.get(slot).copied().unwrap_or_default();
        self.departed_works.iter_mut().zip(works).for_each(|(sum, work)| *sum += work);
    }

    /// Accumulated work and energies in springs, summed exactly over all particles.
    fn sums(&self) -> ([f64; 5], [f64; 4]) {
        let mut works: [ExactSum; 5] = std::array::from_fn(|_| ExactSum::new());
        let mut stored: [ExactSum; 4] = std::array::from_fn(|_| ExactSum::new());
        for own in std::iter::once(&self.departed_works).chain(&self.works) {
            works.iter_mut().zip(own).for_each(|(sum, work)| sum.add(*work));
        }
        for terms in &self.energy_terms {
            let energies = &terms[FIRST_STORED..];
            stored.iter_mut().zip(energies).for_each(|(sum, energy)| sum.add(*energy));
        }
        (works.map(|sum| sum.value()), stored.map(|sum| sum.value()))
    }
}

impl Engine {
    /// Whether the energy ledger is kept.
    pub(crate) fn has_ledger(&self) -> bool {
        self.ledger.is_some()
    }

    /// Accounts for the deletion of particles, given by slot. Returns their kinetic energy; zero without
    /// a ledger [J].
    pub(crate) fn account_departure(&mut self, slots: &[usize]) -> f64 {
        let kinetic = self.kinetic_energy_of(slots);
        match &mut self.ledger {
            Some(ledger) => {
                slots.iter().for_each(|&slot| ledger.depart(slot));
                kinetic
            }
            None => 0.0,
        }
    }

    /// Terms of the particle in a slot, for a checkpoint.
    pub(crate) fn ledger_entry(&self, slot: usize) -> LedgerEntry {
        let Some(ledger) = &self.ledger else { return LedgerEntry::default() };
        (
            ledger.works.get(slot).copied().unwrap_or_default(),
            ledger.energy_terms.get(slot).copied().unwrap_or_default(),
            ledger.field_power.get(slot).copied().unwrap_or_default(),
        )
    }

    /// Adds the terms of the particle that was restored last.
    pub(crate) fn push_ledger_entry(&mut self, (works, terms, power): LedgerEntry) {
        if let Some(ledger) = &mut self.ledger {
            ledger.works.push(works);
            ledger.energy_terms.push(terms);
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

    /// Kinetic energy of translation and of rotation [J].
    pub(crate) fn kinetic_energy(&self) -> [f64; 2] {
        let mut sums = [ExactSum::new(), ExactSum::new()];
        for record in &self.world.particles.records {
            let kinetic = kinetic_energy_of(record);
            sums.iter_mut().zip(kinetic).for_each(|(sum, energy)| sum.add(energy));
        }
        sums.map(|sum| sum.value())
    }

    /// Kinetic energy of some particles, translation and rotation together [J].
    fn kinetic_energy_of(&self, slots: &[usize]) -> f64 {
        let mut sum = ExactSum::new();
        for &slot in slots {
            let record = &self.world.particles.records[slot];
            kinetic_energy_of(record).iter().for_each(|one| sum.add(*one));
        }
        sum.value()
    }

    /// The ledger without inserted energy. Elastic energies and losses are zero without a ledger.
    pub(crate) fn energy(&self, time: f64) -> Energy {
        let [kinetic, rotational] = self.kinetic_energy();
        let (works, stored) = self.ledger.as_ref().map(Ledger::sums).unwrap_or_default();
        let [damping, tangential, rolling, cohesion_loss, field_work] = works;
        let [elastic_normal, in_slip, in_rolling, cohesion] = stored;
        Energy {
            kinetic,
            rotational,
            potential: self.potential_energy(time),
            elastic_normal,
            elastic_tangential: in_slip + in_rolling,
            cohesion,
            damping_loss: damping,
            // work on tangential springs that is not stored in them is lost
            sliding_loss: tangential - in_slip,
            rolling_loss: rolling - in_rolling,
            cohesion_loss,
            field_work,
            wall_work: self.world.walls.iter().map(|wall| wall.work).sum(),
            ..Energy::default()
        }
    }

    fn potential_energy(&self, time: f64) -> f64 {
        let mut sum = ExactSum::new();
        let (particles, external) = (&self.world.particles, &self.external);
        let period = self.world.domain.period();
        for slot in 0..particles.len() {
            let image = particles.descriptions[slot].image;
            let mut body = particles.body(slot);
            if particles.records[slot].inverse_mass == 0.0 {
                continue;
            }
            // the height of fall includes the periods that a particle has travelled
            for axis in 0..3 {
                body.position[axis] += f64::from(image[axis]) * period[axis];
            }
            sum.add(-body.mass * external.gravity.dot(body.position));
            for field in &external.fields {
                sum.add(field.potential(&body, time).unwrap_or(0.0));
            }
        }
        sum.value()
    }
}

/// Kinetic energy of translation and of rotation of a particle, none if it is held [J].
fn kinetic_energy_of(record: &HotData) -> [f64; 2] {
    if !(record.inverse_mass > 0.0) {
        return [0.0; 2];
    }
    let square = |v: [f64; 3]| v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    [0.5 * record.mass * square(record.velocity), 0.5 * record.inertia() * square(record.spin)]
}

impl Energy {
    /// What is there now: kinetic, potential, elastic and cohesive [J].
    pub fn present(&self) -> f64 {
        self.kinetic
            + self.rotational
            + self.potential
            + self.elastic_normal
            + self.elastic_tangential
            + self.cohesion
    }

    /// The closure error as a share of the energy in play: what moves or is stored in contacts, what
    /// was lost or left with deleted particles, and what walls and fields did. Where next to nothing is
    /// in play, a billionth of the energy that was brought in or taken out counts, so that rounding
    /// alone is no error.
    pub fn closure_share(&self) -> f64 {
        let in_play = self.kinetic
            + self.rotational
            + self.elastic_normal
            + self.elastic_tangential
            + self.cohesion.abs()
            + self.lost().abs()
            + self.departed_kinetic
            + self.wall_work.abs()
            + self.field_work.abs();
        let in_play = in_play.max(1e-9 * self.turnover);
        if in_play == 0.0 { 0.0 } else { self.closure_error / in_play }
    }

    /// What was lost [J].
    pub fn lost(&self) -> f64 {
        self.damping_loss + self.sliding_loss + self.rolling_loss + self.cohesion_loss
    }
}
