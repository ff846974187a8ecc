//! What is left of a tangential spring in slip by rules other than the default one: for comparison
//! with other codes and with C16 as printed.

use super::spring::Coefficients;
use crate::law::{Column, Contacts, Forces, WIDTH};

/// The trial force of a contact [N].
fn trial_force(
    law: &Coefficients,
    contacts: &Contacts,
    old: &[Column; 4],
    forces: &Forces,
    c: usize,
) -> [f64; 3] {
    let (stiffness, dashpot) = (law.stiffness(forces, c), law.dashpot(contacts, forces, c));
    std::array::from_fn(|axis| {
        let viscous = dashpot * contacts.slip_velocity[axis][c];
        -(stiffness * (old[axis][c] + contacts.slip[axis][c]) + viscous)
    })
}

/// The comparison `Return::WithDashpot`, where the contact slips.
pub(super) fn return_with_dashpot(
    law: &Coefficients,
    contacts: &Contacts,
    old: &[Column; 4],
    new: &mut [Column; 4],
    forces: &Forces,
) {
    for c in 0..WIDTH {
        let stiffness = law.stiffness(forces, c);
        let dashpot = law.dashpot(contacts, forces, c);
        let trial = trial_force(law, contacts, old, forces, c);
        let size = trial.iter().map(|part| part * part).sum::<f64>().sqrt();
        let limit = law.friction.in_slip * law.friction.pressure(forces, c);
        if forces.friction_excess[c] > 0.0 && stiffness > 0.0 {
            for axis in 0..3 {
                let viscous = dashpot * contacts.slip_velocity[axis][c];
                new[axis][c] = -(limit / size * trial[axis] + viscous) / stiffness;
            }
        }
    }
}

/// `SlipRule::C16`, where the contact slips: the spring `-(μ_s N/k_t) f/|f|` of C16(33), whatever its
/// length was before.
pub(super) fn keep_static_limit(
    law: &Coefficients,
    contacts: &Contacts,
    old: &[Column; 4],
    new: &mut [Column; 4],
    forces: &Forces,
) {
    for c in 0..WIDTH {
        let stiffness = law.stiffness(forces, c);
        let trial = trial_force(law, contacts, old, forces, c);
        let size = trial.iter().map(|part| part * part).sum::<f64>().sqrt();
        let limit = law.friction.at_rest * law.friction.pressure(forces, c);
        if forces.friction_excess[c] > 0.0 && stiffness > 0.0 {
            for axis in 0..3 {
                new[axis][c] = -(limit / size * trial[axis]) / stiffness;
            }
        }
    }
}
