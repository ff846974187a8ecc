//! Time integration. An integrator moves the state through trial states, evaluates the forces there through the
//! engine, and commits the step that it accepts.
//!
//! An integrator is a file with `impl TimeStepper`, a variant of [`Integrator`] and its line in `Integrator::with`.

mod convergence;
mod explicit;
mod gauss_seidel;
mod predict_correct;
mod rkf45;
mod schemes;
mod stability;
mod step_control;
mod theta;
mod time_stepper;

pub use crate::rotation::RotationMap;
pub use rkf45::Rkf45;
pub(crate) use stability::Stability;
pub use step_control::StepCounts;
pub(crate) use step_control::{CompletedStep, Failure, ForcedRejections, StepPlan, Workspace};
pub use theta::{Iteration, StepExponents, Theta, Tolerances};

use crate::engine::Engine;
use crate::error::Problem;
use time_stepper::TimeStepper;

/// The integrator of a scene.
///
/// ```
/// use esker::prelude::*;
/// use esker::integrate::{Integrator, Rkf45};
///
/// let mut scene = Scene::new();
/// assert_eq!(scene.integrator, Integrator::VelocityVerlet);
/// scene.integrator = Integrator::Rkf45(Rkf45 { position: 1e-9, ..Rkf45::default() });
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Integrator {
    /// Velocity Verlet with a prediction of the end velocity, the default: second order, one evaluation per step.
    #[default]
    VelocityVerlet,
    /// Symplectic Euler: first order, for comparison.
    SymplecticEuler,
    /// Newmark's method with β = 1/4, γ = 1/2 as predictor and corrector, P(EC)^k(E); Z(53)–(60).
    NewmarkPec {
        /// k, the number of evaluations with a correction each.
        corrections: u32,
        /// True if the forces are evaluated once more at the corrected state.
        final_evaluation: bool,
        /// The weight of the old acceleration in the predicted velocity and spin.
        predictor: NewmarkPredictor,
    },
    /// The generalised trapezoidal rule, solved by fixed-point iteration; B(77)–(124), C15(41)–(49).
    Theta(Theta),
    /// Fehlberg's method of order 4 (5) with error control; L section 2.
    Rkf45(Rkf45),
}

/// The predicted velocity of Newmark's method.
///
/// ```
/// use esker::integrate::{Integrator, NewmarkPredictor};
///
/// let Integrator::NewmarkPec { predictor, .. } = Integrator::NEWMARK_PEC else { unreachable!() };
/// assert_eq!(predictor, NewmarkPredictor::Consistent);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum NewmarkPredictor {
    /// `v + ½Δt a`, which is (1-γ)Δt a with γ = ½.
    #[default]
    Consistent,
    /// `v + ¼Δt a` as printed in Z(53) and Z(55) (docs/errata.md Z-E12): a constant force changes the
    /// velocity by ¾ of its impulse. For comparison only.
    Printed,
}

impl Integrator {
    /// Newmark's method as in Z: one evaluation and one correction.
    pub const NEWMARK_PEC: Self = Self::newmark(1, false);

    /// Newmark's method with the consistent predictor.
    pub const fn newmark(corrections: u32, final_evaluation: bool) -> Self {
        let predictor = NewmarkPredictor::Consistent;
        Self::NewmarkPec { corrections, final_evaluation, predictor }
    }

    /// Calls a function with the time stepper of this integrator; one line for each.
    fn with<R>(&self, call: impl FnOnce(&dyn TimeStepper) -> R) -> R {
        match *self {
            Self::VelocityVerlet => call(&schemes::VELOCITY_VERLET),
            Self::SymplecticEuler => call(&schemes::SYMPLECTIC_EULER),
            Self::NewmarkPec { corrections, final_evaluation, predictor } => {
                call(&schemes::newmark(corrections, final_evaluation, predictor))
            }
            Self::Theta(theta) => call(&theta),
            Self::Rkf45(rkf45) => call(&rkf45),
        }
    }

    /// Its name in scene files and messages.
    pub fn name(&self) -> &'static str {
        self.with(|stepper| stepper.name())
    }

    /// See [`TimeStepper::evaluates_again`].
    pub(crate) fn evaluates_again(&self) -> bool {
        self.with(|stepper| stepper.evaluates_again())
    }

    /// See [`TimeStepper::works_by_displacement`].
    pub(crate) fn works_by_displacement(&self) -> bool {
        self.with(|stepper| stepper.works_by_displacement())
    }

    /// See [`TimeStepper::corrects_slip`].
    pub(crate) fn corrects_slip(&self) -> bool {
        self.with(|stepper| stepper.corrects_slip())
    }

    /// See [`TimeStepper::weights_first_touch`].
    pub(crate) fn weights_first_touch(&self) -> bool {
        self.with(|stepper| stepper.weights_first_touch())
    }

    /// See [`TimeStepper::provides_mean_motions`].
    pub(crate) fn provides_mean_motions(&self) -> bool {
        self.with(|stepper| stepper.provides_mean_motions())
    }

    /// See [`TimeStepper::predicted_fraction`].
    pub(crate) fn predicted_fraction(&self) -> f64 {
        self.with(|stepper| stepper.predicted_fraction())
    }

    /// See [`TimeStepper::shortest_fraction`].
    pub(crate) fn shortest_fraction(&self) -> Option<f64> {
        self.with(|stepper| stepper.shortest_fraction())
    }

    /// See [`TimeStepper::stability`].
    pub(crate) fn stability(&self) -> Stability {
        self.with(|stepper| stepper.stability())
    }

    /// See [`TimeStepper::field_limits`].
    pub(crate) fn field_limits(&self, is_step_given: bool) -> [f64; 2] {
        self.with(|stepper| stepper.field_limits(is_step_given))
    }

    /// See [`TimeStepper::longest_fraction`].
    pub(crate) fn longest_fraction(&self) -> f64 {
        self.with(|stepper| stepper.longest_fraction())
    }

    /// See [`TimeStepper::steps_between_checks`].
    pub(crate) fn steps_between_checks(&self) -> u64 {
        self.with(|stepper| stepper.steps_between_checks())
    }

    /// Reports invalid options.
    pub(crate) fn check(&self, problems: &mut Vec<Problem>) {
        self.with(|stepper| stepper.check(problems));
    }
}

/// Advances the engine by one step.
pub(crate) fn advance(
    integrator: Integrator,
    engine: &mut Engine,
    workspace: &mut Workspace,
    plan: &StepPlan,
) -> Result<CompletedStep, Failure> {
    integrator.with(|stepper| stepper.advance(engine, workspace, plan))
}

/// State at the end of a step, determined during the step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// Every particle stays within the skin during the next step, and is finite.
    pub within_skin: bool,
    /// Every particle is inside the domain.
    pub inside: bool,
}
