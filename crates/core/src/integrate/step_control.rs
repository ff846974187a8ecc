//! Steps that may be rejected: the accepted state is stored until an attempt is accepted, so that a rejected attempt
//! has no effect.

use super::Outcome;
use super::convergence::IterationChanges;
use super::rkf45::Stages;
use crate::Vec3;
use crate::engine::{Engine, Integration, SingleScratch};
use crate::error::Cause;
use crate::id::ParticleId;
use crate::law::Step;
use crate::parallel::DisjointSlices;
use crate::particles::{HotData, MeanMotion, wrap};
use crate::random::{Draws, Purpose};
use crate::rotation::{RotationMap, rotated, rotated_literally};
use std::sync::atomic::{AtomicBool, Ordering};

/// Parameters of the next step.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StepPlan {
    /// Time at its start [s].
    pub time: f64,
    /// Length of the first attempt [s].
    pub dt: f64,
    /// Longest and shortest length that the scene allows [s].
    pub longest: f64,
    pub shortest: f64,
    /// Number of the step.
    pub step: u64,
    pub rotation: RotationMap,
    /// Largest speed that can occur [m/s].
    pub speed: f64,
    /// True if the integrator controls the length of the step.
    pub is_controlled: bool,
}

/// A completed step.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CompletedStep {
    pub outcome: Outcome,
    /// Its length [s].
    pub dt: f64,
    /// Length of the first attempt of the next step [s].
    pub next: f64,
}

/// A failed step.
#[derive(Debug, Clone)]
pub(crate) struct Failure {
    pub cause: Cause,
    /// The particle with the largest residual.
    pub id: ParticleId,
}

/// Result of an attempt.
#[derive(Debug, Clone)]
pub(super) enum Verdict {
    /// Accepted; the next step may be longer by this factor.
    Accepted { factor: f64 },
    /// Rejected; to be repeated with a step that is shorter by this factor.
    Rejected { factor: f64 },
    /// Particles have moved so far [m] that the neighbour list may be incomplete.
    LeftSkin { farthest: f64 },
    /// The step is at its minimum.
    Failed(Failure),
}

/// An attempted step.
#[derive(Debug, Clone, Copy)]
pub(super) struct Trial {
    /// Time at its start [s].
    pub time: f64,
    /// Its length [s].
    pub dt: f64,
    /// True if the step is at its minimum.
    pub last: bool,
}

/// A method with repeated attempts.
pub(super) trait Method: Sync {
    /// Moves the particles to the end of a step and evaluates the forces there, without committing.
    fn attempt(&mut self, engine: &mut Engine, workspace: &mut Workspace, trial: Trial) -> Verdict;

    /// Rotation vector of a particle over the accepted step.
    fn angle(&self, motions: &[MeanMotion], stages: &[Stages], slot: usize, dt: f64) -> Vec3;
}

/// Counts of steps, saved with the state.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::{simulation, RADIUS};
/// use esker::prelude::*;
///
/// # let grains = vec![Sphere::new(RADIUS, Vec3::ZERO)];
/// let mut simulation = simulation(ContactModel::normal(Hertz::default()), Pair::new(), grains);
/// simulation.step()?;
/// assert_eq!(simulation.step_counts().rejected, 0); // an explicit integrator rejects no step
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct StepCounts {
    /// Attempts that were rejected.
    pub rejected: u64,
    /// Fixed-point iterations, those of rejected attempts included.
    pub iterations: u64,
    /// Force evaluations within attempts; a sweep over all particles counts as one.
    pub evaluations: u64,
    /// Steps accepted although they had not converged.
    pub unconverged: u64,
    /// Shortest and longest step completed [s].
    pub shortest: f64,
    /// See `shortest`.
    pub longest: f64,
}

impl StepCounts {
    /// Notes a step of this length.
    pub(crate) fn record(&mut self, dt: f64) {
        self.shortest = if self.longest == 0.0 { dt } else { self.shortest.min(dt) };
        self.longest = self.longest.max(dt);
    }
}

/// Scratch memory of integrators, preserved from step to step so that no step allocates.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    /// The records of the accepted state.
    pub start: Vec<HotData>,
    images: Vec<[i32; 3]>,
    pub(super) changes: Vec<IterationChanges>,
    pub(super) single: SingleScratch,
    pub(super) stages: Vec<Stages>,
    pub counts: StepCounts,
    /// For tests: acceptable attempts are rejected at random.
    pub forced: Option<ForcedRejections>,
}

/// Rejections forced by a test: each step repeats up to `most` attempts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ForcedRejections {
    pub seed: u64,
    pub most: u64,
}

/// Makes attempts until one is accepted, and commits it.
pub(super) fn advance(
    method: &mut impl Method,
    engine: &mut Engine,
    workspace: &mut Workspace,
    plan: &StepPlan,
) -> Result<CompletedStep, Failure> {
    let mut dt = plan.dt.min(plan.longest);
    let mut is_first = true;
    let mut relisted = 0;
    let mut forced = workspace.forced.map_or(0, |forced| {
        let draw = Draws::new(forced.seed, Purpose::Test, plan.step).uniform(0);
        (draw * (forced.most + 1) as f64) as u64
    });
    workspace.keep_start(engine);
    loop {
        let before = workspace.counts;
        if engine.walls_leave_skin(plan.time + dt) {
            workspace.rebuild(engine, 0.0);
        }
        let trial = Trial { time: plan.time, dt, last: dt <= plan.shortest };
        match method.attempt(engine, workspace, trial) {
            Verdict::Accepted { .. } if forced > 0 => {
                forced -= 1;
                workspace.restore_start(engine);
                workspace.counts = before;
            }
            Verdict::Accepted { factor } => {
                let factor = if is_first { factor } else { factor.min(1.0) };
                let next = (factor * dt).min(plan.longest).max(plan.shortest);
                let outcome = conclude(method, engine, workspace, [dt, next], plan.rotation);
                return Ok(CompletedStep { outcome, dt, next });
            }
            Verdict::Rejected { factor } => {
                workspace.restore_start(engine);
                workspace.counts.rejected += 1;
                is_first = false;
                dt = (factor * dt).max(plan.shortest);
            }
            Verdict::LeftSkin { farthest } => {
                workspace.restore_start(engine);
                // once suffices unless a wall oscillates within the step
                let factor = f64::from(1u32 << relisted);
                let least = if relisted > 0 { engine.wall_skin() } else { 0.0 };
                workspace.rebuild(engine, factor * farthest.max(least));
                relisted = 20.min(relisted + 1);
                // an evaluation with an incomplete list does not count
                workspace.counts = before;
            }
            Verdict::Failed(failure) => {
                workspace.restore_start(engine);
                return Err(failure);
            }
        }
    }
}

impl Workspace {
    /// Evaluates at a trial state and counts the evaluation.
    pub(super) fn evaluate(&mut self, engine: &mut Engine, time: f64, step: Step) {
        self.counts.evaluations += 1;
        engine.evaluate_trial(time, step);
    }

    /// Stores the accepted state while attempts are made.
    fn keep_start(&mut self, engine: &mut Engine) {
        let Integration { particles, walls, motions, pool, .. } = engine.integration();
        walls.iter_mut().for_each(|wall| wall.accepted_pose = wall.pose);
        let count = particles.len();
        let records = &particles.records;
        let about = &particles.metadata;
        self.start.resize(count, bytemuck::Zeroable::zeroed());
        self.images.resize(count, [0; 3]);
        motions.resize(count, MeanMotion::default());
        let start = DisjointSlices::new(&mut self.start);
        let images = DisjointSlices::new(&mut self.images);
        let motions = DisjointSlices::new(motions);
        // each thread writes its own particles, which are in its cache
        pool.split(count, |_, range| {
            // SAFETY: the ranges of `split` are disjoint.
            unsafe {
                start.slice_mut(range.clone()).copy_from_slice(&records[range.clone()]);
                motions.slice_mut(range.clone()).fill(MeanMotion::default());
                let images = images.slice_mut(range.clone());
                images
                    .iter_mut()
                    .zip(&about[range])
                    .for_each(|(image, about)| *image = about.image);
            }
        });
    }

    /// Returns to the accepted state.
    fn restore_start(&mut self, engine: &mut Engine) {
        let Integration { particles, walls, motions, .. } = engine.integration();
        walls.iter_mut().for_each(|wall| wall.pose = wall.accepted_pose);
        particles.records.copy_from_slice(&self.start);
        for (about, image) in particles.metadata.iter_mut().zip(&self.images) {
            about.image = *image;
        }
        motions.fill(MeanMotion::default());
    }

    /// Rebuilds the neighbour list at the accepted state, with skins for this displacement.
    fn rebuild(&mut self, engine: &mut Engine, farthest: f64) {
        engine.rebuild_with_skin(SKIN_PER_DISPLACEMENT * farthest);
        self.keep_start(engine);
    }
}

/// Accepts the last attempt, which has the first length; the second length is that of the next step.
fn conclude(
    method: &impl Method,
    engine: &mut Engine,
    workspace: &Workspace,
    [dt, next]: [f64; 2],
    rotation: RotationMap,
) -> Outcome {
    engine.commit(dt);
    rotate_all(method, engine, &workspace.stages, dt, rotation);
    let inside = AtomicBool::new(true);
    let Integration { particles, domain, pool, .. } = engine.integration();
    let count = particles.len();
    let records = DisjointSlices::new(&mut particles.records);
    let metadata = DisjointSlices::new(&mut particles.metadata);
    pool.split(count, |_, range| {
        // SAFETY: the ranges of `split` are disjoint.
        let (records, metadata) =
            unsafe { (records.slice_mut(range.clone()), metadata.slice_mut(range)) };
        for (record, about) in records.iter_mut().zip(metadata) {
            wrap(domain, record, about);
            if !(domain.contains(record.position.into()) && record.is_finite()) {
                inside.store(false, Ordering::Relaxed);
            }
        }
    });
    engine.set_step(engine.time(), next);
    Outcome { within_skin: engine.stays_within_skin(), inside: inside.into_inner() }
}

fn rotate_all(
    method: &impl Method,
    engine: &mut Engine,
    stages: &[Stages],
    dt: f64,
    rotation: RotationMap,
) {
    let Integration { particles, motions, pool, rotations, .. } = engine.integration();
    if !rotations {
        return;
    }
    let motions = &*motions;
    let count = particles.len();
    let orientations = DisjointSlices::new(&mut particles.orientations);
    pool.split(count, |_, range| {
        // SAFETY: the ranges of `split` are disjoint.
        let orientations = unsafe { orientations.slice_mut(range.clone()) };
        for (slot, orientation) in range.zip(orientations) {
            let angle = method.angle(motions, stages, slot, dt);
            *orientation = match rotation {
                RotationMap::Exact => rotated(*orientation, angle),
                RotationMap::Literal => rotated_literally(*orientation, angle),
            };
        }
    });
    for (accumulated, motion) in particles.accumulated_angles.iter_mut().zip(motions) {
        *accumulated += dt * Vec3::new(motion.spin[0], motion.spin[1], motion.spin[2]);
    }
}

/// The largest displacement of a particle since the list was built [m], if any particle has left its skin; over all
/// ranks.
pub(super) fn beyond_skin(engine: &mut Engine) -> Option<f64> {
    let displacement = |record: &HotData| {
        Vec3::from_array(record.position) - Vec3::from_array(record.listed_position)
    };
    let Integration { particles, skins, pool, .. } = engine.integration();
    let records = &particles.records;
    let is_beyond = AtomicBool::new(false);
    pool.split(records.len(), |_, range| {
        let displacements = records[range.clone()].iter().map(displacement);
        // a rebuild has no effect if a state is not finite
        if skins.used(range.start, displacements).any(|used| used > 1.0) {
            is_beyond.store(true, Ordering::Relaxed);
        }
    });
    if !engine.any(is_beyond.into_inner()) {
        return None;
    }
    let records = &engine.particles().records;
    let squares = records.iter().map(|record| displacement(record).length_squared());
    let farthest = squares.filter(|square| square.is_finite()).fold(0.0, f64::max).sqrt();
    let [farthest] = engine.largest([farthest]);
    Some(farthest)
}

/// Skin as a multiple of the displacement of a particle that has left its skin; one would suffice for that particle.
const SKIN_PER_DISPLACEMENT: f64 = 1.5;
