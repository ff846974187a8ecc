//! The power law and damping by area: Hertz as a special case, impacts in closed form, both contact areas between
//! spheres and at walls, and the closure of the energy ledger.

mod common;

use common::*;
use esker::prelude::*;
use normal::Area;
use std::f64::consts::PI;

/// K of the tests [Pa].
const MODULUS: f64 = 1e8;

fn power_law(area: Area) -> ContactModel {
    ContactModel::normal(PowerLaw { area, ..PowerLaw::default() })
}

fn pair(modulus: f64, exponent: f64) -> Pair {
    Pair::new().contact_modulus(modulus).strain_exponent(exponent)
}

/// A sphere that flies into the floor; the floor is the half-space below z = 0.
fn impact(contact: ContactModel, pair: Pair, speed: f64, dt: f64, ledger: bool) -> Simulation {
    let (mut scene, material) = scene(contact, pair);
    scene.ledger = ledger;
    scene.add_wall("floor", floor(), material);
    scene.add_sphere(material, sphere(Vec3::Z * RADIUS, -speed * Vec3::Z));
    scene.step = StepSize::Fixed(dt);
    scene.build().expect("a valid scene")
}

#[test]
fn with_the_exponent_one_half_it_is_hertzs_law() {
    let dt = duration(mass(RADIUS), RADIUS, 1.0) / 200.0;
    // at a wall both lengths are the radius
    let modulus = 4.0 * effective_modulus() / (3.0 * PI);
    let mut found = impact(power_law(Area::Hertz), pair(modulus, 0.5), 1.0, dt, false);
    let mut expected = impact(hertz(), Pair::new(), 1.0, dt, false);
    for _ in 0..250 {
        found.step().expect("a healthy step");
        expected.step().expect("a healthy step");
        // rounding in each step, relative to the speed of the impact
        assert!((velocity(&found, 0).z - velocity(&expected, 0).z).abs() < 1e-11);
    }
    assert!(velocity(&found, 0).z > 0.99);
}

/// 2 ∫ dx / √(1 - x^p) from 0 to 1, by the midpoint rule after x = 1 - y².
fn duration_factor(power: f64) -> f64 {
    let count = 100_000;
    let part = |index: usize| {
        let y = (index as f64 + 0.5) / count as f64;
        let x = 1.0 - y * y;
        2.0 * y / (1.0 - x.powf(power)).sqrt()
    };
    2.0 * (0..count).map(part).sum::<f64>() / count as f64
}

/// Depth and duration of an impact under F = c δ^n with n = P + 1.
fn closed_form(exponent: f64, mass: f64, radius: f64, length: f64, speed: f64) -> [f64; 2] {
    let n = exponent + 1.0;
    let coefficient = MODULUS * PI * radius / length.powf(exponent);
    let deepest = (0.5 * (n + 1.0) * mass * speed * speed / coefficient).powf(1.0 / (n + 1.0));
    [deepest, duration_factor(n + 1.0) * deepest / speed]
}

#[test]
fn an_impact_on_the_area_of_hertz_is_as_deep_and_as_long_as_in_closed_form() {
    let (mass, speed) = (mass(RADIUS), 0.5);
    for exponent in [0.0, 0.5, 1.0, 2.3] {
        let [deepest, lasts] = closed_form(exponent, mass, RADIUS, RADIUS, speed);
        let dt = lasts / 5000.0;
        let mut simulation =
            impact(power_law(Area::Hertz), pair(MODULUS, exponent), speed, dt, false);
        // two such spheres could meet as well, and the advice takes them into account
        let [_, of_two] = closed_form(exponent, 0.5 * mass, 0.5 * RADIUS, 2.0 * RADIUS, speed);
        assert_close(simulation.advice().contact_time, of_two, 1e-6);
        let mut depth = 0.0f64;
        while position(&simulation, 0).z < RADIUS || simulation.steps() < 10 {
            simulation.step().expect("a healthy step");
            depth = depth.max(RADIUS - position(&simulation, 0).z);
        }
        // steps of 1/5000 of the duration; if the force begins in proportion to δ the error is of second order
        assert_close(depth, deepest, 1e-6);
        assert_close(simulation.time(), lasts, 3e-4);
        assert_close(velocity(&simulation, 0).z, speed, 1e-6);
    }
}

/// The elastic force of two spheres of these radii, a wall for a second radius of zero, at a fixed overlap.
fn force_at(area: Area, radii: [f64; 2], overlap: f64, exponent: f64) -> (f64, f64) {
    let (mut scene, material) = scene(power_law(area), pair(MODULUS, exponent));
    scene.health.overlap_limit = 0.5;
    let ball = |x: f64, radius: f64| Sphere::new(radius, Vec3::X * x);
    scene.add_sphere(material, ball(0.0, radii[0]));
    let distance = radii[0] + radii[1] - overlap;
    if radii[1] > 0.0 {
        scene.add_sphere(material, ball(distance, radii[1]));
    } else {
        let shape = Shape::HalfSpace { point: Vec3::X * distance, normal: -Vec3::X };
        scene.add_wall("wall", shape, material);
    }
    let simulation = scene.build().expect("a valid scene");
    let contacts = simulation.contacts();
    assert_eq!(contacts.len(), 1);
    (contacts[0].elastic, contacts[0].contact_radius)
}

#[test]
fn the_force_is_the_power_of_the_strain_times_the_area() {
    let overlap = 2e-4;
    for [first, second] in [[0.01f64, 0.01f64], [0.01, 0.025], [0.01, 0.0]] {
        let distance = first + second - overlap;
        // B(24): from the first centre to the plane in which the surfaces meet
        let plane = if second > 0.0 {
            0.5 * (distance - (second * second - first * first) / distance)
        } else {
            distance
        };
        let effective = if second > 0.0 { first * second / (first + second) } else { first };
        let areas = [
            (Area::Lens, PI * (first * first - plane * plane)),
            (Area::Hertz, PI * effective * overlap),
        ];
        for (area, expected) in areas {
            for exponent in [0.0, 0.5, 1.0, 1.5, 2.7] {
                let strain: f64 = overlap / (first + second);
                let (force, radius) = force_at(area, [first, second], overlap, exponent);
                // the overlap is a difference of lengths fifty times larger
                assert_close(force, MODULUS * strain.powf(exponent) * expected, 1e-11);
                assert_close(PI * radius * radius, expected, 1e-11);
            }
        }
    }
}

#[test]
fn the_ledger_of_an_elastic_impact_closes_with_both_areas() {
    for area in [Area::Hertz, Area::Lens] {
        let (mut scene, material) = scene(power_law(area), pair(MODULUS, 0.8));
        scene.ledger = true;
        let ball = |x: f64, radius: f64, speed: f64| Sphere {
            velocity: Vec3::X * speed,
            ..Sphere::new(radius, Vec3::X * x)
        };
        scene.add_sphere(material, ball(0.0, 0.01, 0.5));
        scene.add_sphere(material, ball(0.0301, 0.02, -0.5));
        scene.safety = Some(0.002);
        let mut simulation = scene.build().expect("a valid scene");
        let mut stored = 0.0f64;
        for _ in 0..1000 {
            simulation.step().expect("a healthy step");
            let energy = simulation.energy();
            stored = stored.max(energy.elastic_normal / energy.kinetic);
            // of second order in steps of 1/500 of the impact
            assert!(
                energy.relative_closure_error().abs() < 1e-5,
                "{area:?} {}",
                energy.relative_closure_error()
            );
        }
        assert!(stored > 0.1, "{area:?}: they missed each other");
    }
}

#[test]
fn damping_by_area_alone_decelerates_as_a_hyperbolic_secant() {
    // m v dv/dδ = -c π r δ v, so δ = D tanh(v₀ t / D) with D = √(2 m v₀ / (c π r))
    let (mass, speed, damping) = (mass(RADIUS), 0.5, 2e7);
    let depth = (2.0 * mass * speed / (damping * PI * RADIUS)).sqrt();
    let time = depth / speed;
    // a spring with a negligible force
    let contact = power_law(Area::Hertz).damping(AreaDamping::default());
    let pair = pair(1e-9, 0.0).area_damping(damping);
    let mut simulation = impact(contact, pair, speed, time / 2000.0, true);
    // a lens would have twice the area, which shortens the time by the root of two
    assert_close(simulation.advice().contact_time, time / 2f64.sqrt(), 1e-9);
    while simulation.time() < 3.0 * time {
        simulation.step().expect("a healthy step");
        let scaled_time = simulation.time() / time;
        let expected = depth * scaled_time.tanh();
        assert!((RADIUS - position(&simulation, 0).z - expected).abs() < 1e-6 * depth);
        let expected = speed / scaled_time.cosh().powi(2);
        // of second order in steps of 1/2000
        assert!((velocity(&simulation, 0).z + expected).abs() < 1e-6 * speed);
        assert!(simulation.energy().relative_closure_error().abs() < 1e-5);
    }
}
