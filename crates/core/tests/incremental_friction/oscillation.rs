//! The oscillation of a contact that sticks.

use super::common::assert_close;
use super::{G, MASS, RADIUS, printed, sphere_on_floor};
use esker::prelude::*;

#[test]
fn a_contact_that_sticks_oscillates_with_the_period_of_seven_halves_of_its_stiffness_over_the_mass()
{
    // Z prints k_t = 1.905e5 N/m and, with erratum Z-E10, has ω = √(7/2 k_t/m)
    let stiffness: f64 = 1.905e5;
    let expected = std::f64::consts::TAU / (3.5 * stiffness / MASS).sqrt();
    assert_close(expected, 5.567_98e-3, 1e-5);
    // the overlap under its own weight
    let effective = 0.3e9 / (2.0 * (1.0 - 0.09));
    let overlap = (MASS * G / (4.0 / 3.0 * effective * RADIUS.sqrt())).powf(2.0 / 3.0);
    // Z starts at the limit, δ₀ = μ m g/k_t; here at δ = 0 with 0.9 of the equivalent velocity
    let speed = 0.9 * 9.1179e-3;
    let start = Sphere {
        position: Vec3::Z * (RADIUS - overlap),
        radius: RADIUS,
        velocity: Vec3::X * speed,
        spin: Vec3::ZERO,
    };
    let mut scene = sphere_on_floor(printed(), 0.3, start);
    scene.step = StepSize::Fixed(expected / 2000.0);
    let mut simulation = scene.build().expect("a valid scene");
    // the velocity of the contact point is at once divided between translation and rotation
    let (mut crossings, mut opposed, mut steps) = (Vec::new(), 0, 0);
    let mut before = speed;
    while crossings.len() < 9 {
        simulation.step().expect("a healthy step");
        let view = simulation.contacts()[0];
        assert!(!view.sliding);
        let slip = view.slip_velocity.x;
        if before < 0.0 && slip >= 0.0 {
            crossings.push(simulation.time() - simulation.dt() * slip / (slip - before));
        }
        if !crossings.is_empty() {
            steps += 1;
            opposed += usize::from(slip * view.elastic_displacement.x < 0.0);
        }
        before = slip;
        assert_close(view.tangential_stiffness, stiffness, 1e-3);
    }
    let period = (crossings[8] - crossings[0]) / 8.0;
    // the printed stiffness has four digits
    assert_close(period, 5.567_98e-3, 1e-3);
    // force along -δ and against the velocity disagree in half of each period
    assert!((opposed as f64 / steps as f64 - 0.5).abs() < 2.0 / 2000.0);
}
