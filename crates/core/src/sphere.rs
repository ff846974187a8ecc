//! One particle as it is inserted.

use crate::Vec3;

/// One particle as it enters the scene.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sphere {
    /// Position of the centre [m].
    pub position: Vec3,
    /// Radius [m].
    pub radius: f64,
    /// Velocity [m/s].
    pub velocity: Vec3,
    /// Spin [rad/s].
    pub spin: Vec3,
}

impl Default for Sphere {
    fn default() -> Self {
        Self { position: Vec3::ZERO, radius: f64::NAN, velocity: Vec3::ZERO, spin: Vec3::ZERO }
    }
}
