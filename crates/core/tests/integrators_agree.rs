//! Every integrator converges to the same motion with shorter steps, and its ledger closes, in a scene with friction,
//! rolling resistance, an oscillating wall, a rotating wall, and driven particles.

mod common;

use common::*;
use esker::integrate::{Integrator, Iteration, Rkf45, Theta, Tolerances};
use esker::prelude::*;

const TIME: f64 = 0.02;

/// Grains that hit an oscillating floor, a rotating plate and a driven grain, each once, off centre.
fn start(integrator: Integrator, step: StepSize) -> Simulation {
    let contact = frictional().rolling(rolling::ElasticPlastic::default());
    let pair = Pair::new().friction(0.4).damping_ratio(0.1).rolling_friction(0.1);
    let (mut scene, material) = scene(contact, pair);
    scene.ledger = true;
    scene.gravity = -G * Vec3::Z;
    let mut domain = Domain::new(Vec3::splat(-0.2), Vec3::splat(0.2));
    domain.periodic = [false, true, false];
    scene.domain = Some(domain);
    let shaking =
        Motion::Oscillation { amplitude: Vec3::new(2e-3, 0.0, 5e-4), frequency: 40.0, phase: 0.2 };
    scene.add_moving_wall("floor", floor(), material, shaking.clone());
    let plate = Shape::Disc { center: Vec3::X * 0.08, normal: Vec3::Z, radius: 0.04 };
    let rotation = Motion::Rotation { point: Vec3::X * 0.08, axis: Vec3::Z, rate: 30.0 };
    let plate_up = Motion::Superposition(vec![rotation, Motion::Velocity(Vec3::Z * 0.5)]);
    scene.add_moving_wall("plate", plate, material, plate_up);
    let driven = sphere(Vec3::new(-0.08, 0.199, 0.03), Vec3::ZERO);
    scene.add_moving_wall("pin", Shape::Particles(vec![driven]), material, shaking);
    let start = |x: f64, y: f64, z: f64| Sphere {
        spin: Vec3::new(20.0, -10.0, 30.0),
        ..sphere(Vec3::new(x, y, z), Vec3::new(0.2, 0.1, -0.6))
    };
    scene.add_sphere(material, start(0.0, 0.0, RADIUS + 1e-3));
    scene.add_sphere(material, start(0.004, 0.003, 3.3 * RADIUS + 1e-3));
    scene.add_sphere(material, start(0.085, 0.01, RADIUS + 0.008));
    // across the periodic boundary from the pin
    scene.add_sphere(material, start(-0.083, -0.197, 0.052));
    scene.integrator = integrator;
    scene.step = step;
    scene.accumulate_angles = true;
    scene.build().expect("a valid scene")
}

fn run(integrator: Integrator, step: StepSize) -> Simulation {
    let mut simulation = start(integrator, step);
    while simulation.time() < TIME - 1e-9 {
        simulation.step().expect("a healthy step");
    }
    simulation
}

/// The reference: the method of highest order, with a tight tolerance.
fn reference() -> Simulation {
    let tight = Rkf45 { position: 1e-11, velocity: 1e-9, spin: 1e-9, accept: true };
    run(Integrator::Rkf45(tight), StepSize::Between { max: 1e-6, min: 1e-9 })
}

/// Largest difference of positions, in radii, at times that differ by at most one step.
fn apart(found: &Simulation, expected: &Simulation) -> f64 {
    let late = found.time() - expected.time();
    let difference = |id: u64| {
        let expected = position(expected, id) + late * velocity(expected, id);
        let difference = position(found, id) - expected;
        found.domain().nearest_image(difference).length() / RADIUS
    };
    (0..4).map(difference).fold(0.0, f64::max)
}

#[test]
fn all_converge_to_the_same_motion_and_their_ledgers_close() {
    let expected = reference();
    let walls = expected.wall_views();
    assert!(walls.iter().all(|wall| wall.work.abs() > 0.0), "a wall that nothing has touched");
    assert!(expected.energy().sliding_loss > 0.0 && expected.energy().rolling_loss > 0.0);
    let theta = |phi, iteration| {
        let tolerances = Tolerances::all(1e-8);
        Integrator::Theta(Theta {
            phi,
            iteration,
            tolerances,
            most_iterations: 60,
            ..Theta::default()
        })
    };
    for integrator in [
        Integrator::VelocityVerlet,
        Integrator::SymplecticEuler,
        Integrator::NEWMARK_PEC,
        Integrator::newmark(2, true),
        theta(0.0, Iteration::Jacobi),
        theta(0.5, Iteration::Jacobi),
        theta(0.5, Iteration::GaussSeidel),
        theta(1.0, Iteration::Jacobi),
        theta(1.0, Iteration::Frozen),
        Integrator::Rkf45(Rkf45::default()),
    ] {
        let mut found = Vec::new();
        for dt in [1.6e-5, 4e-6, 1e-6] {
            let run = run(integrator, StepSize::Fixed(dt));
            found.push((apart(&run, &expected), run.energy().relative_closure_error().abs()));
        }
        println!("{integrator:?}: {found:?}");
        // Contacts that slide from their first touch on make every method one of first order: with a quarter of the
        // step, errors decrease to a quarter, and the last ones are below a hundredth.
        let [coarse, middle, fine] = found.as_slice() else { panic!("three runs") };
        assert!(middle.0 < 0.6 * coarse.0 && fine.0 < 0.35 * middle.0, "{integrator:?}: {found:?}");
        // the ledger of velocity Verlet closes to a millionth at any of these steps
        let closes = |better: f64, worse: f64| better < 0.3 * worse || better < 1e-6;
        assert!(
            closes(middle.1, coarse.1) && closes(fine.1, middle.1),
            "{integrator:?}: {found:?}"
        );
        assert!(fine.0 < 0.01 && fine.1 < 0.005, "{integrator:?}: {found:?}");
    }
}
