//! The standard law: Mindlin's stiffness, a dashpot, and a spring that rotates with the
//! tangent plane. Settings of the spring in `spring.rs`.

use super::spring::{self, Return, Settings, Stiffness};
use super::{FrictionLimit, SlipRule, friction};
use crate::law::{Law, Model, PairContext, Transport};

/// Tangential spring with Coulomb limit. Pair parameters: `friction`, or `static_friction` and
/// `dynamic_friction`; `tangential_damping_ratio`, default: that of the normal damping.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::contact_after;
/// use esker::law::Transport;
/// use esker::law::tangential::{FrictionLimit, SlipRule, Stiffness};
/// use esker::prelude::*;
///
/// let mindlin = Mindlin {
///     stiffness: Stiffness::Ratio(2.0 / 7.0),
///     friction_limit: FrictionLimit::Elastic,
///     slip_rule: SlipRule::C15,
///     transport: Transport::Project,
///     ..Mindlin::default()
/// };
/// let contact = ContactModel::normal(Hertz::default()).tangential(mindlin);
/// let contact = contact_after(1e-4, contact, Pair::new().friction(0.3), [Vec3::Y * 0.5, Vec3::ZERO]);
/// let ratio = contact.tangential_stiffness / contact.normal_stiffness;
/// assert!((ratio - 2.0 / 7.0).abs() < 1e-12);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Mindlin {
    /// Stiffness of the spring.
    pub stiffness: Stiffness,
    /// The normal force N in the Coulomb limit.
    pub friction_limit: FrictionLimit,
    /// Friction limit that is tested and stored if static and dynamic friction differ.
    pub slip_rule: SlipRule,
    /// Transport of the spring with the tangent plane.
    pub transport: Transport,
    /// True if the spring is shortened as its stiffness grows, so that no loading path gains
    /// energy.
    pub rescale: bool,
    /// True if the slip beyond the spring is accumulated for output; does not change forces.
    pub record_sliding: bool,
}

/// Parameters of a pair: `friction`.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::contact_after;
/// use esker::prelude::*;
///
/// let contact = ContactModel::normal(Hertz::default()).tangential(Mindlin::default());
/// let motion = [Vec3::Y * 0.5, Vec3::ZERO];
/// let contact = contact_after(1e-4, contact, Pair::new().friction(0.3), motion);
/// let ratio = contact.tangential.length() / contact.elastic;
/// assert!(ratio > 0.0 && ratio < 0.3 + 1e-9); // Coulomb's limit
/// ```
impl Model for Mindlin {
    fn name(&self) -> &'static str {
        "mindlin"
    }

    fn for_pair(&self, context: &mut PairContext<'_>) -> Option<Box<dyn Law>> {
        let settings = Settings {
            stiffness: self.stiffness,
            friction_limit: self.friction_limit,
            slip_rule: self.slip_rule,
            transport: self.transport,
            rescale: self.rescale,
            record_sliding: self.record_sliding,
            return_rule: Return::Spring,
            mapping: None,
        };
        let damping_ratio = friction::damping_ratio(context);
        Some(Box::new(spring::law(&settings, damping_ratio, context)?))
    }
}
