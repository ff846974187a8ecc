//! Normal force in the friction limit: attractions are excluded by default.

use super::*;
use esker::law::tangential::{FrictionLimit, Mindlin};

/// Friction of a sphere that slides on the floor at a given overlap, its elastic force and its attraction.
fn sliding(friction_limit: FrictionLimit) -> [f64; 3] {
    let contact =
        every_attraction(hertz()).tangential(Mindlin { friction_limit, ..Mindlin::default() });
    let pair = every_parameter().friction(0.3).rotational_bond_stiffness(0.0);
    let mut scene = above_floor(contact, pair, -0.01 * RADIUS, 0.0);
    scene.step = StepSize::Fixed(1e-7);
    let mut simulation = scene.build().expect("a valid scene");
    // a slip of the size of the overlap, far beyond the elastic limit of the spring
    assert!(simulation.particles_mut().set_velocity(
        ParticleId::new(0),
        50.0 * Vec3::X,
        Vec3::ZERO
    ));
    (0..20).for_each(|_| simulation.step().expect("a healthy step"));
    let force = simulation.particles().load(ParticleId::new(0)).expect("there").force;
    let view = simulation.contacts()[0];
    assert!(view.sliding);
    assert!(view.cohesion > 1.0, "every law attracts: {}", view.cohesion);
    [force.x.abs(), view.elastic, view.cohesion]
}

#[test]
fn no_attraction_enters_the_friction_limit_since_the_overlap_already_includes_it() {
    for limit in [FrictionLimit::Total, FrictionLimit::Elastic] {
        let [friction, elastic, _] = sliding(limit);
        assert_close(friction, 0.3 * elastic, 1e-9);
    }
}

#[test]
fn every_attraction_enters_the_friction_limit_if_the_model_says_so() {
    let [friction, elastic, cohesion] = sliding(FrictionLimit::WithCohesion);
    assert_close(friction, 0.3 * (elastic + cohesion), 1e-9);
}
