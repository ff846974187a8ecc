//! Single contacts of any size and speed.

use crate::chain::{Chain, Numbers, Touching, all_values, any_contact, set};
use crate::models::{RADIUS, models};
use esker::law::{Contacts, WIDTH};

#[test]
fn every_law_is_finite_for_any_contact_over_many_steps() {
    for (name, model) in models() {
        for seed in 0..40 {
            let mut numbers = Numbers::new(seed);
            let mut chain = Chain::new(&model);
            let mut contacts = Contacts::ZERO;
            let mut lanes: Vec<Touching> = (0..WIDTH).map(|_| any_contact(&mut numbers)).collect();
            for _ in 0..6 {
                // an evaluation between steps has a time step of zero
                let dt = if numbers.between(0.0, 1.0) < 0.2 {
                    0.0
                } else {
                    numbers.magnitude(1e-12, 1e-1)
                };
                for (c, touching) in lanes.iter_mut().enumerate() {
                    let fresh = any_contact(&mut numbers);
                    *touching =
                        Touching { radii: touching.radii, normal: touching.normal, ..fresh };
                    set(&mut contacts, c, touching, dt);
                }
                let forces = chain.evaluate(&contacts, dt);
                for (c, touching) in lanes.iter().enumerate() {
                    for (what, value) in all_values(&forces, c) {
                        assert!(value.is_finite(), "{name}: {what} is {value} for {touching:?}");
                    }
                }
                for column in chain.new.iter().flatten() {
                    assert!(column.iter().all(|value| value.is_finite()), "{name}: history");
                }
                chain.commit();
            }
        }
    }
}

#[test]
fn no_law_acts_or_keeps_history_beyond_its_interaction_range() {
    for (name, model) in models() {
        let mut numbers = Numbers::new(77);
        let mut chain = Chain::new(&model);
        let interaction_range = chain.interaction_range();
        let mut contacts = Contacts::ZERO;
        let mut lanes: Vec<Touching> = (0..WIDTH).map(|_| any_contact(&mut numbers)).collect();
        // contact first, so that there is history to reset
        for (c, touching) in lanes.iter_mut().enumerate() {
            // of the size given to the laws
            touching.radii = [RADIUS, if c.is_multiple_of(2) { 0.0 } else { RADIUS }];
            touching.overlap = 0.01 * touching.radii[0];
        }
        lanes.iter().enumerate().for_each(|(c, lane)| set(&mut contacts, c, lane, 1e-5));
        chain.evaluate(&contacts, 1e-5);
        chain.commit();
        for touching in &mut lanes {
            touching.overlap =
                -interaction_range - numbers.magnitude(1e-12, 1.0) * touching.radii[0];
        }
        lanes.iter().enumerate().for_each(|(c, lane)| set(&mut contacts, c, lane, 1e-5));
        let forces = chain.evaluate(&contacts, 1e-5);
        for (c, lane) in lanes.iter().enumerate() {
            for (what, value) in all_values(&forces, c) {
                assert!(value == 0.0, "{name}: {what} is {value} for {lane:?}");
            }
        }
        let remembers = chain.new.iter().flatten().flatten().any(|value| *value != 0.0);
        assert!(!remembers, "{name} remembers a contact that has ended");
    }
}
