//! The mean friction of a sliding contact does not depend on the time step.

use crate::block::*;
use esker::integrate::{Integrator, Iteration, Rkf45, Theta, Tolerances};
use esker::law::tangential::{SlidingTorsion, SlipRule};
use esker::prelude::*;

#[test]
fn mean_friction_of_a_sliding_block_is_the_dynamic_one_at_every_step_and_for_every_law() {
    for (name, contact) in laws(SlipRule::Hysteresis) {
        for step in STEPS {
            let scene = block(contact.clone(), pair(name, AT_REST, IN_SLIP), SPEED, step);
            let [found, expected] = mean_friction(name, scene.build().expect("valid"), 3e-3);
            // required; a coefficient that weakens is evaluated at the start of a step
            assert!((found / expected - 1.0).abs() < 1e-3, "{name} {step}: {found} {expected}");
        }
    }
}

#[test]
fn mean_friction_is_the_dynamic_one_with_rkf45_and_with_the_trapezoidal_rule() {
    let theta = |iteration| {
        let tolerances = Tolerances::all(1e-9);
        Theta { phi: 0.5, iteration, tolerances, most_iterations: 100, ..Theta::default() }
    };
    let integrators = [
        Integrator::Rkf45(Rkf45::default()),
        Integrator::Theta(theta(Iteration::Jacobi)),
        Integrator::Theta(theta(Iteration::GaussSeidel)),
    ];
    for integrator in integrators {
        for (name, contact) in laws(SlipRule::Hysteresis) {
            for step in STEPS {
                let pair = pair(name, AT_REST, IN_SLIP);
                let mut scene = block(contact.clone(), pair, SPEED, step);
                scene.integrator = integrator;
                let [found, expected] = mean_friction(name, scene.build().expect("valid"), 2e-3);
                assert!(
                    (found / expected - 1.0).abs() < 1e-3,
                    "{name} {step} {integrator:?}: {found} {expected}"
                );
            }
        }
    }
}

#[test]
fn mean_friction_is_the_dynamic_one_with_rkf45_that_chooses_its_steps() {
    for (name, contact) in laws(SlipRule::Hysteresis) {
        let mut scene = block(contact.clone(), pair(name, AT_REST, IN_SLIP), SPEED, 0.0);
        scene.integrator = Integrator::Rkf45(Rkf45 { accept: true, ..Rkf45::default() });
        scene.step = StepSize::Between { max: 5e-6, min: 1e-10 };
        let [found, expected] = mean_friction(name, scene.build().expect("valid"), 3e-3);
        assert!((found / expected - 1.0).abs() < 1e-3, "{name}: {found} {expected}");
    }
}

#[test]
fn friction_that_weakens_has_its_closed_form_over_twenty_milliseconds_at_every_step() {
    let name = "sliding-torsion";
    let mean = (SPEED - speed_after(name, SPEED, 0.02)) / (G * 0.02);
    assert!((mean - 0.2104).abs() < 5e-5, "{mean}");
    for step in STEPS {
        let contact = hertz().tangential(SlidingTorsion::default());
        let scene = block(contact, pair(name, AT_REST, IN_SLIP), SPEED, step);
        let [found, expected] = mean_friction(name, scene.build().expect("valid"), 0.02);
        assert!((found / expected - 1.0).abs() < 1e-3, "{step}: {found} {expected}");
    }
}
