//! The incremental tangential law against the problems of Z: an oblique impact (sections 4, 5; figures 5,
//! 6, 9) and the oscillation of a contact that sticks (Z(50)–(52), figure 8).
//!
//! Expected numbers of the impact are from an independent solver with 51 000 steps in the contact; the
//! data are those of Z with errata Z-E9 (mass) and Z-E12 (Newmark's predictor).

#[path = "../common/mod.rs"]
mod common;

mod directions;
mod oscillation;

use common::assert_close;
use esker::integrate::Integrator;
use esker::law::tangential::{ElasticDisplacement, Form, Incremental, StiffnessAt};
use esker::prelude::*;
use std::f64::consts::PI;

const RADIUS: f64 = 0.05;
const MASS: f64 = PI / 6.0;
const G: f64 = 9.8;
/// Duration of the impact without gravity [s].
const HERTZ_DURATION: f64 = 2.873_42e-3;

/// The law of Z.
fn printed() -> Incremental {
    Incremental { shear_factor: 2.0 / 3.0, ..Incremental::default() }
}

/// A sphere of Z above or on a floor of its own material.
fn sphere_on_floor(law: Incremental, friction: f64, sphere: Sphere) -> Scene {
    let mut scene = Scene::new();
    scene.contact = ContactModel::normal(normal::Hertz::default()).tangential(law);
    scene.domain = Some(Domain::new(Vec3::splat(-1.0), Vec3::splat(1.0)));
    scene.integrator = Integrator::NEWMARK_PEC;
    scene.gravity = -G * Vec3::Z;
    let material = Material::new().density(1000.0).young_modulus(0.3e9).poisson_ratio(0.3);
    let material = scene.add_material("grain", material);
    scene.set_pair(material, material, Pair::new().friction(friction));
    let floor = Shape::HalfSpace { point: Vec3::ZERO, normal: Vec3::Z };
    scene.add_wall("floor", floor, material);
    scene.add_sphere(material, sphere);
    scene
}

/// One instant of a contact; all along x.
#[derive(Debug, Clone, Copy)]
struct Moment {
    time: f64,
    overlap: f64,
    normal_force: f64,
    force: f64,
    slip_velocity: f64,
    elastic: f64,
    sliding: bool,
}

/// A contact from touch to parting, and the sphere after it.
struct Impact {
    moments: Vec<Moment>,
    duration: f64,
    velocity: Vec3,
    spin: f64,
    slip_velocity: f64,
    total_slip: f64,
}

impl Impact {
    /// Fraction of the contact at which a condition holds for the first time from `start` on.
    fn first(&self, start: f64, is: impl Fn(&Moment) -> bool) -> f64 {
        let from = self.moments.iter().filter(|moment| moment.time >= start * self.duration);
        from.map(|moment| (moment.time, is(moment)))
            .find(|(_, is)| *is)
            .map_or(f64::NAN, |(time, _)| time / self.duration)
    }

    fn at(&self, fraction: f64) -> &Moment {
        let later = self.moments.iter().find(|moment| moment.time >= fraction * self.duration);
        later.expect("within the contact")
    }
}

struct Case {
    law: Incremental,
    friction: f64,
    /// Spin with the sign of Z: positive if it adds to the slip.
    spin: f64,
    /// Steps in the duration without gravity.
    steps: f64,
}

impl Case {
    fn first_contact(&self) -> Impact {
        self.contacts(1).remove(0)
    }

    fn contacts(&self, count: usize) -> Vec<Impact> {
        let law = Incremental { record_sliding: true, ..self.law };
        let start = Sphere {
            position: Vec3::Z * RADIUS,
            radius: RADIUS,
            velocity: Vec3::new(0.02, 0.0, -0.2),
            spin: -self.spin * Vec3::Y,
        };
        let mut scene = sphere_on_floor(law, self.friction, start);
        scene.step = StepSize::Fixed(HERTZ_DURATION / self.steps);
        let mut simulation = scene.build().expect("a valid scene");
        (0..count).map(|_| contact(&mut simulation)).collect()
    }
}

/// Runs until the next contact is over.
fn contact(simulation: &mut Simulation) -> Impact {
    let mut moments: Vec<Moment> = Vec::new();
    let mut total_slip = 0.0;
    let mut begin = simulation.time();
    loop {
        simulation.step().expect("a healthy step");
        let Some(view) = simulation.contacts().first().copied() else {
            if moments.is_empty() {
                continue;
            }
            break;
        };
        if moments.is_empty() && simulation.steps() > 1 {
            begin = simulation.time() - view.overlap / view.closing_speed;
        }
        let slid = view.sliding_displacement.expect("it is recorded").x;
        total_slip = view.elastic_displacement.x + slid;
        moments.push(Moment {
            time: simulation.time() - begin,
            overlap: view.overlap,
            normal_force: view.elastic,
            force: view.tangential.x,
            slip_velocity: view.slip_velocity.x,
            elastic: view.elastic_displacement.x,
            sliding: view.sliding,
        });
    }
    let last = moments.last().expect("there was a contact");
    let velocity = simulation.particles().velocity(ParticleId::new(0)).expect("there");
    let duration = last.time + last.overlap / velocity.z;
    let spin = -simulation.particles().spin(ParticleId::new(0)).expect("there").y;
    let slip_velocity = velocity.x + spin * RADIUS;
    Impact { moments, duration, velocity, spin, slip_velocity, total_slip }
}

/// Problem Z-A with the reference of the independent solver.
fn impact(law: Incremental, steps: f64) -> Impact {
    Case { law, friction: 0.3, spin: 3.6, steps }.first_contact()
}

#[test]
fn the_oblique_impact_has_the_times_and_the_end_of_the_independent_solver() {
    let found = impact(printed(), 51_000.0);
    assert_close(found.duration, 2.9236e-3, 1e-4);
    let deepest = found.moments.iter().map(|moment| moment.overlap).fold(0.0, f64::max);
    assert_close(deepest, 0.20279e-3, 1e-4);
    let largest = found.moments.iter().map(|moment| moment.normal_force).fold(0.0, f64::max);
    assert_close(largest, 141.92, 1e-4);
    let stick = found.first(0.0, |moment| !moment.sliding);
    let zero_velocity = found.first(stick, |moment| moment.slip_velocity <= 0.0);
    let zero_force = found.first(stick, |moment| moment.force >= 0.0);
    let slip = found.first(stick, |moment| moment.sliding);
    for (found, expected) in
        [(stick, 0.43925), (zero_velocity, 0.47009), (zero_force, 0.75760), (slip, 0.83390)]
    {
        assert!((found - expected).abs() < 1e-3, "{found} instead of {expected}");
    }
    // the last digit given, with a step that is a thousandth of the published one
    assert_close(found.velocity.x, -0.070732, 1e-3);
    assert_close(found.spin, -0.92833, 1e-3);
    assert_close(found.slip_velocity, -0.11715, 1e-3);
    assert_close(found.total_slip, 1.827e-5, 1e-2);
    assert_close(found.moments.last().expect("some").elastic, 5.1465e-5, 1e-2);
}

#[test]
fn the_oblique_impact_slips_sticks_and_slips_back_for_either_spin() {
    for spin in [3.6, -3.6] {
        for (steps, tolerance) in [(51.0, 0.02), (510.0, 0.002)] {
            let found = Case { law: printed(), friction: 0.3, spin, steps }.first_contact();
            let way = (0.02 + spin * RADIUS).signum();
            let changes: Vec<bool> = found
                .moments
                .windows(2)
                .filter(|pair| pair[0].sliding != pair[1].sliding)
                .map(|pair| pair[1].sliding)
                .collect();
            assert_eq!(changes, [false, true], "{spin} {steps}");
            assert!(found.moments[0].sliding && found.moments[0].force * way < 0.0);
            assert!(found.moments.last().expect("some").force * way > 0.0);
            // while it sticks the force grows, falls and changes sign
            let stick = found.first(0.0, |moment| !moment.sliding);
            let zero_velocity = found.first(stick, |moment| moment.slip_velocity * way <= 0.0);
            let reversed = found.first(stick, |moment| moment.force * way >= 0.0);
            let slip = found.first(stick, |moment| moment.sliding);
            assert!(stick < zero_velocity && zero_velocity < reversed && reversed < slip);
            if spin > 0.0 {
                // events are detected at the end of a step: one step in addition to the tolerance stated for them
                let tolerance = tolerance + 1.0 / steps;
                for (found, expected) in
                    [(stick, 0.43925), (zero_velocity, 0.47009), (slip, 0.83390)]
                {
                    assert!((found - expected).abs() < tolerance, "{found} {expected} {steps}");
                }
            }
            // Z prints 51 steps; the rebound is then off by 0.2 %
            assert_close(found.velocity.z, 0.2, 3e-3);
        }
    }
}

#[test]
fn the_force_does_not_depend_on_how_the_elastic_displacement_is_counted() {
    let conventional =
        Incremental { elastic_displacement: ElasticDisplacement::Conventional, ..printed() };
    for steps in [51.0, 510.0] {
        let [first, second] = [printed(), conventional].map(|law| impact(law, steps));
        for (one, other) in first.moments.iter().zip(&second.moments) {
            assert_eq!(one.force, other.force);
        }
    }
}

#[test]
fn the_proposed_elastic_displacement_is_continuous_at_the_onset_of_sliding_and_the_conventional_one_jumps()
 {
    let conventional =
        Incremental { elastic_displacement: ElasticDisplacement::Conventional, ..printed() };
    let jump = |law: Incremental, steps: f64| {
        let found = impact(law, steps);
        let slip = found
            .moments
            .windows(2)
            .find(|pair| !pair[0].sliding && pair[1].sliding)
            .expect("it slides again");
        let largest = found.moments.iter().map(|moment| moment.elastic.abs()).fold(0.0, f64::max);
        ([slip[0].elastic, slip[1].elastic], largest)
    };
    let ([before, after], largest) = jump(printed(), 51_000.0);
    assert!((after - before).abs() < 1e-4 * largest);
    assert!((after - -9.3e-7).abs() < 1e-7, "{after}");
    let ([before, after], _) = jump(conventional, 51_000.0);
    assert_close(before, -3.711e-5, 2e-3);
    assert_close(after, -3.492e-5, 2e-3);
    // as a fraction of the largest proposed displacement
    assert!(((after - before) / largest - 0.02).abs() < 0.001, "{}", (after - before) / largest);
}

#[test]
fn in_continuous_slip_the_ratio_of_the_two_displacements_is_three_to_two() {
    // k_n/k_t = 2 E*/(8 f_G G*)
    let (young, poisson) = (0.3e9, 0.3);
    let effective = young / (2.0 * (1.0 - poisson * poisson));
    let shear = 2.0 / 3.0 * young / (2.0 * (1.0 + poisson)) / (2.0 * (2.0 - poisson));
    let ratio = effective / (4.0 * shear);
    assert_close(ratio, 1.8214, 1e-4);
    let proposed = *impact(printed(), 51_000.0).at(0.15);
    assert!(proposed.sliding);
    // dδ = -dF/k_t with F = μ K h^{3/2}: μ (k_n/k_t) h, up to the first step and the error of 51 000 steps
    assert_close(proposed.elastic, 0.3 * ratio * proposed.overlap, 1e-3);
    let conventional =
        Incremental { elastic_displacement: ElasticDisplacement::Conventional, ..printed() };
    let conventional = *impact(conventional, 510.0).at(0.15);
    assert_close(conventional.elastic, 2.0 / 3.0 * 0.3 * ratio * conventional.overlap, 1e-2);
}

#[test]
fn the_conventional_displacement_ends_at_zero_and_the_proposed_one_does_not() {
    let conventional =
        Incremental { elastic_displacement: ElasticDisplacement::Conventional, ..printed() };
    let end = impact(conventional, 51_000.0).moments.last().expect("some").elastic;
    assert!(end.abs() < 1e-8, "{end}");
}

#[test]
fn the_stiffness_at_mid_step_is_nearest_to_the_converged_impact() {
    let error = |stiffness_at| {
        let found = impact(Incremental { stiffness_at, ..printed() }, 51.0);
        (found.slip_velocity - -0.11715).abs()
    };
    let [left, right, mid] = [StiffnessAt::Left, StiffnessAt::Right, StiffnessAt::Mid].map(error);
    assert!(mid < 0.2 * right && mid < 0.2 * left, "{left} {right} {mid}");
    // and all converge to the same result
    for stiffness_at in [StiffnessAt::Left, StiffnessAt::Mid] {
        let found = impact(Incremental { stiffness_at, ..printed() }, 5100.0);
        assert_close(found.slip_velocity, -0.11715, 2e-3);
    }
}

#[test]
fn the_form_that_is_not_incremental_is_mindlins_spring_with_its_force_in_place_of_the_cap() {
    let total = impact(Incremental { form: Form::Total, ..printed() }, 51_000.0);
    let incremental = impact(printed(), 51_000.0);
    // it sticks and slips too, but its spring weakens with the load: a different final state
    assert!((total.slip_velocity - incremental.slip_velocity).abs() > 1e-3);
    for moment in total.moments.iter().filter(|moment| !moment.sliding) {
        let stiffness = moment.force / moment.elastic;
        assert!(stiffness < 0.0);
    }
}
