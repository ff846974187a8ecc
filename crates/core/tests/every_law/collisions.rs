//! Two spheres that collide, in the engine.

use crate::models::{material, models, pair};
use esker::prelude::*;

/// Two spheres of different size on an oblique course, both spinning.
pub(crate) fn spheres() -> [Sphere; 2] {
    [
        Sphere {
            position: Vec3::new(0.013, -0.002, 0.004),
            radius: 0.01,
            velocity: Vec3::new(0.6, 0.8, -0.3),
            spin: Vec3::new(30.0, -20.0, 50.0),
        },
        Sphere {
            position: Vec3::new(0.033, 0.009, -0.001),
            radius: 0.014,
            velocity: Vec3::new(-0.5, -0.1, 0.2),
            spin: Vec3::new(-10.0, 40.0, 25.0),
        },
    ]
}

/// The collision of two spheres under a model; ids are the indices in the list.
pub(crate) fn collision(model: &ContactModel, spheres: [Sphere; 2]) -> Simulation {
    collision_scene(model, spheres).build().expect("a valid scene")
}

pub(crate) fn collision_scene(model: &ContactModel, spheres: [Sphere; 2]) -> Scene {
    let mut scene = Scene::new();
    scene.contact = model.clone();
    scene.health.overlap_limit = 0.5;
    let material = scene.add_material("ball", material());
    scene.set_pair(material, material, pair(model));
    scene.step = StepSize::Fixed(2e-5);
    scene.domain = Some(Domain::new(Vec3::splat(-1.0), Vec3::splat(1.0)));
    for sphere in spheres {
        scene.add_sphere(material, sphere);
    }
    scene
}

pub(crate) const STEPS: usize = 400;

#[test]
fn action_is_reaction_for_every_law() {
    for (name, model) in models() {
        let mut simulation = collision(&model, spheres());
        let momenta = |simulation: &Simulation| {
            let snapshot = simulation.snapshot();
            let linear: Vec3 = snapshot.particles.iter().map(|p| p.mass * p.velocity).sum();
            let angular: Vec3 = snapshot
                .particles
                .iter()
                .map(|p| {
                    let inertia = 0.4 * p.mass * p.radius * p.radius;
                    p.position.cross(p.mass * p.velocity) + inertia * p.spin
                })
                .sum();
            let scale: f64 = snapshot.particles.iter().map(|p| p.mass * p.velocity.length()).sum();
            (linear, angular, scale)
        };
        let (linear, angular, scale) = momenta(&simulation);
        let mut touched = 0;
        for _ in 0..STEPS {
            simulation.step().expect("a healthy step");
            let [first, second] = [0, 1]
                .map(ParticleId::new)
                .map(|id| simulation.particles().load(id).expect("there"));
            assert_eq!(first.force, -second.force, "{name}");
            touched += usize::from(first.force != Vec3::ZERO);
        }
        assert!(touched > 20, "{name}: they missed each other");
        let (linear_after, angular_after, _) = momenta(&simulation);
        // rounding of the velocities, once in each step
        let tolerance = 1e-15 * STEPS as f64 * scale;
        assert!((linear_after - linear).length() < tolerance, "{name}: momentum");
        let change = (angular_after - angular).length();
        assert!(
            change < 0.02 * tolerance,
            "{name}: angular momentum {change} {}",
            angular.length()
        );
    }
}

#[test]
fn swapping_the_ids_changes_no_bit() {
    for (name, model) in models() {
        let [first, second] = spheres();
        let mut straight = collision(&model, [first, second]);
        let mut swapped = collision(&model, [second, first]);
        for _ in 0..STEPS {
            straight.step().expect("a healthy step");
            swapped.step().expect("a healthy step");
            for id in [0, 1] {
                let [a, b] = [(&straight, id), (&swapped, 1 - id)].map(|(simulation, id)| {
                    let id = ParticleId::new(id);
                    let particles = simulation.particles();
                    (particles.position(id), particles.velocity(id), particles.spin(id))
                });
                assert_eq!(a, b, "{name}");
            }
        }
    }
}

#[test]
fn every_law_is_the_same_in_a_rotated_and_moving_frame() {
    let rotation = Quat::from_axis_angle(Vec3::new(1.0, -2.0, 0.7).normalize(), 2.1);
    let drift = Vec3::new(0.3, -0.2, 0.5);
    for (name, model) in models() {
        let rotated = spheres().map(|sphere| Sphere {
            position: rotation * sphere.position,
            velocity: rotation * sphere.velocity + drift,
            spin: rotation * sphere.spin,
            ..sphere
        });
        let mut plain = collision(&model, spheres());
        let mut other = collision(&model, rotated);
        for _ in 0..STEPS {
            plain.step().expect("a healthy step");
            other.step().expect("a healthy step");
        }
        for id in [0, 1].map(ParticleId::new) {
            let velocity = |simulation: &Simulation| simulation.particles().velocity(id);
            let spin = |simulation: &Simulation| simulation.particles().spin(id);
            let difference = rotation * velocity(&plain).expect("there") + drift
                - velocity(&other).expect("there");
            // rounding of positions (1e-17 m) times stiffness over mass, for the time of a contact
            assert!(difference.length() < 1e-10, "{name}: {difference}");
            let difference = rotation * spin(&plain).expect("there") - spin(&other).expect("there");
            assert!(difference.length() < 1e-8, "{name}: {difference}");
        }
    }
}
