//! A loaded tangential spring follows the tangent plane: the pair is rotated as a rigid body, and the force must rotate
//! with it.
//!
//! A heavy sphere (so heavy that the contact cannot move it) and a driven one are pressed together. First the driven
//! one is displaced sideways, which loads the spring; then both rotate.

mod common;

use common::*;
use esker::prelude::*;
use esker::stage::Change;
use std::f64::consts::TAU;
use std::sync::Arc;

/// Time to load the spring and period of revolution [s].
const LOADING: f64 = 0.01;
const PERIOD: f64 = 0.1;

/// Rotation of the pair after the loading.
#[derive(Clone, Copy)]
struct PairRotation {
    /// Axis through the centre of the heavy sphere.
    axis: Vec3,
    /// Angular velocity of the driven sphere about this axis, and of the heavy one [1/s].
    rates: [f64; 2],
}

/// Force on the heavy sphere before and after a rotation for a time.
fn rotated(rotation: PairRotation, time: f64, steps_per_period: f64, at_wall: bool) -> [Vec3; 2] {
    let contact = hertz().tangential(tangential::Mindlin::default());
    // without damping and sliding
    let pair = Pair::new().friction(1e3).tangential_damping_ratio(0.0);
    let (mut scene, material) = scene(contact, pair);
    scene.materials[0].1.density = Some(1e20);
    let overlap = 0.01 * RADIUS;
    let heavy = scene.add_sphere(material, sphere(Vec3::ZERO, Vec3::ZERO));
    let sideways = 1e-3 * overlap * Vec3::new(0.0, 1.0, 2.0);
    let load = Motion::Displacement(Arc::new(move |t: f64| {
        // smooth at both ends
        let fraction = (t / LOADING).clamp(0.0, 1.0);
        let angle = 0.5 * TAU * fraction;
        let rate = 0.5 * TAU / LOADING * angle.sin();
        (0.5 * (1.0 - angle.cos()) * sideways, 0.5 * rate * sideways)
    }));
    let shape = if at_wall {
        let point = (RADIUS - overlap) * Vec3::X;
        Shape::HalfSpace { point, normal: -Vec3::X }
    } else {
        let position = (2.0 * RADIUS - overlap) * Vec3::X;
        Shape::Particles(vec![sphere(position, Vec3::ZERO)])
    };
    scene.add_moving_wall("driven", shape, material, load);
    // the second motion rotates the wall from the final position of the first
    let motion =
        Motion::Rotation { point: Vec3::ZERO, axis: rotation.axis, rate: rotation.rates[0] };
    let stage = |after: f64, changes: Vec<Change>| Stage {
        end: End { after: Some(after), ..End::default() },
        changes,
        ..Stage::default()
    };
    scene.stages =
        vec![stage(LOADING, vec![]), stage(time, vec![Change::SetMotion("driven".into(), motion)])];
    let dt = PERIOD / steps_per_period;
    scene.step = StepSize::Fixed(dt);
    scene.health.step_limit = esker::scene::StepLimit::Warn;
    let mut simulation = scene.build().expect("a valid scene");
    run_until(&mut simulation, LOADING);
    let before = simulation.contacts()[0].tangential;
    let spin = rotation.rates[1] * rotation.axis;
    assert!(simulation.particles_mut().set_velocity(heavy, Vec3::ZERO, spin));
    run_until(&mut simulation, LOADING + time);
    [before, simulation.contacts()[0].tangential]
}

/// Fails unless the force has rotated by `angle` about `axis`, up to a fraction of it.
#[track_caller]
fn assert_rotated([before, after]: [Vec3; 2], axis: Vec3, angle: f64, tolerance: f64) {
    assert!(before.length() > 0.0);
    let expected = Quat::from_axis_angle(axis, angle) * before;
    let error = (after - expected).length() / before.length();
    assert!(error < tolerance, "{before} became {after}, not {expected}: off by {error:.1e}");
}

// In one step the pair rotates by 2π/1000; the increments are of second order in that, (2π/1000)²/12 = 3e-6 for each
// radian, so 2e-5 for a revolution.
const STEPS: f64 = 1000.0;
const TOLERANCE: f64 = 5e-5;

#[test]
fn the_spring_rotates_with_a_pair_about_an_axis_across_the_normal() {
    for axis in [Vec3::Z, Vec3::Y, Vec3::new(0.0, 0.6, 0.8)] {
        let rate = TAU / PERIOD;
        for turns in [0.3, 1.0] {
            let forces =
                rotated(PairRotation { axis, rates: [rate; 2] }, turns * PERIOD, STEPS, false);
            assert_rotated(forces, axis, turns * TAU, TOLERANCE);
        }
    }
}

#[test]
fn the_spring_rotates_with_a_pair_about_the_normal() {
    let rate = TAU / PERIOD;
    let forces =
        rotated(PairRotation { axis: Vec3::X, rates: [rate; 2] }, 0.3 * PERIOD, STEPS, false);
    assert_rotated(forces, Vec3::X, 0.3 * TAU, TOLERANCE);
}

#[test]
fn the_spring_rotates_with_a_pair_about_any_axis() {
    let rate = TAU / PERIOD;
    let axis = Vec3::new(2.0, -1.0, 2.0) / 3.0;
    let forces = rotated(PairRotation { axis, rates: [rate; 2] }, 0.7 * PERIOD, STEPS, false);
    assert_rotated(forces, axis, 0.7 * TAU, TOLERANCE);
}

#[test]
fn the_spring_follows_the_line_of_centres_if_the_spins_of_the_partners_differ() {
    // The driven centre orbits the heavy one, which does not spin: half of the rotation comes from the mean spin, the
    // other half from the slip. Slip is velocity at the end of a step times the step, so it runs ahead by half a step,
    // 2π/1000/4 of the force.
    let rate = TAU / PERIOD;
    let forces =
        rotated(PairRotation { axis: Vec3::X, rates: [rate, 0.0] }, 0.3 * PERIOD, STEPS, false);
    assert_rotated(forces, Vec3::X, 0.3 * TAU, 2e-3);
}

#[test]
fn the_spring_rotates_with_a_sphere_and_a_wall_about_any_axis() {
    let rate = TAU / PERIOD;
    for axis in [Vec3::X, Vec3::Z, Vec3::new(2.0, -1.0, 2.0) / 3.0] {
        let forces = rotated(PairRotation { axis, rates: [rate; 2] }, 0.7 * PERIOD, STEPS, true);
        assert_rotated(forces, axis, 0.7 * TAU, TOLERANCE);
    }
}

#[test]
fn the_transport_of_the_spring_is_of_second_order() {
    let axis = Vec3::new(2.0, -1.0, 2.0) / 3.0;
    let errors = [250.0, 500.0, 1000.0].map(|steps| {
        let rates = [TAU / PERIOD; 2];
        let [before, after] = rotated(PairRotation { axis, rates }, PERIOD, steps, false);
        (after - before).length() / before.length()
    });
    assert!(errors[0] > 3.0 * errors[1] && errors[1] > 3.0 * errors[2], "{errors:?}");
}
