//! Friction of a single sphere: from sliding to rolling, inclines, oblique impacts.
//!
//! The default moment arm of a contact is l = r - δ/2, which is a little less than the radius, so the textbook's 5/7 is
//! here 1/(1 + 2/5 (r/l)²); at the overlaps below they differ by 1e-4.

mod common;

use common::*;
use esker::law::MomentArm;
use esker::prelude::*;
use std::f64::consts::{PI, TAU};

/// A sphere that rests on the floor under gravity inclined by `angle` towards x.
fn on_incline(angle: f64, pair: Pair, speed: Vec3) -> (Simulation, f64) {
    let (mut scene, material) = scene(frictional(), pair);
    scene.gravity = G * Vec3::new(angle.sin(), 0.0, -angle.cos());
    scene.add_wall("floor", floor(), material);
    let overlap = overlap_under(mass(RADIUS) * G * angle.cos(), RADIUS);
    scene.add_sphere(material, sphere(Vec3::Z * (RADIUS - overlap), speed));
    scene.step = StepSize::Fixed(8e-6);
    (scene.build().expect("a valid scene"), RADIUS - 0.5 * overlap)
}

fn pair(friction: f64) -> Pair {
    Pair::new().damping_ratio(0.1).friction(friction)
}

/// Effective mass of the spin at the contact point: I/l² as a fraction of the mass.
fn spin_mass(moment_arm: f64) -> f64 {
    0.4 * (RADIUS / moment_arm).powi(2)
}

fn is_sliding(simulation: &Simulation) -> bool {
    simulation.contacts().iter().any(|contact| contact.sliding)
}

#[test]
fn a_sphere_launched_along_a_plane_finally_rolls_at_five_sevenths_of_its_speed() {
    let (friction, start) = (0.3, 0.5);
    let (mut simulation, moment_arm) = on_incline(0.0, pair(friction), start * Vec3::X);
    run_until(&mut simulation, 0.2);
    let found = velocity(&simulation, 0).x;
    // Friction has no moment about the contact, so l m v + I w is conserved for any law: the difference is rounding and
    // the remaining oscillation of the spring.
    assert_close(found, start / (1.0 + spin_mass(moment_arm)), 1e-9);
    assert_close(spin(&simulation, 0).y, found / moment_arm, 1e-9);
    // and the textbook's value to the ratio of overlap to radius
    assert_close(found, 5.0 / 7.0 * start, 2.0 * (1.0 - moment_arm / RADIUS));
}

#[test]
fn sliding_slows_by_mu_g_and_ends_at_two_sevenths_of_v_over_mu_g() {
    let (friction, start) = (0.3, 0.5);
    let (mut simulation, moment_arm) = on_incline(0.0, pair(friction), start * Vec3::X);
    let end = start / (friction * G * (1.0 + 1.0 / spin_mass(moment_arm)));
    assert_close(end, 2.0 / 7.0 * start / (friction * G), 1e-3);
    run_until(&mut simulation, 0.5 * end);
    // The spring first loads over μN/k_t, in less than a step: half a step of friction is missing at most.
    let t = simulation.time();
    let missing = friction * G * simulation.dt();
    assert!((velocity(&simulation, 0).x - (start - friction * G * t)).abs() < missing);
    let expected = friction * G * t / (0.4 * RADIUS * RADIUS) * moment_arm;
    assert!(
        (spin(&simulation, 0).y - expected).abs() < missing * moment_arm / (0.4 * RADIUS * RADIUS)
    );
    while is_sliding(&simulation) {
        simulation.step().expect("a healthy step");
    }
    // detected to a step
    assert!((simulation.time() - end).abs() < 2.0 * simulation.dt(), "{}", simulation.time() / end);
}

#[test]
fn a_contact_without_a_dashpot_is_reported_as_slipping_in_every_step_until_it_rolls() {
    // Without a dashpot the force at rest is exactly at the limit while the sphere slides, so only the history of the
    // step can distinguish sliding from sticking.
    let (friction, start) = (0.3, 0.5);
    let pair = pair(friction).tangential_damping_ratio(0.0);
    let (mut simulation, moment_arm) = on_incline(0.0, pair, start * Vec3::X);
    let end = start / (friction * G * (1.0 + 1.0 / spin_mass(moment_arm)));
    // the spring loads in the first step or two
    (0..3).for_each(|_| simulation.step().expect("a healthy step"));
    while simulation.time() < end - 2.0 * simulation.dt() {
        assert!(is_sliding(&simulation), "sticks at {} of the time", simulation.time() / end);
        simulation.step().expect("a healthy step");
    }
    (0..4).for_each(|_| simulation.step().expect("a healthy step"));
    assert!(!is_sliding(&simulation));
}

#[test]
fn a_sliding_contact_reports_its_spring_and_its_slip_distance() {
    let (friction, start) = (0.3, 0.5);
    let run = |record_sliding| {
        let contact = damped()
            .tangential(tangential::Mindlin { record_sliding, ..tangential::Mindlin::default() });
        let (mut scene, material) = scene(contact, pair(friction));
        scene.gravity = -G * Vec3::Z;
        scene.add_wall("floor", floor(), material);
        let overlap = overlap_under(mass(RADIUS) * G, RADIUS);
        scene.add_sphere(material, sphere(Vec3::Z * (RADIUS - overlap), start * Vec3::X));
        scene.step = StepSize::Fixed(1e-6);
        let mut simulation = scene.build().expect("a valid scene");
        run_until(&mut simulation, 0.02);
        let sliding = simulation.contacts()[0];
        run_until(&mut simulation, 0.1);
        (sliding, simulation, overlap)
    };
    let (sliding, simulation, overlap) = run(true);
    let stiffness = 8.0 * effective_shear_modulus() * (RADIUS * overlap).sqrt();
    assert_close(sliding.tangential_stiffness, stiffness, 1e-9);
    let limit = friction * mass(RADIUS) * G;
    assert_close(sliding.elastic_displacement.x, limit / stiffness, 1e-9);
    // it slides with v₀ - (7/2) μ g t until it rolls
    let slowing = friction * G * (1.0 + 1.0 / spin_mass(RADIUS - 0.5 * overlap));
    let slid = simulation.contacts()[0].sliding_displacement.expect("it is recorded").x;
    // to the fraction of a step and of the spring in the time of sliding
    assert_close(slid, 0.5 * start * start / slowing, 1e-3);
    // and recording changes no bit
    let (sliding, silent, _) = run(false);
    assert_eq!(sliding.sliding_displacement, None);
    assert_eq!(velocity(&silent, 0), velocity(&simulation, 0));
}

#[test]
fn a_sphere_rolls_down_an_incline_at_five_sevenths_of_g_sine_theta() {
    let angle: f64 = 0.3;
    let (mut simulation, moment_arm) = on_incline(angle, pair(0.5), Vec3::ZERO);
    run_until(&mut simulation, 0.2);
    let expected = G * angle.sin() / (1.0 + spin_mass(moment_arm));
    // the contact's spring starts to oscillate and its dashpot damps that; the gain of l m v + I w does not depend on
    // it
    let (speed, rim_speed) = (velocity(&simulation, 0).x, moment_arm * spin(&simulation, 0).y);
    let mass_ratio = spin_mass(moment_arm);
    let gained = (speed + mass_ratio * rim_speed) / (1.0 + mass_ratio);
    assert_close(gained, expected * simulation.time(), 1e-8);
    // velocity Verlet takes the spin of the middle of a step and the velocity of its end for the slip
    assert_close(rim_speed - speed, 0.5 * simulation.dt() * expected, 1e-3);
    assert_close(expected, 5.0 / 7.0 * G * angle.sin(), 1e-3);
}

#[test]
fn a_sphere_slides_on_an_incline_steeper_than_seven_halves_of_the_friction() {
    let angle: f64 = 0.5;
    // friction needed to roll: tan θ = μ (1 + m l²/I)
    let moment_arm = RADIUS - 0.5 * overlap_under(mass(RADIUS) * G * angle.cos(), RADIUS);
    let needed = angle.tan() / (1.0 + 1.0 / spin_mass(moment_arm));
    assert_close(needed, 2.0 / 7.0 * angle.tan(), 1e-3);
    for (factor, slides) in [(1.002, false), (0.998, true)] {
        let friction = factor * needed;
        // Without oscillation of the spring, which would make it slip now and then at the margin: a dashpot of three
        // quarters of the critical damping.
        let pair = pair(friction).tangential_damping_ratio(0.4);
        let (mut simulation, moment_arm) = on_incline(angle, pair, Vec3::ZERO);
        // the spring loads in the first few milliseconds
        run_until(&mut simulation, 0.1);
        let before = (simulation.time(), velocity(&simulation, 0).x, spin(&simulation, 0).y);
        run_until(&mut simulation, 0.2);
        assert_eq!(is_sliding(&simulation), slides, "{factor}");
        let time = simulation.time() - before.0;
        let acceleration = (velocity(&simulation, 0).x - before.1) / time;
        let spin_rate = (spin(&simulation, 0).y - before.2) / time;
        // all is steady by then: to rounding and the rest of the decaying oscillation
        if slides {
            assert_close(acceleration, G * (angle.sin() - friction * angle.cos()), 1e-8);
            let torque_per_mass = friction * G * angle.cos() * moment_arm;
            assert_close(spin_rate, torque_per_mass / (0.4 * RADIUS * RADIUS), 1e-8);
        } else {
            let expected = G * angle.sin() / (1.0 + spin_mass(moment_arm));
            assert_close(acceleration, expected, 1e-8);
            assert_close(spin_rate, expected / moment_arm, 1e-8);
        }
    }
}

/// Angular frequency and damping ratio of the slip of a sphere that is released on an incline, with a spring but no
/// dashpot, and the theoretical frequency.
fn swing(dt: f64) -> [f64; 3] {
    let angle: f64 = 0.1;
    let pair = pair(0.5).tangential_damping_ratio(0.0);
    let (mut scene, material) = scene(frictional(), pair);
    scene.gravity = G * Vec3::new(angle.sin(), 0.0, -angle.cos());
    scene.add_wall("floor", floor(), material);
    let overlap = overlap_under(mass(RADIUS) * G * angle.cos(), RADIUS);
    scene.add_sphere(material, sphere(Vec3::Z * (RADIUS - overlap), Vec3::ZERO));
    scene.step = StepSize::Fixed(dt);
    let mut simulation = scene.build().expect("a valid scene");
    let moment_arm = RADIUS - 0.5 * overlap;
    let (mut times, mut peaks) = (Vec::new(), Vec::new());
    let (mut last, mut peak) = (0.0, 0.0f64);
    while times.len() < 9 {
        simulation.step().expect("a healthy step");
        let slip = velocity(&simulation, 0).x - spin(&simulation, 0).y * moment_arm;
        peak = peak.max(slip);
        if last < 0.0 && slip >= 0.0 {
            times.push(simulation.time() - dt * slip / (slip - last));
            peaks.push(peak);
            peak = 0.0;
        }
        last = slip;
    }
    let frequency = 8.0 * TAU / (times[8] - times[0]);
    let damping_ratio = (peaks[1] / peaks[8]).ln() / 7.0 / TAU;
    let stiffness = 8.0 * effective_shear_modulus() * (RADIUS * overlap).sqrt();
    let expected = (stiffness / mass(RADIUS) * (1.0 + 1.0 / spin_mass(moment_arm))).sqrt();
    [frequency, damping_ratio, expected]
}

#[test]
fn a_sticking_contact_oscillates_with_the_root_of_seven_halves_of_its_stiffness_over_the_mass() {
    let dt = 2e-6;
    let [frequency, _, expected] = swing(dt);
    // second order in ω Δt = 5e-3, and crossings found between steps
    assert_close(frequency, expected, 1e-5);
}

#[test]
fn a_spring_without_dashpot_loses_at_most_a_quarter_of_omega_dt_of_critical_damping() {
    // Slip is the velocity at the end of a step times the step, so the spring runs ahead by half a step: s + u Δt/2,
    // which is a dashpot of k Δt/2 or a damping ratio of ω Δt/4.
    for dt in [4e-5, 1e-5] {
        let [_, damping_ratio, frequency] = swing(dt);
        let bound = 0.25 * frequency * dt;
        // it must never gain energy
        assert!(damping_ratio > -0.01 * bound, "{damping_ratio} {bound}");
        assert!(damping_ratio < 1.01 * bound, "{damping_ratio} {bound}");
    }
}

/// Changes of velocity and spin in an oblique impact on the floor, and the largest overlap.
fn oblique(moment_arm: MomentArm, clipped: bool, friction: f64) -> (Vec3, Vec3, f64) {
    let tension = if clipped { damping::TensileCutoff::Clip } else { damping::TensileCutoff::Keep };
    let mut contact =
        ContactModel::normal(Hertz { tension }).tangential(tangential::Mindlin::default());
    let mut pair = Pair::new().friction(friction);
    if clipped {
        contact = contact.damping(HertzDamping::default());
        pair = pair.damping_ratio(0.2);
    }
    contact.moment_arm = moment_arm;
    let (mut scene, material) = scene(contact, pair);
    scene.add_wall("floor", floor(), material);
    let before = Vec3::new(3.0, 1.0, -1.0);
    scene.add_sphere(material, sphere(Vec3::Z * RADIUS, before));
    let time = duration(mass(RADIUS), RADIUS, 1.0);
    scene.step = StepSize::Fixed(time / 1000.0);
    let mut simulation = scene.build().expect("a valid scene");
    let mut overlap = 0.0f64;
    while simulation.time() < 3.0 * time {
        simulation.step().expect("a healthy step");
        overlap = overlap.max(RADIUS - position(&simulation, 0).z);
    }
    (velocity(&simulation, 0) - before, spin(&simulation, 0), overlap)
}

#[test]
fn friction_takes_mu_times_the_normal_impulse_in_a_sliding_impact() {
    let friction = 0.1;
    let direction = Vec3::new(3.0, 1.0, 0.0).normalize();
    for clipped in [false, true] {
        let (change, _, _) = oblique(MomentArm::HalfOverlap, clipped, friction);
        let tangential = Vec3::new(change.x, change.y, 0.0);
        // The limit holds at every instant, and the sums are the same: to rounding.
        let expected = -friction * change.z * direction;
        assert!(tangential.distance(expected) < 1e-12, "{tangential} {expected}");
    }
}

#[test]
fn friction_takes_mu_times_the_normal_impulse_for_every_restitution() {
    let friction = 0.1;
    for restitution in [0.5, 0.05] {
        let pair = Pair::new().friction(friction).restitution(restitution);
        let rolling = frictional().rolling(rolling::ElasticPlastic::default());
        for (contact, pair) in
            [(frictional(), pair.clone()), (rolling, pair.clone().rolling_friction(0.1))]
        {
            let (mut scene, material) = scene(contact, pair);
            scene.add_wall("floor", floor(), material);
            let before = Vec3::new(3.0, 0.0, -1.0);
            scene.add_sphere(material, sphere(Vec3::Z * RADIUS, before));
            let time = duration(mass(RADIUS), RADIUS, 1.0);
            scene.step = StepSize::Fixed(time / 2000.0);
            let mut simulation = scene.build().expect("a valid scene");
            run_until(&mut simulation, 5.0 * time);
            let change = velocity(&simulation, 0) - before;
            // the limit holds at every instant, and the sums are the same: to rounding
            assert!((change.x + friction * change.z).abs() < 1e-12, "{restitution}: {change}");
            // the dashpot takes at most 2 ξ ω Δt of the speed in the first step (`restitution.rs`)
            let error = velocity(&simulation, 0).z - restitution;
            assert!(error.abs() < 1e-3 * restitution, "{restitution}: {error}");
        }
    }
}

/// Velocity and spin after an impact that sticks, with a restitution and optionally a tangential damping ratio.
fn sticking(contact: &ContactModel, pair: Pair, ratio: Option<f64>) -> [Vec3; 2] {
    let pair = pair.friction(10.0).restitution(0.45);
    let pair = match ratio {
        Some(ratio) => pair.tangential_damping_ratio(ratio),
        None => pair,
    };
    let (mut scene, material) = scene(contact.clone(), pair);
    scene.add_wall("floor", floor(), material);
    scene.add_sphere(material, sphere(Vec3::Z * RADIUS, Vec3::new(0.3, 0.0, -0.3)));
    scene.step = StepSize::Fixed(1e-6);
    let mut simulation = scene.build().expect("a valid scene");
    run_until(&mut simulation, 2e-3);
    [velocity(&simulation, 0), spin(&simulation, 0)]
}

#[test]
fn a_tangential_dashpot_has_the_ratio_of_its_normal_law_with_tension_where_none_is_given() {
    let logarithm = 0.45f64.ln();
    let spring = -logarithm / (PI * PI + logarithm * logarithm).sqrt();
    let stiffness = Pair::new().normal_stiffness(1e5);
    for tension in [
        damping::TensileCutoff::Keep,
        damping::TensileCutoff::Clip,
        damping::TensileCutoff::Release,
    ] {
        let hertz = ContactModel::normal(Hertz { tension }).damping(HertzDamping::default());
        let linear = ContactModel::normal(Linear { tension }).damping(LinearDamping::default());
        for (contact, pair, ratio) in [
            (hertz, Pair::new(), (5.0f64 / 6.0).sqrt() * spring),
            (linear, stiffness.clone(), spring),
        ] {
            let contact = contact.tangential(tangential::Mindlin::default());
            let expected = sticking(&contact, pair.clone(), Some(ratio));
            let found = sticking(&contact, pair, None);
            for (found, expected) in found.into_iter().zip(expected) {
                // the last digit of the logarithm
                assert!(found.distance(expected) < 1e-12 * expected.length(), "{tension:?}");
            }
        }
    }
}

#[test]
fn the_spin_of_a_sliding_impact_is_the_impulse_times_the_moment_arm() {
    let friction = 0.1;
    let across = Vec3::Z.cross(Vec3::new(3.0, 1.0, 0.0).normalize());
    let inertia_per_mass = 0.4 * RADIUS * RADIUS;
    let (change, spin, _) = oblique(MomentArm::Radius, false, friction);
    let expected = friction * change.z * RADIUS / inertia_per_mass;
    // to rounding, as above
    assert!(spin.distance(expected * across) < 1e-12 * expected, "{spin} {expected}");
    // the default moment arm lies between the radius and the radius less the largest overlap
    let (change, spin, overlap) = oblique(MomentArm::HalfOverlap, false, friction);
    let arm = spin.dot(across) * inertia_per_mass / (friction * change.z);
    assert!(arm < RADIUS && arm > RADIUS - 0.5 * overlap, "{}", arm / RADIUS);
}
