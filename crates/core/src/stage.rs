//! Stages: what a run does one after the other, and when each part of it is over.

use crate::Vec3;
use crate::field::Field;
use crate::id::MaterialId;
use crate::insert::Source;
use crate::wall::{Motion, Wall};
use std::sync::Arc;

/// When a stage is over; the first condition that holds ends it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct End {
    /// Time since the start of the stage [s].
    pub after: Option<f64>,
    /// Kinetic energy of translation of all particles below this [J]. Checked every 50 steps, not at the
    /// start, so that a bed that starts at rest has the time to move.
    pub kinetic_energy_below: Option<f64>,
    /// Every free particle slower than this, whatever its spin [m/s]. Checked as the energy is.
    pub speed_below: Option<f64>,
    /// This many particles in the domain, or more.
    pub particles_reach: Option<usize>,
    /// This many particles in the domain, or fewer.
    pub particles_fall_to: Option<usize>,
}

/// One part of a run: what changes at its start, and when it ends.
#[derive(Debug, Clone, Default)]
pub struct Stage {
    /// Name for messages and tables.
    pub name: String,
    /// When it is over.
    pub end: End,
    /// What changes at its start, in order.
    pub changes: Vec<Change>,
}

/// Something that changes at the start of a stage.
#[derive(Debug, Clone)]
pub enum Change {
    /// A wall is taken away.
    RemoveWall(String),
    /// A wall appears.
    AddWall(Wall),
    /// A wall moves in another way from now on, starting where it is; time counts from the start
    /// of the stage.
    SetMotion(String, Motion),
    /// Gravity becomes this [m/s²].
    SetGravity(Vec3),
    /// A field is taken away by name.
    RemoveField(String),
    /// A field is added, or replaces the one of the same name.
    SetField(Arc<dyn Field>),
    /// A parameter of a pair of materials, such as the friction, changes.
    SetPair {
        /// The two materials.
        between: [MaterialId; 2],
        /// Name of the parameter.
        parameter: String,
        /// Its new value.
        value: f64,
    },
    /// Particles are inserted, now or over time.
    Insert(Source),
    /// A group of particles is removed.
    RemoveParticles(String),
}
