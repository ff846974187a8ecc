//! Predictor–corrector integrators: one implementation with coefficients of the schemes.
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
//! then what the contact has really rotated by, and springs and dashpots that stick bear twice the
//! step. For particles with accurate slip (`time_step/accurate_slip.rs`) the evaluation gets their kicks, the changes of
//! velocity and spin within half a step: with them it derives the displacements of springs from the velocity of the
//! middle of the step, and the velocities of dashpots from the spin of its end. Z(53) and Z(55) print ¼ for the ½ of the velocity
//! (erratum Z-E12), with which a constant force changes the velocity by ¾ of its impulse: the option
//! `NewmarkPredictor::Printed`.

use super::schemes::{Explicit, Scheme};
use super::{Outcome, StepCounts, StepPlan};
use crate::domain::Domain;
use crate::engine::{Block, BlockSink, Engine, Integration};
use crate::integrate::predict_correct::{
    Correction, Pass, Prediction, correct, half_kicks, predict,
};
use crate::law::Step;
use crate::parallel::DisjointSlices;
use crate::particles::{
    ForceTorque, HalfKick, HotData, MeanMotion, Metadata, fits_last_level_cache, wrap,
};
use crate::phases::Phase;
use crate::rotation::{RotationMap, rotate_orientations, rotated, rotated_literally};
use crate::search::skin::Predicted;
use crate::{Quat, Vec3};
use std::sync::atomic::{AtomicBool, Ordering};

/// Advances the engine by one step from `time`.
pub(super) fn advance(
    method: &Explicit,
    engine: &mut Engine,
    counts: &mut StepCounts,
    plan: &StepPlan,
) -> Outcome {
    let StepPlan { time, dt, rotation, .. } = *plan;
    let Explicit { scheme, corrections, final_evaluation, .. } = *method;
    let touch_span = if method.weights_first_touch { dt } else { 0.0 };
    let step = Step { elapsed: dt, touch_span, ..Step::at_accepted_state(dt) };
    if engine.table().layout.anchorage.is_some() {
        // the change by a single correction since the last evaluation is included in the next evaluation
        let unseen = corrections == 1 && !final_evaluation;
        let late_fraction = if unseen { scheme.correction } else { 0.0 };
        record_mean_motions(&mut engine.integration(), scheme.position + late_fraction, dt);
    }
    predict_all(engine, &scheme, dt, rotation);
    let first = Correction {
        velocity: [scheme.old - scheme.velocity, scheme.new],
        spin: [scheme.old - scheme.spin, scheme.new],
        position: [0.0, scheme.correction],
        predicted: scheme.position,
    };
    // sums are accepted during the reduction if the previous ones are not needed
    let is_simple = engine.table().layout.anchorage.is_none()
        && engine.particles().accumulated_angles.is_empty();
    if corrections == 1 && !final_evaluation && is_simple {
        counts.evaluations += 1;
        let outcome = evaluate_and_correct(engine, &first, time + dt, step, rotation);
        engine.commit_contacts(dt);
        return outcome;
    }
    counts.evaluations += 1;
    engine.evaluate_trial(time + dt, step);
    let mut outcome = correct_all(engine, &first, dt, rotation);
    for _ in 1..corrections {
        engine.save_trial_loads();
        counts.evaluations += 1;
        engine.evaluate_trial(time + dt, step);
        // the last correction is reverted and repeated with the new forces
        let again = Correction {
            velocity: [-scheme.new, scheme.new],
            spin: [-scheme.new, scheme.new],
            position: [-scheme.correction, scheme.correction],
            predicted: scheme.position,
        };
        outcome = engine.with_saved_loads(|engine| correct_all(engine, &again, dt, rotation));
    }
    if final_evaluation {
        counts.evaluations += 1;
        engine.evaluate_trial(time + dt, step);
    }
    engine.commit(dt);
    outcome
}

/// Records the motion of particles since the last evaluation, for laws that map their slip.
fn record_mean_motions(engine: &mut Integration<'_>, fraction: f64, dt: f64) {
    engine.walls.iter_mut().for_each(|wall| wall.accepted_pose = wall.pose);
    let Integration { particles, motions, .. } = engine;
    motions.resize(particles.len(), MeanMotion::default());
    let moving = particles.records.iter().zip(&particles.loads);
    for (motion, (record, load)) in motions.iter_mut().zip(moving) {
        for axis in 0..3 {
            let change = fraction * dt * record.inverse_mass;
            motion.velocity[axis] = record.velocity[axis] + change * load.force[axis];
            let change = fraction * dt * record.inverse_inertia;
            motion.spin[axis] = record.spin[axis] + change * load.torque[axis];
        }
    }
}

/// Adds to the motions the displacements of a correction.
fn correct_motions(engine: &mut Integration<'_>, [old_fraction, new_fraction]: [f64; 2], dt: f64) {
    let Integration { particles, motions, trial_loads, .. } = engine;
    let loads = particles.loads.iter().zip(*trial_loads);
    let moving = particles.records.iter().zip(loads);
    for (motion, (record, (old, new))) in motions.iter_mut().zip(moving) {
        for axis in 0..3 {
            let force = new_fraction * new.force[axis] + old_fraction * old.force[axis];
            motion.velocity[axis] += dt * record.inverse_mass * force;
            let torque = new_fraction * new.torque[axis] + old_fraction * old.torque[axis];
            motion.spin[axis] += dt * record.inverse_inertia * torque;
        }
    }
}

fn predict_all(engine: &mut Engine, scheme: &Scheme, dt: f64, rotation: RotationMap) {
    engine.phases_mut().end(Phase::Other);
    let Integration { particles, kicks, pool, rotations, corrects_slip, .. } = engine.integration();
    if corrects_slip {
        kicks.resize(particles.len(), HalfKick::default());
    }
    if !particles.accumulated_angles.is_empty() {
        for (accumulated, (record, load)) in particles
            .accumulated_angles
            .iter_mut()
            .zip(particles.records.iter().zip(&particles.loads))
        {
            *accumulated += predicted_angle(record, load, scheme.position, dt);
        }
    }
    let loads = &particles.loads;
    let count = particles.records.len();
    let prefetches = !fits_last_level_cache(count);
    let records = DisjointSlices::new(&mut particles.records);
    let orientations = DisjointSlices::new(&mut particles.orientations);
    let (accurate_slip, kicks) = (&particles.accurate_slip, DisjointSlices::new(kicks));
    let prediction =
        Prediction { position: scheme.position, velocity: scheme.velocity, spin: scheme.spin };
    pool.split(count, |_, range| {
        // SAFETY: the ranges of `split` are disjoint.
        let (records, orientations) =
            unsafe { (records.slice_mut(range.clone()), orientations.slice_mut(range.clone())) };
        if corrects_slip {
            // SAFETY: as above.
            let kicks = unsafe { kicks.slice_mut(range.clone()) };
            half_kicks(records, &loads[range.clone()], &accurate_slip[range.clone()], kicks, dt);
        }
        // in blocks, so that the angles stay in the cache
        let mut angles = [[0.0; 4]; BLOCK];
        for ((records, loads), orientations) in records
            .chunks_mut(BLOCK)
            .zip(loads[range].chunks(BLOCK))
            .zip(orientations.chunks_mut(BLOCK))
        {
            predict(records, loads, &mut angles, &prediction, dt, prefetches);
            let angles = &angles[..orientations.len()];
            match rotation {
                _ if !rotations => {}
                RotationMap::Exact => rotate_orientations(orientations, angles),
                RotationMap::Literal => {
                    for (orientation, angle) in orientations.iter_mut().zip(angles) {
                        let angle = Vec3::new(angle[0], angle[1], angle[2]);
                        *orientation = rotated_literally(*orientation, angle);
                    }
                }
            }
        }
    });
    engine.phases_mut().end(Phase::Predict);
}

/// Particles in a block.
const BLOCK: usize = 64;

/// The predicted rotation vector of a step.
#[inline(always)]
fn predicted_angle(record: &HotData, load: &ForceTorque, fraction: f64, dt: f64) -> Vec3 {
    let change = fraction * dt * record.inverse_inertia;
    Vec3::new(
        dt * (record.spin[0] + change * load.torque[0]),
        dt * (record.spin[1] + change * load.torque[1]),
        dt * (record.spin[2] + change * load.torque[2]),
    )
}

/// Evaluates the forces and corrects each particle while its sum is in the cache.
fn evaluate_and_correct(
    engine: &mut Engine,
    correction: &Correction,
    time: f64,
    step: Step,
    rotation: RotationMap,
) -> Outcome {
    let domain = engine.domain().clone();
    let corrector = Corrector::new(engine.size(), &domain, correction, step.dt, rotation);
    engine.evaluate(time, step, &corrector);
    corrector.outcome()
}

fn correct_all(
    engine: &mut Engine,
    correction: &Correction,
    dt: f64,
    rotation: RotationMap,
) -> Outcome {
    if engine.table().layout.anchorage.is_some() {
        correct_motions(&mut engine.integration(), correction.position, dt);
    }
    let domain = engine.domain().clone();
    let corrector = Corrector::new(engine.size(), &domain, correction, dt, rotation);
    let Integration { particles, trial_loads: new, skins, pool, .. } = engine.integration();
    if correction.moves() {
        for (slot, accumulated) in particles.accumulated_angles.iter_mut().enumerate() {
            let record = &particles.records[slot];
            *accumulated +=
                correction_angle(record, &particles.loads[slot], &new[slot], correction, dt);
        }
    }
    let count = particles.records.len();
    let orientations = DisjointSlices::new(&mut particles.orientations);
    let records = DisjointSlices::new(&mut particles.records);
    let metadata = DisjointSlices::new(&mut particles.metadata);
    let old = DisjointSlices::new(&mut particles.loads);
    pool.split(count, |_, range| {
        // SAFETY: the ranges of `split` are disjoint.
        let block = unsafe {
            Block {
                slots: range.clone(),
                records: records.slice_mut(range.clone()),
                metadata: metadata.slice_mut(range.clone()),
                orientations: orientations.slice_mut(range.clone()),
                old: old.slice_mut(range.clone()),
                new: &new[range.clone()],
                inverse_skins: &skins.inverse[range],
                // the work is added when the step is committed
                ledger: None,
            }
        };
        corrector.correct(block, false);
    });
    corrector.outcome()
}

/// One correction of all particles.
struct Corrector<'a> {
    correction: &'a Correction,
    domain: &'a Domain,
    limits: Limits,
    dt: f64,
    rotation: RotationMap,
    rotates: bool,
    prefetches: bool,
    within_skin: AtomicBool,
    inside: AtomicBool,
}

impl<'a> Corrector<'a> {
    fn new(
        (particles, rotations): (usize, bool),
        domain: &'a Domain,
        correction: &'a Correction,
        dt: f64,
        rotation: RotationMap,
    ) -> Self {
        Self {
            correction,
            domain,
            limits: Limits::new(domain),
            dt,
            rotation,
            rotates: rotations && correction.moves(),
            prefetches: !fits_last_level_cache(particles),
            within_skin: AtomicBool::new(true),
            inside: AtomicBool::new(true),
        }
    }

    fn correct(&self, block: Block<'_>, accept: bool) {
        let Block { records, metadata, orientations, old, new, inverse_skins, .. } = block;
        if self.rotates {
            let (correction, dt) = (self.correction, self.dt);
            correct_orientations(records, old, new, orientations, correction, dt, self.rotation);
        }
        let pass = Pass { dt: self.dt, accept, prefetches: self.prefetches };
        let extremes = correct(records, old, new, inverse_skins, self.correction, &pass);
        let limits = &self.limits;
        // most blocks are far within their skins and need no exact test
        let is_within = extremes.largest_skin_fraction() <= 1.0
            || self.largest_skin_fraction(records, new, inverse_skins) <= 1.0;
        let is_finite = extremes.is_finite();
        if !(is_within && is_finite) {
            self.within_skin.store(false, Ordering::Relaxed);
        }
        let is_inside =
            is_finite && limits.contain(&extremes.lowest) && limits.contain(&extremes.highest);
        if !is_inside && !wrap_all(self.domain, limits, records, metadata) {
            self.inside.store(false, Ordering::Relaxed);
        }
    }

    /// Largest squared fraction of a skin that is used at the prediction of the next step; NaN if any is NaN.
    fn largest_skin_fraction(
        &self,
        records: &[HotData],
        new: &[ForceTorque],
        inverse_skins: &[f32],
    ) -> f64 {
        let predicted = Predicted { dt: self.dt, fraction: self.correction.predicted };
        let mut most = 0.0;
        for ((record, load), &inverse) in records.iter().zip(new).zip(inverse_skins) {
            let since =
                Vec3::from_array(record.position) - Vec3::from_array(record.listed_position);
            let displacement = since + predicted.displacement(record, load);
            let square = (f64::from(inverse) * displacement).length_squared();
            most = if square <= most { most } else { square };
        }
        most
    }

    fn outcome(&self) -> Outcome {
        Outcome {
            within_skin: self.within_skin.load(Ordering::Relaxed),
            inside: self.inside.load(Ordering::Relaxed),
        }
    }
}

impl BlockSink for Corrector<'_> {
    fn take(&self, mut block: Block<'_>) {
        if let Some(ledger) = &mut block.ledger {
            ledger.add_step(self.dt, block.records, block.new, block.old);
        }
        self.correct(block, true);
    }
}

/// Bounds within which a particle needs no further treatment after the step.
struct Limits {
    low: [f64; 4],
    high: [f64; 4],
}

impl Limits {
    fn new(domain: &Domain) -> Self {
        let line = |v: Vec3| [v.x, v.y, v.z, 0.0];
        Self { low: line(domain.min), high: line(domain.max) }
    }

    fn contain(&self, position: &[f64]) -> bool {
        (0..3).all(|axis| position[axis] >= self.low[axis] && position[axis] <= self.high[axis])
    }
}

/// Maps particles that have left through a periodic side to the other side; returns whether all are then inside and
/// finite. Done after every step, since the time of the mapping changes the rounding of a position.
fn wrap_all(
    domain: &Domain,
    limits: &Limits,
    records: &mut [HotData],
    metadata: &mut [Metadata],
) -> bool {
    let mut inside = true;
    for (record, metadata) in records.iter_mut().zip(metadata) {
        // a particle exactly on the boundary stays, even if others of its block have left
        if !limits.contain(&record.position) {
            wrap(domain, record, metadata);
            inside &= domain.contains(record.position.into());
        }
        inside &= record.is_finite();
    }
    inside
}

/// Rotates particles by the correction of their rotation.
fn correct_orientations(
    records: &[HotData],
    old: &[ForceTorque],
    new: &[ForceTorque],
    orientations: &mut [Quat],
    correction: &Correction,
    dt: f64,
    rotation: RotationMap,
) {
    for (((record, old), new), orientation) in records.iter().zip(old).zip(new).zip(orientations) {
        let angle = correction_angle(record, old, new, correction, dt);
        *orientation = match rotation {
            RotationMap::Exact => rotated(*orientation, angle),
            RotationMap::Literal => rotated_literally(*orientation, angle),
        };
    }
}

/// The rotation vector of a correction.
fn correction_angle(
    record: &HotData,
    old: &ForceTorque,
    new: &ForceTorque,
    correction: &Correction,
    dt: f64,
) -> Vec3 {
    let torque = correction.position[0] * old.torque() + correction.position[1] * new.torque();
    dt * dt * record.inverse_inertia * torque
}
