//! Tangential force.

mod friction;
mod mindlin;
mod rolling_mapped;
mod spring;
mod spring_dashpot;

pub use friction::FrictionLimit;
pub use mindlin::Mindlin;
pub use rolling_mapped::RollingMapped;
pub(crate) use spring::{EXCESS, SLIDING, SPRING};
pub use spring::{Return, Stiffness};
pub use spring_dashpot::SpringDashpot;
