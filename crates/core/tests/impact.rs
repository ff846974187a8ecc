//! Impact of a sphere on a wall against the closed form of Hertz's theory.

use esker::prelude::*;

const RADIUS: f64 = 0.05;
const SPEED: f64 = 1.0;

fn scene() -> Scene {
    let mut scene = Scene::new();
    scene.contact = ContactModel::normal(normal::Hertz::default());
    let material = Material {
        density: 5000.0,
        young_modulus: 1e8,
        poisson_ratio: 0.25,
        ..Material::default()
    };
    let material = scene.add_material("ball", material);
    scene.set_pair(material, material, Pair::new());
    scene.add_wall("floor", Shape::HalfSpace { point: Vec3::ZERO, normal: Vec3::Z }, material);
    let sphere = Sphere {
        position: Vec3::Z * RADIUS,
        radius: RADIUS,
        velocity: -SPEED * Vec3::Z,
        ..Sphere::default()
    };
    scene.add_sphere(material, sphere);
    scene
}

/// Effective modulus of two bodies of the same material [Pa].
fn effective_modulus() -> f64 {
    1e8 / (2.0 * (1.0 - 0.25 * 0.25))
}

/// Largest overlap, largest force and duration of an elastic impact in closed form.
fn theory() -> [f64; 3] {
    let mass = 4.0 / 3.0 * std::f64::consts::PI * RADIUS.powi(3) * 5000.0;
    let stiffness = 4.0 / 3.0 * effective_modulus() * RADIUS.sqrt();
    let overlap = (5.0 * mass * SPEED * SPEED / (4.0 * stiffness)).powf(0.4);
    [overlap, stiffness * overlap.powf(1.5), 2.943_275 * overlap / SPEED]
}

/// Overlap and force at their largest, duration, and speed after the impact.
fn simulated(dt: f64) -> [f64; 4] {
    let mut scene = scene();
    scene.step = StepSize::Fixed(dt);
    let mut simulation = scene.build().expect("a valid scene");
    let (mut overlap, mut force) = (0.0f64, 0.0f64);
    loop {
        let before = simulation.particles().position(0).unwrap().z;
        simulation.step().expect("a healthy step");
        let height = simulation.particles().position(0).unwrap().z;
        overlap = overlap.max(RADIUS - height);
        force = force.max(simulation.particles().load(0).unwrap().force.z);
        if height > RADIUS {
            let share = (RADIUS - before) / (height - before);
            let duration = simulation.time() - dt + share * dt;
            return [overlap, force, duration, simulation.particles().velocity(0).unwrap().z];
        }
    }
}

#[test]
fn overlap_force_and_duration_of_an_elastic_impact_are_those_of_hertz() {
    let [overlap, force, duration] = theory();
    let found = simulated(duration / 2000.0);
    // second order in 1/2000 of the duration
    assert!((found[0] / overlap - 1.0).abs() < 1e-6, "{} {overlap}", found[0]);
    assert!((found[1] / force - 1.0).abs() < 1e-6, "{} {force}", found[1]);
    assert!((found[2] / duration - 1.0).abs() < 1e-5, "{} {duration}", found[2]);
    assert!((found[3] / SPEED - 1.0).abs() < 1e-6, "{}", found[3]);
}
