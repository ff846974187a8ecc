//! How many steps lie in a contact is measured as the run goes on, and too few stop it.

use esker::error::Cause;
use esker::prelude::*;
use esker::scene::StepLimit;

mod common;
use common::{RADIUS, duration, hertz, mass, scene};

/// A grain that flies into another at rest.
fn impact(speed: f64, dt: f64) -> Scene {
    let (mut scene, grain) = scene(hertz(), Pair::new());
    let sphere = |x: f64, velocity: f64| Sphere {
        position: Vec3::X * x,
        radius: RADIUS,
        velocity: Vec3::X * velocity,
        ..Sphere::default()
    };
    scene.add_sphere(grain, sphere(0.0, speed));
    scene.add_sphere(grain, sphere(2.001 * RADIUS, 0.0));
    scene.step = StepSize::Fixed(dt);
    scene
}

#[test]
fn it_is_the_duration_of_a_hertzian_impact_over_the_step() {
    let speed = 0.3;
    let time = duration(0.5 * mass(RADIUS), 0.5 * RADIUS, speed);
    for steps in [20.0, 200.0] {
        let scene = impact(speed, time / steps);
        let mut simulation = scene.clone().build().expect("a valid scene");
        assert_eq!(simulation.steps_per_contact(), None);
        for _ in 0..(3.0 * steps) as usize {
            simulation.step().expect("a good step");
        }
        let measured = simulation.steps_per_contact().expect("they have touched");
        // the deepest overlap lies within half a step of an evaluation
        assert!((measured / steps - 1.0).abs() < 0.01, "{measured} for {steps}");
        let state = simulation.save();
        let restored = Simulation::restore(scene, state).expect("the same");
        assert_eq!(restored.steps_per_contact(), Some(measured));
    }
}

/// A grain on the floor under a plate that comes down slowly: its contacts grow stiffer than any
/// impact at the speeds of the scene would make them.
fn press(step_limit: StepLimit) -> Simulation {
    let (mut scene, grain) = scene(hertz(), Pair::new());
    scene.add_wall("floor", Shape::HalfSpace { point: Vec3::ZERO, normal: Vec3::Z }, grain);
    let plate = Shape::HalfSpace { point: Vec3::Z * 2.0 * RADIUS, normal: -Vec3::Z };
    scene.add_wall("plate", plate, grain);
    scene.walls[1].motion = Motion::Velocity(Vec3::Z * -0.01);
    let position = Vec3::Z * RADIUS;
    scene.add_sphere(grain, Sphere { position, radius: RADIUS, ..Sphere::default() });
    scene.health.step_limit = step_limit;
    scene.health.overlap_limit = 0.5;
    scene.step =
        StepSize::Fixed(0.9 * impact(0.01, 1e-6).build().expect("a valid scene").advice().limit);
    scene.build().expect("a valid scene")
}

#[test]
fn a_contact_that_grows_too_stiff_for_the_step_stops_the_run() {
    let mut simulation = press(StepLimit::Error);
    let error = (0..100_000).find_map(|_| simulation.step().err()).expect("it must stop");
    let Error::Step(error) = error else { panic!("{error}") };
    let Cause::Stiffness(steps) = error.cause else { panic!("{error}") };
    assert!((4.0..4.2).contains(&steps), "{error}");
    let text = error.to_string();
    // the plate would go on: a shorter step only postpones the end, and the message says so
    assert!(text.contains("pinched between wall `floor` and wall `plate`"), "{text}");
}

#[test]
fn it_goes_on_where_the_scene_allows_it_and_then_blows_up() {
    let mut guarded = press(StepLimit::Error);
    let mut free = press(StepLimit::Warn);
    while guarded.step().is_ok() {
        free.step().expect("as the other");
    }
    free.step().expect("allowed");
    assert_eq!(free.steps_per_contact(), guarded.steps_per_contact());
    // the plate alone would have to come down for 0.5 s to press the grain in by half its radius
    let error = (0..1000).find_map(|_| free.step().err()).expect("it is unstable");
    assert!(free.time() < 0.2, "{error}");
}
