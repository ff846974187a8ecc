//! Changes of the automatic step, and the quantities it depends on.

use crate::common::*;
use esker::field::StokesDrag;
use esker::prelude::*;
use esker::search::{SearchMethod, SearchOptions};
use esker::stage::Change;
use esker::time_step::{BOUND_FRACTION, RAYLEIGH_CAP, STEPS_PER_LINEAR_IMPACT};
use std::sync::Arc;

/// Shortest Rayleigh time of grains of the usual radius [s].
fn rayleigh_time() -> f64 {
    let shear = YOUNG / (2.0 * (1.0 + POISSON));
    std::f64::consts::PI * RADIUS * (DENSITY / shear).sqrt() / (0.1631 * POISSON + 0.8766)
}

fn after(time: f64) -> End {
    End { after: Some(time), ..End::default() }
}

/// Returns true if a step is the level below a length: at most a sixteenth of an octave shorter.
fn is_level_below(step: f64, length: f64) -> bool {
    step <= length && step * 1.0443 > length
}

/// Grains that rain on a floor, one of them fast.
fn rain(count: usize, threads: usize) -> Scene {
    let pair = Pair::new().friction(0.5).restitution(0.4);
    let (mut scene, material) = scene(frictional(), pair);
    scene.gravity = -G * Vec3::Z;
    scene.threads = threads;
    scene.domain = Some(Domain::new(Vec3::splat(-0.2), Vec3::splat(0.5)));
    scene.add_wall("floor", floor(), material);
    let mut numbers = Numbers(11);
    for index in 0..count {
        let [x, y, z] = [index % 4, index / 4 % 4, index / 16].map(|index| index as f64);
        let position = 2.2 * RADIUS * Vec3::new(x, y, z + 1.0);
        let velocity = if index == 5 { -4.0 * Vec3::Z } else { 0.3 * numbers.vector() };
        scene.add_sphere(material, sphere(position, velocity));
    }
    scene
}

fn steps(scene: Scene, count: usize) -> (Simulation, Vec<u64>) {
    let mut simulation = scene.build().expect("a valid scene");
    let mut lengths = Vec::new();
    for _ in 0..count {
        lengths.push(simulation.dt().to_bits());
        simulation.step().expect("a healthy step");
    }
    (simulation, lengths)
}

#[test]
fn a_grain_alone_takes_a_fraction_of_its_rayleigh_time() {
    for speed in [0.0, 1e-3, 20.0] {
        let (mut scene, material) = scene(damped(), Pair::new().restitution(0.5));
        scene.add_sphere(material, sphere(Vec3::ZERO, speed * Vec3::X));
        let dt = scene.build().expect("a valid scene").dt();
        assert!(is_level_below(dt, RAYLEIGH_CAP * rayleigh_time()), "{dt:e}");
    }
}

#[test]
fn a_linear_law_takes_a_fraction_of_its_contact_time() {
    let stiffness = 1e5;
    let contact = ContactModel::normal(normal::Linear::default());
    let (mut scene, material) = scene(contact, Pair::new().normal_stiffness(stiffness));
    scene.gravity = -G * Vec3::Z;
    scene.add_wall("floor", floor(), material);
    scene.add_sphere(material, sphere(1.0 * Vec3::Z, Vec3::ZERO));
    let dt = scene.build().expect("a valid scene").dt();
    let time = std::f64::consts::PI * (0.5 * mass(RADIUS) / stiffness).sqrt();
    assert!(is_level_below(dt, time / STEPS_PER_LINEAR_IMPACT[1]), "{dt:e}");
}

#[test]
fn safety_is_the_fraction_of_the_shortest_impact() {
    let speed = 3.0;
    for safety in [0.05, 0.01] {
        let (mut scene, material) = scene(damped(), Pair::new().restitution(0.5));
        scene.safety = Some(safety);
        scene.add_sphere(material, sphere(Vec3::ZERO, speed * Vec3::X));
        scene.add_sphere(material, sphere(2.001 * RADIUS * Vec3::X, Vec3::ZERO));
        let dt = scene.build().expect("a valid scene").dt();
        let expected = safety * duration(0.5 * mass(RADIUS), 0.5 * RADIUS, speed);
        assert!(is_level_below(dt, expected), "{dt:e} {expected:e}");
    }
}

#[test]
fn the_step_of_a_loaded_packing_is_below_its_bound() {
    let (mut scene, material) = scene(frictional(), Pair::new().friction(0.5).restitution(0.3));
    for index in 0..4 {
        scene.add_sphere(material, sphere(1.96 * RADIUS * f64::from(index) * Vec3::X, Vec3::ZERO));
    }
    let simulation = scene.build().expect("a valid scene");
    let choice = simulation.step_choice();
    assert!(is_level_below(simulation.dt(), BOUND_FRACTION * choice.bound), "{choice:?}");
    let by = choice.bound_by.expect("contacts set the bound");
    assert!(by.contains("has 2 contacts") && by.contains("4.0 % of its radius"), "{by}");
}

#[test]
fn max_bounds_the_automatic_step() {
    let mut scene = rain(8, 1);
    scene.step = StepSize::AtMost(7e-6);
    let (simulation, lengths) = steps(scene, 300);
    assert!(lengths.iter().all(|bits| f64::from_bits(*bits) <= 7e-6));
    assert!(is_level_below(simulation.dt(), 7e-6));
}

#[test]
fn a_step_chosen_once_stays() {
    let mut scene = rain(16, 1);
    scene.step = StepSize::AutoOnce;
    let (_, once) = steps(scene, 400);
    assert!(once.iter().all(|bits| *bits == once[0]));
    let (_, auto) = steps(rain(16, 1), 400);
    assert_eq!(once[0], auto[0]);
    assert!(auto.iter().any(|bits| *bits != auto[0]), "the scene is too calm for this test");
}

#[test]
fn threads_skins_and_search_methods_change_no_bit() {
    let reference = steps(rain(64, 1), 600);
    assert!(reference.0.step_record().changes > 1, "{:?}", reference.0.step_record());
    let mut variants: Vec<Scene> = [2, 5].map(|threads| rain(64, threads)).into();
    for skin in [1e-9, 1e-4, 3e-3] {
        let mut scene = rain(64, 1);
        scene.search.skin = Some(skin);
        variants.push(scene);
    }
    for method in [SearchMethod::Cubes, SearchMethod::BruteForce] {
        let mut scene = rain(64, 1);
        scene.search = SearchOptions { method, ..SearchOptions::default() };
        variants.push(scene);
    }
    for scene in variants {
        let (threads, search) = (scene.threads, scene.search);
        let found = steps(scene, 600);
        assert_eq!(found.1, reference.1, "{threads} threads, {search:?}");
        assert!(found.0.save() == reference.0.save(), "{threads} threads, {search:?}");
    }
}

#[test]
fn a_run_resumed_between_two_updates_continues_as_before() {
    let mut whole = rain(64, 1).build().expect("a valid scene");
    let mut halves = rain(64, 1).build().expect("a valid scene");
    for step in 0..700 {
        whole.step().expect("a healthy step");
        halves.step().expect("a healthy step");
        if step % 37 == 5 {
            halves = Simulation::restore(rain(64, 1), halves.save()).expect("its own state");
        }
    }
    assert!(whole.step_record().updates > 15, "{:?}", whole.step_record());
    assert!(whole.save() == halves.save());
}

#[test]
fn a_rotated_scene_takes_the_same_steps() {
    let run = |rotation: Quat| {
        let pair = Pair::new().friction(0.5).restitution(0.4);
        let (mut scene, material) = scene(frictional(), pair);
        let mut numbers = Numbers(2);
        for index in 0..27 {
            let [x, y, z] = [index % 3, index / 3 % 3, index / 9].map(f64::from);
            let position = 1.97 * RADIUS * Vec3::new(x, y, z);
            scene.add_sphere(
                material,
                sphere(rotation * position, rotation * (0.2 * numbers.vector())),
            );
        }
        steps(scene, 300).1
    };
    let rotation = Quat::from_axis_angle(Vec3::new(0.6, 0.0, 0.8), 0.7);
    assert_eq!(run(Quat::IDENTITY), run(rotation));
}

/// A bed in a box under a plate that moves down and up again.
#[test]
fn the_step_follows_a_plate_down_and_grows_back_after_its_release() {
    let (mut scene, material) = scene(damped(), Pair::new().restitution(0.3));
    scene.health.overlap_limit = 0.5;
    scene.add_wall("floor", floor(), material);
    let height = 4.0 * RADIUS;
    let plate = Shape::HalfSpace { point: height * Vec3::Z, normal: -Vec3::Z };
    scene.add_moving_wall("plate", plate, material, Motion::Velocity(-0.02 * Vec3::Z));
    for layer in [1.0, 3.0] {
        for index in 0..9 {
            let across = 2.5 * RADIUS * Vec3::new(f64::from(index % 3), f64::from(index / 3), 0.0);
            scene.add_sphere(material, sphere(across + layer * RADIUS * Vec3::Z, Vec3::ZERO));
        }
    }
    let up = Change::SetMotion("plate".into(), Motion::Velocity(2.0 * Vec3::Z));
    scene.stages = vec![
        Stage { name: "down".into(), end: after(0.1), ..Stage::default() },
        Stage { name: "up".into(), end: after(10.0), changes: vec![up] },
    ];
    let mut simulation = scene.build().expect("a valid scene");
    let start = simulation.dt();
    while simulation.stage() == "down" || simulation.stage().is_empty() {
        simulation.step().expect("a healthy step");
    }
    let pressed = simulation.dt();
    assert!(pressed < 0.75 * start, "{pressed:e} {start:e}");
    // sixteen levels of at most 128 steps
    (0..2100).for_each(|_| simulation.step().expect("a healthy step"));
    assert!(simulation.dt() >= (2.0 * pressed).min(0.9 * start), "{:e}", simulation.dt());
}

#[test]
fn overlapping_grains_that_a_stage_inserts_shorten_the_step_at_once() {
    let (mut scene, material) = scene(frictional(), Pair::new().restitution(0.3).friction(0.5));
    scene.add_sphere(material, sphere(-5.0 * RADIUS * Vec3::X, Vec3::ZERO));
    scene.health.overlap_limit = 0.5;
    // one grain among six, each with an overlap of a tenth of the radius
    let around = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| 1.9 * RADIUS * axis);
    let centers = around.into_iter().chain(around.map(|point| -point)).chain([Vec3::ZERO]);
    let spheres = centers.map(|center| sphere(center, Vec3::ZERO)).collect();
    let source = Source::list("late", material, spheres);
    let heavier = Change::SetGravity(-2.0 * G * Vec3::Z);
    scene.stages = vec![
        Stage { name: "first".into(), end: after(1e-3), ..Stage::default() },
        Stage { name: "second".into(), end: after(1e-3), changes: vec![Change::Insert(source)] },
        Stage { name: "third".into(), end: after(1e-3), changes: vec![heavier] },
    ];
    let mut simulation = scene.build().expect("a valid scene");
    let start = simulation.dt();
    while simulation.stage() != "second" {
        assert_eq!(simulation.dt(), start);
        simulation.step().expect("a healthy step");
    }
    assert!(simulation.dt() < 0.8 * start, "{:e} {start:e}", simulation.dt());
    let updates = simulation.step_record().updates;
    let mut before = updates;
    while simulation.stage() != "third" {
        before = simulation.step_record().updates;
        simulation.step().expect("a healthy step");
    }
    assert_eq!(simulation.step_record().updates, before + 1, "gravity changed");
}

#[test]
fn a_law_that_contains_the_step_never_lets_it_grow() {
    let pair = Pair::new().restitution(0.6).friction(0.4).friction_penalty(1e11);
    let law = tangential::Penalty::default();
    let (mut scene, material) = scene(damped().tangential(law), pair);
    scene.add_sphere(material, sphere(Vec3::ZERO, Vec3::ZERO));
    scene.add_sphere(material, sphere(3.0 * RADIUS * Vec3::X, -2.0 * Vec3::X));
    let mut simulation = scene.build().expect("a valid scene");
    assert!(simulation.is_tied_to_step());
    let (start, mut last) = (simulation.dt(), simulation.dt());
    for _ in 0..10_000 {
        simulation.step().expect("a healthy step");
        assert!(simulation.dt() <= last);
        last = simulation.dt();
    }
    assert!(last < start, "the impact shortens the step");
}

#[test]
fn scenes_without_contacts_have_finite_steps() {
    // fields only
    let (mut scene, material) = scene(ContactModel::default(), Pair::new());
    let drag = StokesDrag { viscosity: 1e-3, medium_velocity: Vec3::X.into() };
    scene.fields.push(Arc::new(drag));
    scene.add_sphere(material, sphere(Vec3::ZERO, Vec3::ZERO));
    let simulation = scene.build().expect("drag gives a step");
    let relaxation = mass(RADIUS) / (6.0 * std::f64::consts::PI * 1e-3 * RADIUS);
    assert!(is_level_below(simulation.dt(), relaxation / 5.0), "{:e}", simulation.dt());
    // the last grain leaves
    let (mut scene, material) = crate::common::scene(damped(), Pair::new().restitution(0.5));
    scene.gravity = -G * Vec3::Z;
    scene.domain = Some(Domain {
        outside: esker::domain::Outside::Delete,
        ..Domain::new(Vec3::splat(-0.1), Vec3::splat(0.1))
    });
    scene.add_sphere(material, sphere(-0.05 * Vec3::Z, Vec3::ZERO));
    let mut simulation = scene.build().expect("a valid scene");
    for _ in 0..30_000 {
        simulation.step().expect("a healthy step");
        assert!(simulation.dt() > 0.0 && simulation.dt().is_finite());
    }
    assert_eq!(simulation.counts().present, 0);
}
