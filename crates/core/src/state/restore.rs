//! A simulation from a saved state and its scene.

use super::{RankState, SavedParticle, State, WallState};
use crate::energy_exchange::EnergyExchange;
use crate::engine::Engine;
use crate::error::Error;
use crate::field::Load;
use crate::particles::{Driver, ForceTorque, HotData, Metadata};
use crate::scene::Scene;
use crate::simulation::Simulation;
use crate::wall::live::LiveWall;
use crate::{Quat, Vec3};

impl Simulation {
    /// The simulation that was saved, from the same scene.
    pub fn restore(scene: Scene, state: State) -> Result<Self, Error> {
        let mut simulation = Self::prepare(scene)?;
        simulation.restore_header(&state)?;
        let State { particles, dissipative_forces, accurate_slip, .. } = state;
        let State { contacts, wall_contacts, .. } = state;
        let parts =
            RankState { particles, dissipative_forces, accurate_slip, contacts, wall_contacts };
        simulation.engine.count_rebuild();
        parts.restore(&mut simulation.engine).map_err(Error::State)?;
        Ok(simulation)
    }

    /// Restores all but particles and contacts.
    pub(super) fn restore_header(&mut self, state: &State) -> Result<(), Error> {
        self.check_state(state)?;
        self.replay(state)?;
        self.clock = state.clock;
        self.counts = state.counts;
        self.groups.clone_from(&state.groups);
        self.energy_exchange = EnergyExchange::restored([
            state.inserted_energy,
            state.turnover,
            state.departed_kinetic,
            state.half_step_difference,
        ]);
        self.advice = state.advice;
        self.control = state.control;
        self.warnings.clone_from(&state.warnings);
        self.fewest_steps = state.fewest_steps;
        self.overlaps = state.overlaps;
        self.integrator.counts = state.step_counts;
        self.set_slip_correction();
        let engine = &mut self.engine;
        engine.set_departed_works(state.departed_works);
        for (wall, saved) in engine.walls_to_restore().iter_mut().zip(&state.walls) {
            restore_wall(wall, saved);
        }
        engine.set_step(state.clock.time(), state.clock.dt);
        Ok(())
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
                "its contacts store a different history from the laws of the scene".into(),
            ));
        }
        if state.stage.present > self.scene.stages.len() {
            return Err(Error::State("it is in a stage that the scene does not have".into()));
        }
        let remembered = self.engine.table().layout.names.len();
        state.defect(remembered, state.walls.len()).map_or(Ok(()), |what| Err(Error::State(what)))
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

pub(super) fn restore_particle(
    engine: &mut Engine,
    saved: &SavedParticle,
    dissipative: Vec3,
    accurate_slip: bool,
) {
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
    let metadata = Metadata {
        number: saved.id.number(),
        group: saved.group.number(),
        material: saved.material.number(),
        image: saved.image,
    };
    let particles = engine.particles_mut();
    particles.push(record, metadata, Quat::from_array(saved.orientation));
    let driver = Driver { wall: saved.driver, index: saved.driver_index };
    particles.set_last(saved.charge, driver);
    if let Some(accumulated) = particles.accumulated_angles.last_mut() {
        *accumulated = saved.accumulated_angle.into();
    }
    if let Some(accurate) = particles.accurate_slip.last_mut() {
        *accurate = accurate_slip;
    }
    if let Some(load) = particles.loads.last_mut() {
        *load = ForceTorque::default();
        load.add(&Load { force: saved.force.into(), torque: saved.torque.into() });
    }
    engine.push_ledger_entry((saved.works, saved.energy_terms, saved.field_power), dissipative);
}
