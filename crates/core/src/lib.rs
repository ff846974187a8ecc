//! Esker: a discrete element method (DEM) engine for granular materials.
//!
//! Two objects: a [`Scene`] one may still change, and a [`Simulation`] that is valid by
//! construction. The path of a time step is in [`simulation`]; each module below is one station
//! of that path. This crate reads no files, prints nothing and looks at no clock.

mod build;
mod check;
mod contact;
pub mod domain;
mod engine;
pub mod error;
pub mod field;
mod geometry;
mod health;
mod inherit;
pub mod insert;
pub mod integrate;
pub mod law;
mod ledger;
pub mod material;
pub mod measure;
pub mod parallel;
pub mod particles;
mod population;
pub mod random;
mod rebuild;
pub mod scene;
mod schedule;
pub mod search;
pub mod simd;
pub mod simulation;
pub mod stage;
pub mod state;
pub mod time_step;
pub mod wall;
mod wall_loads;

pub use engine::Statistics;
pub use error::{Error, Problem, StepError};
pub use scene::Scene;
pub use simulation::Simulation;

/// A vector of three double-precision components.
pub type Vec3 = glam::DVec3;
/// A unit quaternion.
pub type Quat = glam::DQuat;

/// What most programs that use the library need.
pub mod prelude {
    pub use crate::domain::{Domain, Outside};
    pub use crate::error::{Error, Problem, StepError};
    pub use crate::insert::{Amount, Placement, Radius, Region, Source, Sphere};
    pub use crate::law::{ContactModel, damping, normal, rolling, tangential};
    pub use crate::material::{Material, MaterialId, Pair};
    pub use crate::scene::{Scene, StepSize};
    pub use crate::simulation::Simulation;
    pub use crate::stage::{End, Stage};
    pub use crate::wall::{Motion, Shape, Side, Wall};
    pub use crate::{Quat, Vec3};
}
