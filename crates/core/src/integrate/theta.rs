//! The generalised trapezoidal rule, solved by fixed-point iteration; B(77)–(124) and Table 1,
//! C15(41)–(49), C16(42)–(50).
//!
//! | φ | |
//! |---|---|
//! | 0 | explicit Euler |
//! | ½ | trapezoidal: second order, no numerical damping |
//! | 1 | backward Euler: damps an oscillation of frequency ω by a ratio of about ωΔt/2 |

use super::convergence::{self, IterationChanges, NAMES, QUANTITIES, Rule};
use super::rkf45::Stages;
use super::stability::GYRATION_LIMIT;
use super::time_stepper::TimeStepper;
use crate::Vec3;
use crate::engine::{Engine, Integration};
use crate::error::Cause;
use crate::error::Problem;
use crate::exact_sum::ExactSum;
use crate::id::ParticleId;
use crate::integrate::gauss_seidel;
use crate::integrate::step_control::{
    self, CompletedStep, Failure, Method, StepPlan, Trial, Verdict, Workspace, beyond_skin,
};
use crate::law::Step;
use crate::parallel::DisjointSlices;
use crate::particles::{HotData, MeanMotion};

/// The shortest step as a fraction of the longest, if the scene does not specify it; C16.
pub(crate) const SHORTEST_FRACTION: f64 = 0.1;

/// Solution method for the equations of a step.
///
/// ```
/// use esker::integrate::{Iteration, Theta};
///
/// assert_eq!(Theta::default().iteration, Iteration::Jacobi);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Iteration {
    /// All particles from the previous iterate: B, and Algorithm 1 of C15 as printed.
    #[default]
    Jacobi,
    /// Each particle from the latest state of those with lower ids, as stated in the text of C15 and C16.
    GaussSeidel,
    /// One evaluation per step, at its end, whose forces are used in the next step, as in the figures of B
    /// (docs/errata.md E32). Symplectic Euler for φ = 1.
    Frozen,
}

/// Largest errors of converged iterations, as fractions of the change in the step.
///
/// ```
/// use esker::integrate::Tolerances;
///
/// let strict_spin = Tolerances { spin: 1e-8, ..Tolerances::all(1e-5) };
/// assert_eq!(strict_spin.position, 1e-5);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tolerances {
    /// Of positions.
    pub position: f64,
    /// Of velocities.
    pub velocity: f64,
    /// Of spins.
    pub spin: f64,
    /// Of the rotations in the step.
    pub rotation: f64,
}

impl Tolerances {
    /// The same for all.
    pub fn all(tolerance: f64) -> Self {
        Self { position: tolerance, velocity: tolerance, spin: tolerance, rotation: tolerance }
    }

    pub(super) fn in_order(&self) -> [f64; QUANTITIES] {
        [self.position, self.velocity, self.spin, self.rotation]
    }
}

/// The exponents by which the errors of the iterations change the time step.
///
/// ```
/// use esker::integrate::{StepExponents, Theta};
///
/// assert_eq!(Theta::default().exponents, StepExponents::Derived);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StepExponents {
    /// 1/(p(K_d-1)) and 1/(p(K-1)), p = 2 for positions and 1 for all else, by the derivation
    /// B(115)–(123).
    #[default]
    Derived,
    /// 1/(2K_d) and 1/(2K) for every quantity, as printed in B(124) and Table 1 (docs/errata.md E15).
    Printed,
}

/// The generalised trapezoidal rule.
///
/// ```
/// use esker::integrate::{Integrator, Iteration, Theta, Tolerances};
///
/// // Crank and Nicolson's rule, iterated until no quantity changes by more than 1e-6 of its change in the step
/// let theta = Theta {
///     phi: 0.5,
///     iteration: Iteration::Jacobi,
///     tolerances: Tolerances::all(1e-6),
///     ..Theta::default()
/// };
/// let integrator = Integrator::Theta(theta);
/// # drop(integrator);
/// assert!(theta.most_iterations >= theta.desired_iterations);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Theta {
    /// φ, the weight of the end of the step.
    pub phi: f64,
    /// Iterative method.
    pub iteration: Iteration,
    /// Convergence criterion.
    pub tolerances: Tolerances,
    /// K_d: a step that has not converged after this number of iterations is repeated with a shorter length.
    pub desired_iterations: u32,
    /// Largest number of iterations of a step of minimum length.
    pub most_iterations: u32,
    /// True if a step of minimum length that does not converge is accepted, and counted.
    pub accept: bool,
    /// Exponents by which the errors change the step.
    pub exponents: StepExponents,
}

impl Default for Theta {
    fn default() -> Self {
        Self {
            phi: 0.5,
            iteration: Iteration::Jacobi,
            tolerances: Tolerances::all(1e-6),
            desired_iterations: 10,
            most_iterations: 20,
            accept: false,
            exponents: StepExponents::Derived,
        }
    }
}

impl Theta {
    /// True if the rule iterates: with φ = 0 the end of the step has no weight.
    pub(crate) fn iterates(&self) -> bool {
        self.iteration != Iteration::Frozen && self.phi > 0.0
    }
}

/// Smallest tolerance of iterations; below it rounding dominates.
const LEAST_TOLERANCE: f64 = 1e-12;

impl TimeStepper for Theta {
    fn name(&self) -> &'static str {
        "theta"
    }

    fn evaluates_again(&self) -> bool {
        self.iterates()
    }

    fn provides_mean_motions(&self) -> bool {
        true
    }

    fn shortest_fraction(&self) -> Option<f64> {
        self.iterates().then_some(SHORTEST_FRACTION)
    }

    /// Iterations that do not converge shorten the step or stop the run.
    fn field_limits(&self, _: bool) -> [f64; 2] {
        if self.iterates() { [f64::INFINITY; 2] } else { [2.0, GYRATION_LIMIT] }
    }

    fn check(&self, problems: &mut Vec<Problem>) {
        let path = |key: &str| format!("time.integrator.theta.{key}");
        if !(0.0..=1.0).contains(&self.phi) {
            problems.push(Problem::at(path("phi"), format!("`phi` is {}", self.phi)).help(
                "it is the weight of the state at the end of the step: 0 (explicit) to 1 (fully \
                 implicit)",
            ));
        }
        let Tolerances { position, velocity, spin, rotation } = self.tolerances;
        for tolerance in [position, velocity, spin, rotation] {
            if !(LEAST_TOLERANCE..1.0).contains(&tolerance) {
                let message = format!("a tolerance is {tolerance:e}");
                let help =
                    "it is a fraction of the change in a step, from 1e-12 (rounding) to below 1";
                problems.push(Problem::at(path("tolerance"), message).help(help));
                break;
            }
        }
        if self.desired_iterations < 2 || self.most_iterations < self.desired_iterations {
            let (desired, most) = (self.desired_iterations, self.most_iterations);
            let message = format!("{desired} iterations are desired and {most} allowed");
            let help = "`desired_iterations` must be at least 2, since the error compares two \
                        iterations, and not above `most_iterations`";
            problems.push(Problem::at(path("most_iterations"), message).help(help));
        }
    }

    fn advance(
        &self,
        engine: &mut Engine,
        workspace: &mut Workspace,
        plan: &StepPlan,
    ) -> Result<CompletedStep, Failure> {
        step_control::advance(&mut Attempt { theta: *self }, engine, workspace, plan)
    }
}

struct Attempt {
    theta: Theta,
}

/// Action after an iteration.
enum Next {
    /// Another iteration.
    Iterate,
    /// The final evaluation; the next step may be longer by this factor.
    Finish(f64),
    /// The attempt ends.
    End(Verdict),
}

impl Method for Attempt {
    fn attempt(&mut self, engine: &mut Engine, workspace: &mut Workspace, trial: Trial) -> Verdict {
        let Trial { time, dt, last } = trial;
        let theta = &self.theta;
        let step =
            Step { elapsed: dt, end_velocity_weight: theta.phi, ..Step::at_accepted_state(dt) };
        let rule = Rule { phi: theta.phi, dt };
        let mut iterations = 0;
        let factor = loop {
            iterations += 1;
            workspace.counts.iterations += 1;
            let changes = match theta.iteration {
                Iteration::GaussSeidel if theta.iterates() => {
                    Some(gauss_seidel::iterate(engine, workspace, time + dt, step, rule))
                }
                Iteration::Jacobi if theta.iterates() => {
                    Some(iterate_all(engine, workspace, rule, iterations == 1))
                }
                Iteration::Jacobi | Iteration::GaussSeidel | Iteration::Frozen => {
                    move_once(engine, &workspace.start, rule);
                    None
                }
            };
            if let Some(id) = changes.as_ref().and_then(|changes| changes.diverged) {
                return diverged(id, iterations, last);
            }
            if let Some(farthest) = beyond_skin(engine) {
                return Verdict::LeftSkin { farthest };
            }
            let Some(changes) = changes else { break 1.0 };
            match self.assess(engine, workspace, &changes, iterations, (dt, last)) {
                Next::Iterate if theta.iteration == Iteration::Jacobi => {
                    workspace.evaluate(engine, time + dt, step);
                }
                Next::Iterate => {}
                Next::Finish(factor) => break factor,
                Next::End(verdict) => return verdict,
            }
        };
        workspace.evaluate(engine, time + dt, step);
        Verdict::Accepted { factor }
    }

    fn angle(&self, motions: &[MeanMotion], _: &[Stages], slot: usize, dt: f64) -> Vec3 {
        let spin = &motions[slot].spin;
        dt * Vec3::new(spin[0], spin[1], spin[2])
    }
}

impl Attempt {
    /// Decides whether the iterations have converged or must end without convergence; B Table 1.
    fn assess(
        &self,
        engine: &Engine,
        workspace: &mut Workspace,
        changes: &IterationChanges,
        iterations: u32,
        (dt, last): (f64, bool),
    ) -> Next {
        let theta = &self.theta;
        let most = if last { theta.most_iterations } else { theta.desired_iterations };
        let errors = changes.errors(dt, |index| size_of(engine, index, dt));
        let (index, beyond) = convergence::farthest(&errors, &theta.tolerances);
        let converged = beyond <= 1.0;
        if !converged && iterations < most {
            return Next::Iterate;
        }
        let factor = convergence::step_factor(&errors, theta, iterations, converged);
        if converged {
            return Next::Finish(factor);
        }
        if !last {
            return Next::End(Verdict::Rejected { factor });
        }
        if !theta.accept {
            let error = errors[index];
            return Next::End(not_converged(engine, changes, index, error, iterations));
        }
        workspace.counts.unconverged += 1;
        Next::Finish(factor)
    }
}

fn diverged(id: ParticleId, iterations: u32, last: bool) -> Verdict {
    if !last {
        return Verdict::Rejected { factor: convergence::LEAST_FACTOR };
    }
    let cause = Cause::NotConverged { quantity: NAMES[0], error: f64::INFINITY, iterations };
    Verdict::Failed(Failure { cause, id })
}

fn not_converged(
    engine: &Engine,
    changes: &IterationChanges,
    index: usize,
    error: f64,
    iterations: u32,
) -> Verdict {
    let cause = Cause::NotConverged { quantity: NAMES[index], error, iterations };
    Verdict::Failed(Failure { cause, id: changes.worst(index, engine) })
}

/// Moves all particles by the forces of the accepted state.
fn move_once(engine: &mut Engine, start: &[HotData], rule: Rule) {
    let Integration { particles, motions, pool, .. } = engine.integration();
    let loads = &particles.loads;
    let records = DisjointSlices::new(&mut particles.records);
    let motions = DisjointSlices::new(motions);
    pool.split(start.len(), |_, range| {
        // SAFETY: the ranges of `split` are disjoint.
        let (records, motions) =
            unsafe { (records.slice_mut(range.clone()), motions.slice_mut(range.clone())) };
        for ((slot, record), motion) in range.zip(records).zip(motions) {
            rule.iterate(&start[slot], &loads[slot], &loads[slot], record, motion);
        }
    });
}

/// One iteration of all particles from the forces of the previous iterate; the first one from those of the accepted
/// state. Returns the changes of the particles of all ranks.
fn iterate_all(
    engine: &mut Engine,
    workspace: &mut Workspace,
    rule: Rule,
    is_first: bool,
) -> IterationChanges {
    let Integration { particles, motions, trial_loads, pool, .. } = engine.integration();
    let Workspace { changes: parts, start, .. } = workspace;
    parts.clear();
    parts.resize(pool.threads(), IterationChanges::default());
    let old = &particles.loads;
    let new = if is_first { old } else { trial_loads };
    let about = &particles.metadata;
    let records = DisjointSlices::new(&mut particles.records);
    let motions = DisjointSlices::new(motions);
    let shares = DisjointSlices::new(parts);
    pool.split(start.len(), |part, range| {
        // SAFETY: the ranges of `split` are disjoint, and each part has its own element.
        let (records, motions, changes) = unsafe {
            (
                records.slice_mut(range.clone()),
                motions.slice_mut(range.clone()),
                shares.slice_mut(part..part + 1),
            )
        };
        for ((slot, record), motion) in range.zip(records).zip(motions) {
            let change = rule.iterate(&start[slot], &old[slot], &new[slot], record, motion);
            if record.inverse_mass > 0.0 {
                changes[0].add(about[slot].id(), record, &change);
            }
        }
    });
    let mut changes = IterationChanges::default();
    parts.iter().for_each(|part| changes.merge(part));
    changes.agree(engine);
    changes
}

/// Sum of |a| over all free particles of all ranks.
fn size_of(engine: &Engine, index: usize, dt: f64) -> f64 {
    let mut sum = ExactSum::new();
    let both = engine.particles().records.iter().zip(engine.motions());
    for (record, motion) in both.filter(|(record, _)| record.inverse_mass > 0.0) {
        let [x, y, z] = match index {
            0 => record.position,
            1 => record.velocity,
            2 => record.spin,
            _ => [0, 1, 2].map(|axis| dt * motion.spin[axis]),
        };
        sum.add((x * x + y * y + z * z).sqrt());
    }
    engine.sum_exactly_over_ranks(&mut [&mut sum]);
    sum.value()
}
