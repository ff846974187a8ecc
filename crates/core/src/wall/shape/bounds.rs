//! Bounding boxes of shapes.

use super::Shape;
use crate::Vec3;

impl Shape {
    /// The bounding box of the shape, as its lowest and highest corner [m]; `None` for a half-space and for an empty
    /// shape.
    pub fn bounds(&self) -> Option<(Vec3, Vec3)> {
        match self {
            Self::HalfSpace { .. } => None,
            Self::Rectangle { corner, edges } => around([
                *corner,
                *corner + edges[0],
                *corner + edges[1],
                *corner + edges[0] + edges[1],
            ]),
            Self::Disc { center, normal, radius } => {
                let half = half_extent_of_circle(*normal, *radius);
                Some((*center - half, *center + half))
            }
            Self::Cylinder { start, end, radius, .. } => {
                two_circles(*start, *end, *radius, *radius)
            }
            Self::Cone { start, end, start_radius, end_radius, .. } => {
                two_circles(*start, *end, *start_radius, *end_radius)
            }
            Self::Sphere { center, radius, .. } => {
                Some((*center - Vec3::splat(*radius), *center + Vec3::splat(*radius)))
            }
            Self::Mesh(mesh) => Some(mesh.bounds()),
            Self::Surface(surface) => Some(surface.bounds()),
            Self::Particles(spheres) => around(spheres.iter().flat_map(|sphere| {
                let radius = Vec3::splat(sphere.radius);
                [sphere.position - radius, sphere.position + radius]
            })),
        }
    }
}

/// The bounding box of some points; `None` without points.
pub(in crate::wall) fn around(points: impl IntoIterator<Item = Vec3>) -> Option<(Vec3, Vec3)> {
    points
        .into_iter()
        .map(|point| (point, point))
        .reduce(|(min, max), (point, _)| (min.min(point), max.max(point)))
}

fn two_circles(start: Vec3, end: Vec3, start_radius: f64, end_radius: f64) -> Option<(Vec3, Vec3)> {
    let axis = (end - start).normalize_or_zero();
    let first = half_extent_of_circle(axis, start_radius);
    let second = half_extent_of_circle(axis, end_radius);
    around([start - first, start + first, end - second, end + second])
}

/// Half the extent along each axis of a circle with this unit normal.
fn half_extent_of_circle(normal: Vec3, radius: f64) -> Vec3 {
    let one = |component: f64| radius * (1.0 - component * component).max(0.0).sqrt();
    Vec3::new(one(normal.x), one(normal.y), one(normal.z))
}
