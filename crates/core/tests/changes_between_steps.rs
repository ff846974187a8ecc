//! Changes made between steps by the program that runs the simulation.

mod common;

use common::*;
use esker::field::StokesDrag;
use esker::prelude::*;
use std::f64::consts::PI;
use std::sync::Arc;

#[test]
fn a_velocity_that_is_set_between_steps_acts_and_is_accounted_for_at_once() {
    let viscosity = 2.0;
    let (mut scene, material) = scene(hertz(), Pair::new());
    scene.fields.push(Arc::new(StokesDrag { viscosity, medium_velocity: Vec3::ZERO.into() }));
    scene.add_sphere(material, sphere(Vec3::ZERO, Vec3::ZERO));
    let relaxation = mass(RADIUS) / (6.0 * PI * viscosity * RADIUS);
    scene.step = StepSize::Fixed(0.001 * relaxation);
    scene.ledger = true;
    let mut simulation = scene.build().expect("a valid scene");
    run_until(&mut simulation, 0.1 * relaxation);
    assert!(simulation.particles_mut().set_velocity(ParticleId::new(0), Vec3::X, Vec3::ZERO));
    for _ in 0..100 {
        simulation.step().expect("a healthy step");
    }
    // second order, (Δt/τ)²/6 for each τ; a first force computed before the change would cost half a step, 5e-4
    assert_close(velocity(&simulation, 0).x, (-0.1f64).exp(), 1e-6);
    assert_close(simulation.energy().inserted, 0.5 * mass(RADIUS), 1e-12);
    assert!(simulation.energy().closure_error.abs() < 1e-6 * 0.5 * mass(RADIUS));
}
