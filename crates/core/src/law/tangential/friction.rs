//! Common parts of tangential laws: coefficients of friction and the normal force in the friction limit.

use crate::law::damping::{TensileCutoff, ratio_of_restitution};
use crate::law::slots::NormalForces;
use crate::law::{Forces, PairContext};

/// The normal force in the Coulomb limit; it is zero where the forces that count attract.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum FrictionLimit {
    /// Elastic and damping force.
    #[default]
    Total,
    /// Elastic force only, as in B.
    Elastic,
    /// Elastic force, damping force and attraction.
    WithCohesion,
}

/// Which limit a contact is tested against and which one its spring keeps in slip, where the static
/// coefficient of friction is larger than the dynamic one. See docs/laws/mindlin.md.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum SlipRule {
    /// A contact that slid at the last accepted state is tested against the dynamic limit, one that
    /// stuck against the static limit. The mean friction does not depend on the time step.
    #[default]
    Hysteresis,
    /// As printed in C15(32)–(36): always tested against the static limit, reduced to the dynamic
    /// limit. A sliding contact alternates between both; its mean friction depends on the time
    /// step.
    C15,
    /// As printed in C16(31)–(33), with the sign corrected: always tested against the static limit,
    /// which the spring keeps in slip while the force is the dynamic one.
    C16,
}

/// The friction of one pair of materials.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Friction {
    /// Static coefficient.
    pub at_rest: f64,
    /// Dynamic coefficient.
    pub in_slip: f64,
    pub rule: SlipRule,
    damping_counts: f64,
    cohesion_counts: f64,
}

impl Friction {
    pub(super) fn for_pair(
        limit: FrictionLimit,
        rule: SlipRule,
        context: &mut PairContext<'_>,
    ) -> Option<Self> {
        let [at_rest, in_slip] = coefficients(context)?;
        let counts = |yes: bool| if yes { 1.0 } else { 0.0 };
        Some(Self {
            at_rest,
            in_slip,
            rule,
            damping_counts: counts(limit != FrictionLimit::Elastic),
            cohesion_counts: counts(limit == FrictionLimit::WithCohesion),
        })
    }

    /// True if the limit of the trial force depends on whether the contact slid.
    #[inline(always)]
    pub(super) fn depends_on_history(&self) -> bool {
        self.at_rest > self.in_slip
    }

    /// True if a contact that slid at the accepted state is tested against the dynamic limit. For an evaluation at the
    /// accepted state this is true for every rule.
    #[inline(always)]
    pub(super) fn slides_on(&self, elapsed: f64) -> bool {
        self.rule == SlipRule::Hysteresis || elapsed == 0.0
    }

    /// Coefficient for the test of the trial force, from the excess at the accepted state [N].
    #[inline(always)]
    pub(super) fn tested_coefficient(&self, excess_before: f64, elapsed: f64) -> f64 {
        let slides_on = self.slides_on(elapsed);
        if slides_on & (excess_before > 0.0) { self.in_slip } else { self.at_rest }
    }

    /// N in the friction limit for one lane of a chunk [N].
    #[inline(always)]
    pub(super) fn normal_force_of_lane(&self, forces: &Forces, c: usize) -> f64 {
        self.sum_of(forces.elastic[c], forces.damping[c], forces.cohesion[c])
    }

    /// N in the friction limit [N].
    #[inline(always)]
    pub(super) fn normal_force(&self, normal: &NormalForces) -> f64 {
        self.sum_of(normal.elastic.force, normal.damping, normal.cohesion)
    }

    #[inline(always)]
    fn sum_of(&self, elastic: f64, damping: f64, cohesion: f64) -> f64 {
        let sum = elastic + self.damping_counts * damping + self.cohesion_counts * cohesion;
        if sum > 0.0 { sum } else { 0.0 }
    }
}

/// Static and dynamic coefficient of friction of a pair; none after a problem has been reported.
fn coefficients(context: &mut PairContext<'_>) -> Option<[f64; 2]> {
    let range = 0.0..=f64::MAX;
    if let Some(both) = context.optional("friction", range.clone()) {
        for name in ["static_friction", "dynamic_friction"] {
            if context.optional(name, range.clone()).is_some() {
                context.problem(format!("both `friction` and `{name}` are given"), None);
            }
        }
        return Some([both, both]);
    }
    match (
        context.optional("static_friction", range.clone()),
        context.optional("dynamic_friction", range.clone()),
    ) {
        (Some(static_friction), Some(dynamic_friction)) => {
            if dynamic_friction > static_friction {
                context.problem("`dynamic_friction` is larger than `static_friction`", None);
            }
            Some([static_friction, dynamic_friction])
        }
        (None, None) => context.require("friction", range).map(|both| [both; 2]),
        (Some(_), None) => context.require("dynamic_friction", range).map(|both| [both; 2]),
        (None, Some(_)) => context.require("static_friction", range).map(|both| [both; 2]),
    }
}

/// The damping ratio of a tangential dashpot; by default that of the normal damping. If that follows from a
/// restitution, it is the ratio of a normal contact with tension, since a tangential spring acts in both directions and
/// has no cut-off. It is below one at any restitution.
pub(super) fn damping_ratio(context: &mut PairContext<'_>) -> f64 {
    let given = context.optional("tangential_damping_ratio", 0.0..=f64::MAX);
    let normal = context.optional("damping_ratio", 0.0..=f64::MAX);
    let restitution = context.optional("restitution", f64::MIN_POSITIVE..=1.0);
    given
        .or(normal)
        .or(restitution.map(|restitution| {
            ratio_of_restitution(restitution, TensileCutoff::Keep, context.force_exponent)
        }))
        .or(context.damping_ratio)
        .unwrap_or(0.0)
}
