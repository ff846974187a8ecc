//! Saving and restoring: everything that the next step depends on, in order of id.
//!
//! Candidate lists and the order of slots are not saved: no result depends on them.

mod earlier;
mod validate;

pub use earlier::EarlierState;

use crate::accounts::Accounts;
use crate::contact_state::energy_terms::{AccumulatedWork, EnergyTerms, KindForces};
use crate::engine::{Engine, WallHistory};
use crate::error::Error;
use crate::field::Load;
use crate::health::Overlaps;
use crate::id::{GroupId, MaterialId, ParticleId, WallId};
use crate::insert::{Placement, Stream, StreamState};
use crate::integrate::StepCounts;
use crate::particles::{Driver, ForceTorque, HotData, Metadata};
use crate::scene::Scene;
use crate::simulation::{Clock, Counts, Simulation};
use crate::stage::Change;
use crate::time_step::Advice;
use crate::time_step::control::StepControl;
use crate::wall::live::LiveWall;
use crate::wall::{ClosestPoint, Pose, Wall};
use crate::{Quat, Vec3};

/// A saved simulation.
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
    /// Forces by kind of each particle, in order of id; empty without a ledger.
    kind_forces: Vec<KindForces>,
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

/// The beginning of a stored [`State`]: enough to know its time without reading the particles.
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

    /// Steps made.
    pub fn steps(&self) -> u64 {
        self.clock.step
    }

    /// What contacts with walls remember: particle, wall, place, values.
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
    /// Number, start and progress of each stream at work.
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

/// A particle as it is saved.
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
    place: u32,
    works: AccumulatedWork,
    energy_terms: EnergyTerms,
    field_power: f64,
}

/// What a contact between two particles remembers.
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

impl SavedContact {
    fn new((partners, history): ([ParticleId; 2], Vec<f64>)) -> Self {
        Self { partners, history }
    }
}

impl SavedWallContact {
    fn new((particle, wall, point, history): WallHistory) -> Self {
        let ClosestPoint { normal, distance } = point;
        Self { particle, wall, normal, distance, history }
    }
}

impl Simulation {
    /// Everything that the next step depends on.
    pub fn save(&self) -> State {
        let schedule = &self.schedule;
        let streams = schedule
            .streams
            .iter()
            .map(|(number, stream)| (*number, stream.started_at(), stream.state));
        State {
            clock: self.clock,
            step_counts: self.integrator.counts,
            stage: StageState {
                present: schedule.present,
                begun: schedule.begun,
                since: schedule.since,
                since_step: schedule.since_step,
                next_id: schedule.next_id,
                streams_begun: schedule.streams_begun,
                streams: streams.collect(),
            },
            counts: self.counts,
            inserted_energy: self.accounts.inserted(),
            turnover: self.accounts.turnover(),
            departed_kinetic: self.accounts.departed_kinetic(),
            half_step_difference: self.accounts.half_step_difference(),
            departed_works: self.engine.departed_works(),
            kind_forces: self
                .engine
                .particles()
                .slots_by_id()
                .filter_map(|slot| self.engine.kind_forces(slot))
                .collect(),
            advice: self.advice,
            control: self.control,
            warnings: self.warnings.clone(),
            fewest_steps: self.fewest_steps,
            overlaps: self.overlaps,
            groups: self.groups.clone(),
            materials: self.scene.materials.iter().map(|(name, _)| name.clone()).collect(),
            history: self.engine.table().layout.names.clone(),
            walls: self.engine.walls_with_loads().iter().map(save_wall).collect(),
            particles: self
                .engine
                .particles()
                .slots_by_id()
                .map(|slot| save_particle(&self.engine, slot))
                .collect(),
            contacts: self.engine.pair_histories().into_iter().map(SavedContact::new).collect(),
            wall_contacts: self
                .engine
                .wall_histories()
                .into_iter()
                .map(SavedWallContact::new)
                .collect(),
        }
    }

    /// The simulation that was saved, from the same scene.
    pub fn restore(scene: Scene, state: State) -> Result<Self, Error> {
        let mut simulation = Self::prepare(scene)?;
        simulation.check_state(&state)?;
        simulation.replay(&state)?;
        simulation.clock = state.clock;
        simulation.counts = state.counts;
        simulation.groups = state.groups;
        simulation.accounts = Accounts::restored([
            state.inserted_energy,
            state.turnover,
            state.departed_kinetic,
            state.half_step_difference,
        ]);
        simulation.advice = state.advice;
        simulation.control = state.control;
        simulation.warnings = state.warnings;
        simulation.fewest_steps = state.fewest_steps;
        simulation.overlaps = state.overlaps;
        simulation.integrator.counts = state.step_counts;
        let engine = &mut simulation.engine;
        engine.set_departed_works(state.departed_works);
        for (wall, saved) in engine.walls_to_restore().iter_mut().zip(&state.walls) {
            restore_wall(wall, saved);
        }
        let kind_forces = state.kind_forces.iter().copied();
        let kind_forces = kind_forces.chain(std::iter::repeat_with(KindForces::default));
        for (saved, forces) in state.particles.iter().zip(kind_forces) {
            restore_particle(engine, saved, forces);
        }
        engine.set_step(state.clock.time(), state.clock.dt);
        engine.rebuild(|_| true);
        let pairs = state.contacts.iter();
        let pairs = pairs.map(|contact| (contact.partners, contact.history.as_slice()));
        engine.restore_pairs(state.contacts.len(), pairs).map_err(Error::State)?;
        let walls = state.wall_contacts.iter().map(|contact| {
            let point = ClosestPoint { normal: contact.normal, distance: contact.distance };
            (contact.particle, contact.wall, point, contact.history.as_slice())
        });
        engine.restore_walls(state.wall_contacts.len(), walls).map_err(Error::State)?;
        Ok(simulation)
    }

    fn check_state(&self, state: &State) -> Result<(), Error> {
        let materials: Vec<&str> =
            self.scene.materials.iter().map(|(name, _)| name.as_str()).collect();
        if state.materials != materials {
            return Err(Error::State(format!(
                "its materials are {:?}, the scene's are {materials:?}",
                state.materials
            )));
        }
        if state.history != self.engine.table().layout.names {
            return Err(Error::State(
                "its contacts remember other quantities than the laws of the scene".into(),
            ));
        }
        if state.stage.present > self.scene.stages.len() {
            return Err(Error::State("it is in a stage that the scene does not have".into()));
        }
        let remembered = self.engine.table().layout.names.len();
        state.defect(remembered, state.walls.len()).map_or(Ok(()), |what| Err(Error::State(what)))
    }

    /// Makes the changes of the stages so far, but for those to particles, which are saved.
    fn replay(&mut self, state: &State) -> Result<(), Error> {
        let saved = &state.stage;
        self.schedule.present = saved.present;
        self.schedule.begun = saved.begun;
        self.schedule.since = saved.since;
        self.schedule.since_step = saved.since_step;
        self.schedule.next_id = saved.next_id;
        self.schedule.streams_begun = saved.streams_begun;
        let first: Vec<Change> = self.scene.particles.iter().cloned().map(Change::Insert).collect();
        let walls: Vec<Wall> = self.scene.walls.clone();
        let begun = saved.present + usize::from(saved.begun);
        let staged: Vec<Change> =
            self.scene.stages.iter().take(begun).flat_map(|stage| stage.changes.clone()).collect();
        self.engine
            .walls_to_restore()
            .extend(walls.into_iter().map(|wall| LiveWall::new(wall, 0.0)));
        let mut stream_number = 0;
        for change in first.into_iter().chain(staged) {
            self.replay_change(change, saved, &mut stream_number)?;
        }
        if self.engine.walls().len() == state.walls.len() {
            Ok(())
        } else {
            Err(Error::State("it has other walls than the scene".into()))
        }
    }

    fn replay_change(
        &mut self,
        change: Change,
        saved: &StageState,
        stream_number: &mut u32,
    ) -> Result<(), Error> {
        match change {
            Change::AddWall(wall) => {
                self.engine.walls_to_restore().push(LiveWall::new(wall, 0.0));
            }
            Change::SetMotion(name, motion) => {
                if let Some(wall) = self
                    .engine
                    .walls_to_restore()
                    .iter_mut()
                    .find(|wall| wall.present && wall.wall.name == name)
                {
                    wall.wall.motion = motion;
                }
            }
            Change::Insert(source) => {
                if matches!(source.placement, Placement::Stream { .. }) {
                    let progress =
                        saved.streams.iter().find(|(number, ..)| number == stream_number);
                    *stream_number += 1;
                    if let Some(&(number, started_at, state)) = progress
                        && let Some(mut stream) =
                            Stream::new(&source, started_at, self.engine.domain())
                    {
                        stream.state = state;
                        self.schedule.streams.push((number, stream));
                    }
                }
            }
            Change::RemoveWall(name) => {
                if let Some(wall) = self
                    .engine
                    .walls_to_restore()
                    .iter_mut()
                    .find(|wall| wall.present && wall.wall.name == name)
                {
                    wall.present = false;
                }
            }
            Change::RemoveParticles(_) => {}
            other => self.apply(other, "stages")?,
        }
        Ok(())
    }
}

fn save_wall(wall: &LiveWall) -> WallState {
    WallState {
        name: wall.wall.name.clone(),
        present: wall.present,
        base: wall.base,
        since: wall.since,
        pose: wall.pose,
        force: wall.force,
        torque: wall.torque,
        power: wall.power,
        work: wall.work,
    }
}

fn restore_wall(wall: &mut LiveWall, saved: &WallState) {
    wall.present = saved.present;
    wall.base = saved.base;
    wall.since = saved.since;
    wall.pose = saved.pose;
    wall.force = saved.force;
    wall.torque = saved.torque;
    wall.power = saved.power;
    wall.work = saved.work;
}

fn save_particle(engine: &Engine, slot: usize) -> SavedParticle {
    let particles = engine.particles();
    let (works, energy_terms, field_power) = engine.ledger_entry(slot);
    let (record, description, load) =
        (&particles.records[slot], &particles.descriptions[slot], &particles.loads[slot]);
    let driver = particles.drivers.get(slot).copied().unwrap_or_default();
    SavedParticle {
        id: description.id(),
        group: GroupId::new(description.group),
        material: MaterialId::new(description.material),
        radius: record.radius,
        mass: record.mass,
        inertia: record.inertia(),
        charge: particles.charge(slot),
        position: record.position,
        image: description.image,
        velocity: record.velocity,
        spin: record.spin,
        orientation: particles.orientations[slot].to_array(),
        accumulated_angle: particles.turned.get(slot).copied().unwrap_or_default().to_array(),
        force: load.force().to_array(),
        torque: load.torque().to_array(),
        driver: driver.wall,
        place: driver.place,
        works,
        energy_terms,
        field_power,
    }
}

fn restore_particle(engine: &mut Engine, saved: &SavedParticle, forces: KindForces) {
    let record = HotData {
        position: saved.position,
        radius: saved.radius,
        velocity: saved.velocity,
        inverse_mass: 1.0 / saved.mass,
        spin: saved.spin,
        inverse_inertia: 1.0 / saved.inertia,
        listed_position: saved.position,
        mass: saved.mass,
    };
    let description = Metadata {
        number: saved.id.number(),
        group: saved.group.number(),
        material: saved.material.number(),
        image: saved.image,
    };
    let particles = engine.particles_mut();
    particles.push(record, description, Quat::from_array(saved.orientation));
    let driver = Driver { wall: saved.driver, place: saved.place };
    particles.set_last(saved.charge, driver);
    if let Some(turned) = particles.turned.last_mut() {
        *turned = saved.accumulated_angle.into();
    }
    if let Some(load) = particles.loads.last_mut() {
        *load = ForceTorque::default();
        load.add(&Load { force: saved.force.into(), torque: saved.torque.into() });
    }
    engine.push_ledger_entry((saved.works, saved.energy_terms, saved.field_power), forces);
}
