//! Elastic normal force.

mod area;
mod fractional;
pub(crate) mod hertz;
mod linear;
mod power_law;

pub use area::Area;
pub use fractional::{Fractional, Interpolation, LARGEST_ORDER_THAT_PARTS, MemoryKind};
pub use hertz::Hertz;
pub use linear::Linear;
pub use power_law::PowerLaw;
