//! Measures: read-only views of a simulation, with sums that do not depend on any order.

mod exact_sum;
mod momentum;
mod packing;
mod selection;
mod snapshot;

pub use exact_sum::{ExactSum, ExactVectorSum};
pub use momentum::{angular_momentum, center_of_mass, linear_momentum, mean_position};
pub use packing::{coordination, max_height, packing_fraction};
pub use snapshot::{ContactView, Energy, ParticleView, Partner, Snapshot, WallView};
