//! Statics do not depend on the length of the step.

use crate::common::*;
use esker::law::damping::TensileCutoff;
use esker::prelude::*;

/// Kinetic energy of a grain at rest [J]: rounding of its height moves it by less.
const AT_REST: f64 = 1e-26;

/// Grains on a floor, one above the other.
fn stack(count: usize, tension: TensileCutoff, restitution: f64) -> Scene {
    let contact =
        ContactModel::normal(normal::Hertz { tension }).damping(damping::HertzDamping::default());
    let (mut scene, material) = scene(contact, Pair::new().restitution(restitution));
    scene.gravity = -G * Vec3::Z;
    scene.add_wall("floor", floor(), material);
    for index in 0..count {
        let height = (2 * index + 1) as f64 * RADIUS;
        scene.add_sphere(material, sphere(height * Vec3::Z, Vec3::ZERO));
    }
    scene
}

/// Overlaps at rest with a given step, from the lowest contact on.
fn overlaps(scene: &Scene, dt: f64, count: usize) -> Vec<f64> {
    let mut scene = scene.clone();
    scene.step = StepSize::Fixed(dt);
    let mut simulation = scene.build().expect("a valid scene");
    let mut largest = f64::INFINITY;
    while largest > AT_REST {
        largest = 0.0;
        for _ in 0..200 {
            simulation.step().expect("a healthy step");
            largest = largest.max(simulation.kinetic_energy());
        }
        assert!(simulation.steps() < 2_000_000, "{largest:e} J are left");
    }
    let heights: Vec<f64> = (0..count).map(|id| position(&simulation, id as u64).z).collect();
    let lowest = RADIUS - heights[0];
    let others = heights.windows(2).map(|pair| 2.0 * RADIUS - (pair[1] - pair[0]));
    std::iter::once(lowest).chain(others).collect()
}

/// The weight above each contact determines its overlap by Hertz's law, for any step and damping.
#[test]
fn overlaps_at_rest_are_those_of_the_weight_at_every_step() {
    for tension in [TensileCutoff::Keep, TensileCutoff::Clip, TensileCutoff::Release] {
        for restitution in [0.5, 0.05] {
            for count in [1, 2] {
                let scene = stack(count, tension, restitution);
                let automatic = scene.clone().build().expect("a valid scene").dt();
                // the first step is that of an impact: the limit of contacts at rest with e = 0.05 is 0.96 of it
                for fraction in [0.8, 0.3] {
                    let found = overlaps(&scene, fraction * automatic, count);
                    for (index, overlap) in found.into_iter().enumerate() {
                        let weight = (count - index) as f64 * mass(RADIUS) * G;
                        let radius = if index == 0 { RADIUS } else { 0.5 * RADIUS };
                        // heights have 16 digits: 1e-9 of an overlap of 1e-6 m needs 1e-15 m
                        assert_close(overlap, overlap_under(weight, radius), 1e-9);
                    }
                }
            }
        }
    }
}

/// A plate that moves down slowly on a grain: the force over the displacement of the plate is Hertz's.
#[test]
fn a_slow_oedometer_gives_the_curve_of_hertz_at_every_step() {
    const SPEED: f64 = 5e-7;
    const TIME: f64 = 40.0;
    let (mut scene, material) = scene(damped(), Pair::new().restitution(0.5));
    scene.add_wall("floor", floor(), material);
    let plate = Shape::HalfSpace { point: 2.0 * RADIUS * Vec3::Z, normal: -Vec3::Z };
    scene.add_moving_wall("plate", plate, material, Motion::Velocity(-SPEED * Vec3::Z));
    scene.add_sphere(material, sphere(RADIUS * Vec3::Z, Vec3::ZERO));
    let automatic = scene.clone().build().expect("a valid scene").dt();
    for dt in [automatic, 0.25 * automatic] {
        let mut scene = scene.clone();
        scene.step = StepSize::Fixed(dt);
        let mut simulation = scene.build().expect("a valid scene");
        for part in 1..=4 {
            run_until(&mut simulation, 0.25 * f64::from(part) * TIME);
            let overlap = 0.5 * SPEED * simulation.time();
            let expected = hertz_stiffness(RADIUS) * overlap.powf(1.5);
            let walls = simulation.wall_views();
            let plate = walls.iter().find(|wall| wall.name == "plate").expect("it is there");
            assert_close(plate.force.z.abs(), expected, 1e-4);
        }
    }
}
