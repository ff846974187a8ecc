//! On several ranks: both owners of the particles of a contact evaluate it, and history migrates with its particles.

use crate::collisions::{STEPS, collision_scene, spheres};
use crate::memory::state;
use crate::models::{cohesions, models};
use esker::Ownership;
use esker::integrate::{Integrator, Rkf45, Theta};
use esker::prelude::*;
use esker::ranks::run_on_ranks;

/// The state after all steps on some ranks, and the steps in which a rank other than the first had a ghost.
fn state_on(ranks: usize, ownership: Ownership, model: &ContactModel) -> (Vec<[Vec3; 3]>, u64) {
    run_scene(ranks, ownership, &|| collision_scene(model, spheres()))
}

/// The same of any scene.
fn run_scene(
    ranks: usize,
    ownership: Ownership,
    scene: &(dyn Fn() -> Scene + Sync),
) -> (Vec<[Vec3; 3]>, u64) {
    let results = run_on_ranks(ranks, |comm| {
        let is_first = comm.rank() == 0;
        let mut simulation = scene().build_on(comm, ownership).expect("a valid scene");
        if is_first {
            (0..STEPS).for_each(|_| simulation.step().expect("a healthy step"));
            return (state(&simulation), 0);
        }
        (Vec::new(), simulation.follow().ghosts)
    });
    let results = results.expect("no rank fails");
    let ghosts = results.iter().map(|(_, ghosts)| ghosts).sum();
    let first = results.into_iter().next().expect("a first rank");
    (first.0, ghosts)
}

#[test]
fn owners_at_random_change_no_bit() {
    for (name, model) in models().into_iter().chain(cohesions()) {
        let (expected, _) = state_on(1, Ownership::Hash, &model);
        // steps in which the particles are close and on different ranks, counted by all ranks but the first
        let mut apart = 0;
        for ranks in [2, 5, 8] {
            let (found, ghosts) = state_on(ranks, Ownership::Hash, &model);
            assert_eq!(found, expected, "{name} on {ranks} ranks");
            apart += ghosts;
        }
        // about the number of steps of the contact
        assert!(apart > 50, "{name}: both particles on one rank, but for {apart} steps");
    }
}

#[test]
fn integrators_with_several_evaluations_give_the_same_bits_with_every_law() {
    let integrators = [
        Integrator::Theta(Theta { accept: true, ..Theta::default() }),
        Integrator::Rkf45(Rkf45 { accept: true, ..Rkf45::default() }),
    ];
    let mut tried = 0;
    for (name, model) in models().into_iter().chain(cohesions()) {
        for integrator in integrators {
            let scene = || Scene { integrator, ..collision_scene(&model, spheres()) };
            // some laws require one evaluation in a step
            if scene().build().is_err() {
                continue;
            }
            tried += 1;
            let (expected, _) = run_scene(1, Ownership::Hash, &scene);
            let (found, _) = run_scene(3, Ownership::Hash, &scene);
            assert_eq!(found, expected, "{name} with {}", integrator.name());
        }
    }
    assert!(tried > 30, "only {tried} combinations are valid");
}

#[test]
fn there_may_be_more_ranks_than_particles() {
    let (_, model) = models().swap_remove(0);
    let (expected, _) = state_on(1, Ownership::Bisection, &model);
    let (found, ghosts) = state_on(5, Ownership::Bisection, &model);
    assert_eq!(found, expected);
    assert!(ghosts > 100, "both particles on one rank");
}
