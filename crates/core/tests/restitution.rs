//! Restitution of a damped impact: a table from an independent computation, the exact maps from a restitution to
//! a damping ratio, contacts that keep their tension and contacts that do not.

mod common;

use common::*;
use damping::Tension;
use esker::prelude::*;
use std::f64::consts::PI;

/// Stiffness of the linear law [N/m].
const STIFFNESS: f64 = 1e5;

/// Steps in the duration of the elastic impact.
const STEPS: f64 = 20_000.0;

/// Ratio of the speeds after and before the impact of a sphere on a wall.
fn restitution(contact: ContactModel, pair: Pair, duration: f64, speed: f64) -> f64 {
    let (mut scene, material) = scene(contact, pair);
    scene.add_wall("floor", floor(), material);
    scene.add_sphere(material, sphere(Vec3::Z * RADIUS, -speed * Vec3::Z));
    scene.step = StepSize::Fixed(duration / STEPS);
    let mut simulation = scene.build().expect("a valid scene");
    // a strongly damped contact ends late, or never
    for _ in 0..30 * STEPS as usize {
        simulation.step().expect("a healthy step");
        if position(&simulation, 0).z > RADIUS {
            return velocity(&simulation, 0).z / speed;
        }
    }
    0.0
}

fn hertzian(tension: Tension, pair: Pair, speed: f64) -> f64 {
    let contact = ContactModel::normal(Hertz { tension }).damping(HertzDamping::default());
    restitution(contact, pair, duration(mass(RADIUS), RADIUS, speed), speed)
}

fn linear(tension: Tension, pair: Pair) -> f64 {
    let contact = ContactModel::normal(Linear { tension }).damping(LinearDamping::default());
    let duration = PI * (mass(RADIUS) / STIFFNESS).sqrt();
    restitution(contact, pair.with("normal_stiffness", STIFFNESS), duration, 1.0)
}

/// ξ, restitution with tension kept, restitution with tension clipped, from an independent solution of the equation of motion.
const TABLE: [[f64; 3]; 6] = [
    [0.0002, 0.99931, 0.99931],
    [0.02, 0.93347, 0.93437],
    [0.1, 0.70735, 0.72467],
    [0.3, 0.33516, 0.42311],
    [0.5, 0.12788, 0.27315],
    [0.8, 0.00329, 0.16062],
];

// Five printed digits, and an error of the order (1/20000)^{5/4} from the fourth root with which
// the damping sets in (see `hertz_impact.rs`).
const TABLE_TOLERANCE: f64 = 1.5e-5;

#[test]
fn restitution_of_a_hertzian_contact_that_keeps_its_tension_is_that_of_the_table() {
    for [ratio, expected, _] in TABLE {
        let found = hertzian(Tension::Keep, Pair::new().damping_ratio(ratio), 1.0);
        assert!((found - expected).abs() < TABLE_TOLERANCE, "ξ = {ratio}: {found} {expected}");
    }
}

#[test]
fn restitution_of_a_hertzian_contact_without_tension_is_that_of_the_table() {
    // a free body parts for good once it would pull, so that clipped and released are the same
    for tension in [Tension::Clip, Tension::Release] {
        for [ratio, _, expected] in TABLE {
            let found = hertzian(tension, Pair::new().damping_ratio(ratio), 1.0);
            assert!((found - expected).abs() < TABLE_TOLERANCE, "ξ = {ratio}: {found} {expected}");
        }
    }
}

#[test]
fn a_hertzian_contact_has_the_restitution_it_was_given_at_any_speed() {
    for expected in [0.95, 0.6, 0.2] {
        for speed in [0.01, 1.0] {
            let found = hertzian(Tension::Keep, Pair::new().restitution(expected), speed);
            // as above
            assert!((found - expected).abs() < 1e-5, "{speed} m/s: {found} {expected}");
        }
    }
}

/// Damping sets in with a jump at the first touch, which a step sees half a step late: a relative
/// error of the speed of about ξ ω Δt = ξ π/20000 there, and the same at the end.
fn linear_tolerance(ratio: f64) -> f64 {
    1e-6 + 2.0 * ratio * PI / STEPS
}

#[test]
fn restitution_of_a_linear_contact_is_exp_of_minus_pi_xi_over_root_one_minus_xi_squared() {
    for ratio in [0.001, 0.05, 0.2, 0.5] {
        let expected = (-PI * ratio / (1.0 - ratio * ratio).sqrt()).exp();
        let found = linear(Tension::Keep, Pair::new().damping_ratio(ratio));
        assert!(
            (found - expected).abs() < linear_tolerance(ratio),
            "ξ = {ratio}: {found} {expected}"
        );
    }
}

#[test]
fn a_linear_contact_has_the_restitution_it_was_given() {
    for expected in [0.95, 0.6, 0.2] {
        let found = linear(Tension::Keep, Pair::new().restitution(expected));
        // ξ is below 0.5 in all three
        assert!((found - expected).abs() < linear_tolerance(0.5), "{found} {expected}");
    }
}

#[test]
fn a_linear_contact_without_tension_ends_when_its_force_vanishes() {
    // Schwager and Pöschel (2007): x'' = 0 at ω t = π - atan2(2 β ω, ω² - β²) with β = ξ ω₀ and
    // ω² = ω₀² - β², and the speed is then v exp(-β t).
    for ratio in [0.05f64, 0.2, 0.5, 0.8] {
        let rest = (1.0 - ratio * ratio).sqrt();
        let angle = PI - (2.0 * ratio * rest).atan2(rest * rest - ratio * ratio);
        let expected = (-ratio / rest * angle).exp();
        for tension in [Tension::Clip, Tension::Release] {
            let found = linear(tension, Pair::new().damping_ratio(ratio));
            assert!(
                (found - expected).abs() < linear_tolerance(ratio),
                "ξ = {ratio}: {found} {expected}"
            );
        }
    }
}

#[test]
fn a_contact_damped_beyond_its_limit_does_not_rebound() {
    // √(5/6) = 0.9129 for Hertz with tension
    assert_eq!(hertzian(Tension::Keep, Pair::new().damping_ratio(0.95), 1.0), 0.0);
}
