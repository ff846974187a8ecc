//! Fehlberg's method: its error follows the tolerance, and no step passes over a contact.

mod common;

use common::*;
use esker::error::Cause;
use esker::field;
use esker::integrate::{Integrator, Rkf45};
use esker::prelude::*;

/// Speed of the small sphere [m/s].
const SPEED: f64 = 1.5;

fn rkf45(tolerance: f64) -> Integrator {
    let [position, velocity, spin] = [tolerance; 3];
    Integrator::Rkf45(Rkf45 { position, velocity, spin, accept: false })
}

/// A fast small sphere flies at a pair of equally small ones that nearly touch.
fn shot(tolerance: f64, push: Vec3) -> Simulation {
    let (mut scene, material) = scene(hertz(), Pair::new());
    let small = 0.02 * RADIUS;
    let target = |index: f64| Sphere {
        radius: small,
        ..sphere(Vec3::X * (0.05 + index * 2.001 * small), Vec3::ZERO)
    };
    let bullet = Sphere {
        radius: small,
        ..sphere(Vec3::ZERO, if push == Vec3::ZERO { SPEED * Vec3::X } else { Vec3::ZERO })
    };
    scene.add_sphere(material, bullet);
    scene.add_sphere(material, target(0.0));
    scene.add_sphere(material, target(1.0));
    // another sphere whose own contacts would allow far longer steps
    scene.add_sphere(material, sphere(Vec3::Z, 0.01 * Vec3::X));
    if push != Vec3::ZERO {
        let push = move |body: &Body, _: f64| {
            let force = if body.id == ParticleId::new(0) && body.position.x < 0.045 {
                push
            } else {
                Vec3::ZERO
            };
            Load { force, ..Load::default() }
        };
        scene.fields.push(field::from_fn("push", push));
    }
    scene.integrator = rkf45(tolerance);
    scene.step = StepSize::Between { max: 1.0, min: 1e-15 };
    scene.build().expect("a valid scene")
}

/// Runs until the collision is over; fails if a step was longer than a twentieth of the contact of two of the small
/// spheres at their present speed.
fn run(mut simulation: Simulation) -> Simulation {
    let small = 0.02 * RADIUS;
    while position(&simulation, 2).x < 0.06 {
        let before = simulation.time();
        let fastest = (0..3).map(|id| velocity(&simulation, id).length()).fold(1e-3, f64::max);
        let contact = duration(0.5 * mass(small), 0.5 * small, fastest);
        simulation.step().expect("a healthy step");
        let dt = simulation.time() - before;
        assert!(dt <= 0.0501 * contact, "{dt} of {contact} at {}", simulation.time());
        assert!(simulation.steps() < 3_000_000, "it never arrives");
    }
    simulation
}

#[test]
fn a_fast_small_particle_does_not_pass_through_a_thin_pair() {
    // With an unlimited error and the bound of the step only, the last sphere takes all of the momentum: the masses are
    // equal, and the pair does not quite touch.
    let loose = run(shot(0.9, Vec3::ZERO));
    let [first, second, third] = [0, 1, 2].map(|id| velocity(&loose, id).x / SPEED);
    assert!((first + second + third - 1.0).abs() < 1e-12, "momentum: {first} {second} {third}");
    let energy = first * first + second * second + third * third;
    assert!((energy - 1.0).abs() < 1e-3, "energy: {energy}");
    assert!(third > 0.95 && first.abs() < 0.1, "{first} {second} {third}");
    // and so it does with a tight tolerance
    let tight = run(shot(1e-10, Vec3::ZERO));
    assert!((velocity(&tight, 2).x / SPEED - third).abs() < 2e-3);
}

#[test]
fn the_bound_of_the_step_follows_a_particle_that_accelerates_unexpectedly() {
    // a push over 45 mm to full speed, which is not known in advance
    let push = 0.5 * SPEED * SPEED / 0.045 * mass(0.02 * RADIUS) * Vec3::X;
    let end = run(shot(0.9, push));
    assert!(velocity(&end, 2).x > 0.9 * SPEED, "{}", velocity(&end, 2));
    assert!(end.step_counts().shortest < 0.5 * end.step_counts().longest);
}

#[test]
fn the_error_follows_the_tolerance() {
    let exact = 0.2;
    let error = |tolerance: f64| {
        let (mut scene, material) = scene(hertz(), Pair::new());
        scene.add_wall("floor", floor(), material);
        scene.add_sphere(material, sphere(Vec3::Z * (RADIUS + 1e-5), -exact * Vec3::Z));
        scene.integrator = rkf45(tolerance);
        let mut simulation = scene.build().expect("a valid scene");
        while velocity(&simulation, 0).z < 0.0 || position(&simulation, 0).z < RADIUS {
            simulation.step().expect("a healthy step");
        }
        let counts = simulation.step_counts();
        assert!(counts.rejected == 0 || counts.shortest < counts.longest);
        (velocity(&simulation, 0).z / exact - 1.0).abs()
    };
    let errors = [1e-6, 1e-8, 1e-10, 1e-12].map(error);
    // some hundred steps, each with an error of the tolerance at most
    for (error, tolerance) in errors.iter().zip([1e-6, 1e-8, 1e-10, 1e-12]) {
        assert!(*error < 200.0 * tolerance, "{errors:?}");
    }
}

#[test]
fn a_step_that_stays_too_inaccurate_is_an_error_or_is_counted() {
    // a force that alternates with the position, in steps that must not be short
    let start = |accept: bool| {
        let (mut scene, material) = scene(hertz(), Pair::new());
        scene.add_sphere(material, sphere(Vec3::ZERO, Vec3::ZERO));
        scene.add_sphere(material, sphere(Vec3::Y, Vec3::X));
        let jumping = |body: &Body, _: f64| {
            let up = (1e4 * body.position.x).rem_euclid(2.0) < 1.0;
            Load { force: Vec3::Y * if up { 0.1 } else { -0.1 }, ..Load::default() }
        };
        scene.fields.push(field::from_fn("jump", jumping));
        scene.integrator =
            Integrator::Rkf45(Rkf45 { position: 1e-10, velocity: 1e-8, spin: 1e-8, accept });
        scene.step = StepSize::Between { max: 1e-4, min: 5e-6 };
        scene.build().expect("a valid scene")
    };
    let mut refused = start(false);
    let error = loop {
        if let Err(error) = refused.step() {
            break error;
        }
        assert!(refused.steps() < 1000, "every step was accurate");
    };
    let Error::Step(error) = error else { panic!("{error}") };
    assert_eq!(error.id, ParticleId::new(1), "{error}");
    assert!(matches!(error.cause, Cause::Inaccurate { quantity: "velocity", .. }), "{error}");
    let mut accepted = start(true);
    (0..1000).for_each(|_| accepted.step().expect("accepted"));
    assert!(accepted.step_counts().unconverged > 0);
}
