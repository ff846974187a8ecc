//! Attractions against theory: pull-off, equilibrium, rupture, works of separation, thresholds.

#[path = "../common/mod.rs"]
mod common;

mod adhesion;
mod bond;
mod crowds;
mod friction;
mod liquid_bridge;
mod mie;
mod tension;
mod van_der_waals;
mod walls;

use common::*;
use esker::law::cohesion::{Adhesion, Bond, LiquidBridge, Mie, VanDerWaals};
use esker::measure::ContactView;
use esker::prelude::*;

/// Two spheres of the usual radius on the x axis with a given gap; the first one is fixed at the origin unless both are
/// free.
fn two(contact: ContactModel, pair: Pair, gap: f64, speed: f64) -> Scene {
    let (mut scene, material) = scene(contact, pair);
    scene.add_sphere(material, sphere(Vec3::ZERO, Vec3::ZERO));
    scene.add_sphere(material, sphere(Vec3::X * (2.0 * RADIUS + gap), speed * Vec3::X));
    scene.ledger = true;
    scene
}

/// A sphere above the floor with a given gap and a vertical velocity.
fn above_floor(contact: ContactModel, pair: Pair, gap: f64, speed: f64) -> Scene {
    let (mut scene, material) = scene(contact, pair);
    scene.add_wall("floor", floor(), material);
    scene.add_sphere(material, sphere(Vec3::Z * (RADIUS + gap), speed * Vec3::Z));
    scene.ledger = true;
    scene
}

/// The only contact of a scene in its initial state.
fn contact_of(scene: Scene) -> ContactView {
    let simulation = scene.build().expect("a valid scene");
    let contacts = simulation.contacts();
    assert_eq!(contacts.len(), 1, "one contact");
    contacts[0]
}

/// Steps until a time; returns the largest closure error until then.
fn run_closing(simulation: &mut Simulation, until: f64) -> f64 {
    let mut worst = 0.0f64;
    while simulation.time() < until {
        simulation.step().expect("a healthy step");
        worst = worst.max(simulation.energy().closure_error.abs());
    }
    worst
}

/// Effective mass of two spheres of the usual radius.
fn effective_mass() -> f64 {
    0.5 * mass(RADIUS)
}

/// Speed of the second sphere relative to the first.
fn parting_speed(simulation: &Simulation) -> f64 {
    velocity(simulation, 1).x - velocity(simulation, 0).x
}

/// All attractions together.
fn every_attraction(model: ContactModel) -> ContactModel {
    model
        .cohesion(Adhesion::default())
        .cohesion(Bond::default())
        .cohesion(LiquidBridge::default())
        .cohesion(Mie::default())
        .cohesion(VanDerWaals::default())
}

/// The parameters of these laws, so that each has an effect.
fn every_parameter() -> Pair {
    let parameters = [
        ("adhesion_coefficient", 100.0),
        ("adhesion_exponent", 1.0),
        ("adhesion_critical_strain", 0.0),
        ("bond_stiffness", 1e6),
        ("bond_exponent", 0.5),
        ("bond_critical_strain", 0.0),
        ("rotational_bond_stiffness", 1e6),
        ("surface_tension", 10.0),
        ("bridge_volume", 0.01),
        ("mie_attraction", 1e-4),
        ("mie_attraction_exponent", 2.0),
        ("mie_repulsion", 0.0),
        ("mie_repulsion_exponent", 4.0),
        ("mie_cutoff", 0.03),
        ("hamaker_constant", 1e-19),
        ("asperity_radius", 0.0),
    ];
    parameters.iter().fold(Pair::new(), |pair, (name, value)| pair.with(name, *value))
}
