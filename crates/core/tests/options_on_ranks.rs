//! Integrators and options on several ranks: each gives the bits of one rank.

mod rich_scene;

use esker::Ownership;
use esker::integrate::{Integrator, Iteration, Rkf45, Theta, Tolerances};
use esker::prelude::*;
use esker::ranks::{Comm, run_on_ranks};
use rich_scene::{Variant, bits, ledger_bits};
use std::sync::Arc;

/// A change of the scene.
type Option = (&'static str, fn(&mut Scene));

/// The scene with every feature (`rich_scene`), shortened: the gate is removed early.
fn scene(change: fn(&mut Scene)) -> Scene {
    let mut scene = rich_scene::scene(Variant::default());
    scene.stages[0].end.after = Some(0.02);
    scene.stages[1].end.after = Some(0.01);
    change(&mut scene);
    scene
}

/// Builds the scene: with owners at random by each rank for itself, otherwise by all ranks together.
fn build(scene: Scene, comm: Arc<dyn Comm>, ownership: Ownership) -> Simulation {
    match ownership {
        Ownership::Hash => scene.build().and_then(|built| built.on_ranks(comm, ownership)),
        Ownership::Bisection => scene.build_on(comm, ownership),
    }
    .expect("a valid scene")
}

/// The bits at the end of both stages, and numbers of steps, of changes of the time step and of rebuilds.
fn run(ranks: usize, ownership: Ownership, change: fn(&mut Scene)) -> Vec<Vec<u64>> {
    let results = run_on_ranks(ranks, |comm| {
        let is_first = comm.rank() == 0;
        let mut simulation = build(scene(change), comm, ownership);
        if !is_first {
            simulation.follow();
            return Vec::new();
        }
        let mut moments = Vec::new();
        let mut stage = simulation.stage().to_owned();
        while !simulation.is_finished() {
            simulation.step().expect("a healthy step");
            if simulation.stage() != stage {
                stage = simulation.stage().to_owned();
                moments.push(bits(&simulation));
            }
        }
        moments.push(bits(&simulation));
        moments.push(ledger_bits(&simulation));
        // near the limit of a given step the particles are joined to evaluate it, which rebuilds the list; so does the
        // division of a simulation that was built without other ranks, which can make a later rebuild unnecessary
        let is_given = matches!(simulation.scene().step, StepSize::Fixed(_) | StepSize::AutoOnce);
        let is_comparable = !is_given && ownership != Ownership::Hash;
        let rebuilds = if is_comparable { simulation.statistics().rebuilds } else { 0 };
        moments.push(vec![simulation.steps(), simulation.step_record().changes, rebuilds]);
        let angle = simulation.particles().accumulated_angle(ParticleId::new(7));
        moments.extend(angle.map(|angle| angle.to_array().map(f64::to_bits).to_vec()));
        moments
    });
    results.expect("no rank fails").swap_remove(0)
}

fn assert_same(options: &[Option]) {
    for &(name, change) in options {
        for (ranks, ownership) in [(3, Ownership::Hash), (4, Ownership::Bisection)] {
            let expected = run(1, ownership, change);
            assert!(expected.len() > 3, "{name}: two stages");
            let found = run(ranks, ownership, change);
            assert!(found == expected, "{name}: {ranks} ranks, {ownership:?}");
        }
    }
}

#[test]
fn integrators_with_a_constant_number_of_evaluations() {
    assert_same(&[
        ("symplectic Euler", |scene| scene.integrator = Integrator::SymplecticEuler),
        ("Newmark", |scene| scene.integrator = Integrator::NEWMARK_PEC),
        ("Newmark, two corrections", |scene| scene.integrator = Integrator::newmark(2, false)),
        ("Newmark, final evaluation", |scene| scene.integrator = Integrator::newmark(1, true)),
    ]);
}

/// The trapezoidal rule, iterated until this tolerance is met.
fn theta(scene: &mut Scene, tolerance: f64, change: fn(&mut Theta)) {
    let mut theta = Theta { tolerances: Tolerances::all(tolerance), ..Theta::default() };
    change(&mut theta);
    scene.integrator = Integrator::Theta(theta);
    // long enough for rejected steps
    scene.step = StepSize::Between { max: 4e-5, min: 4e-7 };
    (scene.stages[0].end.after, scene.stages[1].end.after) = (Some(0.004), Some(0.002));
}

fn rkf45(scene: &mut Scene, tolerance: f64) {
    let rkf45 = Rkf45 { position: tolerance, velocity: tolerance, spin: tolerance, accept: true };
    scene.integrator = Integrator::Rkf45(rkf45);
    (scene.stages[0].end.after, scene.stages[1].end.after) = (Some(0.002), Some(0.001));
}

#[test]
fn integrators_that_iterate_or_adapt_their_step() {
    assert_same(&[
        ("theta", |scene| theta(scene, 1e-6, |_| ())),
        ("theta, implicit Euler", |scene| theta(scene, 1e-4, |theta| theta.phi = 1.0)),
        ("theta, frozen", |scene| {
            theta(scene, 1e-6, |theta| theta.iteration = Iteration::Frozen);
            scene.step = StepSize::AtMost(2e-5);
        }),
        ("theta, automatic step", |scene| {
            theta(scene, 1e-5, |_| ());
            scene.step = StepSize::Auto;
        }),
        ("theta, wide skins", |scene| {
            theta(scene, 1e-5, |_| ());
            scene.search.skin = Some(1e-5);
        }),
        ("rkf45", |scene| rkf45(scene, 1e-5)),
    ]);
}

/// The message of the step that fails.
fn message_of(ranks: usize, change: fn(&mut Scene)) -> String {
    let results = run_on_ranks(ranks, |comm| {
        let is_first = comm.rank() == 0;
        let simulation = scene(change).build().expect("a valid scene");
        let mut simulation = simulation.on_ranks(comm, Ownership::Hash).expect("it is supported");
        if !is_first {
            simulation.follow();
            return String::new();
        }
        while !simulation.is_finished() {
            if let Err(error) = simulation.step() {
                return error.to_string();
            }
        }
        "no step failed".to_owned()
    });
    results.expect("no rank fails").swap_remove(0)
}

#[test]
fn a_step_that_fails_gives_the_same_message() {
    let changes: [fn(&mut Scene); 2] = [
        |scene| {
            theta(scene, 1e-11, |theta| {
                (theta.desired_iterations, theta.most_iterations) = (3, 3);
            });
            scene.step = StepSize::Between { max: 2e-5, min: 2e-5 };
            scene.stages[0].end.after = Some(0.035);
        },
        |scene| {
            rkf45(scene, 1e-13);
            let Integrator::Rkf45(rkf45) = &mut scene.integrator else { unreachable!() };
            rkf45.accept = false;
            scene.step = StepSize::Between { max: 2e-5, min: 2e-5 };
            scene.stages[0].end.after = Some(0.035);
        },
    ];
    for change in changes {
        let expected = message_of(1, change);
        assert!(expected.contains("particle "), "{expected}");
        assert_eq!(message_of(3, change), expected);
    }
}

#[test]
fn a_scene_that_is_refused_gives_the_same_message_on_all_ranks() {
    let changes: [fn(&mut Scene); 3] = [
        // two spheres in the same place
        |scene| {
            let material = scene.particles[0].material;
            for x in [0.0, 0.0001] {
                scene.add_sphere(material, Sphere::new(0.002, Vec3::new(x, 0.01, 0.06)));
            }
        },
        // a sphere outside
        |scene| {
            let material = scene.particles[0].material;
            scene.add_sphere(material, Sphere::new(0.002, Vec3::new(0.0, 0.0, 7.0)));
        },
        |scene| scene.step = StepSize::Fixed(1e-3),
    ];
    for change in changes {
        let scene = || {
            let mut scene = scene(change);
            scene.health.overlap_limit = 0.3;
            scene
        };
        let expected = scene().build().expect_err("it is refused").to_string();
        let build = |comm| scene().build_on(comm, Ownership::Bisection).map(|_| ());
        let found = run_on_ranks(3, |comm| build(comm).expect_err("it is refused").to_string());
        assert_eq!(found.expect("no rank fails"), vec![expected; 3]);
    }
}

#[test]
fn time_steps_ledgers_and_ends_of_stages() {
    assert_same(&[
        ("a given step", |scene| scene.step = StepSize::Fixed(2e-5)),
        ("a largest step", |scene| scene.step = StepSize::AtMost(2e-5)),
        ("the first step", |scene| scene.step = StepSize::AutoOnce),
        ("no ledger", |scene| scene.ledger = false),
        ("a limit of the energy error", |scene| scene.health.energy_error = Some(0.9)),
        ("accumulated angles", |scene| scene.accumulate_angles = true),
        ("a stage that ends by energy", |scene| {
            scene.stages[0].end.kinetic_energy_below = Some(1.0);
        }),
        ("an energy that is not reached", |scene| {
            scene.stages[0].end.kinetic_energy_below = Some(1e-12);
        }),
        ("a stage that ends by speed", |scene| scene.stages[0].end.speed_below = Some(1e3)),
    ]);
}
