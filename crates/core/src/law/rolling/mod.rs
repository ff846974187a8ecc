//! Rolling resistance.

mod arm;
mod constant_torque;
mod elastic_plastic;

pub use arm::{Arm, RollingArm, RollingForce};
pub use constant_torque::{ConstantTorque, ConstantTorqueLaw};
pub use elastic_plastic::{ElasticPlastic, ElasticPlasticLaw};

/// Moment arm of the normal force in the largest rolling moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum RollingMomentArm {
    /// μ_R R*.
    #[default]
    EffectiveRadius,
    /// μ_R times the harmonic mean of the radii: twice R* for two particles, r at a wall.
    Radius,
}

impl RollingMomentArm {
    /// Moment arm as a multiple of R*, without μ_R: at a wall, and between particles.
    fn per_effective_radius(self) -> [f64; 2] {
        [1.0, if self == Self::Radius { 2.0 } else { 1.0 }]
    }
}
