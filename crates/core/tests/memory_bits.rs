//! Laws with stored history in addition to their columns: the result depends on the scene alone, as with all laws.

mod rich_scene;

use esker::prelude::*;
use esker::search::SearchOptions;
use rich_scene::{Variant, bits, ledger_bits};

fn spring_pot(order: f64) -> Fractional {
    Fractional { order: Some(order), horizon: Some(0.1), ..Fractional::default() }
}

/// The scene with every feature (`rich_scene`), with spring-pots in all contacts.
fn scene(variant: Variant) -> Scene {
    let mut scene = rich_scene::scene(variant);
    // the other laws stay: bridges keep contacts beyond the end of the spring-pot
    scene.contact.normal = Some(std::sync::Arc::new(spring_pot(0.3)));
    scene.contact.damping = None;
    for (index, (_, pair)) in (1..).zip(&mut scene.pairs) {
        pair.set("normal_stiffness", 2e3);
        pair.set("normal_viscosity", 0.1 * f64::from(index));
        pair.set("parallel_stiffness", 100.0);
    }
    scene
}

/// The same, with a different order for every pair of materials, and without any history for one.
fn scene_of_many_orders(variant: Variant) -> Scene {
    let mut scene = scene(variant);
    for (index, (_, pair)) in (0..).zip(&mut scene.pairs) {
        pair.set("fractional_order", f64::min(0.15 * f64::from(index), 0.6));
    }
    scene
}

/// Runs to the end, saved and restored now and then; the results at some times and at the end.
fn run(variant: Variant, resume_every: Option<u64>) -> Vec<Vec<u64>> {
    run_scene(&scene, variant, resume_every)
}

fn run_scene(
    scene: &dyn Fn(Variant) -> Scene,
    variant: Variant,
    resume_every: Option<u64>,
) -> Vec<Vec<u64>> {
    let mut simulation = scene(variant).build().expect("a valid scene");
    let (mut moments, mut most) = (Vec::new(), 0);
    while !simulation.is_finished() {
        simulation.step().expect("a healthy step");
        if simulation.steps().is_multiple_of(500) {
            moments.push(bits(&simulation));
            most = most.max(simulation.pairs_and_contacts().1);
        }
        if resume_every.is_some_and(|every| simulation.steps().is_multiple_of(every)) {
            simulation = Simulation::restore(scene(variant), simulation.save()).expect("its own");
        }
    }
    assert!(most > 100, "{most} contacts tell little");
    moments.push(bits(&simulation));
    if variant.ledger {
        moments.push(ledger_bits(&simulation));
        let error = simulation.energy().relative_closure_error();
        assert!(error.abs() < 0.02, "{error}");
    }
    moments
}

#[test]
fn neither_threads_nor_lists_nor_stops_change_a_bit() {
    let usual = Variant::default();
    let expected = run(usual, None);
    assert!(run(Variant { threads: 3, ..usual }, None) == expected, "3 threads");
    let search = SearchOptions { skin: Some(1e-5), ..SearchOptions::default() };
    assert!(run(Variant { search, ..usual }, None) == expected, "another skin");
    assert!(run(Variant { threads: 2, ..usual }, Some(333)) == expected, "resumed");
}

#[test]
fn neither_threads_nor_stops_change_a_bit_where_every_pair_has_its_own_order() {
    let usual = Variant::default();
    let expected = run_scene(&scene_of_many_orders, usual, None);
    assert_ne!(expected, run(usual, None));
    let resumed = run_scene(&scene_of_many_orders, Variant { threads: 3, ..usual }, Some(333));
    assert!(resumed == expected, "3 threads, resumed");
}

#[test]
fn stored_history_is_passed_to_another_scene_only_if_its_meaning_is_the_same() {
    let mut first = scene(Variant::default()).build().expect("a valid scene");
    for _ in 0..2000 {
        first.step().expect("a healthy step");
    }
    let (spheres, inherited) = first.save().bed();
    assert!(inherited.columns.len() > 20 && !inherited.contacts.is_empty());
    for (order, fits) in [(0.3, true), (0.2, false)] {
        let mut second = scene(Variant::default());
        second.contact.normal = Some(std::sync::Arc::new(spring_pot(order)));
        // moving walls would start again at their first position, inside the grains
        second.walls.retain(|wall| wall.motion.is_still());
        second.stages.clear();
        second.particles = vec![Source {
            inherited: Some(std::sync::Arc::new(inherited.clone())),
            ..Source::list("bed", MaterialId::new(0), spheres.clone())
        }];
        let built = second.build();
        assert_eq!(built.is_ok(), fits, "{order}: {:?}", built.err());
    }
}
