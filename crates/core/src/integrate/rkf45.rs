//! Fehlberg's method of order 4 (5) with error control; L section 2.
//!
//! Slip, roll and twist since the accepted state are additional unknowns of the method: they follow from the
//! displacements and rotations accumulated up to the stage, which start at zero in each step. The result of fifth order
//! is used; the error is its difference from the result of fourth order. With sliding contacts the order falls to one
//! or two; the method is then mainly a step control (docs/errata.md L-E33).

use super::time_stepper::TimeStepper;
use crate::Vec3;
use crate::engine::{Engine, Integration};
use crate::error::Cause;
use crate::error::Problem;
use crate::id::ParticleId;
use crate::integrate::step_control::{
    self, CompletedStep, Failure, Method, StepPlan, Trial, Verdict, Workspace, beyond_skin,
};
use crate::law::Step;
use crate::parallel::DisjointSlices;
use crate::particles::{ForceTorque, HotData, MeanMotion};

/// The longest step as a fraction of the shortest contact time: the error estimate cannot detect a contact that is
/// stepped over.
const LONGEST_FRACTION: f64 = 0.05;

/// The longest stable step as a fraction of the relaxation time of drag (`time_step/rates.rs`).
const LIMIT_OF_DRAG: f64 = 3.6;
/// The shortest step as a fraction of the longest, if the scene does not specify it: a jump of a force requires very
/// short steps.
pub(crate) const SHORTEST_FRACTION: f64 = 1e-6;

const STAGES: usize = 6;
/// Times of the stages within the step.
const NODES: [f64; STAGES] = [0.0, 0.25, 0.375, 12.0 / 13.0, 1.0, 0.5];
/// Weights of earlier stages in each stage.
const WEIGHTS: [[f64; STAGES]; STAGES] = [
    [0.0; STAGES],
    [0.25, 0.0, 0.0, 0.0, 0.0, 0.0],
    [3.0 / 32.0, 9.0 / 32.0, 0.0, 0.0, 0.0, 0.0],
    [1932.0 / 2197.0, -7200.0 / 2197.0, 7296.0 / 2197.0, 0.0, 0.0, 0.0],
    [439.0 / 216.0, -8.0, 3680.0 / 513.0, -845.0 / 4104.0, 0.0, 0.0],
    [-8.0 / 27.0, 2.0, -3544.0 / 2565.0, 1859.0 / 4104.0, -11.0 / 40.0, 0.0],
];
/// Weights of the stages in the result of fifth order.
const FIFTH: [f64; STAGES] =
    [16.0 / 135.0, 0.0, 6656.0 / 12825.0, 28561.0 / 56430.0, -9.0 / 50.0, 2.0 / 55.0];
/// Weights of the stages in the result of fourth order.
const FOURTH: [f64; STAGES] = [25.0 / 216.0, 0.0, 1408.0 / 2565.0, 2197.0 / 4104.0, -0.2, 0.0];

/// Bounds of the factor by which the step changes, and its safety factor.
const LEAST_FACTOR: f64 = 0.2;
const MOST_FACTOR: f64 = 5.0;
const RESERVE: f64 = 0.9;

/// Position, velocity, spin.
const NAMES: [&str; 3] = ["position", "velocity", "spin"];

/// Fehlberg's method.
///
/// ```
/// use esker::integrate::{Integrator, Rkf45};
///
/// let precise = Rkf45 { position: 1e-10, velocity: 1e-8, spin: 1e-8, accept: false };
/// assert!(precise.position < Rkf45::default().position);
/// let integrator = Integrator::Rkf45(precise);
/// # drop(integrator);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rkf45 {
    /// Largest error of a position in one step, as a fraction of the particle's radius.
    pub position: f64,
    /// Largest error of a velocity in one step, as a fraction of the largest speed that can occur.
    pub velocity: f64,
    /// Largest error of a spin in one step, as a fraction of that speed over the particle's radius.
    pub spin: f64,
    /// True if a step of minimum length is accepted whatever its error, and counted.
    pub accept: bool,
}

impl Default for Rkf45 {
    fn default() -> Self {
        Self { position: 1e-8, velocity: 1e-6, spin: 1e-6, accept: false }
    }
}

/// Rates of one particle at one stage.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Rates {
    velocity: Vec3,
    acceleration: Vec3,
    spin: Vec3,
    angular_acceleration: Vec3,
    /// Rate of the rotation vector of the step.
    rotation_vector: Vec3,
}

/// The rates of one particle at all stages.
pub(crate) type Stages = [Rates; STAGES];

/// Weighted sums of rates.
fn weighted(stages: &Stages, weights: &[f64; STAGES]) -> Rates {
    let mut sum = Rates::default();
    for (rates, &weight) in stages.iter().zip(weights).filter(|(_, weight)| **weight != 0.0) {
        sum.velocity += weight * rates.velocity;
        sum.acceleration += weight * rates.acceleration;
        sum.spin += weight * rates.spin;
        sum.angular_acceleration += weight * rates.angular_acceleration;
        sum.rotation_vector += weight * rates.rotation_vector;
    }
    sum
}

/// Smallest tolerance of an error; below it rounding dominates.
const LEAST_ERROR: f64 = 1e-14;

impl TimeStepper for Rkf45 {
    fn name(&self) -> &'static str {
        "rkf45"
    }

    fn evaluates_again(&self) -> bool {
        true
    }

    fn provides_mean_motions(&self) -> bool {
        true
    }

    fn shortest_fraction(&self) -> Option<f64> {
        Some(SHORTEST_FRACTION)
    }

    fn longest_fraction(&self) -> f64 {
        LONGEST_FRACTION
    }

    /// In every step: the error estimate does not detect a contact that is stepped over.
    fn steps_between_checks(&self) -> u64 {
        1
    }

    fn field_limits(&self, is_step_given: bool) -> [f64; 2] {
        if is_step_given { [LIMIT_OF_DRAG, f64::INFINITY] } else { [f64::INFINITY; 2] }
    }

    fn check(&self, problems: &mut Vec<Problem>) {
        let Rkf45 { position, velocity, spin, .. } = *self;
        for tolerance in [position, velocity, spin] {
            if !(LEAST_ERROR..1.0).contains(&tolerance) {
                let message = format!("a tolerance is {tolerance:e}");
                let help = "it is a fraction of the radius or of the largest speed, from 1e-14 (rounding) to \
                            below 1";
                problems.push(Problem::at("time.integrator.rkf45.tolerance", message).help(help));
                break;
            }
        }
    }

    fn advance(
        &self,
        engine: &mut Engine,
        workspace: &mut Workspace,
        plan: &StepPlan,
    ) -> Result<CompletedStep, Failure> {
        let mut attempt =
            Attempt { rkf45: *self, speed: plan.speed, is_controlled: plan.is_controlled };
        step_control::advance(&mut attempt, engine, workspace, plan)
    }
}

struct Attempt {
    rkf45: Rkf45,
    speed: f64,
    is_controlled: bool,
}

impl Method for Attempt {
    fn attempt(&mut self, engine: &mut Engine, workspace: &mut Workspace, trial: Trial) -> Verdict {
        let Trial { time, dt, last } = trial;
        begin_stages(engine, workspace);
        for stage in 1..STAGES {
            let elapsed = NODES[stage] * dt;
            if let Some(verdict) = go_to(engine, workspace, &WEIGHTS[stage], NODES[stage], trial) {
                return verdict;
            }
            workspace.evaluate(engine, time + elapsed, step(dt, elapsed));
            record_stage(engine, workspace, stage, dt);
        }
        let worst = worst_error(engine, workspace, &self.rkf45, self.speed, dt);
        // NaN is not below one
        if self.is_controlled && !(worst.size <= 1.0) {
            if !last {
                let factor = (RESERVE * libm::pow(worst.size, -0.25)).max(LEAST_FACTOR);
                return Verdict::Rejected { factor };
            }
            if !self.rkf45.accept || !worst.size.is_finite() {
                let cause = Cause::Inaccurate { quantity: NAMES[worst.index], times: worst.size };
                return Verdict::Failed(Failure { cause, id: worst.id });
            }
            workspace.counts.unconverged += 1;
        }
        if let Some(verdict) = go_to(engine, workspace, &FIFTH, 1.0, trial) {
            return verdict;
        }
        workspace.evaluate(engine, time + dt, step(dt, dt));
        let factor = RESERVE * libm::pow(worst.size, -0.2);
        Verdict::Accepted { factor: factor.clamp(LEAST_FACTOR, MOST_FACTOR) }
    }

    fn angle(&self, _: &[MeanMotion], stages: &[Stages], slot: usize, dt: f64) -> Vec3 {
        dt * weighted(&stages[slot], &FIFTH).rotation_vector
    }
}

fn step(dt: f64, elapsed: f64) -> Step {
    Step { elapsed, end_velocity_weight: 0.5, ..Step::at_accepted_state(dt) }
}

/// Rate of the rotation vector `angle` of an orientation that rotates with a spin in global axes: `ω - ½ θ×ω + (1 - ½θ
/// cot ½θ)/θ² θ×(θ×ω)`; the last factor by its series, since rotations per step are small.
fn rotation_vector_rate(angle: Vec3, spin: Vec3) -> Vec3 {
    let square = angle.length_squared();
    let factor = 1.0 / 12.0 + square * (1.0 / 720.0 + square / 30240.0);
    let once = angle.cross(spin);
    spin - 0.5 * once + factor * angle.cross(once)
}

/// The largest ratio of error to tolerance.
#[derive(Debug, Clone, Copy)]
struct Worst {
    size: f64,
    index: usize,
    id: ParticleId,
}

impl Worst {
    const NONE: Self = Self { size: 0.0, index: 0, id: ParticleId::new(u32::MAX) };

    /// The larger one; of equal ones that with the lower id. NaN is larger than any number.
    fn or(self, other: Self) -> Self {
        let larger = other.size > self.size || (other.size.is_nan() && !self.size.is_nan());
        let same = other.size == self.size || (other.size.is_nan() && self.size.is_nan());
        if larger || (same && other.id < self.id) { other } else { self }
    }

    /// The largest over all ranks.
    fn agreed(self, engine: &Engine) -> Self {
        let words = |one: Self| [one.size.to_bits(), one.index as u64, one.id.number().into()];
        let read = |[size, index, id]: [u64; 3]| Self {
            size: f64::from_bits(size),
            index: index as usize,
            id: ParticleId::new(id as u32),
        };
        read(engine.merge_over_ranks(words(self), |all| {
            words(all.iter().copied().map(read).fold(Self::NONE, Self::or))
        }))
    }
}

/// The first stage is the accepted state.
fn begin_stages(engine: &Engine, workspace: &mut Workspace) {
    let Workspace { stages, start, .. } = workspace;
    stages.resize(engine.particles().len(), Stages::default());
    let accepted = start.iter().zip(&engine.particles().loads);
    for (stages, (record, load)) in stages.iter_mut().zip(accepted) {
        stages[0] = rates(record, load, Vec3::ZERO);
    }
}

/// Moves the particles by the weighted rates to the fraction `node` of the step. Returns a verdict if the forces cannot
/// be evaluated there.
fn go_to(
    engine: &mut Engine,
    workspace: &Workspace,
    weights: &[f64; STAGES],
    node: f64,
    trial: Trial,
) -> Option<Verdict> {
    let Trial { time, dt, last } = trial;
    let Workspace { start, stages, .. } = workspace;
    let Integration { particles, motions, pool, .. } = engine.integration();
    let count = particles.len();
    let records = DisjointSlices::new(&mut particles.records);
    let shares = DisjointSlices::new(motions);
    pool.split(count, |_, range| {
        // SAFETY: the ranges of `split` are disjoint.
        let (records, motions) =
            unsafe { (records.slice_mut(range.clone()), shares.slice_mut(range.clone())) };
        for ((slot, record), motion) in range.zip(records).zip(motions) {
            let sum = weighted(&stages[slot], weights);
            move_record(&start[slot], &sum, dt, record);
            *motion = mean_motion(&sum, node);
        }
    });
    let near = start.iter().zip(&*motions).map(|(start, own)| stays_near(start, own, node * dt));
    let ids = particles.ids().zip(near).filter(|(_, stays_near)| !stays_near);
    let astray = ids.map(|(id, _)| id).min();
    if let Some(id) = engine.lowest_id(astray) {
        if !last {
            return Some(Verdict::Rejected { factor: LEAST_FACTOR });
        }
        let cause = Cause::Inaccurate { quantity: NAMES[0], times: f64::INFINITY };
        return Some(Verdict::Failed(Failure { cause, id }));
    }
    let beyond = beyond_skin(engine);
    if beyond.is_some() || engine.walls_leave_skin(time + node * dt) {
        return Some(Verdict::LeftSkin { farthest: beyond.unwrap_or(0.0) });
    }
    None
}

/// Stores the rates of an evaluated stage.
fn record_stage(engine: &mut Engine, workspace: &mut Workspace, stage: usize, dt: f64) {
    let Integration { particles, trial_loads, .. } = engine.integration();
    let all = workspace.stages.iter_mut().zip(&particles.records).zip(trial_loads);
    for ((stages, record), load) in all {
        let angle = dt * weighted(stages, &WEIGHTS[stage]).rotation_vector;
        stages[stage] = rates(record, load, angle);
    }
}

/// The error of the step with the largest ratio to its tolerance, over all ranks.
fn worst_error(
    engine: &Engine,
    workspace: &Workspace,
    rkf45: &Rkf45,
    speed: f64,
    dt: f64,
) -> Worst {
    let difference: [f64; STAGES] = std::array::from_fn(|stage| FIFTH[stage] - FOURTH[stage]);
    let mut worst = Worst::NONE;
    let particles = engine.particles();
    for (slot, stages) in workspace.stages.iter().enumerate() {
        let record = &particles.records[slot];
        if record.inverse_mass == 0.0 {
            continue;
        }
        let error = weighted(stages, &difference);
        let sizes = [
            error.velocity.length() / (record.radius * rkf45.position),
            error.acceleration.length() / (speed * rkf45.velocity),
            error.angular_acceleration.length() * record.radius / (speed * rkf45.spin),
        ];
        let id = particles.metadata[slot].id();
        for (index, size) in sizes.into_iter().enumerate() {
            worst = worst.or(Worst { size: dt * size, index, id });
        }
    }
    worst.agreed(engine)
}

fn rates(record: &HotData, load: &ForceTorque, angle: Vec3) -> Rates {
    let spin = Vec3::from_array(record.spin);
    Rates {
        velocity: record.velocity.into(),
        acceleration: record.inverse_mass * load.force(),
        spin,
        angular_acceleration: record.inverse_inertia * load.torque(),
        rotation_vector: rotation_vector_rate(angle, spin),
    }
}

fn move_record(start: &HotData, sum: &Rates, dt: f64, record: &mut HotData) {
    for axis in 0..3 {
        record.position[axis] = start.position[axis] + dt * sum.velocity[axis];
        record.velocity[axis] = start.velocity[axis] + dt * sum.acceleration[axis];
        record.spin[axis] = start.spin[axis] + dt * sum.angular_acceleration[axis];
    }
}

fn mean_motion(sum: &Rates, node: f64) -> MeanMotion {
    let (v, w) = (sum.velocity / node, sum.spin / node);
    MeanMotion { velocity: [v.x, v.y, v.z, 0.0], spin: [w.x, w.y, w.z, 0.0] }
}

/// True if a particle deviates from its free flight by less than its radius, and is finite.
fn stays_near(start: &HotData, motion: &MeanMotion, elapsed: f64) -> bool {
    let beyond: f64 = (0..3)
        .map(|axis| motion.velocity[axis] - start.velocity[axis])
        .map(|difference| difference * difference)
        .sum();
    elapsed * beyond.sqrt() <= start.radius
}
