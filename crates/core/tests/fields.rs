//! Motion in fields against closed forms.

mod common;

use common::*;
use esker::field::{
    Electric, Field, LinearDrag, Magnetic, MediumVelocity, PressureGradient, ReynoldsDrag,
};
use esker::prelude::*;
use std::sync::Arc;

const CHARGE: f64 = 2e-3;

/// One charged sphere in a field, and its simulation with a given step.
fn alone(field: Arc<dyn Field>, velocity: Vec3, gravity: Vec3, dt: f64) -> Simulation {
    let (mut scene, material) = scene(frictional(), Pair::new().friction(0.5).damping_ratio(0.1));
    scene.gravity = gravity;
    scene.fields.push(field);
    scene.ledger = true;
    scene.step = StepSize::Fixed(dt);
    scene.health.step_limit = esker::scene::StepLimit::Warn;
    scene.domain = Some(Domain::new(Vec3::splat(-100.0), Vec3::splat(100.0)));
    let sphere = Sphere { velocity, ..Sphere::new(RADIUS, Vec3::ZERO) };
    scene.particles.push(Source { charge: CHARGE, ..Source::list("ball", material, vec![sphere]) });
    scene.build().expect("a valid scene")
}

#[test]
fn an_electric_field_accelerates_a_charge() {
    let strength = Vec3::new(1.0, -2.0, 0.5) * 1e2;
    let mut simulation = alone(Arc::new(Electric(strength)), Vec3::ZERO, Vec3::ZERO, 1e-3);
    run_until(&mut simulation, 0.5);
    let acceleration = CHARGE * strength / mass(RADIUS);
    let expected = 0.5 * acceleration * simulation.time().powi(2);
    // a constant force is integrated exactly except for rounding
    assert!((position(&simulation, 0) - expected).length() < 1e-12 * expected.length());
    assert!(simulation.energy().closure_error.abs() < 1e-12 * simulation.energy().kinetic);
}

#[test]
fn a_magnetic_field_bends_the_path_of_a_charge_into_a_circle() {
    let flux = Vec3::Z * 50.0;
    let speed = 3.0;
    let rate = CHARGE * 50.0 / mass(RADIUS);
    let period = std::f64::consts::TAU / rate;
    let steps = 4000;
    let mut simulation =
        alone(Arc::new(Magnetic(flux)), speed * Vec3::X, Vec3::ZERO, period / f64::from(steps));
    let radius = speed / rate;
    // a positive charge that moves along x in a flux along z turns towards -y
    let center = -radius * Vec3::Y;
    for _ in 0..steps {
        simulation.step().expect("a healthy step");
        let away = (position(&simulation, 0) - center).length();
        // second order in 1/4000 of a period, times 2π squared
        assert!((away / radius - 1.0).abs() < 1e-5, "{away} {radius}");
    }
    assert!(position(&simulation, 0).length() < 1e-4 * radius);
    assert!((velocity(&simulation, 0).length() / speed - 1.0).abs() < 1e-5);
}

#[test]
fn a_pressure_gradient_balances_the_weight_of_a_sphere_of_the_density_of_the_fluid() {
    let density = mass(RADIUS) / (4.0 / 3.0 * std::f64::consts::PI * RADIUS.powi(3));
    let gravity = -G * Vec3::Z;
    let mut simulation =
        alone(Arc::new(PressureGradient(density * gravity)), Vec3::ZERO, gravity, 1e-3);
    run_until(&mut simulation, 0.5);
    // weight and buoyancy cancel to rounding
    assert!(velocity(&simulation, 0).length() < 1e-13 * G * 0.5);
}

#[test]
fn linear_drag_slows_a_sphere_exponentially() {
    let coefficient = 5.0 * mass(RADIUS);
    let drag = LinearDrag { coefficient, medium_velocity: Vec3::ZERO.into() };
    let mut simulation = alone(Arc::new(drag), Vec3::X, Vec3::ZERO, 1e-4);
    run_until(&mut simulation, 0.4);
    let expected = (-5.0 * simulation.time()).exp();
    // The recursion of the method has the eigenvalue exp(-x) (1 + 5/12 x³ + …) with x = Δt/τ: over
    // two time constants the speed is off by 5/12 x² · 2 = 2.1e-7.
    assert_close(velocity(&simulation, 0).x, expected, 2.2e-7);
    let energy = simulation.energy();
    assert!(energy.closure_error.abs() < 1e-6 * energy.inserted);
}

#[test]
fn a_falling_sphere_reaches_the_speed_at_which_reynolds_drag_balances_its_weight() {
    // at Reynolds numbers of the third range C_D is one half: v² = 4 m g / (ρ π r²)
    let density = 1000.0;
    let expected =
        (4.0 * mass(RADIUS) * G / (density * std::f64::consts::PI * RADIUS * RADIUS)).sqrt();
    let viscosity = 1e-3;
    let reynolds = 2.0 * RADIUS * density * expected / viscosity;
    assert!((400.0..3e5).contains(&reynolds), "{reynolds}");
    let drag = ReynoldsDrag { density, viscosity, medium_velocity: Vec3::ZERO.into() };
    let mut simulation = alone(Arc::new(drag), Vec3::ZERO, -G * Vec3::Z, 1e-4);
    run_until(&mut simulation, 20.0 * expected / G);
    // the approach is exponential with the time v/2g
    assert_close(velocity(&simulation, 0).z, -expected, 1e-9);
}

#[test]
fn a_particle_follows_an_oscillating_medium_with_the_lag_of_its_relaxation() {
    // τ dv/dt = U cos ωt - v: v = U (cos ωt + ωτ sin ωt)/(1 + ω²τ²) after the transient
    let (speed, rate) = (2.0, 40.0);
    let relaxation = 0.02;
    let coefficient = mass(RADIUS) / relaxation;
    let swing = move |_: Vec3, time: f64| speed * (rate * time).cos() * Vec3::X;
    let medium_velocity = MediumVelocity::from_fn(swing);
    let (mut scene, material) = scene(hertz(), Pair::new());
    scene.fields.push(Arc::new(LinearDrag { coefficient, medium_velocity }));
    scene.step = StepSize::Fixed(1e-5);
    scene.health.step_limit = esker::scene::StepLimit::Warn;
    scene.add_sphere(material, sphere(Vec3::ZERO, Vec3::ZERO));
    let mut simulation = scene.build().expect("a valid scene");
    let lag = rate * relaxation;
    let mut worst = 0.0f64;
    while simulation.time() < 0.6 {
        simulation.step().expect("a healthy step");
        let phase = rate * simulation.time();
        let expected = speed * (phase.cos() + lag * phase.sin()) / (1.0 + lag * lag);
        if simulation.time() > 0.4 {
            worst = worst.max((velocity(&simulation, 0).x - expected).abs());
        }
    }
    // the transient has decayed to e^{-20}; (ωΔt)² of the method
    assert!(worst < 1e-6 * speed, "{worst:e}");
}

#[test]
fn a_particle_leaves_a_straining_flow_at_the_rate_of_the_characteristic_root() {
    // u = a (x, -y, 0): τ x'' + x' = a x grows with λ = (√(1 + 4aτ) - 1)/2τ
    let (strain, relaxation) = (5.0, 0.02);
    let coefficient = mass(RADIUS) / relaxation;
    let flow = move |at: Vec3, _: f64| strain * Vec3::new(at.x, -at.y, 0.0);
    let medium_velocity = MediumVelocity::from_fn(flow);
    let (mut scene, material) = scene(hertz(), Pair::new());
    scene.fields.push(Arc::new(LinearDrag { coefficient, medium_velocity }));
    scene.step = StepSize::Fixed(1e-4);
    scene.health.step_limit = esker::scene::StepLimit::Warn;
    let root = ((1.0 + 4.0 * strain * relaxation).sqrt() - 1.0) / (2.0 * relaxation);
    scene.add_sphere(material, sphere(Vec3::X, root * Vec3::X));
    let mut simulation = scene.build().expect("a valid scene");
    run_until(&mut simulation, 0.5);
    // (λΔt)²/12 a step
    assert_close(position(&simulation, 0).x, (root * 0.5).exp(), 1e-6);
}
