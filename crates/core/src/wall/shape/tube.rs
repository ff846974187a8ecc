//! Cylinders and cones.

use super::form::{ChunkClosestPoint, choose, either, sign, towards};
use super::{ClosestPoint, Side};
use crate::Vec3;

/// Cylinders and cones: surfaces of revolution of a straight segment, the generator.
///
/// The nearest point lies in the half-plane through the axis and the particle's centre, so that the
/// search is that of the nearest point of a segment in the coordinates (along the axis, from the
/// axis).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tube {
    /// Centres of both ends.
    ends: [Vec3; 2],
    /// Radii at both ends.
    radii: [f64; 2],
    axis: Vec3,
    /// A unit vector at a right angle to the axis, for centres on it.
    across: Vec3,
    /// Length of the generator, and cosine and sine of its angle with the axis.
    length: f64,
    cosine: f64,
    sine: f64,
    /// All points are equally near to one on the axis, as in a cylinder.
    is_straight: bool,
    outward: f64,
}

impl Tube {
    pub(super) fn new(start: Vec3, end: Vec3, radii: [f64; 2], side: Side) -> Self {
        let height = (end - start).length();
        let axis = (end - start) / height;
        let slope = radii[1] - radii[0];
        let length = (height * height + slope * slope).sqrt();
        Self {
            ends: [start, start + axis * height],
            radii,
            axis,
            across: axis.any_orthonormal_vector(),
            length,
            cosine: height / length,
            sine: slope / length,
            is_straight: radii[0] == radii[1],
            outward: sign(side),
        }
    }

    #[inline(always)]
    pub(super) fn closest_point<const RIM: bool>(&self, x: Vec3) -> ChunkClosestPoint {
        let arm = x - self.ends[0];
        let along = arm.dot(self.axis);
        let radial = arm - self.axis * along;
        let from_axis = radial.length();
        let outward = choose(from_axis > 0.0, radial / from_axis, self.across);
        let beyond = from_axis - self.radii[0];
        let fraction = along * self.cosine + beyond * self.sine;
        let (is_before, is_after) = (fraction < 0.0, fraction > self.length);
        let is_at_rim = is_before | is_after;
        let normal = (outward * self.cosine - self.axis * self.sine) * self.outward;
        let height = beyond * self.cosine - along * self.sine;
        let is_nowhere = (from_axis == 0.0) & self.is_straight;
        let distance = if is_nowhere { f64::INFINITY } else { -self.outward * height };
        let over = ClosestPoint { normal, distance };
        if !RIM {
            return ChunkClosestPoint { closest: over, at_rim: is_at_rim };
        }
        let center = choose(is_before, self.ends[0], self.ends[1]);
        let radius = if is_before { self.radii[0] } else { self.radii[1] };
        let rim = towards(center + outward * radius, x, outward * self.outward);
        ChunkClosestPoint { closest: either(is_at_rim, rim, over), at_rim: is_at_rim }
    }
}
