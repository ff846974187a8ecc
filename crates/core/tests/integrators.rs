//! Every integrator against closed forms: observed order, and energy over a long time.

mod common;

use common::*;
use esker::integrate::{
    Integrator, Iteration, NewmarkPredictor, Rkf45, StepExponents, Theta, Tolerances,
};
use esker::prelude::*;

const ALL: [Integrator; 11] = [
    Integrator::VelocityVerlet,
    Integrator::SymplecticEuler,
    Integrator::NEWMARK_PEC,
    Integrator::newmark(2, false),
    Integrator::newmark(1, true),
    theta(0.0, Iteration::Jacobi),
    theta(0.5, Iteration::Jacobi),
    theta(0.5, Iteration::GaussSeidel),
    theta(1.0, Iteration::Jacobi),
    theta(1.0, Iteration::Frozen),
    RKF45,
];

const RKF45: Integrator =
    Integrator::Rkf45(Rkf45 { position: 1e-6, velocity: 1e-6, spin: 1e-6, accept: false });

/// Iterated until only rounding is left.
const fn theta(phi: f64, iteration: Iteration) -> Integrator {
    let tight = 1e-12;
    Integrator::Theta(Theta {
        phi,
        iteration,
        tolerances: Tolerances { position: tight, velocity: tight, spin: tight, rotation: tight },
        desired_iterations: 50,
        most_iterations: 100,
        accept: false,
        exponents: StepExponents::Derived,
    })
}

/// Theoretical order: one for symplectic Euler, two for the others. Newmark with one correction evaluates damping
/// forces at the velocity of the middle of the step, so damping makes it first order; a second correction restores the
/// order.
fn order(integrator: Integrator, damping_ratio: f64) -> f64 {
    match integrator {
        Integrator::SymplecticEuler => 1.0,
        Integrator::NewmarkPec { corrections: 1, .. } if damping_ratio > 0.0 => 1.0,
        Integrator::Theta(theta) if theta.phi != 0.5 => 1.0,
        Integrator::Rkf45(_) => 5.0,
        _ => 2.0,
    }
}

const STIFFNESS: f64 = 1e4;

/// A sphere on a linear spring, initially at rest, under its weight.
fn oscillator(integrator: Integrator, dt: f64, damping_ratio: f64) -> Simulation {
    let contact =
        ContactModel::normal(normal::Linear::default()).damping(damping::LinearDamping::default());
    let pair = Pair::new().normal_stiffness(STIFFNESS).damping_ratio(damping_ratio);
    let (mut scene, material) = scene(contact, pair);
    scene.gravity = -G * Vec3::Z;
    scene.integrator = integrator;
    scene.step = StepSize::Fixed(dt);
    scene.health.step_limit = esker::scene::StepLimit::Warn;
    scene.add_wall("floor", floor(), material);
    // compressed, so that the contact never opens
    let position = Vec3::Z * (RADIUS - 0.5 * rest());
    scene.add_sphere(material, Sphere::new(RADIUS, position));
    scene.build().expect("a valid scene")
}

/// Overlap at rest [m].
fn rest() -> f64 {
    mass(RADIUS) * G / STIFFNESS
}

/// Overlap of the damped oscillator after a time, from δ(0) = ½ of the overlap at rest.
fn exact_overlap(time: f64, damping_ratio: f64) -> f64 {
    let frequency = (STIFFNESS / mass(RADIUS)).sqrt();
    let damped = frequency * (1.0 - damping_ratio * damping_ratio).sqrt();
    let decay = damping_ratio * frequency;
    let envelope = (-decay * time).exp();
    let swing = (damped * time).cos() + decay / damped * (damped * time).sin();
    rest() * (1.0 - 0.5 * envelope * swing)
}

/// Observed orders for halved steps over about one and a half periods.
fn oscillator_orders(integrator: Integrator, damping_ratio: f64) -> Vec<f64> {
    let period = std::f64::consts::TAU * (mass(RADIUS) / STIFFNESS).sqrt();
    let time = 1.4 * period;
    let errors: Vec<f64> = [100u32, 200, 400, 800]
        .iter()
        .map(|&steps| {
            let mut simulation = oscillator(integrator, time / f64::from(steps), damping_ratio);
            (0..steps).for_each(|_| simulation.step().expect("a healthy step"));
            let overlap = RADIUS - position(&simulation, 0).z;
            (overlap - exact_overlap(time, damping_ratio)).abs() / rest()
        })
        .collect();
    errors.windows(2).map(|pair| (pair[0] / pair[1]).log2()).collect()
}

#[test]
fn every_integrator_has_its_order_on_an_oscillator() {
    for integrator in ALL {
        for damping_ratio in [0.0, 0.2] {
            let orders = oscillator_orders(integrator, damping_ratio);
            // The asymptote is reached to a few percent at these steps; with the shortest ones, an error of order five
            // is below rounding.
            let count_of_orders = if integrator == RKF45 { 2 } else { orders.len() };
            let last = orders[count_of_orders - 1];
            let expected = order(integrator, damping_ratio);
            assert!(
                (last - expected).abs() < 0.1,
                "{integrator:?}, ratio {damping_ratio}: {orders:?}"
            );
        }
    }
}

#[test]
fn a_constant_force_is_integrated_exactly_but_for_the_weight_of_the_end_velocity() {
    for integrator in ALL {
        let (mut scene, material) =
            scene(frictional(), Pair::new().friction(0.5).damping_ratio(0.1));
        scene.gravity = -G * Vec3::Z;
        scene.integrator = integrator;
        scene.step = StepSize::Fixed(1e-3);
        scene.health.step_limit = esker::scene::StepLimit::Warn;
        scene.add_sphere(material, Sphere::new(RADIUS, Vec3::ZERO));
        let mut simulation = scene.build().expect("a valid scene");
        (0..100).for_each(|_| simulation.step().expect("a healthy step"));
        let time = simulation.time();
        // rounding of a hundred additions
        assert_close(velocity(&simulation, 0).z, -G * time, 1e-13);
        let fallen = -0.5 * G * time * time;
        // with the weight φ on the end velocity, the fall is too long by (φ - ½) G t Δt
        let weight = match integrator {
            Integrator::Theta(theta) => theta.phi,
            Integrator::SymplecticEuler => 1.0,
            _ => 0.5,
        };
        let ahead = -(weight - 0.5) * G * time * 1e-3;
        assert_close(position(&simulation, 0).z, fallen + ahead, 1e-12);
    }
}

/// Velocities step by step of a sphere that hits the floor elastically, with 51 steps per contact, from a gap so that
/// the first force is zero.
fn bounce(integrator: Integrator) -> Vec<f64> {
    let contact = ContactModel::normal(normal::Hertz::default());
    let (mut scene, material) = scene(contact, Pair::new());
    scene.add_wall("floor", floor(), material);
    let speed = 0.2;
    let dt = 1e-5;
    let start = Sphere {
        velocity: -speed * Vec3::Z,
        ..Sphere::new(RADIUS, Vec3::Z * (RADIUS + 0.3 * dt * speed))
    };
    scene.add_sphere(material, start);
    scene.integrator = integrator;
    scene.step = StepSize::Fixed(dt);
    scene.health.step_limit = esker::scene::StepLimit::Warn;
    let mut simulation = scene.build().expect("a valid scene");
    let mut velocities = vec![-speed];
    while velocity(&simulation, 0).z < 0.0 || position(&simulation, 0).z < RADIUS {
        simulation.step().expect("a healthy step");
        velocities.push(velocity(&simulation, 0).z);
    }
    velocities
}

#[test]
fn newmark_with_one_evaluation_is_velocity_verlet_in_its_predicted_positions() {
    // With a' = f(x^p) and x = x^p + ¼Δt² a', the next prediction is x^p + Δt v + ½Δt² a', and the
    // velocity gets ½Δt (a + a'): velocity Verlet in x^p, for forces that depend on positions only.
    // Both start from a = 0, where x = x^p. Rounding of x against x^p, some 1e-16 of the radius on
    // an overlap of 1e-3 of it, grows with the stiffness over the contact.
    let (newmark, verlet) = (bounce(Integrator::NEWMARK_PEC), bounce(Integrator::VelocityVerlet));
    assert!(newmark.len() > 50, "the contact takes {} steps", newmark.len());
    for (own, other) in newmark.iter().zip(&verlet) {
        assert!((own - other).abs() < 1e-11 * 0.2, "{own} {other}");
    }
    // so it neither gains nor loses energy in an elastic impact, except for the position of the end within the last
    // step
    let rebound = newmark[newmark.len() - 1];
    assert!((rebound / 0.2 - 1.0).abs() < 2e-4, "{rebound}");
}

#[test]
fn velocity_verlet_keeps_the_energy_of_an_oscillator_for_a_million_steps() {
    for (integrator, bound) in
        [(Integrator::VelocityVerlet, 1e-2), (Integrator::SymplecticEuler, 0.2)]
    {
        let period = std::f64::consts::TAU * (mass(RADIUS) / STIFFNESS).sqrt();
        let mut simulation = oscillator(integrator, period / 40.0, 0.0);
        let energy = |simulation: &Simulation| {
            let swing = RADIUS - position(simulation, 0).z - rest();
            0.5 * mass(RADIUS) * velocity(simulation, 0).z.powi(2) + 0.5 * STIFFNESS * swing * swing
        };
        let start = energy(&simulation);
        let mut worst = 0.0f64;
        for step in 0..1_000_000 {
            simulation.step().expect("a healthy step");
            if step % 1000 < 40 {
                worst = worst.max((energy(&simulation) / start - 1.0).abs());
            }
        }
        // symplectic: the error oscillates with (ωΔt)²/4 = 0.6 % or ωΔt/2 = 8 % and does not grow
        assert!(worst < bound, "{integrator:?}: {worst}");
    }
}

#[test]
fn the_printed_newmark_predictor_loses_a_quarter_of_every_impulse() {
    // Z(53) and Z(55) with ¼ (docs/errata.md Z-E12): a constant acceleration a changes the velocity by ¼ aΔt + ½ aΔt in
    // each step. Positions change by (¼ + ¼) aΔt² in addition to the initial velocity times Δt.
    let (mut scene, material) = scene(hertz(), Pair::new());
    scene.gravity = -G * Vec3::Z;
    scene.add_sphere(material, sphere(Vec3::ZERO, Vec3::ZERO));
    let (dt, steps) = (1e-4, 100);
    scene.step = StepSize::Fixed(dt);
    for (predictor, weight) in
        [(NewmarkPredictor::Consistent, 1.0), (NewmarkPredictor::Printed, 0.75)]
    {
        scene.integrator =
            Integrator::NewmarkPec { corrections: 1, final_evaluation: false, predictor };
        let mut simulation = scene.clone().build().expect("a valid scene");
        for _ in 0..steps {
            simulation.step().expect("a healthy step");
        }
        let count = f64::from(steps);
        assert_close(velocity(&simulation, 0).z, -weight * G * count * dt, 1e-12);
        let fallen = 0.5 * G * dt * dt * (count + weight * count * (count - 1.0));
        assert_close(-position(&simulation, 0).z, fallen, 1e-12);
    }
}
