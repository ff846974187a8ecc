//! The interface of an integrator.

use super::stability::{GYRATION_LIMIT, Stability};
use super::{CompletedStep, Failure, StepPlan, Workspace};
use crate::engine::Engine;
use crate::error::Problem;

/// An integrator: its properties and its step.
pub(crate) trait TimeStepper {
    /// Its name in messages.
    fn name(&self) -> &'static str;

    /// True if forces are evaluated more than once in a step.
    fn evaluates_again(&self) -> bool;

    /// Fraction of Δt² a in the predicted displacement of a step. Integrators that iterate check the skins in every
    /// iteration.
    fn predicted_fraction(&self) -> f64 {
        1.0
    }

    /// True if the work of a step in the energy ledger is that of forces on displacements; otherwise it is integrated
    /// from powers.
    fn works_by_displacement(&self) -> bool {
        false
    }

    /// True if it provides kicks for accurate slip (`time_step/accurate_slip.rs`).
    fn corrects_slip(&self) -> bool {
        false
    }

    /// True if dashpots are weighted in the first evaluation after first touch (`Step::touch_span`).
    fn weights_first_touch(&self) -> bool {
        false
    }

    /// True if it provides mean motions to all laws, not only to those that map the slip.
    fn provides_mean_motions(&self) -> bool {
        false
    }

    /// The shortest step as a fraction of the longest, if the scene does not specify it; none for integrators with a
    /// given step.
    fn shortest_fraction(&self) -> Option<f64> {
        None
    }

    /// Its weights in the stability condition of contacts. Integrators that control their step take those of symplectic
    /// Euler for the longest one.
    fn stability(&self) -> Stability {
        Stability::EULER
    }

    /// Longest stable steps as fractions of the relaxation time of drag and of 1/ω of a gyration
    /// (`time_step/rates.rs`); infinite if it controls its error.
    fn field_limits(&self, _is_step_given: bool) -> [f64; 2] {
        [2.0, GYRATION_LIMIT]
    }

    /// Its longest step as a fraction of the shortest contact time.
    fn longest_fraction(&self) -> f64 {
        f64::INFINITY
    }

    /// If it adapts its step: number of steps between two checks of the largest speed.
    fn steps_between_checks(&self) -> u64 {
        50
    }

    /// Reports invalid options.
    fn check(&self, _problems: &mut Vec<Problem>) {}

    /// Advances the engine by one step.
    fn advance(
        &self,
        engine: &mut Engine,
        workspace: &mut Workspace,
        plan: &StepPlan,
    ) -> Result<CompletedStep, Failure>;
}
