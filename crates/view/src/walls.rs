//! Surfaces of walls for the page. A half-space is unlimited; it is drawn up to the extent of the other walls and the
//! particles, so that the end plates of a drum are discs and a floor extends under all particles.

use crate::ViewError;
use crate::feed::{FrameData, WallTriangles};
use esker::Vec3;
use esker::measure::Snapshot;
use esker::wall::Shape;
use esker_draw::{Bounds, wall_surface};

/// Margin around the particles on a single plane, as a fraction of their extent.
const MARGIN: f64 = 0.35;

/// Triangles of the walls of a snapshot.
pub fn of_snapshot(snapshot: &Snapshot) -> WallTriangles {
    let extent = Bounds::of(snapshot);
    let mut found = WallTriangles::default();
    for (index, wall) in snapshot.walls.iter().enumerate() {
        let surface = wall_surface(wall, &extent);
        for triangle in &surface.triangles {
            found.corners.extend(triangle.map(|v| surface.vertices[v as usize].to_array()));
            found.wall.push(index as u16);
        }
        found.endless.push(matches!(wall.shape, Shape::HalfSpace { .. }));
    }
    found
}

/// Outermost points of the particles of a frame in each of 26 directions.
pub fn outline(frame: &dyn FrameData) -> Result<Vec<[f64; 3]>, ViewError> {
    let (points, radii) = (frame.column("Points")?, frame.column("radius")?);
    let steps = [-1.0, 0.0, 1.0];
    let all = steps
        .iter()
        .flat_map(|x| steps.iter().flat_map(move |y| steps.map(|z| Vec3::new(*x, *y, z))));
    let mut found = Vec::new();
    for direction in all.filter_map(Vec3::try_normalize) {
        let spheres = points.values.chunks_exact(3).zip(&radii.values);
        let distances = spheres.map(|(p, r)| Vec3::from_slice(p) + *r * direction);
        let outermost = distances
            .filter(|point| point.is_finite())
            .max_by(|a, b| a.dot(direction).total_cmp(&b.dot(direction)));
        found.extend(outermost.map(|point| point.to_array()));
    }
    Ok(found)
}

/// Replaces the triangles of half-spaces by the part that the other walls and the particles, given by their outermost
/// points, cover.
pub fn trim(walls: WallTriangles, outline: &[[f64; 3]]) -> WallTriangles {
    let corners: Vec<Vec3> = walls.corners.iter().map(|corner| Vec3::from_array(*corner)).collect();
    let is_endless = |wall: u16| walls.endless.get(usize::from(wall)) == Some(&true);
    let facets: Vec<(&[Vec3], u16)> =
        corners.chunks_exact(3).zip(walls.wall.iter().copied()).collect();
    let planes: Vec<(Vec3, Vec3, u16)> = planes(&facets, is_endless);
    if planes.is_empty() {
        return walls;
    }
    let finite = facets.iter().filter(|(_, wall)| !is_endless(*wall));
    let mut solid: Vec<Vec3> = finite.flat_map(|(facet, _)| facet.iter().copied()).collect();
    let outline: Vec<Vec3> = outline.iter().map(|point| Vec3::from_array(*point)).collect();
    // A single plane: ground around the particles. With other walls, these and the particles limit it.
    if solid.is_empty() && planes.len() < 3 {
        solid = grown(&outline, MARGIN);
    } else {
        solid.extend(&outline);
    }
    let mut trimmed = WallTriangles { endless: walls.endless.clone(), ..WallTriangles::default() };
    for (facet, wall) in facets.iter().filter(|(_, wall)| !is_endless(*wall)) {
        trimmed.corners.extend(facet.iter().map(|corner| corner.to_array()));
        trimmed.wall.push(*wall);
    }
    for (point, normal, wall) in &planes {
        let others = planes.iter().filter(|(_, _, other)| other != wall);
        let mut polygon = hull(&solid, *point, *normal);
        for (other_point, other_normal, _) in others {
            if other_normal.cross(*normal).length() > 1e-6 {
                polygon = clip(&polygon, *other_point, *other_normal);
            }
        }
        for index in 1..polygon.len().saturating_sub(1) {
            let triangle = [polygon[0], polygon[index], polygon[index + 1]];
            trimmed.corners.extend(triangle.map(|corner| corner.to_array()));
            trimmed.wall.push(*wall);
        }
    }
    trimmed
}

/// Point, normal and index of each half-space, from its first triangle. The writer orders corners such that the normal
/// points into the domain; the sign matters only for clipping.
fn planes(facets: &[(&[Vec3], u16)], is_endless: impl Fn(u16) -> bool) -> Vec<(Vec3, Vec3, u16)> {
    let mut found: Vec<(Vec3, Vec3, u16)> = Vec::new();
    for (facet, wall) in facets.iter().filter(|(_, wall)| is_endless(*wall)) {
        if found.iter().any(|(_, _, known)| known == wall) {
            continue;
        }
        let normal = (facet[1] - facet[0]).cross(facet[2] - facet[0]);
        if let Some(normal) = normal.try_normalize() {
            found.push((facet[0], normal, *wall));
        }
    }
    found
}

fn grown(corners: &[Vec3], margin: f64) -> Vec<Vec3> {
    let center = corners.iter().fold(Vec3::ZERO, |sum, c| sum + c) / corners.len().max(1) as f64;
    // Based on the diagonal, so that a flat layer also has a margin.
    let extent = corners.iter().map(|c| (c - center).length()).fold(0.0, f64::max);
    // A square around each point.
    let moved = |c: &Vec3| {
        let side = margin * extent;
        [(-side, -side), (-side, side), (side, -side), (side, side)].map(|(x, y)| {
            [c + Vec3::new(x, y, 0.0), c + Vec3::new(0.0, x, y), c + Vec3::new(y, 0.0, x)]
        })
    };
    corners.iter().flat_map(moved).flatten().collect()
}

/// Convex hull of the projections of points on a plane, in order around the normal.
fn hull(points: &[Vec3], point: Vec3, normal: Vec3) -> Vec<Vec3> {
    let first = normal.any_orthonormal_vector();
    let second = normal.cross(first);
    let flat = |p: &Vec3| [(p - point).dot(first), (p - point).dot(second)];
    let mut flat: Vec<[f64; 2]> = points.iter().map(flat).collect();
    flat.retain(|p| p[0].is_finite() && p[1].is_finite());
    flat.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    flat.dedup();
    if flat.len() < 3 {
        return Vec::new();
    }
    // Andrew's monotone chain.
    let orientation = |a: [f64; 2], b: [f64; 2], c: [f64; 2]| {
        (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    };
    let chain = |points: &mut dyn Iterator<Item = [f64; 2]>| {
        let mut side: Vec<[f64; 2]> = Vec::new();
        for p in points {
            while side.len() > 1
                && orientation(side[side.len() - 2], side[side.len() - 1], p) <= 0.0
            {
                side.pop();
            }
            side.push(p);
        }
        side.pop();
        side
    };
    let mut outline = chain(&mut flat.iter().copied());
    outline.extend(chain(&mut flat.iter().rev().copied()));
    outline.into_iter().map(|[a, b]| point + a * first + b * second).collect()
}

/// The part of a polygon on the side of a plane that contains most of it.
fn clip(polygon: &[Vec3], point: Vec3, normal: Vec3) -> Vec<Vec3> {
    let mut heights: Vec<f64> = polygon.iter().map(|p| (p - point).dot(normal)).collect();
    let sum: f64 = heights.iter().sum();
    if sum < 0.0 {
        heights.iter_mut().for_each(|height| *height = -*height);
    }
    let mut kept = Vec::new();
    for index in 0..polygon.len() {
        let next = (index + 1) % polygon.len();
        let (a, b) = (heights[index], heights[next]);
        if a >= 0.0 {
            kept.push(polygon[index]);
        }
        if (a < 0.0) != (b < 0.0) {
            kept.push(polygon[index] + a / (a - b) * (polygon[next] - polygon[index]));
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use esker::measure::WallView;
    use esker::wall::{Pose, Side};

    fn wall(shape: Shape) -> WallView {
        WallView {
            name: String::new(),
            shape,
            pose: Pose::moved(Vec3::ZERO, Vec3::ZERO),
            force: Vec3::ZERO,
            torque: Vec3::ZERO,
            work: 0.0,
            present: true,
        }
    }

    #[test]
    fn the_end_plate_of_a_drum_is_its_disc() {
        let (start, end) = (Vec3::ZERO, Vec3::new(0.0, 0.2, 0.0));
        let shell = Shape::Cylinder { start, end, radius: 0.5, side: Side::Inside };
        let plate = Shape::HalfSpace { point: start, normal: Vec3::Y };
        let snapshot = Snapshot {
            walls: vec![wall(shell), wall(plate)],
            domain_min: Vec3::splat(-1.0),
            domain_max: Vec3::splat(1.0),
            ..Snapshot::default()
        };
        let trimmed = trim(of_snapshot(&snapshot), &[]);
        let plate: Vec<Vec3> = trimmed
            .corners
            .chunks_exact(3)
            .zip(&trimmed.wall)
            .filter(|(_, wall)| **wall == 1)
            .flat_map(|(facet, _)| facet.iter().map(|c| Vec3::from_array(*c)))
            .collect();
        let area: f64 =
            plate.chunks_exact(3).map(|t| 0.5 * (t[1] - t[0]).cross(t[2] - t[0]).length()).sum();
        // A circle of 64 segments has an area 0.16 % below the exact value.
        assert!((area / (std::f64::consts::PI * 0.25) - 1.0).abs() < 0.003, "{area}");
        assert!(plate.iter().all(|corner| corner.y.abs() < 1e-12));
    }
}
