//! Weights of springs and dashpots of an integrator in the stability condition.
//!
//! At the root -1 of an integrator the accelerations alternate with amplitude A. The amplitude is then A/4 in a spring
//! driven by the displacement, A/2 in a spring driven by `h (v + h a)`, A in a dashpot at the end velocity and A/2 in
//! one at mid-step. The motion is stable if the largest eigenvalue of `S^½ M^-½ Q M^-½ S^½`, `Q = Σ q g gᵀ` over the
//! directions g of all contacts, is below one (docs/time-step.md).

/// Limit of a step as a fraction of 1/ω of a gyration, for explicit integrators (`time_step/rates.rs`).
pub(super) const GYRATION_LIMIT: f64 = 0.4;

/// Weights of an integrator.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Stability {
    /// S of translations; that of rotations is one.
    pub translation: f64,
    /// q/(h² k) of a normal spring.
    pub normal: f64,
    /// q/(h² k) of a spring of slip, roll or twist.
    pub slip: f64,
    /// q/(h d) of a dashpot.
    pub dashpot: f64,
}

impl Stability {
    /// Of symplectic Euler: velocities and spins are evaluated with half of the amplitude.
    pub(crate) const EULER: Self = Self::of_predicted_velocity(0.5);

    /// Of an integrator that evaluates velocities at this fraction of `h A`, and spins at half of it.
    pub(crate) const fn of_predicted_velocity(fraction: f64) -> Self {
        let translation = 2.0 * fraction;
        Self { translation, normal: 0.25 / translation, slip: 0.25, dashpot: 0.5 }
    }
}
