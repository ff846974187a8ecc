//! The loops over particles of the explicit integrators: prediction and correction.

use crate::particles::{Record, Total};
use crate::simd::f64x4::Four;
use crate::simd::{prefetch, prefetch_to_write, with_lines};
use std::ptr;

/// How far ahead particles are asked for where they do not stay in the cache: processors do it by
/// themselves, but stop at the end of each page. Measured at 100 000 particles: 4 % of a step.
const AHEAD: usize = 32;

#[inline(always)]
fn ask_for_record(record: &Record) {
    let place = ptr::from_ref(record).wrapping_add(AHEAD).cast::<u8>();
    prefetch_to_write(place);
    prefetch_to_write(place.wrapping_add(64));
}

/// Shares by which a prediction moves particles.
#[derive(Debug, Clone, Copy)]
pub(super) struct Prediction {
    /// Share of Δt² a in the position.
    pub position: f64,
    /// Share of Δt a in the velocity.
    pub velocity: f64,
    /// The same for the spin.
    pub spin: f64,
}

/// What one correction adds: shares of Δt a and of Δt² a for the forces before and after.
#[derive(Debug, Clone, Copy)]
pub(super) struct Correction {
    pub velocity: [f64; 2],
    pub spin: [f64; 2],
    pub position: [f64; 2],
}

/// How a correction goes over the particles.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pass {
    pub dt: f64,
    /// Whether the new forces take the place of the old ones.
    pub accept: bool,
    /// Whether forces are asked for before they are read.
    pub looks_ahead: bool,
}

impl Correction {
    /// Whether positions and orientations change as well.
    pub(super) fn moves(&self) -> bool {
        self.position != [0.0; 2]
    }
}

with_lines! {
    /// Moves particles to where the scheme predicts them; `angles` receives how far they turn.
    pub(super) fn predict<Set: Lines>(
        records: &mut [Record],
        loads: &[Total],
        angles: &mut [[f64; 4]],
        shares: &Prediction,
        dt: f64,
        looks_ahead: bool,
    ) {
        // SAFETY: `Set` is one that the machine has.
        unsafe {
            let step = Set::Four::all(dt);
            let of_position = Set::Four::all(shares.position);
            let of_velocity = Set::Four::all(shares.velocity);
            let of_spin = Set::Four::all(shares.spin);
            for ((record, load), angle) in records.iter_mut().zip(loads).zip(angles) {
                if looks_ahead {
                    ask_for_record(record);
                    prefetch(ptr::from_ref(load).wrapping_add(AHEAD));
                }
                let per_mass = step.times(Set::Four::all(record.inverse_mass));
                let per_inertia = step.times(Set::Four::all(record.inverse_inertia));
                let [position, velocity, spin, _] = record.lines();
                let (x, v, w) =
                    (Set::Four::load(position), Set::Four::load(velocity), Set::Four::load(spin));
                let change = per_mass.times(Set::Four::load(&load.force));
                let change_of_spin = per_inertia.times(Set::Four::load(&load.torque));
                step.times(w.plus(of_position.times(change_of_spin))).store(angle);
                let way = step.times(v.plus(of_position.times(change)));
                x.plus(way).with_fourth_of(x).store(position);
                v.plus(of_velocity.times(change)).with_fourth_of(v).store(velocity);
                w.plus(of_spin.times(change_of_spin)).with_fourth_of(w).store(spin);
            }
        }
    }
}

/// What a correction has seen of a block, lane by lane; the fourth lanes mean nothing.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seen {
    pub lowest: [f64; 4],
    pub highest: [f64; 4],
    /// Largest squares of the components of a displacement since the listing, at the end of the
    /// next step, as shares of allowances.
    squares: [f64; 4],
    /// Sum of all numbers times zero: zero if all are finite, else NaN.
    nothing: [f64; 4],
}

impl Seen {
    const NOTHING: Self = Self {
        lowest: [f64::INFINITY; 4],
        highest: [f64::NEG_INFINITY; 4],
        squares: [0.0; 4],
        nothing: [0.0; 4],
    };

    pub(super) fn is_finite(&self) -> bool {
        self.nothing[0] + self.nothing[1] + self.nothing[2] == 0.0
    }

    /// A bound of the square of the share that any particle has used up of its allowance.
    pub(super) fn most_used(&self) -> f64 {
        self.squares[0] + self.squares[1] + self.squares[2]
    }
}

with_lines! {
    /// Corrects velocities and spins, and positions where the correction has a share for them.
    pub(super) fn correct<Set: Lines>(
        records: &mut [Record],
        old: &mut [Total],
        new: &[Total],
        inverse_allowances: &[f32],
        correction: &Correction,
        pass: &Pass,
    ) -> Seen {
        let Pass { dt, accept, looks_ahead } = *pass;
        let mut seen = Seen::NOTHING;
        let moves = correction.moves();
        // SAFETY: `Set` is one that the machine has.
        unsafe {
            let (step, zero) = (Set::Four::all(dt), Set::Four::all(0.0));
            let from_old = Set::Four::all(correction.velocity[0]);
            let from_new = Set::Four::all(correction.velocity[1]);
            let spin_old = Set::Four::all(correction.spin[0]);
            let spin_new = Set::Four::all(correction.spin[1]);
            let back = Set::Four::all(correction.position[0]);
            let forth = Set::Four::all(correction.position[1]);
            let mut lowest = Set::Four::load(&seen.lowest);
            let mut highest = Set::Four::load(&seen.highest);
            let mut squares = Set::Four::load(&seen.squares);
            let mut nothing = Set::Four::load(&seen.nothing);
            let moving = records.iter_mut().zip(old).zip(new).zip(inverse_allowances);
            for (((record, old), new), &inverse) in moving {
                if looks_ahead {
                    prefetch_to_write(ptr::from_ref::<Total>(old).wrapping_add(AHEAD));
                }
                let per_mass = step.times(Set::Four::all(record.inverse_mass));
                let per_inertia = step.times(Set::Four::all(record.inverse_inertia));
                let [position, velocity, spin, listed] = record.lines();
                let mut x = Set::Four::load(position);
                let (v, w) = (Set::Four::load(velocity), Set::Four::load(spin));
                let (before, after) = (Set::Four::load(&old.force), Set::Four::load(&new.force));
                let change = from_new.times(after).plus(from_old.times(before));
                let v = v.plus(per_mass.times(change)).with_fourth_of(v);
                v.store(velocity);
                let (torque_before, torque_after) =
                    (Set::Four::load(&old.torque), Set::Four::load(&new.torque));
                let change = spin_new.times(torque_after).plus(spin_old.times(torque_before));
                let w = w.plus(per_inertia.times(change)).with_fourth_of(w);
                w.store(spin);
                if accept {
                    after.store(&mut old.force);
                    torque_after.store(&mut old.torque);
                }
                if moves {
                    let change = forth.times(after).plus(back.times(before));
                    x = x.plus(step.times(per_mass.times(change))).with_fourth_of(x);
                    x.store(position);
                }
                // where the next step will lead, at most
                let next = x.plus(step.times(v.plus(per_mass.times(after))));
                let away = next.minus(Set::Four::load(listed));
                let used = away.times(Set::Four::all(f64::from(inverse)));
                lowest = x.or_less(lowest);
                highest = x.or_more(highest);
                squares = used.times(used).or_more(squares);
                nothing = nothing.plus(zero.times(next.plus(w)));
            }
            lowest.store(&mut seen.lowest);
            highest.store(&mut seen.highest);
            squares.store(&mut seen.squares);
            nothing.store(&mut seen.nothing);
        }
        seen
    }
}
