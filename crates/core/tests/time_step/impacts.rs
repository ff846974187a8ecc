//! Impacts with the automatic step: restitution at every position of first touch within a step.

use crate::common::*;
use esker::law::damping::TensileCutoff;
use esker::prelude::*;
use esker::time_step::{STEPS_PER_IMPACT, STEPS_PER_LINEAR_IMPACT};

const SPEED: f64 = 1.0;
const PHASES: usize = 32;
const RESTITUTIONS: [f64; 7] = [0.05, 0.1, 0.2, 0.5, 0.8, 0.95, 1.0];

/// A ball that flies at the floor from a gap [m].
fn ball(contact: &ContactModel, pair: &Pair, gap: f64) -> Scene {
    let (mut scene, material) = scene(contact.clone(), pair.clone());
    scene.add_wall("floor", floor(), material);
    scene.add_sphere(material, sphere((RADIUS + gap) * Vec3::Z, -SPEED * Vec3::Z));
    scene
}

/// Speed of the rebound.
fn rebound(scene: Scene) -> f64 {
    let mut simulation = scene.build().expect("a valid scene");
    loop {
        simulation.step().expect("a healthy step");
        let (height, speed) = (position(&simulation, 0).z, velocity(&simulation, 0).z);
        if speed >= 0.0 && height > RADIUS {
            return speed;
        }
        assert!(simulation.steps() < 100_000, "the ball stays");
    }
}

#[track_caller]
fn check(contact: impl Fn(TensileCutoff) -> ContactModel, pair: &Pair) {
    for tension in [TensileCutoff::Keep, TensileCutoff::Clip, TensileCutoff::Release] {
        for restitution in RESTITUTIONS {
            let pair = pair.clone().restitution(restitution);
            let start = ball(&contact(tension), &pair, 0.01 * RADIUS);
            let dt = start.build().expect("a valid scene").dt();
            for phase in 0..PHASES {
                let gap = 0.01 * RADIUS + phase as f64 / PHASES as f64 * SPEED * dt;
                let found = rebound(ball(&contact(tension), &pair, gap)) / SPEED;
                assert!(
                    (found - restitution).abs() <= 0.01,
                    "{tension:?}: {found} instead of {restitution} at phase {phase}"
                );
            }
        }
    }
}

#[test]
fn hertzian_impacts_have_their_restitution_within_a_hundredth_at_every_phase() {
    let contact = |tension| {
        ContactModel::normal(normal::Hertz { tension }).damping(damping::HertzDamping::default())
    };
    check(contact, &Pair::new());
}

#[test]
fn linear_impacts_have_their_restitution_within_a_hundredth_at_every_phase() {
    let contact = |tension| {
        ContactModel::normal(normal::Linear { tension }).damping(damping::LinearDamping::default())
    };
    check(contact, &Pair::new().normal_stiffness(1e5));
}

#[test]
fn power_law_impacts_have_their_restitution_within_a_hundredth_at_every_phase() {
    let contact = |tension| {
        ContactModel::normal(normal::PowerLaw { tension, ..normal::PowerLaw::default() })
            .damping(damping::HertzDamping::default())
    };
    check(contact, &Pair::new().contact_modulus(1e8).strain_exponent(0.7));
}

/// Steps within the impact, from its maximum stiffness: an evaluation lies within half a step of it.
fn resolved(simulation: &Simulation) -> f64 {
    1.02 * simulation.steps_per_contact().expect("it has touched")
}

#[test]
fn a_ball_that_falls_from_far_away_is_resolved_when_it_touches() {
    for (contact, pair, steps) in [
        (damped(), Pair::new().restitution(0.7), STEPS_PER_IMPACT),
        (
            ContactModel::normal(normal::Linear::default()),
            Pair::new().normal_stiffness(1e5),
            STEPS_PER_LINEAR_IMPACT[1],
        ),
    ] {
        let (mut scene, material) = scene(contact, pair);
        scene.gravity = -G * Vec3::Z;
        scene.health.overlap_limit = 0.5;
        scene.add_wall("floor", floor(), material);
        scene.add_sphere(material, sphere(1.0 * Vec3::Z, Vec3::ZERO));
        let mut simulation = scene.build().expect("a valid scene");
        let start = simulation.dt();
        while simulation.steps_per_contact().is_none() || velocity(&simulation, 0).z < 0.0 {
            simulation.step().expect("a healthy step");
        }
        assert!(simulation.dt() <= start);
        assert!(resolved(&simulation) >= steps, "{} of {steps}", resolved(&simulation));
    }
}

#[test]
fn a_fast_ball_is_resolved_though_no_body_was_near_it() {
    let (mut scene, material) = scene(damped(), Pair::new().restitution(0.7));
    scene.health.overlap_limit = 0.5;
    scene.add_sphere(material, sphere(Vec3::ZERO, Vec3::ZERO));
    scene.add_sphere(material, sphere(-30.0 * RADIUS * Vec3::X, 20.0 * Vec3::X));
    let mut simulation = scene.build().expect("a valid scene");
    let start = simulation.dt();
    while simulation.time() < 0.04 {
        simulation.step().expect("a healthy step");
    }
    assert!(velocity(&simulation, 0).x > 10.0, "they have not met");
    assert!(resolved(&simulation) >= STEPS_PER_IMPACT, "{}", resolved(&simulation));
    // without contacts again, the step grows back to its cap, level by level
    (0..20_000).for_each(|_| simulation.step().expect("a healthy step"));
    assert!(simulation.dt() > 0.8 * start, "{:e} {start:e}", simulation.dt());
}

/// The scheme as implemented evaluates statics at the present overlap: no dashpot acts at rest.
#[test]
fn the_overlap_at_rest_does_not_depend_on_the_step() {
    for restitution in [0.5, 0.05] {
        for tension in [TensileCutoff::Keep, TensileCutoff::Clip, TensileCutoff::Release] {
            let overlap = |dt: f64| {
                let contact = ContactModel::normal(normal::Hertz { tension })
                    .damping(damping::HertzDamping::default());
                let (mut scene, material) = scene(contact, Pair::new().restitution(restitution));
                scene.gravity = -G * Vec3::Z;
                scene.add_wall("floor", floor(), material);
                let start = RADIUS - overlap_under(G * mass(RADIUS), RADIUS);
                scene.add_sphere(material, sphere(start * Vec3::Z, Vec3::ZERO));
                scene.step = StepSize::Fixed(dt);
                let mut simulation = scene.build().expect("a valid scene");
                (0..20_000).for_each(|_| simulation.step().expect("a healthy step"));
                RADIUS - position(&simulation, 0).z
            };
            let [short, long] = [1e-6, 2e-5].map(overlap);
            // coordinates are rounded to 1e-16 of a centimetre, 1e-12 of the overlap
            assert!(
                (short / long - 1.0).abs() < 1e-9,
                "{restitution} {tension:?}: {short:e} {long:e}"
            );
        }
    }
}
