//! Tangential force.

mod mindlin;

pub use mindlin::{FrictionLimit, Mindlin, Stiffness};
pub(crate) use mindlin::{SLIDING, SPRING};
