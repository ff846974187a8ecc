//! The loops over particles of the explicit integrators: prediction and correction.

use crate::particles::{ForceTorque, HalfKick, HotData};
use crate::simd::f64x4::F64x4;
use crate::simd::{multiversion_transpose, prefetch, prefetch_to_write};
use std::ptr;

/// Prefetch distance, in particles, if particle data does not stay in the cache: hardware prefetchers stop at the end
/// of each page. Measured at 100 000 particles: 4 % of a step.
const PREFETCH_DISTANCE: usize = 32;

#[inline(always)]
fn prefetch_particle(record: &HotData) {
    let address = ptr::from_ref(record).wrapping_add(PREFETCH_DISTANCE).cast::<u8>();
    prefetch_to_write(address);
    prefetch_to_write(address.wrapping_add(64));
}

/// Coefficients of a prediction.
#[derive(Debug, Clone, Copy)]
pub(super) struct Prediction {
    /// Fraction of Δt² a in the position.
    pub position: f64,
    /// Fraction of Δt a in the velocity.
    pub velocity: f64,
    /// The same for the spin.
    pub spin: f64,
}

/// Coefficients of a correction: fractions of Δt a and of Δt² a for the forces before and after.
#[derive(Debug, Clone, Copy)]
pub(super) struct Correction {
    pub velocity: [f64; 2],
    pub spin: [f64; 2],
    pub position: [f64; 2],
    /// Fraction of Δt² a in the predicted position of the next step.
    pub predicted: f64,
}

/// Options of a correction.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pass {
    pub dt: f64,
    /// Whether the new forces replace the old ones.
    pub accept: bool,
    /// Whether forces are prefetched.
    pub prefetches: bool,
}

impl Correction {
    /// Whether positions and orientations also change.
    pub(super) fn moves(&self) -> bool {
        self.position != [0.0; 2]
    }
}

multiversion_transpose! {
    /// Moves particles to their predicted state; `angles` receives their rotation vectors.
    pub(super) fn predict<Set: Transpose>(
        set: Set,
        records: &mut [HotData],
        loads: &[ForceTorque],
        angles: &mut [[f64; 4]],
        prediction: &Prediction,
        dt: f64,
        prefetches: bool,
    ) {
        let step = set.splat4(dt);
        let of_position = set.splat4(prediction.position);
        let of_velocity = set.splat4(prediction.velocity);
        let of_spin = set.splat4(prediction.spin);
        for ((record, load), angle) in records.iter_mut().zip(loads).zip(angles) {
            if prefetches {
                prefetch_particle(record);
                prefetch(ptr::from_ref(load).wrapping_add(PREFETCH_DISTANCE));
            }
            let per_mass = step.mul(set.splat4(record.inverse_mass));
            let per_inertia = step.mul(set.splat4(record.inverse_inertia));
            let [position, velocity, spin, _] = record.as_vectors_mut();
            let (x, v, w) =
                (set.load4(position), set.load4(velocity), set.load4(spin));
            let change = per_mass.mul(set.load4(&load.force));
            let change_of_spin = per_inertia.mul(set.load4(&load.torque));
            step.mul(w.add(of_position.mul(change_of_spin))).store(angle);
            let displacement = step.mul(v.add(of_position.mul(change)));
            x.add(displacement).with_fourth_of(x).store(position);
            v.add(of_velocity.mul(change)).with_fourth_of(v).store(velocity);
            w.add(of_spin.mul(change_of_spin)).with_fourth_of(w).store(spin);
        }
    }
}

multiversion_transpose! {
    /// Changes of velocity and spin within half a step, of particles with accurate slip.
    pub(super) fn half_kicks<Set: Transpose>(
        set: Set,
        records: &[HotData],
        loads: &[ForceTorque],
        accurate_slip: &[bool],
        kicks: &mut [HalfKick],
        dt: f64,
    ) {
        let moving = records.iter().zip(loads).zip(accurate_slip).zip(kicks);
        for (((record, load), &is_accurate), kick) in moving {
            let half = if is_accurate { 0.5 * dt } else { 0.0 };
            let per_mass = set.splat4(half * record.inverse_mass);
            let per_inertia = set.splat4(half * record.inverse_inertia);
            per_mass.mul(set.load4(&load.force)).store(&mut kick.velocity);
            per_inertia.mul(set.load4(&load.torque)).store(&mut kick.spin);
        }
    }
}

/// Extremes of a block after a correction, lane by lane; the fourth lanes are unused.
#[derive(Debug, Clone, Copy)]
pub(super) struct BlockExtremes {
    pub lowest: [f64; 4],
    pub highest: [f64; 4],
    /// Largest squared components of a displacement since the last rebuild, at the end of the next step, as fractions
    /// of the skins.
    squares: [f64; 4],
    /// Sum of all numbers times zero: zero if all are finite, else NaN.
    zero_sum: [f64; 4],
}

impl BlockExtremes {
    const EMPTY: Self = Self {
        lowest: [f64::INFINITY; 4],
        highest: [f64::NEG_INFINITY; 4],
        squares: [0.0; 4],
        zero_sum: [0.0; 4],
    };

    pub(super) fn is_finite(&self) -> bool {
        self.zero_sum[0] + self.zero_sum[1] + self.zero_sum[2] == 0.0
    }

    /// An upper bound of the squared fraction of its skin that any particle has used.
    pub(super) fn largest_skin_fraction(&self) -> f64 {
        self.squares[0] + self.squares[1] + self.squares[2]
    }
}

multiversion_transpose! {
    /// Corrects velocities and spins, and positions if the correction has a coefficient for them.
    pub(super) fn correct<Set: Transpose>(
        set: Set,
        records: &mut [HotData],
        old: &mut [ForceTorque],
        new: &[ForceTorque],
        inverse_skins: &[f32],
        correction: &Correction,
        pass: &Pass,
    ) -> BlockExtremes {
        let Pass { dt, accept, prefetches } = *pass;
        let mut extremes = BlockExtremes::EMPTY;
        let moves = correction.moves();
        let (step, zero) = (set.splat4(dt), set.splat4(0.0));
        let velocity_old = set.splat4(correction.velocity[0]);
        let velocity_new = set.splat4(correction.velocity[1]);
        let spin_old = set.splat4(correction.spin[0]);
        let spin_new = set.splat4(correction.spin[1]);
        let position_old = set.splat4(correction.position[0]);
        let position_new = set.splat4(correction.position[1]);
        let predicted = set.splat4(correction.predicted);
        let mut lowest = set.load4(&extremes.lowest);
        let mut highest = set.load4(&extremes.highest);
        let mut squares = set.load4(&extremes.squares);
        let mut zero_sum = set.load4(&extremes.zero_sum);
        let moving = records.iter_mut().zip(old).zip(new).zip(inverse_skins);
        for (((record, old), new), &inverse) in moving {
            if prefetches {
                prefetch_to_write(ptr::from_ref::<ForceTorque>(old).wrapping_add(PREFETCH_DISTANCE));
            }
            let per_mass = step.mul(set.splat4(record.inverse_mass));
            let per_inertia = step.mul(set.splat4(record.inverse_inertia));
            let [position, velocity, spin, listed] = record.as_vectors_mut();
            let mut x = set.load4(position);
            let (v, w) = (set.load4(velocity), set.load4(spin));
            let (before, after) = (set.load4(&old.force), set.load4(&new.force));
            let change = velocity_new.mul(after).add(velocity_old.mul(before));
            let v = v.add(per_mass.mul(change)).with_fourth_of(v);
            v.store(velocity);
            let (torque_before, torque_after) =
                (set.load4(&old.torque), set.load4(&new.torque));
            let change = spin_new.mul(torque_after).add(spin_old.mul(torque_before));
            let w = w.add(per_inertia.mul(change)).with_fourth_of(w);
            w.store(spin);
            if accept {
                after.store(&mut old.force);
                torque_after.store(&mut old.torque);
            }
            if moves {
                let change = position_new.mul(after).add(position_old.mul(before));
                x = x.add(step.mul(per_mass.mul(change))).with_fourth_of(x);
                x.store(position);
            }
            // the prediction of the next step, at which forces will be evaluated
            let next = x.add(step.mul(v.add(predicted.mul(per_mass.mul(after)))));
            let displacement = next.sub(set.load4(listed));
            let skin_fraction = displacement.mul(set.splat4(f64::from(inverse)));
            lowest = x.min_or_other(lowest);
            highest = x.max_or_other(highest);
            squares = skin_fraction.mul(skin_fraction).max_or_other(squares);
            zero_sum = zero_sum.add(zero.mul(next.add(w)));
        }
        lowest.store(&mut extremes.lowest);
        highest.store(&mut extremes.highest);
        squares.store(&mut extremes.squares);
        zero_sum.store(&mut extremes.zero_sum);
        extremes
    }
}
