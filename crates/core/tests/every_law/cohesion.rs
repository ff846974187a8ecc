//! Requirements on attractions: their work is stored or accounted for as a loss, and other laws lose their history when
//! the surfaces part.

use crate::chain::{Chain, Numbers, Touching, any_contact, set, vector};
use crate::energy::{DEPTH, lead, pressed};
use crate::models::{RADIUS, cohesions, models};
use esker::law::cohesion::LiquidBridge;
use esker::law::{Contacts, WIDTH};
use esker::prelude::*;

/// Overlap at a fraction of a path from beyond the interaction range into contact and back.
fn in_and_out(path: f64, interaction_range: f64, depth: f64) -> f64 {
    let inwards = 1.0 - (2.0 * path - 1.0).abs();
    // slower near contact, where most of a short-ranged force acts
    let x = 2.0 * inwards - 1.0;
    if x < 0.0 { -1.1 * interaction_range * x * x } else { depth * x * x }
}

#[test]
fn the_net_work_of_cohesion_over_approach_and_separation_is_accounted_for_as_a_loss() {
    let (steps, dt) = (20_000, 1e-6);
    for (name, model) in cohesions().into_iter().filter(|(_, model)| model.damping.is_none()) {
        let interaction_range = Chain::new(&model).interaction_range();
        let path = |step: usize, c: usize| {
            // each lane begins at a different distance, all beyond the interaction range
            let radii = [RADIUS, if c.is_multiple_of(2) { 0.0 } else { RADIUS }];
            let depth = DEPTH * (c + 1) as f64 / WIDTH as f64;
            Touching {
                radii,
                ..pressed(in_and_out(step as f64 / steps as f64, interaction_range, depth))
            }
        };
        let balance = lead(&model, steps + 1, dt, path);
        // on the approach only, to obtain the stored energy
        let half = lead(&model, steps / 2 + 1, dt, path);
        for c in 0..WIDTH {
            let scale = half.last.cohesion_energy[c].abs() + half.last.normal_energy[c];
            assert!(half.last.cohesion_energy[c] < 0.0, "{name} stores nothing");
            // trapezoidal rule with (1/10 000)² of the curvature of a force that decreases a thousandfold
            let tolerance = 1e-4 * scale + 2.0 * balance.jump[c];
            let [work, loss] = [balance.normal_work[c], balance.cohesion_loss[c]];
            assert!((work - loss).abs() < tolerance, "{name}: {work} and {loss} of {scale} J");
            let stored = half.last.normal_energy[c] + half.last.cohesion_energy[c];
            let [work, lost] = [half.normal_work[c], half.cohesion_loss[c]];
            assert!((work - lost - stored).abs() < tolerance, "{name}: {work} {lost} {stored}");
            let length = if c.is_multiple_of(2) { RADIUS } else { 2.0 * RADIUS };
            let expected = match name {
                // the whole energy of a bridge where the surfaces touch
                "liquid bridge" => {
                    let pressed = half.last.cohesion[c] * DEPTH * (c + 1) as f64 / WIDTH as f64;
                    -half.last.cohesion_energy[c] - pressed
                }
                // k (r₁+r₂) ε^{β+1}/(β+1) at the critical strain
                "persistent adhesion" => 20.0 * length * 1e-4f64.powf(2.5) / 2.5,
                _ => 0.0,
            };
            assert!((loss - expected).abs() <= 1e-3 * expected + balance.jump[c], "{name}: {loss}");
            assert!(expected > 0.0 || loss == 0.0, "{name}: {loss}");
        }
    }
}

/// Every model with a bridge, whose history remains beyond contact.
fn with_bridges() -> Vec<(&'static str, ContactModel)> {
    let has_bridge =
        |model: &ContactModel| model.cohesion.iter().any(|law| law.name() == "liquid-bridge");
    let wetted = |(name, model): (&'static str, ContactModel)| {
        let wet = has_bridge(&model);
        (name, if wet { model } else { model.cohesion(LiquidBridge::default()) })
    };
    let in_shell = |(name, _): &(&str, ContactModel)| *name != "liquid bridge in the shell";
    models().into_iter().filter(in_shell).map(wetted).collect()
}

#[test]
fn no_law_but_cohesion_acts_on_surfaces_that_do_not_touch() {
    for (name, model) in with_bridges() {
        let mut chain = Chain::new(&model);
        let mut contacts = Contacts::ZERO;
        let mut numbers = Numbers::new(5);
        let mut lanes: Vec<Touching> = (0..WIDTH).map(|_| any_contact(&mut numbers)).collect();
        for sign in [1.0, 1.0, -1.0] {
            for (c, touching) in lanes.iter_mut().enumerate() {
                touching.radii = [RADIUS, if c.is_multiple_of(2) { 0.0 } else { RADIUS }];
                touching.overlap = sign * 1e-3 * RADIUS;
                set(&mut contacts, c, touching, 1e-5);
            }
            let forces = chain.evaluate(&contacts, 1e-5);
            chain.commit();
            for c in (0..WIDTH).filter(|_| sign < 0.0) {
                let alone = [forces.elastic[c], forces.damping[c], forces.normal_stiffness[c]];
                let tangential = vector(&forces.tangential, c) != Vec3::ZERO;
                let couple = vector(&forces.moment, c) != Vec3::ZERO;
                assert!(alone == [0.0; 3] && !tangential && !couple, "{name}: {alone:?}");
                let stored = [forces.tangential_energy[c], forces.rolling_energy[c]];
                assert_eq!(stored, [0.0; 2], "{name}");
                assert!(forces.cohesion[c] > 0.0, "{name}: the bridge holds");
            }
        }
        // a bridge keeps the history, but all other laws have reset theirs
        for (law, old) in chain.laws.iter().zip(&chain.old) {
            let columns = law.history().0.into_iter().map(|field| field.name());
            let is_bridge = columns.clone().any(|name| name == "bridge");
            let remembered = old.iter().flatten().any(|value| *value != 0.0);
            assert_eq!(remembered, is_bridge, "{name}: {:?}", columns.collect::<Vec<_>>());
        }
    }
}
