//! Time integration. An integrator moves the state through trial states, asks the engine to
//! evaluate the forces there, and commits the step it accepts.

mod explicit;
pub(crate) mod rotation;

pub(crate) use explicit::advance;

/// Which integrator advances the state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Integration {
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
    },
}

impl Integration {
    /// Newmark's method as in Z: one evaluation and one correction.
    pub const NEWMARK_PEC: Self = Self::NewmarkPec { corrections: 1, final_evaluation: false };

    /// The weight of the end velocity in the displacement of a step.
    pub(crate) fn displacement_share(&self) -> f64 {
        match self {
            Self::VelocityVerlet | Self::NewmarkPec { .. } => 0.5,
            Self::SymplecticEuler => 1.0,
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
