//! On several ranks: both owners of the particles of a contact evaluate it, and history moves with its
//! particles.

use crate::collisions::{STEPS, collision_scene, spheres};
use crate::memory::state;
use crate::models::{cohesions, models};
use esker::Ownership;
use esker::prelude::*;
use esker::ranks::run_on_ranks;

/// The state after all steps on some ranks, with owners at random, and the steps in which a rank other
/// than the first had a ghost.
fn state_on(ranks: usize, model: &ContactModel) -> (Vec<[Vec3; 3]>, u64) {
    let results = run_on_ranks(ranks, |comm| {
        let is_first = comm.rank() == 0;
        let simulation = collision_scene(model, spheres()).build().expect("a valid scene");
        let mut simulation = simulation.on_ranks(comm, Ownership::Hash).expect("it is supported");
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
        let (expected, _) = state_on(1, &model);
        for ranks in [2, 8] {
            let (found, ghosts) = state_on(ranks, &model);
            assert_eq!(found, expected, "{name} on {ranks} ranks");
            assert!(ranks == 2 || ghosts > 100, "{name}: both particles on one rank");
        }
    }
}
