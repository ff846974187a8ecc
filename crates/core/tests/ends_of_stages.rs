//! A stage ends at the first step at or after its time, never before; the automatic domain has enough room for the
//! particles to move.

use esker::prelude::*;
use esker::stage::{End, Stage};

fn one_particle(position: Vec3, velocity: Vec3) -> Scene {
    let mut scene = Scene::new();
    scene.contact = ContactModel::normal(normal::Hertz::default());
    let material = Material::new().density(1000.0).young_modulus(1e5).poisson_ratio(0.3);
    let a = scene.add_material("a", material);
    scene.set_pair(a, a, Pair::new());
    scene.add_sphere(a, Sphere { velocity, ..Sphere::new(0.1, position) });
    scene
}

fn stage(name: &str, after: f64) -> Stage {
    Stage {
        name: name.to_owned(),
        end: End { after: Some(after), ..End::default() },
        changes: Vec::new(),
    }
}

/// Steps until the stages are complete, and the number of steps of the first stage.
fn run(stages: Vec<Stage>, dt: f64) -> (u64, f64, u64) {
    let mut scene = one_particle(Vec3::ZERO, Vec3::X);
    scene.step = StepSize::Fixed(dt);
    scene.stages = stages;
    let mut simulation = scene.build().expect("a valid scene");
    let mut in_first = 0;
    while !simulation.is_finished() {
        simulation.step().expect("a healthy step");
        in_first += u64::from(simulation.stage() == "first");
    }
    (simulation.steps(), simulation.time(), in_first)
}

#[test]
fn a_stage_ends_at_the_first_step_at_or_after_its_time() {
    let dt = 1e-3;
    // in units of the step, with the expected number: rounding of the sum of steps adds none
    for (after, steps) in [(2.1, 3), (2.5, 3), (2.9, 3), (3.0, 3), (3.001, 4), (700.0, 700)] {
        let (found, time, _) = run(vec![stage("first", after * dt)], dt);
        assert_eq!(found, steps, "a stage of {after} steps ended at {time} s");
    }
}

#[test]
fn the_next_stage_counts_from_where_the_last_one_ended() {
    let dt = 1e-3;
    let stages = vec![stage("first", 2.1 * dt), stage("second", 2.0 * dt)];
    assert_eq!(run(stages, dt), (5, 5.0 * dt, 3));
}

#[test]
fn the_automatic_domain_has_room_around_a_single_particle() {
    let scene = one_particle(Vec3::new(3.0, 2.0, 1.0), Vec3::X);
    let mut simulation = scene.build().expect("a valid scene");
    // ten times the diagonal of the cube around the sphere, in addition to that cube
    let expected = 0.1 * (10.0 * 2.0 * 3.0_f64.sqrt() + 1.0);
    let domain = simulation.domain().clone();
    for axis in 0..3 {
        assert!((0.5 * domain.size()[axis] - expected).abs() < 1e-12, "{domain:?}");
    }
    while simulation.time() < 0.1 {
        simulation.step().expect("it stays inside");
    }
}
