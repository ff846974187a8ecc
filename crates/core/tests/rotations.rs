//! Finite rotations: Rodrigues vectors against quaternions, orientations over long runs, and the path of a material
//! point.

mod common;

use common::*;
use esker::integrate::{Integrator, Rkf45, Theta};
use esker::prelude::*;
use esker::rotation::{Rodrigues, RotationMap, rotation_vector};
use std::f64::consts::{FRAC_PI_2, PI};

/// A random rotation by up to an angle.
fn rotation(numbers: &mut Numbers, largest: f64) -> Vec3 {
    numbers.vector().normalize_or(Vec3::X) * largest * numbers.next()
}

/// A vector rotated by the matrix of sines and cosines of Euler and Rodrigues.
fn rotated_by(angle: Vec3, v: Vec3) -> Vec3 {
    let size = angle.length();
    let axis = angle.normalize_or_zero();
    v * size.cos() + axis.cross(v) * size.sin() + axis * axis.dot(v) * (1.0 - size.cos())
}

#[test]
fn rodrigues_vectors_rotate_like_rotation_matrices_and_quaternions() {
    let mut numbers = Numbers(1);
    for _ in 0..2000 {
        let (angle, v) = (rotation(&mut numbers, 3.0), numbers.vector());
        let vector = Rodrigues::from_rotation_vector(angle);
        let expected = rotated_by(angle, v);
        // tan(θ/2) is up to 14 here, which amplifies its rounding
        assert!((vector.rotate(v) - expected).length() < 1e-14);
        assert!((vector.quaternion() * v - expected).length() < 1e-14);
        assert!((vector.rotation_vector() - angle).length() < 1e-14);
        let back = Rodrigues::from_quaternion(vector.quaternion()).expect("below half a turn");
        assert!((back.0 - vector.0).length() < 1e-14 * (1.0 + vector.0.length_squared()));
        assert!((rotation_vector(vector.quaternion()) - angle).length() < 1e-14);
    }
}

#[test]
fn their_composition_is_the_product_of_quaternions() {
    let mut numbers = Numbers(2);
    let mut compared = 0;
    for _ in 0..2000 {
        let [first, second] = [rotation(&mut numbers, 2.5), rotation(&mut numbers, 2.5)];
        let [first, second] = [first, second].map(Rodrigues::from_rotation_vector);
        let expected = second.quaternion() * first.quaternion();
        let both = first.then(second).expect("not exactly half a turn");
        // near half a revolution the vector is very long; its rotation is still correct
        let product = both.quaternion();
        let same = (product.dot(expected)).abs();
        assert!((same - 1.0).abs() < 1e-12, "{both:?}");
        let v = numbers.vector();
        assert!((both.rotate(v) - second.rotate(first.rotate(v))).length() < 1e-11);
        compared += u32::from(both.0.length() < 10.0);
    }
    assert!(compared > 1000, "most are not near half a turn");
    // two quarter revolutions are half a revolution, which has no vector
    let quarter = Rodrigues::from_rotation_vector(Vec3::Z * FRAC_PI_2);
    assert!(quarter.then(quarter).is_none_or(|half| half.0.length() > 1e15));
    assert_eq!(Rodrigues::from_quaternion(Quat::from_xyzw(1.0, 0.0, 0.0, 0.0)), None);
    assert!((rotation_vector(Quat::from_xyzw(0.0, 1.0, 0.0, 0.0)) - PI * Vec3::Y).length() < 1e-15);
}

/// A sphere that spins freely.
fn spinning(integrator: Integrator, map: RotationMap, spin: Vec3, dt: f64) -> Simulation {
    let (mut scene, material) = scene(hertz(), Pair::new());
    scene.add_sphere(material, Sphere { spin, ..sphere(Vec3::ZERO, Vec3::ZERO) });
    scene.integrator = integrator;
    scene.rotation = map;
    scene.step = StepSize::Fixed(dt);
    scene.accumulate_angles = true;
    scene.health.step_limit = esker::scene::StepLimit::Warn;
    scene.build().expect("a valid scene")
}

fn integrators() -> [Integrator; 5] {
    [
        Integrator::VelocityVerlet,
        Integrator::SymplecticEuler,
        Integrator::NEWMARK_PEC,
        Integrator::Theta(Theta::default()),
        Integrator::Rkf45(Rkf45::default()),
    ]
}

#[test]
fn an_orientation_passes_half_a_revolution_many_times_and_counts_revolutions() {
    let spin = Vec3::new(3.0, -2.0, 6.0);
    for integrator in integrators() {
        let dt = 2e-5;
        let mut simulation = spinning(integrator, RotationMap::Exact, spin, dt);
        let steps = 200_000;
        (0..steps).for_each(|_| simulation.step().expect("a healthy step"));
        let angle = spin * dt * f64::from(steps);
        assert!(angle.length() > 8.0 * PI, "four turns");
        let found = simulation.particles().orientation(ParticleId::new(0)).expect("a particle");
        assert!((found.length() - 1.0).abs() < 1e-15);
        let mark = Vec3::new(0.3, 0.5, -0.7);
        // rounding of 2e5 products
        assert!((found * mark - rotated_by(angle, mark)).length() < 1e-11, "{integrator:?}");
        let counted =
            simulation.particles().accumulated_angle(ParticleId::new(0)).expect("it is counted");
        assert!((counted - angle).length() < 1e-10, "{integrator:?}: {counted} {angle}");
    }
}

#[test]
fn the_printed_increment_rotates_too_little_by_a_twelfth_of_its_square() {
    for integrator in integrators() {
        let (dt, rate, steps) = (1e-4, 200.0, 1000);
        let mut simulation = spinning(integrator, RotationMap::Literal, Vec3::Z * rate, dt);
        (0..steps).for_each(|_| simulation.step().expect("a healthy step"));
        let found = simulation.particles().orientation(ParticleId::new(0)).expect("a particle");
        let step = 2.0 * (0.5 * rate * dt).atan();
        let expected = Quat::from_axis_angle(Vec3::Z, step * f64::from(steps));
        assert!((found.dot(expected).abs() - 1.0).abs() < 1e-12, "{integrator:?}");
        // E13: 2 atan(θ/2) = θ (1 - θ²/12 + …)
        let error = 1.0 - step / (rate * dt);
        assert!((error / ((rate * dt).powi(2) / 12.0) - 1.0).abs() < 1e-3, "{error}");
    }
}

/// Rate of precession of the spin axis [rad/s], and the spin in the precessing frame.
const ROUND: f64 = 40.0;
const OWN: Vec3 = Vec3::new(30.0, 0.0, 20.0);

/// Error of the orientation after 0.1 s of a sphere whose spin is `ROUND e_z + R_z(ROUND t) OWN`:
/// its orientation is the rotation by `OWN t`, then that by `ROUND t` about z.
fn precession_error(integrator: Integrator, steps: u32) -> f64 {
    let dt = 0.1 / f64::from(steps);
    let mut simulation = {
        let (mut scene, material) = scene(hertz(), Pair::new());
        let inertia = 0.4 * mass(RADIUS) * RADIUS * RADIUS;
        let torque = move |_: &Body, time: f64| {
            let axis = Quat::from_axis_angle(Vec3::Z, ROUND * time) * OWN;
            Load { torque: inertia * (ROUND * Vec3::Z).cross(axis), ..Load::default() }
        };
        scene.fields.push(field::from_fn("torque", torque));
        let spin = OWN + ROUND * Vec3::Z;
        scene.add_sphere(material, Sphere { spin, ..sphere(Vec3::ZERO, Vec3::ZERO) });
        scene.integrator = integrator;
        scene.step = StepSize::Fixed(dt);
        scene.health.step_limit = esker::scene::StepLimit::Warn;
        scene.build().expect("a valid scene")
    };
    (0..steps).for_each(|_| simulation.step().expect("a healthy step"));
    let own = Quat::from_axis_angle(OWN.normalize(), 0.1 * OWN.length());
    let expected = Quat::from_axis_angle(Vec3::Z, 0.1 * ROUND) * own;
    let found = simulation.particles().orientation(ParticleId::new(0)).expect("a particle");
    rotation_vector(found * expected.conjugate()).length()
}

#[test]
fn a_precessing_axis_is_followed_with_the_order_of_the_integrator() {
    // steps stay below 0.05 of the contact time, which is 0.9 ms for spheres that hardly move
    let orders = [(Integrator::VelocityVerlet, 2.0), (Integrator::Theta(Theta::default()), 2.0)];
    for (integrator, expected) in orders {
        let errors = [4000, 8000].map(|steps| precession_error(integrator, steps));
        let order = (errors[0] / errors[1]).log2();
        assert!((order - expected).abs() < 0.05, "{integrator:?}: {errors:?}");
    }
    // at such small steps the error of Fehlberg's method is below rounding
    let error = precession_error(Integrator::Rkf45(Rkf45::default()), 4000);
    assert!(error < 1e-11, "{error}");
    let verlet = precession_error(Integrator::VelocityVerlet, 4000);
    assert!(verlet > 1e-8, "{verlet}");
}
