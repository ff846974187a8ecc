//! The tensile cut-off at the end of a contact does not change attractions.

use super::*;
use esker::law::damping::{HertzDamping, TensileCutoff};

/// The contact of two spheres that separate so fast that the sum of spring and dashpot is attractive.
fn parting(tension: TensileCutoff, cohesive: bool) -> ContactView {
    let mut contact = ContactModel::normal(Hertz { tension }).damping(HertzDamping::default());
    let mut pair = Pair::new().damping_ratio(0.5);
    if cohesive {
        contact = every_attraction(contact);
        pair = every_parameter().damping_ratio(0.5);
    }
    contact_of(two(contact, pair, -0.01 * RADIUS, 5.0))
}

#[test]
fn a_clipped_contact_keeps_its_cohesion() {
    let kept = parting(TensileCutoff::Keep, true);
    let clipped = parting(TensileCutoff::Clip, true);
    let dry = parting(TensileCutoff::Clip, false);
    assert!(kept.cohesion > 0.0, "there is an attraction to test");
    assert!(kept.elastic + kept.damping < 0.0, "it would pull without cohesion");
    assert_eq!(clipped.elastic + clipped.damping, 0.0);
    assert_eq!(dry.elastic + dry.damping, 0.0);
    assert_eq!(clipped.cohesion, kept.cohesion);
}

#[test]
fn a_clipped_contact_with_cohesion_is_pulled_by_the_cohesion_alone() {
    let attraction = parting(TensileCutoff::Clip, true).cohesion;
    let contact = every_attraction(hertz().damping(HertzDamping::default()));
    let mut scene = two(contact, every_parameter().damping_ratio(0.5), -0.01 * RADIUS, 5.0);
    let dt = 1e-9;
    scene.step = StepSize::Fixed(dt);
    let mut simulation = scene.build().expect("a valid scene");
    simulation.step().expect("a healthy step");
    let pull = (5.0 - velocity(&simulation, 1).x) * mass(RADIUS) / dt;
    // within the step the overlap changes by 5e-5 of its value; the speed is rounded to 1e-15 m/s, which is 1e-8 N here
    assert!((pull - attraction).abs() < 1e-3 * attraction + 1e-7, "{pull} {attraction}");
}
