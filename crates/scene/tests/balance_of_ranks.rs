//! The work of a run is divided evenly among ranks, also where particles move or fill one corner only.

use esker::prelude::*;
use esker::ranks::run_on_ranks;
use esker::{Imbalance, Ownership};

/// Largest mean ratio of the most work of a rank to the mean of all.
const MOST: f64 = 1.1;

/// Runs a scene on ranks to this time. Returns the balance of their work and the number of particles.
fn run(scene: &Scene, ranks: usize, end: f64) -> (Imbalance, u64) {
    let results = run_on_ranks(ranks, |comm| {
        let is_first = comm.rank() == 0;
        let scene = Scene { threads: 1, ..scene.clone() };
        let simulation = scene.build_on(comm, Ownership::Bisection);
        let mut simulation = simulation.expect("a valid scene");
        if !is_first {
            return (simulation.follow().imbalance, 0);
        }
        simulation.run_until(end).expect("healthy steps");
        (Imbalance::default(), simulation.counts().present)
    });
    let results = results.expect("no rank fails");
    (results[1].0, results[0].1)
}

fn assert_balanced(name: &str, scene: &Scene, end: f64, least_particles: u64) {
    for ranks in [2, 4] {
        let (found, particles) = run(scene, ranks, end);
        let mean = found.mean();
        assert!(found.count > 10 && particles >= least_particles, "{name}: {found:?}, {particles}");
        assert!(mean < MOST, "{name} on {ranks} ranks: {mean:.3}, {found:?}");
    }
}

/// A built-in scene.
fn scene(name: &str) -> Scene {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes");
    let path = std::path::Path::new(folder).join(name);
    esker_scene::load(&path).expect("it can be read").scene
}

#[test]
fn a_heap_that_spreads() {
    assert_balanced("heap", &scene("heap.toml"), 0.5, 250);
}

#[test]
fn a_drum_that_turns() {
    assert_balanced("drum", &scene("drum.toml"), 0.6, 850);
}

#[test]
fn a_hopper_that_is_filled() {
    assert_balanced("hopper", &scene("hopper.toml"), 0.45, 1000);
}

#[test]
fn particles_in_one_corner_of_a_large_domain() {
    let mut scene = scene("heap.toml");
    // a box in the corner of a domain that is empty otherwise
    let material = scene.particles[0].material;
    let wall = scene.walls[0].material;
    scene.domain = Some(Domain::new(Vec3::splat(-0.01), Vec3::splat(1.0)));
    scene.stages.clear();
    scene.walls.clear();
    for (name, normal) in [("x", Vec3::X), ("y", Vec3::Y), ("z", Vec3::Z)] {
        scene.add_wall(name, Shape::HalfSpace { point: Vec3::ZERO, normal }, wall);
    }
    scene.gravity = Vec3::new(-3.0, -3.0, -9.81);
    let placement = Placement::Lattice {
        min: Vec3::splat(0.012),
        max: Vec3::splat(0.2),
        spacing: Vec3::splat(0.0225),
        count: None,
        jitter: 2e-4,
    };
    let radius = Radius::Uniform { min: 0.009, max: 0.011 };
    scene.particles = vec![Source::new("grains", material, radius, placement)];
    assert_balanced("corner", &scene, 0.3, 500);
}
