//! The direction of the friction force where the velocity vanishes while the contact slides, and the contact after it.

use super::common::assert_close;
use super::{Case, Impact, Moment};
use esker::law::tangential::{Direction, Incremental};

/// Z-C: the data with which the velocity vanishes while the contact slides.
fn directions(direction: Direction, steps: f64) -> Case {
    let law = Incremental { direction, ..Incremental::default() };
    Case { law, friction: 0.6, spin: 3.6, steps }
}

/// Changes of sign of the force between steps from a fraction of the contact on, and steps there.
fn flips(found: &Impact, from: f64) -> (usize, usize) {
    let late: Vec<&Moment> =
        found.moments.iter().filter(|moment| moment.time >= from * found.duration).collect();
    let flips = late.windows(2).filter(|pair| pair[0].force * pair[1].force < 0.0).count();
    (flips, late.len())
}

/// Largest change of force over limit in a step, where the normal force is above 2 % of the largest.
fn largest_jump(found: &Impact) -> f64 {
    let largest = found.moments.iter().map(|moment| moment.normal_force).fold(0.0, f64::max);
    let fraction = |moment: &Moment| moment.force / (0.6 * moment.normal_force);
    let loaded = |pair: &&[Moment]| pair.iter().all(|moment| moment.normal_force > 0.02 * largest);
    let jumps = found.moments.windows(2).filter(loaded);
    jumps.map(|pair| (fraction(&pair[1]) - fraction(&pair[0])).abs()).fold(0.0, f64::max)
}

#[test]
fn a_force_along_the_trial_force_passes_smoothly_through_zero_velocity() {
    let found = directions(Direction::TrialForce, 51_000.0).first_contact();
    let stick = found.first(0.0, |moment| !moment.sliding);
    let slip = found.first(stick, |moment| moment.sliding);
    assert!((stick - 0.22413).abs() < 1e-3, "{stick}");
    assert!((slip - 0.73628).abs() < 1e-3, "{slip}");
    let back = found.first(slip, |moment| moment.slip_velocity >= 0.0);
    assert!((back - 0.81998).abs() < 1e-3, "{back}");
    assert_close(found.velocity.x, -0.024511, 5e-3);
    assert_close(found.spin, 1.3787, 1e-3);
    assert_close(found.slip_velocity, 0.044425, 2e-3);
    assert_eq!(flips(&found, 0.82).0, 0);
    // the fraction changes from -1 to 1 within half of the contact, at a varying rate
    assert!(largest_jump(&found) < 0.0015, "{}", largest_jump(&found));
}

#[test]
fn a_force_against_the_velocity_changes_sign_in_every_step_once_the_velocity_is_zero() {
    for steps in [51.0, 510.0] {
        let found = directions(Direction::Velocity, steps).first_contact();
        let (flips, of) = flips(&found, 0.82);
        assert!(flips as f64 > 0.4 * of as f64, "{flips} of {of}");
        assert!(largest_jump(&found) >= 2.0 * (1.0 - 1e-9), "{}", largest_jump(&found));
    }
}

#[test]
fn a_force_against_the_displacement_jumps_by_twice_the_limit() {
    let found = directions(Direction::Displacement, 510.0).first_contact();
    assert!(largest_jump(&found) >= 2.0 * (1.0 - 1e-9), "{}", largest_jump(&found));
    let found = directions(Direction::Displacement, 51_000.0).first_contact();
    let jump = found.first(0.74, |moment| moment.force < 0.0);
    assert!((jump - 0.785).abs() < 1e-3, "{jump}");
    assert_close(found.slip_velocity, -0.0929, 1e-3);
}

#[test]
fn the_second_contact_starts_in_stick_after_the_trial_force_and_has_no_slip_after_the_velocity() {
    let second = directions(Direction::TrialForce, 510.0).contacts(2).remove(1);
    // the first step or two may slip, since the limit begins at zero
    let slip = second.first(0.05, |moment| moment.sliding);
    assert!((slip - 0.927).abs() < 0.01, "{slip}");
    assert_close(second.slip_velocity, 0.0391, 2e-2);
    let second = directions(Direction::Velocity, 510.0).contacts(2).remove(1);
    assert!(second.slip_velocity.abs() < 2e-4, "{}", second.slip_velocity);
}
