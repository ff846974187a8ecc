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

/// Forces that do not derive from a potential, by kind.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct KindForces {
    /// Dissipative normal force [N].
    pub damping: Vec3,
    /// Tangential force [N].
    pub tangential: Vec3,
    /// Torque of the tangential force about the centre [N m].
    pub torque: Vec3,
    /// Rolling and torsion moment [N m].
    pub moment: Vec3,
}

impl KindForces {
    /// Power of these forces on a particle that moves like this: damping, tangential force, moment [W].
    pub(crate) fn powers(&self, velocity: Vec3, spin: Vec3) -> [f64; 3] {
        [
            self.damping.dot(velocity),
            self.tangential.dot(velocity) + self.torque.dot(spin),
            self.moment.dot(spin),
        ]
    }
}

/// What the ledger reads of one contact.
#[derive(Debug, Clone, Copy, Default)]
#[repr(C, align(32))]
pub(crate) struct ContactTerms {
    energy: EnergyTerms,
    /// Damping force, tangential force and moment on the first partner. Four numbers each, as a register
    /// holds them.
    forces: [[f64; 4]; 3],
}

impl ContactTerms {
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
}

/// Terms of a particle while those of its contacts are added.
#[derive(Debug, Default)]
pub(crate) struct TermsSum(ContactTerms);

impl TermsSum {
    /// Adds a contact with another particle, of which half of the energy belongs to this one; `sign` is -1
    /// if it is the second partner.
    #[inline(always)]
    pub(crate) fn add_pair(&mut self, terms: &ContactTerms, sign: f64) {
        self.add(terms, 0.5, sign);
    }

    /// Adds a contact with a wall.
    #[inline(always)]
    pub(crate) fn add_wall(&mut self, terms: &ContactTerms) {
        self.add(terms, 1.0, 1.0);
    }

    #[inline(always)]
    fn add(&mut self, terms: &ContactTerms, fraction: f64, sign: f64) {
        for (sum, value) in self.0.energy.iter_mut().zip(&terms.energy) {
            *sum += fraction * value;
        }
        let forces = self.0.forces.as_flattened_mut().iter_mut();
        forces.zip(terms.forces.as_flattened()).for_each(|(sum, value)| *sum += sign * value);
    }

    /// The sum, of a particle with this torque of all contacts.
    pub(crate) fn terms(&self, torque: Vec3) -> ParticleTerms {
        let [damping, tangential, moment] = self.0.forces.map(|[x, y, z, _]| Vec3::new(x, y, z));
        let forces = KindForces { damping, tangential, torque: torque - moment, moment };
        ParticleTerms { energy: self.0.energy, forces }
    }
}

/// What the ledger knows of one particle at an evaluation.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ParticleTerms {
    pub energy: EnergyTerms,
    pub forces: KindForces,
}
