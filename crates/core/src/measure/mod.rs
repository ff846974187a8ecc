//! Measures: read-only evaluations of a simulation, with sums that are independent of the order of particles.
//!
//! One file per measure; they implement [`Measure`].

mod angle_of_repose;
mod at_rest;
mod clusters;
mod coordination;
mod discharged;
mod fabric;
mod flow;
mod force_chains;
mod height_profile;
mod hexatic;
mod intruder;
mod kinetic_energy;
mod layer;
mod mixing;
mod model;
mod momentum;
mod motion;
mod neighbors;
mod options;
mod packing;
mod packing_of_region;
mod selection;
mod sphere_part;
mod statistics;
mod stress;
mod tensor;
#[cfg(test)]
mod testing;

pub use crate::exact_sum::{ExactSum, ExactVectorSum};
pub use crate::snapshot::{ContactView, Energy, ParticleView, Partner, Snapshot, WallView};
pub use angle_of_repose::AngleOfRepose;
pub use at_rest::AtRest;
pub use clusters::Clusters;
pub use coordination::Coordination;
pub use discharged::Discharged;
pub use fabric::Fabric;
pub use flow::Flow;
pub use force_chains::ForceChains;
pub use height_profile::HeightProfile;
pub use hexatic::Hexatic;
pub use intruder::Intruder;
pub use kinetic_energy::KineticEnergy;
pub use layer::Layer;
pub use mixing::MixingIndex;
pub use model::{Column, Measure, MeasureState, Profile, Reference};
pub use momentum::{angular_momentum, center_of_mass, linear_momentum, mean_position};
pub use motion::{CenterOfMass, Momentum};
pub use options::{Axis, Group, Region};
pub use packing::{coordination, max_height, packing_fraction};
pub use packing_of_region::PackingFraction;
pub use stress::Stress;
