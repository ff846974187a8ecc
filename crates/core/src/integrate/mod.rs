//! Time integration. An integrator moves the state through trial states, asks the engine to
//! evaluate the forces there, and commits the step it accepts.

mod convergence;
mod explicit;
mod gauss_seidel;
mod predict_correct;
mod rkf45;
mod step_control;
mod theta;

pub use crate::rotation::RotationMap;
pub(crate) use rkf45::LONGEST_SHARE;
pub use rkf45::Rkf45;
pub use step_control::StepCounts;
pub(crate) use step_control::{Failure, ForcedRejections, Plan, Taken, Workspace};
pub use theta::{Iteration, StepExponents, Theta, Tolerances};

use crate::engine::Engine;

/// Which integrator advances the state.
///
/// ```
/// use esker::prelude::*;
/// use esker::integrate::{Integrator, Rkf45};
///
/// let mut scene = Scene::new();
/// assert_eq!(scene.integration, Integrator::VelocityVerlet);
/// scene.integration = Integrator::Rkf45(Rkf45 { position: 1e-9, ..Rkf45::default() });
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Integrator {
    /// Velocity Verlet with a prediction of the end velocity, the default: second order, one
    /// evaluation a step.
    #[default]
    VelocityVerlet,
    /// Symplectic Euler: first order, for comparison.
    SymplecticEuler,
    /// Newmark's method with β = 1/4, γ = 1/2 as predictor and corrector, P(EC)^k(E); Z(53)–(60).
    NewmarkPec {
        /// k, the number of evaluations with a correction each.
        corrections: u32,
        /// Whether the forces are evaluated once more at the corrected state.
        final_evaluation: bool,
        /// The weight of the old acceleration in the predicted velocity and spin.
        predictor: NewmarkPredictor,
    },
    /// The generalised trapezoidal rule, solved by fixed-point iteration; B(77)–(124), C15(41)–(49).
    Theta(Theta),
    /// Fehlberg's method of order 4 (5) with control of the error; L section 2.
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

    /// Whether forces are evaluated more than once in a step.
    pub(crate) fn evaluates_again(&self) -> bool {
        match self {
            Self::VelocityVerlet | Self::SymplecticEuler => false,
            Self::NewmarkPec { corrections, final_evaluation, .. } => {
                *corrections > 1 || *final_evaluation
            }
            Self::Theta(theta) => theta.iterates(),
            Self::Rkf45(_) => true,
        }
    }

    /// Whether the energy ledger takes the work of a step from forces and displacements; from powers if not.
    pub(crate) fn works_by_displacement(&self) -> bool {
        *self == Self::VelocityVerlet
    }

    /// Fraction of Δt² a in the displacement that is predicted for a step. Integrators that iterate
    /// check the skins in every iteration.
    pub(crate) fn predicted_fraction(&self) -> f64 {
        match self {
            Self::VelocityVerlet => explicit::VELOCITY_VERLET.position,
            Self::SymplecticEuler => explicit::SYMPLECTIC_EULER.position,
            Self::NewmarkPec { .. } => explicit::NEWMARK.position,
            Self::Theta(_) | Self::Rkf45(_) => 1.0,
        }
    }

    /// Its word in a scene file.
    pub fn word(&self) -> &'static str {
        match self {
            Self::VelocityVerlet => "velocity-verlet",
            Self::SymplecticEuler => "symplectic-euler",
            Self::NewmarkPec { .. } => "newmark-pec",
            Self::Theta(_) => "theta",
            Self::Rkf45(_) => "rkf45",
        }
    }

    /// The shortest step as a share of the longest where the scene gives none; none for integrators
    /// that keep the step they are given.
    pub(crate) fn shortest_share(&self) -> Option<f64> {
        match self {
            Self::Theta(theta) if theta.iterates() => Some(theta::SHORTEST_SHARE),
            Self::Rkf45(_) => Some(rkf45::SHORTEST_SHARE),
            _ => None,
        }
    }
}

/// Advances the engine by one step.
pub(crate) fn advance(
    integration: Integrator,
    engine: &mut Engine,
    workspace: &mut Workspace,
    plan: &Plan,
) -> Result<Taken, Failure> {
    match integration {
        Integrator::Theta(theta) => theta::advance(&theta, engine, workspace, plan),
        Integrator::Rkf45(rkf45) => rkf45::advance(&rkf45, engine, workspace, plan),
        explicit => {
            let outcome = explicit::advance(explicit, engine, &mut workspace.counts, plan);
            Ok(Taken { outcome, dt: plan.dt, next: plan.dt })
        }
    }
}

/// What a step has seen on its way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// Every particle stays within the skin during the next step, and is finite.
    pub within_skin: bool,
    /// Every particle is inside the domain.
    pub inside: bool,
}
