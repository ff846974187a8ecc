//! Elastic normal force.

mod area;
mod fractional;
pub(crate) mod hertz;
mod linear;
mod power_law;

pub use area::Area;
pub use fractional::{Fractional, Interpolation, MemoryKind};
pub use hertz::{Hertz, HertzLaw};
pub use linear::{Linear, LinearLaw};
pub use power_law::PowerLaw;
