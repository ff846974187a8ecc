//! Triangles of a wall where it is now, for drawing only: contact never looks at them.

use super::bounds::Bounds;
use esker::Vec3;
use esker::measure::WallView;
use esker::wall::Shape;
use libm::{cos, sin};
use std::f64::consts::{PI, TAU};

/// Straight pieces of a full circle.
const SEGMENTS: u32 = 64;
/// Rings of a sphere from pole to pole.
const RINGS: u32 = 32;

/// A triangulated surface. Neighbouring triangles share their vertices.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Surface {
    /// Vertices [m].
    pub vertices: Vec<Vec3>,
    /// Three indices into the vertices each.
    pub triangles: Vec<[u32; 3]>,
}

/// The surface of a wall in its present pose. A half-space has no end: it is drawn as far as
/// `extent` reaches along it.
pub fn wall_surface(wall: &WallView, extent: &Bounds) -> Surface {
    let pose = &wall.pose;
    let place = |point: Vec3| pose.rotation * point + pose.translation;
    if let Shape::HalfSpace { point, normal } = wall.shape {
        return plane(place(point), pose.rotation * normal, extent);
    }
    let mut surface = shape_surface(&wall.shape);
    for vertex in &mut surface.vertices {
        *vertex = place(*vertex);
    }
    surface
}

fn shape_surface(shape: &Shape) -> Surface {
    match *shape {
        Shape::Rectangle { corner, edges } => rectangle(corner, edges),
        Shape::Disc { center, normal, radius } => frustum([center, center], [radius, 0.0], normal),
        Shape::Cylinder { start, end, radius, .. } => {
            frustum([start, end], [radius, radius], end - start)
        }
        Shape::Cone { start, end, start_radius, end_radius, .. } => {
            frustum([start, end], [start_radius, end_radius], end - start)
        }
        Shape::Sphere { center, radius, .. } => sphere(center, radius),
        // Fixed and driven particles are drawn as the particles they are. The triangles of a
        // mesh are not yet public; they come with `Shape::surface`.
        Shape::Particles(_) | Shape::Mesh(_) | Shape::HalfSpace { .. } => Surface::default(),
    }
}

fn rectangle(corner: Vec3, [first, second]: [Vec3; 2]) -> Surface {
    Surface {
        vertices: vec![corner, corner + first, corner + first + second, corner + second],
        triangles: vec![[0, 1, 2], [0, 2, 3]],
    }
}

/// The part of a plane that the extent covers when seen along the normal.
fn plane(point: Vec3, normal: Vec3, extent: &Bounds) -> Surface {
    let (first, second) = tangents(normal);
    let reach = |axis: Vec3| {
        let along = extent.corners().map(|corner| (corner - point).dot(axis));
        let low = along.iter().fold(f64::INFINITY, |low, &a| low.min(a));
        let high = along.iter().fold(f64::NEG_INFINITY, |high, &a| high.max(a));
        (low, high)
    };
    let (low_first, high_first) = reach(first);
    let (low_second, high_second) = reach(second);
    rectangle(
        point + low_first * first + low_second * second,
        [(high_first - low_first) * first, (high_second - low_second) * second],
    )
}

/// Two unit vectors at right angles to a normal and to each other, along the axes where the
/// normal is along an axis, so that a floor is drawn parallel to the box it closes.
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

/// The lateral surface between two circles about one axis; a circle of no radius is a point.
fn frustum(centers: [Vec3; 2], radii: [f64; 2], axis: Vec3) -> Surface {
    let (first, second) = tangents(axis.normalize_or(Vec3::Z));
    let mut surface = Surface::default();
    let mut start = [0; 2];
    for end in 0..2 {
        start[end] = surface.vertices.len() as u32;
        if radii[end] <= 0.0 {
            surface.vertices.push(centers[end]);
            continue;
        }
        for segment in 0..SEGMENTS {
            let angle = TAU * f64::from(segment) / f64::from(SEGMENTS);
            let spoke = cos(angle) * first + sin(angle) * second;
            surface.vertices.push(centers[end] + radii[end] * spoke);
        }
    }
    let vertex = |end: usize, segment: u32| {
        if radii[end] > 0.0 { start[end] + segment % SEGMENTS } else { start[end] }
    };
    for segment in 0..SEGMENTS {
        let next = segment + 1;
        if radii[0] > 0.0 {
            let triangle = [vertex(0, segment), vertex(0, next), vertex(1, segment)];
            surface.triangles.push(triangle);
        }
        if radii[1] > 0.0 {
            let triangle = [vertex(0, next), vertex(1, next), vertex(1, segment)];
            surface.triangles.push(triangle);
        }
    }
    surface
}

fn sphere(center: Vec3, radius: f64) -> Surface {
    let mut surface = Surface {
        vertices: vec![center - radius * Vec3::Z, center + radius * Vec3::Z],
        triangles: Vec::new(),
    };
    for ring in 1..RINGS {
        let polar = PI * f64::from(ring) / f64::from(RINGS);
        for segment in 0..SEGMENTS {
            let angle = TAU * f64::from(segment) / f64::from(SEGMENTS);
            let direction =
                Vec3::new(sin(polar) * cos(angle), sin(polar) * sin(angle), -cos(polar));
            surface.vertices.push(center + radius * direction);
        }
    }
    let vertex = |ring: u32, segment: u32| 2 + (ring - 1) * SEGMENTS + segment % SEGMENTS;
    for segment in 0..SEGMENTS {
        let next = segment + 1;
        surface.triangles.push([0, vertex(1, next), vertex(1, segment)]);
        let last = RINGS - 1;
        surface.triangles.push([1, vertex(last, segment), vertex(last, next)]);
        for ring in 1..last {
            let (a, b) = (vertex(ring, segment), vertex(ring, next));
            let (c, d) = (vertex(ring + 1, next), vertex(ring + 1, segment));
            surface.triangles.push([a, b, c]);
            surface.triangles.push([a, c, d]);
        }
    }
    surface
}

#[cfg(test)]
mod tests {
    use super::*;
    use esker::wall::Side;

    fn area(surface: &Surface) -> f64 {
        let corner = |index: u32| surface.vertices[index as usize];
        surface
            .triangles
            .iter()
            .map(|&[a, b, c]| 0.5 * (corner(b) - corner(a)).cross(corner(c) - corner(a)).length())
            .sum()
    }

    /// A circle of 64 pieces has an area 0.16 % and a length 0.04 % below the true one.
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
