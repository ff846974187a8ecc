//! Stages of a run: their changes and end conditions.

use crate::Vec3;
use crate::field::Field;
use crate::id::MaterialId;
use crate::insert::Source;
use crate::wall::{Motion, Wall};
use std::sync::Arc;

/// End conditions of a stage; the first one that is met ends it.
///
/// ```
/// use esker::prelude::*;
///
/// // at rest, or after 10 s at the latest
/// let settled = End { speed_below: Some(1e-3), after: Some(10.0), ..End::default() };
/// assert_eq!(settled.particles_reach, None);
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct End {
    /// Time since the start of the stage [s].
    pub after: Option<f64>,
    /// Translational kinetic energy of all particles below this [J]. Checked every 50 steps, not at the start, so that
    /// a bed that starts at rest can begin to move.
    pub kinetic_energy_below: Option<f64>,
    /// Every free particle is slower than this, regardless of its spin [m/s]. Checked at the same
    /// steps as the energy.
    pub speed_below: Option<f64>,
    /// This many particles in the domain, or more.
    pub particles_reach: Option<usize>,
    /// This many particles in the domain, or fewer.
    pub particles_fall_to: Option<usize>,
}

/// A stage of a run: changes at its start, and its end conditions.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::scene;
/// use esker::prelude::*;
/// use esker::stage::Change;
///
/// let (mut scene, _) = scene(ContactModel::normal(Hertz::default()), Pair::new());
/// scene.stages.push(Stage {
///     name: "tilt".into(),
///     end: End { after: Some(0.5), ..End::default() },
///     changes: vec![Change::SetGravity(Vec3::new(1.0, 0.0, -9.8))],
/// });
/// scene.step = StepSize::Fixed(0.01);
/// let mut simulation = scene.build()?;
/// while !simulation.is_finished() {
///     simulation.step()?;
/// }
/// assert_eq!(simulation.gravity().x, 1.0);
/// assert!((simulation.time() - 0.5).abs() < 1e-9);
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Stage {
    /// Name for messages and tables.
    pub name: String,
    /// End conditions.
    pub end: End,
    /// Changes at its start, in order.
    pub changes: Vec<Change>,
}

/// A change at the start of a stage.
///
/// ```
/// use esker::prelude::*;
/// use esker::stage::Change;
///
/// let open = Stage { changes: vec![Change::RemoveWall("gate".into())], ..Stage::default() };
/// assert_eq!(open.changes.len(), 1);
/// ```
#[derive(Debug, Clone)]
pub enum Change {
    /// A wall is removed.
    RemoveWall(String),
    /// A wall is added.
    AddWall(Wall),
    /// A wall gets a new motion, starting at its current position; time is counted from the start of the stage.
    SetMotion(String, Motion),
    /// Gravity is set [m/s²].
    SetGravity(Vec3),
    /// A field is removed by name.
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
    /// Particles are inserted, at once or over time.
    Insert(Source),
    /// A group of particles is removed.
    RemoveParticles(String),
}
