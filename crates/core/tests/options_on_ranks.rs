//! Integrators and options on several ranks: each gives the bits of one rank.

mod rich_scene;

use esker::Ownership;
use esker::integrate::Integrator;
use esker::prelude::*;
use esker::ranks::run_on_ranks;
use rich_scene::{Variant, bits, ledger_bits};

/// A change of the scene.
type Option = (&'static str, fn(&mut Scene));

/// The scene with a bit of everything, cut short: the gate goes early.
fn scene(change: fn(&mut Scene)) -> Scene {
    let mut scene = rich_scene::scene(Variant::default());
    scene.stages[0].end.after = Some(0.02);
    scene.stages[1].end.after = Some(0.01);
    change(&mut scene);
    scene
}

/// The bits at the end of both stages, and numbers of steps and of changes of the time step.
fn run(ranks: usize, ownership: Ownership, change: fn(&mut Scene)) -> Vec<Vec<u64>> {
    let results = run_on_ranks(ranks, |comm| {
        let is_first = comm.rank() == 0;
        let simulation = scene(change).build().expect("a valid scene");
        let mut simulation = simulation.on_ranks(comm, ownership).expect("it is supported");
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
        moments.push(vec![simulation.steps(), simulation.step_record().changes]);
        let angle = simulation.particles().accumulated_angle(ParticleId::new(7));
        moments.extend(angle.map(|angle| angle.to_array().map(f64::to_bits).to_vec()));
        moments
    });
    results.expect("no rank fails").swap_remove(0)
}

fn assert_same(options: &[Option]) {
    for &(name, change) in options {
        let expected = run(1, Ownership::Hash, change);
        assert!(expected.len() > 3, "{name}: two stages");
        for (ranks, ownership) in [(3, Ownership::Hash), (4, Ownership::Bisection)] {
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
