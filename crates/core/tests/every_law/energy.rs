//! Closed paths: no contact law creates energy.

use crate::chain::{Chain, Numbers, Touching, set, vector};
use crate::models::{is_elastic, models};
use esker::law::{Column, Contacts, Forces, WIDTH};
use esker::prelude::*;

/// Work done on the contacts of a chunk along a path, and the energy stored at its end, by lane.
pub(crate) struct Balance {
    pub(crate) normal_work: Column,
    tangential_work: Column,
    rolling_work: Column,
    pub(crate) last: Forces,
    stiffest: Column,
    /// Loss of cohesion along the path, as accounted for by the law.
    pub(crate) cohesion_loss: Column,
    /// Largest jump of the cohesion times the displacement in its step: the error of the sum due to a jump.
    pub(crate) jump: Column,
}

/// Evaluates a chunk along a path; `path(step, lane)` gives the contact at the end of each step. Work is force at the
/// end of a step times increment, with the mean for normal forces.
pub(crate) fn lead(
    model: &ContactModel,
    steps: usize,
    dt: f64,
    path: impl Fn(usize, usize) -> Touching,
) -> Balance {
    let mut chain = Chain::new(model);
    let mut contacts = Contacts::ZERO;
    let zero = [0.0; WIDTH];
    let mut balance = Balance {
        normal_work: zero,
        tangential_work: zero,
        rolling_work: zero,
        last: Forces::ZERO,
        stiffest: zero,
        cohesion_loss: zero,
        jump: zero,
    };
    let mut before = Forces::ZERO;
    for step in 0..steps {
        let earlier = contacts.overlap;
        (0..WIDTH).for_each(|c| set(&mut contacts, c, &path(step, c), dt));
        let forces = chain.evaluate(&contacts, dt);
        for c in 0..WIDTH {
            let press =
                |forces: &Forces| forces.elastic[c] + forces.damping[c] - forces.cohesion[c];
            if step > 0 {
                let way = contacts.overlap[c] - earlier[c];
                balance.normal_work[c] += 0.5 * (press(&before) + press(&forces)) * way;
                let jump = (forces.cohesion[c] - before.cohesion[c]) * way;
                balance.jump[c] = balance.jump[c].max(jump.abs());
            }
            balance.cohesion_loss[c] += forces.cohesion_loss[c];
            balance.tangential_work[c] -=
                vector(&forces.tangential, c).dot(vector(&contacts.slip, c));
            balance.rolling_work[c] -= vector(&forces.moment, c).dot(vector(&contacts.roll, c));
            balance.stiffest[c] = balance.stiffest[c].max(forces.normal_stiffness[c]);
        }
        chain.commit();
        before = forces;
    }
    balance.last = before;
    balance
}

/// A contact at rest, compressed by a hundredth of its radius.
pub(crate) fn pressed(overlap: f64) -> Touching {
    Touching {
        radii: [0.01, 0.01],
        overlap,
        closing_speed: 0.0,
        normal: Vec3::Z,
        slip_velocity: Vec3::ZERO,
        rolling_velocity: Vec3::ZERO,
        twist_velocity: 0.0,
    }
}

pub(crate) const DEPTH: f64 = 1e-4;

#[test]
fn no_energy_is_gained_by_loading_and_unloading() {
    let (steps, dt) = (4000, 1e-6);
    for (name, model) in models() {
        let balance = lead(&model, steps + 1, dt, |step, c| {
            let frequency = std::f64::consts::PI / (steps as f64 * dt);
            let phase = std::f64::consts::PI * step as f64 / steps as f64;
            // each lane is compressed more than the one before
            let depth = DEPTH * (c + 1) as f64 / WIDTH as f64;
            Touching {
                closing_speed: depth * frequency * phase.cos(),
                ..pressed(depth * phase.sin())
            }
        });
        let is_elastic = is_elastic(&model);
        // the work of a persistent adhesion at its onset is not recovered
        let lasts = name == "persistent adhesion";
        for c in 0..WIDTH {
            let depth = DEPTH * (c + 1) as f64 / WIDTH as f64;
            let peak = 0.4 * balance.stiffest[c] * depth * depth;
            let work = balance.normal_work[c];
            // the trapezoidal rule on √δ at the ends of the path: (1/4000)^{3/2}
            let tolerance = 1e-5 * peak + balance.jump[c];
            assert!(work > -tolerance, "{name}: gained {} of {peak} J", -work);
            if is_elastic {
                let lost = if lasts { balance.cohesion_loss[c] } else { 0.0 };
                assert!((work - lost).abs() < tolerance, "{name}: lost {work} of {peak} J");
            } else if model.damping.is_some() {
                assert!(work > 10.0 * tolerance, "{name}: damping took only {work} of {peak} J");
            }
        }
    }
}

/// Velocity of step `step` on a random closed path of some corners in the plane.
fn around(seed: usize, step: usize, steps: usize, size: f64, dt: f64) -> Vec3 {
    const CORNERS: usize = 5;
    let corner_of = |index: usize| {
        let mut numbers = Numbers::new(1000 + seed as u64);
        let mut corner = Vec3::ZERO;
        // the path starts and ends at the origin
        for _ in 0..index % CORNERS {
            corner = size * Vec3::new(numbers.between(-1.0, 1.0), numbers.between(-1.0, 1.0), 0.0);
        }
        corner
    };
    let leg = step * CORNERS / steps;
    (corner_of(leg + 1) - corner_of(leg)) * (CORNERS as f64 / (steps as f64 * dt))
}

#[test]
fn no_energy_is_gained_by_sliding_and_rolling_around_at_constant_load() {
    // so slow that dashpots are negligible and only springs act
    let (steps, dt) = (1000, 1.0);
    for (name, model) in models() {
        let balance = lead(&model, steps, dt, |step, c| {
            // from paths that stick to paths that slip nearly all the time
            let size = 1e-7 * 10f64.powf(4.0 * c as f64 / WIDTH as f64);
            Touching {
                slip_velocity: around(c, step, steps, size, dt),
                rolling_velocity: around(c + 50, step, steps, 100.0 * size, dt),
                ..pressed(DEPTH)
            }
        });
        for c in 0..WIDTH {
            let balances = [
                ("sliding", balance.tangential_work[c], balance.last.tangential_energy[c]),
                ("rolling", balance.rolling_work[c], balance.last.rolling_energy[c]),
            ];
            for (what, work, stored) in balances {
                // the energy stored at the end was put in; rounding of the sum of a thousand terms
                assert!(work >= stored * (1.0 - 1e-9) - 1e-22, "{name}: {what} {work} {stored}");
            }
        }
    }
}

#[test]
fn energy_gained_by_sliding_under_a_varying_load_stays_below_that_of_the_spring() {
    // a spring whose stiffness follows the load gains energy when the load grows: a known weakness of the law, bounded
    // by the largest energy of the spring at the largest load
    let (steps, dt) = (1000, 1.0);
    for (name, model) in models().into_iter().filter(|(_, model)| model.tangential.is_some()) {
        let load = |step: usize, c: usize| {
            let phase = std::f64::consts::TAU * step as f64 / steps as f64;
            DEPTH * (0.55 - 0.45 * (phase + 0.2 * c as f64).cos())
        };
        let size = |c: usize| 1e-7 * 10f64.powf(4.0 * c as f64 / WIDTH as f64);
        let balance = lead(&model, steps, dt, |step, c| Touching {
            slip_velocity: around(c, step, steps, size(c), dt),
            ..pressed(load(step, c))
        });
        let mut worst = 0.0f64;
        for c in 0..WIDTH {
            let gained = balance.last.tangential_energy[c] - balance.tangential_work[c];
            // the limit of friction at the largest load, over the tangential stiffness there, which is at least half
            // the normal one for any Poisson's ratio; the path is at most √8 long
            let limit = 0.4 * 2.0 / 3.0 * balance.stiffest[c] * DEPTH;
            let displacement = (limit / (0.5 * balance.stiffest[c])).min(8f64.sqrt() * size(c));
            let bound = 0.5 * balance.stiffest[c] * displacement * displacement;
            worst = worst.max(gained / bound);
            // a spring that is rescaled as its stiffness grows gains nothing, to rounding
            let bound = if name.contains("rescaled") { 1e-9 * bound } else { bound };
            assert!(gained <= bound, "{name}: gained {gained} J, bound {bound} J");
        }
        println!("{name}: at most {:.2} % of the energy of the spring is gained", 100.0 * worst);
    }
}

#[test]
fn a_load_that_grows_on_a_stretched_spring_gains_the_added_energy_of_the_stiffer_spring() {
    // loading at a tenth of the load, unloading at the whole load: the worst case of a varying load
    let (steps, dt, size) = (300, 1.0, 1e-6);
    let path = |step: usize, _: usize| {
        let fraction = (step as f64 / steps as f64 * 3.0).fract();
        let speed = 3.0 * size / (steps as f64 * dt);
        let (load, velocity) = match 3 * step / steps {
            0 => (0.1, speed),
            1 => (0.1 + 0.9 * fraction, 0.0),
            _ => (1.0, -speed),
        };
        Touching { slip_velocity: velocity * Vec3::X, ..pressed(load * DEPTH) }
    };
    for (name, model) in models().into_iter().filter(|(_, model)| model.tangential.is_some()) {
        let [out, loaded, back] = [1, 2, 3].map(|thirds| {
            let balance = lead(&model, thirds * steps / 3, dt, path);
            (balance.tangential_work[0], balance.last.tangential_energy[0])
        });
        if out.1 == 0.0 {
            // no spring
            continue;
        }
        let gained = back.1 - back.0;
        let stiffening = loaded.1 - out.1;
        // the work is the sum over a hundred steps of the force at the end of each
        let tolerance = 0.03 * out.1.max(loaded.1).max(back.1);
        assert!((gained - stiffening).abs() < tolerance, "{name}: {gained} {stiffening}");
        if name.contains("rescaled") {
            assert!(gained < 0.0, "{name}: gained {gained}");
        }
        println!(
            "{name}: {:.0} % of the energy of the spring is gained",
            100.0 * gained / loaded.1
        );
    }
}
