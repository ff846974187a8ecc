//! The generalised trapezoidal rule: what it conserves, how its forms agree, and how it fails.

mod common;

use common::*;
use esker::integrate::{Integration, Iteration, Theta, Tolerances};
use esker::prelude::*;
use esker::scene::StepLimit;

fn theta(phi: f64, iteration: Iteration) -> Theta {
    Theta {
        phi,
        iteration,
        tolerances: Tolerances::all(1e-10),
        most_iterations: 100,
        ..Theta::default()
    }
}

/// A sphere that falls on the floor without damping.
fn bounce(integration: Integration, dt: f64) -> Simulation {
    let (mut scene, material) = scene(hertz(), Pair::new());
    scene.add_wall("floor", floor(), material);
    scene.add_sphere(material, sphere(Vec3::Z * (RADIUS + 1e-5), -0.2 * Vec3::Z));
    scene.integration = integration;
    scene.step = StepSize::Fixed(dt);
    scene.health.step_limit = StepLimit::Warn;
    scene.build().expect("a valid scene")
}

/// Velocity after the rebound.
fn rebound(integration: Integration, dt: f64) -> f64 {
    let mut simulation = bounce(integration, dt);
    while velocity(&simulation, 0).z < 0.0 || position(&simulation, 0).z < RADIUS {
        simulation.step().expect("a healthy step");
    }
    velocity(&simulation, 0).z
}

#[test]
fn the_trapezoidal_rule_gives_back_the_speed_and_backward_euler_takes_some() {
    let dt = 1e-5;
    for iteration in [Iteration::Jacobi, Iteration::GaussSeidel] {
        let half = rebound(Integration::Theta(theta(0.5, iteration)), dt);
        assert!((half / 0.2 - 1.0).abs() < 5e-4, "{iteration:?}: {half}");
        let full = rebound(Integration::Theta(theta(1.0, iteration)), dt);
        let none = rebound(Integration::Theta(theta(0.0, iteration)), dt);
        assert!(full < 0.199 && none > 0.201, "{iteration:?}: {full} {none}");
    }
}

#[test]
fn frozen_with_full_weight_is_symplectic_euler() {
    let frozen = Theta { phi: 1.0, iteration: Iteration::Frozen, ..Theta::default() };
    let (mut a, mut b) =
        (bounce(Integration::Theta(frozen), 1e-5), bounce(Integration::SymplecticEuler, 1e-5));
    for _ in 0..120 {
        a.step().expect("a healthy step");
        b.step().expect("a healthy step");
        assert!((position(&a, 0).z - position(&b, 0).z).abs() < 1e-16);
        assert!((velocity(&a, 0).z - velocity(&b, 0).z).abs() < 1e-13);
    }
}
