//! Tangential force.

pub(crate) mod mindlin;

pub(crate) use mindlin::{EXCESS, SLIDING, SPRING};
pub use mindlin::{FrictionLimit, Mindlin, Stiffness};
