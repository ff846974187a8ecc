//! Geometry and kinematics of contacts: the same columns for both kinds of partner.

mod anchor;
pub(crate) mod contact;
mod kinematics;
mod options;
mod transport;

pub(crate) use anchor::{
    ANCHORAGE_NAMES, ANCHORAGE_WIDTH, Anchorage, Shift, map_slip, store_anchors,
};
pub(crate) use kinematics::{KinematicsOptions, kinematics, pair_kinematics, power_without_kicks};
pub use options::{Mapping, MappingNormal, MomentArm, Transport};
pub(crate) use transport::{halfway, rotated, rotated_halfway, transport};
