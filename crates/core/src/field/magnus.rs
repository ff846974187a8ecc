//! The Magnus force on a spinning particle.

use super::drag::force;
use super::{Body, Field, Load, MediumVelocity, Rates};
use crate::parameters::{Described, Limits, Parameters};

/// Force on a spinning particle in a moving medium (Magnus): `S w × (v - u)`. Remarks in C15 and C16.
///
/// ```
/// use esker::prelude::*;
/// use esker::field::{Magnus, MediumVelocity};
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
/// let field = Magnus { coefficient: 1.0, medium_velocity: MediumVelocity::Uniform(Vec3::ZERO) };
/// // without spin there is no lift
/// assert_eq!(field.load(&body, 0.0).force, Vec3::ZERO);
/// ```
#[derive(Debug, Clone)]
pub struct Magnus {
    /// S [kg].
    pub coefficient: f64,
    /// Velocity u of the medium [m/s].
    pub medium_velocity: MediumVelocity,
}

impl Field for Magnus {
    fn name(&self) -> &str {
        "magnus"
    }

    fn load(&self, body: &Body, time: f64) -> Load {
        let relative = body.velocity - self.medium_velocity.at(body.position, time);
        force(self.coefficient * body.spin.cross(relative))
    }

    fn rates(&self, body: &Body, _time: f64) -> Rates {
        Rates::of_gyration(self.coefficient * body.spin.length(), body)
    }

    fn describe(&self) -> String {
        format!(
            "Magnus force with {} kg; the medium moves at {} m/s",
            self.coefficient, self.medium_velocity
        )
    }
}

impl Described for Magnus {
    const NAME: &'static str = "magnus";
    const ABOUT: &'static str = "Magnus force";

    fn from_parameters(parameters: &mut dyn Parameters) -> Self {
        Self {
            coefficient: parameters.number("coefficient", "S in S w × v [kg]", Limits::Any),
            medium_velocity: MediumVelocity::from_parameters(parameters),
        }
    }
}
