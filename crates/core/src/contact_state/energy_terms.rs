//! Energies, powers and forces by kind, of contacts and of particles, for the energy ledger.

use crate::Vec3;
use crate::chunk::{Contacts, Forces, Vector, WIDTH};

/// Powers against damping, tangential force and moment [W], the loss of cohesion within the step [J],
/// then energies in normal, tangential and rolling springs and in the cohesion [J].
pub(crate) type EnergyTerms = [f64; 8];

/// Index in [`EnergyTerms`] of the loss of cohesion, which is an energy already.
pub(crate) const COHESION_LOSS: usize = 3;

/// Index in [`EnergyTerms`] of the first energy that is stored.
pub(crate) const FIRST_STORED: usize = 4;

/// Accumulated work: against damping, tangential forces and moments, the loss of cohesion, and the work
/// of fields without a potential [J].
pub(crate) type AccumulatedWork = [f64; 5];

/// What the ledger reads of one contact, or the sum for one particle.
#[derive(Debug, Clone, Copy, Default)]
#[repr(C, align(32))]
pub(crate) struct LedgerTerms {
    pub energy: EnergyTerms,
    /// Damping force and tangential force, and the rolling and torsion moment: those on the first partner
    /// of a contact, or on the particle. Four numbers each, as a register holds them.
    forces: [[f64; 4]; 3],
}

impl LedgerTerms {
    /// Of a particle at the accepted state: its energy terms and the sum of damping and tangential forces.
    pub(crate) fn accepted(energy: EnergyTerms, dissipative: Vec3) -> Self {
        let [x, y, z] = dissipative.to_array();
        Self { energy, forces: [[x, y, z, 0.0], [0.0; 4], [0.0; 4]] }
    }

    /// Writes the terms of a chunk.
    pub(crate) fn store(contacts: &Contacts, forces: &Forces, terms: &mut [Self]) {
        let vector =
            |columns: &Vector, c: usize| [columns[0][c], columns[1][c], columns[2][c], 0.0];
        for (c, term) in terms.iter_mut().enumerate().take(WIDTH) {
            let normal = vector(&contacts.normal, c);
            *term = Self {
                energy: [
                    forces.damping_power[c],
                    forces.tangential_power[c],
                    forces.rolling_power[c],
                    forces.cohesion_loss[c],
                    forces.normal_energy[c],
                    forces.tangential_energy[c],
                    forces.rolling_energy[c],
                    forces.cohesion_energy[c],
                ],
                forces: [
                    normal.map(|part| -forces.damping[c] * part),
                    vector(&forces.tangential, c),
                    vector(&forces.moment, c),
                ],
            };
        }
    }

    /// Adds a contact of the particle: a fraction of its energy, and its forces with a sign, which is -1 for
    /// the second partner.
    #[inline(always)]
    pub(crate) fn add(&mut self, contact: &Self, fraction: f64, sign: f64) {
        for (sum, value) in self.energy.iter_mut().zip(&contact.energy) {
            *sum += fraction * value;
        }
        let forces = self.forces.as_flattened_mut().iter_mut();
        forces.zip(contact.forces.as_flattened()).for_each(|(sum, value)| *sum += sign * value);
    }

    /// Whether no contact has added to it.
    #[inline(always)]
    pub(crate) fn is_zero(&self) -> bool {
        self.energy.iter().chain(self.forces.as_flattened()).all(|value| *value == 0.0)
    }

    pub(crate) fn damping(&self) -> Vec3 {
        self.force(0)
    }

    pub(crate) fn tangential(&self) -> Vec3 {
        self.force(1)
    }

    pub(crate) fn moment(&self) -> Vec3 {
        self.force(2)
    }

    #[inline(always)]
    fn force(&self, kind: usize) -> Vec3 {
        let [x, y, z, _] = self.forces[kind];
        Vec3::new(x, y, z)
    }

    /// Forces that do not derive from a potential [N].
    pub(crate) fn dissipative(&self) -> Vec3 {
        self.damping() + self.tangential()
    }
}
