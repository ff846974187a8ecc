//! Energies, powers and forces by kind, of contacts and of particles, for the energy ledger.

use crate::Vec3;
use crate::chunk::{Column, Contacts, Forces, Vector, WIDTH};
use crate::simd::multiversion_transpose;

/// Powers against damping, tangential force and moment [W], the loss of cohesion within the step [J],
/// then energies in normal, tangential and rolling springs and in the cohesion [J].
pub(crate) type EnergyTerms = [f64; 8];

/// Index in [`EnergyTerms`] of the loss of cohesion, which is an energy, not a power.
pub(crate) const COHESION_LOSS: usize = 3;

/// Index in [`EnergyTerms`] of the first stored energy.
pub(crate) const FIRST_STORED: usize = 4;

/// Accumulated work: against damping, tangential forces and moments, the loss of cohesion, and the work of
/// non-conservative fields [J].
pub(crate) type AccumulatedWork = [f64; 5];

/// Terms of the ledger for one contact, or their sum for one particle. Two cache lines.
#[derive(Debug, Clone, Copy, Default)]
#[repr(C, align(64))]
pub(crate) struct LedgerTerms {
    pub energy: EnergyTerms,
    /// Damping force and tangential force, four numbers each: those on the first partner of a contact, or on
    /// the particle.
    forces: [f64; 8],
}

impl LedgerTerms {
    /// Terms of a particle in the accepted state: its energy terms and the sum of damping and tangential forces.
    pub(crate) fn accepted(energy: EnergyTerms, dissipative: Vec3) -> Self {
        let [x, y, z] = dissipative.to_array();
        Self { energy, forces: [x, y, z, 0.0, 0.0, 0.0, 0.0, 0.0] }
    }

    /// Writes the terms of a chunk.
    pub(crate) fn store(contacts: &Contacts, forces: &Forces, terms: &mut [Self]) {
        let mut damping = [[0.0; WIDTH]; 3];
        for (damping, normal) in damping.iter_mut().zip(&contacts.normal) {
            for c in 0..WIDTH {
                damping[c] = -forces.damping[c] * normal[c];
            }
        }
        write_terms(forces, &damping, terms);
    }

    /// Adds a contact of the particle: a fraction of its energy, and its forces with a sign, which is -1 for
    /// the second partner.
    #[inline(always)]
    pub(crate) fn add(&mut self, contact: &Self, fraction: f64, sign: f64) {
        for (sum, value) in self.energy.iter_mut().zip(&contact.energy) {
            *sum += fraction * value;
        }
        for (sum, value) in self.forces.iter_mut().zip(&contact.forces) {
            *sum += sign * value;
        }
    }

    /// Whether no contact has been added: each contact has an energy or a power.
    #[inline(always)]
    pub(crate) fn is_zero(&self) -> bool {
        self.energy == [0.0; 8]
    }

    /// Damping force [N].
    #[inline(always)]
    pub(crate) fn damping(&self) -> Vec3 {
        let [x, y, z, ..] = self.forces;
        Vec3::new(x, y, z)
    }

    /// Tangential force [N].
    #[inline(always)]
    pub(crate) fn tangential(&self) -> Vec3 {
        let [.., x, y, z, _] = self.forces;
        Vec3::new(x, y, z)
    }

    /// Sum of the non-conservative forces [N].
    #[inline(always)]
    pub(crate) fn dissipative(&self) -> Vec3 {
        self.damping() + self.tangential()
    }
}

multiversion_transpose! {
    /// Writes the terms of a chunk, contact by contact.
    fn write_terms<Set: Transpose>(
        set: Set,
        forces: &Forces,
        damping: &Vector,
        terms: &mut [LedgerTerms],
    ) {
        static NONE: Column = [0.0; WIDTH];
        let energies = [
            &forces.damping_power,
            &forces.tangential_power,
            &forces.rolling_power,
            &forces.cohesion_loss,
            &forces.normal_energy,
            &forces.tangential_energy,
            &forces.rolling_energy,
            &forces.cohesion_energy,
        ];
        let [first, second, third] = &forces.tangential;
        let vectors =
            [&damping[0], &damping[1], &damping[2], &NONE, first, second, third, &NONE];
        for (block, terms) in terms.as_chunks_mut::<8>().0.iter_mut().enumerate() {
            let mut rows = [[[0.0; 8]; 8]; 2];
            let [energy_rows, force_rows] = &mut rows;
            set.transpose8x8(|part| &energies[part].as_chunks::<8>().0[block], energy_rows);
            set.transpose8x8(|part| &vectors[part].as_chunks::<8>().0[block], force_rows);
            for ((terms, energy), forces) in terms.iter_mut().zip(energy_rows).zip(force_rows) {
                *terms = LedgerTerms { energy: *energy, forces: *forces };
            }
        }
    }
}
