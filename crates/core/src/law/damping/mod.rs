//! Dissipative normal force.

mod area;
pub(crate) mod hertz;
mod linear;
mod restitution;

pub use super::TensileCutoff;
pub use area::{AreaDamping, AreaDampingLaw};
pub use hertz::{CriticalDamping, HertzDamping};
pub use linear::LinearDamping;
pub use restitution::ratio_of_restitution;

use crate::law::PairContext;
use crate::notation::Setting;

/// How the damping ratios of two materials are weighted.
///
/// ```
/// use esker::law::damping::Weighting;
/// use esker::prelude::*;
///
/// let damping = HertzDamping { weighting: Weighting::OtherStiffness };
/// let contact = ContactModel::normal(Hertz::default()).damping(damping);
/// assert_eq!(contact.damping.unwrap().name(), "hertz");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Weighting {
    /// `ξ* = (E₁ ξ₁ + E₂ ξ₂) / (E₁ + E₂)`, as printed in B(52) and B(69): the stiffer material
    /// dominates.
    #[default]
    OwnStiffness,
    /// `ξ* = (E₂ ξ₁ + E₁ ξ₂) / (E₁ + E₂)`, as argued in the text around B(52): the softer material,
    /// which is deformed more, dominates (docs/errata.md E9).
    OtherStiffness,
}

/// Restitution below which a warning is issued if tension is cut off: the dashpot has five times the critical damping.
const SMALL_RESTITUTION: f64 = 0.01;

/// The damping ratio of a pair, given directly or by its restitution, or from those of its materials; none after a
/// problem has been reported.
fn damping_ratio(context: &mut PairContext<'_>, weighting: Weighting) -> Option<f64> {
    let ratio = context.optional("damping_ratio", 0.0..=f64::MAX);
    let restitution = context.optional("restitution", f64::MIN_POSITIVE..=1.0);
    let found = match (ratio, restitution) {
        (Some(ratio), None) => ratio,
        (None, Some(restitution)) => {
            let ratio = ratio_of_restitution(restitution, context.tension, context.force_exponent);
            context.remark(&format!("restitution {restitution} is a damping ratio of {ratio:.4}"));
            if restitution < SMALL_RESTITUTION && context.tension != TensileCutoff::Keep {
                let keep = context.choice("tension", "Keep");
                context.warn(&format!(
                    "a `restitution` of {restitution} without tension needs {ratio:.1} times the critical \
                     damping, which shortens the time step; with {keep} less than one"
                ));
            }
            ratio
        }
        (Some(ratio), Some(_)) => {
            context.problem(
                "both `damping_ratio` and `restitution` are given",
                Some("give one of them".into()),
            );
            ratio
        }
        (None, None) => {
            let found = ratio_of_materials(context, weighting);
            if found.is_none() {
                let ratio = context.notation.name(&Setting::Parameter("damping_ratio".into()));
                let addition = format!("{ratio} to both materials, or");
                context.lacks("`damping_ratio` or `restitution`", &addition);
            }
            found?
        }
    };
    context.damping_ratio = Some(found);
    Some(found)
}

/// The weighted mean of the ratios of the two materials, if both have one.
fn ratio_of_materials(context: &mut PairContext<'_>, weighting: Weighting) -> Option<f64> {
    let [Some(first), Some(second)] = context.of_materials("damping_ratio", 0.0..=f64::MAX) else {
        return None;
    };
    // a missing modulus is reported for the material
    let moduli = context.materials.map(|material| material.young_modulus.unwrap_or(1.0));
    // the limit of a rigid wall
    let [own, other] = match moduli.map(f64::is_infinite) {
        [false, false] => moduli,
        rigid => rigid.map(|rigid| if rigid { 1.0 } else { 0.0 }),
    };
    let weights = match weighting {
        Weighting::OwnStiffness => [own, other],
        Weighting::OtherStiffness => [other, own],
    };
    Some((weights[0] * first + weights[1] * second) / (own + other))
}
