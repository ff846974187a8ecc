//! Coupled friction against sliding and torsion: a spinning sphere, a sphere that slides and spins, a contact that
//! sticks, and a coefficient that weakens with the speed.

mod common;

use common::*;
use esker::law::normal::Area;
use esker::law::tangential::{PressureShape, SlidingTorsion, TorsionStick};
use esker::prelude::*;
use std::f64::consts::PI;

/// A sphere on the floor under its own weight, with its overlap.
fn on_floor(law: SlidingTorsion, pair: Pair, velocity: Vec3, spin: Vec3) -> (Scene, f64) {
    let (mut scene, material) = scene(damped().tangential(law), pair);
    scene.contact.moment_arm = esker::law::MomentArm::Radius;
    scene.gravity = -G * Vec3::Z;
    scene.add_wall("floor", floor(), material);
    let overlap = overlap_under(mass(RADIUS) * G, RADIUS);
    scene.add_sphere(material, Sphere { spin, ..sphere(Vec3::Z * (RADIUS - overlap), velocity) });
    scene.step = StepSize::Fixed(1e-5);
    (scene, overlap)
}

fn pair(friction: f64) -> Pair {
    Pair::new().friction(friction).damping_ratio(0.2)
}

#[test]
fn a_spinning_sphere_stops_after_its_spin_over_the_torque_of_its_contact() {
    for (pressure, torque) in
        [(PressureShape::Uniform, 2.0 / 3.0), (PressureShape::Hertz, 3.0 * PI / 16.0)]
    {
        for (area, widening) in [(Area::Hertz, 1.0), (Area::Lens, 2.0)] {
            for stick in [TorsionStick::Elastic, TorsionStick::Viscous] {
                let law = SlidingTorsion { pressure, area, stick, ..SlidingTorsion::default() };
                let pair = match stick {
                    TorsionStick::Elastic => pair(0.4),
                    TorsionStick::Viscous => pair(0.4).smoothing_speed(1e-9),
                };
                let start = -20.0 * Vec3::Z;
                let (scene, overlap) = on_floor(law, pair, Vec3::ZERO, start);
                let mut simulation = scene.build().expect("a valid scene");
                let radius = (widening * RADIUS * overlap).sqrt();
                let slowing = torque * 0.4 * G * radius / (0.4 * RADIUS * RADIUS);
                // an elastic contact loads in the first steps
                run_until(&mut simulation, 0.02);
                let before = (simulation.time(), spin(&simulation, 0).z);
                run_until(&mut simulation, 0.1);
                let found = (spin(&simulation, 0).z - before.1) / (simulation.time() - before.0);
                // the lens at a wall is δ/2r smaller
                assert_close(found, slowing, 5e-4);
                assert!(spin(&simulation, 0).x == 0.0 && velocity(&simulation, 0).x == 0.0);
            }
        }
    }
}

/// F and 𝒯 of a disc under uniform pressure, by direct integration.
fn disc(ratio: f64) -> [f64; 2] {
    let (rings, angles) = (100, 200);
    let mut sum = [0.0; 2];
    for ring in 0..rings {
        let radius = (f64::from(ring) + 0.5) / f64::from(rings);
        for index in 0..angles {
            let around = (f64::from(index) + 0.5) / f64::from(angles) * 2.0 * PI;
            let velocity = [ratio - radius * around.sin(), radius * around.cos()];
            let speed = velocity[0].hypot(velocity[1]).max(1e-300);
            let area = 2.0 * radius / f64::from(rings) / f64::from(angles);
            sum[0] += area * velocity[0] / speed;
            sum[1] +=
                area * radius * (around.cos() * velocity[1] - around.sin() * velocity[0]) / speed;
        }
    }
    sum
}

#[test]
fn a_sphere_that_slides_and_spins_follows_the_integrals_over_its_contact() {
    let (friction, slip, rate) = (0.3, 0.02, 200.0);
    for stick in [TorsionStick::Elastic, TorsionStick::Viscous] {
        let law = SlidingTorsion { stick, ..SlidingTorsion::default() };
        let pair = match stick {
            TorsionStick::Elastic => pair(friction),
            TorsionStick::Viscous => pair(friction).smoothing_speed(1e-9),
        };
        let (scene, overlap) = on_floor(law, pair, slip * Vec3::X, -rate * Vec3::Z);
        let mut simulation = scene.build().expect("a valid scene");
        let radius = (RADIUS * overlap).sqrt();
        let motion = |simulation: &Simulation| {
            let spin_now = spin(simulation, 0);
            [velocity(simulation, 0).x - spin_now.y * RADIUS, -spin_now.z]
        };
        // an elastic contact loads first
        run_until(&mut simulation, 0.001);
        let (start, mut state) = (simulation.time(), motion(&simulation));
        run_until(&mut simulation, 0.006);
        let found = motion(&simulation);
        // du/dt = -7/2 μ g F, dω/dt = -μ g a 𝒯/(2/5 r²), until both have lost much
        let steps = 100;
        let dt = (simulation.time() - start) / f64::from(steps);
        let twist = state[1];
        let slope = |[speed, spin]: [f64; 2]| {
            let [force, torque] = disc(speed / (radius * spin));
            let inertia = 0.4 * RADIUS * RADIUS;
            [-3.5 * friction * G * force, -friction * G * radius * torque / inertia]
        };
        for _ in 0..steps {
            let first = slope(state);
            let middle = slope([state[0] + 0.5 * dt * first[0], state[1] + 0.5 * dt * first[1]]);
            state = [state[0] + dt * middle[0], state[1] + dt * middle[1]];
        }
        // the quadrature has four digits; an elastic contact lags behind the motion by μN/k_t of slip, a fortieth of
        // the whole
        let tolerance = if stick == TorsionStick::Elastic { 1e-2 } else { 1e-3 };
        assert_close(found[0], state[0], tolerance);
        assert_close(twist - found[1], twist - state[1], tolerance);
        // without its spin it would have stopped
        assert!(slip - 3.5 * friction * G * simulation.time() < 0.0 && found[0] > 0.2 * slip);
    }
}

#[test]
fn a_contact_that_sticks_oscillates_about_its_normal_with_half_the_stiffness_times_the_area() {
    let law = SlidingTorsion::default();
    let (mut scene, overlap) = on_floor(law, pair(1e3), Vec3::ZERO, 1e-2 * Vec3::Z);
    let stiffness = 8.0 * effective_shear_modulus() * (RADIUS * overlap).sqrt();
    let inertia = 0.4 * mass(RADIUS) * RADIUS * RADIUS;
    let expected = 2.0 * PI / (0.5 * stiffness * RADIUS * overlap / inertia).sqrt();
    scene.step = StepSize::Fixed(2e-5);
    let mut simulation = scene.build().expect("a valid scene");
    let mut crossings = Vec::new();
    let mut before = 1.0;
    while crossings.len() < 6 {
        simulation.step().expect("a healthy step");
        let now = spin(&simulation, 0).z;
        if before > 0.0 && now <= 0.0 {
            crossings.push(simulation.time() + simulation.dt() * now / (before - now));
        }
        before = now;
    }
    assert_close((crossings[5] - crossings[0]) / 5.0, expected, 1e-4);
}

#[test]
fn a_sphere_launched_along_a_plane_rolls_at_five_sevenths_of_its_speed() {
    let (scene, _) = on_floor(SlidingTorsion::default(), pair(0.3), 0.5 * Vec3::X, Vec3::ZERO);
    let mut simulation = scene.build().expect("a valid scene");
    let slips = 2.0 / 7.0 * 0.5 / (0.3 * G);
    run_until(&mut simulation, 0.5 * slips);
    assert_close(velocity(&simulation, 0).x, 0.5 - 0.3 * G * simulation.time(), 1e-3);
    run_until(&mut simulation, 2.0 * slips);
    // it continues to oscillate with the energy stored in its contact at the onset of rolling
    assert_close(velocity(&simulation, 0).x, 5.0 / 7.0 * 0.5, 2e-3);
}

#[test]
fn a_coefficient_that_weakens_with_the_speed_slows_a_block_by_the_closed_form() {
    let (at_rest, in_slip, weakening) = (0.5, 0.2, 3.0);
    let pair = Pair::new()
        .static_friction(at_rest)
        .dynamic_friction(in_slip)
        .friction_weakening(weakening)
        .damping_ratio(0.2);
    let (mut scene, _) = on_floor(SlidingTorsion::default(), pair, Vec3::X, Vec3::ZERO);
    scene.rotations = false;
    let mut simulation = scene.build().expect("a valid scene");
    run_until(&mut simulation, 0.2);
    // dv/dt = -g (μ_d + Δμ e^{-Cv}): μ_d e^{Cv} + Δμ falls as e^{-C g μ_d t}
    let more = at_rest - in_slip;
    let start = in_slip * (weakening * 1.0f64).exp() + more;
    let later = start * (-weakening * G * in_slip * simulation.time()).exp() - more;
    let expected = (later / in_slip).ln() / weakening;
    assert_close(velocity(&simulation, 0).x, expected, 1e-3);
}

#[test]
fn a_sphere_on_an_incline_is_held_by_the_elastic_form_and_rolls_at_five_sevenths() {
    let (mut scene, _) = on_floor(SlidingTorsion::default(), pair(0.5), Vec3::ZERO, Vec3::ZERO);
    scene.gravity = G * Vec3::new(0.1f64.sin(), 0.0, -0.1f64.cos());
    let mut simulation = scene.build().expect("a valid scene");
    run_until(&mut simulation, 0.2);
    let expected = 5.0 / 7.0 * G * 0.1f64.sin() * simulation.time();
    // without a dashpot the contact oscillates about this value
    assert_close(velocity(&simulation, 0).x, expected, 1e-2);
    // the impulses of torque and force add up for any contact force: v + 2/5 r w = g sin θ t
    let both = velocity(&simulation, 0).x + 0.4 * RADIUS * spin(&simulation, 0).y;
    assert_close(both, G * 0.1f64.sin() * simulation.time(), 1e-9);
}
