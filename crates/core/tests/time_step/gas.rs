//! The automatic step changes its length without heating or cooling what it integrates.

use crate::common::*;
use esker::prelude::*;

const STEPS: usize = 100_000;

/// A gas of elastic spheres in a periodic cube: slow ones and a few fast ones, so that impacts of many
/// durations set the step.
fn gas() -> Scene {
    let (mut scene, material) = scene(hertz(), Pair::new());
    const EDGE: usize = 4;
    const SPACING: f64 = 3.0 * RADIUS;
    let mut domain = Domain::new(Vec3::ZERO, Vec3::splat(EDGE as f64 * SPACING));
    domain.periodic = [true; 3];
    scene.domain = Some(domain);
    scene.ledger = true;
    let mut numbers = Numbers(11);
    for place in 0..EDGE * EDGE * EDGE {
        let site = [place % EDGE, place / EDGE % EDGE, place / EDGE / EDGE];
        let site = Vec3::from_array(site.map(|index| index as f64 + 0.5));
        let position = SPACING * site + 0.1 * RADIUS * numbers.vector();
        let speed = if place % 16 == 0 { 3.0 } else { 0.3 };
        scene.add_sphere(material, sphere(position, speed * numbers.vector()));
    }
    scene
}

#[test]
fn the_energy_of_an_elastic_gas_drifts_by_less_than_a_ten_thousandth_in_1e5_steps() {
    let mut simulation = gas().build().expect("a valid scene");
    let total = |simulation: &Simulation| {
        let energy = simulation.energy();
        energy.kinetic + energy.elastic_normal
    };
    let start = total(&simulation);
    let mut largest = 0.0f64;
    for step in 0..STEPS {
        simulation.step().expect("a healthy step");
        if step % 100 == 99 {
            largest = largest.max((total(&simulation) / start - 1.0).abs());
        }
    }
    let drift = total(&simulation) / start - 1.0;
    let record = simulation.step_record();
    println!("drift {drift:e}, largest {largest:e}, {} changes", record.changes);
    assert!(record.changes > 30, "{} changes", record.changes);
    assert!(drift.abs() < 1e-4, "{drift:e}");
}
