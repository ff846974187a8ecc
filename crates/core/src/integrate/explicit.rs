//! Integrators that predict, evaluate and correct: one text, a few coefficients.
//!
//! | | position before | velocity before | velocity after | position after |
//! |---|---|---|---|---|
//! | velocity Verlet | `x + Δt v + ½Δt² a` | `v + Δt a` | `v + ½Δt (a + a')` | |
//! | symplectic Euler | `x + Δt v + Δt² a` | `v + Δt a` | the same | |
//! | Newmark, β = ¼, γ = ½ | `x + Δt v + ¼Δt² a` | `v + ½Δt a` | `v + ½Δt (a + a')` | `+ ¼Δt² a'` |
//!
//! with `a` the old and `a'` the new acceleration; the same for spins and rotations. Velocity Verlet
//! evaluates at a prediction of the end velocity: with the half-step velocity, damping would be
//! first order only. Its spins are those of the middle of the step: they enter the slip, which is
//! then what the contact has really turned by, and springs and dashpots that stick bear twice the
//! step. Z(53) and Z(55) print ¼ for the ½ of the velocity
//! (erratum Z-E12), with which a constant force would change the velocity by ¾ of its impulse.

use super::rotation::{RotationMap, turned, turned_literally};
use super::{Integration, Outcome, Plan};
use crate::domain::Domain;
use crate::engine::Engine;
use crate::law::Step;
use crate::parallel::Shares;
use crate::particles::{Description, MeanMotion, Record, Total, VECTOR_PART, wrap};
use crate::simd::vectorise_rows;
use crate::{Quat, Vec3};
use std::sync::atomic::{AtomicBool, Ordering};

/// Coefficients of a scheme.
#[derive(Debug, Clone, Copy)]
struct Scheme {
    /// Share of Δt² a in the position before the evaluation.
    position: f64,
    /// Share of Δt a in the velocity before the evaluation.
    velocity: f64,
    /// The same for the spin.
    spin: f64,
    /// Shares of Δt a and Δt a' in the velocity after it.
    old: f64,
    new: f64,
    /// Share of Δt² a' that the position gets after it.
    correction: f64,
}

const VELOCITY_VERLET: Scheme =
    Scheme { position: 0.5, velocity: 1.0, spin: 0.5, old: 0.5, new: 0.5, correction: 0.0 };
const SYMPLECTIC_EULER: Scheme =
    Scheme { position: 1.0, velocity: 1.0, spin: 1.0, old: 1.0, new: 0.0, correction: 0.0 };
const NEWMARK: Scheme =
    Scheme { position: 0.25, velocity: 0.5, spin: 0.5, old: 0.5, new: 0.5, correction: 0.25 };

/// What one correction adds: shares of Δt a and of Δt² a for the forces before and after.
#[derive(Debug, Clone, Copy)]
struct Correction {
    velocity: [f64; 2],
    spin: [f64; 2],
    position: [f64; 2],
}

/// Advances the engine by one step from `time`.
pub(super) fn advance(integration: Integration, engine: &mut Engine, plan: &Plan) -> Outcome {
    let Plan { time, dt, rotation, .. } = *plan;
    let (scheme, corrections, final_evaluation) = match integration {
        Integration::SymplecticEuler => (SYMPLECTIC_EULER, 1, false),
        Integration::NewmarkPec { corrections, final_evaluation } => {
            (NEWMARK, corrections, final_evaluation)
        }
        _ => (VELOCITY_VERLET, 1, false),
    };
    let step = Step { dt, elapsed: dt, end_velocity_share: 1.0, ledger: false };
    if engine.table.layout.memory.is_some() {
        // what a single correction has added since the last evaluation is seen in the next one
        let unseen = corrections == 1 && !final_evaluation;
        let seen_late = if unseen { scheme.correction } else { 0.0 };
        engine.note_motions(scheme.position + seen_late, dt);
    }
    engine.spin_lag = (scheme.velocity - scheme.spin) * dt;
    predict_all(engine, &scheme, dt, rotation);
    engine.evaluate_trial(time + dt, step);
    let first = Correction {
        velocity: [scheme.old - scheme.velocity, scheme.new],
        spin: [scheme.old - scheme.spin, scheme.new],
        position: [0.0, scheme.correction],
    };
    let mut outcome = correct_all(engine, &first, dt, rotation);
    for _ in 1..corrections {
        engine.keep_trial_loads();
        engine.evaluate_trial(time + dt, step);
        // the last correction is taken back and made anew with the new forces
        let again = Correction {
            velocity: [-scheme.new, scheme.new],
            spin: [-scheme.new, scheme.new],
            position: [-scheme.correction, scheme.correction],
        };
        outcome = engine.with_kept_loads(|engine| correct_all(engine, &again, dt, rotation));
    }
    if final_evaluation {
        engine.evaluate_trial(time + dt, step);
    }
    engine.commit(dt);
    outcome
}

impl Engine {
    /// Notes how particles will have moved since the last evaluation, for laws that map their slip.
    fn note_motions(&mut self, share: f64, dt: f64) {
        self.walls.iter_mut().for_each(|wall| wall.accepted_pose = wall.pose);
        let Self { particles, motions, .. } = self;
        motions.resize(particles.len(), MeanMotion::default());
        let moving = particles.records.iter().zip(&particles.loads);
        for (motion, (record, load)) in motions.iter_mut().zip(moving) {
            for axis in 0..3 {
                let change = share * dt * record.inverse_mass;
                motion.velocity[axis] = record.velocity[axis] + change * load.force[axis];
                let change = share * dt * record.inverse_inertia;
                motion.spin[axis] = record.spin[axis] + change * load.torque[axis];
            }
        }
    }

    /// Adds to the motions what a correction adds to the displacements.
    fn correct_motions(&mut self, [back, forth]: [f64; 2], dt: f64) {
        let Self { particles, motions, trial_loads, .. } = self;
        let loads = particles.loads.iter().zip(&*trial_loads);
        let moving = particles.records.iter().zip(loads);
        for (motion, (record, (old, new))) in motions.iter_mut().zip(moving) {
            for axis in 0..3 {
                let force = forth * new.force[axis] + back * old.force[axis];
                motion.velocity[axis] += dt * record.inverse_mass * force;
                let torque = forth * new.torque[axis] + back * old.torque[axis];
                motion.spin[axis] += dt * record.inverse_inertia * torque;
            }
        }
    }
}

fn predict_all(engine: &mut Engine, scheme: &Scheme, dt: f64, rotation: RotationMap) {
    let particles = &mut engine.particles;
    if !particles.turned.is_empty() {
        for (turned, (record, load)) in
            particles.turned.iter_mut().zip(particles.records.iter().zip(&particles.loads))
        {
            *turned += angle(record, load, scheme.position, dt);
        }
    }
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
            match rotation {
                _ if !rotations => {}
                RotationMap::Exact => turn(records, loads, orientations, scheme.position, dt),
                RotationMap::Literal => {
                    turn_literally(records, loads, orientations, scheme.position, dt);
                }
            }
            predict(records, loads, scheme, dt);
        }
    });
}

/// Particles in a block.
const BLOCK: usize = 64;

/// The rotation vector of a step as it is predicted.
#[inline(always)]
fn angle(record: &Record, load: &Total, share: f64, dt: f64) -> Vec3 {
    let change = share * dt * record.inverse_inertia;
    Vec3::new(
        dt * (record.spin[0] + change * load.torque[0]),
        dt * (record.spin[1] + change * load.torque[1]),
        dt * (record.spin[2] + change * load.torque[2]),
    )
}

fn turn_literally(
    records: &[Record],
    loads: &[Total],
    orientations: &mut [Quat],
    share: f64,
    dt: f64,
) {
    for ((record, load), orientation) in records.iter().zip(loads).zip(orientations) {
        *orientation = turned_literally(*orientation, angle(record, load, share, dt));
    }
}

vectorise_rows! {
    fn turn(records: &[Record], loads: &[Total], orientations: &mut [Quat], share: f64, dt: f64) {
        for ((record, load), orientation) in records.iter().zip(loads).zip(orientations) {
            *orientation = turned(*orientation, angle(record, load, share, dt));
        }
    }
}

vectorise_rows! {
    fn predict(records: &mut [Record], loads: &[Total], scheme: &Scheme, dt: f64) {
        for (record, load) in records.iter_mut().zip(loads) {
            let (per_mass, per_inertia) = (dt * record.inverse_mass, dt * record.inverse_inertia);
            let [position, velocity, spin, _] = record.lines();
            for lane in 0..4 {
                let change = per_mass * load.force[lane];
                position[lane] += VECTOR_PART[lane] * (dt * (velocity[lane] + scheme.position * change));
                velocity[lane] += VECTOR_PART[lane] * (scheme.velocity * change);
                spin[lane] += VECTOR_PART[lane] * (scheme.spin * (per_inertia * load.torque[lane]));
            }
        }
    }
}

fn correct_all(
    engine: &mut Engine,
    correction: &Correction,
    dt: f64,
    rotation: RotationMap,
) -> Outcome {
    if engine.table.layout.memory.is_some() {
        engine.correct_motions(correction.position, dt);
    }
    let particles = &mut engine.particles;
    let (old, new) = (&particles.loads, &engine.trial_loads);
    if correction.position[1] != 0.0 {
        for (slot, turned) in particles.turned.iter_mut().enumerate() {
            let record = &particles.records[slot];
            *turned += angle_again(record, &old[slot], &new[slot], correction, dt);
        }
    }
    let orientations = Shares::new(&mut particles.orientations);
    let rotations = engine.rotations && correction.position[1] != 0.0;
    let count = particles.records.len();
    let records = Shares::new(&mut particles.records);
    let descriptions = Shares::new(&mut particles.descriptions);
    let domain = &engine.domain;
    let limits = Limits::new(domain, engine.skin);
    let (within_skin, inside) = (AtomicBool::new(true), AtomicBool::new(true));
    engine.pool.split(count, |_, range| {
        // SAFETY: `split` gives disjoint ranges.
        let records = unsafe { records.piece(range.clone()) };
        if rotations {
            // SAFETY: as above.
            let orientations = unsafe { orientations.piece(range.clone()) };
            turn_again(
                records,
                &old[range.clone()],
                &new[range.clone()],
                orientations,
                correction,
                dt,
                rotation,
            );
        }
        let (old, new) = (&old[range.clone()], &new[range.clone()]);
        let seen = correct(records, old, new, correction, dt, &limits);
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

/// Turns particles by what the correction of their rotation asks for.
fn turn_again(
    records: &[Record],
    old: &[Total],
    new: &[Total],
    orientations: &mut [Quat],
    correction: &Correction,
    dt: f64,
    rotation: RotationMap,
) {
    for (((record, old), new), orientation) in records.iter().zip(old).zip(new).zip(orientations) {
        let angle = angle_again(record, old, new, correction, dt);
        *orientation = match rotation {
            RotationMap::Exact => turned(*orientation, angle),
            RotationMap::Literal => turned_literally(*orientation, angle),
        };
    }
}

/// The rotation vector of a correction.
fn angle_again(
    record: &Record,
    old: &Total,
    new: &Total,
    correction: &Correction,
    dt: f64,
) -> Vec3 {
    let torque = correction.position[0] * old.torque() + correction.position[1] * new.torque();
    dt * dt * record.inverse_inertia * torque
}

vectorise_rows! {
    fn correct(
        records: &mut [Record],
        old: &[Total],
        new: &[Total],
        correction: &Correction,
        dt: f64,
        limits: &Limits,
    ) -> Seen {
        let mut farthest = 0.0;
        let mut inside = true;
        let ([from_old, from_new], [back, forth]) = (correction.velocity, correction.position);
        let [spin_old, spin_new] = correction.spin;
        for ((record, old), new) in records.iter_mut().zip(old).zip(new) {
            let (per_mass, per_inertia) = (dt * record.inverse_mass, dt * record.inverse_inertia);
            let [position, velocity, spin, listed] = record.lines();
            let mut squares = [0.0; 4];
            let mut is_in = [true; 4];
            for lane in 0..4 {
                let part = VECTOR_PART[lane];
                let (old_force, new_force) = (old.force[lane], new.force[lane]);
                velocity[lane] += part * (per_mass * (from_new * new_force + from_old * old_force));
                spin[lane] += part * (per_inertia * (spin_new * new.torque[lane] + spin_old * old.torque[lane]));
                position[lane] += part * (dt * (per_mass * (forth * new_force + back * old_force)));
                // where the next step will lead, at most
                let next = position[lane] + dt * (velocity[lane] + per_mass * new_force);
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
