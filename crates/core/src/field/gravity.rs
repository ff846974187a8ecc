//! Uniform gravity: `m g`. B(74), C16(5).

use super::{Body, Field, Load};
use crate::Vec3;

/// Uniform gravity.
///
/// ```
/// use esker::prelude::*;
/// use esker::field::Gravity;
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
/// let field = Gravity(Vec3::Z * -9.81);
/// assert!((field.load(&body, 0.0).force.z + 9.81e-5).abs() < 1e-18);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gravity(
    /// Acceleration [m/s²].
    pub Vec3,
);

impl Field for Gravity {
    fn name(&self) -> &str {
        "gravity"
    }

    fn load(&self, body: &Body, _time: f64) -> Load {
        Load { force: body.mass * self.0, torque: Vec3::ZERO }
    }

    fn potential(&self, body: &Body, _time: f64) -> Option<f64> {
        Some(-body.mass * self.0.dot(body.position))
    }

    fn acceleration(&self) -> Option<Vec3> {
        Some(self.0)
    }
}
