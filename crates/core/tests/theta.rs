//! The generalised trapezoidal rule: conservation, agreement of its forms, and failures.

mod common;

use common::*;
use esker::error::Cause;
use esker::integrate::{Integrator, Iteration, Theta, Tolerances};
use esker::prelude::*;
use esker::scene::StepLimit;

fn theta(phi: f64, iteration: Iteration, tolerance: f64) -> Theta {
    let tolerances = Tolerances::all(tolerance);
    Theta { phi, iteration, tolerances, most_iterations: 100, ..Theta::default() }
}

/// A sphere that falls on the floor without damping.
fn bounce(integrator: Integrator, dt: f64) -> Simulation {
    let (mut scene, material) = scene(hertz(), Pair::new());
    scene.add_wall("floor", floor(), material);
    scene.add_sphere(material, sphere(Vec3::Z * (RADIUS + 1e-5), -0.2 * Vec3::Z));
    scene.integrator = integrator;
    scene.step = StepSize::Fixed(dt);
    scene.health.step_limit = StepLimit::Warn;
    scene.build().expect("a valid scene")
}

/// Velocity after the rebound.
fn rebound(integrator: Integrator, dt: f64) -> f64 {
    let mut simulation = bounce(integrator, dt);
    while velocity(&simulation, 0).z < 0.0 || position(&simulation, 0).z < RADIUS {
        simulation.step().expect("a healthy step");
    }
    velocity(&simulation, 0).z
}

#[test]
fn the_trapezoidal_rule_conserves_the_speed_and_the_euler_rules_do_not() {
    // with ω = π/t_c, the Euler rules change the energy by a factor of about 1 ∓ (ωΔt)² a step, over
    // t_c/Δt steps: the speed by π² Δt / 2t_c, here 8 %, and the trapezoidal rule by its square
    let contact = duration(mass(RADIUS), RADIUS, 0.2);
    let dt = contact / 60.0;
    let change = std::f64::consts::PI.powi(2) * dt / (2.0 * contact);
    for iteration in [Iteration::Jacobi, Iteration::GaussSeidel] {
        let rebound = |phi| rebound(Integrator::Theta(theta(phi, iteration, 1e-10)), dt) / 0.2;
        let (explicit, half, implicit) = (rebound(0.0), rebound(0.5), rebound(1.0));
        assert!((half - 1.0).abs() < change * change, "{iteration:?}: {half}");
        assert!((explicit - 1.0 - change).abs() < 0.5 * change, "{iteration:?}: {explicit}");
        assert!((1.0 - implicit - change).abs() < 0.5 * change, "{iteration:?}: {implicit}");
    }
}

#[test]
fn frozen_with_full_weight_is_symplectic_euler() {
    let frozen = Theta { phi: 1.0, iteration: Iteration::Frozen, ..Theta::default() };
    let (mut own, mut other) =
        (bounce(Integrator::Theta(frozen), 1e-5), bounce(Integrator::SymplecticEuler, 1e-5));
    for _ in 0..120 {
        own.step().expect("a healthy step");
        other.step().expect("a healthy step");
        // x + Δt (v + Δt a) and x + Δt v + Δt² a round differently
        assert!((position(&own, 0).z - position(&other, 0).z).abs() < 1e-16);
        assert!((velocity(&own, 0).z - velocity(&other, 0).z).abs() < 1e-13);
    }
    assert!(velocity(&own, 0).z > 0.0, "it has bounced");
    let counts = own.step_counts();
    assert_eq!((counts.evaluations, counts.rejected), (120, 0), "one evaluation a step");
}

/// Five spheres of three sizes with friction and damping that collide off centre.
fn cloud(theta: Theta, step: StepSize) -> Simulation {
    let contact = frictional().rolling(rolling::ElasticPlastic::default());
    let pair = Pair::new().friction(0.4).damping_ratio(0.1).rolling_friction(0.1);
    let (mut scene, material) = scene(contact, pair);
    scene.gravity = -G * Vec3::Z;
    scene.ledger = true;
    scene.add_wall("floor", floor(), material);
    for index in 0..5u32 {
        let number = f64::from(index);
        let radius = RADIUS * (1.0 + 0.2 * f64::from(index % 3));
        let offset = Vec3::new(0.3 * number.sin(), 0.3 * (2.0 * number).cos(), 0.0);
        let position = RADIUS * (offset + Vec3::Z * (1.5 + 2.6 * number));
        let velocity = Vec3::new(0.1 * number.cos(), 0.05, -0.3 * number);
        let spin = Vec3::new(5.0, -3.0 * number, 2.0);
        scene.add_sphere(material, Sphere { radius, position, velocity, spin });
    }
    scene.integrator = Integrator::Theta(theta);
    scene.step = step;
    scene.build().expect("a valid scene")
}

/// Largest distance between the spheres of two runs, in radii, after some steps.
fn distance(first: Theta, second: Theta, dt: f64, steps: u32) -> f64 {
    let [a, b] = [first, second].map(|theta| {
        let mut simulation = cloud(theta, StepSize::Fixed(dt));
        (0..steps).for_each(|_| simulation.step().expect("a healthy step"));
        simulation
    });
    let apart = |id| (position(&a, id) - position(&b, id)).length() / RADIUS;
    (0..5).map(apart).fold(0.0, f64::max)
}

#[test]
fn jacobi_and_gauss_seidel_agree_to_the_tolerance() {
    for phi in [0.5, 1.0] {
        let apart = |tolerance: f64| {
            let of = |iteration| theta(phi, iteration, tolerance);
            distance(of(Iteration::Jacobi), of(Iteration::GaussSeidel), 1e-5, 1500)
        };
        let (loose, tight) = (apart(1e-4), apart(1e-9));
        // errors of single steps, relative to the changes in them, over 1500 steps
        assert!(tight > 0.0 && tight < 1e-7, "φ = {phi}: {tight}");
        assert!(loose < 1e-1 && loose > 10.0 * tight, "φ = {phi}: {loose} {tight}");
    }
}

#[test]
fn gauss_seidel_needs_no_more_iterations_than_jacobi() {
    let iterations = |iteration| {
        let mut simulation = cloud(theta(1.0, iteration, 1e-6), StepSize::Fixed(2e-5));
        (0..500).for_each(|_| simulation.step().expect("a healthy step"));
        simulation.step_counts().iterations
    };
    let (jacobi, seidel) = (iterations(Iteration::Jacobi), iterations(Iteration::GaussSeidel));
    assert!(seidel <= jacobi, "{seidel} {jacobi}");
    // the first error is always one, so at least two iterations are made
    assert!(jacobi >= 1000, "{jacobi}");
}

#[test]
fn steps_become_short_in_a_collision_and_long_again_after_it() {
    let longest = 3e-5;
    let theta = Theta { desired_iterations: 4, ..theta(0.5, Iteration::Jacobi, 1e-8) };
    let (mut scene, material) = scene(hertz(), Pair::new());
    scene.add_wall("floor", floor(), material);
    scene.add_sphere(material, sphere(Vec3::Z * (RADIUS + 2e-3), -0.2 * Vec3::Z));
    scene.integrator = Integrator::Theta(theta);
    scene.step = StepSize::Between { max: longest, min: 1e-7 };
    let mut simulation = scene.build().expect("a valid scene");
    assert_eq!(simulation.dt(), longest);
    let (mut shortest, mut time) = (f64::INFINITY, 0.0);
    while position(&simulation, 0).z < RADIUS + 1.9e-3 || velocity(&simulation, 0).z < 0.0 {
        simulation.step().expect("a healthy step");
        assert!(simulation.time() > time, "time goes on");
        time = simulation.time();
        if position(&simulation, 0).z < RADIUS {
            shortest = simulation.dt().min(shortest);
        }
    }
    assert!(shortest < 0.5 * longest, "{shortest}");
    assert_eq!(simulation.dt(), longest, "and back");
    let counts = simulation.step_counts();
    assert!(counts.rejected > 0 && counts.longest == longest, "{counts:?}");
    assert!((velocity(&simulation, 0).z / 0.2 - 1.0).abs() < 1e-3);
}

#[test]
fn bodies_at_rest_without_spin_converge() {
    let (mut scene, material) = scene(damped(), Pair::new().damping_ratio(0.5));
    scene.gravity = -G * Vec3::Z;
    scene.add_wall("floor", floor(), material);
    for index in 0..3 {
        let position = Vec3::Z * (RADIUS * (1.0 + 2.0 * f64::from(index)) - 1e-6);
        scene.add_sphere(material, sphere(position, Vec3::ZERO));
    }
    scene.integrator = Integrator::Theta(theta(1.0, Iteration::Jacobi, 1e-12));
    let mut simulation = scene.build().expect("a valid scene");
    // after 0.4 s all remaining motion is rounding
    while simulation.time() < 0.4 {
        simulation.step().expect("a healthy step");
    }
    assert!(
        (simulation.kinetic_energy() + simulation.rotational_energy()) < 1e-25,
        "{}",
        (simulation.kinetic_energy() + simulation.rotational_energy())
    );
    let before = simulation.step_counts();
    (0..100).for_each(|_| simulation.step().expect("a healthy step"));
    let after = simulation.step_counts();
    assert_eq!(after.rejected, before.rejected);
    assert!(after.iterations - before.iterations <= 300, "{before:?} {after:?}");
}

/// Two spheres that fly freely, and a third that hits the floor with far too long a step.
fn too_long(accept: bool) -> Simulation {
    let (mut scene, material) = scene(hertz(), Pair::new());
    scene.add_wall("floor", floor(), material);
    for (x, speed) in [(1.0, 0.3), (2.0, 0.2)] {
        scene.add_sphere(material, sphere(Vec3::new(x, 0.0, 1.0), Vec3::X * speed));
    }
    scene.add_sphere(material, sphere(Vec3::Z * (RADIUS + 1e-4), -0.2 * Vec3::Z));
    scene.integrator = Integrator::Theta(Theta { accept, ..theta(1.0, Iteration::Jacobi, 1e-8) });
    scene.step = StepSize::Fixed(5e-4);
    scene.health.step_limit = StepLimit::Warn;
    scene.build().expect("a valid scene")
}

#[test]
fn a_step_that_does_not_converge_names_the_particle_with_the_largest_residual() {
    let mut simulation = too_long(false);
    let error = loop {
        let before = simulation.snapshot();
        if let Err(error) = simulation.step() {
            // the state is the last accepted one
            assert_eq!(simulation.time(), before.time);
            for particle in before.particles {
                assert_eq!(position(&simulation, particle.id.into()), particle.position);
                assert_eq!(velocity(&simulation, particle.id.into()), particle.velocity);
            }
            break error;
        }
        assert!(simulation.steps() < 100, "it converged");
    };
    let Error::Step(error) = error else { panic!("{error}") };
    assert_eq!(error.id, ParticleId::new(2), "{error}");
    assert!(matches!(error.cause, Cause::NotConverged { .. }), "{error}");
    let text = error.to_string();
    assert!(text.contains("did not converge") && text.contains("accept: true"), "{text}");
}

#[test]
fn a_scene_may_accept_unconverged_steps_and_they_are_counted() {
    let mut simulation = too_long(true);
    (0..40).for_each(|_| simulation.step().expect("accepted"));
    let counts = simulation.step_counts();
    assert!(counts.unconverged > 0 && counts.rejected == 0, "{counts:?}");
}
