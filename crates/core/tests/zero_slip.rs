//! End of slip at a contact, predicted from the force and the slip velocity at one time, Z(46): exact if the force is
//! constant.

mod common;

use common::*;
use esker::law::tangential::{Incremental, Penalty};
use esker::prelude::*;

/// A sphere on the floor under its own weight, launched along it.
fn thrown(contact: ContactModel, pair: Pair, speed: f64) -> Scene {
    let (mut scene, material) = scene(contact, pair);
    scene.contact.moment_arm = esker::law::MomentArm::Radius;
    scene.gravity = -G * Vec3::Z;
    scene.add_wall("floor", floor(), material);
    let overlap = overlap_under(mass(RADIUS) * G, RADIUS);
    scene.add_sphere(material, sphere(Vec3::Z * (RADIUS - overlap), speed * Vec3::X));
    scene.step = StepSize::Fixed(1e-5);
    scene.health.step_limit = esker::scene::StepLimit::Warn;
    scene
}

/// Predicted time of the first contact.
fn predicted(simulation: &Simulation) -> Option<f64> {
    let view = *simulation.contacts().first()?;
    view.time_to_zero_slip().map(|time| simulation.time() + time)
}

#[test]
fn a_sphere_stops_sliding_at_the_predicted_time() {
    let (friction, speed) = (0.3, 0.2);
    let penalty = Pair::new().friction(friction).friction_penalty(1e14);
    for (law, pair) in [
        (damped().tangential(Incremental::default()), Pair::new().friction(friction)),
        (damped().tangential(Penalty::default()), penalty),
    ] {
        for (rotations, mobility) in [(true, 3.5), (false, 1.0)] {
            let mut scene = thrown(law.clone(), pair.clone().damping_ratio(0.3), speed);
            scene.rotations = rotations;
            let expected = speed / (mobility * friction * G);
            let mut simulation = scene.build().expect("a valid scene");
            // the force of an incremental law first grows to its limit: μ N/k_t of slip, half of it lost time
            run_until(&mut simulation, 0.2 * expected);
            let early = predicted(&simulation).expect("friction acts against the slip");
            run_until(&mut simulation, 0.9 * expected);
            let late = predicted(&simulation).expect("friction acts against the slip");
            assert!((early / late - 1.0).abs() < 1e-6, "{early} {late}");
            assert!((late / expected - 1.0).abs() < 1e-3, "{late} {expected}");
        }
    }
}

#[test]
fn without_a_force_against_the_slip_no_end_is_predicted() {
    // a contact that sticks oscillates: half the time its spring drives the slip
    let pair = Pair::new().friction(1e3).damping_ratio(0.3);
    let mut simulation =
        thrown(damped().tangential(Incremental::default()), pair, 1e-4).build().expect("valid");
    let (mut with, mut without) = (0, 0);
    for _ in 0..20_000 {
        simulation.step().expect("a healthy step");
        let view = simulation.contacts()[0];
        let against = view.tangential.dot(view.slip_velocity) < 0.0;
        assert_eq!(view.time_to_zero_slip().is_some(), against);
        if against { with += 1 } else { without += 1 }
    }
    assert!((f64::from(with) / f64::from(with + without) - 0.5).abs() < 0.1, "{with} {without}");
}

#[test]
fn the_mobilities_of_two_spheres_of_different_sizes_add_up() {
    let (mut scene, material) = scene(
        damped().tangential(Incremental::default()),
        Pair::new().friction(0.5).damping_ratio(0.3),
    );
    scene.contact.moment_arm = esker::law::MomentArm::Radius;
    let distance = 3.0 * RADIUS - 1e-6;
    scene.add_sphere(material, sphere(Vec3::ZERO, Vec3::ZERO));
    scene.add_sphere(
        material,
        Sphere { radius: 2.0 * RADIUS, ..sphere(distance * Vec3::X, Vec3::Y) },
    );
    let simulation = scene.build().expect("a valid scene");
    // 7/2 of each inverse mass, the second of eight times the volume
    let expected = 3.5 * (1.0 + 1.0 / 8.0) / mass(RADIUS);
    assert_close(simulation.contacts()[0].slip_mobility, expected, 1e-12);
}
