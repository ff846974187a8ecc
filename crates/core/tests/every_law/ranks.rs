//! On several ranks: both owners of the particles of a contact evaluate it, and history moves with its
//! particles.

use crate::collisions::{STEPS, collision_scene, spheres};
use crate::memory::state;
use crate::models::{cohesions, models};
use esker::Ownership;
use esker::prelude::*;
use esker::ranks::run_on_ranks;

/// The state after all steps on some ranks, and the steps in which a rank other than the first had a ghost.
fn state_on(ranks: usize, ownership: Ownership, model: &ContactModel) -> (Vec<[Vec3; 3]>, u64) {
    let results = run_on_ranks(ranks, |comm| {
        let is_first = comm.rank() == 0;
        let simulation = collision_scene(model, spheres()).build().expect("a valid scene");
        let mut simulation = simulation.on_ranks(comm, ownership).expect("it is supported");
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
        // steps with the particles near each other and on different ranks, counted by all but the first
        let mut apart = 0;
        for ranks in [2, 5, 8] {
            let (found, ghosts) = state_on(ranks, Ownership::Hash, &model);
            assert_eq!(found, expected, "{name} on {ranks} ranks");
            apart += ghosts;
        }
        // about as many as the contact lasts for
        assert!(apart > 50, "{name}: both particles on one rank, but for {apart} steps");
    }
}

#[test]
fn there_may_be_more_ranks_than_particles() {
    let (_, model) = models().swap_remove(0);
    let (expected, _) = state_on(1, Ownership::Bisection, &model);
    let (found, ghosts) = state_on(5, Ownership::Bisection, &model);
    assert_eq!(found, expected);
    assert!(ghosts > 100, "both particles on one rank");
}
