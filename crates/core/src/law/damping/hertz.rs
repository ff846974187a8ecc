//! Damping of a Hertzian contact with a restitution that does not depend on the speed.
//!
//! `F = d dδ/dt`, `d = 2 ξ √(m* k)` with the tangent stiffness `k` of the normal law; with Hertz's
//! law this is `2 ξ √(2 E* m*) (R* δ)^{1/4}`. B(48)–(54), B(63), C16(20), C16(22).
//!
//! The papers' relation between ξ and the restitution is that of a linear contact; the exact one has a factor √(5/6)
//! (docs/errata.md E6), and depends on the treatment of tension (`restitution.rs`). Checked numerically in
//! `tests/restitution.rs`.

use super::{TensileCutoff, Weighting, damping_ratio};
use crate::law::slots::{Contact, DampingLaw, Elastic, InTable, critical_root, next_as};
use crate::law::tensile_cutoff::{Floor, Released};
use crate::law::{
    ContactStiffness, Contacts, Evaluate, Forces, History, Law, Model, Optional, PairContext,
    PairState, Step, dynamic,
};

/// Damping proportional to the critical damping of the tangent stiffness, by `damping_ratio` or
/// `restitution` of the pair, or `damping_ratio` of both materials.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct HertzDamping {
    /// Weighting of the damping ratios of two materials if the pair has none.
    pub weighting: Weighting,
}

/// Parameter of a pair: `damping_ratio` or `restitution`.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::repulsion;
/// use esker::prelude::*;
///
/// let contact = ContactModel::normal(Hertz::default()).damping(HertzDamping::default());
/// let force = |velocity| repulsion(contact.clone(), Pair::new().damping_ratio(0.2), velocity);
/// assert!(force(Vec3::X * -0.1) > force(Vec3::ZERO)); // the grains approach each other
/// ```
impl Model for HertzDamping {
    fn name(&self) -> &'static str {
        "hertz"
    }

    fn for_pair(&self, context: &mut PairContext<'_>) -> Option<Box<dyn Law>> {
        let damping_ratio = damping_ratio(context, self.weighting)?;
        Some(Box::new(CriticalDamping::new(damping_ratio, context)))
    }
}

/// A dashpot `d = 2 ξ √(m* k)` between one pair of materials.
#[derive(Debug, Clone, Copy)]
pub struct CriticalDamping {
    damping_ratio: f64,
    tension: TensileCutoff,
    floor: Floor,
    /// Mean of the coefficient from first touch on as a fraction of its current value: it is proportional to the
    /// overlap to the power of (n - 1)/2 for a force proportional to the overlap to the power of n.
    mean_from_touch: f64,
}

impl CriticalDamping {
    pub(crate) fn new(damping_ratio: f64, context: &PairContext<'_>) -> Self {
        let (tension, exponent) = (context.tension, context.force_exponent);
        let mean_from_touch = 2.0 / (exponent + 1.0);
        Self { damping_ratio, tension, floor: tension.floor(), mean_from_touch }
    }
}

impl Law for CriticalDamping {
    fn stiffness(&self, pair: &PairState, sum: &mut ContactStiffness) {
        sum.normal_dashpot +=
            2.0 * self.damping_ratio * critical_root(pair.effective_mass, sum.normal);
    }

    fn tensile_cutoff(&self) -> Option<TensileCutoff> {
        Some(self.tension)
    }
}

impl Evaluate for CriticalDamping {
    type History = Optional<Released>;

    fn evaluate(
        &self,
        contacts: &Contacts,
        step: &Step,
        history: History<'_, Optional<Released>>,
        forces: &mut Forces,
    ) {
        dynamic::damping(self, contacts, step, forces);
        self.tension.apply(contacts, step, history, forces);
    }

    fn presence(&self) -> bool {
        self.tension == TensileCutoff::Release
    }
}

impl InTable for CriticalDamping {
    fn take(laws: &mut std::slice::Iter<'_, Box<dyn Law>>) -> Option<Self> {
        next_as(laws).copied().filter(|law: &Self| law.tension != TensileCutoff::Release)
    }
}

impl DampingLaw for CriticalDamping {
    const USES_ROOT: bool = true;

    #[inline(always)]
    fn force(&self, contact: &Contact, elastic: &Elastic, root: f64) -> f64 {
        let weight = contact.first_touch_weight(self.mean_from_touch);
        let damping = self.damping_ratio * (2.0 * root) * weight * contact.closing_speed;
        self.floor.limit(damping, elastic.force)
    }
}
