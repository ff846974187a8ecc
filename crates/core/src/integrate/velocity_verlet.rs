//! Velocity Verlet with a prediction of the end velocity.
//!
//! `x' = x + Δt (v + ½Δt a)`; forces at `(x', v + Δt a)`; `v' = v + ½Δt (a + a')`; the same for
//! spins. With the half-step velocity in the forces instead, damping would be first order only.
//! MODELS.md §12.0.

use super::Outcome;
use super::rotation::turned;
use crate::Vec3;
use crate::domain::Domain;
use crate::engine::Engine;
use crate::field::Load;
use crate::law::Step;
use crate::parallel::Shares;
use crate::particles::{Description, Record, wrap};
use crate::simd::vectorise;
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
        let records = unsafe { records.piece(range.clone()) };
        if rotations {
            // SAFETY: as above.
            let orientations = unsafe { orientations.piece(range.clone()) };
            for ((record, load), orientation) in
                records.iter().zip(&loads[range.clone()]).zip(orientations)
            {
                let spin =
                    Vec3::from_array(record.spin) + 0.5 * dt * record.inverse_inertia * load.torque;
                *orientation = turned(*orientation, dt * spin);
            }
        }
        predict(records, &loads[range], dt);
    });
}

vectorise! {
    fn predict(records: &mut [Record], loads: &[Load], dt: f64) {
        for (record, load) in records.iter_mut().zip(loads) {
            let (force, torque) = (load.force.to_array(), load.torque.to_array());
            for axis in 0..3 {
                let change = dt * record.inverse_mass * force[axis];
                record.position[axis] += dt * (record.velocity[axis] + 0.5 * change);
                record.velocity[axis] += change;
                record.spin[axis] += dt * record.inverse_inertia * torque[axis];
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
    low: [f64; 3],
    high: [f64; 3],
    /// Square of half the skin [m²].
    displacement: f64,
}

impl Limits {
    fn new(domain: &Domain, skin: f64) -> Self {
        Self {
            low: domain.min.to_array(),
            high: domain.max.to_array(),
            displacement: 0.25 * skin * skin,
        }
    }
}

/// Moves particles that have left through a periodic side to the other one; says whether all are
/// inside then. Done after every step, since the moment of it changes the rounding of a position.
fn wrap_all(domain: &Domain, records: &mut [Record], descriptions: &mut [Description]) -> bool {
    let mut inside = true;
    for (record, description) in records.iter_mut().zip(descriptions) {
        wrap(domain, record, description);
        inside &= domain.contains(record.position.into());
    }
    inside
}

struct Seen {
    /// Largest square of a displacement since the listing, at the end of the next step.
    farthest: f64,
    inside: bool,
}

vectorise! {
    fn correct(records: &mut [Record], old: &[Load], new: &[Load], dt: f64, limits: &Limits) -> Seen {
        let mut farthest = 0.0;
        let mut inside = true;
        for ((record, old), new) in records.iter_mut().zip(old).zip(new) {
            let (old_force, new_force) = (old.force.to_array(), new.force.to_array());
            let (old_torque, new_torque) = (old.torque.to_array(), new.torque.to_array());
            let mut displacement = 0.0;
            for axis in 0..3 {
                let half = 0.5 * dt * record.inverse_mass;
                record.velocity[axis] += half * (new_force[axis] - old_force[axis]);
                record.spin[axis] += 0.5 * dt * record.inverse_inertia * (new_torque[axis] - old_torque[axis]);
                let x = record.position[axis];
                let next = x + dt * (record.velocity[axis] + half * new_force[axis]);
                let d = next - record.listed_position[axis];
                displacement += d * d;
                inside &= x >= limits.low[axis] && x <= limits.high[axis];
            }
            farthest = if displacement <= farthest { farthest } else { displacement };
        }
        Seen { farthest, inside }
    }
}
