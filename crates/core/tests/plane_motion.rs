//! Plane (2D) problems, and particles that do not rotate.

mod common;

use common::*;
use esker::prelude::*;

/// Grains that fall through a box of half-spaces whose normals have components out of the plane.
fn heap(plane_normal: Option<usize>) -> Simulation {
    let contact = frictional().rolling(rolling::ElasticPlastic::default());
    let pair = Pair::new().damping_ratio(0.1).friction(0.5).rolling_friction(0.1);
    let (mut scene, material) = scene(contact, pair);
    scene.gravity = Vec3::new(0.0, 1.0, -G);
    scene.plane_normal = plane_normal;
    let normal = Vec3::new(0.1, 0.2, 1.0).normalize();
    scene.add_wall("floor", Shape::HalfSpace { point: Vec3::ZERO, normal }, material);
    let mut numbers = Numbers(5);
    let list = (0..12)
        .map(|index| {
            let [x, z] = [index % 4, index / 4].map(f64::from);
            let mut position = Vec3::new(0.024 * x, 0.0, 0.02 + 0.024 * z);
            position.x += 1e-3 * numbers.next();
            sphere(position, Vec3::ZERO)
        })
        .collect();
    scene.particles.push(Source {
        velocity: 0.1 * Vec3::X,
        random_velocity: 0.1,
        spin: 2.0 * Vec3::Y,
        ..Source::list("grains", material, list)
    });
    scene.step = StepSize::Fixed(2e-5);
    let mut simulation = scene.build().expect("a valid scene");
    run_until(&mut simulation, 0.2);
    simulation
}

#[test]
fn nothing_leaves_the_plane_of_a_plane_problem() {
    for particle in heap(Some(1)).snapshot().particles {
        assert_eq!([particle.position.y, particle.velocity.y], [0.0; 2]);
        assert_eq!([particle.spin.x, particle.spin.z], [0.0; 2]);
        assert_ne!([particle.velocity.x, particle.velocity.z, particle.spin.y], [0.0; 3]);
    }
    // and in three dimensions all particles do
    for particle in heap(None).snapshot().particles {
        assert!(particle.position.y != 0.0 && particle.spin.x != 0.0);
    }
}

#[test]
fn an_initial_state_out_of_the_plane_is_refused() {
    let start = |velocity: Vec3, spin: Vec3, rotations: bool| {
        let (mut scene, material) = scene(hertz(), Pair::new());
        scene.plane_normal = Some(1);
        scene.rotations = rotations;
        scene.add_sphere(material, Sphere { spin, ..sphere(Vec3::ZERO, velocity) });
        scene.step = StepSize::Fixed(1e-5);
        scene.build()
    };
    assert!(start(Vec3::new(1.0, 0.0, 1.0), Vec3::Y, true).is_ok());
    assert!(start(Vec3::Y, Vec3::ZERO, true).is_err());
    assert!(start(Vec3::ZERO, Vec3::X, true).is_err());
    assert!(start(Vec3::X, Vec3::Y, false).is_err());
}

/// A body on an incline that does not rotate, started at a speed.
fn block(angle: f64, friction: f64, speed: f64) -> Simulation {
    let (mut scene, material) =
        scene(frictional(), Pair::new().damping_ratio(0.1).friction(friction));
    scene.gravity = G * Vec3::new(angle.sin(), 0.0, -angle.cos());
    scene.rotations = false;
    scene.add_wall("floor", floor(), material);
    let overlap = overlap_under(mass(RADIUS) * G * angle.cos(), RADIUS);
    scene.add_sphere(material, sphere(Vec3::Z * (RADIUS - overlap), speed * Vec3::X));
    scene.step = StepSize::Fixed(1e-5);
    scene.build().expect("a valid scene")
}

#[test]
fn a_sphere_without_rotation_slides_like_a_block_and_stops() {
    let (friction, speed) = (0.3, 0.5);
    let mut simulation = block(0.0, friction, speed);
    run_until(&mut simulation, 1.0);
    // it stops after v²/(2 μ g) and moves back with the spring, by less than an overlap (6e-6 m)
    assert_close(position(&simulation, 0).x, speed * speed / (2.0 * friction * G), 1e-4);
    assert!(velocity(&simulation, 0).length() < 1e-12);
    assert_eq!(spin(&simulation, 0), Vec3::ZERO);
}

#[test]
fn a_sphere_without_rotation_rests_on_an_incline_up_to_the_angle_of_friction() {
    let friction = 0.3f64;
    let mut simulation = block(0.9 * friction.atan(), friction, 0.0);
    run_until(&mut simulation, 0.3);
    assert!(velocity(&simulation, 0).length() < 1e-9);
    let angle = 1.1 * friction.atan();
    let mut simulation = block(angle, friction, 0.0);
    // the spring loads in the first milliseconds
    run_until(&mut simulation, 0.1);
    let before = (simulation.time(), velocity(&simulation, 0).x);
    run_until(&mut simulation, 0.3);
    let found = (velocity(&simulation, 0).x - before.1) / (simulation.time() - before.0);
    // steady
    assert_close(found, G * (angle.sin() - friction * angle.cos()), 1e-8);
}
