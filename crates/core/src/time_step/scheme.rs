//! Weights of springs and dashpots of an integrator in the stability condition.
//!
//! At the root -1 of an integrator the accelerations alternate with amplitude A. The amplitude is then A/4 in a spring
//! driven by the displacement, A/2 in a spring driven by `h (v + h a)`, A in a dashpot at the end velocity and A/2 in
//! one at mid-step. The motion is stable if the largest eigenvalue of `S^½ M^-½ Q M^-½ S^½`, `Q = Σ q g gᵀ` over the
//! directions g of all contacts, is below one (docs/time-step.md).

use crate::integrate::Integrator;

/// Weights of an integrator.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scheme {
    /// S of translations; that of rotations is one.
    pub translation: f64,
    /// q/(h² k) of a normal spring.
    pub normal: f64,
    /// q/(h² k) of a spring of slip, roll or twist.
    pub slip: f64,
    /// q/(h d) of a dashpot.
    pub dashpot: f64,
}

impl Scheme {
    /// Velocity Verlet evaluates velocities at the end of the step and spins in its middle. Every
    /// other integrator has the weights of symplectic Euler; those that control their step take them
    /// for the longest one.
    pub(super) fn of(integrator: &Integrator) -> Self {
        match integrator {
            Integrator::VelocityVerlet => {
                Self { translation: 2.0, normal: 0.125, slip: 0.25, dashpot: 0.5 }
            }
            _ => Self { translation: 1.0, normal: 0.25, slip: 0.25, dashpot: 0.5 },
        }
    }
}
