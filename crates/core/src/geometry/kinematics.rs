//! Kinematics of a chunk of contacts on the dynamic path.

use super::MomentArm;
use super::contact::{self, Kicks, PairInput};
use crate::chunk::{Contacts, Forces, Images, Partners, Record, WIDTH};
use crate::simd::multiversion;

/// Options of the kinematics of a chunk.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KinematicsOptions {
    pub moment_arm: MomentArm,
    /// The second partners are points of a wall: their velocity includes the spin of the wall, and `normal_change` has
    /// been set from the stored normal.
    pub at_wall: bool,
    /// A law uses rolling and twist.
    pub rolling: bool,
    /// Time since the accepted state [s].
    pub elapsed: f64,
    /// Slip, roll and twist are the mean velocities since the accepted state, times the elapsed time, instead of those
    /// at the evaluation.
    pub mean_motion: bool,
    /// The partners have kicks: slip is that of the mean velocity of a step, and its velocity that of the end.
    pub kicks: bool,
}

/// Computes the columns of a chunk from its partners. Radii and inverse masses are given; for walls, also normal, its
/// change and distance; for particles, the columns of [`pair_kinematics`].
pub(crate) fn kinematics(partners: &Partners, options: KinematicsOptions, contacts: &mut Contacts) {
    let second = if options.at_wall { 0.0 } else { 1.0 };
    if options.at_wall {
        wall_kinematics(partners, options.elapsed, contacts);
    }
    match options.moment_arm {
        MomentArm::HalfOverlap => moment_arms(contacts, 0.5, second),
        MomentArm::Radius => moment_arms(contacts, 0.0, second),
        MomentArm::Contact => lens_moment_arms(contacts, second),
    }
    slip(partners, contacts);
    if options.kicks {
        kick_slip(partners, contacts);
    }
    if options.rolling {
        rolling(partners, contacts);
    }
    if options.mean_motion {
        mean_slip(partners, options.elapsed, contacts);
        if !options.at_wall {
            mean_normal_change(partners, options.elapsed, contacts);
        }
        if options.rolling {
            mean_rolling(partners, options.elapsed, contacts);
        }
    }
}

multiversion! {
    /// Columns derived from positions, velocities and spins of two particles, for the nearest image.
    pub(crate) fn pair_kinematics(
        partners: &Partners,
        images: &Images,
        elapsed: f64,
        contacts: &mut Contacts,
    ) {
        for c in 0..WIDTH {
            let pair = PairInput::new(partners, contacts, c);
            let difference = Record::load(&partners.difference, 0, c);
            let near = contact::separation(&pair, difference, images, elapsed).kinematics(&pair);
            near.normal.store(&mut contacts.normal, 0, c);
            contacts.distance[c] = near.distance;
            contacts.overlap[c] = near.overlap;
            contacts.overlap_fraction[c] = near.overlap_fraction;
            contacts.effective_radius[c] = near.effective_radius;
            contacts.effective_mass[c] = near.effective_mass;
            contacts.closing_speed[c] = near.closing_speed;
            contacts.age[c] =
                contact::age(near.overlap, near.closing_speed, near.inverse_speed, elapsed);
            let change = contact::normal_change(
                near.normal,
                pair.velocity,
                near.closing_speed,
                near.inverse_distance,
                elapsed,
            );
            change.store(&mut contacts.normal_change, 0, c);
            near.spin_rotation.store(&mut contacts.spin_rotation, 0, c);
        }
    }
}

multiversion! {
    fn wall_kinematics(partners: &Partners, elapsed: f64, contacts: &mut Contacts) {
        for c in 0..WIDTH {
            let pair = PairInput::new(partners, contacts, c);
            let normal = Record::load(&contacts.normal, 0, c);
            let near = contact::wall_kinematics(&pair, normal, contacts.distance[c], elapsed);
            contacts.overlap[c] = near.overlap;
            contacts.overlap_fraction[c] = near.overlap_fraction;
            contacts.effective_radius[c] = near.effective_radius;
            contacts.effective_mass[c] = near.effective_mass;
            contacts.closing_speed[c] = near.closing_speed;
            contacts.age[c] =
                contact::age(near.overlap, near.closing_speed, near.inverse_speed, elapsed);
            near.spin_rotation.store(&mut contacts.spin_rotation, 0, c);
        }
    }
}

multiversion! {
    fn moment_arms(contacts: &mut Contacts, fraction: f64, second: f64) {
        for c in 0..WIDTH {
            let radii = [contacts.radius[0][c], contacts.radius[1][c]];
            contact::moment_arms(radii, contacts.overlap[c], fraction, second)
                .store(&mut contacts.moment_arm, 0, c);
        }
    }
}

/// The plane of the lens lies at `(d² + r₁² - r₂²) / 2d` from the first centre, and at a wall on
/// its surface.
fn lens_moment_arms(contacts: &mut Contacts, second: f64) {
    for c in 0..WIDTH {
        let [first_radius, second_radius] = [contacts.radius[0][c], contacts.radius[1][c]];
        let distance = contacts.distance[c];
        let difference = first_radius * first_radius - second_radius * second_radius;
        let lens = 0.5 * (distance + difference / distance);
        contacts.moment_arm[0][c] = if second > 0.0 { lens } else { distance };
        contacts.moment_arm[1][c] = second * (distance - lens);
    }
}

multiversion! {
    fn slip(partners: &Partners, contacts: &mut Contacts) {
        for c in 0..WIDTH {
            let n = [contacts.normal[0][c], contacts.normal[1][c], contacts.normal[2][c]];
            let v = [partners.velocity[0][c], partners.velocity[1][c], partners.velocity[2][c]];
            let first = [partners.spin[0][0][c], partners.spin[0][1][c], partners.spin[0][2][c]];
            let other = [partners.spin[1][0][c], partners.spin[1][1][c], partners.spin[1][2][c]];
            let moment_arms = [contacts.moment_arm[0][c], contacts.moment_arm[1][c]];
            let velocity =
                contact::slip_velocity(n, v, contacts.closing_speed[c], [first, other], moment_arms);
            for axis in 0..3 {
                contacts.slip_velocity[axis][c] = velocity[axis];
                contacts.slip[axis][c] = velocity[axis] * contacts.age[c];
            }
        }
    }
}

multiversion! {
    fn rolling(partners: &Partners, contacts: &mut Contacts) {
        for c in 0..WIDTH {
            let n = [contacts.normal[0][c], contacts.normal[1][c], contacts.normal[2][c]];
            let first = [partners.spin[0][0][c], partners.spin[0][1][c], partners.spin[0][2][c]];
            let other = [partners.spin[1][0][c], partners.spin[1][1][c], partners.spin[1][2][c]];
            let twist = contact::twist_velocity(n, [first, other]);
            let rolling = contact::rolling_velocity(n, [first, other]);
            let age = contacts.age[c];
            contacts.twist_velocity[c] = twist;
            contacts.twist[c] = twist * age;
            for axis in 0..3 {
                contacts.rolling_velocity[axis][c] = rolling[axis];
                contacts.roll[axis][c] = rolling[axis] * age;
            }
        }
    }
}

multiversion! {
    /// Refers the power of tangential forces to the spins of the middle of the step, to which the ledger adds the rest.
    pub(crate) fn power_without_kicks(partners: &Partners, contacts: &Contacts, forces: &mut Forces) {
        for c in 0..WIDTH {
            let normal = Record::load(&contacts.normal, 0, c);
            let arms = [contacts.moment_arm[0][c], contacts.moment_arm[1][c]];
            let by_spin = Kicks::load(partners, c).slip_by_spin(normal, arms);
            let force: [f64; 3] = Record::load(&forces.tangential, 0, c);
            forces.tangential_power[c] += force[0] * by_spin[0] + force[1] * by_spin[1] + force[2] * by_spin[2];
        }
    }
}

multiversion! {
    fn kick_slip(partners: &Partners, contacts: &mut Contacts) {
        for c in 0..WIDTH {
            let normal = Record::load(&contacts.normal, 0, c);
            let velocity = Record::load(&contacts.slip_velocity, 0, c);
            let arms = [contacts.moment_arm[0][c], contacts.moment_arm[1][c]];
            let kicks = Kicks::load(partners, c);
            let [velocity, mean] = contact::kicked_slip_velocities(normal, velocity, kicks, arms);
            for axis in 0..3 {
                contacts.slip_velocity[axis][c] = velocity[axis];
                contacts.slip[axis][c] = mean[axis] * contacts.age[c];
            }
        }
    }
}

multiversion! {
    /// Slip and mean rotation about the normal from the mean motion of the partners.
    fn mean_slip(partners: &Partners, elapsed: f64, contacts: &mut Contacts) {
        for c in 0..WIDTH {
            let n = [contacts.normal[0][c], contacts.normal[1][c], contacts.normal[2][c]];
            let v = &partners.mean_velocity;
            let [first, other] = &partners.mean_spin;
            let closing = v[0][c] * n[0] + v[1][c] * n[1] + v[2][c] * n[2];
            let [a, b] = [contacts.moment_arm[0][c], contacts.moment_arm[1][c]];
            let w = [
                a * first[0][c] + b * other[0][c],
                a * first[1][c] + b * other[1][c],
                a * first[2][c] + b * other[2][c],
            ];
            let slip = [
                v[0][c] - closing * n[0] + (w[1] * n[2] - w[2] * n[1]),
                v[1][c] - closing * n[1] + (w[2] * n[0] - w[0] * n[2]),
                v[2][c] - closing * n[2] + (w[0] * n[1] - w[1] * n[0]),
            ];
            let mean = 0.5
                * ((first[0][c] + other[0][c]) * n[0]
                    + (first[1][c] + other[1][c]) * n[1]
                    + (first[2][c] + other[2][c]) * n[2]);
            let age = contact::age(contacts.overlap[c], closing, contact::inverse_speed(closing), elapsed);
            [contacts.spin_rotation[0][c], contacts.spin_rotation[1][c]] = contact::cayley(mean * elapsed);
            for axis in 0..3 {
                contacts.slip[axis][c] = slip[axis] * age;
            }
        }
    }
}

multiversion! {
    /// Change of the normal between particles from their positions at the accepted state.
    fn mean_normal_change(partners: &Partners, elapsed: f64, contacts: &mut Contacts) {
        for c in 0..WIDTH {
            let distance = contacts.distance[c];
            let mut before = [0.0; 3];
            for axis in 0..3 {
                before[axis] = distance * contacts.normal[axis][c]
                    + elapsed * partners.mean_velocity[axis][c];
            }
            let square = before[0] * before[0] + before[1] * before[1] + before[2] * before[2];
            let inverse = 1.0 / square.sqrt().max(f64::MIN_POSITIVE);
            for axis in 0..3 {
                contacts.normal_change[axis][c] = contacts.normal[axis][c] - inverse * before[axis];
            }
        }
    }
}

multiversion! {
    fn mean_rolling(partners: &Partners, elapsed: f64, contacts: &mut Contacts) {
        for c in 0..WIDTH {
            let n = [contacts.normal[0][c], contacts.normal[1][c], contacts.normal[2][c]];
            let [first, other] = &partners.mean_spin;
            let relative = [
                first[0][c] - other[0][c],
                first[1][c] - other[1][c],
                first[2][c] - other[2][c],
            ];
            let v = &partners.mean_velocity;
            let closing = v[0][c] * n[0] + v[1][c] * n[1] + v[2][c] * n[2];
            let twist = relative[0] * n[0] + relative[1] * n[1] + relative[2] * n[2];
            let age = contact::age(contacts.overlap[c], closing, contact::inverse_speed(closing), elapsed);
            contacts.twist[c] = twist * age;
            for axis in 0..3 {
                contacts.roll[axis][c] = (relative[axis] - twist * n[axis]) * age;
            }
        }
    }
}
