//! Rolling resistance by a moment arm of the normal force, which acts ahead of the contact point by a fraction of the
//! contact radius.
//!
//! `M = -μ_r a N w_r/(|w_r| + w_s)` on the first partner, the opposite on the second: `-s × N` with the arm `s = μ_r a
//! (n × w_r)/|w_r|`. L(43), (44), (52) with errata L-E25, L-E26, after Zhang & Whiten (1999). L prints μ_r = 1. The
//! rolling force L(42) is not needed if a tangential law holds the contact (L-E24); with `force = "printed"` it is
//! added: `T = (s × N) × n (l₁/I₁ - l₂/I₂)/H`, `H = 1/m₁ + 1/m₂ + l₁²/I₁ + l₂²/I₂`, which alone keeps a rolling contact
//! without slip if there is no other acceleration, but not on a slope.
//!
//! It is smoothed at the spin `w_s = v_s/R*`, so it supports no moment at rest; as for `constant-torque` it is at most
//! `½ I_c |w_r|/Δt`, so that it does not reverse the rolling within a step. Checked by `tests/rolling_resistance.rs`.

use crate::Vec3;
use crate::law::normal::Area;
use crate::law::slots::{Contact, Elastic, InTable, Moment, Roll, RollingLaw, next_as};
use crate::law::{
    Contacts, Evaluate, Forces, History, Law, Model, PairContext, Step, Vector, WIDTH, dynamic,
};

/// Rolling resistance by a moment arm, by `rolling_arm`, the fraction μ_r of the contact radius, and
/// `smoothing_speed` [m/s] of the pair.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Arm {
    /// The contact area, for its radius; `lens` is that of L.
    pub area: Area,
    /// True if the rolling force of L(42) is added.
    pub force: RollingForce,
}

/// The tangential force that L(42) adds to the moment of rolling resistance.
///
/// ```
/// use esker::law::rolling::{Arm, RollingForce};
/// use esker::prelude::*;
///
/// let rolling = Arm { force: RollingForce::Printed, ..Arm::default() };
/// let contact = ContactModel::normal(Hertz::default()).rolling(rolling);
/// assert_eq!(contact.rolling.unwrap().name(), "arm");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum RollingForce {
    /// No force: the tangential law supplies it.
    #[default]
    None,
    /// As printed in L(42), without external accelerations (docs/errata.md L-E24).
    Printed,
}

/// Parameters of a pair: `rolling_arm`, `smoothing_speed`.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::contact_after;
/// use esker::prelude::*;
///
/// let contact = ContactModel::normal(Hertz::default()).rolling(rolling::Arm::default());
/// let spin = Vec3::Y * 10.0; // about an axis in the plane of contact
/// let contact = contact_after(1e-4, contact, Pair::new().rolling_arm(0.1).smoothing_speed(1e-3), [Vec3::ZERO, spin]);
/// assert!(contact.moment.length() > 0.0);
/// ```
impl Model for Arm {
    fn name(&self) -> &'static str {
        "arm"
    }

    fn for_pair(&self, context: &mut PairContext<'_>) -> Option<Box<dyn Law>> {
        let fraction = context.require("rolling_arm", 0.0..=f64::MAX);
        let smoothing_speed = context.require("smoothing_speed", f64::MIN_POSITIVE..=f64::MAX);
        let numbers = ArmNumbers { fraction: fraction?, smoothing_speed: smoothing_speed? };
        Some(Box::new(ArmLaw { numbers, area: self.area, force: self.force }))
    }
}

#[derive(Debug, Clone, Copy)]
struct ArmNumbers {
    /// μ_r.
    fraction: f64,
    /// v_s [m/s].
    smoothing_speed: f64,
}

#[derive(Debug)]
struct ArmLaw {
    numbers: ArmNumbers,
    area: Area,
    force: RollingForce,
}

impl Law for ArmLaw {}

impl Evaluate for ArmLaw {
    type History = ();
    const USES_ROLLING: bool = true;

    fn evaluate(
        &self,
        contacts: &Contacts,
        step: &Step,
        mut history: History<'_, ()>,
        forces: &mut Forces,
    ) {
        let (moment, tangential) = (forces.moment, forces.tangential);
        let numbers = self.numbers;
        match self.area {
            Area::Hertz => {
                let law = RollingArm::<false> { numbers };
                dynamic::rolling(&law, contacts, step, &mut history, forces);
            }
            Area::Lens => {
                let law = RollingArm::<true> { numbers };
                dynamic::rolling(&law, contacts, step, &mut history, forces);
            }
        }
        if self.force != RollingForce::None {
            add_rolling_force(contacts, &moment, forces);
            add_power(contacts, &tangential, forces);
        }
    }
}

/// The force L(42) from the moment of the arm.
fn add_rolling_force(contacts: &Contacts, before: &Vector, forces: &mut Forces) {
    for c in 0..WIDTH {
        let at = |vector: &Vector| Vec3::new(vector[0][c], vector[1][c], vector[2][c]);
        // s × N is the negative of the moment
        let product = (at(before) - at(&forces.moment)).cross(at(&contacts.normal));
        let per_inertia =
            |side: usize| contacts.moment_arm[side][c] * contacts.inverse_inertia[side][c];
        // in an order that is independent of which partner is the first
        let translation = contacts.inverse_mass[0][c] + contacts.inverse_mass[1][c];
        let rotation =
            contacts.moment_arm[0][c] * per_inertia(0) + contacts.moment_arm[1][c] * per_inertia(1);
        let mobility = translation + rotation;
        let force = product * ((per_inertia(0) - per_inertia(1)) / mobility);
        for (column, part) in forces.tangential.iter_mut().zip(force.to_array()) {
            column[c] += part;
        }
    }
}

/// Adds the power of the slip against the additional tangential force.
fn add_power(contacts: &Contacts, before: &Vector, forces: &mut Forces) {
    for c in 0..WIDTH {
        for axis in 0..3 {
            let added = forces.tangential[axis][c] - before[axis][c];
            forces.tangential_power[c] -= added * contacts.slip_velocity[axis][c];
        }
    }
}

/// The law with the contact area of Hertz, or of the lens.
#[derive(Debug, Clone, Copy)]
pub struct RollingArm<const LENS: bool = false> {
    numbers: ArmNumbers,
}

impl InTable for RollingArm {
    fn take(laws: &mut std::slice::Iter<'_, Box<dyn Law>>) -> Option<Self> {
        let law: &ArmLaw = next_as(laws)?;
        let is_plain = law.area == Area::Hertz && law.force == RollingForce::None;
        is_plain.then_some(Self { numbers: law.numbers })
    }
}

impl<const LENS: bool> RollingLaw for RollingArm<LENS> {
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
        let area = if LENS { Area::Lens } else { Area::Hertz };
        self.numbers.moment(area, contact, repulsion, roll)
    }
}

impl ArmNumbers {
    #[inline(always)]
    fn moment(&self, area: Area, contact: &Contact, repulsion: f64, roll: &Roll) -> Moment<()> {
        let per_step = 0.5 / contact.step.dt.max(f64::MIN_POSITIVE);
        let w = roll.velocity;
        let rate = (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]).sqrt();
        let overlap = contact.overlap.max(0.0);
        let [square, _] = area.square_of(contact.effective_radius, contact.radii, overlap);
        let smoothing = self.smoothing_speed / contact.effective_radius;
        let largest = self.fraction * square.sqrt() * repulsion.max(0.0) / (rate + smoothing);
        let inverse_inertia = contact.inverse_inertias[0] + contact.inverse_inertias[1];
        let stopping = per_step / inverse_inertia.max(f64::MIN_POSITIVE);
        let touching = contact.overlap > 0.0;
        let per_rate = if touching { largest.min(stopping) } else { 0.0 };
        Moment {
            moment: [-(per_rate * w[0]), -(per_rate * w[1]), -(per_rate * w[2])],
            power: per_rate * rate * rate,
            history: (),
        }
    }
}
