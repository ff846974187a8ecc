//! Stokes drag on a sphere in a viscous medium: `6π η r (u - v)`. B(73).
//!
//! Valid for a particle Reynolds number below one; the torque of the medium is neglected, as in the papers.

use super::{Body, Field, Load, MediumVelocity, Rates};
use crate::Vec3;
use crate::parameters::{Described, Limits, Parameters};
use std::f64::consts::PI;

/// Stokes drag.
///
/// ```
/// use esker::prelude::*;
/// use esker::field::{MediumVelocity, StokesDrag};
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
/// let field = StokesDrag { viscosity: 1e-3, medium_velocity: MediumVelocity::Uniform(Vec3::ZERO) };
/// let expected = 6.0 * std::f64::consts::PI * 1e-3 * 1e-3 * 2.0; // 6π η r v
/// assert!((field.load(&body, 0.0).force.x + expected).abs() < 1e-12 * expected);
/// ```
#[derive(Debug, Clone)]
pub struct StokesDrag {
    /// Dynamic viscosity η of the medium [Pa s].
    pub viscosity: f64,
    /// Velocity u of the medium [m/s].
    pub medium_velocity: MediumVelocity,
}

impl Field for StokesDrag {
    fn name(&self) -> &str {
        "drag"
    }

    fn load(&self, body: &Body, time: f64) -> Load {
        let coefficient = 6.0 * PI * self.viscosity * body.radius;
        let relative = self.medium_velocity.at(body.position, time) - body.velocity;
        Load { force: coefficient * relative, torque: Vec3::ZERO }
    }

    fn rates(&self, body: &Body, _time: f64) -> Rates {
        Rates::of_drag(6.0 * PI * self.viscosity * body.radius, body)
    }

    fn describe(&self) -> String {
        format!(
            "Stokes drag in a medium of {} Pa s that moves at {} m/s",
            self.viscosity, self.medium_velocity
        )
    }
}

impl Described for StokesDrag {
    const NAME: &'static str = "stokes";
    const ABOUT: &'static str = "Stokes drag";

    fn from_parameters(parameters: &mut dyn Parameters) -> Self {
        Self {
            viscosity: parameters.number(
                "viscosity",
                "Dynamic viscosity of the medium [Pa s]",
                Limits::Positive,
            ),
            medium_velocity: MediumVelocity::from_parameters(parameters),
        }
    }
}
