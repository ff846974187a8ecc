//! Rolling resistance.

mod arm;
mod constant_torque;
pub(crate) mod elastic_plastic;

pub use arm::{Arm, RollingForce};
pub use constant_torque::ConstantTorque;
pub use elastic_plastic::ElasticPlastic;

use crate::law::{Contacts, Forces};

/// The arm of the normal force in the largest rolling moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum RollingLever {
    /// μ_R R*.
    #[default]
    EffectiveRadius,
    /// μ_R times the harmonic mean of the radii: twice R* for two particles, r at a wall.
    Radius,
}

impl RollingLever {
    /// The arm of a contact, without μ_R [m].
    #[inline(always)]
    fn arm(self, contacts: &Contacts, c: usize) -> f64 {
        self.arm_of(contacts.effective_radius[c], contacts.radius[1][c])
    }

    /// The same from R* and the radius of the second partner, which is zero at a wall.
    #[inline(always)]
    fn arm_of(self, effective_radius: f64, second_radius: f64) -> f64 {
        let doubled = self == Self::Radius && second_radius > 0.0;
        effective_radius * if doubled { 2.0 } else { 1.0 }
    }
}

/// The normal force that limits the moment [N].
#[inline(always)]
fn pressure(forces: &Forces, c: usize) -> f64 {
    (forces.elastic[c] + forces.damping[c]).max(0.0)
}
