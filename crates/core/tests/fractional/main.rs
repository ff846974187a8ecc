//! The spring-pot: the free impact in Mittag-Leffler functions, restitution as a function of the order, both limits,
//! creep under a constant load, a contact that begins with an overlap, and the ledger.

#[path = "../common/mod.rs"]
mod common;

mod located_end;

use common::*;
use esker::prelude::*;
use normal::{Interpolation, MemoryKind};
use std::f64::consts::PI;

/// Stiffness K of the tests [N/m].
const STIFFNESS: f64 = 1e4;

/// A viscosity with which the unit of time of a contact is √(m*/K) for every order.
fn matched(mass: f64) -> f64 {
    (mass * STIFFNESS).sqrt()
}

fn spring_pot(order: f64) -> Fractional {
    // the closed forms are those of a contact that keeps its tension
    let tension = damping::TensileCutoff::Keep;
    Fractional { order: Some(order), horizon: Some(1.0), tension, ..Fractional::default() }
}

fn pair(stiffness: f64, viscosity: f64) -> Pair {
    Pair::new().normal_stiffness(stiffness).normal_viscosity(viscosity)
}

/// A sphere that moves towards a floor and touches it at the start.
fn impact(law: Fractional, pair: Pair, speed: f64, dt: f64) -> Simulation {
    let (mut scene, material) = scene(ContactModel::normal(law), pair);
    scene.ledger = true;
    scene.add_wall("floor", floor(), material);
    scene.add_sphere(material, sphere(Vec3::Z * RADIUS, -speed * Vec3::Z));
    scene.step = StepSize::Fixed(dt);
    scene.health.overlap_limit = 0.5;
    scene.build().expect("a valid scene")
}

/// `E_{a,b}(-x)` by its series: for x up to about 15 it loses seven digits of sixteen at most.
fn mittag_leffler(a: f64, b: f64, x: f64) -> f64 {
    let mut sum = 0.0;
    for k in 0..150 {
        let size = (f64::from(k) * x.ln() - libm::lgamma(a * f64::from(k) + b)).exp();
        sum += if k % 2 == 0 { size } else { -size };
    }
    sum
}

/// Order, time and restitution at zero force, then at zero overlap, in units of (m*/c)^{1/(2-α)}: a series of sixty
/// digits, computed independently of this code.
const TABLE: [[f64; 5]; 5] = [
    [0.01, 3.1335, 0.98103, 3.1522, 0.98086],
    [0.09, 3.0731, 0.83766, 3.2569, 0.82378],
    [0.1, 3.0660, 0.82075, 3.2729, 0.80361],
    [0.3, 2.9587, 0.52505, 3.8594, 0.36180],
    [0.4, 2.9382, 0.40456, 5.0682, 0.02281],
];

#[test]
fn overlap_speed_and_force_of_a_free_impact_are_mittag_leffler_functions() {
    let mass = mass(RADIUS);
    let unit = (mass / STIFFNESS).sqrt();
    let (speed, steps) = (0.5, 1000.0);
    for order in [0.01, 0.1, 0.3, 0.5, 0.85, 0.99] {
        let b = 2.0 - order;
        for law in [
            spring_pot(order),
            Fractional { memory: MemoryKind::Direct, horizon: None, ..spring_pot(order) },
        ] {
            let pair = pair(STIFFNESS, matched(mass));
            let mut simulation = impact(law, pair, speed, unit / steps);
            // the longest time is before the contact ends for every order
            let mut worst = [0.0f64; 3];
            let last = if law.memory == MemoryKind::Direct { 0.9 } else { 2.9 };
            while simulation.time() < last * unit {
                simulation.step().expect("a healthy step");
                let time = simulation.time() / unit;
                let x = time.powf(b);
                let overlap = speed * unit * time * mittag_leffler(b, 2.0, x);
                let closing = speed * mittag_leffler(b, 1.0, x);
                let force =
                    STIFFNESS * unit * speed * time.powf(1.0 - order) * mittag_leffler(b, b, x);
                let found = simulation.particles().load(ParticleId::new(0)).expect("there").force.z;
                let errors = [
                    (RADIUS - position(&simulation, 0).z - overlap) / (speed * unit),
                    (-velocity(&simulation, 0).z - closing) / speed,
                    (found - force) / (STIFFNESS * speed * unit),
                ];
                // forces of the first steps are those of a contact that has just formed
                let is_young = time < 0.02;
                for (worst, error) in
                    worst.iter_mut().zip(errors).take(if is_young { 2 } else { 3 })
                {
                    *worst = worst.max(error.abs());
                }
            }
            // A thousand steps per unit of time. The speed starts as t^{2-α}, and the error of a step is of that order;
            // at the order 0.99 that is first order.
            let tolerance = 0.5 * steps.powf(order - 2.0) + 2e-6;
            assert!(worst.iter().all(|error| *error < tolerance), "{order}: {worst:?}");
            println!("{order} {:?}: {worst:?} of {tolerance:e}", law.memory);
        }
    }
}

/// Duration of a free contact and ratio of the speeds at its end.
fn restitution(law: Fractional, pair: Pair, mass: f64, speed: f64, steps: f64) -> [f64; 2] {
    let c = |name: &str| pair.value(name).unwrap_or(0.0);
    let order = law.order.unwrap_or(0.0);
    let coefficient = c("normal_viscosity").powf(order) * c("normal_stiffness").powf(1.0 - order);
    let unit = (mass / coefficient).powf(1.0 / (2.0 - order));
    let mut simulation = impact(law, pair, speed, unit / steps);
    for _ in 0..8 * steps as usize {
        simulation.step().expect("a healthy step");
        if position(&simulation, 0).z > RADIUS {
            let beyond = (position(&simulation, 0).z - RADIUS) / velocity(&simulation, 0).z;
            return [(simulation.time() - beyond) / unit, velocity(&simulation, 0).z / speed];
        }
    }
    [f64::INFINITY, 0.0]
}

#[test]
fn the_restitution_is_that_of_the_table_with_and_without_tension() {
    let mass = mass(RADIUS);
    // The end of a contact is detected up to a step late, in which the attraction, at most 0.39 of the largest force,
    // continues to act; and the table has five digits.
    let steps = 10_000.0;
    let tolerance = 0.39 / steps + 1e-5;
    for [order, _, at_force, ends, at_overlap] in TABLE {
        let law = spring_pot(order);
        let pair = pair(STIFFNESS, matched(mass));
        let [time, found] = restitution(law, pair.clone(), mass, 1.0, steps);
        assert!((found - at_overlap).abs() < tolerance, "{order}: {found} {at_overlap}");
        assert!((time - ends).abs() < 2e-3, "{order}: {time} {ends}");
        for tension in [damping::TensileCutoff::Release, damping::TensileCutoff::Clip] {
            let law = Fractional { tension, ..law };
            let [_, found] = restitution(law, pair.clone(), mass, 1.0, steps);
            assert!((found - at_force).abs() < tolerance, "{order}: {found} {at_force}");
        }
    }
}

#[test]
fn the_restitution_depends_on_neither_speed_nor_stiffness_nor_viscosity_nor_mass() {
    let mass = mass(RADIUS);
    let usual = restitution(spring_pot(0.1), pair(1e4, 3.0), mass, 0.5, 2000.0)[1];
    for (stiffness, viscosity, speed) in [(1e4, 3.0, 0.01), (1e6, 3.0, 0.5), (1e4, 200.0, 0.5)] {
        let found =
            restitution(spring_pot(0.1), pair(stiffness, viscosity), mass, speed, 2000.0)[1];
        // the same motion in other units: only the rounding of the overlap differs
        assert!((found - usual).abs() < 1e-6, "{stiffness} {viscosity} {speed}: {found} {usual}");
    }
    // an eighth of the effective mass: two spheres of different size meet instead of a wall
    let (mut scene, material) = scene(ContactModel::normal(spring_pot(0.1)), pair(1e4, 3.0));
    let radii = [RADIUS, 0.4 * RADIUS];
    let masses = radii.map(common::mass);
    let effective = masses[0] * masses[1] / (masses[0] + masses[1]);
    let coefficient = 3f64.powf(0.1) * 1e4f64.powf(0.9);
    let ball = |x: f64, radius: f64, speed: f64| Sphere {
        velocity: Vec3::X * speed,
        ..Sphere::new(radius, Vec3::X * x)
    };
    scene.add_sphere(material, ball(0.0, radii[0], 0.2));
    scene.add_sphere(material, ball(1.4 * RADIUS, radii[1], -0.3));
    let unit = (effective / coefficient).powf(1.0 / 1.9);
    scene.step = StepSize::Fixed(unit / 2000.0);
    let mut simulation = scene.build().expect("a valid scene");
    for _ in 0..8000 {
        simulation.step().expect("a healthy step");
    }
    let found = (velocity(&simulation, 1).x - velocity(&simulation, 0).x) / 0.5;
    assert!((found - usual).abs() < 1e-6, "{found} {usual}");
}

#[test]
fn above_the_critical_order_a_free_contact_never_ends() {
    // α_c = 0.400885: at 0.5 the overlap falls as t^{α-1}, and is there after a hundred units
    let mass = mass(RADIUS);
    let unit = (mass / STIFFNESS).sqrt();
    let mut simulation = impact(spring_pot(0.5), pair(STIFFNESS, matched(mass)), 0.5, unit / 100.0);
    run_until(&mut simulation, 100.0 * unit);
    let overlap = RADIUS - position(&simulation, 0).z;
    // v (m/c) t^{α-1}/Γ(α), the first term of the expansion; the next is smaller by t^{α-2}
    let expected = 0.5 * unit * 100f64.powf(-0.5) / libm::tgamma(0.5);
    assert!((overlap / expected - 1.0).abs() < 0.01, "{overlap} {expected}");
}

#[test]
fn the_order_zero_is_a_spring_and_the_order_one_a_dashpot() {
    let mass = mass(RADIUS);
    let unit = (mass / STIFFNESS).sqrt();
    let dt = unit / 1000.0;
    let viscosity = matched(mass);
    let only_spring = Pair::new().normal_stiffness(STIFFNESS);
    let only_dashpot = Pair::new().normal_viscosity(viscosity);
    // exactly the limit, and an order so near to it that the history still acts
    for (order, pair) in [(0.0, only_spring), (1e-7, pair(STIFFNESS, viscosity))] {
        let mut simulation = impact(spring_pot(order), pair, 0.5, dt);
        run_until(&mut simulation, unit);
        let overlap = RADIUS - position(&simulation, 0).z;
        assert!((overlap - 0.5 * unit * 1f64.sin()).abs() < 1e-6 * unit, "{order}: {overlap}");
        if order == 0.0 {
            let energy = simulation.energy();
            assert_close(energy.elastic_normal, 0.5 * STIFFNESS * overlap * overlap, 1e-12);
            assert_eq!(energy.damping_loss, 0.0);
        }
    }
    for (order, pair) in [(1.0, only_dashpot), (1.0 - 1e-7, pair(STIFFNESS, viscosity))] {
        let mut simulation = impact(spring_pot(order), pair, 0.5, dt);
        run_until(&mut simulation, unit);
        // v e^{-Ct/m}; a dashpot that acts from first touch is detected half a step late
        let found = -velocity(&simulation, 0).z;
        assert!((found - 0.5 * (-1f64).exp()).abs() < 1e-3, "{order}: {found}");
    }
}

#[test]
fn under_a_constant_load_the_overlap_creeps_as_a_power_of_time() {
    // one spring-pot under a load f: δ = (f/c) t^α/Γ(1+α), once inertia is negligible
    let mass = mass(RADIUS);
    for order in [0.1, 0.3, 0.5] {
        let law = spring_pot(order);
        let (mut scene, material) =
            scene(ContactModel::normal(law), pair(STIFFNESS, matched(mass)));
        scene.gravity = Vec3::Z * -G;
        scene.add_wall("floor", floor(), material);
        scene.add_sphere(material, sphere(Vec3::Z * RADIUS, Vec3::ZERO));
        let unit = (mass / STIFFNESS).sqrt();
        scene.step = StepSize::Fixed(unit / 50.0);
        let mut simulation = scene.build().expect("a valid scene");
        for time in [300.0, 1000.0] {
            run_until(&mut simulation, time * unit);
            let overlap = RADIUS - position(&simulation, 0).z;
            let expected = mass * G / STIFFNESS * time.powf(order) / libm::tgamma(1.0 + order);
            // the initial oscillation decays as a power of time too, slowly for small orders
            assert!(
                (overlap / expected - 1.0).abs() < 2e-3,
                "{order} {time}: {overlap} {expected}"
            );
        }
    }
}

#[test]
fn a_parallel_spring_ends_the_creep() {
    let mass = mass(RADIUS);
    let law = spring_pot(0.6);
    let all = pair(STIFFNESS, matched(mass)).parallel_stiffness(0.5 * STIFFNESS);
    let (mut scene, material) = scene(ContactModel::normal(law), all);
    scene.gravity = Vec3::Z * -G;
    scene.ledger = true;
    scene.add_wall("floor", floor(), material);
    scene.add_sphere(material, sphere(Vec3::Z * RADIUS, Vec3::ZERO));
    let unit = (mass / STIFFNESS).sqrt();
    scene.step = StepSize::Fixed(unit / 50.0);
    let mut simulation = scene.build().expect("a valid scene");
    run_until(&mut simulation, 2000.0 * unit);
    let overlap = RADIUS - position(&simulation, 0).z;
    let rest = mass * G / (0.5 * STIFFNESS);
    // the difference decays as (c/k) t^{-α}/Γ(1-α): 2 · 2000^{-0.6} / Γ(0.4) = 0.0094
    let missing = 2.0 * 2000f64.powf(-0.6) / libm::tgamma(0.4);
    assert!((1.0 - overlap / rest - missing).abs() < 0.1 * missing, "{overlap} {rest}");
    let energy = simulation.energy();
    assert_close(energy.elastic_normal, 0.25 * STIFFNESS * overlap * overlap, 1e-9);
    assert!(energy.relative_closure_error().abs() < 1e-3, "{}", energy.relative_closure_error());
}

#[test]
fn the_linear_rule_converges_to_the_same_and_the_cubic_one_is_better() {
    let mass = mass(RADIUS);
    let unit = (mass / STIFFNESS).sqrt();
    let order = 0.3;
    let expected = 0.5 * mittag_leffler(2.0 - order, 1.0, 2f64.powf(2.0 - order));
    let error = |interpolation, steps: f64| {
        let law = Fractional { interpolation, ..spring_pot(order) };
        let mut simulation = impact(law, pair(STIFFNESS, matched(mass)), 0.5, unit / steps);
        run_until(&mut simulation, 2.0 * unit);
        (-velocity(&simulation, 0).z - expected).abs() / 0.5
    };
    let [linear, cubic] = [Interpolation::Linear, Interpolation::Cubic]
        .map(|rule| [20.0, 80.0].map(|n| error(rule, n)));
    println!("linear {linear:?}, cubic {cubic:?}");
    // order 2 - α = 1.7 of the rule, in four times as many steps
    assert!(linear[0] / linear[1] > 7.0, "{linear:?}");
    assert!(cubic[0] < linear[0] && cubic[1] < linear[1], "{linear:?} {cubic:?}");
}

#[test]
fn a_contact_that_begins_with_an_overlap_is_repulsive() {
    // a ramp of the length of a step: c δ Δt^{-α} / Γ(2-α)
    let mass = mass(RADIUS);
    let (order, overlap) = (0.3, 1e-5);
    let law = spring_pot(order);
    let (mut scene, material) = scene(ContactModel::normal(law), pair(STIFFNESS, matched(mass)));
    scene.add_wall("floor", floor(), material);
    scene.add_sphere(material, sphere(Vec3::Z * (RADIUS - overlap), Vec3::ZERO));
    let dt = 1e-6;
    scene.step = StepSize::Fixed(dt);
    let mut simulation = scene.build().expect("a valid scene");
    let coefficient = matched(mass).powf(order) * STIFFNESS.powf(1.0 - order);
    let expected = coefficient * overlap * dt.powf(-order) / libm::tgamma(2.0 - order);
    let found = simulation.particles().load(ParticleId::new(0)).expect("there").force.z;
    assert_close(found, expected, 1e-9);
    // afterwards the force of a constant overlap decays as t^{-α}/Γ(1-α); the sphere hardly moves yet
    for _ in 0..40 {
        simulation.step().expect("a healthy step");
    }
    let found = simulation.particles().load(ParticleId::new(0)).expect("there").force.z;
    let expected = coefficient * overlap * (40.0 * dt).powf(-order) / libm::tgamma(1.0 - order);
    assert_close(found, expected, 0.02);
}

#[test]
fn the_ledger_closes_and_the_loss_of_an_impact_is_that_of_its_restitution() {
    let mass = mass(RADIUS);
    for (tension, at_end) in
        [(damping::TensileCutoff::Keep, 0.80361), (damping::TensileCutoff::Release, 0.82075)]
    {
        let law = Fractional { tension, ..spring_pot(0.1) };
        let unit = (mass / STIFFNESS).sqrt();
        let mut simulation = impact(law, pair(STIFFNESS, matched(mass)), 1.0, unit / 2000.0);
        for _ in 0..8000 {
            simulation.step().expect("a healthy step");
            let error = simulation.energy().relative_closure_error();
            assert!(error.abs() < 2e-4, "{tension:?} at {}: {error}", simulation.time());
        }
        let lost = simulation.energy().damping_loss / (0.5 * mass);
        assert!((lost - (1.0 - at_end * at_end)).abs() < 5e-4, "{tension:?}: {lost}");
    }
}

#[test]
fn the_advice_is_half_a_period_at_the_rate_of_an_impact() {
    // two such spheres could meet: half the mass
    let mass = 0.5 * mass(RADIUS);
    for order in [0.0, 0.1, 0.5, 1.0] {
        let (stiffness, viscosity) = (2e4, 7.0);
        let simulation = impact(spring_pot(order), pair(stiffness, viscosity), 1.0, 1e-5);
        let coefficient = f64::powf(viscosity, order) * f64::powf(stiffness, 1.0 - order);
        let expected = PI * (mass / coefficient).powf(1.0 / (2.0 - order));
        assert_close(simulation.advice().contact_time, expected, 1e-9);
    }
}

#[test]
fn a_restitution_gives_the_order() {
    let mass = mass(RADIUS);
    for (tension, given) in
        [(damping::TensileCutoff::Keep, 0.80361), (damping::TensileCutoff::Release, 0.82075)]
    {
        let law = Fractional { order: None, restitution: Some(given), tension, ..spring_pot(0.1) };
        let same = Fractional { tension, ..spring_pot(0.1) };
        let unit = (mass / STIFFNESS).sqrt();
        let [found, expected] = [law, same].map(|law| {
            let mut simulation = impact(law, pair(STIFFNESS, matched(mass)), 1.0, unit / 100.0);
            run_until(&mut simulation, 2.0 * unit);
            velocity(&simulation, 0).z
        });
        // five digits of the restitution
        assert!((found - expected).abs() < 1e-4, "{tension:?}: {found} {expected}");
    }
}
