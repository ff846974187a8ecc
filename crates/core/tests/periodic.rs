//! Periodic boundaries change only the coordinates.

mod common;

use common::*;
use esker::integrate::{Integrator, Iteration, Rkf45, Theta, Tolerances};
use esker::prelude::*;

const SIZE: f64 = 0.1;

fn periodic() -> Domain {
    Domain { periodic: [true; 3], ..Domain::new(Vec3::splat(-0.03), Vec3::splat(SIZE - 0.03)) }
}

/// Unwrapped position of a particle [m].
fn unwrapped(simulation: &Simulation, id: u64) -> Vec3 {
    let snapshot = simulation.snapshot();
    let particle = snapshot
        .particles
        .iter()
        .find(|particle| particle.id == ParticleId::new(id as u32))
        .unwrap();
    particle.position + SIZE * Vec3::from_array(particle.image.map(f64::from))
}

#[test]
fn a_gas_that_never_touches_moves_on_straight_lines_through_the_boundaries() {
    let (mut scene, material) = scene(hertz(), Pair::new());
    scene.domain = Some(periodic());
    let mut numbers = Numbers(2);
    // all at one velocity but for their positions, so that none meets another
    let speed = Vec3::new(1.3, -0.7, 2.1);
    let starts: Vec<Vec3> = (0..8)
        .map(|index| {
            let cell = [index % 2, index / 2 % 2, index / 4].map(f64::from);
            0.05 * Vec3::from_array(cell) + 0.01 * numbers.vector()
        })
        .collect();
    for &start in &starts {
        scene.add_sphere(material, sphere(start, speed));
    }
    scene.step = StepSize::Fixed(1e-4);
    let mut simulation = scene.build().expect("a valid scene");
    run_until(&mut simulation, 1.0);
    for (id, start) in (0..).zip(starts) {
        let domain = periodic();
        let inside = position(&simulation, id);
        assert!(inside.cmpge(domain.min).all() && inside.cmple(domain.max).all());
        // 10⁴ roundings of numbers below 0.1
        let error = unwrapped(&simulation, id).distance(start + speed * simulation.time());
        assert!(error < 1e-12, "{error:e}");
        assert_eq!(velocity(&simulation, id), speed);
    }
}

/// Two spheres with friction, damping and rolling resistance meet near a point at a common speed; `order`, 1 or -1,
/// gives the side of the first one.
fn meet(at: Vec3, common: Vec3, order: f64, domain: Domain) -> Simulation {
    encounter(at, common, order, domain).build().expect("a valid scene")
}

fn encounter(at: Vec3, common: Vec3, order: f64, domain: Domain) -> Scene {
    let contact = frictional().rolling(rolling::ElasticPlastic::default());
    let pair = Pair::new().damping_ratio(0.1).friction(0.3).rolling_friction(0.1);
    let (mut scene, material) = scene(contact, pair);
    scene.domain = Some(domain);
    let axis = Vec3::new(0.8, 0.5, 0.3).normalize();
    for (side, spin) in [(-1.0, Vec3::new(10.0, -20.0, 5.0)), (1.0, Vec3::new(0.0, 30.0, 0.0))] {
        let sign = order * side;
        let position = at + sign * (RADIUS * axis + 1e-4 * Vec3::X + 2e-3 * Vec3::Y);
        let velocity = common - sign * 0.5 * axis;
        scene.add_sphere(material, Sphere { spin, ..sphere(position, velocity) });
    }
    scene.step = StepSize::Fixed(2e-6);
    scene
}

#[test]
fn a_collision_across_the_boundaries_is_the_same_as_one_in_the_middle() {
    let middle = Vec3::splat(0.02);
    let far = Domain::new(Vec3::splat(-10.0), Vec3::splat(10.0));
    let corner = Vec3::splat(-0.03);
    for (at, common, order) in [
        (corner, Vec3::ZERO, 1.0),
        (corner, Vec3::ZERO, -1.0),
        (Vec3::new(-0.03, 0.02, 0.02), Vec3::ZERO, 1.0),
        (Vec3::new(0.02, -0.03, 0.02), Vec3::ZERO, -1.0),
        (Vec3::new(0.02, 0.02, SIZE - 0.03), Vec3::ZERO, 1.0),
        // touching and crossing at the same time
        (corner + Vec3::splat(1e-3), Vec3::new(-3.0, -2.0, -4.0), 1.0),
        (corner - Vec3::splat(1e-3), Vec3::new(3.0, 2.0, 4.0), -1.0),
    ] {
        let mut reference = meet(middle, common, order, far.clone());
        let mut across = meet(at, common, order, periodic());
        let mut touched = false;
        for _ in 0..2000 {
            reference.step().expect("a healthy step");
            across.step().expect("a healthy step");
            touched |= !across.contacts().is_empty();
        }
        assert!(touched && across.contacts().is_empty(), "they have met and parted");
        for id in 0..2 {
            // Rounding of positions, 1e-17 m of an overlap of 1e-4 m, changes the force by 1e-13 of its value, and the
            // contact takes some hundred steps.
            let shift = unwrapped(&across, id) - at - (position(&reference, id) - middle);
            // a sphere that starts beyond the boundary is wrapped before its image is counted
            let shift = shift - SIZE * (shift / SIZE).round();
            assert!(shift.length() < 1e-12 * 10.0, "{at}: {:e}", shift.length());
            let change = velocity(&across, id) - velocity(&reference, id);
            assert!(change.length() < 1e-10, "{at}: {:e}", change.length());
            let difference = spin(&across, id) - spin(&reference, id);
            assert!(difference.length() < 1e-10 / RADIUS, "{at}: {:e}", difference.length());
        }
    }
}

#[test]
fn integrators_that_iterate_or_reject_steps_are_not_affected_by_the_boundaries() {
    let theta = |phi: f64, iteration: Iteration| {
        Integrator::Theta(Theta {
            phi,
            iteration,
            tolerances: Tolerances::all(1e-10),
            ..Theta::default()
        })
    };
    let adaptive = Rkf45 { position: 1e-9, velocity: 1e-9, spin: 1e-9, ..Rkf45::default() };
    for integrator in [
        theta(0.5, Iteration::Jacobi),
        theta(1.0, Iteration::Jacobi),
        theta(0.5, Iteration::GaussSeidel),
        theta(1.0, Iteration::Frozen),
        Integrator::Rkf45(adaptive),
    ] {
        let corner = Vec3::splat(-0.03);
        let far = Domain::new(Vec3::splat(-10.0), Vec3::splat(10.0));
        // they touch while they cross all three boundaries
        let (at, common) = (corner + Vec3::splat(1e-3), Vec3::new(-3.0, -2.0, -4.0));
        let [mut across, mut reference] =
            [(at, periodic()), (Vec3::splat(0.02), far)].map(|(at, domain)| {
                let mut scene = encounter(at, common, 1.0, domain);
                scene.integrator = integrator;
                let frozen = |theta: &Theta| theta.iteration == Iteration::Frozen;
                let is_frozen = matches!(&integrator, Integrator::Theta(theta) if frozen(theta));
                scene.step = if is_frozen {
                    StepSize::Fixed(4e-6)
                } else {
                    StepSize::Between { max: 4e-6, min: 1e-12 }
                };
                scene.build().expect("a valid scene")
            });
        for simulation in [&mut across, &mut reference] {
            while simulation.time() < 4e-3 {
                simulation.step().expect("a healthy step");
            }
        }
        let crossed = across.snapshot().particles.iter().any(|one| one.image != [0; 3]);
        assert!(crossed && across.contacts().is_empty(), "they have met and crossed");
        // times differ in their last digits where errors control the step
        let late = across.time() - reference.time();
        assert!(late.abs() < 1e-8, "{late:e}");
        for id in 0..2 {
            let way = unwrapped(&across, id) - at - (position(&reference, id) - Vec3::splat(0.02));
            let shift = way - late * velocity(&reference, id);
            let shift = shift - SIZE * (shift / SIZE).round();
            // the tolerance of a step, relative to its displacement of 1e-5 m, over a thousand steps
            assert!(shift.length() < 1e-11, "{integrator:?}: {:e}", shift.length());
            let change = velocity(&across, id) - velocity(&reference, id);
            assert!(change.length() < 1e-8, "{integrator:?}: {:e}", change.length());
            let difference = spin(&across, id) - spin(&reference, id);
            assert!(
                difference.length() < 1e-8 / RADIUS,
                "{integrator:?}: {:e}",
                difference.length()
            );
        }
    }
}
