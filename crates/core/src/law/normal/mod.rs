//! Elastic normal force.

pub(crate) mod hertz;
mod linear;

pub use hertz::Hertz;
pub(crate) use hertz::impact_duration;
pub use linear::Linear;
