//! Drag proportional to the relative velocity, and functions that the laws of drag share.

use super::{Body, Field, Load, MediumVelocity, Rates};
use crate::Vec3;
use crate::parameters::{Described, Limits, Parameters};

/// Drag proportional to the relative velocity: `-c (v - u)`. C15(15).
///
/// ```
/// use esker::prelude::*;
/// use esker::field::{LinearDrag, MediumVelocity};
///
/// # let body = Body {
/// #     position: Vec3::ZERO,
/// #     velocity: Vec3::X * 2.0,
/// #     spin: Vec3::ZERO,
/// #     radius: 1e-3,
/// #     mass: 1e-5,
/// #     charge: 1e-9,
/// #     id: ParticleId::new(0),
/// # };
/// let field = LinearDrag { coefficient: 0.1, medium_velocity: MediumVelocity::Uniform(Vec3::ZERO) };
/// assert_eq!(field.load(&body, 0.0).force, Vec3::X * -0.2);
/// ```
#[derive(Debug, Clone)]
pub struct LinearDrag {
    /// c [N s/m].
    pub coefficient: f64,
    /// Velocity u of the medium [m/s].
    pub medium_velocity: MediumVelocity,
}

/// A force without a torque.
pub(super) fn force(force: Vec3) -> Load {
    Load { force, torque: Vec3::ZERO }
}

impl Field for LinearDrag {
    fn name(&self) -> &str {
        "drag"
    }

    fn load(&self, body: &Body, time: f64) -> Load {
        force(self.coefficient * (self.medium_velocity.at(body.position, time) - body.velocity))
    }

    fn rates(&self, body: &Body, _time: f64) -> Rates {
        Rates::of_drag(self.coefficient, body)
    }

    fn describe(&self) -> String {
        format!(
            "linear drag with {} N s/m; the medium moves at {} m/s",
            self.coefficient, self.medium_velocity
        )
    }
}

/// Reads the density of the medium.
pub(super) fn density(parameters: &mut dyn Parameters) -> f64 {
    parameters.number("density", "Density of the medium [kg/m³]", Limits::Positive)
}

/// Reads the viscosity of the medium.
pub(super) fn viscosity(parameters: &mut dyn Parameters) -> f64 {
    parameters.number("viscosity", "Dynamic viscosity of the medium [Pa s]", Limits::Positive)
}

impl Described for LinearDrag {
    const NAME: &'static str = "linear";
    const ABOUT: &'static str = "Drag proportional to the relative velocity";

    fn from_parameters(parameters: &mut dyn Parameters) -> Self {
        let about = "Force per relative speed [N s/m]";
        Self {
            coefficient: parameters.number("coefficient", about, Limits::Positive),
            medium_velocity: MediumVelocity::from_parameters(parameters),
        }
    }
}

#[cfg(test)]
#[path = "drag_tests.rs"]
mod tests;
