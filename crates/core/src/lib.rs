//! Esker: a discrete element method (DEM) engine for granular materials.
//!
//! Two objects: a [`Scene`] one may still change, and a [`Simulation`] that is valid by
//! construction. The path of a time step is in [`simulation`]; each module below is one station
//! of that path. This crate reads no files, prints nothing and looks at no clock.

pub mod domain;
pub mod error;
pub mod field;
pub mod insert;
pub mod integrate;
pub mod law;
pub mod material;
pub mod measure;
pub mod random;
pub mod scene;
pub mod search;
pub mod simd;
pub mod simulation;
pub mod stage;
pub mod wall;

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
