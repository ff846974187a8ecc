//! The stiffness that a law states for the choice of the time step is the derivative of its force, or an upper bound of
//! it. A law that does not state it fails here.

use crate::chain::{Chain, Touching, set, vector};
use crate::models::{RADIUS, models};
use esker::law::{ContactStiffness, Contacts, Forces, PairState, WIDTH};
use esker::prelude::*;

/// Speeds so low that contacts stick and no tensile cut-off acts [m/s, rad/s].
const SPEED: f64 = 1e-7;

/// Two steps whose difference separates springs from dashpots [s].
const STEPS: [f64; 2] = [1e-6, 2e-6];

/// Fraction of the stated value that an exact derivative must have.
const EXACT: f64 = 0.8;

const STILL: Touching = Touching {
    radii: [RADIUS; 2],
    overlap: 0.0,
    closing_speed: 0.0,
    normal: Vec3::Z,
    slip_velocity: Vec3::ZERO,
    rolling_velocity: Vec3::ZERO,
    twist_velocity: 0.0,
};

/// Forces of a contact in its first evaluation, with this state.
fn forces(model: &ContactModel, touching: &Touching, dt: f64) -> Forces {
    let mut contacts = Contacts::ZERO;
    (0..WIDTH).for_each(|c| set(&mut contacts, c, touching, dt));
    Chain::new(model).evaluate(&contacts, dt)
}

fn state(contact: &Touching) -> PairState {
    let mut contacts = Contacts::ZERO;
    set(&mut contacts, 0, contact, 0.0);
    PairState {
        radii: contact.radii,
        effective_radius: contacts.effective_radius[0],
        effective_mass: contacts.effective_mass[0],
        inverse_masses: [contacts.inverse_mass[0][0], contacts.inverse_mass[1][0]],
        overlap: contact.overlap,
        present_overlap: contact.overlap,
    }
}

fn stated(model: &ContactModel, pair: &PairState) -> ContactStiffness {
    let mut sum = ContactStiffness::default();
    Chain::new(model).laws.iter().for_each(|law| law.stiffness(pair, &mut sum));
    sum
}

/// Viscosities `-F/u` at both steps, split into the part that grows with the step and the rest.
fn split(of: impl Fn(f64) -> f64) -> [f64; 2] {
    let [short, long] = STEPS.map(of);
    let spring = (long - short) / (STEPS[1] - STEPS[0]);
    [spring, short - spring * STEPS[0]]
}

/// The contacts tested: deep and shallow, of particles and with a wall, and gaps where a law acts across them.
fn contacts(model: &ContactModel) -> Vec<Touching> {
    let interaction_range = Chain::new(model).interaction_range();
    let mut all = Vec::new();
    for radii in [[RADIUS, RADIUS], [RADIUS, 0.0], [RADIUS, 0.4 * RADIUS]] {
        let smaller = if radii[1] > 0.0 { radii[1].min(radii[0]) } else { radii[0] };
        let overlaps = [1e-3, 0.01, 0.05].map(|fraction| fraction * smaller);
        let gaps = [0.05, 0.3, 0.7].map(|fraction| -fraction * interaction_range);
        let wanted =
            overlaps.into_iter().chain(gaps.into_iter().filter(|_| interaction_range > 0.0));
        all.extend(wanted.map(|overlap| Touching { radii, overlap, ..STILL }));
    }
    all
}

#[track_caller]
fn check(name: &str, what: &str, measured: f64, stated: f64, is_exact: bool, at: &Touching) {
    let (measured, overlap) = (measured.abs(), at.overlap);
    // the difference of two forces loses some ten digits
    let most = 1.001 * stated + 1e-7;
    assert!(
        measured <= most,
        "{name}: {what} {measured:e} > {stated:e} at {overlap:e} {:?}",
        at.radii
    );
    if is_exact {
        assert!(
            measured >= EXACT * stated - 1e-7,
            "{name}: {what} {measured:e} < {stated:e} at {overlap:e} {:?}",
            at.radii
        );
    }
}

#[test]
fn the_stated_normal_stiffness_is_the_derivative_of_the_force() {
    for (name, model) in models() {
        let is_exact = Chain::new(&model).laws.iter().all(|law| law.stiffness_is_exact());
        for contact in contacts(&model) {
            let found = stated(&model, &state(&contact));
            let shift = 1e-5 * contact.overlap.abs();
            let at = |sign: f64| {
                let overlap = contact.overlap + sign * shift;
                forces(&model, &Touching { overlap, ..contact }, 0.0)
            };
            let [after, before] = [at(1.0), at(-1.0)];
            let slope = |of: fn(&Forces) -> f64| (of(&after) - of(&before)) / (2.0 * shift);
            let elastic = slope(|forces| forces.elastic[0]);
            check(name, "normal stiffness", elastic, found.normal, is_exact, &contact);
            let attraction = slope(|forces| forces.cohesion[0]);
            let alone = model.cohesion.len() < 2;
            check(
                name,
                "slope of cohesion",
                attraction,
                found.cohesion,
                is_exact && alone,
                &contact,
            );
        }
    }
}

#[test]
fn the_stated_normal_dashpot_is_the_derivative_by_the_speed() {
    for (name, model) in models() {
        let is_exact = Chain::new(&model).laws.iter().all(|law| law.stiffness_is_exact());
        for contact in contacts(&model) {
            let found = stated(&model, &state(&contact));
            let at = |sign: f64| {
                let closing_speed = sign * SPEED;
                let forces = forces(&model, &Touching { closing_speed, ..contact }, 0.0);
                forces.elastic[0] + forces.damping[0]
            };
            let measured = (at(1.0) - at(-1.0)) / (2.0 * SPEED);
            check(name, "normal dashpot", measured, found.normal_dashpot, is_exact, &contact);
        }
    }
}

#[test]
fn the_stated_stiffness_of_slip_is_the_derivative_of_a_contact_that_sticks() {
    for (name, model) in models() {
        let is_exact = Chain::new(&model).laws.iter().all(|law| law.stiffness_is_exact());
        for contact in contacts(&model).into_iter().filter(|contact| contact.overlap > 0.0) {
            let pair = state(&contact);
            let found = stated(&model, &pair);
            let slip_velocity = SPEED * Vec3::X;
            let viscosity = |dt: f64| {
                let forces = forces(&model, &Touching { slip_velocity, ..contact }, dt);
                -vector(&forces.tangential, 0).x / SPEED
            };
            // a force that at most stops the slip of its own contact is stable, and one that is limited by friction at
            // any speed does not grow
            let stops = 2.0 / 7.0 * pair.effective_mass / STEPS[1];
            let limits_itself = found.slip_per_step == 0.0 && name.contains("penalty");
            if (limits_itself && viscosity(STEPS[1]) <= stops) || name.contains("viscous") {
                continue;
            }
            let [spring, dashpot] = split(viscosity);
            let springs = found.slip + found.slip_per_step;
            check(name, "slip stiffness", spring, springs, is_exact, &contact);
            check(name, "slip dashpot", dashpot, found.slip_dashpot, is_exact, &contact);
        }
    }
}

#[test]
fn the_stated_stiffness_of_roll_and_twist_is_the_derivative_of_a_contact_that_sticks() {
    for (name, model) in models() {
        let is_exact = Chain::new(&model).laws.iter().all(|law| law.stiffness_is_exact());
        for contact in contacts(&model).into_iter().filter(|contact| contact.overlap > 0.0) {
            let found = stated(&model, &state(&contact));
            let rolling = Touching { rolling_velocity: SPEED * Vec3::X, ..contact };
            let twisting = Touching { twist_velocity: SPEED, ..contact };
            let roll = |dt: f64| -vector(&forces(&model, &rolling, dt).moment, 0).x / SPEED;
            let twist = |dt: f64| -vector(&forces(&model, &twisting, dt).moment, 0).z / SPEED;
            let mut contacts = Contacts::ZERO;
            set(&mut contacts, 0, &contact, 0.0);
            let inertia = 1.0 / (contacts.inverse_inertia[0][0] + contacts.inverse_inertia[1][0]);
            // moments of at most half of the moment that stops the rolling in a step are stable
            let stops = STEPS.iter().all(|dt| roll(*dt) <= 0.5001 * inertia / dt);
            if !(found.roll == 0.0 && stops) {
                let [spring, dashpot] = split(roll);
                check(name, "roll stiffness", spring, found.roll, is_exact, &contact);
                check(name, "roll dashpot", dashpot, found.roll_dashpot, is_exact, &contact);
            }
            if name.contains("viscous") {
                continue;
            }
            let [spring, dashpot] = split(twist);
            check(name, "twist stiffness", spring, found.twist, is_exact, &contact);
            check(name, "twist dashpot", dashpot, found.twist_dashpot, is_exact, &contact);
        }
    }
}

#[test]
fn the_deepest_overlap_of_an_impact_stores_the_energy_of_the_approach() {
    use esker::law::Encounter;
    for (name, model) in models() {
        let chain = Chain::new(&model);
        for contact in contacts(&model).into_iter().filter(|contact| contact.overlap > 0.0) {
            let pair = state(&contact);
            for speed in [1e-3, 0.1, 3.0] {
                let encounter = Encounter {
                    radii: pair.radii,
                    effective_radius: pair.effective_radius,
                    effective_mass: pair.effective_mass,
                    speed,
                    radius_sum: pair.radius_sum(),
                };
                let Some(law) = chain.laws.first() else { continue };
                let Some(deepest) = law.deepest_overlap(&encounter, contact.overlap) else {
                    continue;
                };
                if name.contains("lens") {
                    // the closed form of the impact uses the shallow lens
                    continue;
                }
                let energy = |overlap: f64| {
                    let touching = Touching { overlap, ..contact };
                    forces(&model, &touching, 0.0).normal_energy[0]
                };
                let stored = energy(deepest) - energy(contact.overlap);
                let kinetic = 0.5 * pair.effective_mass * speed * speed;
                // Newton's method stays above the root, by less than one part in a hundred
                assert!(stored > kinetic * (1.0 - 1e-6), "{name}: {stored:e} of {kinetic:e} J");
                assert!(
                    stored < 1.03 * kinetic + 0.03 * energy(contact.overlap),
                    "{name}: {speed}"
                );
            }
        }
    }
}
