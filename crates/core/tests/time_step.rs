//! The limit on the time step holds where it must: among as many neighbours as fit around a sphere,
//! each pressed in as deeply as an impact at the assumed speed presses.
//!
//! An impact at speed v has `k δ² = 15/8 m* v²` at its turn, `k` the stiffness there, and lasts
//! `t = 2.943 δ/v`: `√(k/m*) = 4.03/t`. A crystal of spheres that touch twelve others has modes up to
//! `ω² = 8 k/m` (neighbouring layers against each other) and, where contacts stick, `40 k_t/m` (all
//! turn alike). Without friction, steps up to `2/ω` = 0.248 t are stable: the limit, 0.2 t, holds and
//! twice the limit does not. Springs that stick grow by the predicted end velocity times the step,
//! which is stable up to `ω²Δt² + 4ζωΔt = 2` only, with `2ζω = 40 d_t/m`; the limit is 0.95 of that.

mod common;

use common::*;
use esker::prelude::*;
use esker::scene::StepLimit;
use esker::time_step::{LIMIT_SHARE, RAYLEIGH_SHARE};

/// Speed of the impact that the step is chosen for [m/s].
const SPEED: f64 = 1.0;

/// Spheres that only press.
fn pressing() -> (Scene, MaterialId) {
    scene(hertz(), Pair::new())
}

/// Spheres that stick, with dashpots of this ratio.
fn sticking(damping_ratio: f64) -> (Scene, MaterialId) {
    let pair = Pair::new().friction(10.0).with("tangential_damping_ratio", damping_ratio);
    scene(hertz().tangential(tangential::Mindlin::default()), pair)
}

/// The limit that Esker gives for two grains that fly at each other.
fn limit((mut scene, material): (Scene, MaterialId)) -> f64 {
    scene.add_sphere(material, sphere(Vec3::ZERO, Vec3::X * SPEED));
    scene.add_sphere(material, sphere(Vec3::X * 3.0 * RADIUS, Vec3::ZERO));
    scene.build().expect("a valid scene").advice().limit
}

/// Distance of two centres at the turn of an impact of two grains [m].
fn distance() -> f64 {
    2.0 * RADIUS - largest_overlap(0.5 * mass(RADIUS), 0.5 * RADIUS, SPEED)
}

/// A tiny vector that differs from sphere to sphere.
fn tiny(number: usize) -> Vec3 {
    let part = |factor: f64| (1.0 + factor * number as f64).sin();
    1e-6 * Vec3::new(part(1.7), part(2.9), part(4.3))
}

fn nudged(position: Vec3, number: usize) -> Sphere {
    let turn = tiny(number + 100) / RADIUS;
    Sphere { spin: turn, ..sphere(position, SPEED * tiny(number)) }
}

/// Spheres in a periodic crystal: each touches twelve others.
fn crystal((mut scene, material): (Scene, MaterialId)) -> Scene {
    const CELLS: usize = 3;
    let edge = distance() * 2.0f64.sqrt();
    let mut domain = Domain::new(Vec3::ZERO, Vec3::splat(CELLS as f64 * edge));
    domain.periodic = [true; 3];
    scene.domain = Some(domain);
    let corner = Vec3::splat(0.25);
    let sites = [
        corner,
        corner + Vec3::new(0.5, 0.5, 0.0),
        corner + Vec3::new(0.5, 0.0, 0.5),
        corner + Vec3::new(0.0, 0.5, 0.5),
    ];
    for cell in 0..CELLS * CELLS * CELLS {
        let [x, y, z] = [cell % CELLS, cell / CELLS % CELLS, cell / CELLS / CELLS];
        for (number, site) in sites.iter().enumerate() {
            let position = edge * (*site + Vec3::new(x as f64, y as f64, z as f64));
            scene.add_sphere(material, nudged(position, 4 * cell + number));
        }
    }
    scene
}

/// A sphere held among ten: the twelve of the crystal without two opposite ones.
fn among_ten((mut scene, material): (Scene, MaterialId)) -> Scene {
    scene.add_sphere(material, nudged(Vec3::ZERO, 1));
    let half = distance() / 2.0f64.sqrt();
    for (first, second) in [(0, 1), (0, 2), (1, 2)] {
        for signs in [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]] {
            if (first, second) == (1, 2) && signs[0] == signs[1] {
                continue;
            }
            let mut position = Vec3::ZERO;
            position[first] = signs[0] * half;
            position[second] = signs[1] * half;
            scene.add_sphere(material, sphere(position, Vec3::ZERO));
            scene.particles.last_mut().expect("just added").fixed = true;
        }
    }
    scene
}

/// How many times the kinetic energy grows within three thousand steps.
fn growth(mut scene: Scene, dt: f64) -> f64 {
    scene.step = StepSize::Fixed(dt);
    scene.health.step_limit = StepLimit::Warn;
    scene.health.overlap_limit = 1.0;
    let mut simulation = scene.build().expect("a valid scene");
    let start = simulation.kinetic_energy() + simulation.rotational_energy();
    let mut most = start;
    for _ in 0..3000 {
        if simulation.step().is_err() {
            return f64::INFINITY;
        }
        most = most.max(simulation.kinetic_energy() + simulation.rotational_energy());
    }
    most / start
}

/// Verlet's method magnifies a stable oscillation by up to `1/(1 - (ω dt/2)²)`, 25 at 0.98 of the
/// edge; an unstable one grows until the contacts open, a million million times.
#[track_caller]
fn check(scene: impl Fn() -> Scene, limit: f64) {
    let at_limit = growth(scene(), limit);
    assert!(at_limit < 100.0, "{at_limit:.1e} times at the limit");
    let beyond = growth(scene(), 2.0 * limit);
    assert!(beyond > 1e6, "{beyond:.1e} times at twice the limit");
}

#[test]
fn the_limit_is_a_fifth_of_the_shortest_impact() {
    // wall and grain take longer than two grains: m*^{2/5} R*^{-1/5}
    let shortest = duration(0.5 * mass(RADIUS), 0.5 * RADIUS, SPEED);
    let expected = LIMIT_SHARE * shortest;
    assert!((limit(pressing()) / expected - 1.0).abs() < 1e-3);
}

#[test]
fn a_sphere_among_ten_is_stable_at_the_limit_and_not_at_twice_the_limit() {
    check(|| among_ten(pressing()), limit(pressing()));
}

#[test]
fn a_sphere_that_sticks_among_ten_is_stable_at_the_limit_and_not_at_twice_the_limit() {
    // the fixed ones do not turn: ω² = 10 · 2/3 k_t/(2/5 m), of the 20 k_t/m that the limit is for
    for damping_ratio in [0.0, 0.1, 0.5] {
        check(|| among_ten(sticking(damping_ratio)), limit(sticking(damping_ratio)));
    }
}

#[test]
fn a_crystal_that_sticks_is_stable_at_the_limit_and_not_at_twice_the_limit() {
    for damping_ratio in [0.0, 0.1, 0.5] {
        check(|| crystal(sticking(damping_ratio)), limit(sticking(damping_ratio)));
    }
}

#[test]
fn a_crystal_is_stable_at_the_limit_and_not_at_twice_the_limit() {
    check(|| crystal(pressing()), limit(pressing()));
}

/// Spheres that stick by a penalty on their slip velocity.
fn viscous() -> (Scene, MaterialId) {
    let pair = Pair::new().friction(1e6).with("friction_penalty", 1e13);
    scene(hertz().tangential(tangential::Penalty::default()), pair)
}

#[test]
fn a_crystal_that_sticks_by_a_penalty_is_stable_at_the_limit_and_not_at_twice_the_limit() {
    check(|| crystal(viscous()), limit(viscous()));
}

#[test]
fn a_crystal_that_sticks_by_increments_is_stable_at_the_limit_and_not_at_twice_the_limit() {
    let sticking = || {
        let law = tangential::Incremental::default();
        scene(hertz().tangential(law), Pair::new().friction(10.0))
    };
    check(|| crystal(sticking()), limit(sticking()));
}

#[test]
fn a_crystal_that_sticks_by_mapped_springs_is_stable_at_the_limit_and_not_at_twice_the_limit() {
    let sticking = || {
        let law = tangential::RollingMapped::default();
        scene(hertz().tangential(law), Pair::new().friction(10.0))
    };
    check(|| crystal(sticking()), limit(sticking()));
}

/// `√(k_t/m*)` at the turn of an impact times its duration.
fn tangential_rate() -> f64 {
    let ratio = 4.0 * effective_shear_modulus() / effective_modulus();
    2.943_275 * (15.0 / 8.0 * ratio).sqrt()
}

#[test]
fn a_crystal_that_sticks_becomes_unstable_where_theory_says() {
    let duration = duration(0.5 * mass(RADIUS), 0.5 * RADIUS, SPEED);
    for damping_ratio in [0.0, 0.1, 0.5] {
        // 20 y² + 80 ξ y = 4
        let edge = -2.0 * damping_ratio + (4.0 * damping_ratio * damping_ratio + 0.2f64).sqrt();
        let edge = edge * duration / tangential_rate();
        let grows = |share: f64| growth(crystal(sticking(damping_ratio)), share * edge);
        assert!(grows(0.25) < 2.0);
        assert!(grows(0.98) < 100.0);
        // 1.02 of the edge would do without dashpots; with them the mode grows more slowly
        assert!(grows(1.04) > 1e6, "{damping_ratio}");
        let given = limit(sticking(damping_ratio));
        assert!((given / edge - 0.95).abs() < 1e-3, "{given} {edge}");
    }
}

#[test]
fn a_crystal_becomes_unstable_where_theory_says() {
    // 2/ω = 0.2481 t, 1.24 times the limit
    let edge = 2.0 / (8.0f64 * 15.0 / 16.0).sqrt() / 2.943_275 / LIMIT_SHARE;
    assert!(growth(crystal(pressing()), 0.98 * edge * limit(pressing())) < 100.0);
    assert!(growth(crystal(pressing()), 1.02 * edge * limit(pressing())) > 1e6);
}

#[test]
fn the_automatic_step_keeps_below_the_rayleigh_time_where_contacts_are_slow() {
    let step = |speed: f64| {
        let (mut scene, material) = scene(hertz(), Pair::new());
        scene.add_sphere(material, sphere(Vec3::ZERO, Vec3::X * speed));
        scene.build().expect("a valid scene").dt()
    };
    let shear = YOUNG / (2.0 * (1.0 + POISSON));
    let rayleigh = std::f64::consts::PI * RADIUS * (DENSITY / shear).sqrt();
    let rayleigh = rayleigh / (0.1631 * POISSON + 0.8766);
    assert!((step(1e-3) / (RAYLEIGH_SHARE * rayleigh) - 1.0).abs() < 1e-12);
    let impact = duration(0.5 * mass(RADIUS), 0.5 * RADIUS, 20.0);
    assert!((step(20.0) / (0.05 * impact) - 1.0).abs() < 1e-3);
}

/// A grain that falls through a periodic domain for ever.
fn endless_fall() -> Scene {
    let (mut scene, material) = scene(hertz(), Pair::new());
    scene.gravity = -1e4 * Vec3::Z;
    let mut domain = Domain::new(Vec3::ZERO, Vec3::splat(10.0 * RADIUS));
    domain.periodic = [true; 3];
    scene.domain = Some(domain);
    scene.add_sphere(material, sphere(Vec3::splat(5.0 * RADIUS), -40.0 * Vec3::Z));
    scene
}

#[test]
fn the_automatic_step_shortens_when_speeds_exceed_what_was_assumed() {
    let mut simulation = endless_fall().build().expect("a valid scene");
    let (first, assumed) = (simulation.dt(), simulation.advice().speed);
    let mut last = first;
    for _ in 0..2000 {
        simulation.step().expect("a healthy step");
        assert!(simulation.dt() <= last);
        last = simulation.dt();
    }
    let speed = 40.0 + 1e4 * simulation.time();
    assert!(speed > 1.2 * assumed, "{speed} m/s");
    // what was assumed at the last look, fifty steps ago at most
    assert!(simulation.advice().speed > speed - 1e4 * 51.0 * first);
    let expected = first * (assumed / simulation.advice().speed).powf(0.2);
    assert!((last / expected - 1.0).abs() < 1e-12, "{last:e} instead of {expected:e}");
}

#[test]
fn a_resumed_run_shortens_its_step_at_the_same_instant() {
    let mut whole = endless_fall().build().expect("a valid scene");
    let mut halves = endless_fall().build().expect("a valid scene");
    for step in 0..1500 {
        whole.step().expect("a healthy step");
        halves.step().expect("a healthy step");
        if step == 730 {
            let saved = halves.save();
            halves = Simulation::restore(endless_fall(), saved).expect("its own state");
        }
    }
    assert!(whole.save() == halves.save());
}

#[test]
fn a_given_step_that_speeds_have_made_too_long_ends_the_run_unless_the_scene_allows_it() {
    let run = |rule: StepLimit| {
        let mut scene = endless_fall();
        scene.health.step_limit = rule;
        let limit = endless_fall().build().expect("a valid scene").advice().limit;
        scene.step = StepSize::Fixed(0.99 * limit);
        let mut simulation = scene.build().expect("a valid scene");
        let end = (0..2000).try_for_each(|_| simulation.step());
        (end, simulation.warnings().len())
    };
    let (end, _) = run(StepLimit::Error);
    let message = end.expect_err("the step is too long").to_string();
    assert!(message.contains("of the limit"), "{message}");
    let (end, warnings) = run(StepLimit::Warn);
    end.expect("the scene allows it");
    assert_eq!(warnings, 1);
}
