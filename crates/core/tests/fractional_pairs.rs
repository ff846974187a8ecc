//! Spring-pots whose order is a parameter of the pair: each pair of materials has its own α, as in L(3), and its
//! rebound is that of a scene with this order alone.

mod common;

use common::*;
use esker::prelude::*;
use esker::stage::Change;

/// Stiffness of all pairs [N/m].
const STIFFNESS: f64 = 1e4;

/// Distance between the floors [m].
const APART: f64 = 0.1;

fn pair() -> Pair {
    let viscosity = (mass(RADIUS) * STIFFNESS).sqrt();
    Pair::new().normal_stiffness(STIFFNESS).normal_viscosity(viscosity)
}

fn spring_pot(order: Option<f64>) -> Fractional {
    let tension = damping::TensileCutoff::Keep;
    Fractional { order, horizon: Some(1.0), tension, ..Fractional::default() }
}

fn unit() -> f64 {
    (mass(RADIUS) / STIFFNESS).sqrt()
}

/// A sphere above each of several square floors, each floor with its own material and parameters; all spheres touch and
/// move downwards.
fn floors(law: Fractional, pairs: &[Pair], steps_per_unit: f64) -> Simulation {
    let (mut scene, grain) = scene(ContactModel::normal(law), pair());
    let rigid = scene.materials[0].1.clone();
    for (index, pair) in pairs.iter().enumerate() {
        let name = format!("floor {index}");
        let material = scene.add_material(&name, rigid.clone());
        scene.set_pair(grain, material, pair.clone());
        let centre = Vec3::X * (APART * index as f64);
        let edges = [Vec3::X, Vec3::Y].map(|axis| 0.8 * APART * axis);
        let corner = centre - 0.5 * (edges[0] + edges[1]);
        scene.add_wall(&name, Shape::Rectangle { corner, edges }, material);
        scene.add_sphere(grain, sphere(centre + Vec3::Z * RADIUS, -Vec3::Z));
    }
    scene.step = StepSize::Fixed(unit() / steps_per_unit);
    scene.health.overlap_limit = 0.5;
    scene.build().expect("a valid scene")
}

/// Upward velocities after eight units of time, when every contact has ended.
fn rebounds(law: Fractional, pairs: &[Pair], steps_per_unit: f64) -> Vec<f64> {
    let mut simulation = floors(law, pairs, steps_per_unit);
    run_until(&mut simulation, 8.0 * unit());
    (0..pairs.len()).map(|id| velocity(&simulation, id as u64).z).collect()
}

#[test]
fn every_pair_rebounds_with_the_restitution_of_its_own_order() {
    // Restitution at zero overlap: a series of sixty digits, computed independently of this code; and a spring. The
    // error is that of tests/fractional: the end of a contact is detected up to a step late.
    let steps = 2000.0;
    let table = [(0.1, 0.80361), (0.0, 1.0), (0.3, 0.36180), (0.4, 0.02281)];
    let pairs: Vec<Pair> = table.iter().map(|(order, _)| pair().fractional_order(*order)).collect();
    let found = rebounds(spring_pot(Some(0.7)), &pairs, steps);
    for ((order, expected), found) in table.iter().zip(found) {
        assert!((found - expected).abs() < 0.4 / steps + 2e-5, "{order}: {found} {expected}");
    }
}

#[test]
fn an_order_of_the_pair_gives_the_same_bits_as_an_order_of_the_law() {
    // 0.1 and 0.4 need different numbers of exponentials, a spring needs none
    let orders = [0.1, 0.0, 0.4];
    let together: Vec<Pair> = orders.iter().map(|order| pair().fractional_order(*order)).collect();
    let together = rebounds(spring_pot(Some(0.2)), &together, 50.0);
    for (order, found) in orders.into_iter().zip(together) {
        let alone = rebounds(spring_pot(Some(order)), &[pair()], 50.0)[0];
        assert_eq!(found.to_bits(), alone.to_bits(), "{order}: {found} {alone}");
    }
}

#[test]
fn a_restitution_of_the_pair_is_met() {
    let steps = 2000.0;
    let pairs = [0.9, 0.5].map(|restitution| pair().restitution(restitution));
    let found = rebounds(spring_pot(Some(0.2)), &pairs, steps);
    for (expected, found) in [0.9, 0.5].into_iter().zip(found) {
        assert!((found - expected).abs() < 0.4 / steps + 2e-5, "{found} {expected}");
    }
}

#[test]
fn the_order_of_a_pair_cannot_change_in_a_run() {
    let (mut scene, material) =
        scene(ContactModel::normal(spring_pot(Some(0.1))), pair().fractional_order(0.2));
    scene.add_sphere(material, sphere(Vec3::ZERO, Vec3::ZERO));
    let change = |parameter: &str, value| Change::SetPair {
        between: [material; 2],
        parameter: parameter.into(),
        value,
    };
    let stage = |change| Stage {
        changes: vec![change],
        end: End { after: Some(1.0), ..End::default() },
        ..Stage::default()
    };
    let mut stiffer = scene.clone();
    stiffer.stages = vec![stage(change("normal_stiffness", 2e4))];
    assert!(stiffer.build().is_ok());
    scene.stages = vec![stage(change("fractional_order", 0.3))];
    let message = scene.build().expect_err("another memory").to_string();
    assert!(
        message.contains("`fractional_order` changes the history that contacts store"),
        "{message}"
    );
}
