//! From partners to the columns that laws see. MODELS.md §0, §2.

use super::Partners;
use crate::law::{Contacts, Lever, WIDTH};
use crate::simd::vectorise;

/// Fills the columns of a chunk. `elapsed` is the time since the accepted state: slip, roll and
/// twist are the velocities times it. `at_wall` says that the second partners are points of a wall:
/// their velocity includes the wall's spin, and `turn` has been set from the stored normal.
pub(crate) fn kinematics(
    partners: &Partners,
    lever: Lever,
    at_wall: bool,
    elapsed: f64,
    contacts: &mut Contacts,
) {
    let second = if at_wall { 0.0 } else { 1.0 };
    sizes(partners, contacts);
    match lever {
        Lever::HalfOverlap => half_overlap_levers(contacts, second),
        Lever::Radius => radius_levers(contacts, second),
        Lever::Contact => lens_levers(contacts, second),
    }
    velocities(partners, second, elapsed, contacts);
}

vectorise! {
    fn sizes(partners: &Partners, contacts: &mut Contacts) {
        contacts.normal = partners.normal;
        contacts.distance = partners.distance;
        contacts.radius = partners.radius;
        contacts.inverse_mass = partners.inverse_mass;
        contacts.inverse_inertia = partners.inverse_inertia;
        for c in 0..WIDTH {
            contacts.overlap[c] = (partners.radius[0][c] + partners.radius[1][c]) - partners.distance[c];
            contacts.effective_radius[c] = 1.0 / (partners.inverse_radius[0][c] + partners.inverse_radius[1][c]);
            contacts.effective_mass[c] = 1.0 / (partners.inverse_mass[0][c] + partners.inverse_mass[1][c]);
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

vectorise! {
    fn velocities(partners: &Partners, second: f64, elapsed: f64, contacts: &mut Contacts) {
        for c in 0..WIDTH {
            let n = [partners.normal[0][c], partners.normal[1][c], partners.normal[2][c]];
            let v = [partners.velocity[0][c], partners.velocity[1][c], partners.velocity[2][c]];
            let first = [partners.spin[0][0][c], partners.spin[0][1][c], partners.spin[0][2][c]];
            let other = [partners.spin[1][0][c], partners.spin[1][1][c], partners.spin[1][2][c]];
            let closing = v[0] * n[0] + v[1] * n[1] + v[2] * n[2];
            let tangent = [v[0] - closing * n[0], v[1] - closing * n[1], v[2] - closing * n[2]];
            let [a, b] = [contacts.lever[0][c], contacts.lever[1][c]];
            let w = [a * first[0] + b * other[0], a * first[1] + b * other[1], a * first[2] + b * other[2]];
            let slip = [
                tangent[0] + (w[1] * n[2] - w[2] * n[1]),
                tangent[1] + (w[2] * n[0] - w[0] * n[2]),
                tangent[2] + (w[0] * n[1] - w[1] * n[0]),
            ];
            let relative = [first[0] - other[0], first[1] - other[1], first[2] - other[2]];
            let twist = relative[0] * n[0] + relative[1] * n[1] + relative[2] * n[2];
            let mean = 0.5
                * ((first[0] + other[0]) * n[0] + (first[1] + other[1]) * n[1] + (first[2] + other[2]) * n[2]);
            // a contact born within the step has slipped only since then (MODELS.md R6)
            let overlap = contacts.overlap[c];
            let entered = closing * elapsed;
            let share = if overlap < entered { overlap.max(0.0) / entered } else { 1.0 };
            let since = share * elapsed;
            contacts.closing_speed[c] = closing;
            contacts.twist_velocity[c] = twist;
            contacts.twist[c] = twist * since;
            contacts.mean_spin_angle[c] = mean * elapsed;
            // between particles the normal turns with the tangential motion of the centres
            let turning = -second * elapsed / partners.distance[c].max(f64::MIN_POSITIVE);
            for axis in 0..3 {
                contacts.slip_velocity[axis][c] = slip[axis];
                contacts.slip[axis][c] = slip[axis] * since;
                let rolling = relative[axis] - twist * n[axis];
                contacts.rolling_velocity[axis][c] = rolling;
                contacts.roll[axis][c] = rolling * since;
                contacts.turn[axis][c] = if second > 0.0 { turning * tangent[axis] } else { contacts.turn[axis][c] };
            }
        }
    }
}
