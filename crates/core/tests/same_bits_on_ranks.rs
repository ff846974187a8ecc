//! The result depends on the scene alone: not on the number of ranks and not on which rank owns a particle.

mod rich_scene;

use esker::ranks::run_on_ranks;
use esker::{Division, Ownership};
use rich_scene::{Trace, Variant, run, run_simulation, scene};
use std::sync::OnceLock;

/// The bits at all times, and those of the ledger.
type Bits = (Vec<Vec<u64>>, Vec<u64>);

fn bits(trace: &Trace) -> Bits {
    (trace.moments.clone(), trace.ledger.clone())
}

/// The run on one rank that all others are compared with.
fn reference() -> &'static Bits {
    static REFERENCE: OnceLock<Bits> = OnceLock::new();
    REFERENCE.get_or_init(|| bits(&run(Variant::default())))
}

/// The same scene on several ranks.
fn on_ranks(ranks: usize, ownership: Ownership, variant: Variant) -> Bits {
    let results = run_on_ranks(ranks, |comm| {
        let is_first = comm.rank() == 0;
        // built by each rank for itself, or by all together
        let simulation = match ranks.is_multiple_of(2) {
            true => scene(variant).build().and_then(|built| built.on_ranks(comm, ownership)),
            false => scene(variant).build_on(comm, ownership),
        };
        let simulation = simulation.expect("a valid scene");
        if is_first {
            return Some(bits(&run_simulation(simulation, variant)));
        }
        let Division { steps, own, ghosts, .. } = simulation.follow();
        // some 600 particles
        let own = own / steps;
        assert!(steps > 500 && own > 0 && own < 600, "{own} own particles in {steps} steps");
        assert!(ghosts / steps > 5, "{ghosts} ghosts in {steps} steps");
        None
    });
    let mut results = results.expect("no rank fails");
    results.swap_remove(0).expect("the first rank has a result")
}

fn assert_same(ranks: usize, ownership: Ownership, variant: Variant) {
    let (found, expected) = (on_ranks(ranks, ownership, variant), reference());
    let what = format!("{ranks} ranks, {} threads, {ownership:?}", variant.threads);
    for (moment, (found, expected)) in found.0.iter().zip(&expected.0).enumerate() {
        let differing = found.iter().zip(expected).filter(|(a, b)| a != b).count();
        assert!(
            found == expected,
            "{what}: {differing} of {} values differ at moment {moment}",
            expected.len()
        );
    }
    assert_eq!(found.0.len(), expected.0.len(), "{what}");
    assert_eq!(found.1, expected.1, "{what}: the ledger differs");
}

#[test]
fn parts_of_space_on_any_number_of_ranks_give_the_same_bits() {
    for (ranks, threads) in [(2, 1), (3, 2), (4, 1), (8, 1)] {
        assert_same(ranks, Ownership::Bisection, Variant { threads, ..Variant::default() });
    }
}

#[test]
fn owners_at_random_give_the_same_bits() {
    for (ranks, threads) in [(2, 2), (3, 1), (8, 1)] {
        assert_same(ranks, Ownership::Hash, Variant { threads, ..Variant::default() });
    }
}
