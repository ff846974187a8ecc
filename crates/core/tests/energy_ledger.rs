//! The energy ledger closes: the change of the energy equals the work done less the dissipation.

mod common;

use common::*;
use esker::field::StokesDrag;
use esker::measure::Energy;
use esker::prelude::*;
use esker::stage::Change;
use std::f64::consts::PI;
use std::sync::Arc;

/// Energies at the end of a run, with the largest error.
struct Closure {
    /// Largest closure error of the run [J].
    worst: f64,
    end: Energy,
}

/// Runs a scene and records the error of its ledger.
fn closure(mut scene: Scene, dt: f64, until: f64) -> Closure {
    scene.ledger = true;
    scene.step = StepSize::Fixed(dt);
    let mut simulation = scene.build().expect("a valid scene");
    let mut worst = 0.0f64;
    while simulation.time() < until - 0.5 * dt {
        simulation.step().expect("a healthy step");
        worst = worst.max(simulation.energy().closure_error.abs());
    }
    Closure { worst, end: simulation.energy() }
}

/// Rounding errors of a sum over 1e5 steps, as a fraction of the energy exchanged.
const ROUNDING: f64 = 1e-11;

/// Checks that the ledger closes to a fraction of the energy in play, and four times as well with half the step, since
/// the integrator is of second order, or to rounding errors. The test requires a factor of three, since the largest
/// errors occur at different times. Returns the energies of the finer run.
#[track_caller]
fn check(scene: impl Fn() -> Scene, dt: f64, until: f64, in_play: f64, tolerance: f64) -> Energy {
    let coarse = closure(scene(), dt, until);
    let fine = closure(scene(), 0.5 * dt, until);
    assert!(coarse.worst < tolerance * in_play, "closes to {:.1e}", coarse.worst / in_play);
    let ratio = coarse.worst / fine.worst;
    assert!(
        ratio > 3.0 || coarse.worst.max(fine.worst) < ROUNDING * in_play,
        "closes to {:.1e}, only {ratio:.2} times better with half the step",
        coarse.worst / in_play
    );
    fine.end
}

/// A sphere above a floor.
fn on_floor(contact: ContactModel, pair: Pair, height: f64, speed: Vec3) -> Scene {
    let (mut scene, material) = scene(contact, pair);
    scene.gravity = -G * Vec3::Z;
    scene.add_wall("floor", floor(), material);
    scene.add_sphere(material, sphere(Vec3::Z * (RADIUS + height), speed));
    scene
}

fn pair() -> Pair {
    Pair::new().damping_ratio(0.1).friction(0.3)
}

/// Height of a sphere at rest above that at which it touches [m].
fn resting_height() -> f64 {
    -overlap_under(mass(RADIUS) * G, RADIUS)
}

// A contact of the impacts below lasts some 4e-4 s, 40 steps of 1e-5 s: within it the energy error of the method is (ω
// Δt)²/8 = 8e-4 times the elastic fraction of the energy.
const IMPACT: f64 = 1e-3;

#[test]
fn the_ledger_closes_over_elastic_bounces() {
    let in_play = mass(RADIUS) * G * 0.1;
    let end = check(|| on_floor(hertz(), Pair::new(), 0.1, Vec3::ZERO), 1e-5, 0.5, in_play, IMPACT);
    assert_eq!(end.lost(), 0.0);
}

#[test]
fn the_ledger_closes_over_damped_bounces_and_the_loss_is_that_of_the_restitution() {
    let in_play = mass(RADIUS) * G * 0.1;
    let restitution = 0.5f64;
    let scene = || on_floor(damped(), Pair::new().restitution(restitution), 0.1, Vec3::ZERO);
    check(scene, 1e-5, 0.5, in_play, IMPACT);
    // after the first bounce, at 0.2 s, up to gravity during the contact: 2 g t_c/v = 0.5 %
    let end = closure(scene(), 1e-6, 0.2).end;
    assert_close(end.damping_loss, in_play * (1.0 - restitution * restitution), 0.01);
}

#[test]
fn the_ledger_closes_to_a_thousandth_of_the_energy_of_an_impact_of_twenty_steps() {
    const PHASES: usize = 16;
    let time = duration(mass(RADIUS), RADIUS, 1.0);
    let (dt, in_play) = (time / 20.0, 0.5 * mass(RADIUS));
    let tensions = [damping::TensileCutoff::Keep, damping::TensileCutoff::Clip];
    for (tension, restitution) in tensions.into_iter().flat_map(|t| [0.8, 0.5, 0.2].map(|e| (t, e)))
    {
        let error_of_phase = |phase: usize| {
            let law = ContactModel::normal(Hertz { tension });
            let contact = law.damping(damping::HertzDamping::default());
            let (mut scene, material) = scene(contact, Pair::new().restitution(restitution));
            scene.add_wall("floor", floor(), material);
            let gap = dt * (phase as f64 + 0.5) / PHASES as f64;
            scene.add_sphere(material, sphere((RADIUS + gap) * Vec3::Z, -Vec3::Z));
            closure(scene, dt, 6.0 * time).end.closure_error / in_play
        };
        let errors: Vec<f64> = (0..PHASES).map(error_of_phase).collect();
        let worst = errors.iter().fold(0.0f64, |worst, error| worst.max(error.abs()));
        let mean = errors.iter().sum::<f64>() / PHASES as f64;
        // an independent model of this impact: at most 7.7e-4, in the mean up to 1.6e-4, where the loss of the springs
        // is added by the trapezoidal rule. Computed from the power of the dashpots, the error would be 0.3 to 1.1 %
        assert!(worst < 1e-3, "{tension:?} {restitution}: {worst:.1e}");
        assert!(mean.abs() < 3e-4, "{tension:?} {restitution}: {mean:.1e}");
    }
}

#[test]
fn the_ledger_closes_over_an_impact_of_any_tension_and_the_loss_is_that_of_the_restitution() {
    use damping::TensileCutoff;
    for tension in [TensileCutoff::Keep, TensileCutoff::Clip, TensileCutoff::Release] {
        for restitution in [0.5f64, 0.2, 0.1] {
            let law = ContactModel::normal(Hertz { tension });
            let contact = law.damping(damping::HertzDamping::default());
            let (mut scene, material) = scene(contact, Pair::new().restitution(restitution));
            scene.add_wall("floor", floor(), material);
            scene.add_sphere(material, sphere(Vec3::Z * RADIUS, -Vec3::Z));
            let in_play = 0.5 * mass(RADIUS);
            let time = duration(mass(RADIUS), RADIUS, 1.0);
            // until the overlap is zero: at most the largest overlap over the speed of the rebound
            let Closure { worst, end } =
                closure(scene, time / 1000.0, (2.0 + 0.5 / restitution) * time);
            // ξ is below 1.14: the first step loses up to 2 ξ ω Δt (2.94/1000)^¼ = 2e-3 of the speed, where the ledger
            // takes the mean of the power before and after it
            assert!(worst < 4e-3 * in_play, "{tension:?} {restitution}: {}", worst / in_play);
            assert_close(end.damping_loss, in_play * (1.0 - restitution * restitution), 4e-3);
        }
    }
}

#[test]
fn the_ledger_closes_from_sliding_to_rolling_and_the_loss_is_two_sevenths() {
    let in_play = 0.5 * mass(RADIUS) * 0.25;
    let scene = || on_floor(frictional(), pair(), resting_height(), 0.5 * Vec3::X);
    // all changes are slow except for the transition to rolling: far below the error of an impact
    let end = check(scene, 1e-5, 0.2, in_play, 1e-7);
    // v = 5/7 v₀: 5/7 of the energy remains, up to the overlap in the moment arm (1e-3)
    assert_close(end.sliding_loss, 2.0 / 7.0 * in_play, 1e-3);
}

#[test]
fn the_ledger_closes_over_an_oblique_impact() {
    let in_play = 0.5 * mass(RADIUS);
    let scene = || on_floor(frictional(), pair(), 0.0, Vec3::new(0.6, 0.0, -0.8));
    let end = check(scene, 1e-5, 0.05, in_play, IMPACT);
    assert!(end.sliding_loss > 0.0 && end.damping_loss > 0.0);
}

#[test]
fn the_ledger_closes_while_rolling_resistance_brings_a_sphere_to_rest() {
    let in_play = 0.5 * mass(RADIUS) * 0.25;
    for contact in [
        frictional().rolling(rolling::ConstantTorque::default()),
        frictional().rolling(rolling::ElasticPlastic::default()),
    ] {
        let scene = || {
            let pair = pair().rolling_friction(0.1);
            on_floor(contact.clone(), pair, resting_height(), 0.5 * Vec3::X)
        };
        // as for sliding
        let end = check(scene, 1e-5, 1.0, in_play, 1e-7);
        // all energy is lost, some to damping of the springs
        assert_close(end.sliding_loss + end.rolling_loss + end.damping_loss, in_play, 1e-4);
        assert!(end.rolling_loss > 0.5 * in_play);
    }
}

#[test]
fn a_piston_does_the_work_stored_in_the_contacts() {
    let depth = 5e-4;
    let scene = || {
        let (mut scene, material) = scene(hertz(), Pair::new());
        scene.add_wall("floor", floor(), material);
        // moves in by `depth` in half a period
        let rate = 20.0;
        let motion = Motion::Displacement(Arc::new(move |t: f64| {
            let way = 0.5 * depth * (1.0 - (rate * t).cos());
            let speed = 0.5 * depth * rate * (rate * t).sin();
            (-way * Vec3::Z, -speed * Vec3::Z)
        }));
        let shape = Shape::HalfSpace { point: 2.0 * RADIUS * Vec3::Z, normal: -Vec3::Z };
        scene.add_moving_wall("piston", shape, material, motion);
        scene.add_sphere(material, sphere(Vec3::Z * RADIUS, Vec3::ZERO));
        scene
    };
    // two contacts, each compressed by half the displacement: 2 · 2/5 K (depth/2)^{5/2}
    let stored = 0.8 * hertz_stiffness(RADIUS) * (0.5 * depth).powf(2.5);
    // slow: 1e4 steps for the displacement
    let end = check(scene, 1e-5, PI / 20.0, stored, 1e-5);
    // the sphere oscillates slightly about the middle
    assert_close(end.wall_work, stored, 1e-4);
    assert_close(end.elastic_normal, stored, 1e-4);
}

#[test]
fn a_wall_that_presses_from_the_start_does_its_work_from_the_start() {
    // a sphere that rests under gravity on a floor that moves upwards at constant speed
    let speed = 0.1;
    let scene = || {
        let (mut scene, material) = scene(damped(), Pair::new().damping_ratio(0.1));
        scene.gravity = -G * Vec3::Z;
        scene.add_moving_wall("floor", floor(), material, Motion::Velocity(speed * Vec3::Z));
        let center = RADIUS + resting_height();
        scene.add_sphere(material, sphere(center * Vec3::Z, speed * Vec3::Z));
        scene
    };
    let end = closure(scene(), 1e-5, 0.5).end;
    // only rounding differs
    let expected = mass(RADIUS) * G * speed * 0.5;
    assert_close(end.wall_work, expected, 1e-9);
    assert!(end.closure_error.abs() < 1e-9 * expected, "{:e}", end.closure_error / expected);
}

#[test]
fn the_ledger_closes_over_a_floor_that_shakes() {
    let in_play = mass(RADIUS) * G * 0.01;
    let scene = || {
        let (mut scene, material) = scene(frictional(), pair());
        scene.gravity = -G * Vec3::Z;
        let amplitude = Vec3::new(1e-3, 0.0, 1e-3);
        let motion = Motion::Oscillation { amplitude, frequency: 20.0, phase: 0.3 };
        scene.add_moving_wall("floor", floor(), material, motion);
        scene.add_sphere(material, sphere(Vec3::Z * RADIUS, Vec3::ZERO));
        scene
    };
    let end = check(scene, 1e-5, 0.2, in_play, IMPACT);
    assert!(end.wall_work > 0.1 * in_play);
}

#[test]
fn the_ledger_closes_in_a_rotating_drum() {
    let scene = || {
        let (mut scene, material) = scene(frictional(), pair());
        scene.gravity = -G * Vec3::Z;
        let shape = Shape::Cylinder {
            start: -0.1 * Vec3::Y,
            end: 0.1 * Vec3::Y,
            radius: 0.1,
            side: Side::Inside,
        };
        let motion = Motion::Rotation { point: Vec3::ZERO, axis: Vec3::Y, rate: 5.0 };
        scene.add_moving_wall("drum", shape, material, motion);
        scene.add_sphere(material, sphere(Vec3::Z * (RADIUS - 0.1), Vec3::ZERO));
        scene
    };
    // slow throughout, as in sliding on a plane; no part of the error, such as the overlap in the moment arm (1e-4), is
    // independent of the step
    check(scene, 1e-5, 0.3, mass(RADIUS) * G * 0.1, 1e-7);
}

#[test]
fn the_ledger_closes_under_drag() {
    let scene = || {
        let (mut scene, material) = scene(hertz(), Pair::new());
        scene.gravity = -G * Vec3::Z;
        scene.fields.push(Arc::new(StokesDrag { viscosity: 2.0, medium_velocity: Vec3::X.into() }));
        scene.add_sphere(material, sphere(Vec3::ZERO, Vec3::ZERO));
        scene
    };
    // the relaxation time m/(6π η r) is 28 ms, 280 steps: (1/280)²
    let end = check(scene, 1e-4, 0.1, 0.5 * mass(RADIUS), 1.3e-5);
    assert!(end.field_work > 0.0);
}

/// Spheres rain on an inclined board, slide off it and leave the domain; then gravity changes and the board is removed.
fn rain_on_a_board() -> Scene {
    let (mut scene, material) = scene(frictional(), pair());
    scene.gravity = -G * Vec3::Z;
    let mut domain = Domain::new(Vec3::new(-0.5, -0.5, -0.3), Vec3::splat(0.5));
    domain.outside = Outside::Delete;
    scene.domain = Some(domain);
    let edges = [Vec3::new(0.2, 0.0, -0.1), Vec3::new(0.0, 0.2, 0.0)];
    scene.add_wall(
        "board",
        Shape::Rectangle { corner: Vec3::new(-0.1, -0.1, 0.05), edges },
        material,
    );
    let center = Vec3::new(-0.05, 0.0, 0.15);
    let region = Region::Box { min: center - 2.0 * RADIUS, max: center + 2.0 * RADIUS };
    scene.particles.push(Source {
        velocity: Vec3::new(0.1, 0.2, -0.3),
        spin: Vec3::new(0.0, 5.0, 0.0),
        ..Source::new(
            "rain",
            material,
            Radius::Uniform { min: 0.5 * RADIUS, max: RADIUS },
            Placement::Stream { region, rate: 30.0, count: None, start: 0.0 },
        )
    });
    let stage = |name: &str, after: f64, changes: Vec<Change>| Stage {
        name: name.into(),
        end: End { after: Some(after), ..End::default() },
        changes,
    };
    scene.stages = vec![
        stage("rain", 0.5, vec![]),
        stage("lean", 0.1, vec![Change::SetGravity(Vec3::new(3.0, 0.0, -G))]),
        stage("fall", 0.3, vec![Change::RemoveWall("board".into())]),
    ];
    scene
}

#[test]
fn the_ledger_closes_over_insertion_deletion_and_changes_between_stages() {
    // some ten spheres at a time, each with the energy of a fall through the domain
    let in_play = 10.0 * mass(RADIUS) * G * 0.5;
    let end = check(rain_on_a_board, 1e-5, 0.9, in_play, IMPACT);
    assert!(end.damping_loss > 0.0 && end.sliding_loss > 0.0);
    let mut scene = rain_on_a_board();
    scene.step = StepSize::Fixed(1e-5);
    let mut simulation = scene.build().expect("a valid scene");
    run_until(&mut simulation, 0.9);
    let counts = simulation.counts();
    assert!(counts.deleted > 5 && counts.inserted == counts.deleted + counts.present, "{counts:?}");
}
