//! Elastic normal force.

mod area;
pub(crate) mod hertz;
mod linear;
mod power_law;

pub use area::Area;
pub use hertz::Hertz;
pub(crate) use hertz::impact_duration;
pub use linear::Linear;
pub use power_law::PowerLaw;
