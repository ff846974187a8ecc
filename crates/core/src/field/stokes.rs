//! Stokes drag on a sphere in a viscous medium: `6π η r (u - v)`. B(73).
//!
//! Valid for a particle Reynolds number below one; the torque of the medium is left out, as in
//! the papers.

use super::{Body, Field, Load};
use crate::Vec3;
use std::f64::consts::PI;

/// Stokes drag.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StokesDrag {
    /// Dynamic viscosity η of the medium [Pa s].
    pub viscosity: f64,
    /// Velocity u of the medium [m/s].
    pub medium_velocity: Vec3,
}

impl Field for StokesDrag {
    fn name(&self) -> &str {
        "drag"
    }

    fn load(&self, body: &Body, _time: f64) -> Load {
        let coefficient = 6.0 * PI * self.viscosity * body.radius;
        Load { force: coefficient * (self.medium_velocity - body.velocity), torque: Vec3::ZERO }
    }
}
