//! Rolling resistance by a moment arm of the normal force: the pressure leads the rolling by a fraction
//! of the contact radius.
//!
//! `M = -μ_r a N w_r/(|w_r| + w_s)` on the first partner, the opposite on the second: `-s × N` with the arm
//! `s = μ_r a (n × w_r)/|w_r|`. L(43), (44), (52) with errata L-E25, L-E26, after Zhang & Whiten (1999).
//! L prints μ_r = 1. The rolling force L(42) is not needed where a tangential law holds the contact
//! (L-E24).
//!
//! It is smoothed at the spin `w_s = v_s/R*`, so it carries no moment at rest; and as for
//! `constant-torque` it is at most `½ I_c |w_r|/Δt`, so that it does not reverse the rolling within a
//! step. Checked by `tests/rolling_resistance.rs`.

use crate::law::normal::Area;
use crate::law::slots::{Contact, Elastic, InTable, Moment, Roll, RollingLaw, next_as};
use crate::law::{Contacts, Evaluate, Forces, History, Law, Model, PairContext, Step, dynamic};

/// Rolling resistance by a moment arm, by `rolling_arm`, the fraction μ_r of the contact radius, and
/// `smoothing_speed` [m/s] of the pair.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Arm {
    /// The contact area, for its radius; `lens` is that of L.
    pub area: Area,
}

impl Model for Arm {
    fn word(&self) -> &'static str {
        "arm"
    }

    fn for_pair(&self, context: &mut PairContext<'_>) -> Box<dyn Law> {
        let numbers = ArmNumbers {
            fraction: context.require("rolling_arm", 0.0..=f64::MAX),
            smoothing_speed: context.require("smoothing_speed", f64::MIN_POSITIVE..=f64::MAX),
        };
        Box::new(ArmLaw { numbers, area: self.area })
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
        (law.area == Area::Hertz).then_some(Self { numbers: law.numbers })
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
