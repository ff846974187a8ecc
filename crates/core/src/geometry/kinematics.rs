//! From partners to the columns that laws see.

use super::Partners;
use crate::law::{Contacts, Lever, WIDTH};
use crate::simd::vectorise;

/// How a chunk is to be seen.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Aspect {
    pub lever: Lever,
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

/// Fills the columns of a chunk from its partners; normal, distance, radii and inverse masses are
/// there already.
pub(crate) fn kinematics(partners: &Partners, aspect: Aspect, contacts: &mut Contacts) {
    let second = if aspect.at_wall { 0.0 } else { 1.0 };
    sizes(partners, contacts);
    match aspect.lever {
        Lever::HalfOverlap => half_overlap_levers(contacts, second),
        Lever::Radius => radius_levers(contacts, second),
        Lever::Contact => lens_levers(contacts, second),
    }
    velocities(partners, aspect.elapsed, contacts);
    if !aspect.at_wall {
        turning(partners, aspect.elapsed, contacts);
    }
    if aspect.rolling {
        rolling(partners, aspect.elapsed, contacts);
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

vectorise! {
    fn sizes(partners: &Partners, contacts: &mut Contacts) {
        for c in 0..WIDTH {
            contacts.overlap[c] = (contacts.radius[0][c] + contacts.radius[1][c]) - contacts.distance[c];
            contacts.effective_radius[c] = 1.0 / (partners.inverse_radius[0][c] + partners.inverse_radius[1][c]);
            contacts.effective_mass[c] = 1.0 / (contacts.inverse_mass[0][c] + contacts.inverse_mass[1][c]);
        }
    }
}

vectorise! {
    fn half_overlap_levers(contacts: &mut Contacts, second: f64) {
        for c in 0..WIDTH {
            let half = 0.5 * contacts.overlap[c];
            contacts.lever[0][c] = contacts.radius[0][c] - half;
            contacts.lever[1][c] = second * (contacts.radius[1][c] - half);
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

/// The share of the time since the accepted state during which a contact has existed: one born
/// within the step has slipped only since then (docs/errata.md R6).
#[inline(always)]
fn share(overlap: f64, closing_speed: f64, elapsed: f64) -> f64 {
    let entered = closing_speed * elapsed;
    if overlap < entered { overlap.max(0.0) / entered } else { 1.0 }
}

vectorise! {
    fn velocities(partners: &Partners, elapsed: f64, contacts: &mut Contacts) {
        for c in 0..WIDTH {
            let n = [contacts.normal[0][c], contacts.normal[1][c], contacts.normal[2][c]];
            let v = [partners.velocity[0][c], partners.velocity[1][c], partners.velocity[2][c]];
            let first = [partners.spin[0][0][c], partners.spin[0][1][c], partners.spin[0][2][c]];
            let other = [partners.spin[1][0][c], partners.spin[1][1][c], partners.spin[1][2][c]];
            let closing = v[0] * n[0] + v[1] * n[1] + v[2] * n[2];
            let [a, b] = [contacts.lever[0][c], contacts.lever[1][c]];
            let w = [a * first[0] + b * other[0], a * first[1] + b * other[1], a * first[2] + b * other[2]];
            let slip = [
                v[0] - closing * n[0] + (w[1] * n[2] - w[2] * n[1]),
                v[1] - closing * n[1] + (w[2] * n[0] - w[0] * n[2]),
                v[2] - closing * n[2] + (w[0] * n[1] - w[1] * n[0]),
            ];
            let mean = 0.5
                * ((first[0] + other[0]) * n[0] + (first[1] + other[1]) * n[1] + (first[2] + other[2]) * n[2]);
            let since = share(contacts.overlap[c], closing, elapsed) * elapsed;
            contacts.closing_speed[c] = closing;
            contacts.mean_spin_angle[c] = mean * elapsed;
            for axis in 0..3 {
                contacts.slip_velocity[axis][c] = slip[axis];
                contacts.slip[axis][c] = slip[axis] * since;
            }
        }
    }
}

vectorise! {
    /// Between particles the normal turns with the tangential motion of the centres.
    fn turning(partners: &Partners, elapsed: f64, contacts: &mut Contacts) {
        for c in 0..WIDTH {
            let closing = contacts.closing_speed[c];
            let rate = -elapsed / contacts.distance[c].max(f64::MIN_POSITIVE);
            for axis in 0..3 {
                contacts.turn[axis][c] =
                    rate * (partners.velocity[axis][c] - closing * contacts.normal[axis][c]);
            }
        }
    }
}

vectorise! {
    fn rolling(partners: &Partners, elapsed: f64, contacts: &mut Contacts) {
        for c in 0..WIDTH {
            let n = [contacts.normal[0][c], contacts.normal[1][c], contacts.normal[2][c]];
            let relative = [
                partners.spin[0][0][c] - partners.spin[1][0][c],
                partners.spin[0][1][c] - partners.spin[1][1][c],
                partners.spin[0][2][c] - partners.spin[1][2][c],
            ];
            let twist = relative[0] * n[0] + relative[1] * n[1] + relative[2] * n[2];
            let since = share(contacts.overlap[c], contacts.closing_speed[c], elapsed) * elapsed;
            contacts.twist_velocity[c] = twist;
            contacts.twist[c] = twist * since;
            for axis in 0..3 {
                let rolling = relative[axis] - twist * n[axis];
                contacts.rolling_velocity[axis][c] = rolling;
                contacts.roll[axis][c] = rolling * since;
            }
        }
    }
}

vectorise! {
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
            let since = share(contacts.overlap[c], closing, elapsed) * elapsed;
            contacts.mean_spin_angle[c] = mean * elapsed;
            for axis in 0..3 {
                contacts.slip[axis][c] = slip[axis] * since;
            }
        }
    }
}

vectorise! {
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

vectorise! {
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
            let since = share(contacts.overlap[c], closing, elapsed) * elapsed;
            contacts.twist[c] = twist * since;
            for axis in 0..3 {
                contacts.roll[axis][c] = (relative[axis] - twist * n[axis]) * since;
            }
        }
    }
}
