//! Particles that are held or driven act as walls of infinite mass.

mod common;

use common::*;
use esker::prelude::*;

#[test]
fn a_fixed_particle_acts_as_a_body_of_infinite_mass_and_does_not_move() {
    let (mut scene, material) = scene(hertz(), Pair::new());
    let axis = Vec3::new(1.0, 2.0, 2.0) / 3.0;
    scene.particles.push(Source {
        fixed: true,
        ..Source::list("held", material, vec![sphere(Vec3::ZERO, Vec3::ONE)])
    });
    scene.add_sphere(material, sphere(2.001 * RADIUS * axis, -axis));
    // m* = m, R* = r/2
    let time = duration(mass(RADIUS), 0.5 * RADIUS, 1.0);
    scene.step = StepSize::Fixed(time / 1000.0);
    let mut simulation = scene.build().expect("a valid scene");
    let mut overlap = 0.0f64;
    while simulation.time() < 2.0 * time {
        simulation.step().expect("a healthy step");
        overlap = overlap.max(2.0 * RADIUS - position(&simulation, 1).length());
    }
    // second order in 1/1000 of the duration
    assert_close(overlap, largest_overlap(mass(RADIUS), 0.5 * RADIUS, 1.0), 1e-5);
    assert!(velocity(&simulation, 1).distance(axis) < 1e-5);
    assert_eq!([position(&simulation, 0), velocity(&simulation, 0)], [Vec3::ZERO; 2]);
    assert_eq!(simulation.snapshot().particles[0].mass, f64::INFINITY);
}

#[test]
fn driven_particles_follow_their_wall_exactly() {
    let (mut scene, material) = scene(hertz(), Pair::new());
    let start = Vec3::new(0.05, 0.0, 0.02);
    let (rate, speed) = (7.0, Vec3::new(0.1, -0.2, 0.3));
    let motion = Motion::Superposition(vec![
        Motion::Rotation { point: Vec3::ZERO, axis: Vec3::Z, rate },
        Motion::Velocity(speed),
    ]);
    let shape = Shape::Particles(vec![sphere(start, Vec3::ZERO)]);
    scene.add_moving_wall("arm", shape, material, motion);
    scene.add_sphere(material, sphere(Vec3::splat(1.0), Vec3::ZERO));
    scene.step = StepSize::Fixed(1e-4);
    // the particles of walls follow the listed particles
    let arm = 1;
    let mut simulation = scene.build().expect("a valid scene");
    run_until(&mut simulation, 0.5);
    let rotated = Quat::from_rotation_z(rate * simulation.time()) * start;
    // a closed form of time: only rounding
    assert!(position(&simulation, arm).distance(rotated + speed * simulation.time()) < 1e-15);
    let expected = rate * Vec3::Z.cross(rotated) + speed;
    assert!(velocity(&simulation, arm).distance(expected) < 1e-14);
    assert_eq!(spin(&simulation, arm), rate * Vec3::Z);
}

/// A sphere on top of three driven ones that rise and spin; without friction it would not rotate.
fn lift(rate: f64, amplitude: f64, dt: f64) -> Simulation {
    let pair = Pair::new().damping_ratio(0.2).friction(0.5);
    let (mut scene, material) = scene(frictional(), pair);
    scene.gravity = -G * Vec3::Z;
    let corner = |index: f64| {
        let (sine, cosine) = (index * std::f64::consts::TAU / 3.0).sin_cos();
        1.1 * RADIUS * 2.0 / 3f64.sqrt() * Vec3::new(cosine, sine, 0.0)
    };
    let bed = [0.0, 1.0, 2.0].map(|index| sphere(corner(index), Vec3::ZERO)).to_vec();
    let motion = Motion::Superposition(vec![
        Motion::Rotation { point: Vec3::ZERO, axis: Vec3::Z, rate },
        Motion::Oscillation { amplitude: amplitude * Vec3::Z, frequency: 5.0, phase: 0.0 },
    ]);
    scene.add_moving_wall("bed", Shape::Particles(bed), material, motion);
    let aside = corner(0.0).length();
    let height = (4.0 * RADIUS * RADIUS - aside * aside).sqrt();
    scene.add_sphere(material, sphere(height * Vec3::Z, Vec3::ZERO));
    scene.step = StepSize::Fixed(dt);
    scene.ledger = true;
    scene.build().expect("a valid scene")
}

#[test]
fn a_bed_of_driven_particles_carries_the_weight_of_its_load() {
    let mut simulation = lift(0.0, 0.0, 1e-5);
    run_until(&mut simulation, 0.5);
    let bed = &simulation.wall_views()[0];
    let weight = mass(RADIUS) * G;
    // decay of the oscillation
    assert!(bed.force.distance(-weight * Vec3::Z) < 1e-9 * weight);
    // no torque about the centre
    assert!(bed.torque.length() < 1e-9 * weight * RADIUS);
}

#[test]
fn a_turning_bed_of_driven_particles_takes_its_load_along() {
    let rate = 3.0;
    let mut simulation = lift(rate, 0.0, 1e-5);
    run_until(&mut simulation, 1.0);
    // finally a rigid rotation: the dashpots of the springs have stopped every slip
    assert!(spin(&simulation, 3).distance(rate * Vec3::Z) < 1e-6 * rate);
    // the work done is the rotational energy plus an equal loss to friction and damping if the friction was constant;
    // in any case it is no less than the energy
    let energy = simulation.energy();
    assert_close(energy.rotational, 0.2 * mass(RADIUS) * (RADIUS * rate).powi(2), 1e-5);
    assert!(energy.wall_work > energy.rotational);
}

#[test]
fn the_ledger_closes_over_driven_particles() {
    let worst = [2e-5, 1e-5].map(|dt| {
        let mut simulation = lift(3.0, 0.002, dt);
        let mut worst = 0.0f64;
        while simulation.time() < 0.5 {
            simulation.step().expect("a healthy step");
            worst = worst.max(simulation.energy().closure_error.abs());
        }
        assert!(simulation.wall_views()[0].work.abs() > 0.0);
        worst / (mass(RADIUS) * G * 0.002)
    });
    // second order: the contacts oscillate with periods of some 1e-4 s, so (2π Δt/T)²/8 = 0.05 of the energy of the
    // oscillation, which is 1e-3 of the lifting energy; and four times less with half the step
    assert!(worst[0] < 1e-4, "{worst:?}");
    assert!(worst[0] > 3.0 * worst[1], "{worst:?}");
}
