//! Esker: a discrete element method (DEM) engine for granular materials.
//!
//! The main types are [`Scene`], which can be edited, and [`Simulation`], which is valid by
//! construction and advances by [`Simulation::step`]. This crate reads no files, prints nothing and
//! does not read the clock.
//!
//! ```
//! use esker::prelude::*;
//!
//! # fn main() -> Result<(), Error> {
//! let mut scene = Scene::new();
//! scene.gravity = Vec3::new(0.0, 0.0, -9.81);
//! scene.contact = ContactModel::normal(Hertz::default()).damping(HertzDamping::default());
//! let glass = Material::new().density(2500.0).young_modulus(5.0e7).poisson_ratio(0.24);
//! let glass = scene.add_material("glass", glass);
//! scene.set_pair(glass, glass, Pair::new().restitution(0.9));
//! scene.add_wall("floor", Shape::HalfSpace { point: Vec3::ZERO, normal: Vec3::Z }, glass);
//! let ball = Sphere::new(2.5e-3, Vec3::Z * 0.1);
//! let ball = scene.add_sphere(glass, ball);
//!
//! let mut simulation = scene.build()?; // every check of the input happens here
//! simulation.run_until(0.2)?; // fails only if the run has become unphysical
//! assert!(simulation.particles()[ball].velocity.z > 0.0, "it has bounced");
//! # Ok(())
//! # }
//! ```

// No panic reaches a user, libraries print nothing, functions stay below 60 lines (clippy.toml). Tests may.
#![cfg_attr(
    not(test),
    warn(clippy::print_stderr, clippy::print_stdout, clippy::too_many_lines, clippy::unwrap_used)
)]

mod aligned_vec;
mod attraction;
mod build;
mod check;
mod chunk;
mod contact_state;
mod control;
mod deepest_contact;
mod diagnosis;
mod distributed;
pub mod domain;
mod energy_exchange;
mod engine;
pub mod error;
mod exact_sum;
pub mod field;
mod geometry;
mod health;
mod id;
mod impact;
pub mod insert;
mod insertion;
pub mod integrate;
mod kernel;
pub mod law;
mod law_table;
pub mod material;
pub mod measure;
mod neighbour;
mod notation;
mod observe;
mod parallel;
pub mod parameters;
pub mod particles;
mod partition;
mod phases;
mod plausibility;
pub mod random;
/// Communication between ranks, for the programs of this project.
#[doc(hidden)]
pub mod ranks;
mod reduce;
mod resize;
mod restart;
pub mod rotation;
pub mod scene;
mod schedule;
pub mod search;
pub mod simd;
mod simulation;
mod snapshot;
mod sphere;
pub mod stage;
mod start;
pub mod state;
pub mod time_step;
pub mod wall;
mod wall_contact;

pub use attraction::Attraction;
#[doc(hidden)]
pub use distributed::{Division, Ownership};
#[doc(hidden)]
pub use engine::Imbalance;
pub use engine::Statistics;
pub use error::{Error, Problem, StepError};
pub use health::Overlaps;
pub use id::{GroupId, MaterialId, ParticleId, WallId};
pub use impact::{HardestImpact, ShortestEncounter};
pub use kernel::table::KernelRow;
pub use notation::{Notation, Setting};
pub use observe::{Observers, Trigger};
pub use parallel::MOST_THREADS;
pub use particles::{Columns, Particle, Particles};
pub use phases::Phase;
pub use plausibility::{StartOverlap, StreamProgress};
pub use resize::Settable;
pub use scene::Scene;
pub use simulation::{Counts, Simulation};

/// Types that the macros `history!` and `record!` name.
#[doc(hidden)]
pub mod for_macros {
    pub use crate::chunk::{
        HistoryField, HistoryRecord, HistoryShape, HistoryValue, ReadColumns, Record, WriteColumns,
    };
}

/// A vector of three double-precision components.
pub type Vec3 = glam::DVec3;
/// A unit quaternion.
pub type Quat = glam::DQuat;

/// The types needed by most programs.
pub mod prelude {
    pub use crate::domain::{Domain, Outside};
    pub use crate::error::{Error, Problem, StepError};
    pub use crate::field::{self, Body, Field, Load};
    pub use crate::id::{GroupId, MaterialId, ParticleId, WallId};
    pub use crate::insert::{Amount, Placement, Radius, Region, Source, Sphere};
    pub use crate::law::damping::{AreaDamping, HertzDamping, LinearDamping};
    pub use crate::law::normal::{Fractional, Hertz, Linear, PowerLaw};
    pub use crate::law::rolling::{ConstantTorque, ElasticPlastic};
    pub use crate::law::tangential::Mindlin;
    pub use crate::law::{ContactModel, cohesion, damping, normal, rolling, tangential};
    pub use crate::material::{Material, Pair};
    pub use crate::observe::{Observers, Trigger};
    pub use crate::particles::{Columns, Particles};
    pub use crate::scene::{Scene, StepSize};
    pub use crate::simulation::Simulation;
    pub use crate::stage::{End, Stage};
    pub use crate::wall::{Motion, Shape, Side, Wall};
    pub use crate::{Quat, Vec3};
}
