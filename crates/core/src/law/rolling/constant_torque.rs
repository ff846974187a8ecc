//! Rolling resistance of constant magnitude, opposite to the relative rolling.
//!
//! `M = -M_max w_r/|w_r|`, `M_max = μ_R R* N`, at most `½ I_c |w_r| / Δt`, so that it cannot reverse the rolling within
//! a step (`1/I_c = 1/I₁ + 1/I₂`). Without the factor ½, a moment that just stops the rolling alternates in sign in
//! every step with velocity Verlet, whose forces act half in the step before and half in the step after (eigenvalues ½
//! and -1 of spin and moment; with ½ they are 0.64 and -0.39).
//!
//! It supports no static moment: a pile stabilised by it alone creeps.

use super::RollingMomentArm;
use crate::law::slots::{Contact, Elastic, InTable, Moment, Roll, RollingLaw, next_as};
use crate::law::{Contacts, Evaluate, Forces, History, Law, Model, PairContext, Step, dynamic};

/// Constant rolling torque, by `rolling_friction` of the pair.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct ConstantTorque {
    /// Moment arm of the normal force.
    #[cfg_attr(feature = "serde", serde(rename = "lever"))]
    pub moment_arm: RollingMomentArm,
}

/// Parameters of a pair: `rolling_friction`.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::contact_after;
/// use esker::prelude::*;
///
/// let contact = ContactModel::normal(Hertz::default()).rolling(rolling::ConstantTorque::default());
/// let spin = Vec3::Y * 10.0; // about an axis in the plane of contact
/// let contact = contact_after(1e-4, contact, Pair::new().rolling_friction(0.1), [Vec3::ZERO, spin]);
/// assert!(contact.moment.length() > 0.0);
/// ```
impl Model for ConstantTorque {
    fn name(&self) -> &'static str {
        "constant-torque"
    }

    fn for_pair(&self, context: &mut PairContext<'_>) -> Option<Box<dyn Law>> {
        let rolling_friction = context.require("rolling_friction", 0.0..=f64::MAX)?;
        Some(Box::new(ConstantTorqueLaw {
            rolling_friction,
            arms: self.moment_arm.per_effective_radius(),
        }))
    }
}

/// Constant rolling torque between one pair of materials.
#[derive(Debug, Clone, Copy)]
pub struct ConstantTorqueLaw {
    /// μ_R.
    rolling_friction: f64,
    /// Moment arm as a multiple of R*: at a wall, and between particles.
    arms: [f64; 2],
}

impl Law for ConstantTorqueLaw {}

impl Evaluate for ConstantTorqueLaw {
    type History = ();
    const USES_ROLLING: bool = true;

    fn evaluate(
        &self,
        contacts: &Contacts,
        step: &Step,
        mut history: History<'_, ()>,
        forces: &mut Forces,
    ) {
        dynamic::rolling(self, contacts, step, &mut history, forces);
    }
}

impl InTable for ConstantTorqueLaw {
    fn take(laws: &mut std::slice::Iter<'_, Box<dyn Law>>) -> Option<Self> {
        next_as(laws).copied()
    }
}

impl RollingLaw for ConstantTorqueLaw {
    const NEEDS_INERTIAS: bool = true;
    type History = ();

    #[inline(always)]
    fn moment(
        &self,
        contact: &Contact,
        _: &Elastic,
        repulsion: f64,
        roll: &Roll,
        (): (),
    ) -> Moment<()> {
        let per_step = 0.5 / contact.step.dt.max(f64::MIN_POSITIVE);
        let w = roll.velocity;
        let rate = (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]).sqrt();
        let radius = contact.effective_radius;
        let arms = [radius * self.arms[0], radius * self.arms[1]];
        let arm = if contact.at_wall { arms[0] } else { arms[1] };
        let largest = self.rolling_friction * arm * repulsion.max(0.0);
        let inverse_inertia = contact.inverse_inertias[0] + contact.inverse_inertias[1];
        let stopping = rate * per_step / inverse_inertia.max(f64::MIN_POSITIVE);
        let moment = largest.min(stopping);
        let per_rate = moment / rate.max(f64::MIN_POSITIVE);
        Moment {
            moment: [-(per_rate * w[0]), -(per_rate * w[1]), -(per_rate * w[2])],
            power: moment * rate,
            history: (),
        }
    }
}
