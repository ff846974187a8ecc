//! Attractions of meshed walls: no attraction acts through a wall, and a bridge stays where it formed.

use super::*;
use esker::law::cohesion::{Formation, LiquidBridge};
use esker::wall::{Mesh, SMOOTH_ANGLE};
use std::sync::Arc;

fn pair() -> Pair {
    Pair::new().surface_tension(0.07).bridge_volume(0.05)
}

fn bridges(formation: Formation) -> ContactModel {
    hertz().cohesion(LiquidBridge { formation })
}

/// A mesh of rectangles, each of two triangles, given by their corners.
fn mesh(rectangles: &[[Vec3; 4]]) -> Shape {
    let mut vertices = Vec::new();
    let mut triangles = Vec::new();
    for corners in rectangles {
        let first = vertices.len() as u32;
        vertices.extend(corners);
        triangles.push([first, first + 1, first + 2]);
        triangles.push([first, first + 2, first + 3]);
    }
    Shape::Mesh(Arc::new(Mesh::new(vertices, triangles, SMOOTH_ANGLE).expect("a mesh").0))
}

/// A square parallel to the floor at a height, between two positions along x.
fn square(height: f64, from: f64, to: f64) -> [Vec3; 4] {
    [(from, -0.1), (to, -0.1), (to, 0.1), (from, 0.1)].map(|(x, y)| Vec3::new(x, y, height))
}

fn with_wall(contact: ContactModel, pair: Pair, shape: Shape, position: Vec3) -> Simulation {
    let (mut scene, material) = scene(contact, pair);
    scene.add_wall("wall", shape, material);
    scene.add_sphere(material, sphere(position, Vec3::ZERO));
    scene.step = StepSize::Fixed(1e-6);
    scene.build().expect("a valid scene")
}

fn attraction(simulation: &Simulation) -> f64 {
    simulation.contacts().iter().map(|view| view.cohesion).sum()
}

#[test]
fn the_back_of_a_plate_does_not_attract_through_it() {
    // a closed plate, thinner than the rupture distance of a bridge
    let thickness = 0.1 * RADIUS;
    let (half, below) = (0.1, -thickness);
    let side = |a: (f64, f64), b: (f64, f64)| {
        [(a, 0.0), (b, 0.0), (b, below), (a, below)].map(|((x, y), z)| Vec3::new(x, y, z))
    };
    let corners = [(-half, -half), (half, -half), (half, half), (-half, half)];
    let mut faces = vec![square(0.0, -half, half), square(below, -half, half)];
    faces.extend((0..4).map(|k| side(corners[k], corners[(k + 1) % 4])));
    for foot in [Vec3::ZERO, Vec3::X * (half - 0.05 * RADIUS)] {
        let at = foot + Vec3::Z * (RADIUS + 1e-9);
        let plate = with_wall(bridges(Formation::Shell), pair(), mesh(&faces), at);
        let plane = with_wall(bridges(Formation::Shell), pair(), floor(), at);
        assert_eq!(plate.contacts().len(), 1, "one face is seen from {at}");
        assert_close(attraction(&plate), attraction(&plane), 1e-12);
    }
}

#[test]
fn a_bridge_on_a_step_does_not_pass_to_the_lower_step_that_is_merely_near() {
    let drop = 0.1 * RADIUS;
    let stairs = || mesh(&[square(0.0, -0.1, 0.0), square(-drop, 0.0, 0.1)]);
    // on the upper step, then beyond its edge, where the lower step is within the interaction range
    let at = Vec3::new(-0.02 * RADIUS, 0.0, RADIUS * (1.0 - 4e-4));
    let mut simulation = with_wall(bridges(Formation::Contact), pair(), stairs(), at);
    let alone = mesh(&[square(0.0, -0.1, 0.0)]);
    let mut upper = with_wall(bridges(Formation::Contact), pair(), alone, at);
    assert_eq!(simulation.contacts().len(), 1, "the lower step is hidden");
    for both in [&mut simulation, &mut upper] {
        assert!(both.particles_mut().set_velocity(ParticleId::new(0), 5.0 * Vec3::X, Vec3::ZERO));
        (0..60).for_each(|_| both.step().expect("a healthy step"));
    }
    assert_eq!(simulation.contacts().len(), 2, "both steps are within range");
    assert_close(attraction(&simulation), attraction(&upper), 1e-9);
    // in the shell both attract
    let beyond = at + 0.03 * RADIUS * Vec3::X;
    let shell = with_wall(bridges(Formation::Shell), pair(), stairs(), beyond);
    assert!(attraction(&shell) > 1.5 * attraction(&upper));
}

#[test]
fn a_corner_attracts_with_both_of_its_faces() {
    let side = [(0.0, -0.1), (0.0, 0.1), (0.2, 0.1), (0.2, -0.1)];
    let side = side.map(|(z, y)| Vec3::new(0.0, y, z));
    let corner = mesh(&[square(0.0, 0.0, 0.2), side]);
    let gap = 0.05 * RADIUS;
    let at = Vec3::new(RADIUS + gap, 0.0, RADIUS + gap);
    let corner = with_wall(bridges(Formation::Shell), pair(), corner, at);
    let plane = with_wall(bridges(Formation::Shell), pair(), floor(), Vec3::Z * (RADIUS + gap));
    assert_eq!(corner.contacts().len(), 2);
    assert_close(attraction(&corner), 2.0 * attraction(&plane), 1e-12);
}
