//! A plane cut into triangles acts like the plane, for any cut.

mod common;

use common::*;
use esker::prelude::*;
use esker::wall::{Mesh, SMOOTH_ANGLE};
use std::sync::Arc;

/// A plane with two directions in it; the third axis is its normal.
#[derive(Clone, Copy)]
struct Frame {
    origin: Vec3,
    axes: [Vec3; 3],
    /// Fraction of path, speed and spin by which two runs on it may differ.
    tolerance: f64,
}

impl Frame {
    fn level() -> Self {
        // corners are exact: no rounding except at an edge that a sphere touches
        Self { origin: Vec3::ZERO, axes: [Vec3::X, Vec3::Y, Vec3::Z], tolerance: 1e-10 }
    }

    fn tilted() -> Self {
        let rotation = Quat::from_scaled_axis(Vec3::new(0.7, -0.4, 0.3));
        Self {
            origin: Vec3::new(0.123, -0.456, 0.789),
            axes: [rotation * Vec3::X, rotation * Vec3::Y, rotation * Vec3::Z],
            // Corners of the order of one metre are rounded to 1e-16 m: 2e-11 of the overlap at rest, 6e-6 m, and so of
            // the force; the bounces at the start amplify the difference.
            tolerance: 1e-9,
        }
    }

    fn vector(&self, [x, y, z]: [f64; 3]) -> Vec3 {
        x * self.axes[0] + y * self.axes[1] + z * self.axes[2]
    }

    fn point(&self, coordinates: [f64; 3]) -> Vec3 {
        self.origin + self.vector(coordinates)
    }
}

/// Extent of the cut part of the plane: from -0.2 to 0.8 along the first axis, -0.3 to 0.3 along the second.
fn corners() -> Vec<[f64; 3]> {
    vec![[-0.2, -0.3, 0.0], [0.8, -0.3, 0.0], [0.8, 0.3, 0.0], [-0.2, 0.3, 0.0]]
}

fn mesh(frame: &Frame, points: &[[f64; 3]], triangles: Vec<[u32; 3]>) -> Shape {
    let vertices = points.iter().map(|point| frame.point(*point)).collect();
    let count = triangles.len();
    let (mesh, defects) = Mesh::new(vertices, triangles, SMOOTH_ANGLE).expect("a mesh");
    assert!(defects.is_empty() && mesh.triangles().len() == count);
    Shape::Mesh(Arc::new(mesh))
}

/// One triangle that contains the rectangle.
fn one_triangle(frame: &Frame) -> Shape {
    mesh(frame, &[[-1.0, -1.0, 0.0], [3.0, -1.0, 0.0], [-1.0, 3.0, 0.0]], vec![[0, 1, 2]])
}

fn two_triangles(frame: &Frame) -> Shape {
    mesh(frame, &corners(), vec![[0, 1, 2], [0, 2, 3]])
}

/// The rectangle with random points inserted one after the other, each into the triangle that contains it; this makes
/// thin slivers with either orientation.
fn random_triangles(frame: &Frame, seed: u64) -> Shape {
    let mut numbers = Numbers(seed);
    let mut points = corners();
    let mut triangles = vec![[0u32, 1, 2], [0, 2, 3]];
    while triangles.len() < 200 {
        let point = [numbers.between(-0.2, 0.8), numbers.between(-0.3, 0.3), 0.0];
        let is_left = |a: u32, b: u32| {
            let [[ax, ay, _], [bx, by, _]] = [points[a as usize], points[b as usize]];
            (bx - ax) * (point[1] - ay) - (by - ay) * (point[0] - ax) > 0.0
        };
        let split = triangles
            .iter()
            .position(|&[a, b, c]| is_left(a, b) && is_left(b, c) && is_left(c, a))
            .expect("a triangle around the point");
        let [a, b, c] = triangles.swap_remove(split);
        let new = points.len() as u32;
        points.push(point);
        triangles.extend([[a, b, new], [b, c, new], [c, a, new]]);
    }
    for triangle in &mut triangles {
        if numbers.next() < 0.5 {
            triangle.swap(0, 1);
        }
    }
    mesh(frame, &points, triangles)
}

/// A sphere that bounces, slides, then rolls over the plane, slowed by rolling resistance, until it
/// rests: positions, velocities and spins.
fn run(frame: &Frame, shape: Shape) -> Vec<[Vec3; 3]> {
    let contact = frictional().rolling(rolling::ElasticPlastic::default());
    let pair = Pair::new().damping_ratio(0.1).friction(0.3).rolling_friction(0.06);
    let (mut scene, material) = scene(contact, pair);
    scene.gravity = frame.vector([0.0, 0.0, -G]);
    scene.add_wall("plane", shape, material);
    let start = frame.point([-0.1, 0.02, 1.02 * RADIUS]);
    let speed = frame.vector([0.6, 0.05, 0.0]);
    scene.add_sphere(material, Sphere { spin: 20.0 * frame.axes[2], ..sphere(start, speed) });
    scene.step = StepSize::Fixed(1e-5);
    let mut simulation = scene.build().expect("a valid scene");
    let mut path = Vec::new();
    for step in 0..150_000 {
        simulation.step().expect("a healthy step");
        if step % 100 == 0 {
            let particles = simulation.particles();
            path.push([
                particles.position(ParticleId::new(0)).unwrap(),
                particles.velocity(ParticleId::new(0)).unwrap(),
                particles.spin(ParticleId::new(0)).unwrap(),
            ]);
        }
    }
    path
}

#[track_caller]
fn assert_same(frame: &Frame, name: &str, shape: Shape, expected: &[[Vec3; 3]]) {
    let found = run(frame, shape);
    // path, speed and spin of the run
    let scales = [0.5, 0.6, 60.0];
    for (found, expected) in found.iter().zip(expected) {
        for index in 0..3 {
            let error = found[index].distance(expected[index]) / scales[index];
            assert!(error < frame.tolerance, "{name}: {error:e} at {}", found[0]);
        }
    }
}

#[test]
fn a_sphere_bounces_slides_rolls_and_rests_on_triangles_as_on_the_plane() {
    for frame in [Frame::level(), Frame::tilted()] {
        let half_space = Shape::HalfSpace { point: frame.origin, normal: frame.axes[2] };
        let expected = run(&frame, half_space);
        let (first, last) = (expected[0], expected[expected.len() - 1]);
        assert!(first[0].distance(last[0]) > 0.2, "it comes far");
        assert!(last[1].length() < 1e-9, "it comes to rest: {}", last[1]);
        assert_same(&frame, "one triangle", one_triangle(&frame), &expected);
        assert_same(&frame, "two triangles", two_triangles(&frame), &expected);
        for seed in 0..3 {
            let name = format!("200 triangles, seed {seed}");
            assert_same(&frame, &name, random_triangles(&frame, seed), &expected);
        }
    }
}
