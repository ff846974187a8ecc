//! Analytic shapes, prepared for contact detection: values that do not depend on the particle are computed once; the rest
//! is free of branches, so that it can be vectorised over a chunk of particles. A single particle is tested by the same
//! functions, with the same bits.

use super::tube::Tube;
use super::{ClosestPoint, Shape, Side, Surface};
use crate::Vec3;
use crate::law::{Column, Vector, WIDTH};
use crate::simd::multiversion;
use crate::wall::Pose;
use std::sync::Arc;

/// An analytic shape, prepared.
#[derive(Debug, Clone)]
pub(crate) enum Form {
    HalfSpace(HalfSpace),
    Rectangle(Rectangle),
    Disc(Disc),
    /// The lateral surface of a cylinder or a cone.
    Tube(Tube),
    Sphere(Sphere),
    Surface(Arc<dyn Surface>),
    /// Meshes and particles, which have separate contact detection.
    Other,
}

/// The closest point of a shape to a centre. If there is none, the distance is infinite.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ChunkClosestPoint {
    pub(super) closest: ClosestPoint,
    /// The nearest point is on a rim or an edge, which requires another test.
    pub(super) at_rim: bool,
}

impl ChunkClosestPoint {
    fn inside(closest: ClosestPoint) -> Self {
        Self { closest, at_rim: false }
    }
}

/// A chunk of centres and radii, column by column.
pub(crate) type Positions = [Column; 4];

/// The closest points to a chunk of centres, in world axes. The distance is infinite if there is
/// none.
#[derive(Debug)]
#[repr(C, align(64))]
pub(crate) struct ClosestPoints {
    pub normal: Vector,
    pub distance: Column,
}

impl ClosestPoints {
    pub(crate) const NONE: Self =
        Self { normal: [[0.0; WIDTH]; 3], distance: [f64::INFINITY; WIDTH] };

    pub(crate) fn at(&self, lane: usize) -> ClosestPoint {
        let [x, y, z] = &self.normal;
        ClosestPoint { normal: Vec3::new(x[lane], y[lane], z[lane]), distance: self.distance[lane] }
    }
}

impl Form {
    pub(crate) fn new(shape: &Shape) -> Self {
        match shape {
            Shape::HalfSpace { point, normal } => {
                Self::HalfSpace(HalfSpace { point: *point, normal: *normal })
            }
            Shape::Rectangle { corner, edges } => Self::Rectangle(Rectangle {
                corner: *corner,
                edges: *edges,
                normal: edges[0].cross(edges[1]).normalize_or_zero(),
            }),
            Shape::Disc { center, normal, radius } => {
                Self::Disc(Disc { center: *center, normal: *normal, radius: *radius })
            }
            Shape::Cylinder { start, end, radius, side } => {
                Self::Tube(Tube::new(*start, *end, [*radius; 2], *side))
            }
            Shape::Cone { start, end, start_radius, end_radius, side } => {
                Self::Tube(Tube::new(*start, *end, [*start_radius, *end_radius], *side))
            }
            Shape::Sphere { center, radius, side } => {
                Self::Sphere(Sphere { center: *center, radius: *radius, outward: sign(*side) })
            }
            Shape::Surface(surface) => Self::Surface(Arc::clone(surface)),
            Shape::Mesh(_) | Shape::Particles(_) => Self::Other,
        }
    }

    /// The nearest point of the shape, in its frame; see [`Shape::closest_point`].
    pub(super) fn closest_point(&self, x: Vec3) -> Option<ClosestPoint> {
        self.closest_point_and_rim(x).map(|(closest, _)| closest)
    }

    /// As `closest_point`, and whether the nearest point is on an edge or a rim.
    pub(crate) fn closest_point_and_rim(&self, x: Vec3) -> Option<(ClosestPoint, bool)> {
        let ChunkClosestPoint { closest, at_rim } = match self {
            Self::HalfSpace(form) => form.closest_point::<true>(x),
            Self::Rectangle(form) => form.closest_point::<true>(x),
            Self::Disc(form) => form.closest_point::<true>(x),
            Self::Tube(form) => form.closest_point::<true>(x),
            Self::Sphere(form) => form.closest_point::<true>(x),
            Self::Surface(surface) => {
                let point = surface.closest_point(x)?;
                ChunkClosestPoint { closest: point.closest, at_rim: point.at_edge }
            }
            Self::Other => return None,
        };
        is_finite(&closest).then_some((closest, at_rim))
    }

    /// As `closest_point` for a chunk of particles in world axes. A surface that is more than `deepest`
    /// radii behind a centre does not act.
    pub(crate) fn closest_points_of_chunk(
        &self,
        pose: &Pose,
        deepest: f64,
        positions: &Positions,
        closest_points: &mut ClosestPoints,
    ) {
        let is_at_rim = match self {
            Self::HalfSpace(form) => half_spaces(form, pose, deepest, positions, closest_points),
            Self::Rectangle(form) => rectangles(form, pose, deepest, positions, closest_points),
            Self::Disc(form) => discs(form, pose, deepest, positions, closest_points),
            Self::Tube(form) => tubes(form, pose, deepest, positions, closest_points),
            Self::Sphere(form) => spheres(form, pose, deepest, positions, closest_points),
            Self::Surface(surface) => {
                closest_points_of_surface(&**surface, pose, positions, closest_points);
                false
            }
            Self::Other => {
                closest_points.distance = [f64::INFINITY; WIDTH];
                false
            }
        };
        // contacts with rims are rare, and their test takes as long as the rest
        match self {
            Self::Rectangle(form) if is_at_rim => {
                edges_of_rectangles(form, pose, deepest, positions, closest_points);
            }
            Self::Disc(form) if is_at_rim => {
                rims_of_discs(form, pose, deepest, positions, closest_points);
            }
            Self::Tube(form) if is_at_rim => {
                rims_of_tubes(form, pose, deepest, positions, closest_points);
            }
            _ => {}
        }
    }
}

/// The closest points of a surface of any type, lane by lane.
fn closest_points_of_surface(
    surface: &dyn Surface,
    pose: &Pose,
    positions: &Positions,
    closest_points: &mut ClosestPoints,
) {
    let [x, y, z, _] = positions;
    for c in 0..WIDTH {
        let point = surface.closest_point(pose.to_local(Vec3::new(x[c], y[c], z[c])));
        let closest = point.map(|point| point.closest).filter(is_finite);
        closest_points.distance[c] = closest.map_or(f64::INFINITY, |closest| closest.distance);
        let normal = closest.map_or(Vec3::ZERO, |closest| pose.direction_to_world(closest.normal));
        for axis in 0..3 {
            closest_points.normal[axis][c] = normal[axis];
        }
    }
}

macro_rules! for_a_chunk {
    ($name:ident, $form:ty, $with_rim:literal) => {
        multiversion! {
            /// Returns whether a nearest point is on a rim; then the test must be repeated with rims.
            fn $name(
                form: &$form,
                pose: &Pose,
                deepest: f64,
                positions: &Positions,
                closest_points: &mut ClosestPoints,
            ) -> bool {
                let [x, y, z, radius] = positions;
                let mut rims = 0;
                for c in 0..WIDTH {
                    let found = form.closest_point::<$with_rim>(pose.to_local(Vec3::new(x[c], y[c], z[c])));
                    let closest = found.closest;
                    let normal = pose.direction_to_world(closest.normal);
                    for axis in 0..3 {
                        closest_points.normal[axis][c] = normal[axis];
                    }
                    let acts = is_finite(&closest) & (closest.distance > deepest * radius[c]);
                    closest_points.distance[c] = if acts { closest.distance } else { f64::INFINITY };
                    rims |= u64::from(found.at_rim);
                }
                rims > 0
            }
        }
    };
}

for_a_chunk!(half_spaces, HalfSpace, false);
for_a_chunk!(rectangles, Rectangle, false);
for_a_chunk!(edges_of_rectangles, Rectangle, true);
for_a_chunk!(discs, Disc, false);
for_a_chunk!(rims_of_discs, Disc, true);
for_a_chunk!(tubes, Tube, false);
for_a_chunk!(rims_of_tubes, Tube, true);
for_a_chunk!(spheres, Sphere, false);

#[inline(always)]
fn is_finite(closest: &ClosestPoint) -> bool {
    let ClosestPoint { normal, distance } = closest;
    normal.x.is_finite() & normal.y.is_finite() & normal.z.is_finite() & distance.is_finite()
}

/// One if the outward direction of a closed surface points into the wall, else minus one.
pub(super) fn sign(side: Side) -> f64 {
    match side {
        Side::Inside => 1.0,
        Side::Outside => -1.0,
    }
}

#[inline(always)]
pub(super) fn choose(first: bool, one: Vec3, other: Vec3) -> Vec3 {
    let part = |a: f64, b: f64| if first { a } else { b };
    Vec3::new(part(one.x, other.x), part(one.y, other.y), part(one.z, other.z))
}

#[inline(always)]
pub(super) fn either(first: bool, one: ClosestPoint, other: ClosestPoint) -> ClosestPoint {
    ClosestPoint {
        normal: choose(first, one.normal, other.normal),
        distance: if first { one.distance } else { other.distance },
    }
}

/// From the centre `x` to a point of the surface; `otherwise` is the normal if they coincide.
#[inline(always)]
pub(super) fn towards(point: Vec3, x: Vec3, otherwise: Vec3) -> ClosestPoint {
    let arm = point - x;
    let distance = arm.length();
    ClosestPoint { normal: choose(distance > 0.0, arm / distance, otherwise), distance }
}

/// A plane that acts on both sides, from a centre at this height above it.
#[inline(always)]
fn facing(normal: Vec3, height: f64) -> ClosestPoint {
    ClosestPoint { normal: choose(height < 0.0, normal, -normal), distance: height.abs() }
}

/// See [`Shape::HalfSpace`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct HalfSpace {
    point: Vec3,
    normal: Vec3,
}

impl HalfSpace {
    #[inline(always)]
    fn closest_point<const RIM: bool>(&self, x: Vec3) -> ChunkClosestPoint {
        let distance = (x - self.point).dot(self.normal);
        ChunkClosestPoint::inside(ClosestPoint { normal: -self.normal, distance })
    }
}

/// See [`Shape::Rectangle`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rectangle {
    corner: Vec3,
    edges: [Vec3; 2],
    normal: Vec3,
}

impl Rectangle {
    #[inline(always)]
    fn closest_point<const RIM: bool>(&self, x: Vec3) -> ChunkClosestPoint {
        let [first, second] = self.edges;
        let arm = x - self.corner;
        let s = arm.dot(first) / first.length_squared();
        let t = arm.dot(second) / second.length_squared();
        let is_over = (0.0..=1.0).contains(&s) & (0.0..=1.0).contains(&t);
        let over = facing(self.normal, arm.dot(self.normal));
        if !RIM {
            return ChunkClosestPoint { closest: over, at_rim: !is_over };
        }
        let clamped = |fraction: f64| {
            let fraction = if fraction < 0.0 { 0.0 } else { fraction };
            if fraction > 1.0 { 1.0 } else { fraction }
        };
        let [s, t] = [clamped(s), clamped(t)];
        let edge = towards(self.corner + first * s + second * t, x, -self.normal);
        ChunkClosestPoint { closest: either(is_over, over, edge), at_rim: !is_over }
    }
}

/// See [`Shape::Disc`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct Disc {
    center: Vec3,
    normal: Vec3,
    radius: f64,
}

impl Disc {
    #[inline(always)]
    fn closest_point<const RIM: bool>(&self, x: Vec3) -> ChunkClosestPoint {
        let arm = x - self.center;
        let height = arm.dot(self.normal);
        let radial = arm - self.normal * height;
        let from_axis = radial.length();
        let is_over = from_axis <= self.radius;
        let over = facing(self.normal, height);
        if !RIM {
            return ChunkClosestPoint { closest: over, at_rim: !is_over };
        }
        let rim = towards(self.center + radial * (self.radius / from_axis), x, -self.normal);
        ChunkClosestPoint { closest: either(is_over, over, rim), at_rim: !is_over }
    }
}

/// See [`Shape::Sphere`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sphere {
    center: Vec3,
    radius: f64,
    outward: f64,
}

impl Sphere {
    #[inline(always)]
    fn closest_point<const RIM: bool>(&self, x: Vec3) -> ChunkClosestPoint {
        let arm = x - self.center;
        let from_center = arm.length();
        let outward = arm / from_center;
        let distance = self.outward * (self.radius - from_center);
        ChunkClosestPoint::inside(ClosestPoint {
            normal: outward * self.outward,
            distance: if from_center == 0.0 { f64::INFINITY } else { distance },
        })
    }
}

#[cfg(test)]
#[path = "form_tests.rs"]
mod tests;
