//! Rolling resistance.

mod arm;
mod constant_torque;
mod elastic_plastic;

pub use arm::{Arm, RollingArm, RollingForce};
pub use constant_torque::{ConstantTorque, ConstantTorqueLaw};
pub use elastic_plastic::{ElasticPlastic, ElasticPlasticLaw};

/// Moment arm of the normal force in the largest rolling moment.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::contact_after;
/// use esker::law::rolling::RollingMomentArm;
/// use esker::prelude::*;
///
/// let moment = |moment_arm| {
///     let contact = ContactModel::normal(Hertz::default()).rolling(ConstantTorque { moment_arm });
///     let motion = [Vec3::ZERO, Vec3::Y * 10.0];
///     contact_after(0.0, contact, Pair::new().rolling_friction(0.1), motion).moment.length()
/// };
/// let ratio = moment(RollingMomentArm::Radius) / moment(RollingMomentArm::EffectiveRadius);
/// assert!((ratio - 2.0).abs() < 1e-9); // two equal particles
/// ```
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
