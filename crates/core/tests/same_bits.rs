//! The result depends on the scene alone: not on threads, output, energy ledger or neighbour lists.

mod rich_scene;

use esker::search::{SearchMethod, SearchOptions};
use rich_scene::{Trace, Variant, assert_same, run};
use std::sync::OnceLock;

/// The run that all others are compared with.
fn reference() -> &'static Trace {
    static REFERENCE: OnceLock<Trace> = OnceLock::new();
    REFERENCE.get_or_init(|| run(Variant::default()))
}

fn assert_all_same(variant: Variant, what: &str) {
    let found = run(variant);
    assert_same(&found, reference(), what);
    assert_eq!(found.ledger, reference().ledger, "{what}: the ledger differs");
}

#[test]
fn the_scene_of_these_tests_has_every_feature() {
    let end = &reference().end;
    let counts = end.counts();
    assert!(counts.present > 500 && counts.deleted > 0, "{counts:?}");
    assert_eq!(counts.inserted, counts.deleted + counts.present);
    let snapshot = end.snapshot();
    assert!(snapshot.particles.iter().any(|particle| particle.image[1] != 0), "none has crossed");
    for wall in &snapshot.walls {
        assert!(reference().touched.contains(&wall.name), "nothing touches `{}`", wall.name);
    }
    let energy = end.energy();
    let losses = [energy.damping_loss, energy.sliding_loss, energy.rolling_loss, energy.wall_work];
    assert!(losses.iter().all(|part| *part != 0.0), "{energy:?}");
    assert!(end.statistics().rebuilds > 20, "{:?}", end.statistics());
    println!("{counts:?} {:?} {energy:?} dt {}", end.statistics(), end.dt());
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    for threads in [2, 3, 8] {
        assert_all_same(Variant { threads, ..Variant::default() }, &format!("{threads} threads"));
    }
}

#[test]
fn the_ledger_changes_no_bit_of_the_motion() {
    // without a ledger, particles are corrected while contacts of others are still evaluated
    for threads in [1, 2, 3, 8] {
        let found = run(Variant { ledger: false, threads, ..Variant::default() });
        assert_same(&found, reference(), &format!("without a ledger, {threads} threads"));
    }
}

#[test]
fn snapshots_and_saving_change_no_bit() {
    assert_all_same(
        Variant { snapshot_every: Some(7), ..Variant::default() },
        "with snapshots every 7 steps",
    );
}

#[test]
fn every_search_method_gives_the_same_bits() {
    for method in [SearchMethod::Cubes, SearchMethod::BruteForce] {
        let search = SearchOptions { method, ..SearchOptions::default() };
        assert_all_same(Variant { search, ..Variant::default() }, &format!("{method:?}"));
    }
}

#[test]
fn any_skin_gives_the_same_bits() {
    for skin in [1e-9, 1e-4, 3e-3] {
        let search = SearchOptions { skin: Some(skin), ..SearchOptions::default() };
        assert_all_same(Variant { search, ..Variant::default() }, &format!("skin {skin} m"));
    }
}
