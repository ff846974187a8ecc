//! Tangential force.

mod mindlin;

pub use mindlin::{FrictionLimit, Mindlin, Stiffness};
