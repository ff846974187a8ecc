//! `mie`: equilibrium, oscillation, truncation.

use super::*;
use esker::law::cohesion::{Mie, Truncation};
use std::f64::consts::TAU;

/// Equilibrium distance [m] and stiffness there [N/m].
const EQUILIBRIUM: f64 = 3.0 * RADIUS;
const STIFFNESS: f64 = 100.0;
const EXPONENTS: [f64; 2] = [2.0, 4.0];

/// κ₁ from the stiffness `κ₁ (λ₂-λ₁) d₀^{-λ₁-1}`, κ₂ from the equilibrium `(κ₂/κ₁)^{1/(λ₂-λ₁)}`.
fn strengths() -> [f64; 2] {
    let [first, second] = EXPONENTS;
    let attraction = STIFFNESS / (second - first) * EQUILIBRIUM.powf(first + 1.0);
    [attraction, attraction * EQUILIBRIUM.powf(second - first)]
}

fn pair(cutoff: f64) -> Pair {
    let [attraction, repulsion] = strengths();
    Pair::new()
        .mie_attraction(attraction)
        .mie_attraction_exponent(EXPONENTS[0])
        .mie_repulsion(repulsion)
        .mie_repulsion_exponent(EXPONENTS[1])
        .mie_cutoff(cutoff)
}

fn model(truncation: Truncation) -> ContactModel {
    hertz().cohesion(Mie { truncation })
}

/// Attraction and potential at a distance of the centres.
fn at(distance: f64, truncation: Truncation) -> [f64; 2] {
    let scene = two(model(truncation), pair(0.1), distance - 2.0 * RADIUS, 0.0);
    let simulation = scene.build().expect("a valid scene");
    let force = simulation.contacts().first().map_or(0.0, |view| view.cohesion);
    [force, simulation.energy().cohesion]
}

/// `κ₁ d^{-λ₁} - κ₂ d^{-λ₂}`.
fn closed(distance: f64) -> f64 {
    let [attraction, repulsion] = strengths();
    attraction * distance.powf(-EXPONENTS[0]) - repulsion * distance.powf(-EXPONENTS[1])
}

#[test]
fn the_force_is_that_of_the_paper_below_the_truncation_and_zero_beyond() {
    for truncation in [Truncation::Smooth, Truncation::Sharp] {
        for distance in [0.021, 0.025, 0.035, 0.06, 0.0899] {
            let [force, _] = at(distance, truncation);
            assert_close(force, closed(distance), 1e-12);
        }
        assert_eq!(at(0.1001, truncation), [0.0, 0.0]);
        let [force, _] = at(EQUILIBRIUM, truncation);
        assert!(force.abs() < 1e-12 * STIFFNESS * RADIUS, "balanced: {force}");
        assert!(at(0.99 * EQUILIBRIUM, truncation)[0] < 0.0, "repels when nearer");
    }
    let [sharp, _] = at(0.0999, Truncation::Sharp);
    assert_close(sharp, closed(0.0999), 1e-12);
}

#[test]
fn the_smooth_truncation_ends_at_zero_and_its_force_is_the_slope_of_its_potential() {
    let h = 1e-6;
    let scale = closed(0.09);
    for distance in [0.03, 0.05, 0.0895, 0.0905, 0.093, 0.097, 0.0995] {
        let [force, _] = at(distance, Truncation::Smooth);
        let [ahead, behind] = [h, -h].map(|step| at(distance + step, Truncation::Smooth)[1]);
        // central difference: h² of the third derivative, and rounding over h
        let slope = (ahead - behind) / (2.0 * h);
        assert!((force - slope).abs() < 1e-6 * scale, "{distance}: {force} {slope}");
    }
    let [force, energy] = at(0.1 - 1e-7, Truncation::Smooth);
    assert!(force.abs() < 1e-9 * scale && energy.abs() < 1e-9 * scale * 0.1);
}

#[test]
fn a_pair_oscillates_about_its_equilibrium_with_the_period_of_its_stiffness() {
    let amplitude = 1e-3 * RADIUS;
    let scene =
        two(model(Truncation::Smooth), pair(0.1), EQUILIBRIUM - 2.0 * RADIUS + amplitude, 0.0);
    let mut simulation = scene.build().expect("a valid scene");
    let period = TAU * (effective_mass() / STIFFNESS).sqrt();
    let count = 100;
    let mut crossings = Vec::new();
    let stretch = |simulation: &Simulation| {
        position(simulation, 1).x - position(simulation, 0).x - EQUILIBRIUM
    };
    let mut worst = 0.0f64;
    while crossings.len() <= count {
        let before = (simulation.time(), stretch(&simulation));
        simulation.step().expect("a healthy step");
        let now = (simulation.time(), stretch(&simulation));
        worst = worst.max(simulation.energy().closure_error.abs());
        if before.1 < 0.0 && now.1 >= 0.0 {
            crossings.push(before.0 + (now.0 - before.0) * before.1 / (before.1 - now.1));
        }
    }
    let found = (crossings[count] - crossings[0]) / count as f64;
    // velocity Verlet: (ω Δt)²/24 with 40 steps a period; the amplitude shifts it by (a/d₀)² of order one
    assert_close(found, period, 2e-3);
    // conserved: the error of the method oscillates with (ω Δt)²/8 and does not grow
    let energy = 0.5 * STIFFNESS * amplitude * amplitude;
    assert!(worst < 5e-3 * energy, "closes to {:e}", worst / energy);
}

#[test]
fn two_spheres_that_fly_apart_lose_the_depth_of_the_potential() {
    let start = EQUILIBRIUM;
    let [_, depth] = at(start, Truncation::Sharp);
    assert!(depth < 0.0);
    let escape = (2.0 * -depth / effective_mass()).sqrt();
    for (factor, escapes) in [(0.98, false), (1.02, true)] {
        let scene =
            two(model(Truncation::Smooth), pair(0.1), start - 2.0 * RADIUS, factor * escape);
        let mut simulation = scene.build().expect("a valid scene");
        let time = 0.5;
        run_until(&mut simulation, time);
        let distance = position(&simulation, 1).x - position(&simulation, 0).x;
        assert_eq!(distance > 0.1, escapes, "{factor}: {distance}");
        if escapes {
            let expected = escape * (factor * factor - 1.0f64).sqrt();
            assert_close(parting_speed(&simulation), expected, 1e-2);
        }
    }
}

#[test]
fn the_time_step_follows_the_stiffness_of_the_near_field() {
    let scene = two(model(Truncation::Smooth), pair(0.1), 0.01, 0.0);
    let advice = *scene.build().expect("a valid scene").advice();
    // no contact of grains at rest goes deeper than the equilibrium, where this is half a period
    let half_period = 0.5 * TAU * (effective_mass() / STIFFNESS).sqrt();
    assert!(advice.contact_time <= half_period * (1.0 + 1e-9), "{}", advice.contact_time);
}
