//! Work of the steps of velocity Verlet on one particle.
//!
//! `½ m (v'² - v²) = ½ (F + F')·Δx + Δt²/(8m) (F'² - F²)` is an identity of the scheme, and the same holds for
//! rotations. Summed over steps of one length, the work of a force on the displacements is that of its power with the
//! velocity of the accepted state, by the trapezoidal rule, and `¼ Δt² F·N/m` of the last force N. Contacts are
//! evaluated with a predicted velocity; their powers are corrected for the difference.
//!
//! The energy of springs is a function of the overlap. The trapezoidal rule for their work differs from it by
//! a total derivative and by the additional loss `Δt²/(6m) ∫ N·dF`, with the force F of springs and all
//! other contact forces N of a particle: the scheme dissipates this much more than its dashpots,
//! and it is recorded with them.

use crate::contact_state::energy_terms::{AccumulatedWork, COHESION_LOSS, LedgerTerms};
use crate::particles::{ForceTorque, HotData};

/// One particle in a step: its motion at the end, and the forces at both ends.
pub(super) struct ParticleStep<'a> {
    pub record: &'a HotData,
    /// Forces at the start and at the end.
    pub loads: [&'a ForceTorque; 2],
    pub dt: f64,
}

impl ParticleStep<'_> {
    /// Corrects the powers at the end to the velocities of the accepted state. The evaluation used `v + Δt a` of the
    /// start, and spins half a step earlier. The contribution of moments to the second correction is added to sliding.
    pub(super) fn correct_powers(&self, new: &mut LedgerTerms) {
        let [before, after] = self.loads;
        let half = 0.5 * self.dt;
        let velocity = half * self.record.inverse_mass * (after.force() - before.force());
        let spin = half * self.record.inverse_inertia * after.torque();
        new.energy[0] -= new.damping().dot(velocity);
        new.energy[1] -= new.tangential().dot(velocity) + after.torque().dot(spin);
    }

    /// Adds the loss at springs, separately for damping and tangential forces.
    pub(super) fn add_loss_at_springs(
        &self,
        old: &LedgerTerms,
        new: &LedgerTerms,
        works: &mut AccumulatedWork,
    ) {
        let [before, after] = self.loads;
        let change = (after.force() - new.dissipative()) - (before.force() - old.dissipative());
        let factor = self.dt * self.dt * self.record.inverse_mass / 6.0;
        works[0] += factor * new.damping().dot(change);
        works[1] += factor * new.tangential().dot(change);
    }
}

/// Adds the work of powers by the trapezoidal rule, and the loss of cohesion.
pub(super) fn add_powers(
    dt: f64,
    old: &LedgerTerms,
    new: &LedgerTerms,
    works: &mut AccumulatedWork,
) {
    for kind in 0..COHESION_LOSS {
        works[kind] += 0.5 * dt * (old.energy[kind] + new.energy[kind]);
    }
    works[COHESION_LOSS] += new.energy[COHESION_LOSS];
}
