//! Free fall, bounces, and settling in a viscous medium.

mod common;

use common::*;
use esker::field::StokesDrag;
use esker::prelude::*;
use std::f64::consts::PI;
use std::sync::Arc;

#[test]
fn a_thrown_sphere_follows_a_parabola() {
    let (mut scene, material) = scene(hertz(), Pair::new());
    scene.gravity = Vec3::new(0.0, 1.0, -G);
    let (start, speed) = (Vec3::new(0.1, 0.2, 3.0), Vec3::new(2.0, -1.0, 4.0));
    scene.add_sphere(material, Sphere { spin: Vec3::X, ..sphere(start, speed) });
    scene.step = StepSize::Fixed(1e-4);
    let gravity = scene.gravity;
    let mut simulation = scene.build().expect("a valid scene");
    for _ in 0..10_000 {
        simulation.step().expect("a healthy step");
    }
    let t = simulation.time();
    let expected = start + speed * t + 0.5 * t * t * gravity;
    // the method is exact for a constant force: the remaining error is the rounding of 10⁴ additions of numbers of
    // order one, at worst 10⁴ · 1e-16 each
    assert!(position(&simulation, 0).distance(expected) < 1e-12 * 10.0);
    assert!(velocity(&simulation, 0).distance(speed + gravity * t) < 1e-12 * 10.0);
    assert_eq!(spin(&simulation, 0), Vec3::X);
    let orientation = simulation.particles().orientation(ParticleId::new(0)).unwrap();
    assert!(orientation.angle_between(Quat::from_axis_angle(Vec3::X, t)) < 1e-7);
}

/// Peak heights of a sphere that falls from `height` above its first touch of the floor.
fn peaks(contact: ContactModel, pair: Pair, height: f64, count: usize) -> Vec<(f64, f64)> {
    let (mut scene, material) = scene(contact, pair);
    scene.gravity = -G * Vec3::Z;
    scene.add_wall("floor", floor(), material);
    scene.add_sphere(material, sphere(Vec3::Z * (RADIUS + height), Vec3::ZERO));
    let speed = (2.0 * G * height).sqrt();
    scene.step = StepSize::Fixed(duration(mass(RADIUS), RADIUS, speed) / 200.0);
    let mut simulation = scene.build().expect("a valid scene");
    let mut peaks = Vec::new();
    while peaks.len() < count {
        let before = velocity(&simulation, 0).z;
        simulation.step().expect("a healthy step");
        let after = velocity(&simulation, 0).z;
        if before > 0.0 && after <= 0.0 {
            // exact continuation to the instant of rest
            let rest = after / G;
            let height = position(&simulation, 0).z - RADIUS + 0.5 * G * rest * rest;
            peaks.push((simulation.time() + rest, height));
        }
    }
    peaks
}

#[test]
fn an_elastic_sphere_returns_to_its_height_after_every_bounce() {
    let height = 0.2;
    for (bounce, (_, peak)) in peaks(hertz(), Pair::new(), height, 10).into_iter().enumerate() {
        // second order in 1/200 of the contact, 2.5e-5 times a number of order one, for each bounce
        assert!((peak / height - 1.0).abs() < 1e-5 * (bounce + 1) as f64, "{bounce}: {peak}");
    }
}

#[test]
fn peaks_of_a_damped_sphere_fall_with_the_square_of_the_restitution() {
    let (height, restitution) = (0.2f64, 0.8);
    let speed = (2.0 * G * height).sqrt();
    let contact = duration(mass(RADIUS), RADIUS, speed);
    let peaks = peaks(damped(), Pair::new().restitution(restitution), height, 4);
    let mut expected_height = height;
    let mut expected_time = (2.0 * height / G).sqrt();
    for (bounce, (time, peak)) in peaks.into_iter().enumerate() {
        expected_height *= restitution * restitution;
        expected_time += (2.0 * expected_height / G).sqrt();
        // Gravity acts during the contact, g t_c/v = 0.3 % of the speed, and the contact has a duration that the
        // formula neglects; both effects grow as the bounces become smaller.
        let tolerance =
            2.0 * G * contact / speed * 1.3f64.powi(bounce as i32 + 1) * (bounce + 1) as f64;
        assert_close(peak, expected_height, tolerance);
        assert_close(time - contact * (bounce + 1) as f64, expected_time, tolerance);
        expected_time += (2.0 * expected_height / G).sqrt();
    }
}

#[test]
fn a_sphere_in_a_viscous_medium_approaches_its_terminal_velocity_exponentially() {
    let viscosity = 2.0;
    let medium_velocity = Vec3::new(0.3, 0.0, 0.1);
    let (mut scene, material) = scene(hertz(), Pair::new());
    scene.gravity = -G * Vec3::Z;
    scene.fields.push(Arc::new(StokesDrag { viscosity, medium_velocity: medium_velocity.into() }));
    let start = Vec3::new(0.0, 0.5, 0.2);
    scene.add_sphere(material, sphere(Vec3::ZERO, start));
    let relaxation = mass(RADIUS) / (6.0 * PI * viscosity * RADIUS);
    let steps_per_relaxation = 1000.0;
    scene.step = StepSize::Fixed(relaxation / steps_per_relaxation);
    let mut simulation = scene.build().expect("a valid scene");
    let terminal = medium_velocity - G * relaxation * Vec3::Z;
    for multiple in 1..=30 {
        run_until(&mut simulation, f64::from(multiple) * relaxation);
        let t = simulation.time();
        let expected = terminal + (start - terminal) * (-t / relaxation).exp();
        let found = velocity(&simulation, 0);
        // second order: the error of the rate is (Δt/τ)²/12 … /6, which over a few τ is less than that fraction of the
        // difference
        let tolerance = (1.0 / steps_per_relaxation).powi(2) * (start - terminal).length();
        assert!(found.distance(expected) < tolerance, "{t}: {found} {expected}");
    }
    assert!(velocity(&simulation, 0).distance(terminal) < 1e-12 * terminal.length());
}
