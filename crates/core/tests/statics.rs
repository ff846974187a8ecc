//! Bodies at rest: forces and overlaps from statics.

mod common;

use common::*;
use esker::prelude::*;

#[test]
fn the_floor_under_a_settled_bed_carries_its_weight() {
    let contact = frictional().rolling(rolling::ElasticPlastic::default());
    let pair = Pair::new().damping_ratio(0.3).friction(0.5).rolling_friction(0.1);
    let (mut scene, material) = scene(contact, pair);
    scene.gravity = -G * Vec3::Z;
    // no side walls, which would carry a part
    let mut domain = Domain::new(Vec3::ZERO, Vec3::new(0.1, 0.1, 1.0));
    domain.min.z = -0.01;
    domain.periodic = [true, true, false];
    scene.domain = Some(domain);
    scene.add_wall("floor", floor(), material);
    let mut numbers = Numbers(3);
    let mut weight = 0.0;
    for index in 0..128 {
        let cell = [index % 4, index / 4 % 4, index / 16].map(f64::from);
        let position = 0.025 * (Vec3::from_array(cell) + 0.5) + 1e-3 * numbers.vector();
        let radius = numbers.between(0.8, 1.1) * RADIUS;
        weight += G * mass(radius);
        scene.add_sphere(material, Sphere::new(radius, position));
    }
    scene.step = StepSize::Fixed(1e-5);
    let mut simulation = scene.build().expect("a valid scene");
    run_until(&mut simulation, 1.0);
    // until speeds are far below √(g d), so that inertia is negligible in the balance; the time at which the last loose
    // grain settles is random. Translation only: no law here stops a single grain that spins about its normal
    while simulation.energy().kinetic > 1e-9 * weight * RADIUS {
        let time = simulation.time();
        assert!(time < 10.0, "the bed does not come to rest");
        run_until(&mut simulation, time + 0.25);
    }
    let force = simulation.wall_views()[0].force;
    // required: 0.1 %; at rest the error should be far smaller, but waves decay slowly
    assert_close(force.z, -weight, 1e-3);
    assert!(force.x.hypot(force.y) < 1e-3 * weight);
}

#[test]
fn a_stack_of_two_spheres_rests_at_the_overlaps_of_hertz() {
    let radii = [0.01, 0.014];
    let pair = Pair::new().damping_ratio(0.5).friction(0.5);
    let (mut scene, material) = scene(frictional(), pair);
    scene.gravity = -G * Vec3::Z;
    scene.add_wall("floor", floor(), material);
    let weights = radii.map(|radius| mass(radius) * G);
    let mut height = 0.0;
    for radius in radii {
        height += radius;
        scene.add_sphere(material, Sphere::new(radius, Vec3::Z * height));
        height += radius;
    }
    scene.step = StepSize::Fixed(1e-5);
    let mut simulation = scene.build().expect("a valid scene");
    run_until(&mut simulation, 0.5);
    let below = overlap_under(weights[0] + weights[1], radii[0]);
    let between = overlap_under(weights[1], radii[0] * radii[1] / (radii[0] + radii[1]));
    let [lower, upper] = [0, 1].map(|id| position(&simulation, id));
    // an overlap is 1e-4 of the radius, so rounding of positions leaves 1e-12 of it; the rest is
    // the decay of the oscillation over 0.5 s
    assert_close(radii[0] - lower.z, below, 1e-9);
    assert_close(radii[0] + radii[1] - (upper.z - lower.z), between, 1e-9);
    assert_eq!([lower.x, lower.y, upper.x, upper.y], [0.0; 4]);
    assert_close(simulation.wall_views()[0].force.z, -(weights[0] + weights[1]), 1e-9);
    let forces: Vec<f64> = simulation.contacts().iter().map(|contact| contact.elastic).collect();
    assert_close(forces[0], weights[1], 1e-9);
    assert_close(forces[1], weights[0] + weights[1], 1e-9);
}

#[test]
fn a_sphere_between_two_planes_exerts_the_forces_of_statics() {
    // a V groove of two half-spaces at 30° and 50° to the horizontal, without friction
    let (left, right) = (30f64.to_radians(), 50f64.to_radians());
    let (mut scene, material) = scene(damped(), Pair::new().damping_ratio(0.5));
    scene.gravity = -G * Vec3::Z;
    let normals =
        [Vec3::new(left.sin(), 0.0, left.cos()), Vec3::new(-right.sin(), 0.0, right.cos())];
    for (name, normal) in ["left", "right"].into_iter().zip(normals) {
        scene.add_wall(name, Shape::HalfSpace { point: Vec3::ZERO, normal }, material);
    }
    // the position of the centre that touches both: n₁·x = n₂·x = r
    let determinant = normals[0].x * normals[1].z - normals[0].z * normals[1].x;
    let x = RADIUS * (normals[1].z - normals[0].z) / determinant;
    let z = RADIUS * (normals[0].x - normals[1].x) / determinant;
    scene.add_sphere(material, sphere(Vec3::new(x, 0.0, z), Vec3::ZERO));
    scene.step = StepSize::Fixed(1e-5);
    let mut simulation = scene.build().expect("a valid scene");
    run_until(&mut simulation, 0.5);
    let weight = mass(RADIUS) * G;
    // Lami's theorem
    let expected = [right, left].map(|angle| weight * angle.sin() / (left + right).sin());
    for ((wall, normal), expected) in simulation.wall_views().iter().zip(normals).zip(expected) {
        // decay of the oscillation, and the geometry, which does not depend on the overlaps
        assert!((wall.force + expected * normal).length() < 1e-9 * expected, "{}", wall.name);
    }
}
