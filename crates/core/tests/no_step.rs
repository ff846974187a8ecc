//! If a scene has no time step, the message names the value that is the cause.

mod common;

use common::*;
use esker::Error;
use esker::prelude::*;

/// Path and message of the only problem of a scene.
fn problem(scene: Scene) -> (String, String) {
    match scene.build().err() {
        Some(Error::Scene(problems)) if problems.len() == 1 => {
            (problems[0].path.clone(), problems[0].message.clone())
        }
        other => panic!("{other:?}"),
    }
}

/// A grain above a floor.
fn ball() -> Scene {
    let (mut scene, material) = scene(damped(), Pair::new().restitution(0.5));
    scene.gravity = -G * Vec3::Z;
    scene.add_wall("floor", floor(), material);
    scene.add_sphere(material, sphere(2.0 * RADIUS * Vec3::Z, Vec3::ZERO));
    scene
}

#[test]
fn a_scene_without_free_particles_is_reported() {
    let mut scene = ball();
    scene.particles.clear();
    let (path, message) = problem(scene);
    assert_eq!(path, "time.step");
    assert!(message.contains("no particle moves freely"), "{message}");
}

#[test]
fn a_mass_that_underflows_is_named_with_radius_and_density() {
    let mut scene = ball();
    scene.materials[0].1.density = Some(1e-320);
    let (path, message) = problem(scene);
    assert_eq!(path, "materials.grain.density");
    assert!(message.contains("radius 1e-2 m") && message.contains("mass of 0 kg"), "{message}");
}

#[test]
fn a_stiffness_that_makes_the_contact_time_zero_is_named() {
    let mut scene = ball();
    scene.materials[0].1.young_modulus = Some(1e200);
    let (path, message) = problem(scene);
    assert_eq!(path, "materials.grain.young_modulus");
    assert!(message.contains("young_modulus 1e200 Pa"), "{message}");
}

#[test]
fn a_speed_that_is_not_finite_is_named() {
    let mut scene = ball();
    // its square is beyond the largest number
    scene.particles[0].velocity = 1e200 * Vec3::X;
    let (_, message) = problem(scene);
    assert!(message.contains("the largest speed is inf m/s"), "{message}");
}

#[test]
fn laws_without_a_contact_time_are_named_and_drag_alone_gives_a_step() {
    let mut scene = ball();
    scene.contact = ContactModel::default();
    scene.pairs.clear();
    let free = scene.clone();
    let (path, message) = problem(scene);
    assert_eq!(path, "contact");
    assert!(message.contains("no contact law gives the duration of a contact"), "{message}");
    let mut dragged = free;
    let medium_velocity = Vec3::ZERO.into();
    let coefficient = mass(RADIUS) / 0.05;
    dragged
        .fields
        .push(std::sync::Arc::new(esker::field::LinearDrag { coefficient, medium_velocity }));
    let simulation = dragged.build().expect("a valid scene");
    // the level below a fifth of the relaxation time
    assert!(simulation.dt() <= 0.01 && simulation.dt() > 0.01 / 1.0906, "{}", simulation.dt());
}
