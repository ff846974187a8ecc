//! Geometry and kinematics of contacts: every kind of partner fills the same columns.

mod kinematics;
pub(crate) mod lane;
mod partners;

pub(crate) use kinematics::{Aspect, kinematics};
pub(crate) use partners::{Partners, separate};
