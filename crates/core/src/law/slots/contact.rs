//! Arguments of the laws of one contact: geometry, motion, and the forces of the laws before.

use crate::law::Step;

/// Geometry and inertia of one contact.
#[derive(Debug, Clone, Copy)]
pub struct Contact {
    /// δ, positive when touching [m].
    pub overlap: f64,
    /// dδ/dt, positive while approaching [m/s].
    pub closing_speed: f64,
    /// R* [m].
    pub effective_radius: f64,
    /// m* [kg].
    pub effective_mass: f64,
    /// Radii; the second is zero at a wall [m].
    pub radii: [f64; 2],
    /// Inverse masses; the second is zero at a wall [1/kg].
    pub inverse_masses: [f64; 2],
    /// Inverse moments of inertia; only valid for a law with `NEEDS_INERTIAS` [1/(kg m²)].
    pub inverse_inertias: [f64; 2],
    /// Time that the contact has existed since the accepted state, at most the time elapsed [s].
    pub age: f64,
    /// True if the second partner is a wall.
    pub at_wall: bool,
    /// The time step of the evaluation.
    pub step: Step,
}

impl Contact {
    /// Weight of a dashpot in the first evaluation after first touch; one otherwise.
    ///
    /// The force of an evaluation acts from half a step before it to half a step after it. A dashpot that begins to act
    /// at first touch, a fraction θ of a step before, acts during θ + ½ of a step, and a coefficient proportional to
    /// the overlap to the power of p has the mean 1/(p + 1) of its value in the first part: the weight is ½ + θ/(p +
    /// 1). `mean` is 1/(p + 1).
    #[inline(always)]
    pub fn first_touch_weight(&self, mean: f64) -> f64 {
        let fraction = self.age * (1.0 / self.step.dt);
        if self.age < self.step.touch_span { 0.5 + fraction * mean } else { 1.0 }
    }
}

/// Tangential motion of one contact.
#[derive(Debug, Clone, Copy)]
pub struct Slip {
    /// Slip velocity of the first partner relative to the second [m/s].
    pub velocity: [f64; 3],
    /// Slip since the accepted state [m].
    pub displacement: [f64; 3],
}

/// Relative rolling of one contact.
#[derive(Debug, Clone, Copy)]
pub struct Roll {
    /// Relative spin without its normal part [rad/s].
    pub velocity: [f64; 3],
    /// Roll since the accepted state [rad].
    pub angle: [f64; 3],
}

/// Result of the normal law.
#[derive(Debug, Clone, Copy)]
pub struct Elastic {
    /// Radius of the contact area [m].
    pub contact_radius: f64,
    /// dF/dδ [N/m].
    pub stiffness: f64,
    /// Elastic force, repulsive [N].
    pub force: f64,
}

/// Normal forces of one contact.
#[derive(Debug, Clone, Copy)]
pub struct NormalForces {
    /// Result of the normal law.
    pub elastic: Elastic,
    /// Dissipative force, repulsive [N].
    pub damping: f64,
    /// Cohesion, attractive [N].
    pub cohesion: f64,
    /// √(m* k); only valid where a law has `USES_ROOT` [√(kg N/m)].
    pub root: f64,
}
