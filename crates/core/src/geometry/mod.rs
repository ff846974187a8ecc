//! Geometry and kinematics of contacts: every kind of partner fills the same columns.

mod increments;
mod kinematics;
pub(crate) mod lane;
mod partners;

pub(crate) use increments::{
    ANCHORAGE_NAMES, ANCHORAGE_WIDTH, Anchorage, Shift, increments, remember,
};
pub(crate) use kinematics::{Aspect, kinematics};
pub(crate) use partners::{Partners, approach};
