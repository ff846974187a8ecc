//! Initial state of a particle.

use crate::Vec3;

/// Initial state of a particle.
///
/// ```
/// use esker::prelude::*;
///
/// let at_rest = Sphere::new(0.01, Vec3::Z);
/// let falling = Sphere { velocity: Vec3::Z * -2.0, ..at_rest };
/// assert_eq!(falling.position, at_rest.position);
/// ```
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

impl Sphere {
    /// A sphere at rest with this radius [m] and centre [m].
    pub const fn new(radius: f64, position: Vec3) -> Self {
        Self { position, radius, velocity: Vec3::ZERO, spin: Vec3::ZERO }
    }
}
