//! From partners to the columns that laws see.

use super::{Partners, lane};
use crate::chunk::{Contacts, WIDTH};
use crate::geometry::MomentArm;
use crate::simd::multiversion;

/// How a chunk is to be seen.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Aspect {
    pub lever: MomentArm,
    /// The second partners are points of a wall: their velocity includes the wall's spin, and
    /// `turn` has been set from the stored normal.
    pub at_wall: bool,
    /// A law wants rolling and twist.
    pub rolling: bool,
    /// Time since the accepted state [s].
    pub elapsed: f64,
    /// Slip, roll and twist are the mean velocities since the accepted state times it, not those at
    /// the evaluation.
    pub mean_motion: bool,
}

/// Fills the columns of a chunk from its partners. Normal, distance, radii and inverse masses are
/// there already, and all that [`super::approach`] gives where both are particles.
pub(crate) fn kinematics(partners: &Partners, aspect: Aspect, contacts: &mut Contacts) {
    let second = if aspect.at_wall { 0.0 } else { 1.0 };
    if aspect.at_wall {
        approach_wall(partners, aspect.elapsed, contacts);
    }
    match aspect.lever {
        MomentArm::HalfOverlap => half_overlap_arms(contacts, second),
        MomentArm::Radius => radius_levers(contacts, second),
        MomentArm::Contact => lens_levers(contacts, second),
    }
    slip(partners, contacts);
    if aspect.rolling {
        rolling(partners, contacts);
    }
    if aspect.mean_motion {
        mean_slip(partners, aspect.elapsed, contacts);
        if !aspect.at_wall {
            mean_turning(partners, aspect.elapsed, contacts);
        }
        if aspect.rolling {
            mean_rolling(partners, aspect.elapsed, contacts);
        }
    }
}

multiversion! {
    fn approach_wall(partners: &Partners, elapsed: f64, contacts: &mut Contacts) {
        for c in 0..WIDTH {
            let couple = partners.couple(contacts, c);
            let near = lane::approach_wall(&couple, contacts.distance[c], elapsed);
            contacts.overlap[c] = near.overlap;
            contacts.overlap_fraction[c] = near.overlap_fraction;
            contacts.effective_radius[c] = near.effective_radius;
            contacts.effective_mass[c] = near.effective_mass;
            contacts.closing_speed[c] = near.closing_speed;
            contacts.since[c] =
                lane::since(near.overlap, near.closing_speed, near.inverse_speed, elapsed);
            [contacts.spun[0][c], contacts.spun[1][c]] = near.spun;
        }
    }
}

multiversion! {
    fn half_overlap_arms(contacts: &mut Contacts, second: f64) {
        for c in 0..WIDTH {
            let radii = [contacts.radius[0][c], contacts.radius[1][c]];
            [contacts.lever[0][c], contacts.lever[1][c]] =
                lane::half_overlap_arms(radii, contacts.overlap[c], second);
        }
    }
}

fn radius_levers(contacts: &mut Contacts, second: f64) {
    for c in 0..WIDTH {
        contacts.lever[0][c] = contacts.radius[0][c];
        contacts.lever[1][c] = second * contacts.radius[1][c];
    }
}

/// The plane of the lens lies at `(d² + r₁² - r₂²) / 2d` from the first centre, and at a wall on
/// its surface.
fn lens_levers(contacts: &mut Contacts, second: f64) {
    for c in 0..WIDTH {
        let [first_radius, second_radius] = [contacts.radius[0][c], contacts.radius[1][c]];
        let distance = contacts.distance[c];
        let difference = first_radius * first_radius - second_radius * second_radius;
        let lens = 0.5 * (distance + difference / distance);
        contacts.lever[0][c] = if second > 0.0 { lens } else { distance };
        contacts.lever[1][c] = second * (distance - lens);
    }
}

multiversion! {
    fn slip(partners: &Partners, contacts: &mut Contacts) {
        for c in 0..WIDTH {
            let n = [contacts.normal[0][c], contacts.normal[1][c], contacts.normal[2][c]];
            let v = [partners.velocity[0][c], partners.velocity[1][c], partners.velocity[2][c]];
            let first = [partners.spin[0][0][c], partners.spin[0][1][c], partners.spin[0][2][c]];
            let other = [partners.spin[1][0][c], partners.spin[1][1][c], partners.spin[1][2][c]];
            let moment_arms = [contacts.lever[0][c], contacts.lever[1][c]];
            let velocity =
                lane::slip_velocity(n, v, contacts.closing_speed[c], [first, other], moment_arms);
            for axis in 0..3 {
                contacts.slip_velocity[axis][c] = velocity[axis];
                contacts.slip[axis][c] = velocity[axis] * contacts.since[c];
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
            let twist = lane::twist_velocity(n, [first, other]);
            let rolling = lane::rolling_velocity(n, [first, other]);
            let since = contacts.since[c];
            contacts.twist_velocity[c] = twist;
            contacts.twist[c] = twist * since;
            for axis in 0..3 {
                contacts.rolling_velocity[axis][c] = rolling[axis];
                contacts.roll[axis][c] = rolling[axis] * since;
            }
        }
    }
}

multiversion! {
    /// Slip and mean spin angle from the way that the partners have gone and turned.
    fn mean_slip(partners: &Partners, elapsed: f64, contacts: &mut Contacts) {
        for c in 0..WIDTH {
            let n = [contacts.normal[0][c], contacts.normal[1][c], contacts.normal[2][c]];
            let v = &partners.mean_velocity;
            let [first, other] = &partners.mean_spin;
            let closing = v[0][c] * n[0] + v[1][c] * n[1] + v[2][c] * n[2];
            let [a, b] = [contacts.lever[0][c], contacts.lever[1][c]];
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
            let since = lane::since(contacts.overlap[c], closing, lane::inverse_speed(closing), elapsed);
            [contacts.spun[0][c], contacts.spun[1][c]] = lane::cayley(mean * elapsed);
            for axis in 0..3 {
                contacts.slip[axis][c] = slip[axis] * since;
            }
        }
    }
}

multiversion! {
    /// Change of the normal between particles from where they were at the accepted state.
    fn mean_turning(partners: &Partners, elapsed: f64, contacts: &mut Contacts) {
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
                contacts.turn[axis][c] = contacts.normal[axis][c] - inverse * before[axis];
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
            let since = lane::since(contacts.overlap[c], closing, lane::inverse_speed(closing), elapsed);
            contacts.twist[c] = twist * since;
            for axis in 0..3 {
                contacts.roll[axis][c] = (relative[axis] - twist * n[axis]) * since;
            }
        }
    }
}
