//! The point of an analytic shape nearest to the centre of a particle.

use super::form::Form;
use super::{ClosestPoint, Shape};
use crate::Vec3;

/// Largest distance of a centre behind an open one-sided surface at which the particle counts as pressed through it, in
/// radii of the particle. The centre of a particle that has passed over the rim is a whole radius behind the surface,
/// minus the overlap; that of a particle pressed through is just behind it. Half a radius distinguishes the two.
const PRESSED_THROUGH: f64 = 0.5;

impl Shape {
    /// The nearest point, in the frame of the wall.
    ///
    /// One-sided shapes return a negative distance for a centre that has passed through, and a normal that still points
    /// into the wall. If the nearest point is not unique: `None` at the centre of a sphere and on the axis of a
    /// cylinder; on the axis of a cone and at a rim one fixed point of the circle, since a centred particle must not
    /// fall through an outlet smaller than itself. Also `None` for meshes and particles, which have separate contact
    /// detection.
    pub fn closest_point(&self, x: Vec3) -> Option<ClosestPoint> {
        Form::new(self).closest_point(x)
    }

    /// The closest point if it is within `interaction_range` of the surface of a particle of this radius [m].
    ///
    /// Solids (half-space, sphere) repel a particle at any depth. Cylinder and cone are open: a particle whose centre
    /// is more than half a radius behind them is on their other side, and has no contact.
    pub fn contact(&self, x: Vec3, radius: f64, interaction_range: f64) -> Option<ClosestPoint> {
        let deepest = self.deepest() * radius;
        self.closest_point(x).filter(|closest| {
            closest.distance < radius + interaction_range && closest.distance > deepest
        })
    }

    /// The largest distance behind the shape of a centre in contact, in radii of its particle.
    pub(crate) fn deepest(&self) -> f64 {
        match self {
            Self::Cylinder { .. } | Self::Cone { .. } => -PRESSED_THROUGH,
            _ => f64::NEG_INFINITY,
        }
    }
}

#[cfg(test)]
#[path = "nearest_tests.rs"]
mod tests;
