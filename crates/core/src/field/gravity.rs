//! Uniform gravity: `m g`. B(74), C16(5).

use super::{Body, Field, Load};
use crate::Vec3;

/// Uniform gravity.
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
