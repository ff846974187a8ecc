//! Damping of a linear contact: `F = d dδ/dt`, `d = 2 ξ √(m* k)`. The relation of restitution and ξ is that of the
//! normal law and its tension (`restitution.rs`).

use super::hertz::CriticalDamping;
use super::{Weighting, damping_ratio};
use crate::law::{Law, Model, PairContext};

/// Damping proportional to the critical damping of a linear spring, by `damping_ratio` or
/// `restitution` of the pair, or `damping_ratio` of both materials.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct LinearDamping {
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
/// let contact = ContactModel::normal(Hertz::default()).damping(LinearDamping::default());
/// let force = |velocity| repulsion(contact.clone(), Pair::new().restitution(0.5), velocity);
/// assert!(force(Vec3::X * -0.1) > force(Vec3::ZERO)); // the grains approach each other
/// ```
impl Model for LinearDamping {
    fn name(&self) -> &'static str {
        "linear"
    }

    fn for_pair(&self, context: &mut PairContext<'_>) -> Option<Box<dyn Law>> {
        let damping_ratio = damping_ratio(context, self.weighting)?;
        Some(Box::new(CriticalDamping::new(damping_ratio, context)))
    }
}
