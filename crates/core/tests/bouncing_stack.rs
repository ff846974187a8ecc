//! Energy of a stack of spheres that bounces without dissipation, for each integrator: every change of the energy is an
//! error of the integrator.

mod common;

use common::*;
use esker::integrate::{Integrator, Iteration, Rkf45, StepExponents, Theta, Tolerances};
use esker::prelude::*;
use std::f64::consts::PI;

const COUNT: usize = 3;

fn theta(phi: f64, iteration: Iteration) -> Integrator {
    let tolerances = Tolerances::all(1e-9);
    Integrator::Theta(Theta {
        phi,
        iteration,
        tolerances,
        desired_iterations: 50,
        most_iterations: 100,
        accept: false,
        exponents: StepExponents::Derived,
    })
}

/// Three spheres above each other and the floor, with different gaps.
fn stack(integrator: Integrator) -> Simulation {
    let (mut scene, material) = scene(hertz(), Pair::new());
    scene.gravity = -G * Vec3::Z;
    scene.ledger = true;
    scene.add_wall("floor", floor(), material);
    for index in 0..COUNT {
        let gap = 1e-3 * (1.0 + 0.3 * index as f64);
        let height = RADIUS + gap + index as f64 * (2.0 * RADIUS + gap);
        scene.add_sphere(material, sphere(Vec3::Z * height, Vec3::ZERO));
    }
    scene.integrator = integrator;
    scene.build().expect("a valid scene")
}

/// Present energy: kinetic, potential above the lowest position, elastic [J].
fn energy(simulation: &Simulation) -> f64 {
    let lowest = (0..COUNT).map(|index| RADIUS + 2.0 * RADIUS * index as f64).sum::<f64>();
    simulation.energy().present() - mass(RADIUS) * G * lowest
}

/// Largest loss and gain of energy over `steps` steps, and the last change, as fractions of the initial energy. Stops
/// if the run fails.
fn drift(integrator: Integrator, steps: u64) -> [f64; 3] {
    let mut simulation = stack(integrator);
    let start = energy(&simulation);
    let [mut lowest, mut highest, mut last] = [0.0f64; 3];
    while simulation.steps() < steps && simulation.step().is_ok() {
        if simulation.steps().is_multiple_of(500) {
            last = energy(&simulation) / start - 1.0;
            (lowest, highest) = (lowest.min(last), highest.max(last));
        }
    }
    [lowest, highest, last]
}

/// The automatic step resolves an impact by at least 22 steps (18 with velocity Verlet), so ωΔt is at most π/22 = 0.14. A
/// method without numerical damping has an error of either sign in each impact, which depends on the position of the first
/// touch within a step: (ωΔt)² = 2 % or less of the energy for methods of order two, ωΔt for methods of order one; hundreds
/// of impacts must not add up to more.
fn check(steps: u64) {
    let newmark =
        |corrections, final_evaluation| Integrator::newmark(corrections, final_evaluation);
    for (integrator, bound) in [
        (Integrator::VelocityVerlet, 0.02),
        (Integrator::SymplecticEuler, PI / 22.0),
        (theta(1.0, Iteration::Frozen), PI / 22.0),
        (newmark(1, false), 0.05),
        (newmark(2, false), 0.05),
        (newmark(2, true), 0.05),
        (theta(0.5, Iteration::Jacobi), 0.02),
        (theta(0.5, Iteration::GaussSeidel), 0.02),
        (Integrator::Rkf45(Rkf45::default()), 0.01),
    ] {
        let [lowest, highest, last] = drift(integrator, steps);
        println!("{integrator:?}: {lowest:+.2e} to {highest:+.2e}, at the end {last:+.2e}");
        assert!(-bound < lowest && highest < bound, "{integrator:?}: {lowest} {highest}");
    }
    // backward Euler damps the stack to rest; with explicit Euler the amplitude grows until the run fails
    let [_, highest, last] = drift(theta(1.0, Iteration::Jacobi), steps);
    assert!(highest <= 0.0 && last < -0.9, "backward Euler: {highest} {last}");
    let [lowest, highest, _] = drift(theta(0.0, Iteration::Jacobi), steps);
    assert!(lowest >= 0.0 && highest > 1.0, "explicit Euler: {lowest} {highest}");
}

#[test]
fn the_energy_of_a_bouncing_stack_agrees_with_theory() {
    check(40_000);
}

#[test]
#[ignore = "takes a minute: `cargo xtask soak` runs it"]
fn the_energy_of_a_bouncing_stack_agrees_with_theory_over_a_million_steps() {
    check(1_000_000);
}
