//! The time step resolves the rates of fields and moving walls: relaxation of drag, gyration of charges, periods of
//! walls.

mod common;

use common::*;
use esker::field::{
    Body, Field, LinearDrag, Magnetic, MediumVelocity, ReynoldsDrag, StokesDrag, VolumetricDrag,
};
use esker::integrate::Integrator;
use esker::prelude::*;
use esker::scene::StepLimit;
use std::f64::consts::PI;
use std::sync::Arc;

/// A small grain: its relaxation in a viscous medium is faster than its contacts.
const SMALL: f64 = 1e-4;

/// One grain of radius [`SMALL`] alone in a field.
fn alone(field: Arc<dyn Field>, velocity: Vec3, charge: f64) -> Scene {
    let (mut scene, material) = scene(damped(), Pair::new().damping_ratio(0.1));
    scene.fields.push(field);
    let sphere = Sphere { velocity, ..Sphere::new(SMALL, Vec3::ZERO) };
    scene.particles.push(Source { charge, ..Source::list("grain", material, vec![sphere]) });
    scene
}

fn still() -> MediumVelocity {
    Vec3::ZERO.into()
}

fn stokes(viscosity: f64) -> Arc<dyn Field> {
    Arc::new(StokesDrag { viscosity, medium_velocity: still() })
}

/// Relaxation time of Stokes drag [s].
fn stokes_time(viscosity: f64) -> f64 {
    mass(SMALL) / (6.0 * PI * viscosity * SMALL)
}

fn build(scene: Scene) -> Simulation {
    scene.build().expect("a valid scene")
}

#[test]
fn the_automatic_step_is_a_fifth_of_the_relaxation_time_of_every_drag() {
    // speeds with Reynolds numbers in different ranges of the law of Reynolds drag
    let speeds = [1e-3, 0.5, 30.0, 90.0];
    let (density, viscosity) = (1000.0, 2.0);
    let linear = LinearDrag { coefficient: 4e-3, medium_velocity: still() };
    let reynolds = ReynoldsDrag { density, viscosity: 0.02, medium_velocity: still() };
    let volumetric = VolumetricDrag { density, viscosity, voidage: 0.5, medium_velocity: still() };
    let fields: [Arc<dyn Field>; 4] =
        [Arc::new(linear), stokes(viscosity), Arc::new(reynolds), Arc::new(volumetric)];
    for field in fields {
        for speed in speeds {
            let force = |speed: f64| {
                let body = Body {
                    position: Vec3::ZERO,
                    velocity: speed * Vec3::X,
                    spin: Vec3::ZERO,
                    radius: SMALL,
                    mass: mass(SMALL),
                    charge: 0.0,
                    id: ParticleId::new(0),
                };
                field.load(&body, 0.0).force.x
            };
            // central difference: third order in 1e-4 of the speed
            let tangent = (force(speed * 0.9999) - force(speed * 1.0001)) / (2e-4 * speed);
            let relaxation = mass(SMALL) / tangent;
            let mut scene = alone(Arc::clone(&field), speed * Vec3::X, 0.0);
            // contacts so soft that drag sets the step
            scene.materials[0].1.young_modulus = Some(1.0);
            scene.health.overlap_limit = 1e3;
            let simulation = build(scene);
            let dt = simulation.dt();
            assert_close(simulation.advice().relaxation_time, relaxation, 1e-6);
            assert!(dt <= 0.2 * relaxation * (1.0 + 1e-6), "{field:?} at {speed} m/s: {dt}");
        }
    }
}

#[test]
fn a_grain_in_a_viscous_medium_falls_at_the_speed_of_stokes_and_its_ledger_closes() {
    for viscosity in [3.0, 5.0] {
        let mut scene = alone(stokes(viscosity), Vec3::ZERO, 0.0);
        scene.gravity = -G * Vec3::Z;
        scene.ledger = true;
        scene.materials[0].1.young_modulus = Some(1e6);
        let mut simulation = build(scene);
        let relaxation = stokes_time(viscosity);
        run_until(&mut simulation, 40.0 * relaxation);
        // e^-40 of the difference is left
        assert_close(velocity(&simulation, 0).z, -G * relaxation, 1e-9);
        // the error of the start from rest, resolved by five steps per relaxation time, is some x²/12 of the energy
        // exchanged until then; work at terminal speed has no error
        assert!(simulation.energy().relative_closure_error().abs() < 0.01);
        assert_eq!(simulation.warnings(), [] as [&str; 0]);
    }
}

/// Factor by which the speed of a grain changes in 50 steps of this many relaxation times, after 50 steps.
fn change(integrator: Integrator, relaxations_per_step: f64) -> f64 {
    let mut scene = alone(stokes(5.0), Vec3::X, 0.0);
    scene.integrator = integrator;
    scene.step = StepSize::Fixed(relaxations_per_step * stokes_time(5.0));
    scene.health.step_limit = StepLimit::Warn;
    let mut simulation = build(scene);
    let mut after = || {
        for _ in 0..50 {
            simulation.step().expect("a healthy step");
        }
        velocity(&simulation, 0).length()
    };
    1.0 / after() * after()
}

#[test]
fn a_step_below_the_limit_of_drag_is_stable_and_one_above_is_not() {
    // λ² - (1 - 3x/2) λ - x/2 = 0 has a root of -1 at x = 1; 1 - x is -1 at x = 2
    let verlet = |x: f64| {
        let half = 0.5 - 0.75 * x;
        (half - (half * half + 0.5 * x).sqrt()).abs()
    };
    let euler = |x: f64| (1.0 - x).abs();
    for (integrator, limit) in [
        (Integrator::VelocityVerlet, 1.0),
        (Integrator::SymplecticEuler, 2.0),
        (Integrator::NEWMARK_PEC, 2.0),
    ] {
        let root = |x: f64| if limit == 1.0 { verlet(x) } else { euler(x) };
        let (below, above) = (0.95 * limit, 1.05 * limit);
        assert!(root(below) < 0.95 && root(above) > 1.05, "{integrator:?}");
        // the other root has decayed after 50 steps
        assert_close(change(integrator, below), root(below).powi(50), 1e-6);
        assert_close(change(integrator, above), root(above).powi(50), 1e-6);
        let mut scene = alone(stokes(5.0), Vec3::X, 0.0);
        scene.integrator = integrator;
        // contacts so soft that drag sets the limit
        scene.materials[0].1.young_modulus = Some(1.0);
        scene.health.overlap_limit = 1e3;
        assert_close(build(scene).advice().limit, limit * stokes_time(5.0), 1e-12);
    }
}

#[test]
fn a_given_step_beyond_the_limit_of_drag_is_refused_or_warned_about() {
    let mut scene = alone(stokes(5.0), Vec3::X, 0.0);
    scene.step = StepSize::Fixed(1.2 * stokes_time(5.0));
    let message = scene.clone().build().expect_err("a step that is too long").to_string();
    assert!(message.contains("is 1.20 of the limit"), "{message}");
    assert!(message.contains("of drag, whose relaxation time is"), "{message}");
    scene.health.step_limit = StepLimit::Warn;
    let simulation = build(scene);
    assert!(simulation.warnings()[0].contains("is 1.20 of the limit"));
}

/// Reynolds drag that grows with the speed of a falling grain.
fn falling() -> Scene {
    let drag = ReynoldsDrag { density: 1000.0, viscosity: 1e-3, medium_velocity: still() };
    let mut scene = alone(Arc::new(drag), Vec3::ZERO, 0.0);
    scene.gravity = -2e4 * Vec3::Z;
    scene.materials[0].1.young_modulus = Some(1e3);
    scene.health.overlap_limit = 1e3;
    scene
}

#[test]
fn the_step_shortens_when_drag_grows_with_the_speed_at_the_same_step_after_a_resume() {
    let mut whole = build(falling());
    let first = whole.dt();
    let mut states = Vec::new();
    for step in 0..2000 {
        if step == 700 {
            states.push(whole.save());
        }
        whole.step().expect("a healthy step");
    }
    assert!(whole.dt() < 0.5 * first, "{} {first}", whole.dt());
    let mut resumed =
        Simulation::restore(falling(), states.remove(0)).expect("a state of this scene");
    while resumed.steps() < whole.steps() {
        resumed.step().expect("a healthy step");
    }
    assert_eq!(resumed.dt().to_bits(), whole.dt().to_bits());
    assert_eq!(velocity(&resumed, 0), velocity(&whole, 0));
}

#[test]
fn the_automatic_step_resolves_a_gyration_whose_speed_grows_as_theory_says() {
    let charge = 1e-2;
    let flux = 1.0;
    let rate = charge * flux / mass(SMALL);
    let mut simulation = build(alone(Arc::new(Magnetic(flux * Vec3::Z)), Vec3::X, charge));
    let angle = rate * simulation.dt();
    assert!(angle <= 0.2 * (1.0 + 1e-12), "{angle}");
    assert!(angle > 0.1, "gyration does not set the step in this test: {angle}");
    let steps = 1000;
    for _ in 0..steps {
        simulation.step().expect("a healthy step");
    }
    // the next term of the growth per step is of order y⁶
    let growth = velocity(&simulation, 0).length().ln() / f64::from(steps);
    assert_close(growth, 0.25 * angle.powi(4), 3.0 * angle * angle);
}

fn shaken(frequency: f64) -> Scene {
    let (mut scene, material) = scene(damped(), Pair::new().damping_ratio(0.1));
    let amplitude = 1e-9 * Vec3::Z;
    let motion = Motion::Oscillation { amplitude, frequency, phase: 0.0 };
    scene.add_moving_wall("floor", floor(), material, Motion::Superposition(vec![motion]));
    scene.add_sphere(material, sphere(2.0 * RADIUS * Vec3::Z, Vec3::ZERO));
    scene
}

#[test]
fn the_automatic_step_makes_twenty_steps_in_a_period_of_a_wall() {
    let simulation = build(shaken(4e4));
    let steps = 1.0 / (4e4 * simulation.dt());
    // the level below
    assert!((20.0..20.0 * 1.0906).contains(&steps), "{steps}");
    assert_eq!(simulation.warnings(), [] as [&str; 0]);
    // a slow wall changes nothing
    assert!(build(shaken(1.0)).dt() < 1.0 / 20.0 * 1e-2);
}

#[test]
fn a_given_step_that_does_not_resolve_a_wall_is_warned_about() {
    let mut scene = shaken(4e4);
    scene.step = StepSize::Fixed(5e-6);
    let warnings = build(scene).warnings().to_vec();
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(warnings[0].contains("resolves by 5.0 steps"), "{warnings:?}");
}
