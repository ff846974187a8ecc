//! Surfaces other than the built-in shapes: types that compute their point nearest to a particle.

use super::{ClosestPoint, Shape};
use crate::Vec3;
use std::fmt::Debug;
use std::sync::Arc;

/// The point of a surface nearest to a centre.
///
/// ```
/// use esker::prelude::*;
/// use esker::wall::SurfacePoint;
///
/// let point = SurfacePoint::seen_from(Vec3::Z, Vec3::ZERO, false).unwrap();
/// assert_eq!((point.closest.distance, point.closest.normal), (1.0, Vec3::NEG_Z));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SurfacePoint {
    /// Direction and distance relative to the centre.
    pub closest: ClosestPoint,
    /// True if it lies on an edge. If walls share an edge, a wall with the point on its face has priority.
    pub at_edge: bool,
}

impl SurfacePoint {
    /// A point of the surface relative to a centre; none if both coincide.
    pub fn seen_from(center: Vec3, point: Vec3, at_edge: bool) -> Option<Self> {
        let distance = center.distance(point);
        let closest = ClosestPoint { normal: (point - center) / distance, distance };
        (distance > 0.0).then_some(Self { closest, at_edge })
    }
}

/// A surface without thickness that acts on both sides. All coordinates are in the frame of the wall [m].
///
/// ```
/// use esker::prelude::*;
/// use esker::wall::{Surface, SurfacePoint};
///
/// /// A straight wire from the origin along x.
/// #[derive(Debug)]
/// struct Wire {
///     length: f64,
/// }
///
/// impl Surface for Wire {
///     fn name(&self) -> &str {
///         "wire"
///     }
///
///     fn closest_point(&self, center: Vec3) -> Option<SurfacePoint> {
///         let at = center.x.clamp(0.0, self.length);
///         SurfacePoint::seen_from(center, Vec3::X * at, at != center.x)
///     }
///
///     fn bounds(&self) -> (Vec3, Vec3) {
///         (Vec3::ZERO, Vec3::X * self.length)
///     }
///
///     fn triangles(&self, _segments: usize) -> (Vec<Vec3>, Vec<[u32; 3]>) {
///         (Vec::new(), Vec::new()) // nothing to draw
///     }
/// }
///
/// let shape: Shape = Wire { length: 1.0 }.into();
/// assert_eq!(shape.closest_point(Vec3::new(0.5, 0.2, 0.0)).unwrap().distance, 0.2);
/// ```
pub trait Surface: Debug + Send + Sync {
    /// A short description.
    fn name(&self) -> &str;

    /// The point nearest to the centre of a particle. If several are equally near, a fixed one of them; none if the
    /// centre lies on the surface.
    fn closest_point(&self, center: Vec3) -> Option<SurfacePoint>;

    /// The bounding box.
    fn bounds(&self) -> (Vec3, Vec3);

    /// Vertices and triangles for pictures and frames, with this many segments per circle.
    fn triangles(&self, segments: usize) -> (Vec<Vec3>, Vec<[u32; 3]>);

    /// Invalid parameters, one sentence each.
    fn problems(&self) -> Vec<String> {
        Vec::new()
    }
}

impl<S: Surface + 'static> From<S> for Shape {
    fn from(surface: S) -> Self {
        Self::Surface(Arc::new(surface))
    }
}
