//! Geometry and kinematics of contacts: every kind of partner fills the same columns.

mod increments;
mod kinematics;
pub(crate) mod lane;
mod options;
mod partners;

pub(crate) use increments::{
    ANCHORAGE_NAMES, ANCHORAGE_WIDTH, Anchorage, Shift, increments, remember,
};
pub(crate) use kinematics::{Aspect, kinematics};
pub use options::{Mapping, MappingNormal, MomentArm, Transport};
pub(crate) use partners::{Partners, approach};
