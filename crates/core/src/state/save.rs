//! The state of a simulation for a checkpoint.

use super::{
    RankState, SavedContact, SavedParticle, SavedWallContact, StageState, State, WallState,
};
use crate::engine::{Engine, WallHistory};
use crate::id::{GroupId, MaterialId, ParticleId};
use crate::simulation::Simulation;
use crate::wall::ClosestPoint;
use crate::wall::live::LiveWall;

impl Simulation {
    /// All data on which the next step depends.
    pub fn save(&self) -> State {
        let whole = self.whole();
        self.state_with(&whole.engine.walls_with_loads(), RankState::of(&whole.engine))
    }

    /// The state with given walls, particles and contacts.
    pub(crate) fn state_with(&self, walls: &[LiveWall], parts: RankState) -> State {
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
            inserted_energy: self.energy_exchange.inserted(),
            turnover: self.energy_exchange.turnover(),
            departed_kinetic: self.energy_exchange.departed_kinetic(),
            departed_works: self.engine.departed_works(),
            half_step_difference: self.energy_exchange.half_step_difference(),
            dissipative_forces: parts.dissipative_forces,
            accurate_slip: parts.accurate_slip,
            advice: self.advice,
            control: self.control,
            warnings: self.warnings.clone(),
            fewest_steps: self.fewest_steps,
            overlaps: self.overlaps,
            groups: self.groups.clone(),
            materials: self.scene.materials.iter().map(|(name, _)| name.clone()).collect(),
            history: self.engine.table().layout.names.clone(),
            walls: walls.iter().map(save_wall).collect(),
            particles: parts.particles,
            contacts: parts.contacts,
            wall_contacts: parts.wall_contacts,
        }
    }
}

impl SavedContact {
    pub(super) fn new((partners, history): ([ParticleId; 2], Vec<f64>)) -> Self {
        Self { partners, history }
    }
}

impl SavedWallContact {
    pub(super) fn new((particle, wall, point, history): WallHistory) -> Self {
        let ClosestPoint { normal, distance } = point;
        Self { particle, wall, normal, distance, history }
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

pub(super) fn save_particle(engine: &Engine, slot: usize) -> SavedParticle {
    let particles = engine.particles();
    let (works, energy_terms, field_power) = engine.ledger_entry(slot);
    let (record, metadata, load) =
        (&particles.records[slot], &particles.metadata[slot], &particles.loads[slot]);
    let driver = particles.drivers.get(slot).copied().unwrap_or_default();
    SavedParticle {
        id: metadata.id(),
        group: GroupId::new(metadata.group),
        material: MaterialId::new(metadata.material),
        radius: record.radius,
        mass: record.mass,
        inertia: record.inertia(),
        charge: particles.charge(slot),
        position: record.position,
        image: metadata.image,
        velocity: record.velocity,
        spin: record.spin,
        orientation: particles.orientations[slot].to_array(),
        accumulated_angle: particles
            .accumulated_angles
            .get(slot)
            .copied()
            .unwrap_or_default()
            .to_array(),
        force: load.force().to_array(),
        torque: load.torque().to_array(),
        driver: driver.wall,
        driver_index: driver.index,
        works,
        energy_terms,
        field_power,
    }
}
