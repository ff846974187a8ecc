//! Damping of a linear contact: `F = d dδ/dt`, `d = 2 ξ √(m* k)`, with
//! `ξ = -ln e / √(π² + ln² e)` exactly for a constant stiffness `k`.

use super::hertz::CriticalDamping;
use super::{Weighting, damping_ratio, ratio_of_linear_contact};
use crate::law::{Law, Model, PairContext};

/// Damping in proportion to the critical one of a linear spring, by `damping_ratio` or
/// `restitution` of the pair, or `damping_ratio` of both materials.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Default,
    serde::Deserialize,
    serde::Serialize,
    schemars::JsonSchema,
)]
#[serde(default, deny_unknown_fields)]
pub struct LinearDamping {
    /// How the ratios of two materials are weighted where the pair has none.
    pub weighting: Weighting,
}

impl Model for LinearDamping {
    fn word(&self) -> &'static str {
        "linear"
    }

    fn for_pair(&self, context: &mut PairContext<'_>) -> Box<dyn Law> {
        let damping_ratio = damping_ratio(context, self.weighting, ratio_of_linear_contact);
        Box::new(CriticalDamping { damping_ratio, tension: context.tension })
    }
}
