//! What counts for the friction limit: nothing of the attraction, unless asked for.

use super::*;
use esker::law::cohesion::{Adhesion, Bond, LiquidBridge, Mie, VanDerWaals};
use esker::law::tangential::{FrictionLimit, Mindlin};

/// Friction of a sphere that slides on the floor at a given overlap, its elastic force and attraction.
fn sliding(friction_limit: FrictionLimit) -> [f64; 3] {
    let contact = hertz()
        .cohesion(Adhesion::default())
        .cohesion(Bond::default())
        .cohesion(LiquidBridge::default())
        .cohesion(Mie::default())
        .cohesion(VanDerWaals::default())
        .tangential(Mindlin { friction_limit, ..Mindlin::default() });
    let parameters = [
        ("friction", 0.3),
        ("adhesion_coefficient", 100.0),
        ("adhesion_exponent", 1.0),
        ("adhesion_critical_strain", 0.0),
        ("bond_stiffness", 1e6),
        ("bond_exponent", 0.5),
        ("bond_critical_strain", 0.0),
        ("rotational_bond_stiffness", 0.0),
        ("surface_tension", 10.0),
        ("bridge_volume", 0.01),
        ("mie_attraction", 1e-4),
        ("mie_attraction_exponent", 2.0),
        ("mie_repulsion", 0.0),
        ("mie_repulsion_exponent", 4.0),
        ("mie_cutoff", 0.03),
        ("hamaker_constant", 1e-16),
        ("asperity_radius", 0.0),
    ];
    let pair = parameters.iter().fold(Pair::new(), |pair, (name, value)| pair.with(name, *value));
    let mut scene = above_floor(contact, pair, -0.01 * RADIUS, 0.0);
    scene.step = StepSize::Fixed(1e-7);
    let mut simulation = scene.build().expect("a valid scene");
    // a slip of the size of the overlap, far more than the spring holds
    assert!(simulation.particles_mut().set_velocity(0, 50.0 * Vec3::X, Vec3::ZERO));
    (0..20).for_each(|_| simulation.step().expect("a healthy step"));
    let force = simulation.particles().load(0).expect("there").force;
    let view = simulation.contacts()[0];
    assert!(view.sliding);
    assert!(view.cohesion > 1.0, "every law attracts: {}", view.cohesion);
    [force.x.abs(), view.elastic, view.cohesion]
}

#[test]
fn no_attraction_counts_for_the_friction_limit_since_the_overlap_already_carries_it() {
    for limit in [FrictionLimit::Total, FrictionLimit::Elastic] {
        let [friction, elastic, _] = sliding(limit);
        assert_close(friction, 0.3 * elastic, 1e-9);
    }
}

#[test]
fn every_attraction_counts_for_the_friction_limit_when_asked_for() {
    let [friction, elastic, cohesion] = sliding(FrictionLimit::WithCohesion);
    assert_close(friction, 0.3 * (elastic + cohesion), 1e-9);
}
