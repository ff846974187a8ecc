//! The energy ledger closes: what is there, less what was brought in, is what was lost.

mod common;

use common::*;
use esker::field::StokesDrag;
use esker::measure::Energy;
use esker::prelude::*;
use std::sync::Arc;

/// What a run leaves in the books.
struct Books {
    /// Largest closure error on the way [J].
    worst: f64,
    end: Energy,
}

/// Runs a scene and watches its books.
fn books(mut scene: Scene, dt: f64, until: f64) -> Books {
    scene.ledger = true;
    scene.step = StepSize::Fixed(dt);
    let mut simulation = scene.build().expect("a valid scene");
    let mut worst = 0.0f64;
    while simulation.time() < until - 0.5 * dt {
        simulation.step().expect("a healthy step");
        worst = worst.max(simulation.energy().closure_error.abs());
    }
    Books { worst, end: simulation.energy() }
}

fn probe(name: &str, in_play: f64, scene: impl Fn() -> Scene, dt: f64, until: f64) {
    let all: Vec<f64> = [1.0, 0.5, 0.25, 0.125].iter().map(|s| books(scene(), dt * s, until).worst / in_play).collect();
    let e = books(scene(), dt, until).end;
    println!("{name}: {} {e:.3?}", all.iter().map(|x| format!("{x:.2e}")).collect::<Vec<_>>().join(" "));
}

fn on_floor(contact: ContactModel, pair: Pair, height: f64, speed: Vec3) -> Scene {
    let (mut scene, material) = scene(contact, pair);
    scene.gravity = -G * Vec3::Z;
    scene.add_wall("floor", floor(), material);
    scene.add_sphere(material, sphere(Vec3::Z * (RADIUS + height), speed));
    scene
}

#[test]
fn probes() {
    let m = mass(RADIUS);
    let pair = || Pair::new().damping_ratio(0.1).friction(0.3);
    probe("elastic", m * G * 0.1, || on_floor(hertz(), Pair::new(), 0.1, Vec3::ZERO), 1e-5, 0.5);
    probe("damped", m * G * 0.1, || on_floor(damped(), Pair::new().damping_ratio(0.2), 0.1, Vec3::ZERO), 1e-5, 0.5);
    let rest = -overlap_under(m * G, RADIUS);
    probe("slide", 0.5 * m * 0.25, || on_floor(frictional(), pair(), rest, 0.5 * Vec3::X), 1e-5, 0.2);
    probe("oblique", 0.5 * m, || on_floor(frictional(), pair(), 0.0, Vec3::new(0.6, 0.0, -0.8)), 1e-5, 0.05);
    let rolling_pair = || pair().rolling_friction(0.1);
    probe("roll c", 0.5 * m * 0.25, || on_floor(frictional().rolling(rolling::ConstantTorque::default()), rolling_pair(), rest, 0.5 * Vec3::X), 1e-5, 1.0);
    probe("roll ep", 0.5 * m * 0.25, || on_floor(frictional().rolling(rolling::ElasticPlastic::default()), rolling_pair(), rest, 0.5 * Vec3::X), 1e-5, 1.0);
    // piston
    probe("piston", 1e-3, || {
        let (mut scene, material) = scene(hertz(), Pair::new());
        scene.add_wall("floor", floor(), material);
        let motion = Motion::Displacement(Arc::new(|t: f64| {
            let w = 20.0;
            (-2.5e-4 * (1.0 - (w * t).cos()) * Vec3::Z, -2.5e-4 * w * (w * t).sin() * Vec3::Z)
        }));
        scene.add_moving_wall("piston", Shape::HalfSpace { point: Vec3::Z * 2.0 * RADIUS, normal: -Vec3::Z }, material, motion);
        scene.add_sphere(material, sphere(Vec3::Z * RADIUS, Vec3::ZERO));
        scene
    }, 1e-5, 0.15);
    probe("shaker", m * G * 0.01, || {
        let (mut scene, material) = scene(frictional(), pair());
        scene.gravity = -G * Vec3::Z;
        let motion = Motion::Oscillation { amplitude: Vec3::new(1e-3, 0.0, 1e-3), frequency: 20.0, phase: 0.3 };
        scene.add_moving_wall("floor", floor(), material, motion);
        scene.add_sphere(material, sphere(Vec3::Z * RADIUS, Vec3::ZERO));
        scene
    }, 1e-5, 0.5);
    probe("drag", m * 0.5, || {
        let (mut scene, material) = scene(hertz(), Pair::new());
        scene.gravity = -G * Vec3::Z;
        scene.fields.push(Arc::new(StokesDrag { viscosity: 2.0, medium_velocity: Vec3::X }));
        scene.add_sphere(material, sphere(Vec3::ZERO, Vec3::ZERO));
        scene
    }, 1e-4, 0.1);
    probe("drum", m * G * 0.1, || {
        let (mut scene, material) = scene(frictional(), pair());
        scene.gravity = -G * Vec3::Z;
        let shape = Shape::Cylinder { start: -0.1 * Vec3::Y, end: 0.1 * Vec3::Y, radius: 0.1, side: Side::Inside };
        scene.add_moving_wall("drum", shape, material, Motion::Rotation { point: Vec3::ZERO, axis: Vec3::Y, rate: 5.0 });
        scene.add_sphere(material, sphere(Vec3::Z * (RADIUS - 0.1), Vec3::ZERO));
        scene
    }, 1e-5, 0.5);
}
