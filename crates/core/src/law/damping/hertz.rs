//! Damping of a Hertzian contact with a restitution that does not depend on the speed.
//!
//! `F = d dδ/dt`, `d = 2 ξ √(m* k)` with the tangent stiffness `k` of the normal law; with Hertz's
//! law this is `2 ξ √(2 E* m*) (R* δ)^{1/4}`. B(48)–(54), B(63), C16(20), C16(22).
//!
//! The papers' relation between ξ and the restitution is that of a linear contact; the exact one
//! has a factor √(5/6) (docs/errata.md E6), and depends on what becomes of the tension
//! (`restitution.rs`). Checked numerically in `tests/restitution.rs`.

use super::{Tension, Weighting, damping_ratio};
use crate::law::tension::Floor;
use crate::law::{
    ContactStiffness, Contacts, Forces, History, HistoryColumn, Law, Model, PairContext, PairState,
    Step, WIDTH,
};
use crate::simd::multiversion;

/// Damping in proportion to the critical one of the tangent stiffness, by `damping_ratio` or
/// `restitution` of the pair, or `damping_ratio` of both materials.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct HertzDamping {
    /// How the ratios of two materials are weighted where the pair has none.
    pub weighting: Weighting,
}

impl Model for HertzDamping {
    fn word(&self) -> &'static str {
        "hertz"
    }

    fn for_pair(&self, context: &mut PairContext<'_>) -> Box<dyn Law> {
        let damping_ratio = damping_ratio(context, self.weighting);
        Box::new(CriticalDamping::new(damping_ratio, context.tension))
    }
}

/// `d = 2 ξ √(m* k)`.
#[derive(Debug)]
pub(crate) struct CriticalDamping {
    pub damping_ratio: f64,
    pub tension: Tension,
    floor: Floor,
}

impl CriticalDamping {
    pub(crate) fn new(damping_ratio: f64, tension: Tension) -> Self {
        Self { damping_ratio, tension, floor: tension.floor() }
    }
}

impl Law for CriticalDamping {
    fn evaluate(
        &self,
        contacts: &Contacts,
        step: &Step,
        history: &mut History<'_>,
        forces: &mut Forces,
    ) {
        evaluate(self.damping_ratio, self.floor, contacts, forces);
        self.tension.apply(contacts, step, history, forces);
    }

    fn history(&self) -> &[HistoryColumn] {
        self.tension.history()
    }

    fn uses_rolling(&self) -> bool {
        false
    }

    fn stiffness(&self, pair: &PairState, sum: &mut ContactStiffness) {
        sum.normal_dashpot += lane(self.damping_ratio, root(pair.effective_mass, sum.normal), 1.0);
    }
}

multiversion! {
    fn evaluate(damping_ratio: f64, floor: Floor, contacts: &Contacts, forces: &mut Forces) {
        for c in 0..WIDTH {
            let damping = lane(
                damping_ratio,
                root(contacts.effective_mass[c], forces.normal_stiffness[c]),
                contacts.closing_speed[c],
            );
            forces.damping[c] = floor.limit(damping, forces.elastic[c]);
        }
    }
}

/// √(m* k), of which the coefficient of every dashpot is a multiple.
#[inline(always)]
pub(crate) fn root(effective_mass: f64, stiffness: f64) -> f64 {
    (effective_mass * stiffness).sqrt()
}

/// The law for one contact.
#[inline(always)]
pub(crate) fn lane(damping_ratio: f64, root: f64, closing_speed: f64) -> f64 {
    damping_ratio * (2.0 * root) * closing_speed
}
