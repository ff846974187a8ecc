//! Common parts of tangential laws: coefficients of friction, the normal force in the friction limit,
//! and the longest stable time step of a contact that sticks.

use crate::law::damping::{Tension, ratio_of_restitution};
use crate::law::normal::impact_duration;
use crate::law::slots::NormalForces;
use crate::law::{Encounter, Forces, PairContext};

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
    /// Elastic and damping force and the cohesion.
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
    /// As printed in C15(32)–(36): always tested against the static limit, cut back to the dynamic
    /// one. A sliding contact alternates between both; its mean friction depends on the time step.
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
    ) -> Self {
        let [at_rest, in_slip] = coefficients(context);
        let counts = |yes: bool| if yes { 1.0 } else { 0.0 };
        Self {
            at_rest,
            in_slip,
            rule,
            damping_counts: counts(limit != FrictionLimit::Elastic),
            cohesion_counts: counts(limit == FrictionLimit::WithCohesion),
        }
    }

    /// Whether the limit of the trial force depends on whether the contact slid.
    #[inline(always)]
    pub(super) fn depends_on_history(&self) -> bool {
        self.at_rest > self.in_slip
    }

    /// Whether a contact that slid at the accepted state is tested against the limit in slip. At the
    /// accepted state itself this holds under every rule.
    #[inline(always)]
    pub(super) fn slides_on(&self, elapsed: f64) -> bool {
        self.rule == SlipRule::Hysteresis || elapsed == 0.0
    }

    /// Coefficient that the trial force is compared with, from the excess at the accepted state [N].
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

/// Static and dynamic coefficient of friction of a pair.
fn coefficients(context: &mut PairContext<'_>) -> [f64; 2] {
    let range = 0.0..=f64::MAX;
    if let Some(both) = context.optional("friction", range.clone()) {
        for name in ["static_friction", "dynamic_friction"] {
            if context.optional(name, range.clone()).is_some() {
                context.problem(format!("both `friction` and `{name}` are given"), None);
            }
        }
        return [both, both];
    }
    match (
        context.optional("static_friction", range.clone()),
        context.optional("dynamic_friction", range.clone()),
    ) {
        (Some(static_friction), Some(dynamic_friction)) => {
            if dynamic_friction > static_friction {
                context.problem("`dynamic_friction` is larger than `static_friction`", None);
            }
            [static_friction, dynamic_friction]
        }
        (None, None) => [context.require("friction", range); 2],
        (Some(_), None) => [context.require("dynamic_friction", range); 2],
        (None, Some(_)) => [context.require("static_friction", range); 2],
    }
}

/// The damping ratio of a tangential dashpot: that of the normal damping where none is given. Where
/// that follows from a restitution, it is the ratio of a normal contact that keeps its tension: a
/// tangential spring pulls as it pushes, and no cut-off ends it. It is below one at any restitution.
pub(super) fn damping_ratio(context: &mut PairContext<'_>) -> f64 {
    let given = context.optional("tangential_damping_ratio", 0.0..=f64::MAX);
    let normal = context.optional("damping_ratio", 0.0..=f64::MAX);
    let restitution = context.optional("restitution", f64::MIN_POSITIVE..=1.0);
    given
        .or(normal)
        .or(restitution.map(|restitution| {
            ratio_of_restitution(restitution, Tension::Keep, context.force_exponent)
        }))
        .or(context.damping_ratio)
        .unwrap_or(0.0)
}

/// How stiff the contacts of a pair become in an impact, normally and tangentially.
#[derive(Debug, Clone, Copy)]
pub(super) struct Impact {
    /// E* [Pa].
    young: f64,
    /// Stiffness of a linear normal law, where that is what presses [N/m].
    linear: Option<f64>,
}

impl Impact {
    pub(super) fn for_pair(context: &PairContext<'_>) -> Self {
        Self { young: context.effective_young_modulus(), linear: context.peek("normal_stiffness") }
    }

    /// Whether the normal law is linear.
    pub(super) fn is_linear(&self) -> bool {
        self.linear.is_some()
    }

    /// Duration of the normal impact [s].
    pub(super) fn duration(&self, encounter: &Encounter) -> f64 {
        match self.linear {
            Some(stiffness) => std::f64::consts::PI * (encounter.effective_mass / stiffness).sqrt(),
            None => impact_duration(self.young, encounter),
        }
    }

    /// Radius of the contact area at the turn of the impact [m], by `√(R* δ)`.
    pub(super) fn contact_radius(&self, encounter: &Encounter) -> f64 {
        let overlap = match self.linear {
            Some(stiffness) => encounter.speed * (encounter.effective_mass / stiffness).sqrt(),
            // δ = t v / 2.9433
            None => impact_duration(self.young, encounter) * encounter.speed / HERTZ_DURATION,
        };
        (encounter.effective_radius * overlap).sqrt()
    }

    /// Normal stiffness at the turn of the impact [N/m].
    pub(super) fn stiffness(&self, encounter: &Encounter) -> f64 {
        self.linear.unwrap_or_else(|| 2.0 * self.young * self.contact_radius(encounter))
    }
}

/// `2 ∫ dx/√(1 - x^{5/2})`: the duration of Hertz's impact in units of δ/v.
const HERTZ_DURATION: f64 = 2.943_275;

/// Longest step with which tangential springs and dashpots that stick are stable [s], by the stiffest
/// motion of a dense packing.
///
/// A sphere that touches twelve like it has its stiffest mode where all turn alike: each contact
/// slips by twice the radius times the angle, and twelve contacts of which two thirds count give
/// `ω² = 12 · 2/3 · 2 k/(2/5 m) = 40 k/m = 20 k/m*` — 40/7 of the `7/2 k/m*` with which a single
/// contact swings — and the dashpots `2ζω = 20 d/m*`. Slip is the spin of the middle of a step times
/// the step, so the force at its end is `-(k s + d u)` with the u of the middle, and velocity Verlet
/// has `(z-1)² + (ω²Δt² z + 2ζωΔt (z-1)) = 0` for the growth z per step of a mode of frequency ω and
/// damping ratio ζ. The first root to leave the unit circle does so at -1, where
/// `ω²Δt² + 4ζωΔt = 4`. With `d = 2ξ √(m* k)` and `y = Δt √(k/m*)` that is `20 y² + 80 ξ y = 4`. A
/// twentieth is left, since at the very edge a mode neither grows nor dies.
pub(super) fn longest_sticking_step(
    stiffness: f64,
    damping_ratio: f64,
    encounter: &Encounter,
) -> f64 {
    let twice = 2.0 * damping_ratio;
    // the root of the quadratic in the form that loses no digits
    let scaled = 0.2 / (twice + (twice * twice + 0.2).sqrt());
    0.95 * scaled * (encounter.effective_mass / stiffness).sqrt()
}
