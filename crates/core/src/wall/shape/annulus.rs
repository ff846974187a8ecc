//! A flat ring: a disc with a coaxial hole, such as the floor of a silo around its outlet.

use super::custom::{Surface, SurfacePoint};
use crate::Vec3;
use crate::parameters::{Described, Limits, Parameters};
use crate::wall::motion::is_unit;
use std::f64::consts::TAU;

/// A flat ring without thickness.
///
/// ```
/// use esker::prelude::*;
/// use esker::wall::{Annulus, Surface};
///
/// let ring = Annulus { center: Vec3::ZERO, normal: Vec3::Z, inner_radius: 0.1, outer_radius: 0.2 };
/// let above_the_hole = ring.closest_point(Vec3::Z * 0.01).unwrap();
/// assert!(above_the_hole.at_edge && above_the_hole.closest.distance > 0.1);
/// let shape: Shape = ring.into();
/// # drop(shape);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Annulus {
    /// Centre [m].
    pub center: Vec3,
    /// Unit normal.
    pub normal: Vec3,
    /// Radius of the hole [m].
    pub inner_radius: f64,
    /// Outer radius [m].
    pub outer_radius: f64,
}

impl Surface for Annulus {
    fn name(&self) -> &str {
        Self::NAME
    }

    fn closest_point(&self, center: Vec3) -> Option<SurfacePoint> {
        let offset = center - self.center;
        let radial = offset - self.normal * offset.dot(self.normal);
        let from_axis = radial.length();
        let outward =
            if from_axis > 0.0 { radial / from_axis } else { self.normal.any_orthonormal_vector() };
        let at_edge = !(self.inner_radius..=self.outer_radius).contains(&from_axis);
        let nearest = from_axis.clamp(self.inner_radius, self.outer_radius);
        SurfacePoint::seen_from(center, self.center + outward * nearest, at_edge)
    }

    fn bounds(&self) -> (Vec3, Vec3) {
        let half =
            |component: f64| self.outer_radius * (1.0 - component * component).max(0.0).sqrt();
        let half = Vec3::new(half(self.normal.x), half(self.normal.y), half(self.normal.z));
        (self.center - half, self.center + half)
    }

    fn triangles(&self, segments: usize) -> (Vec<Vec3>, Vec<[u32; 3]>) {
        let (first, second) = self.normal.any_orthonormal_pair();
        let circle = |radius: f64| {
            (0..segments).map(move |segment| {
                let angle = TAU * segment as f64 / segments as f64;
                self.center + (first * libm::cos(angle) + second * libm::sin(angle)) * radius
            })
        };
        let vertices = circle(self.inner_radius).chain(circle(self.outer_radius)).collect();
        let count = segments as u32;
        let triangles = (0..count).flat_map(|k| {
            let next = (k + 1) % count;
            [[k, count + k, count + next], [k, count + next, next]]
        });
        (vertices, triangles.collect())
    }

    fn problems(&self) -> Vec<String> {
        let requirements = [
            (self.center.is_finite(), "the center must be finite"),
            (is_unit(self.normal), "the normal must be a unit vector"),
            (self.inner_radius > 0.0, "the inner radius must be positive"),
            (
                self.outer_radius > self.inner_radius && self.outer_radius.is_finite(),
                "the outer radius must be finite and larger than the inner radius",
            ),
        ];
        let broken = requirements.iter().filter(|(holds, _)| !holds);
        broken.map(|(_, message)| (*message).to_owned()).collect()
    }
}

impl Described for Annulus {
    const NAME: &'static str = "annulus";
    const ABOUT: &'static str = "A flat ring: a disc with a hole";

    fn from_parameters(parameters: &mut dyn Parameters) -> Self {
        let center = parameters.vector("center", "Centre [m]");
        let normal = parameters.direction("normal", "Normal");
        let mut radius = |key, about| parameters.number(key, about, Limits::Positive);
        let inner_radius = radius("inner_radius", "Radius of the hole [m]");
        let outer_radius = radius("outer_radius", "Outer radius [m]");
        Self { center, normal, inner_radius, outer_radius }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wall::Shape;

    const RING: Annulus = Annulus {
        center: Vec3::new(0.0, 0.0, 1.0),
        normal: Vec3::Z,
        inner_radius: 0.5,
        outer_radius: 2.0,
    };

    /// The distance of the nearest of many points of the ring.
    fn nearest_by_search(center: Vec3) -> f64 {
        let mut nearest = f64::INFINITY;
        for ring in 0..=300 {
            let radius = 0.5 + 1.5 * f64::from(ring) / 300.0;
            for segment in 0..720 {
                let (sine, cosine) = (TAU * f64::from(segment) / 720.0).sin_cos();
                let point = RING.center + Vec3::new(cosine, sine, 0.0) * radius;
                nearest = nearest.min(center.distance(point));
            }
        }
        nearest
    }

    #[test]
    fn the_closest_point_is_that_of_a_search_over_the_surface() {
        for center in [
            Vec3::new(1.0, 0.3, 1.7),
            Vec3::new(0.1, -0.2, 0.8),
            Vec3::new(-2.5, 1.0, 1.1),
            Vec3::new(0.0, 0.0, 1.3),
        ] {
            let found = RING.closest_point(center).expect("a point").closest;
            // Half the spacing of the search: 2.5e-3 m along the radius, 9e-3 m along the rim.
            assert!((found.distance - nearest_by_search(center)).abs() < 2e-3, "{center}");
            let point = center + found.normal * found.distance;
            let from_axis = (point - RING.center).length();
            assert!((point.z - 1.0).abs() < 1e-15 && (0.4999..2.0001).contains(&from_axis));
        }
    }

    #[test]
    fn a_sphere_smaller_than_the_hole_falls_through_and_a_larger_one_does_not() {
        let shape = Shape::from(RING);
        assert!(shape.contact(Vec3::Z, 0.49, 0.0).is_none());
        let rim = shape.contact(Vec3::Z, 0.51, 0.0).expect("it touches the rim");
        assert!((rim.distance - 0.5).abs() < 1e-15);
    }

    #[test]
    fn the_ring_without_a_hole_is_the_disc() {
        let ring = Annulus { inner_radius: 1e-9, ..RING };
        let disc = Shape::Disc { center: RING.center, normal: RING.normal, radius: 2.0 };
        for center in [Vec3::new(0.7, 0.2, 1.4), Vec3::new(2.2, 0.5, 0.6)] {
            let (one, other) =
                (ring.closest_point(center).unwrap(), disc.closest_point(center).unwrap());
            assert!((one.closest.distance - other.distance).abs() < 1e-15);
            assert!((one.closest.normal - other.normal).length() < 1e-15);
        }
    }

    #[test]
    fn the_drawing_has_the_area_of_the_ring() {
        let (vertices, triangles) = RING.triangles(360);
        let corner = |index: u32| vertices[index as usize];
        let area = |t: &[u32; 3]| {
            0.5 * (corner(t[1]) - corner(t[0])).cross(corner(t[2]) - corner(t[0])).length()
        };
        let exact = std::f64::consts::PI * (4.0 - 0.25);
        let drawn: f64 = triangles.iter().map(area).sum();
        // The area of a polygon with n sides is smaller than that of its circle by a fraction (2π/n)²/6.
        assert!((drawn / exact - 1.0).abs() < 6e-5, "{drawn}");
    }
}
