//! Velocity Verlet with a prediction of the end velocity.
//!
//! `x' = x + Δt (v + ½Δt a)`; forces at `(x', v + Δt a)`; `v' = v + ½Δt (a + a')`; the same for
//! spins. With the half-step velocity in the forces instead, damping would be first order only.
//! MODELS.md §12.0.

use super::Outcome;
use super::rotation::turned;
use crate::domain::Domain;
use crate::engine::Engine;
use crate::law::Step;
use crate::parallel::Shares;
use crate::particles::{Description, Record, Total, VECTOR_PART, wrap};
use crate::simd::vectorise_rows;
use crate::{Quat, Vec3};
use std::sync::atomic::{AtomicBool, Ordering};

/// Advances the engine by one step from `time`.
pub(crate) fn velocity_verlet(engine: &mut Engine, time: f64, dt: f64) -> Outcome {
    predict_all(engine, dt);
    engine.evaluate(time + dt, Step { dt, elapsed: dt, ledger: false });
    let outcome = correct_all(engine, dt);
    engine.commit(dt);
    outcome
}

fn predict_all(engine: &mut Engine, dt: f64) {
    let particles = &mut engine.particles;
    let loads = &particles.loads;
    let count = particles.records.len();
    let records = Shares::new(&mut particles.records);
    let orientations = Shares::new(&mut particles.orientations);
    let rotations = engine.rotations;
    engine.pool.split(count, |_, range| {
        // SAFETY: `split` gives disjoint ranges.
        let (records, orientations) =
            unsafe { (records.piece(range.clone()), orientations.piece(range.clone())) };
        // in blocks, so that the second loop finds the records in the cache
        for ((records, loads), orientations) in records
            .chunks_mut(BLOCK)
            .zip(loads[range].chunks(BLOCK))
            .zip(orientations.chunks_mut(BLOCK))
        {
            if rotations {
                turn(records, loads, orientations, dt);
            }
            predict(records, loads, dt);
        }
    });
}

/// Particles in a block.
const BLOCK: usize = 64;

vectorise_rows! {
    fn turn(records: &[Record], loads: &[Total], orientations: &mut [Quat], dt: f64) {
        for ((record, load), orientation) in records.iter().zip(loads).zip(orientations) {
            let half = 0.5 * dt * record.inverse_inertia;
            let angle = Vec3::new(
                dt * (record.spin[0] + half * load.torque[0]),
                dt * (record.spin[1] + half * load.torque[1]),
                dt * (record.spin[2] + half * load.torque[2]),
            );
            *orientation = turned(*orientation, angle);
        }
    }
}

vectorise_rows! {
    fn predict(records: &mut [Record], loads: &[Total], dt: f64) {
        for (record, load) in records.iter_mut().zip(loads) {
            let (per_mass, per_inertia) = (dt * record.inverse_mass, dt * record.inverse_inertia);
            let [position, velocity, spin, _] = record.lines();
            for lane in 0..4 {
                let change = per_mass * load.force[lane];
                position[lane] += VECTOR_PART[lane] * (dt * (velocity[lane] + 0.5 * change));
                velocity[lane] += VECTOR_PART[lane] * change;
                spin[lane] += VECTOR_PART[lane] * (per_inertia * load.torque[lane]);
            }
        }
    }
}

fn correct_all(engine: &mut Engine, dt: f64) -> Outcome {
    let particles = &mut engine.particles;
    let (old, new) = (&particles.loads, &engine.trial_loads);
    let count = particles.records.len();
    let records = Shares::new(&mut particles.records);
    let descriptions = Shares::new(&mut particles.descriptions);
    let domain = &engine.domain;
    let limits = Limits::new(domain, engine.skin);
    let (within_skin, inside) = (AtomicBool::new(true), AtomicBool::new(true));
    engine.pool.split(count, |_, range| {
        // SAFETY: `split` gives disjoint ranges.
        let records = unsafe { records.piece(range.clone()) };
        let seen = correct(records, &old[range.clone()], &new[range.clone()], dt, &limits);
        // NaN is neither below nor above: only a comparison that holds counts
        if !(seen.farthest <= limits.displacement) {
            within_skin.store(false, Ordering::Relaxed);
        }
        if !seen.inside {
            // SAFETY: as above.
            let descriptions = unsafe { descriptions.piece(range) };
            if !wrap_all(domain, records, descriptions) {
                inside.store(false, Ordering::Relaxed);
            }
        }
    });
    Outcome { within_skin: within_skin.into_inner(), inside: inside.into_inner() }
}

/// Bounds that a particle must keep for the step to need no attention.
struct Limits {
    low: [f64; 4],
    high: [f64; 4],
    /// Square of half the skin [m²].
    displacement: f64,
}

impl Limits {
    fn new(domain: &Domain, skin: f64) -> Self {
        let line = |v: Vec3| [v.x, v.y, v.z, 0.0];
        Self { low: line(domain.min), high: line(domain.max), displacement: 0.25 * skin * skin }
    }
}

/// Moves particles that have left through a periodic side to the other one; says whether all are
/// inside then, and finite. Done after every step, since the moment of it changes the rounding of a
/// position.
fn wrap_all(domain: &Domain, records: &mut [Record], descriptions: &mut [Description]) -> bool {
    let mut inside = true;
    for (record, description) in records.iter_mut().zip(descriptions) {
        wrap(domain, record, description);
        inside &= domain.contains(record.position.into()) && record.is_finite();
    }
    inside
}

struct Seen {
    /// Largest square of a displacement since the listing, at the end of the next step.
    farthest: f64,
    inside: bool,
}

vectorise_rows! {
    fn correct(records: &mut [Record], old: &[Total], new: &[Total], dt: f64, limits: &Limits) -> Seen {
        let mut farthest = 0.0;
        let mut inside = true;
        for ((record, old), new) in records.iter_mut().zip(old).zip(new) {
            let (per_mass, per_inertia) = (0.5 * dt * record.inverse_mass, 0.5 * dt * record.inverse_inertia);
            let [position, velocity, spin, listed] = record.lines();
            let mut squares = [0.0; 4];
            let mut is_in = [true; 4];
            for lane in 0..4 {
                let part = VECTOR_PART[lane];
                velocity[lane] += part * (per_mass * (new.force[lane] - old.force[lane]));
                spin[lane] += part * (per_inertia * (new.torque[lane] - old.torque[lane]));
                let next = position[lane] + dt * (velocity[lane] + per_mass * new.force[lane]);
                let displacement = part * (next - listed[lane]);
                squares[lane] = displacement * displacement;
                // a velocity or spin that is not finite is noticed at once
                let rates_are_finite = 0.0 * velocity[lane] + 0.0 * spin[lane] == 0.0;
                is_in[lane] = (position[lane] >= limits.low[lane])
                    & (position[lane] <= limits.high[lane])
                    & rates_are_finite;
            }
            let square = squares[0] + squares[1] + squares[2];
            inside &= is_in[0] & is_in[1] & is_in[2];
            farthest = if square <= farthest { farthest } else { square };
        }
        Seen { farthest, inside }
    }
}
