//! Many particles under attractions: search, energy ledger, plane motion, no rotation.

use super::*;
use esker::field::{LinearDrag, Magnus, MediumVelocity};
use esker::search::{SearchMethod, SearchOptions};
use std::sync::Arc;

/// Spheres at random positions without overlap in a periodic box, with random velocities.
fn cloud(contact: ContactModel, pair: Pair, count: usize, plane: bool) -> Scene {
    let (mut scene, material) = scene(contact, pair);
    let half = 0.15;
    let mut domain = Domain::new(Vec3::splat(-half), Vec3::splat(half));
    domain.periodic = [true, true, false];
    domain.outside = Outside::Delete;
    scene.domain = Some(domain);
    scene.ledger = true;
    let mut numbers = Numbers(17);
    let mut centres: Vec<Vec3> = Vec::new();
    while centres.len() < count {
        let mut centre = (half - RADIUS) * numbers.vector();
        centre.z = if plane { 0.0 } else { 0.5 * centre.z };
        if centres.iter().all(|other| other.distance(centre) > 2.05 * RADIUS) {
            centres.push(centre);
            let mut velocity = 0.5 * numbers.vector();
            velocity.z *= if plane { 0.0 } else { 1.0 };
            scene.add_sphere(material, sphere(centre, velocity));
        }
    }
    scene
}

#[test]
fn no_search_misses_a_pair_within_the_interaction_range() {
    let contact = || damped().cohesion(Mie::default()).cohesion(LiquidBridge::default());
    let pair = Pair::new()
        .damping_ratio(0.3)
        .surface_tension(5.0)
        .bridge_volume(0.05)
        .mie_attraction(1e-4)
        .mie_attraction_exponent(2.0)
        .mie_repulsion(2e-8)
        .mie_repulsion_exponent(4.0)
        .mie_cutoff(0.05);
    let run = |method: SearchMethod, skin: Option<f64>| {
        let mut scene = cloud(contact(), pair.clone(), 60, false);
        scene.search = SearchOptions { method, skin };
        scene.step = StepSize::Fixed(2e-5);
        let mut simulation = scene.build().expect("a valid scene");
        (0..600).for_each(|_| simulation.step().expect("a healthy step"));
        let apart = simulation.contacts().iter().filter(|view| view.overlap < 0.0).count();
        assert!(apart > 100, "many act at a distance: {apart}");
        simulation.save().particles
    };
    let all = run(SearchMethod::BruteForce, None);
    for (method, skin) in [
        (SearchMethod::Grid, None),
        // a skin so thin that the neighbour list is rebuilt in nearly every step
        (SearchMethod::Grid, Some(1e-4 * RADIUS)),
        (SearchMethod::Cubes, None),
    ] {
        assert!(run(method, skin) == all, "{method:?} with {skin:?} differs");
    }
}

#[test]
fn the_ledger_closes_over_wet_spheres_that_gather() {
    let contact =
        damped().cohesion(LiquidBridge::default()).tangential(tangential::Mindlin::default());
    let pair =
        Pair::new().damping_ratio(0.3).friction(0.4).surface_tension(5.0).bridge_volume(0.02);
    let mut simulation = cloud(contact, pair, 80, false).build().expect("a valid scene");
    let start = simulation.energy();
    let worst = run_closing(&mut simulation, 0.15);
    let end = simulation.energy();
    assert!(end.cohesion < 0.0 && end.cohesion_loss > 0.0, "bridges formed: {end:?}");
    // each bridge that forms or breaks within a step adds an error of its force times half the displacement of a step
    assert!(worst < 0.01 * start.kinetic, "closes to {:e}", worst / start.kinetic);
}

#[test]
fn plane_motion_stays_plane_and_fixed_rotations_stay_zero_under_every_attraction() {
    let scene = |plane: bool| {
        let contact = every_attraction(damped()).tangential(tangential::Mindlin::default());
        let pair = every_parameter().damping_ratio(0.3).friction(0.4);
        let mut scene = cloud(contact, pair, 40, plane);
        // the centre of a vortex, and a force along the axis of the spins
        let flow = MediumVelocity::from_fn(|at, time| Vec3::new(-at.y, at.x, 1.0) * (1.0 + time));
        scene
            .fields
            .push(Arc::new(LinearDrag { coefficient: 0.05, medium_velocity: flow.clone() }));
        scene.fields.push(Arc::new(Magnus { coefficient: 1e-4, medium_velocity: flow }));
        scene.health.overlap_limit = 0.3;
        scene
    };
    let mut plane = scene(true);
    plane.plane_normal = Some(2);
    let mut plane = plane.build().expect("a valid scene");
    let mut stiff = scene(false);
    stiff.rotations = false;
    let mut stiff = stiff.build().expect("a valid scene");
    for simulation in [&mut plane, &mut stiff] {
        (0..4000).for_each(|_| simulation.step().expect("a healthy step"));
        assert!(simulation.energy().cohesion < 0.0, "they hold each other");
    }
    let mut rotating = 0;
    for particle in &plane.snapshot().particles {
        assert!(particle.position.z == 0.0 && particle.velocity.z == 0.0);
        assert!(particle.spin.x == 0.0 && particle.spin.y == 0.0);
        rotating += usize::from(particle.spin.z != 0.0);
    }
    assert!(rotating > 10, "contacts rotate them: {rotating}");
    assert!(stiff.snapshot().particles.iter().all(|particle| particle.spin == Vec3::ZERO));
}
