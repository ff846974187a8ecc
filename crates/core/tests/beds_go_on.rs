//! A bed that is continued from a saved run.

use esker::prelude::*;
use std::sync::Arc;

/// Grains at rest on a slope of tan⁻¹ 0.3, held by friction alone: without their tangential springs they would slide
/// until new springs are loaded.
fn slope(source: Source) -> Scene {
    let mut scene = Scene { gravity: Vec3::new(0.3, 0.0, -1.0) * 9.81, ..Scene::new() };
    scene.contact = ContactModel::normal(normal::Hertz::default())
        .damping(damping::HertzDamping::default())
        .tangential(tangential::Mindlin::default())
        .rolling(rolling::ElasticPlastic::default());
    let grain = scene.add_material(
        "grain",
        Material::new().density(2500.0).young_modulus(1e7).poisson_ratio(0.25),
    );
    let pair = Pair::new().friction(0.8).damping_ratio(0.3).rolling_friction(0.6);
    scene.set_pair(grain, grain, pair);
    scene.add_wall("floor", Shape::HalfSpace { point: Vec3::ZERO, normal: Vec3::Z }, grain);
    scene.particles.push(Source { material: grain, name: "grains".into(), ..source });
    scene.step = StepSize::Fixed(1e-5);
    scene
}

fn grains() -> Source {
    let sphere = |x: f64, z: f64| Sphere::new(0.005, Vec3::new(x, 0.0, z));
    let list = vec![sphere(0.0, 0.005), sphere(0.00999, 0.005), sphere(0.01998, 0.005)];
    Source::list("", MaterialId::new(0), list)
}

fn settled() -> Simulation {
    let mut simulation = slope(grains()).build().expect("a valid scene");
    while simulation.time() < 0.5 {
        simulation.step().expect("a healthy step");
    }
    simulation
}

/// Distance the middle grain moves in the first hundredth of a second.
fn creep(history: bool) -> f64 {
    let (spheres, inherited) = settled().save().bed();
    assert!(!inherited.wall_contacts.is_empty());
    let start = spheres[1].position;
    let source = Source {
        inherited: history.then(|| Arc::new(inherited)),
        ..Source::list("", MaterialId::new(0), spheres)
    };
    let mut simulation = slope(source).build().expect("a valid scene");
    while simulation.time() < 0.01 {
        simulation.step().expect("a healthy step");
    }
    let end = simulation.particles().position(ParticleId::new(1)).expect("it is there");
    (end - start).length()
}

#[test]
fn grains_that_keep_their_springs_stay_at_rest_and_those_without_springs_move() {
    // with springs only rounding changes; without springs the grain must move by the elongation of the spring that
    // holds its weight, tangential force over stiffness, of order 1e-7 m
    assert!(creep(true) < 1e-11, "{:e}", creep(true));
    assert!(creep(false) > 1e-8, "{:e}", creep(false));
}

#[test]
fn histories_of_other_laws_are_refused() {
    let (spheres, inherited) = settled().save().bed();
    let source = Source {
        inherited: Some(Arc::new(inherited)),
        ..Source::list("", MaterialId::new(0), spheres)
    };
    let mut scene = slope(source);
    scene.contact.rolling = None;
    let grain = MaterialId::new(0);
    scene.set_pair(grain, grain, Pair::new().friction(0.8).damping_ratio(0.3));
    let message = scene.build().expect_err("other laws").to_string();
    assert!(message.contains("inherited: None"), "{message}");
}
