//! The point of an analytic shape that is nearest to the centre of a particle.

use super::revolution::Generator;
use super::{Shape, Side, Touch};
use crate::Vec3;

/// How far behind an open one-sided surface a centre may be, in radii of the particle, and still
/// be held to have been pressed through it. A particle that has passed over the rim has its
/// centre a whole radius behind the surface, less the overlap; one that is pressed through has
/// it just behind. Half way tells the two apart.
const PRESSED_THROUGH: f64 = 0.5;

impl Shape {
    /// The nearest point, in the frame in which the shape is given.
    ///
    /// One-sided shapes give a negative distance for a centre that has passed through, and a
    /// normal that still points into the wall. Where the nearest point is not unique: `None` at
    /// the centre of a sphere and on the axis of a cylinder; on the axis of a cone and at a rim
    /// one fixed point of the circle, since a particle that drops on an outlet smaller than
    /// itself must not fall through because it is centred. `None` also for meshes and particles,
    /// which have contacts of their own.
    pub fn touch(&self, x: Vec3) -> Option<Touch> {
        let touch = match self {
            Self::HalfSpace { point, normal } => {
                Some(Touch { normal: -*normal, distance: (x - *point).dot(*normal) })
            }
            Self::Rectangle { corner, edges } => Some(rectangle(*corner, edges, x)),
            Self::Disc { center, normal, radius } => Some(disc(*center, *normal, *radius, x)),
            Self::Cylinder { start, end, radius, side } => {
                Generator::new(*start, *end, *radius, *radius).touch(*side, x)
            }
            Self::Cone { start, end, start_radius, end_radius, side } => {
                Generator::new(*start, *end, *start_radius, *end_radius).touch(*side, x)
            }
            Self::Sphere { center, radius, side } => sphere(*center, *radius, *side, x),
            Self::Mesh(_) | Self::Particles(_) => None,
        };
        touch.filter(|touch| touch.normal.is_finite() && touch.distance.is_finite())
    }

    /// The nearest point if a particle of this radius has it within `reach` of its surface [m].
    ///
    /// Solids (half-space, sphere) hold a particle at any depth. Cylinder and cone are open: a
    /// particle whose centre is more than half a radius behind them is on their other side, and
    /// does not feel them.
    pub fn contact(&self, x: Vec3, radius: f64, reach: f64) -> Option<Touch> {
        let deepest = match self {
            Self::Cylinder { .. } | Self::Cone { .. } => -PRESSED_THROUGH * radius,
            _ => f64::NEG_INFINITY,
        };
        self.touch(x).filter(|touch| touch.distance < radius + reach && touch.distance > deepest)
    }
}

/// From the centre `x` to a point of the surface; `otherwise` is the normal if they coincide.
pub(super) fn towards(point: Vec3, x: Vec3, otherwise: Vec3) -> Touch {
    let arm = point - x;
    let distance = arm.length();
    let normal = if distance > 0.0 { arm / distance } else { otherwise };
    Touch { normal, distance }
}

/// A plane felt from both sides, from a centre at this height over it.
pub(super) fn facing(normal: Vec3, height: f64) -> Touch {
    let normal = if height < 0.0 { normal } else { -normal };
    Touch { normal, distance: height.abs() }
}

fn rectangle(corner: Vec3, edges: &[Vec3; 2], x: Vec3) -> Touch {
    let normal = edges[0].cross(edges[1]).normalize_or_zero();
    let arm = x - corner;
    let shares = edges.map(|edge| arm.dot(edge) / edge.length_squared());
    if shares.iter().all(|share| (0.0..=1.0).contains(share)) {
        return facing(normal, arm.dot(normal));
    }
    let [s, t] = shares.map(|share| share.clamp(0.0, 1.0));
    towards(corner + edges[0] * s + edges[1] * t, x, -normal)
}

fn disc(center: Vec3, normal: Vec3, radius: f64, x: Vec3) -> Touch {
    let arm = x - center;
    let height = arm.dot(normal);
    let radial = arm - normal * height;
    let from_axis = radial.length();
    if from_axis <= radius {
        return facing(normal, height);
    }
    towards(center + radial * (radius / from_axis), x, -normal)
}

fn sphere(center: Vec3, radius: f64, side: Side, x: Vec3) -> Option<Touch> {
    let arm = x - center;
    let from_center = arm.length();
    if from_center == 0.0 {
        return None;
    }
    let outward = arm / from_center;
    Some(match side {
        Side::Inside => Touch { normal: outward, distance: radius - from_center },
        Side::Outside => Touch { normal: -outward, distance: from_center - radius },
    })
}

#[cfg(test)]
#[path = "nearest_tests.rs"]
mod tests;
