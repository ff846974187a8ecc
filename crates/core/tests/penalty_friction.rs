//! Friction by a penalty on the slip velocity: creep, sliding, rolling and the stability of its steps.

mod common;

use common::*;
use esker::law::normal::Area;
use esker::law::tangential::{FrictionLimit, Penalty, Stick};
use esker::prelude::*;
use esker::scene::StepLimit;

/// K_f of the tests [N/m³].
const PENALTY: f64 = 1e14;

fn pair(friction: f64) -> Pair {
    Pair::new().friction(friction).damping_ratio(0.3).friction_penalty(PENALTY)
}

/// A sphere that lies on a plane inclined by `angle`, with its overlap.
fn on_incline(law: Penalty, pair: Pair, angle: f64, speed: f64, dt: f64) -> (Scene, f64) {
    let (mut scene, material) = scene(damped().tangential(law), pair);
    scene.gravity = G * Vec3::new(angle.sin(), 0.0, -angle.cos());
    scene.add_wall("floor", floor(), material);
    let overlap = overlap_under(mass(RADIUS) * G * angle.cos(), RADIUS);
    scene.add_sphere(material, sphere(Vec3::Z * (RADIUS - overlap), speed * Vec3::X));
    scene.step = StepSize::Fixed(dt);
    scene.health.step_limit = StepLimit::Warn;
    (scene, overlap)
}

#[test]
fn a_block_that_sticks_creeps_with_its_load_over_the_penalty_area_and_step() {
    let angle: f64 = 0.2;
    for (area, factor, dt) in
        [(Area::Hertz, 1.0, 2e-6), (Area::Hertz, 1.0, 1e-6), (Area::Lens, 2.0, 2e-6)]
    {
        let law = Penalty { area, ..Penalty::default() };
        let (mut scene, overlap) = on_incline(law, pair(0.5), angle, 0.0, dt);
        scene.rotations = false;
        let mut simulation = scene.build().expect("a valid scene");
        run_until(&mut simulation, 0.02);
        let area = factor * std::f64::consts::PI * RADIUS * overlap;
        // the lens at a wall has 2 r δ - δ²
        let area =
            if factor > 1.0 { area - std::f64::consts::PI * overlap * overlap } else { area };
        let creep = mass(RADIUS) * G * angle.sin() / (PENALTY * area * dt);
        assert_close(velocity(&simulation, 0).x, creep, 1e-6);
        assert!(!simulation.contacts()[0].sliding);
    }
}

#[test]
fn a_block_on_a_steep_incline_slides_with_the_dynamic_coefficient() {
    let angle: f64 = 0.5;
    let coefficients = Pair::new()
        .static_friction(0.4)
        .dynamic_friction(0.3)
        .damping_ratio(0.3)
        .friction_penalty(PENALTY);
    let (mut scene, _) = on_incline(Penalty::default(), coefficients, angle, 0.1, 1e-5);
    scene.rotations = false;
    let mut simulation = scene.build().expect("a valid scene");
    run_until(&mut simulation, 0.1);
    let expected = 0.1 + G * (angle.sin() - 0.3 * angle.cos()) * simulation.time();
    assert_close(velocity(&simulation, 0).x, expected, 1e-9);
    assert!(simulation.contacts()[0].sliding);
}

#[test]
fn a_sphere_launched_along_a_plane_rolls_at_five_sevenths_of_its_speed() {
    let start = 0.5;
    for stick in [Stick::Literal, Stick::Implicit] {
        for friction_limit in [FrictionLimit::Total, FrictionLimit::Elastic] {
            let law = Penalty { stick, friction_limit, ..Penalty::default() };
            let (mut scene, _) = on_incline(law, pair(0.3), 0.0, start, 2e-6);
            scene.contact.moment_arm = esker::law::MomentArm::Radius;
            let mut simulation = scene.build().expect("a valid scene");
            let slips = 2.0 / 7.0 * start / (0.3 * G);
            run_until(&mut simulation, 0.5 * slips);
            assert_close(velocity(&simulation, 0).x, start - 0.3 * G * simulation.time(), 1e-9);
            assert_close(spin(&simulation, 0).y * RADIUS, 2.5 * 0.3 * G * simulation.time(), 1e-9);
            run_until(&mut simulation, 1.5 * slips);
            // l m v + I w is conserved; the slip decays exponentially once the contact sticks
            assert_close(velocity(&simulation, 0).x, 5.0 / 7.0 * start, 1e-6);
            assert_close(spin(&simulation, 0).y * RADIUS, 5.0 / 7.0 * start, 1e-6);
        }
    }
}

#[test]
fn the_friction_limit_of_b_leaves_the_damping_out() {
    let impact = |friction_limit| {
        let law = Penalty { friction_limit, ..Penalty::default() };
        let (mut scene, material) = scene(damped().tangential(law), pair(0.1));
        scene.add_wall("floor", floor(), material);
        scene.add_sphere(material, sphere(Vec3::Z * RADIUS, Vec3::new(5.0, 0.0, -1.0)));
        let time = duration(mass(RADIUS), RADIUS, 1.0);
        scene.step = StepSize::Fixed(time / 1000.0);
        scene.health.step_limit = StepLimit::Warn;
        let mut simulation = scene.build().expect("a valid scene");
        let mut impulses = [0.0; 2];
        while simulation.time() < 3.0 * time {
            simulation.step().expect("a healthy step");
            for contact in simulation.contacts() {
                impulses[0] += (contact.elastic + contact.damping).max(0.0) * simulation.dt();
                impulses[1] += contact.elastic * simulation.dt();
            }
        }
        let change = velocity(&simulation, 0) - Vec3::new(5.0, 0.0, -1.0);
        (change.x, impulses.map(|impulse| -0.1 * impulse / mass(RADIUS)))
    };
    // the sum of a force over the steps is its impulse to the order of a thousandth of the step
    let (change, [total, elastic]) = impact(FrictionLimit::Total);
    assert_close(change, total, 1e-4);
    assert!((total / elastic - 1.0).abs() > 0.01);
    let (change, [_, elastic]) = impact(FrictionLimit::Elastic);
    assert_close(change, elastic, 1e-4);
}

/// Slip velocity after some steps of one contact that sticks, as a fraction of the initial one.
fn left(stick: Stick, dt: f64, steps: usize) -> (f64, f64) {
    let law = Penalty { stick, ..Penalty::default() };
    let (mut scene, overlap) = on_incline(law, pair(1e9), 0.0, 1e-3, dt);
    scene.integrator = esker::integrate::Integrator::SymplecticEuler;
    scene.contact.moment_arm = esker::law::MomentArm::Radius;
    let mut simulation = scene.build().expect("a valid scene");
    let slip = |simulation: &Simulation| velocity(simulation, 0).x - spin(simulation, 0).y * RADIUS;
    (0..steps).for_each(|_| simulation.step().expect("a healthy step"));
    let area = std::f64::consts::PI * RADIUS * overlap;
    let x = dt * dt * PENALTY * area * 3.5 / mass(RADIUS);
    (slip(&simulation) / 1e-3, x)
}

#[test]
fn an_implicit_contact_retains_one_over_one_plus_x_of_its_slip_in_each_step() {
    // symplectic Euler: one evaluation a step, whose force changes the velocity of the next
    for dt in [1e-6, 1e-5, 1e-4] {
        let (remaining, x) = left(Stick::Implicit, dt, 2);
        assert!((remaining * (1.0 + x).powi(2) - 1.0).abs() < 1e-9, "{remaining} {x}");
    }
    // the literal law reverses it once x is above one, and diverges above two
    let (remaining, x) = left(Stick::Literal, 1e-6, 1);
    assert!((remaining - (1.0 - x)).abs() < 1e-6, "{remaining} {x}");
    let (remaining, x) = left(Stick::Literal, 1e-4, 5);
    assert!(x > 2.0 && remaining.abs() > 1e3, "{remaining} {x}");
}

/// Fractions of the slip that remain after a converged step of the generalised trapezoidal rule with the literal force,
/// and x.
fn left_by_theta(phi: f64, iteration: esker::integrate::Iteration, dt: f64) -> (f64, f64) {
    use esker::integrate::{Integrator, Theta, Tolerances};
    let (mut scene, overlap) = on_incline(Penalty::default(), pair(1e9), 0.0, 1e-3, dt);
    scene.contact.moment_arm = esker::law::MomentArm::Radius;
    scene.integrator = Integrator::Theta(Theta {
        phi,
        iteration,
        tolerances: Tolerances::all(1e-12),
        desired_iterations: 500,
        most_iterations: 500,
        ..Theta::default()
    });
    let mut simulation = scene.build().expect("a valid scene");
    simulation.step().expect("a step that converges");
    let slip = velocity(&simulation, 0).x - spin(&simulation, 0).y * RADIUS;
    let area = std::f64::consts::PI * RADIUS * overlap;
    (slip / 1e-3, dt * dt * PENALTY * area * 3.5 / mass(RADIUS))
}

#[test]
fn the_literal_force_iterated_to_the_end_is_the_implicit_one() {
    use esker::integrate::Iteration;
    // u' = u - x [φ u' + (1-φ) u]: with φ = 1 the fraction 1/(1 + x), which the implicit force yields with one
    // evaluation
    for iteration in [Iteration::Jacobi, Iteration::GaussSeidel] {
        for phi in [0.5, 1.0] {
            for dt in [1e-6, 2e-6] {
                let (remaining, x) = left_by_theta(phi, iteration, dt);
                assert!(x * phi < 1.0, "fixed points are found where x φ is below one: {x}");
                let expected = (1.0 - (1.0 - phi) * x) / (1.0 + phi * x);
                assert!((remaining - expected).abs() < 1e-9, "{phi} {dt}: {remaining} {expected}");
            }
        }
    }
}
