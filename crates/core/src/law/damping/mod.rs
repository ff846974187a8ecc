//! Dissipative normal force.

pub(crate) mod hertz;
mod linear;

pub use hertz::HertzDamping;
pub use linear::LinearDamping;

use crate::law::{Contacts, Forces, PairContext, Step, WIDTH};

/// What becomes of an attraction by damping at the end of a contact.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Default,
    serde::Deserialize,
    serde::Serialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Tension {
    /// It acts, as in all the papers.
    #[default]
    Keep,
    /// Elastic and damping force together never attract.
    Clip,
}

/// `-ln e / √(π² + ln² e)`: damping ratio of a linear contact with restitution e.
pub fn ratio_of_linear_contact(restitution: f64) -> f64 {
    let logarithm = libm::log(restitution);
    -logarithm / (std::f64::consts::PI * std::f64::consts::PI + logarithm * logarithm).sqrt()
}

/// Damping ratio of a Hertzian contact with restitution e: that of a linear contact times √(5/6).
/// Exact when the contact ends at zero overlap.
pub fn ratio_of_hertzian_contact(restitution: f64) -> f64 {
    (5.0f64 / 6.0).sqrt() * ratio_of_linear_contact(restitution)
}

/// The damping ratio of a pair, given as such or through its restitution.
fn damping_ratio(context: &mut PairContext<'_>, from_restitution: fn(f64) -> f64) -> f64 {
    let ratio = context.optional("damping_ratio", 0.0..=f64::MAX);
    let restitution = context.optional("restitution", f64::MIN_POSITIVE..=1.0);
    match (ratio, restitution) {
        (Some(ratio), None) => ratio,
        (None, Some(restitution)) => from_restitution(restitution),
        (Some(ratio), Some(_)) => {
            context.problem(
                "both `damping_ratio` and `restitution` are given",
                Some("give one of them".into()),
            );
            ratio
        }
        (None, None) => {
            context.lacks("`damping_ratio` or `restitution`", "`damping_ratio = …`");
            0.0
        }
    }
}

/// Applies the treatment of tension and notes the power.
fn finish(tension: Tension, contacts: &Contacts, step: &Step, forces: &mut Forces) {
    if tension == Tension::Clip {
        for c in 0..WIDTH {
            forces.damping[c] = forces.damping[c].max(-forces.elastic[c]);
        }
    }
    if step.ledger {
        for c in 0..WIDTH {
            forces.damping_power[c] += forces.damping[c] * contacts.closing_speed[c];
        }
    }
}
