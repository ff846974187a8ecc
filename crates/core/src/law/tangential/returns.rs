//! Return maps of a tangential spring other than the default one, for comparison with other codes and with C16 as
//! printed.

use super::spring_force::{Coefficients, SpringHistory};
use crate::law::{Contacts, Forces, History, WIDTH};

/// Trial force of a lane [N].
fn trial_force(
    law: &Coefficients,
    contacts: &Contacts,
    history: &History<'_, SpringHistory>,
    forces: &Forces,
    c: usize,
) -> [f64; 3] {
    let (stiffness, dashpot) = (law.stiffness(forces, c), law.dashpot(contacts, forces, c));
    let old = history.old(c).spring;
    std::array::from_fn(|axis| {
        let viscous = dashpot * contacts.slip_velocity[axis][c];
        -(stiffness * (old[axis] + contacts.slip[axis][c]) + viscous)
    })
}

/// `Return::WithDashpot`, for contacts that slip.
pub(super) fn return_with_dashpot(
    law: &Coefficients,
    contacts: &Contacts,
    history: &mut History<'_, SpringHistory>,
    forces: &Forces,
) {
    for c in 0..WIDTH {
        let stiffness = law.stiffness(forces, c);
        let dashpot = law.dashpot(contacts, forces, c);
        let trial = trial_force(law, contacts, history, forces, c);
        let size = trial.iter().map(|part| part * part).sum::<f64>().sqrt();
        let limit = law.friction.in_slip * law.friction.normal_force_of_lane(forces, c);
        if forces.friction_excess[c] > 0.0 && stiffness > 0.0 {
            let spring = std::array::from_fn(|axis| {
                let viscous = dashpot * contacts.slip_velocity[axis][c];
                -(limit / size * trial[axis] + viscous) / stiffness
            });
            history.set(c, SpringHistory { spring, ..history.new_value(c) });
        }
    }
}

/// `SlipRule::C16`, for contacts that slip: the spring `-(μ_s N/k_t) f/|f|` of C16(33), whatever its previous length.
pub(super) fn keep_static_limit(
    law: &Coefficients,
    contacts: &Contacts,
    history: &mut History<'_, SpringHistory>,
    forces: &Forces,
) {
    for c in 0..WIDTH {
        let stiffness = law.stiffness(forces, c);
        let trial = trial_force(law, contacts, history, forces, c);
        let size = trial.iter().map(|part| part * part).sum::<f64>().sqrt();
        let limit = law.friction.at_rest * law.friction.normal_force_of_lane(forces, c);
        if forces.friction_excess[c] > 0.0 && stiffness > 0.0 {
            let spring = std::array::from_fn(|axis| -(limit / size * trial[axis]) / stiffness);
            history.set(c, SpringHistory { spring, ..history.new_value(c) });
        }
    }
}
