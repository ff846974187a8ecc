//! A settled pile stays where it is.

mod common;

use common::*;
use esker::prelude::*;

/// A heap of grains with friction and rolling resistance on a floor.
fn pile() -> Simulation {
    let contact = frictional().rolling(rolling::ElasticPlastic::default());
    let pair = Pair::new().damping_ratio(0.3).friction(0.5).rolling_friction(0.2);
    let (mut scene, material) = scene(contact, pair);
    scene.gravity = -G * Vec3::Z;
    scene.add_wall("floor", floor(), material);
    let mut numbers = Numbers(11);
    let mut add = |center: Vec3| {
        let radius = numbers.between(0.85, 1.15) * RADIUS;
        let position = center + 2e-4 * numbers.vector();
        scene.add_sphere(material, Sphere::new(radius, position));
    };
    // layers of 16, 9, 4 and 1, each falling into the hollows of the one below
    for (layer, side) in [4, 3, 2, 1].into_iter().enumerate() {
        let half = 0.5 * f64::from(side - 1);
        for index in 0..side * side {
            let [x, y] = [index % side, index / side].map(|index| f64::from(index) - half);
            add(0.024 * Vec3::new(x, y, layer as f64 + 0.5));
        }
    }
    scene.step = StepSize::Fixed(1e-5);
    scene.build().expect("a valid scene")
}

#[test]
fn no_grain_of_a_settled_frictional_pile_moves_in_a_million_steps() {
    let mut simulation = pile();
    let snapshot = simulation.snapshot();
    let count = snapshot.particles.len() as f64;
    let diameter = 2.0 * RADIUS;
    let unit = mass(RADIUS) * G * diameter;
    // Translational speed: no law resists the spin of a single grain about the normal of its one contact, which never
    // decays and moves nothing. A grain on its rolling spring oscillates about five times a second and has no speed at
    // the turning points, so half a second must pass below the bound; with the energy of all 30 at that frequency, 30
    // rad/s, its amplitude is √(2 · 30 · 1e-14 g d)/(30 rad/s), or 6e-7 diameters.
    let mut calm = 0;
    while calm < 50 {
        for _ in 0..1000 {
            simulation.step().expect("a healthy step");
        }
        calm = if simulation.energy().kinetic / count > 1e-14 * unit { 0 } else { calm + 1 };
        assert!(simulation.time() < 20.0, "the pile does not come to rest");
    }
    let before = simulation.snapshot();
    // a pile, not a layer: grains stand on others
    let top = before.particles.iter().map(|particle| particle.position.z).fold(0.0, f64::max);
    assert!(top > 2.5 * RADIUS, "{top}");
    for _ in 0..1_000_000 {
        simulation.step().expect("a healthy step");
    }
    let after = simulation.snapshot();
    for (before, after) in before.particles.iter().zip(&after.particles) {
        let moved = before.position.distance(after.position) / diameter;
        // the required bound
        assert!(moved < 1e-6, "particle {} has moved by {moved:.1e} d", before.id);
    }
}
