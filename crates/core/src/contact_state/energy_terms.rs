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
pub(crate) struct ContactTerms {
    pub energy: EnergyTerms,
    /// Forces on the first partner; in the place of the torque, n × tangential force.
    forces: KindForces,
    /// Moment arms of both partners [m].
    arms: [f64; 2],
}

impl ContactTerms {
    /// Adds the forces on the first (0) or second (1) partner.
    pub(crate) fn add_forces(&self, partner: usize, sum: &mut KindForces) {
        let sign = if partner == 0 { 1.0 } else { -1.0 };
        sum.damping += sign * self.forces.damping;
        sum.tangential += sign * self.forces.tangential;
        sum.torque += self.arms[partner] * self.forces.torque;
        sum.moment += sign * self.forces.moment;
    }

    /// Writes the terms of a chunk.
    pub(crate) fn store(contacts: &Contacts, forces: &Forces, terms: &mut [Self]) {
        let vector =
            |columns: &Vector, c: usize| Vec3::from_array(columns.each_ref().map(|x| x[c]));
        for (c, term) in terms.iter_mut().enumerate().take(WIDTH) {
            let normal = vector(&contacts.normal, c);
            let tangential = vector(&forces.tangential, c);
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
                forces: KindForces {
                    damping: -forces.damping[c] * normal,
                    tangential,
                    torque: normal.cross(tangential),
                    moment: vector(&forces.moment, c),
                },
                arms: [contacts.moment_arm[0][c], contacts.moment_arm[1][c]],
            };
        }
    }
}

/// What the ledger knows of one particle at an evaluation.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ParticleTerms {
    pub energy: EnergyTerms,
    pub forces: KindForces,
}
