//! Options of the contact geometry that laws and scenes choose.

use crate::rotation::RotationMap;

/// Transport of a stored vector with the tangent plane.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Transport {
    /// Projection on the new plane, as in the papers: shortens the vector.
    Project,
    /// Projection, then scaling to the old length.
    ProjectRescale,
    /// Rotation with the plane: the smallest rotation from the old normal to the new one, then the
    /// mean spin of the partners about the normal.
    #[default]
    Rotate,
}

/// Slip of a law from the displacement of the points that were in contact at the accepted state,
/// instead of from the velocities. C15(25)–(30).
///
/// ```
/// use esker::law::tangential::RollingMapped;
/// use esker::law::{Mapping, MappingNormal, RotationMap};
///
/// // the options of `rolling-mapped`, and the result of its `Law::mapping`
/// let law = RollingMapped { points: MappingNormal::Present, ..RollingMapped::default() };
/// let mapping = Mapping { rotation: RotationMap::default(), normal: MappingNormal::Present };
/// assert_eq!((law.rotation, law.points), (mapping.rotation, mapping.normal));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Mapping {
    /// How the rotation of a body follows from its spin.
    pub rotation: RotationMap,
    /// Position of these points on the bodies.
    pub normal: MappingNormal,
}

/// Position on the bodies of the points whose displacement is the slip.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum MappingNormal {
    /// Along the normal of the accepted state, where the bodies touched: a pair that rotates as a
    /// rigid body does not slip.
    #[default]
    Accepted,
    /// Along the current normal, as printed in C15.
    Present,
}

/// Distance of a centre from the contact point.
///
/// ```
/// use esker::law::MomentArm;
/// use esker::prelude::*;
///
/// let mut contact = ContactModel::normal(Hertz::default()).tangential(Mindlin::default());
/// assert_eq!(contact.moment_arm, MomentArm::HalfOverlap);
/// contact.moment_arm = MomentArm::Radius;
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum MomentArm {
    /// r - δ/2: the moment arms add up to the distance of the centres, so angular momentum is conserved.
    #[default]
    HalfOverlap,
    /// r, as in B, C15 and C16.
    Radius,
    /// Up to the plane of the lens in which the spheres intersect, as in L.
    Contact,
}

impl MomentArm {
    /// Distance of a centre from the contact point at a wall [m].
    pub(crate) fn at_wall(self, radius: f64, distance: f64) -> f64 {
        match self {
            Self::HalfOverlap => 0.5 * (radius + distance),
            Self::Radius => radius,
            Self::Contact => distance,
        }
    }
}
