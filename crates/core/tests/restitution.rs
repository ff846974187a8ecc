//! Restitution of a damped impact: a table from an independent computation, and a given restitution that is met, for
//! each normal law and each tensile cut-off.

mod common;

use common::*;
use damping::TensileCutoff;
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
    let mut before = -speed;
    // a strongly damped contact ends late, or never
    for _ in 0..30 * STEPS as usize {
        simulation.step().expect("a healthy step");
        let now = velocity(&simulation, 0).z;
        // without tension the force ends before the overlap does
        if position(&simulation, 0).z > RADIUS || (now > 0.0 && now == before) {
            return now / speed;
        }
        before = now;
    }
    0.0
}

fn hertzian(tension: TensileCutoff, pair: Pair, speed: f64) -> f64 {
    let contact = ContactModel::normal(Hertz { tension }).damping(HertzDamping::default());
    restitution(contact, pair, duration(mass(RADIUS), RADIUS, speed), speed)
}

fn linear(tension: TensileCutoff, pair: Pair) -> f64 {
    let contact = ContactModel::normal(Linear { tension }).damping(LinearDamping::default());
    let duration = PI * (mass(RADIUS) / STIFFNESS).sqrt();
    restitution(contact, pair.normal_stiffness(STIFFNESS), duration, 1.0)
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

// Five digits of the table, and an error of the order (1/20000)^{5/4} from the fourth root with which the damping
// begins (see `hertz_impact.rs`).
const TABLE_TOLERANCE: f64 = 1.5e-5;

#[test]
fn restitution_of_a_hertzian_contact_that_keeps_its_tension_is_that_of_the_table() {
    for [ratio, expected, _] in TABLE {
        let found = hertzian(TensileCutoff::Keep, Pair::new().damping_ratio(ratio), 1.0);
        assert!((found - expected).abs() < TABLE_TOLERANCE, "ξ = {ratio}: {found} {expected}");
    }
}

#[test]
fn restitution_of_a_hertzian_contact_without_tension_is_that_of_the_table() {
    // a free body separates for good at the first attractive force, so that clipped and released are the same
    for tension in [TensileCutoff::Clip, TensileCutoff::Release] {
        for [ratio, _, expected] in TABLE {
            let found = hertzian(tension, Pair::new().damping_ratio(ratio), 1.0);
            assert!((found - expected).abs() < TABLE_TOLERANCE, "ξ = {ratio}: {found} {expected}");
        }
    }
}

/// A normal law whose force grows as the overlap to the power of `exponent`.
struct Power {
    exponent: f64,
    /// `2 ∫ dx/√(1 - x^{n+1})`: duration of an elastic impact in units of δ/v.
    duration: f64,
    contact: fn(TensileCutoff) -> ContactModel,
    pair: fn(Pair) -> Pair,
    /// c in `F = c δ^n`.
    coefficient: f64,
}

/// `contact_modulus` of the power law [Pa].
const MODULUS: f64 = 1e8;

/// `F = K (δ/r)^P π r δ` at a wall.
fn power_law<const P: i32>(duration: f64) -> Power {
    Power {
        exponent: f64::from(P + 1),
        duration,
        contact: |tension| {
            ContactModel::normal(PowerLaw { tension, ..PowerLaw::default() })
                .damping(HertzDamping::default())
        },
        pair: |pair| pair.contact_modulus(MODULUS).strain_exponent(f64::from(P)),
        coefficient: MODULUS * PI * RADIUS.powi(1 - P),
    }
}

fn powers() -> [Power; 5] {
    let hertz = Power {
        exponent: 1.5,
        duration: 2.943_275,
        contact: |tension| ContactModel::normal(Hertz { tension }).damping(HertzDamping::default()),
        pair: |pair| pair,
        coefficient: hertz_stiffness(RADIUS),
    };
    let linear = Power {
        exponent: 1.0,
        duration: PI,
        contact: |tension| {
            ContactModel::normal(Linear { tension }).damping(LinearDamping::default())
        },
        pair: |pair| pair.normal_stiffness(STIFFNESS),
        coefficient: STIFFNESS,
    };
    // the map follows from the normal law, not from the name of the damping
    let crossed = Power {
        contact: |tension| {
            ContactModel::normal(Hertz { tension }).damping(LinearDamping::default())
        },
        ..hertz
    };
    [hertz, linear, crossed, power_law::<1>(2.804_364), power_law::<2>(2.622_058)]
}

/// Without tension the first touch, with tension the last one as well, is detected up to a step late. The dashpot takes
/// 2 ξ ω Δt of the speed in a step, with ω of the overlap vΔt there; all later velocities are in proportion. Within the
/// contact the method is of second order in 2 ξ ω Δt.
fn fraction_of_tolerance(power: &Power, ratio: f64) -> f64 {
    let n = power.exponent;
    let depth = power.duration / STEPS; // vΔt as a fraction of the largest overlap
    // ω² = k/m = n(n+1)/2 (v/δ)²
    let most = 2.0 * ratio * (0.5 * n * (n + 1.0)).sqrt() * depth;
    2.0 * most * depth.powf(0.5 * (n - 1.0)) + 2.0 * most * most + 1e-6
}

#[test]
fn a_contact_has_the_given_restitution_for_every_law_and_tensile_cut_off() {
    for power in powers() {
        let n = power.exponent;
        let energy = 0.5 * mass(RADIUS);
        let depth = ((n + 1.0) * energy / power.coefficient).powf(1.0 / (n + 1.0));
        for expected in [0.95, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.05, 0.01] {
            for tension in [TensileCutoff::Keep, TensileCutoff::Clip, TensileCutoff::Release] {
                let pair = (power.pair)(Pair::new().restitution(expected));
                let found =
                    restitution((power.contact)(tension), pair, power.duration * depth, 1.0);
                let ratio = damping::ratio_of_restitution(expected, tension, n);
                let tolerance = expected * fraction_of_tolerance(&power, ratio);
                let error = found - expected;
                assert!(error.abs() < tolerance, "{n} {tension:?} {expected}: {error} {tolerance}");
            }
        }
    }
}

#[test]
fn a_hertzian_contact_has_the_given_restitution_at_any_speed() {
    for tension in [TensileCutoff::Keep, TensileCutoff::Clip, TensileCutoff::Release] {
        for speed in [0.01, 2.0] {
            let found = hertzian(tension, Pair::new().restitution(0.2), speed);
            // as above
            assert!((found - 0.2).abs() < 1e-5, "{tension:?} {speed} m/s: {found}");
        }
    }
}

#[test]
fn by_default_a_scene_has_the_given_restitution_and_no_tension() {
    let (mut scene, material) = scene(damped(), Pair::new().restitution(0.2));
    scene.add_wall("floor", floor(), material);
    scene.add_sphere(material, sphere(Vec3::Z * RADIUS, -Vec3::Z));
    scene.step = StepSize::Fixed(duration(mass(RADIUS), RADIUS, 1.0) / STEPS);
    let mut simulation = scene.build().expect("a valid scene");
    while position(&simulation, 0).z <= RADIUS {
        let before = velocity(&simulation, 0).z;
        simulation.step().expect("a healthy step");
        assert!(velocity(&simulation, 0).z >= before, "it is pulled");
    }
    let found = velocity(&simulation, 0).z;
    // as above
    assert!((found - 0.2).abs() < 1e-5, "{found}");
}

#[test]
fn a_restitution_of_nearly_nothing_is_a_warning_where_tension_is_cut_off() {
    for (tension, restitution, warned) in [
        (TensileCutoff::Clip, 0.001, true),
        (TensileCutoff::Release, 0.001, true),
        (TensileCutoff::Clip, 0.02, false),
        (TensileCutoff::Keep, 0.001, false),
    ] {
        let contact = ContactModel::normal(Hertz { tension }).damping(HertzDamping::default());
        let (mut scene, material) = scene(contact, Pair::new().restitution(restitution));
        scene.add_wall("floor", floor(), material);
        scene.add_sphere(material, sphere(Vec3::Z * RADIUS, -Vec3::Z));
        let simulation = scene.build().expect("a valid scene");
        let said = simulation.warnings().iter().any(|warning| warning.contains("restitution"));
        assert_eq!(said, warned, "{tension:?} {restitution}: {:?}", simulation.warnings());
    }
}

#[test]
fn the_automatic_step_follows_impacts_of_any_restitution() {
    // The automatic step has twenty steps in a contact, and is less than a fifth of the stability limit of a strong
    // dashpot: the restitution is within 0.02, and no rebound is faster.
    for expected in [0.5, 0.2, 0.1, 0.05, 0.01, 0.001] {
        let (mut scene, material) = scene(damped(), Pair::new().restitution(expected));
        scene.add_wall("floor", floor(), material);
        scene.add_sphere(material, sphere(Vec3::Z * (RADIUS + 1e-5), -Vec3::Z));
        let mut simulation = scene.build().expect("a valid scene");
        let time = 4.0 * duration(mass(RADIUS), RADIUS, 1.0);
        run_until(&mut simulation, time);
        let found = velocity(&simulation, 0).z;
        assert!((found - expected).abs() < 0.02, "{expected}: {found}");
    }
}

/// Damping sets in with a jump at the first touch, which is detected half a step late on average: a relative error of
/// the speed of about ξ ω Δt = ξ π/20000 there, and the same at the end.
fn linear_tolerance(ratio: f64) -> f64 {
    1e-6 + 2.0 * ratio * PI / STEPS
}

#[test]
fn restitution_of_a_linear_contact_is_exp_of_minus_pi_xi_over_root_one_minus_xi_squared() {
    for ratio in [0.001, 0.05, 0.2, 0.5] {
        let expected = (-PI * ratio / (1.0 - ratio * ratio).sqrt()).exp();
        let found = linear(TensileCutoff::Keep, Pair::new().damping_ratio(ratio));
        assert!(
            (found - expected).abs() < linear_tolerance(ratio),
            "ξ = {ratio}: {found} {expected}"
        );
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
        for tension in [TensileCutoff::Clip, TensileCutoff::Release] {
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
    assert_eq!(hertzian(TensileCutoff::Keep, Pair::new().damping_ratio(0.95), 1.0), 0.0);
}
