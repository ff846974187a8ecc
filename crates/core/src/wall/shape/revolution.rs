//! Cylinders and cones: a straight segment, the generator, turned about an axis.
//!
//! The nearest point lies in the half-plane through the axis and the particle's centre, so that
//! the search is that of the nearest point of a segment in the coordinates (along the axis,
//! from the axis).

use super::nearest::towards;
use super::{Side, Touch};
use crate::Vec3;

pub(super) struct Generator {
    /// Centre of the first end [m].
    pub start: Vec3,
    /// Unit vector from the first end to the second.
    pub axis: Vec3,
    /// Distance of the two ends [m].
    pub height: f64,
    /// Radius at the first end [m].
    pub start_radius: f64,
    /// Radius at the second end [m].
    pub end_radius: f64,
}

impl Generator {
    pub fn new(start: Vec3, end: Vec3, start_radius: f64, end_radius: f64) -> Self {
        let height = (end - start).length();
        Self { start, axis: (end - start) / height, height, start_radius, end_radius }
    }

    /// Whether all points on the axis are equally near, as in a cylinder.
    fn is_straight(&self) -> bool {
        self.start_radius == self.end_radius
    }

    pub fn touch(&self, side: Side, x: Vec3) -> Option<Touch> {
        let arm = x - self.start;
        let along = arm.dot(self.axis);
        let radial = arm - self.axis * along;
        let from_axis = radial.length();
        let outward =
            if from_axis > 0.0 { radial / from_axis } else { self.axis.any_orthonormal_vector() };

        let slope = self.end_radius - self.start_radius;
        let length = (self.height * self.height + slope * slope).sqrt();
        let (cosine, sine) = (self.height / length, slope / length);
        let beyond = from_axis - self.start_radius;
        let share = along * cosine + beyond * sine;

        if share < 0.0 || share > length {
            let (center, radius) = if share < 0.0 {
                (self.start, self.start_radius)
            } else {
                (self.start + self.axis * self.height, self.end_radius)
            };
            return Some(towards(center + outward * radius, x, behind(side, outward)));
        }
        if from_axis == 0.0 && self.is_straight() {
            return None;
        }
        let normal_outward = outward * cosine - self.axis * sine;
        let height = beyond * cosine - along * sine;
        let distance = match side {
            Side::Inside => -height,
            Side::Outside => height,
        };
        Some(Touch { normal: behind(side, normal_outward), distance })
    }
}

/// The direction across the surface, away from the particles.
fn behind(side: Side, outward: Vec3) -> Vec3 {
    match side {
        Side::Inside => outward,
        Side::Outside => -outward,
    }
}
