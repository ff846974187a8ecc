//! Triangles for drawing a wall; never used for contacts.

use super::Shape;
use crate::Vec3;
use std::f64::consts::{PI, TAU};

/// Smallest number of segments of a circle that enclose an area.
const FEWEST_SEGMENTS: usize = 3;
/// Largest distance of two corners of a clipped plane that are merged, as a fraction of the size of the extent.
const SAME_CORNER: f64 = 1e-12;

impl Shape {
    /// Vertices [m] and triangles for drawing the shape; circles have this number of segments. A half-space is drawn as
    /// the part of its plane inside the box `extent`.
    pub fn surface(&self, extent: (Vec3, Vec3), segments: usize) -> (Vec<Vec3>, Vec<[u32; 3]>) {
        let mut drawing = Drawing { segments: segments.max(FEWEST_SEGMENTS), ..Drawing::default() };
        match self {
            Self::HalfSpace { point, normal } => {
                drawing.fan(&plane_in_box(*point, *normal, extent));
            }
            Self::Rectangle { corner, edges: [first, second] } => {
                let corner = *corner;
                drawing.fan(&[
                    corner,
                    corner + *first,
                    corner + *first + *second,
                    corner + *second,
                ]);
            }
            Self::Disc { center, normal, radius } => {
                let rim = drawing.circle(*center, *normal, *radius);
                drawing.fan(&rim);
            }
            Self::Cylinder { start, end, radius, .. } => {
                drawing.tube([*start, *end], [*radius; 2]);
            }
            Self::Cone { start, end, start_radius, end_radius, .. } => {
                drawing.tube([*start, *end], [*start_radius, *end_radius]);
            }
            Self::Sphere { center, radius, .. } => drawing.sphere(*center, *radius),
            Self::Surface(surface) => return surface.triangles(drawing.segments),
            Self::Mesh(mesh) => return (mesh.vertices().to_vec(), mesh.triangles().to_vec()),
            Self::Particles(spheres) => {
                spheres.iter().for_each(|sphere| drawing.sphere(sphere.position, sphere.radius));
            }
        }
        (drawing.vertices, drawing.triangles)
    }
}

#[derive(Default)]
struct Drawing {
    segments: usize,
    vertices: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
}

impl Drawing {
    fn circle(&self, center: Vec3, normal: Vec3, radius: f64) -> Vec<Vec3> {
        let (first, second) = normal.any_orthonormal_pair();
        let point = |segment: usize| {
            let angle = TAU * segment as f64 / self.segments as f64;
            center + (first * libm::cos(angle) + second * libm::sin(angle)) * radius
        };
        (0..self.segments).map(point).collect()
    }

    /// A convex polygon.
    fn fan(&mut self, corners: &[Vec3]) {
        let base = self.vertices.len() as u32;
        self.vertices.extend_from_slice(corners);
        for second in 2..corners.len() as u32 {
            self.triangles.push([base, base + second - 1, base + second]);
        }
    }

    fn tube(&mut self, [start, end]: [Vec3; 2], radii: [f64; 2]) {
        let height = (end - start).length();
        let axis = (end - start) / height;
        let rings = [
            self.circle(start, axis, radii[0]),
            self.circle(start + axis * height, axis, radii[1]),
        ];
        self.rings(&rings);
    }

    fn sphere(&mut self, center: Vec3, radius: f64) {
        let belts = self.segments.div_ceil(2).max(2);
        let rings: Vec<_> = (0..=belts)
            .map(|belt| {
                let angle = PI * belt as f64 / belts as f64;
                let ring_center = center - Vec3::Z * (radius * libm::cos(angle));
                self.circle(ring_center, Vec3::Z, radius * libm::sin(angle))
            })
            .collect();
        self.rings(&rings);
    }

    /// Connects each ring to the next.
    fn rings(&mut self, rings: &[Vec<Vec3>]) {
        let count = self.segments as u32;
        let base = self.vertices.len() as u32;
        rings.iter().for_each(|ring| self.vertices.extend_from_slice(ring));
        for ring in 1..rings.len() as u32 {
            let (below, above) = (base + (ring - 1) * count, base + ring * count);
            for segment in 0..count {
                let next = (segment + 1) % count;
                self.triangles.push([below + segment, below + next, above + next]);
                self.triangles.push([below + segment, above + next, above + segment]);
            }
        }
    }
}

/// The convex polygon in which a plane intersects a box, in order around the normal.
fn plane_in_box(point: Vec3, normal: Vec3, (min, max): (Vec3, Vec3)) -> Vec<Vec3> {
    let corner = |index: usize| {
        let choose = |bit: usize| if index >> bit & 1 == 0 { min } else { max };
        Vec3::new(choose(0).x, choose(1).y, choose(2).z)
    };
    let mut partition: Vec<Vec3> = Vec::new();
    for index in 0..8 {
        for bit in (0..3).filter(|bit| index >> bit & 1 == 0) {
            let (from, to) = (corner(index), corner(index | 1 << bit));
            let heights = [(from - point).dot(normal), (to - point).dot(normal)];
            if heights[0] == heights[1] || heights[0] * heights[1] > 0.0 {
                continue;
            }
            let cut = from + (to - from) * (heights[0] / (heights[0] - heights[1]));
            let near = (max - min).length() * SAME_CORNER;
            if partition.iter().all(|other| other.distance(cut) > near) {
                partition.push(cut);
            }
        }
    }
    let center = partition.iter().copied().sum::<Vec3>() / partition.len().max(1) as f64;
    let (first, second) = normal.any_orthonormal_pair();
    let angle = |cut: &Vec3| libm::atan2((*cut - center).dot(second), (*cut - center).dot(first));
    partition.sort_by(|a, b| angle(a).total_cmp(&angle(b)));
    partition
}

#[cfg(test)]
mod tests {
    use super::super::Side;
    use super::*;

    const EXTENT: (Vec3, Vec3) = (Vec3::new(-1.0, -1.0, -1.0), Vec3::new(1.0, 1.0, 1.0));

    fn area(shape: &Shape, segments: usize) -> f64 {
        let (vertices, triangles) = shape.surface(EXTENT, segments);
        let corner = |index: u32| vertices[index as usize];
        let double_area = |t: &[u32; 3]| {
            (corner(t[1]) - corner(t[0])).cross(corner(t[2]) - corner(t[0])).length()
        };
        triangles.iter().map(double_area).sum::<f64>() / 2.0
    }

    #[test]
    fn a_level_half_space_is_drawn_as_the_square_of_the_extent() {
        let floor = Shape::HalfSpace { point: Vec3::Z * 0.25, normal: Vec3::Z };
        assert!((area(&floor, 8) - 4.0).abs() < 1e-14);
        let at_face = Shape::HalfSpace { point: Vec3::Z * -1.0, normal: Vec3::Z };
        assert!((area(&at_face, 8) - 4.0).abs() < 1e-14);
    }

    #[test]
    fn a_plane_across_the_diagonal_is_drawn_as_a_hexagon() {
        let normal = Vec3::ONE.normalize();
        let plane = Shape::HalfSpace { point: Vec3::ZERO, normal };
        // A regular hexagon of side √2 has the area 3√3.
        assert!((area(&plane, 8) - 3.0 * 3.0_f64.sqrt()).abs() < 1e-13);
        assert_eq!(plane.surface(EXTENT, 8).1.len(), 4);
    }

    #[test]
    fn a_plane_outside_the_extent_is_not_drawn() {
        let plane = Shape::HalfSpace { point: Vec3::Z * 3.0, normal: Vec3::Z };
        assert_eq!(area(&plane, 8), 0.0);
    }

    #[test]
    fn drawn_areas_tend_to_the_true_ones() {
        let (start, end, side) = (Vec3::ZERO, Vec3::new(0.0, 3.0, 4.0), Side::Inside);
        let center = Vec3::X;
        let shapes = [
            (Shape::Disc { center, normal: Vec3::Y, radius: 2.0 }, 4.0 * PI),
            (Shape::Cylinder { start, end, radius: 2.0, side }, 20.0 * PI),
            (
                Shape::Cone { start, end, start_radius: 0.0, end_radius: 2.0, side },
                2.0 * PI * 29.0_f64.sqrt(),
            ),
            (Shape::Sphere { center, radius: 2.0, side }, 16.0 * PI),
            (Shape::Rectangle { corner: center, edges: [Vec3::X, Vec3::Y * 2.0] }, 2.0),
        ];
        for (shape, exact) in shapes {
            // The area of a circle of n segments is smaller by a fraction of about 2π²/3n².
            assert!((area(&shape, 400) / exact - 1.0).abs() < 1e-4, "{shape:?}");
        }
    }
}
