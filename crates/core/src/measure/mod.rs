//! Measures: read-only views of a simulation, with sums that do not depend on any order.

mod exact_sum;
mod snapshot;

pub use exact_sum::{ExactSum, ExactVectorSum};
pub use snapshot::{ContactView, Energy, ParticleView, Partner, Snapshot, WallView};
