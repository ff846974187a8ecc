//! The axes do not matter: a rotated scene gives the rotated trajectory.

mod common;

use common::*;
use esker::measure::Partner;
use esker::prelude::*;
use esker::wall::{Mesh, SMOOTH_ANGLE};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Grains with every law fall on a floor, a mesh, a rotating cylinder and driven grains.
fn run(rotation: Quat) -> Vec<[Vec3; 3]> {
    let contact = frictional().rolling(rolling::ElasticPlastic::default());
    let pair = Pair::new().damping_ratio(0.1).friction(0.4).rolling_friction(0.1);
    let (mut scene, material) = scene(contact, pair);
    scene.gravity = rotation * (-G * Vec3::Z);
    let floor = Shape::HalfSpace { point: rotation * Vec3::ZERO, normal: rotation * Vec3::Z };
    scene.add_wall("floor", floor, material);
    let vertices = [
        Vec3::new(-0.1, -0.1, 0.03),
        Vec3::new(-0.1, 0.1, 0.03),
        Vec3::new(-0.02, -0.1, 0.0),
        Vec3::new(-0.02, 0.1, 0.0),
    ];
    let vertices = vertices.map(|vertex| rotation * vertex).to_vec();
    let (mesh, _) = Mesh::new(vertices, vec![[0, 2, 1], [1, 2, 3]], SMOOTH_ANGLE).expect("a mesh");
    scene.add_wall("ramp", Shape::Mesh(Arc::new(mesh)), material);
    let roller = Shape::Cylinder {
        start: rotation * Vec3::new(0.05, -0.1, 0.0),
        end: rotation * Vec3::new(0.05, 0.1, 0.0),
        radius: 0.02,
        side: Side::Outside,
    };
    let axis = rotation * Vec3::Y;
    let motion = Motion::Rotation { point: rotation * (0.05 * Vec3::X), axis, rate: -20.0 };
    scene.add_moving_wall("roller", roller, material, motion);
    let driven = vec![sphere(rotation * Vec3::new(0.01, 0.03, 0.01), Vec3::ZERO)];
    let amplitude = rotation * Vec3::new(0.0, 2e-3, 1e-3);
    let shaking = Motion::Oscillation { amplitude, frequency: 30.0, phase: 0.0 };
    scene.add_moving_wall("shaker", Shape::Particles(driven), material, shaking);
    let mut numbers = Numbers(9);
    for index in 0..8 {
        let [x, y] = [index % 4, index / 4].map(f64::from);
        let center = Vec3::new(0.035 * (x - 1.5), 0.025 * y, 0.042) + 2e-3 * numbers.vector();
        let spin = rotation * (20.0 * numbers.vector());
        let speed = rotation * (0.2 * numbers.vector());
        scene.add_sphere(material, Sphere { spin, ..sphere(rotation * center, speed) });
    }
    scene.step = StepSize::Fixed(1e-5);
    let mut simulation = scene.build().expect("a valid scene");
    let mut touched = BTreeSet::new();
    for _ in 0..20_000 {
        simulation.step().expect("a healthy step");
        touched.extend(simulation.contacts().iter().map(|contact| (contact.first, contact.second)));
    }
    for wall in [0, 1, 2].map(WallId::new) {
        assert!(touched.iter().any(|(_, partner)| *partner == Partner::Wall(wall)), "{touched:?}");
    }
    assert!(
        touched.iter().any(|(first, _)| *first == ParticleId::new(0)),
        "none touched the driven grain"
    );
    let snapshot = simulation.snapshot();
    let back = rotation.conjugate();
    let mut states: Vec<_> = snapshot
        .particles
        .iter()
        .map(|particle| [back * particle.position, back * particle.velocity, back * particle.spin])
        .collect();
    let walls = simulation.wall_views();
    // torques about the centre of the pose, which rotates with the scene
    states.extend(walls.iter().map(|wall| [back * wall.force, back * wall.torque, Vec3::ZERO]));
    states
}

#[test]
fn a_rotated_scene_gives_the_rotated_trajectory() {
    let expected = run(Quat::IDENTITY);
    for axis in [Vec3::new(0.3, -1.1, 0.7), Vec3::new(-2.0, 0.4, 0.9)] {
        let found = run(Quat::from_scaled_axis(axis));
        // displacements of 0.1 m, speeds of 1 m/s, spins of 100 1/s; forces of 1 N, torques of 0.1 N m
        for (found, expected) in found.iter().zip(&expected) {
            for (index, scale) in [0.1, 1.0, 100.0].into_iter().enumerate() {
                let error = found[index].distance(expected[index]) / scale;
                // rounding, 1e-16, amplified by the collisions of 0.2 s; the required bound
                assert!(error < 1e-9, "{index}: {error:e}");
            }
        }
    }
}
