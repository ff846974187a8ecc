//! Measures: read-only views of a simulation, with sums that do not depend on any order.
//!
//! One file for each that a scene can ask for; [`Measure`] is what they have in common.

mod angle_of_repose;
mod clusters;
mod discharged;
mod exact_sum;
mod hexatic;
mod intruder;
mod layer;
mod model;
mod momentum;
mod neighbors;
mod options;
mod packing;
mod selection;
mod snapshot;
mod statistics;
#[cfg(test)]
mod testing;

pub use angle_of_repose::AngleOfRepose;
pub use clusters::Clusters;
pub use discharged::Discharged;
pub use exact_sum::{ExactSum, ExactVectorSum};
pub use hexatic::Hexatic;
pub use intruder::Intruder;
pub use layer::Layer;
pub use model::{Column, Measure, Memory, Reference};
pub use momentum::{angular_momentum, center_of_mass, linear_momentum, mean_position};
pub use options::{Axis, Group, Region};
pub use packing::{coordination, max_height, packing_fraction};
pub use snapshot::{ContactView, Energy, ParticleView, Partner, Snapshot, WallView};
