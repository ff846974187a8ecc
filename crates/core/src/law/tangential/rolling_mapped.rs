//! Campello's spring without dashpot, whose slip is the displacement of the points that were in contact, C15(25)–(38),
//! for moving particles and walls.
//!
//! The increment is in `geometry/anchor.rs`, the return map in `spring.rs`; the signs are those of erratum E4, the
//! stiffness is Mindlin's unless `printed` is selected (E8). Without a dashpot a small oscillation of a rolling sphere
//! persists.

use super::spring::{self, Return, Settings, Stiffness};
use super::{FrictionLimit, SlipRule};
use crate::law::{Law, Mapping, MappingNormal, Model, PairContext, RotationMap, Transport};

/// Spring whose slip is mapped from the finite rotations of the material points in contact. Pair
/// parameters: `friction`, or `static_friction` and `dynamic_friction`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct RollingMapped {
    /// Stiffness of the spring.
    pub stiffness: Stiffness,
    /// The normal force N in the Coulomb limit.
    pub friction_limit: FrictionLimit,
    /// Friction limit that is tested and stored if static and dynamic friction differ.
    pub slip_rule: SlipRule,
    /// Transport of the spring with the tangent plane; C15 uses `project`.
    pub transport: Transport,
    /// Rotation of a body in a step, from its spin.
    pub rotation: RotationMap,
    /// Material points whose displacement is the slip.
    pub points: MappingNormal,
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
/// let contact = ContactModel::normal(Hertz::default()).tangential(tangential::RollingMapped::default());
/// let motion = [Vec3::Y * 0.5, Vec3::ZERO];
/// let contact = contact_after(1e-4, contact, Pair::new().friction(0.3), motion);
/// let ratio = contact.tangential.length() / contact.elastic;
/// assert!(ratio > 0.0 && ratio < 0.3 + 1e-9); // Coulomb's limit
/// ```
impl Model for RollingMapped {
    fn name(&self) -> &'static str {
        "rolling-mapped"
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
            mapping: Some(Mapping { rotation: self.rotation, normal: self.points }),
        };
        Some(Box::new(spring::law(&settings, 0.0, context)?))
    }
}
