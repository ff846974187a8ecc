//! Triangles of a wall in its current pose, for drawing only; contact detection does not use them.

use super::bounds::Bounds;
use esker::Vec3;
use esker::measure::WallView;
use esker::wall::Shape;

/// Number of segments of a full circle.
const SEGMENTS: usize = 64;

/// A triangulated surface. Neighbouring triangles share their vertices.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Surface {
    /// Vertices [m].
    pub vertices: Vec<Vec3>,
    /// Three indices into the vertices each.
    pub triangles: Vec<[u32; 3]>,
}

/// The surface of a wall in its current pose; empty if a stage has removed the wall. A half-space is drawn up to
/// `extent`.
pub fn wall_surface(wall: &WallView, extent: &Bounds) -> Surface {
    if !wall.present {
        return Surface::default();
    }
    let pose = &wall.pose;
    if let Shape::HalfSpace { point, normal } = wall.shape {
        return plane(pose.to_world(point), pose.direction_to_world(normal), extent);
    }
    let mut surface = shape_surface(&wall.shape);
    for vertex in &mut surface.vertices {
        *vertex = pose.to_world(*vertex);
    }
    surface
}

fn shape_surface(shape: &Shape) -> Surface {
    // fixed and driven particles are drawn as particles
    if matches!(shape, Shape::Particles(_)) {
        return Surface::default();
    }
    let (vertices, triangles) = shape.surface((Vec3::ZERO, Vec3::ZERO), SEGMENTS);
    Surface { vertices, triangles }
}

/// The part of a plane that the extent covers, viewed along the normal.
fn plane(point: Vec3, normal: Vec3, extent: &Bounds) -> Surface {
    let (first, second) = tangents(normal);
    let extent = |axis: Vec3| {
        let along = extent.corners().map(|corner| (corner - point).dot(axis));
        let low = along.iter().fold(f64::INFINITY, |low, &a| low.min(a));
        let high = along.iter().fold(f64::NEG_INFINITY, |high, &a| high.max(a));
        (low, high)
    };
    let (low_first, high_first) = extent(first);
    let (low_second, high_second) = extent(second);
    let corner = point + low_first * first + low_second * second;
    let edges = [(high_first - low_first) * first, (high_second - low_second) * second];
    shape_surface(&Shape::Rectangle { corner, edges })
}

/// Two unit vectors normal to a given one and to each other, along the axes if the normal is along an axis, so that a
/// floor is drawn parallel to the adjacent box.
fn tangents(normal: Vec3) -> (Vec3, Vec3) {
    let size = normal.abs();
    let helper = if size.x <= size.y && size.x <= size.z {
        Vec3::X
    } else if size.y <= size.z {
        Vec3::Y
    } else {
        Vec3::Z
    };
    let first = (helper - helper.dot(normal) * normal).normalize_or(Vec3::X);
    (first, normal.cross(first))
}

#[cfg(test)]
mod tests {
    use super::*;
    use esker::wall::Side;
    use std::f64::consts::{PI, TAU};

    fn area(surface: &Surface) -> f64 {
        let corner = |index: u32| surface.vertices[index as usize];
        surface
            .triangles
            .iter()
            .map(|&[a, b, c]| 0.5 * (corner(b) - corner(a)).cross(corner(c) - corner(a)).length())
            .sum()
    }

    /// A circle of 64 segments has an area 0.16 % and a length 0.04 % below the exact values.
    const TESSELLATION: f64 = 0.005;

    #[test]
    fn drawn_surfaces_have_the_area_of_their_shapes() {
        let up = Vec3::new(0.3, -0.2, 1.0).normalize();
        let disc = Shape::Disc { center: Vec3::ONE, normal: up, radius: 2.0 };
        let cylinder = Shape::Cylinder {
            start: Vec3::ONE,
            end: Vec3::ONE + 3.0 * up,
            radius: 2.0,
            side: Side::Inside,
        };
        let cone = Shape::Cone {
            start: Vec3::ONE,
            end: Vec3::ONE + 3.0 * up,
            start_radius: 4.0,
            end_radius: 0.0,
            side: Side::Inside,
        };
        let ball = Shape::Sphere { center: Vec3::ONE, radius: 2.0, side: Side::Outside };
        for (shape, expected) in [
            (disc, PI * 4.0),
            (cylinder, TAU * 2.0 * 3.0),
            (cone, PI * 4.0 * 5.0),
            (ball, 4.0 * PI * 4.0),
        ] {
            let found = area(&shape_surface(&shape));
            assert!(
                (found / expected - 1.0).abs() < TESSELLATION,
                "{shape:?}: {found} for {expected}"
            );
        }
    }

    #[test]
    fn a_floor_is_drawn_parallel_to_the_box_it_closes() {
        let extent = Bounds { min: Vec3::new(-1.0, 0.0, -3.0), max: Vec3::new(2.0, 5.0, 4.0) };
        let floor = plane(Vec3::new(9.0, -1.0, 9.0), Vec3::Y, &extent);
        let drawn =
            floor.vertices.iter().fold(Bounds::NOTHING, |bounds, &vertex| bounds.with(vertex, 0.0));
        assert_eq!(drawn.min, Vec3::new(-1.0, -1.0, -3.0));
        assert_eq!(drawn.max, Vec3::new(2.0, -1.0, 4.0));
    }
}
