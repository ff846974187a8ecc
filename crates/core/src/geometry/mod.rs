//! Geometry and kinematics of contacts: every kind of partner fills the same columns.

mod kinematics;
mod partners;

pub(crate) use kinematics::{Aspect, kinematics};
pub(crate) use partners::{Partners, separate};
