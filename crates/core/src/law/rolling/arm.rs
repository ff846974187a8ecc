//! Rolling resistance by the arm of the normal force: the pressure leads the rolling by a share of the
//! contact radius.
//!
//! `M = -μ_r a N w_r/(|w_r| + w_s)` on the first partner, the opposite on the second: `-s × N` with the arm
//! `s = μ_r a (n × w_r)/|w_r|`. L(43), (44), (52) with errata L-E25, L-E26, after Zhang & Whiten (1999).
//! L prints μ_r = 1. The rolling force L(42) is not needed where a tangential law holds the contact
//! (L-E24); with `force = "printed"` it is added: `T = (s × N) × n (l₁/I₁ - l₂/I₂)/H`,
//! `H = 1/m₁ + 1/m₂ + l₁²/I₁ + l₂²/I₂`, which alone keeps a rolling contact without slip if nothing
//! else accelerates it, and holds nothing on a slope.
//!
//! It is smoothed at the spin `w_s = v_s/R*`, so it carries no moment at rest; and as for
//! `constant-torque` it is at most `½ I_c |w_r|/Δt`, so that it does not reverse the rolling within a
//! step. Checked by `tests/rolling_resistance.rs`.

use super::pressure;
use crate::Vec3;
use crate::law::normal::Area;
use crate::law::{Contacts, Forces, History, Law, Model, PairContext, Step, Vector, WIDTH};
use crate::simd::multiversion;

/// Rolling resistance by an arm, by `rolling_arm`, the share μ_r of the contact radius, and
/// `smoothing_speed` [m/s] of the pair.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Arm {
    /// The contact area, for its radius; `lens` is that of L.
    pub area: Area,
    /// Whether the rolling force of L(42) acts too.
    pub force: RollingForce,
}

/// The tangential force that L(42) adds to the moment of rolling resistance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum RollingForce {
    /// None: the tangential law holds the contact.
    #[default]
    None,
    /// As printed in L(42), without external accelerations (docs/errata.md L-E24).
    Printed,
}

impl Model for Arm {
    fn word(&self) -> &'static str {
        "arm"
    }

    fn for_pair(&self, context: &mut PairContext<'_>) -> Box<dyn Law> {
        Box::new(ArmLaw {
            share: context.require("rolling_arm", 0.0..=f64::MAX),
            smoothing_speed: context.require("smoothing_speed", f64::MIN_POSITIVE..=f64::MAX),
            area: self.area,
            force: self.force,
        })
    }
}

#[derive(Debug)]
struct ArmLaw {
    share: f64,
    smoothing_speed: f64,
    area: Area,
    force: RollingForce,
}

impl Law for ArmLaw {
    fn evaluate(
        &self,
        contacts: &Contacts,
        step: &Step,
        _history: &mut History<'_>,
        forces: &mut Forces,
    ) {
        if self.force == RollingForce::None {
            return evaluate(self, contacts, step, forces);
        }
        let (couple, tangential) = (forces.couple, forces.tangential);
        evaluate(self, contacts, step, forces);
        add_rolling_force(contacts, &couple, forces);
        book(contacts, &tangential, forces);
    }
}

/// L(42) from the moment that the arm has added to the couple.
fn add_rolling_force(contacts: &Contacts, before: &Vector, forces: &mut Forces) {
    for c in 0..WIDTH {
        let at = |vector: &Vector| Vec3::new(vector[0][c], vector[1][c], vector[2][c]);
        // s × N is the opposite of the moment
        let product = (at(before) - at(&forces.couple)).cross(at(&contacts.normal));
        let per_inertia = |side: usize| contacts.lever[side][c] * contacts.inverse_inertia[side][c];
        // in an order that does not depend on which partner is the first
        let translation = contacts.inverse_mass[0][c] + contacts.inverse_mass[1][c];
        let rotation =
            contacts.lever[0][c] * per_inertia(0) + contacts.lever[1][c] * per_inertia(1);
        let mobility = translation + rotation;
        let force = product * ((per_inertia(0) - per_inertia(1)) / mobility);
        for (column, part) in forces.tangential.iter_mut().zip(force.to_array()) {
            column[c] += part;
        }
    }
}

/// Books the work of what was added to the tangential force.
fn book(contacts: &Contacts, before: &Vector, forces: &mut Forces) {
    for c in 0..WIDTH {
        for axis in 0..3 {
            let added = forces.tangential[axis][c] - before[axis][c];
            forces.tangential_power[c] -= added * contacts.slip_velocity[axis][c];
        }
    }
}

multiversion! {
    fn evaluate(law: &ArmLaw, contacts: &Contacts, step: &Step, forces: &mut Forces) {
        let per_step = 0.5 / step.dt.max(f64::MIN_POSITIVE);
        for c in 0..WIDTH {
            let rolling = [
                contacts.rolling_velocity[0][c],
                contacts.rolling_velocity[1][c],
                contacts.rolling_velocity[2][c],
            ];
            let rate = (rolling[0] * rolling[0] + rolling[1] * rolling[1] + rolling[2] * rolling[2]).sqrt();
            let [square, _] = law.area.square(contacts, c, contacts.overlap[c].max(0.0));
            let smoothing = law.smoothing_speed / contacts.effective_radius[c];
            let largest = law.share * square.sqrt() * pressure(forces, c) / (rate + smoothing);
            let inverse_inertia = contacts.inverse_inertia[0][c] + contacts.inverse_inertia[1][c];
            let stopping = per_step / inverse_inertia.max(f64::MIN_POSITIVE);
            let touching = contacts.overlap[c] > 0.0;
            let per_rate = if touching { largest.min(stopping) } else { 0.0 };
            for axis in 0..3 {
                forces.couple[axis][c] -= per_rate * rolling[axis];
            }
            forces.rolling_power[c] += per_rate * rate * rate;
        }
    }
}
