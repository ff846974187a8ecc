//! The explicit schemes: coefficients and number of evaluations. The table is in `explicit.rs`.

use super::stability::{GYRATION_LIMIT, Stability};
use super::time_stepper::TimeStepper;
use super::{CompletedStep, Failure, NewmarkPredictor, StepPlan, Workspace, explicit};
use crate::engine::Engine;

/// Coefficients of a scheme.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scheme {
    /// Fraction of Δt² a in the position before the evaluation.
    pub position: f64,
    /// Fraction of Δt a in the velocity before the evaluation.
    pub velocity: f64,
    /// The same for the spin.
    pub spin: f64,
    /// Fractions of Δt a and Δt a' in the velocity after it.
    pub old: f64,
    pub new: f64,
    /// Fraction of Δt² a' added to the position after it.
    pub correction: f64,
}

/// A scheme with the number of its evaluations.
#[derive(Debug, Clone, Copy)]
pub(super) struct Explicit {
    name: &'static str,
    pub scheme: Scheme,
    /// Number of evaluations with a correction.
    pub corrections: u32,
    /// True if the forces are evaluated once more at the corrected state.
    pub final_evaluation: bool,
    /// The longest stable step as a fraction of the relaxation time of drag (`time_step/rates.rs`).
    limit_of_drag: f64,
    works_by_displacement: bool,
    corrects_slip: bool,
    pub weights_first_touch: bool,
}

pub(super) const VELOCITY_VERLET: Explicit = Explicit {
    name: "velocity-verlet",
    scheme: Scheme { position: 0.5, velocity: 1.0, spin: 0.5, old: 0.5, new: 0.5, correction: 0.0 },
    corrections: 1,
    final_evaluation: false,
    limit_of_drag: 1.0,
    works_by_displacement: true,
    corrects_slip: true,
    weights_first_touch: true,
};
pub(super) const SYMPLECTIC_EULER: Explicit = Explicit {
    name: "symplectic-euler",
    scheme: Scheme { position: 1.0, velocity: 1.0, spin: 1.0, old: 1.0, new: 0.0, correction: 0.0 },
    limit_of_drag: 2.0,
    works_by_displacement: false,
    corrects_slip: false,
    weights_first_touch: false,
    ..VELOCITY_VERLET
};
const NEWMARK: Scheme =
    Scheme { position: 0.25, velocity: 0.5, spin: 0.5, old: 0.5, new: 0.5, correction: 0.25 };
const PRINTED_NEWMARK: Scheme = Scheme { velocity: 0.25, spin: 0.25, old: 0.25, ..NEWMARK };

/// Newmark's method in predictor–corrector form.
pub(super) fn newmark(
    corrections: u32,
    final_evaluation: bool,
    predictor: NewmarkPredictor,
) -> Explicit {
    let scheme = match predictor {
        NewmarkPredictor::Consistent => NEWMARK,
        NewmarkPredictor::Printed => PRINTED_NEWMARK,
    };
    Explicit { name: "newmark-pec", scheme, corrections, final_evaluation, ..SYMPLECTIC_EULER }
}

impl TimeStepper for Explicit {
    fn name(&self) -> &'static str {
        self.name
    }

    fn evaluates_again(&self) -> bool {
        self.corrections > 1 || self.final_evaluation
    }

    fn predicted_fraction(&self) -> f64 {
        self.scheme.position
    }

    fn works_by_displacement(&self) -> bool {
        self.works_by_displacement
    }

    /// With accelerations that alternate with amplitude A, the velocity alternates with `(new - old) Δt A/2`, and the
    /// predicted one with this fraction of Δt A.
    fn stability(&self) -> Stability {
        let Scheme { velocity, old, new, .. } = self.scheme;
        let predicted = velocity + 0.5 * (new - old);
        // the misprinted predictor of Newmark's method takes the weights of the consistent one
        Stability::of_predicted_velocity(predicted.max(0.5))
    }

    fn field_limits(&self, _: bool) -> [f64; 2] {
        [self.limit_of_drag, GYRATION_LIMIT]
    }

    fn corrects_slip(&self) -> bool {
        self.corrects_slip
    }

    fn weights_first_touch(&self) -> bool {
        self.weights_first_touch
    }

    fn advance(
        &self,
        engine: &mut Engine,
        workspace: &mut Workspace,
        plan: &StepPlan,
    ) -> Result<CompletedStep, Failure> {
        let outcome = explicit::advance(self, engine, &mut workspace.counts, plan);
        Ok(CompletedStep { outcome, dt: plan.dt, next: plan.dt })
    }
}
