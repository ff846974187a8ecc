//! The rules as they are printed.

use crate::block::*;
use esker::law::tangential::SlipRule;

#[test]
fn the_literal_rule_of_c15_alternates_between_both_limits_in_short_steps() {
    for (name, contact) in laws(SlipRule::C15) {
        let mean = |step: f64| {
            let pair = pair(name, AT_REST, IN_SLIP);
            let scene = block(contact.clone(), pair, SPEED, step);
            mean_friction(name, scene.build().expect("a valid scene"), 3e-3)
        };
        // a step in which the spring grows beyond the static limit at once
        let [long, expected] = mean(1e-4);
        assert!((long / expected - 1.0).abs() < 1e-3, "{name}: {long} {expected}");
        // a sawtooth from the dynamic to the static limit, in some 300 steps
        let [short, expected] = mean(1e-7);
        // sticking begins with the force of the dashpot in addition
        let dashpot = match name {
            "mindlin" | "spring-dashpot" | "default" => {
                2.0 * WEAK_DASHPOT * (mass(LARGE) * rest_stiffness()).sqrt()
            }
            _ => 0.0,
        };
        let sawtooth = 0.5 * (expected + dashpot * SPEED / (mass(LARGE) * G) + AT_REST);
        assert!((short / sawtooth - 1.0).abs() < 0.01, "{name}: {short} {sawtooth}");
    }
}

#[test]
fn the_literal_rule_of_c16_slides_at_the_dynamic_limit_with_a_spring_at_the_static_one() {
    for (name, contact) in laws(SlipRule::C16) {
        for step in STEPS {
            let start = || {
                let pair = pair(name, AT_REST, IN_SLIP);
                block(contact.clone(), pair, SPEED, step).build().expect("a valid scene")
            };
            let mut simulation = start();
            run_until(&mut simulation, 2e-3);
            let seen = simulation.contacts()[0];
            // an output between two steps shows the force that acts
            let speed = velocity(&simulation, 0).x;
            let expected = (speed - speed_after(name, speed, 1e-6)) / (G * 1e-6);
            let shown = -seen.tangential.x / (mass(LARGE) * G);
            // to the change in one step of a coefficient that weakens
            assert_close(shown, expected, 1e-3);
            if ["mindlin", "spring-dashpot", "rolling-mapped", "incremental"].contains(&name) {
                let kept = AT_REST * mass(LARGE) * G / rest_stiffness();
                assert_close(seen.elastic_displacement.x, kept, 1e-6);
            }
            let [found, expected] = mean_friction(name, start(), 2e-3);
            assert!((found / expected - 1.0).abs() < 1e-3, "{name} {step}: {found} {expected}");
        }
    }
}

#[test]
fn the_rule_changes_no_bit_where_both_coefficients_are_equal() {
    for ((name, one), (_, other)) in laws(SlipRule::Hysteresis).into_iter().zip(laws(SlipRule::C15))
    {
        let [one, other] = [one, other].map(|contact| {
            let scene = block(contact, pair(name, 0.3, 0.3), 0.05, 1e-5);
            let mut simulation = scene.build().expect("a valid scene");
            run_until(&mut simulation, 0.03);
            velocity(&simulation, 0)
        });
        assert_eq!(one, other, "{name}");
    }
}
