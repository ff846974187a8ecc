//! Collisions in a plane and without rotations, and the ledger of each.

use crate::models::{material, models, pair};
use esker::prelude::*;

/// Degrees of freedom of the spheres.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Freedom {
    All,
    Plane,
    NoRotation,
}

/// Two spheres on an oblique course along the plane y = 0, both spinning unless rotation is fixed.
fn collision(model: &ContactModel, freedom: Freedom, dt: f64) -> Simulation {
    let mut scene = Scene::new();
    scene.contact = model.clone();
    scene.health.overlap_limit = 0.5;
    scene.ledger = true;
    let material = scene.add_material("ball", material());
    scene.set_pair(material, material, pair(model));
    scene.step = StepSize::Fixed(dt);
    scene.domain = Some(Domain::new(Vec3::splat(-1.0), Vec3::splat(1.0)));
    scene.plane_normal = (freedom == Freedom::Plane).then_some(1);
    scene.rotations = freedom != Freedom::NoRotation;
    let spin = match freedom {
        Freedom::All => Vec3::new(30.0, -20.0, 50.0),
        Freedom::Plane => -20.0 * Vec3::Y,
        Freedom::NoRotation => Vec3::ZERO,
    };
    scene.add_sphere(
        material,
        Sphere {
            position: Vec3::new(0.0, 0.0, 0.004),
            radius: 0.01,
            velocity: Vec3::new(0.6, 0.0, 0.4),
            spin,
        },
    );
    scene.add_sphere(
        material,
        Sphere {
            position: Vec3::new(0.023, 0.0, 0.011),
            radius: 0.014,
            velocity: Vec3::new(-0.5, 0.0, 0.1),
            spin: -0.5 * spin,
        },
    );
    scene.build().expect("a valid scene")
}

#[test]
fn no_law_leaves_the_plane_or_rotates_particles_whose_rotation_is_fixed() {
    for (name, model) in models() {
        for freedom in [Freedom::Plane, Freedom::NoRotation] {
            let mut simulation = collision(&model, freedom, 1e-5);
            let mut touched = false;
            for _ in 0..1000 {
                simulation.step().expect("a healthy step");
                touched |= !simulation.contacts().is_empty();
            }
            assert!(touched, "{name}: they missed each other");
            for id in [0, 1].map(ParticleId::new) {
                let particles = simulation.particles();
                let velocity = particles.velocity(id).expect("there");
                let spin = particles.spin(id).expect("there");
                assert!(velocity.is_finite() && spin.is_finite(), "{name}");
                if freedom == Freedom::Plane {
                    let position = particles.position(id).expect("there");
                    assert_eq!([position.y, velocity.y, spin.x, spin.z], [0.0; 4], "{name}");
                } else {
                    assert_eq!(spin, Vec3::ZERO, "{name}");
                }
            }
        }
    }
}

#[test]
fn the_ledger_of_a_collision_closes_for_every_law_as_steps_shrink() {
    for (name, model) in models() {
        for freedom in [Freedom::All, Freedom::Plane, Freedom::NoRotation] {
            let error = |dt: f64| {
                let mut simulation = collision(&model, freedom, dt);
                let start = simulation.energy().present();
                while simulation.time() < 0.01 {
                    simulation.step().expect("a healthy step");
                }
                simulation.energy().closure_error.abs() / start
            };
            // kinks of friction leave an error of first order in the step; a contact has 300 steps
            let [coarse, fine] = [1e-5, 2.5e-6].map(error);
            assert!(fine < 3e-3, "{name} {freedom:?}: {coarse:e} {fine:e}");
            assert!(fine < 0.5 * coarse || fine < 1e-6, "{name} {freedom:?}: {coarse:e} {fine:e}");
        }
    }
}
