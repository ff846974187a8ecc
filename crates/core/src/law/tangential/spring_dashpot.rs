//! Campello's spring and dashpot, C16(25)–(39): `spring.rs` with the settings and literal options of the paper.
//!
//! Slip is `[(1-φ) P' u_S + φ u'] Δt` with the integrator's φ, C16(36), C16(37); a contact that began within the step
//! has slipped only since then (docs/errata.md R6). The signs are those of erratum E7; the stiffness is Mindlin's
//! unless `printed` is selected (E8).

use super::spring::{self, Return, Settings, Stiffness};
use super::{FrictionLimit, SlipRule, friction};
use crate::law::{Law, Model, PairContext, Transport};

/// Spring and dashpot with trial force, return map and Coulomb limit. Pair parameters as those of
/// `mindlin`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct SpringDashpot {
    /// Stiffness of the spring.
    pub stiffness: Stiffness,
    /// The normal force N in the Coulomb limit.
    pub friction_limit: FrictionLimit,
    /// Friction limit that is tested and stored if static and dynamic friction differ.
    pub slip_rule: SlipRule,
    /// Transport of the spring with the tangent plane; C16(35) uses `project`.
    pub transport: Transport,
    /// Length of the spring in slip.
    #[cfg_attr(feature = "serde", serde(rename = "return"))]
    pub return_rule: Return,
    /// True if the spring is shortened as its stiffness grows, so that no loading path gains
    /// energy.
    pub rescale: bool,
    /// True if the slip beyond the spring is accumulated for output; does not change forces.
    pub record_sliding: bool,
}

/// Parameters of a pair: `friction`, optionally `tangential_damping_ratio`.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::contact_after;
/// use esker::prelude::*;
///
/// let contact = ContactModel::normal(Hertz::default()).tangential(tangential::SpringDashpot::default());
/// let motion = [Vec3::Y * 0.5, Vec3::ZERO];
/// let contact = contact_after(1e-4, contact, Pair::new().friction(0.3).tangential_damping_ratio(0.1), motion);
/// let ratio = contact.tangential.length() / contact.elastic;
/// assert!(ratio > 0.0 && ratio < 0.3 + 1e-9); // Coulomb's limit
/// ```
impl Model for SpringDashpot {
    fn name(&self) -> &'static str {
        "spring-dashpot"
    }

    fn for_pair(&self, context: &mut PairContext<'_>) -> Option<Box<dyn Law>> {
        let settings = Settings {
            stiffness: self.stiffness,
            friction_limit: self.friction_limit,
            slip_rule: self.slip_rule,
            transport: self.transport,
            rescale: self.rescale,
            record_sliding: self.record_sliding,
            return_rule: self.return_rule,
            mapping: None,
        };
        let damping_ratio = friction::damping_ratio(context);
        Some(Box::new(spring::law(&settings, damping_ratio, context)?))
    }
}
