//! Rolling resistance of constant size against the relative rolling.
//!
//! `M = -M_max w_r/|w_r|`, `M_max = μ_R R* N`, capped at `½ I_c |w_r| / Δt` so that it cannot
//! reverse the rolling within a step (`1/I_c = 1/I₁ + 1/I₂`). Without the ½ a
//! moment that just stops the rolling is one that velocity Verlet, whose forces act half in the
//! step before and half in the one after, turns into a moment that changes sign in every step for
//! ever (eigenvalues ½ and -1 of spin and moment; with the ½ they are 0.64 and -0.39).
//!
//! It carries no static moment: a pile held by it alone creeps.

use super::{RollingLever, pressure};
use crate::law::{Contacts, Forces, History, Law, Model, PairContext, Step, WIDTH};
use crate::simd::multiversion;

/// Constant rolling torque, by `rolling_friction` of the pair.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct ConstantTorque {
    /// The arm of the normal force in the moment.
    pub lever: RollingLever,
}

impl Model for ConstantTorque {
    fn word(&self) -> &'static str {
        "constant-torque"
    }

    fn for_pair(&self, context: &mut PairContext<'_>) -> Box<dyn Law> {
        let rolling_friction = context.require("rolling_friction", 0.0..=f64::MAX);
        Box::new(ConstantTorqueLaw { rolling_friction, lever: self.lever })
    }
}

#[derive(Debug)]
struct ConstantTorqueLaw {
    rolling_friction: f64,
    lever: RollingLever,
}

impl Law for ConstantTorqueLaw {
    fn evaluate(
        &self,
        contacts: &Contacts,
        step: &Step,
        _history: &mut History<'_>,
        forces: &mut Forces,
    ) {
        evaluate(self, contacts, step, forces);
    }
}

multiversion! {
    fn evaluate(law: &ConstantTorqueLaw, contacts: &Contacts, step: &Step, forces: &mut Forces) {
        let per_step = 0.5 / step.dt.max(f64::MIN_POSITIVE);
        for c in 0..WIDTH {
            let rolling = [
                contacts.rolling_velocity[0][c],
                contacts.rolling_velocity[1][c],
                contacts.rolling_velocity[2][c],
            ];
            let rate = (rolling[0] * rolling[0] + rolling[1] * rolling[1] + rolling[2] * rolling[2]).sqrt();
            let largest = law.rolling_friction * law.lever.arm(contacts, c) * pressure(forces, c);
            let inverse_inertia = contacts.inverse_inertia[0][c] + contacts.inverse_inertia[1][c];
            let stopping = rate * per_step / inverse_inertia.max(f64::MIN_POSITIVE);
            let moment = largest.min(stopping);
            let per_rate = moment / rate.max(f64::MIN_POSITIVE);
            for axis in 0..3 {
                forces.couple[axis][c] -= per_rate * rolling[axis];
            }
            forces.rolling_power[c] += moment * rate;
        }
    }
}
