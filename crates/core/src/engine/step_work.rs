//! Work of a step of velocity Verlet on one particle.
//!
//! The work of a step is that of its forces on its displacements, an identity of the
//! scheme: `½ m (v'² - v²) = ½ (F + F')·Δx + Δt²/(8m) (F'² - F²)`, and the same for rotations. Kinetic
//! energies therefore enter the closure error less `Δt² F²/(8m)` and `Δt² T²/(8I)`; they are then those of
//! the velocities half a step before and after, `½ m v₋·v₊`. The energy of springs is a function of the
//! overlap. The trapezoidal rule for their work differs from it by a total derivative and by the
//! additional loss `Δt²/(6m) ∫ N·dF`, with the force F of springs and all other contact forces N of a
//! particle: the scheme dissipates that much more than its dashpots do, and it is booked with them.

use crate::Vec3;
use crate::contact_state::energy_terms::{
    AccumulatedWork, COHESION_LOSS, KindForces, ParticleTerms,
};
use crate::particles::{ForceTorque, HotData};

/// One particle in a step: its motion at the end, and the forces at both ends.
pub(super) struct ParticleStep<'a> {
    pub record: &'a HotData,
    /// Forces at the start and at the end.
    pub loads: [&'a ForceTorque; 2],
    pub dt: f64,
}

impl ParticleStep<'_> {
    /// Mean velocity and spin of the step: displacement and rotation divided by the step.
    fn mean_motion(&self) -> [Vec3; 2] {
        let half = 0.5 * self.dt;
        let [_, new] = self.loads;
        [
            Vec3::from_array(self.record.velocity) - half * self.record.inverse_mass * new.force(),
            Vec3::from_array(self.record.spin) - half * self.record.inverse_inertia * new.torque(),
        ]
    }

    /// The velocity with which the forces at the end were evaluated; spins were those of the mean motion.
    fn predicted_velocity(&self) -> Vec3 {
        let [old, new] = self.loads;
        let change = 0.5 * self.dt * self.record.inverse_mass * (old.force() - new.force());
        Vec3::from_array(self.record.velocity) + change
    }

    /// Adds the power of the forces on the particle to the powers at the end, and the work of the step.
    pub(super) fn add_work(
        &self,
        old: &ParticleTerms,
        new: &mut ParticleTerms,
        works: &mut AccumulatedWork,
    ) {
        let [velocity, spin] = self.mean_motion();
        let at_evaluation = new.forces.powers(self.predicted_velocity(), spin);
        let [before, after] =
            [&old.forces, &new.forces].map(|forces| forces.powers(velocity, spin));
        for kind in 0..COHESION_LOSS {
            new.energy[kind] += at_evaluation[kind];
            let power = old.energy[kind] + new.energy[kind] - (before[kind] + after[kind]);
            works[kind] += 0.5 * self.dt * power;
        }
        let loss = self.loss_at_springs(&old.forces, &new.forces);
        works[0] += loss[0];
        works[1] += loss[1];
    }

    /// What the work of springs falls short of their energy, by damping and by tangential forces [J].
    fn loss_at_springs(&self, old: &KindForces, new: &KindForces) -> [f64; 2] {
        let of_springs = |load: &ForceTorque, other: &KindForces| {
            load.force() - (other.damping + other.tangential)
        };
        let change = of_springs(self.loads[1], new) - of_springs(self.loads[0], old);
        let factor = self.dt * self.dt * self.record.inverse_mass / 12.0;
        [
            factor * (old.damping + new.damping).dot(change),
            factor * (old.tangential + new.tangential).dot(change),
        ]
    }
}
