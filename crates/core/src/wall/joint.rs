//! Joined walls: they move together and may have points in common, so that a contact must be a local minimum of the
//! distance over all of them.
//!
//! Two walls are joined if they move together and the box around a part of the border of one (an edge of a rectangle,
//! the rim of a disc or a cylinder, a mesh) intersects the box around the other, or if both are the same plane or
//! sphere. Joining walls that have no point in common costs a little time and changes nothing. Walls are compared at
//! the positions at which their current motion began, so that a resumed run joins the same ones.

use super::live::LiveWall;
use super::mesh::SEAM;
use super::shape::around;
use super::{Pose, Shape};
use crate::Vec3;

/// Largest distance of boxes that count as intersecting, as a fraction of the largest coordinate.
const MARGIN: f64 = 1e-6;

/// A box with sides along the axes: its lowest and highest corner [m].
type Bounds = (Vec3, Vec3);

/// Geometry by which a wall is joined to others.
struct Outline {
    /// Box around the wall; `None` for a half-space.
    bounds: Option<Bounds>,
    /// Box around each part of its border.
    border: Vec<Bounds>,
}

/// Assigns to each wall the number of its group of joined walls, zero for a wall that is joined to none, and the
/// distance at which borders of this group coincide.
pub(crate) fn join_walls(walls: &mut [LiveWall]) {
    let outlines: Vec<Outline> = walls.iter().map(Outline::new).collect();
    let bounds = outlines.iter().filter_map(|outline| outline.bounds);
    let size =
        bounds.map(|(low, high)| low.abs().max(high.abs()).max_element()).fold(0.0, f64::max);
    let mut group: Vec<usize> = (0..walls.len()).collect();
    for second in 0..walls.len() {
        for first in 0..second {
            if group[first] != group[second]
                && move_together(&walls[first], &walls[second])
                && may_meet(walls, &outlines, [first, second], MARGIN * size)
            {
                let (kept, gone) =
                    (group[first].min(group[second]), group[first].max(group[second]));
                group.iter_mut().filter(|group| **group == gone).for_each(|group| *group = kept);
            }
        }
    }
    for (index, wall) in walls.iter_mut().enumerate() {
        let members = group.iter().filter(|other| **other == group[index]).count();
        wall.joint = if members > 1 { group[index] as u32 + 1 } else { 0 };
        wall.seam_width = SEAM * size;
    }
}

/// True if two present walls keep their relative position.
fn move_together(first: &LiveWall, second: &LiveWall) -> bool {
    let (one, other) = (&first.wall.motion, &second.wall.motion);
    let is_surface = |wall: &LiveWall| wall.present && !wall.is_made_of_particles();
    is_surface(first)
        && is_surface(second)
        && ((one.is_still() && other.is_still())
            || (one.is_same_as(other) && first.since == second.since))
}

fn may_meet(walls: &[LiveWall], outlines: &[Outline], pair: [usize; 2], margin: f64) -> bool {
    let [first, second] = pair.map(|index| &outlines[index]);
    let [one, other] = pair.map(|index| &walls[index]);
    if let (Some(a), Some(b)) = (first.bounds, second.bounds)
        && !boxes_meet(a, b, margin)
    {
        return false;
    }
    let closest_points = |border: &[Bounds], outline: &Outline, wall: &LiveWall| {
        border.iter().any(|part| match outline.bounds {
            Some(bounds) => boxes_meet(*part, bounds, margin),
            None => plane_meets(wall, *part, margin),
        })
    };
    closest_points(&first.border, second, other)
        || closest_points(&second.border, first, one)
        || coincide(one, other, margin)
}

fn boxes_meet(a: Bounds, b: Bounds, margin: f64) -> bool {
    let margin = Vec3::splat(margin);
    (a.0 - margin).cmple(b.1).all() && (b.0 - margin).cmple(a.1).all()
}

/// True if the plane of a half-space intersects a box.
fn plane_meets(wall: &LiveWall, bounds: Bounds, margin: f64) -> bool {
    let Shape::HalfSpace { point, normal } = wall.wall.shape else { return false };
    let (point, normal) = (wall.base.to_world(point), wall.base.direction_to_world(normal));
    let heights = corners(bounds).map(|corner| (corner - point).dot(normal));
    let low = heights.iter().copied().fold(f64::INFINITY, f64::min);
    let high = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    low <= margin && high >= -margin
}

/// True if two shapes without a border are the same surface.
fn coincide(first: &LiveWall, second: &LiveWall, margin: f64) -> bool {
    let [a, b] = [&first.base, &second.base];
    match (&first.wall.shape, &second.wall.shape) {
        (
            Shape::HalfSpace { point, normal },
            Shape::HalfSpace { point: other, normal: other_normal },
        ) => {
            let up = a.direction_to_world(*normal);
            let apart = (a.to_world(*point) - b.to_world(*other)).dot(up);
            (up - b.direction_to_world(*other_normal)).length() <= MARGIN
                && apart.abs() <= margin.max(MARGIN * (point.length() + other.length()))
        }
        (
            Shape::Sphere { center, radius, side },
            Shape::Sphere { center: other, radius: other_radius, side: other_side },
        ) => {
            side == other_side
                && (radius - other_radius).abs() <= margin
                && a.to_world(*center).distance(b.to_world(*other)) <= margin
        }
        _ => false,
    }
}

impl Outline {
    fn new(wall: &LiveWall) -> Self {
        let moved = |bounds: Bounds| moved(&wall.base, bounds);
        let shape = &wall.wall.shape;
        let border = match shape {
            Shape::Rectangle { corner, edges: [a, b] } => {
                let all = [*corner, *corner + *a, *corner + *a + *b, *corner + *b];
                (0..4).filter_map(|k| around([all[k], all[(k + 1) % 4]])).collect()
            }
            Shape::Disc { .. } | Shape::Mesh(_) | Shape::Surface(_) => {
                shape.bounds().into_iter().collect()
            }
            Shape::Cylinder { start, end, radius, .. } => rims(*start, *end, [*radius; 2]).to_vec(),
            Shape::Cone { start, end, start_radius, end_radius, .. } => {
                rims(*start, *end, [*start_radius, *end_radius]).to_vec()
            }
            Shape::HalfSpace { .. } | Shape::Sphere { .. } | Shape::Particles(_) => Vec::new(),
        };
        Self { bounds: shape.bounds().map(moved), border: border.into_iter().map(moved).collect() }
    }
}

/// The boxes around both rims of a cylinder or a cone.
fn rims(start: Vec3, end: Vec3, radii: [f64; 2]) -> [Bounds; 2] {
    let normal = (end - start).normalize_or_zero();
    let rim = |center: Vec3, radius: f64| {
        let disc = Shape::Disc { center, normal, radius };
        disc.bounds().unwrap_or((center, center))
    };
    [rim(start, radii[0]), rim(end, radii[1])]
}

/// The box around a moved box.
fn moved(pose: &Pose, bounds: Bounds) -> Bounds {
    let corners = corners(bounds).map(|corner| pose.to_world(corner));
    around(corners).unwrap_or(bounds)
}

fn corners((low, high): Bounds) -> [Vec3; 8] {
    std::array::from_fn(|k| {
        let choose =
            |bit: usize, axis: usize| if k >> bit & 1 == 0 { low[axis] } else { high[axis] };
        Vec3::new(choose(0, 0), choose(1, 1), choose(2, 2))
    })
}

#[cfg(test)]
#[path = "joint_tests.rs"]
mod tests;
