//! Shapes of walls.

mod admits;
mod annulus;
mod bounds;
mod custom;
pub(crate) mod form;
mod nearest;
mod problems;
mod surface;
mod tube;

pub use annulus::Annulus;
pub(in crate::wall) use bounds::around;
pub use custom::{Surface, SurfacePoint};

use super::Mesh;
use crate::Vec3;
use crate::sphere::Sphere;
use std::sync::Arc;

/// Side of a closed surface on which the particles are.
///
/// ```
/// use esker::prelude::*;
///
/// let drum = |side| Shape::Cylinder { start: Vec3::ZERO, end: Vec3::Z, radius: 1.0, side };
/// let inside = Vec3::new(0.9, 0.0, 0.5);
/// assert!(drum(Side::Inside).admits(inside, 0.05) && !drum(Side::Outside).admits(inside, 0.05));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Particles are inside.
    Inside,
    /// Particles are outside.
    Outside,
}

/// The surface of a wall, in its initial position.
///
/// ```
/// use esker::prelude::*;
///
/// let floor = Shape::HalfSpace { point: Vec3::ZERO, normal: Vec3::Z };
/// let closest = floor.closest_point(Vec3::Z * 0.3).unwrap();
/// assert_eq!(closest.distance, 0.3);
/// assert!(floor.problems().is_empty());
/// ```
#[derive(Debug, Clone)]
pub enum Shape {
    /// Solid behind a plane; particles are on the side to which the normal points.
    HalfSpace {
        /// A point of the plane [m].
        point: Vec3,
        /// Unit normal, out of the solid.
        normal: Vec3,
    },
    /// A rectangle without thickness, acting on both sides and at its edges.
    Rectangle {
        /// One corner [m].
        corner: Vec3,
        /// The two perpendicular edges that start at the corner [m].
        edges: [Vec3; 2],
    },
    /// A disc without thickness, acting on both sides and at its rim.
    Disc {
        /// Centre [m].
        center: Vec3,
        /// Unit normal.
        normal: Vec3,
        /// Radius [m].
        radius: f64,
    },
    /// The lateral surface of a circular cylinder between two ends, without caps, acting on one side and at its rims. A
    /// particle that has passed over a rim to the other side has no contact there: see [`Shape::contact`].
    Cylinder {
        /// Centre of one end [m].
        start: Vec3,
        /// Centre of the other end [m].
        end: Vec3,
        /// Radius [m].
        radius: f64,
        /// Side of the particles.
        side: Side,
    },
    /// The lateral surface of a circular cone or truncated cone, without caps.
    Cone {
        /// Centre of one end [m].
        start: Vec3,
        /// Centre of the other end [m].
        end: Vec3,
        /// Radius at `start`, may be zero [m].
        start_radius: f64,
        /// Radius at `end`, may be zero [m].
        end_radius: f64,
        /// Side of the particles.
        side: Side,
    },
    /// A sphere.
    Sphere {
        /// Centre [m].
        center: Vec3,
        /// Radius [m].
        radius: f64,
        /// Side of the particles.
        side: Side,
    },
    /// Triangles, acting on both sides.
    Mesh(Arc<Mesh>),
    /// Particles of infinite mass that move as a rigid body.
    Particles(Vec<Sphere>),
    /// Any other surface: a type of this crate, such as [`Annulus`], or of the user.
    Surface(Arc<dyn Surface>),
}

/// The point of a surface nearest to the centre of a particle.
///
/// ```
/// use esker::prelude::*;
///
/// let floor = Shape::HalfSpace { point: Vec3::ZERO, normal: Vec3::Z };
/// // the normal points from the centre to the wall
/// assert_eq!(floor.closest_point(Vec3::Z * 0.3).unwrap().normal, Vec3::NEG_Z);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClosestPoint {
    /// Unit vector from the centre to the nearest point, into the wall.
    pub normal: Vec3,
    /// Distance from the centre to the surface along the normal [m]; negative for a centre that has passed through a
    /// one-sided surface.
    pub distance: f64,
}

impl ClosestPoint {
    /// No point.
    pub(crate) const NONE: Self = Self { normal: Vec3::ZERO, distance: 0.0 };

    /// Squared distance of the two points relative to the centre [m²].
    pub(crate) fn away_from(&self, other: &Self) -> f64 {
        (self.distance * self.normal - other.distance * other.normal).length_squared()
    }
}
