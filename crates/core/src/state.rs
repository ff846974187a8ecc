//! A saved simulation: all data on which the next step depends, in order of id.
//!
//! The neighbour list and the order of slots are not saved: no result depends on them.

mod earlier;
mod migration;
mod parts;
mod replay;
mod restore;
mod restoring;
mod rows;
mod save;
mod validate;

/// For readers of checkpoints of version 0.1.
#[doc(hidden)]
pub use earlier::EarlierState;
pub(crate) use parts::RankState;
/// For writers and readers of checkpoints and frames.
#[doc(hidden)]
pub use restoring::Restoring;
#[doc(hidden)]
pub use rows::{
    Census, ContactRows, ContactSection, IdRange, Part, ParticleRows, ParticleSection,
    ROWS_OF_SECTION, Rows, Section, Surroundings,
};

use crate::Vec3;
use crate::contact_state::energy_terms::{AccumulatedWork, EnergyTerms};
use crate::health::Overlaps;
use crate::id::{GroupId, MaterialId, ParticleId, WallId};
use crate::insert::StreamState;
use crate::integrate::StepCounts;
use crate::simulation::{Clock, Counts};
use crate::time_step::Advice;
use crate::time_step::control::StepControl;
use crate::wall::{ClosestPoint, Pose};

/// A saved simulation.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::{simulation, RADIUS};
/// use esker::prelude::*;
///
/// # let grains = vec![Sphere { velocity: Vec3::X, ..Sphere::new(RADIUS, Vec3::ZERO) }];
/// let mut first = simulation(ContactModel::normal(Hertz::default()), Pair::new(), grains);
/// first.run_until(0.1)?;
/// let saved = first.save();
/// let mut second = Simulation::restore(first.scene().clone(), saved)?;
/// first.run_until(0.2)?;
/// second.run_until(0.2)?;
/// assert_eq!(first.particles().columns(), second.particles().columns()); // the same bits
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct State {
    clock: Clock,
    step_counts: StepCounts,
    stage: StageState,
    counts: Counts,
    inserted_energy: f64,
    turnover: f64,
    departed_kinetic: f64,
    departed_works: AccumulatedWork,
    half_step_difference: f64,
    /// Damping and tangential forces on each particle, in order of id; empty without a ledger.
    dissipative_forces: Vec<Vec3>,
    /// Whether each particle has accurate slip, in order of id.
    accurate_slip: Vec<bool>,
    advice: Advice,
    control: StepControl,
    warnings: Vec<String>,
    fewest_steps: f64,
    overlaps: Overlaps,
    /// Names of the groups of particles.
    pub groups: Vec<String>,
    /// Names of the materials.
    pub materials: Vec<String>,
    /// Names of the history columns.
    pub history: Vec<String>,
    walls: Vec<WallState>,
    /// The particles in order of id.
    pub particles: Vec<SavedParticle>,
    /// The contacts between particles, in order of ids.
    pub contacts: Vec<SavedContact>,
    wall_contacts: Vec<SavedWallContact>,
}

/// The beginning of a stored [`State`], from which its time can be read without the particles. For readers of
/// checkpoints.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct StateStart(Clock);

impl StateStart {
    /// Simulated time [s].
    pub fn time(&self) -> f64 {
        self.0.time()
    }
}

impl State {
    /// Simulated time [s].
    pub fn time(&self) -> f64 {
        self.clock.time()
    }

    /// Number of steps.
    pub fn steps(&self) -> u64 {
        self.clock.step
    }

    /// History of contacts with walls: particle, wall, contact point, values.
    pub(crate) fn wall_memories(
        &self,
    ) -> impl Iterator<Item = (ParticleId, &str, ClosestPoint, &[f64])> {
        self.wall_contacts.iter().filter_map(|contact| {
            let wall = self.walls.get(contact.wall.index())?;
            let touch = ClosestPoint { normal: contact.normal, distance: contact.distance };
            Some((contact.particle, wall.name.as_str(), touch, contact.history.as_slice()))
        })
    }
}

#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct StageState {
    present: usize,
    begun: bool,
    since: f64,
    since_step: u64,
    next_id: u64,
    streams_begun: u32,
    /// Number, start and progress of each active stream.
    streams: Vec<(u32, f64, StreamState)>,
}

#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct WallState {
    name: String,
    present: bool,
    base: Pose,
    since: f64,
    pose: Pose,
    force: Vec3,
    torque: Vec3,
    power: f64,
    work: f64,
}

/// A saved particle.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::{simulation, RADIUS};
/// use esker::prelude::*;
/// use esker::state::{SavedContact, SavedParticle};
///
/// let grains = [0.0, 1.99 * RADIUS].map(|x| Sphere::new(RADIUS, Vec3::X * x));
/// let contact = ContactModel::normal(Hertz::default()).tangential(Mindlin::default());
/// let mut simulation = simulation(contact, Pair::new().friction(0.3), grains.to_vec());
/// simulation.step()?;
/// let saved = simulation.save();
/// let second: &SavedParticle = &saved.particles[1];
/// assert!(second.position[0] > 1.99 * RADIUS && second.velocity[0] > 0.0); // they repel each other
/// let contact: &SavedContact = &saved.contacts[0];
/// assert_eq!(contact.history.len(), saved.history.len());
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[allow(missing_docs, reason = "the fields are those of `ParticleView`")]
pub struct SavedParticle {
    pub id: ParticleId,
    pub group: GroupId,
    pub material: MaterialId,
    pub radius: f64,
    pub mass: f64,
    pub inertia: f64,
    pub charge: f64,
    pub position: [f64; 3],
    pub image: [i32; 3],
    pub velocity: [f64; 3],
    pub spin: [f64; 3],
    pub orientation: [f64; 4],
    /// Zero unless the scene accumulates angles.
    pub accumulated_angle: [f64; 3],
    pub force: [f64; 3],
    pub torque: [f64; 3],
    driver: u16,
    driver_index: u32,
    works: AccumulatedWork,
    energy_terms: EnergyTerms,
    field_power: f64,
}

/// History of a contact between two particles.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SavedContact {
    /// Ids, the lower one first.
    pub partners: [ParticleId; 2],
    /// Values of the history columns.
    pub history: Vec<f64>,
}

#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct SavedWallContact {
    particle: ParticleId,
    wall: WallId,
    normal: Vec3,
    distance: f64,
    history: Vec<f64>,
}
