//! Messages about a step given by the user.

use crate::common::*;
use crate::packing::{bound, crystal, motion};
use esker::error::{Cause, Diagnosis};
use esker::prelude::*;
use esker::scene::StepLimit;
use esker::time_step::{STEPS_PER_IMPACT, restitution_error};

/// A compressed crystal with a given step.
fn compressed(dt: f64, rule: StepLimit) -> Scene {
    let pair = Pair::new().friction(0.5).restitution(0.3);
    let mut scene = crystal(0.04).scene(frictional(), pair, 1e-7);
    scene.health.step_limit = rule;
    scene.step = StepSize::Fixed(dt);
    scene
}

#[test]
fn a_step_far_below_the_bound_has_no_message_and_one_near_it_a_note() {
    let limit = bound(&compressed(1e-9, StepLimit::Warn));
    let warnings = |fraction: f64| {
        let scene = compressed(fraction * limit, StepLimit::Error);
        scene.build().expect("a stable step").warnings().to_vec()
    };
    assert!(warnings(0.79).is_empty());
    let note = warnings(0.9);
    assert!(note[0].contains("is 0.90 of the stability bound"), "{note:?}");
    assert!(note[0].contains("has 12 contacts"), "{note:?}");
}

#[test]
fn a_step_beyond_the_limit_is_refused_with_its_numbers() {
    let scene = compressed(1e-9, StepLimit::Warn);
    let bound = bound(&scene);
    // the limit at which the motion grows, between the bound and twice the bound
    let start = motion(&scene, 0.25 * bound, 100).iter().sum::<f64>();
    let [mut low, mut high] = [bound, 2.0 * bound];
    for _ in 0..7 {
        let middle = 0.5 * (low + high);
        let [kinetic, rotational] = motion(&scene, middle, 2000);
        *(if kinetic + rotational < 1e3 * start { &mut low } else { &mut high }) = middle;
    }
    let step = 2.0 * bound;
    let error = compressed(step, StepLimit::Error).build().expect_err("it is unstable").to_string();
    for words in
        ["time.step", "of the stable", "has 12 contacts", "4.0 % of its radius", "StepSize::Auto"]
    {
        assert!(error.contains(words), "{words}: {error}");
    }
    let stated = error.split("of the stable ").nth(1).and_then(|rest| rest.split(' ').next());
    let stated: f64 = stated.expect("a number").parse().expect("a number");
    // power iteration with a margin of 5 %, printed with two digits
    assert!(stated > 0.85 * low && stated < 1.05 * high, "{stated:e} {low:e} {high:e}");
    let allowed = compressed(step, StepLimit::Warn).build().expect("the scene allows it");
    assert!(allowed.warnings().iter().any(|warning| warning.contains("of the stable")));
}

#[test]
fn too_few_steps_in_an_impact_are_a_warning_with_the_size_of_the_error() {
    let speed = 1.9;
    let time = duration(mass(RADIUS), RADIUS, speed);
    let (mut scene, material) = scene(damped(), Pair::new().restitution(0.5));
    scene.add_wall("floor", floor(), material);
    scene.add_sphere(material, sphere(1.01 * RADIUS * Vec3::Z, -speed * Vec3::Z));
    scene.step = StepSize::Fixed(time / 9.0);
    let simulation = scene.build().expect("never refused");
    let warning = simulation.warnings().first().expect("a warning").clone();
    let error = restitution_error(9.0, STEPS_PER_IMPACT);
    for words in [
        "gives 9 steps in an impact at 1.90 m/s (particle 0, wall `floor`)".to_owned(),
        format!("off by up to {error:.2}"),
        format!("16 steps are {:.1e} s", time / STEPS_PER_IMPACT),
    ] {
        assert!(warning.contains(&words), "{words}: {warning}");
    }
}

#[test]
fn an_impact_that_begins_far_from_the_start_is_warned_of_during_the_run() {
    let speed = 1.9;
    let time = duration(mass(RADIUS), RADIUS, speed);
    let (mut scene, material) = scene(damped(), Pair::new().restitution(0.9));
    scene.add_wall("floor", floor(), material);
    scene.add_sphere(material, sphere(30.0 * RADIUS * Vec3::Z, -speed * Vec3::Z));
    scene.step = StepSize::Fixed(time / 9.0);
    let mut simulation = scene.build().expect("a valid scene");
    assert!(simulation.warnings().is_empty(), "{:?}", simulation.warnings());
    while velocity(&simulation, 0).z < 0.0 {
        simulation.step().expect("a healthy step");
    }
    (0..100).for_each(|_| simulation.step().expect("a healthy step"));
    let warning = simulation.warnings().first().expect("a warning").clone();
    let speed = warning.split("impact at ").nth(1).and_then(|rest| rest.split(' ').next());
    let speed: f64 = speed.expect("a number").parse().expect("a number");
    assert!((speed / 1.9 - 1.0).abs() < 0.1, "{warning}");
    assert!(warning.contains("(particle 0, wall `floor`)"), "{warning}");
}

/// Stated errors are not below those of impacts with so few steps.
#[test]
fn the_stated_error_of_the_restitution_is_not_exceeded() {
    let (speed, time) = (1.0, duration(mass(RADIUS), RADIUS, 1.0));
    for steps in [6.0, 9.0, 12.0, 16.0, 18.0] {
        let mut worst = 0.0f64;
        for restitution in [0.2, 0.5, 0.8, 1.0] {
            for phase in 0..16 {
                let (mut scene, material) = scene(damped(), Pair::new().restitution(restitution));
                scene.add_wall("floor", floor(), material);
                let gap = (2.0 + f64::from(phase) / 16.0) * speed * time / steps;
                scene.add_sphere(material, sphere((RADIUS + gap) * Vec3::Z, -speed * Vec3::Z));
                scene.step = StepSize::Fixed(time / steps);
                scene.health.step_limit = StepLimit::Warn;
                let mut simulation = scene.build().expect("a valid scene");
                while !(velocity(&simulation, 0).z >= 0.0 && position(&simulation, 0).z > RADIUS) {
                    simulation.step().expect("a healthy step");
                }
                worst = worst.max((velocity(&simulation, 0).z - restitution).abs());
            }
        }
        let stated = restitution_error(steps, STEPS_PER_IMPACT);
        println!("{steps} steps: {worst:.4}, stated {stated:.4}");
        assert!(worst <= stated, "{steps} steps: {worst} > {stated}");
    }
}

/// A grain under a plate that moves down slowly.
fn press(rule: StepLimit) -> Simulation {
    let (mut scene, material) = scene(hertz(), Pair::new());
    scene.add_wall("floor", floor(), material);
    let plate = Shape::HalfSpace { point: 2.0 * RADIUS * Vec3::Z, normal: -Vec3::Z };
    scene.add_moving_wall("plate", plate, material, Motion::Velocity(-0.01 * Vec3::Z));
    scene.add_sphere(material, sphere(RADIUS * Vec3::Z, Vec3::ZERO));
    scene.health.step_limit = rule;
    scene.health.overlap_limit = 0.5;
    // stable up to an overlap of 5 % of the radius at both walls: h = 2/√(2k/m)
    let stiffness = 2.0 * effective_modulus() * RADIUS * 0.05f64.sqrt();
    scene.step = StepSize::Fixed(2.0 / (2.0 * stiffness / mass(RADIUS)).sqrt());
    scene.build().expect("a valid scene")
}

#[test]
fn contacts_that_become_too_stiff_for_a_given_step_stop_the_run() {
    let mut simulation = press(StepLimit::Error);
    let error = (0..100_000).find_map(|_| simulation.step().err()).expect("it must stop");
    let Error::Step(error) = error else { panic!("{error}") };
    let Cause::Stiffness(fraction) = error.cause else { panic!("{error}") };
    // the contacts are checked when their stiffness has grown by a quarter
    assert!((1.0..1.15).contains(&fraction), "{error}");
    assert_eq!(error.diagnosis, Diagnosis::Pinched, "{error}");
    // the grain oscillates between floor and plate: the mean of both overlaps is that of the plate's displacement, and
    // the stiffness √δ₁ + √δ₂ at a given mean is largest where they are equal
    let overlap = 0.5 * 0.01 * simulation.time();
    assert!((0.05 * RADIUS..0.07 * RADIUS).contains(&overlap), "{overlap:e}");
}

#[test]
fn the_run_continues_if_the_scene_allows_it() {
    let mut guarded = press(StepLimit::Error);
    let mut free = press(StepLimit::Warn);
    while guarded.step().is_ok() {
        free.step().expect("as the other");
    }
    free.step().expect("allowed");
    assert!(free.warnings().iter().any(|warning| warning.contains("of the stable")));
}

#[test]
fn the_steps_in_a_contact_are_measured() {
    let speed = 0.3;
    let time = duration(0.5 * mass(RADIUS), 0.5 * RADIUS, speed);
    for steps in [20.0, 200.0] {
        let (mut scene, material) = scene(hertz(), Pair::new());
        scene.add_sphere(material, sphere(Vec3::ZERO, speed * Vec3::X));
        scene.add_sphere(material, sphere(2.001 * RADIUS * Vec3::X, Vec3::ZERO));
        scene.step = StepSize::Fixed(time / steps);
        let mut simulation = scene.clone().build().expect("a valid scene");
        assert_eq!(simulation.steps_per_contact(), None);
        (0..(3.0 * steps) as usize).for_each(|_| simulation.step().expect("a good step"));
        let measured = simulation.steps_per_contact().expect("they have touched");
        // the deepest overlap lies within half a step of an evaluation
        assert!((measured / steps - 1.0).abs() < 0.01, "{measured} for {steps}");
        let restored = Simulation::restore(scene, simulation.save()).expect("the same");
        assert_eq!(restored.steps_per_contact(), Some(measured));
    }
}
