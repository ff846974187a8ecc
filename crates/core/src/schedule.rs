//! Changes between steps: stages begin and end, streams insert particles, particles that have left
//! the domain are deleted or reported.

use crate::diagnosis::DetectedAt;
use crate::domain::Outside;
use crate::energy_exchange::EnergyBalance;
use crate::engine::Engine;
use crate::error::{Cause, Error, Problem};
use crate::id::MaterialId;
use crate::insert::{Source, Stream, check_amount, place_clear_of};
use crate::insertion::{Occupancy, misses_walls};
use crate::kernel::laws::LawTable;
use crate::particles::{IDS_END, Particles};
use crate::plausibility::{most_inserted, most_present};
use crate::simulation::Simulation;
use crate::stage::{Change, End, Stage};
use crate::wall::live::LiveWall;
use std::sync::Arc;

/// Steps between two evaluations of a condition that needs a pass over the particles.
const STEPS_BETWEEN_CHECKS: u64 = 50;

/// Largest distance of a time before the end of a stage at which the stage counts as ended, as a fraction of a step.
/// Times are sums of steps; rounding must not add a whole step. Outputs use the same fraction, so that an output due at
/// the end is written.
const TIME_TOLERANCE: f64 = 1e-6;

/// Particles that a stream inserts between two checks of the free memory.
const PARTICLES_PER_CHECK: u64 = 65_536;

/// Position of a simulation in its stages.
#[derive(Debug, Clone, Default)]
pub(crate) struct Schedule {
    pub stages: Vec<Stage>,
    /// Index of the current stage; `stages.len()` after the last one.
    pub present: usize,
    /// True if the changes at the start of the current stage have been made.
    pub begun: bool,
    /// Start of the current stage: time [s] and step.
    pub since: f64,
    pub since_step: u64,
    /// Active streams, each with its index in the scene.
    pub streams: Vec<(u32, Stream)>,
    pub streams_begun: u32,
    pub next_id: u64,
}

impl Schedule {
    pub(crate) fn stage_name(&self) -> &str {
        self.stages.get(self.present).map_or("", |stage| &stage.name)
    }

    pub(crate) fn is_finished(&self, simulation: &Simulation) -> bool {
        let last = self.stages.len().saturating_sub(1);
        if self.stages.is_empty() {
            return false;
        }
        self.present > last || (self.present == last && self.begun && simulation.stage_is_over())
    }

    /// Fraction of the total duration of the stages that has passed, if every stage has an end
    /// time.
    pub(crate) fn progress(&self, time: f64) -> Option<f64> {
        let times: Option<Vec<f64>> = self.stages.iter().map(|stage| stage.end.after).collect();
        let times = times.filter(|times| !times.is_empty())?;
        let done: f64 = times[..self.present.min(times.len())].iter().sum();
        let own =
            times.get(self.present).map_or(0.0, |&whole| (time - self.since).clamp(0.0, whole));
        Some((done + own) / times.iter().sum::<f64>())
    }
}

impl Simulation {
    /// Makes the changes that are due before the next step.
    pub(crate) fn apply_schedule(&mut self) -> Result<(), Error> {
        while self.schedule.present < self.schedule.stages.len() {
            if !self.schedule.begun {
                self.begin_stage()?;
            }
            let is_last = self.schedule.present + 1 == self.schedule.stages.len();
            if is_last || !self.stage_is_over_together() {
                break;
            }
            self.schedule.present += 1;
            self.schedule.begun = false;
        }
        self.run_streams()
    }

    /// True if the current stage is over; a collective operation of all ranks.
    fn stage_is_over_together(&self) -> bool {
        let Some(stage) = self.schedule.stages.get(self.schedule.present) else { return true };
        let End { kinetic_energy_below, speed_below, .. } = stage.end;
        self.stage_is_over_by_count()
            || (self.stage_needs_motion(&stage.end)
                && (kinetic_energy_below
                    .is_some_and(|limit| self.engine.kinetic_energy()[0] < limit)
                    || speed_below.is_some_and(|limit| self.engine.is_slower_than(limit))))
    }

    /// Whether the end condition of the stage depends on the motion of the particles and is checked at this step.
    fn stage_needs_motion(&self, end: &End) -> bool {
        let steps = self.clock.step - self.schedule.since_step;
        steps > 0
            && steps.is_multiple_of(STEPS_BETWEEN_CHECKS)
            && (end.kinetic_energy_below.is_some() || end.speed_below.is_some())
    }

    /// True if the current stage is over; called on the first rank only.
    fn stage_is_over(&self) -> bool {
        let Some(stage) = self.schedule.stages.get(self.schedule.present) else { return true };
        let End { kinetic_energy_below, speed_below, .. } = stage.end;
        self.stage_is_over_by_count()
            || (self.stage_needs_motion(&stage.end)
                && (kinetic_energy_below.is_some_and(|limit| self.kinetic_energy() < limit)
                    || speed_below.is_some_and(|limit| self.is_slower_than(limit))))
    }

    /// True if the current stage is over by time or by the number of particles.
    fn stage_is_over_by_count(&self) -> bool {
        let Some(stage) = self.schedule.stages.get(self.schedule.present) else { return true };
        let End { after, particles_reach, particles_fall_to, .. } = stage.end;
        let present = self.counts.present as usize;
        let steps = self.clock.step - self.schedule.since_step;
        after.is_some_and(|after| {
            self.time() - self.schedule.since >= after - TIME_TOLERANCE * self.clock.dt
        }) || particles_reach.is_some_and(|count| present >= count)
            || particles_fall_to.is_some_and(|count| present <= count && steps > 0)
    }

    fn begin_stage(&mut self) -> Result<(), Error> {
        self.schedule.begun = true;
        self.schedule.since = self.time();
        self.schedule.since_step = self.clock.step;
        let index = self.schedule.present;
        let changes = self.schedule.stages[index].changes.clone();
        if changes.is_empty() {
            return Ok(());
        }
        self.with_energy_balance(|simulation| {
            for (number, change) in changes.into_iter().enumerate() {
                let path = format!("stages[{index}].changes[{number}]");
                simulation.apply(change, &path)?;
            }
            simulation.changed()
        })
    }

    /// Rebuilds the neighbour list, evaluates the forces and checks the time step after a change.
    pub(crate) fn changed(&mut self) -> Result<(), Error> {
        self.evaluate_change(Self::choose_step)?;
        self.check_overlap(DetectedAt::Change)
    }

    /// The same without a check of overlaps, with a function that checks the time step.
    fn evaluate_change(
        &mut self,
        choose_step: impl FnOnce(&mut Self) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.engine.set_step(self.clock.time(), self.clock.dt);
        self.rebuild_list();
        self.apply_inherited()?;
        choose_step(self)?;
        self.evaluate_after_change();
        self.engine.agree([]);
        self.engine.set_step(self.clock.time(), self.clock.dt);
        // the list was built before the new forces and the new step were known
        self.outcome.within_skin = self.engine.stays_within_skin();
        Ok(())
    }

    /// Makes a change that adds or removes energy, and records this energy in the ledger.
    pub(crate) fn with_energy_balance(
        &mut self,
        change: impl FnOnce(&mut Self) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let before = self.balance();
        change(self)?;
        self.energy_exchange.insert(before, self.balance());
        Ok(())
    }

    /// The energy before and after a change between steps; a collective operation of all ranks.
    pub(crate) fn balance(&self) -> EnergyBalance {
        if !self.engine.has_ledger() {
            return EnergyBalance::default();
        }
        let energy = self.energy_together();
        EnergyBalance {
            total: energy.present() + energy.lost() - energy.wall_work - energy.field_work,
            half_step_difference: energy.half_step_difference,
        }
    }

    pub(crate) fn apply(&mut self, change: Change, path: &str) -> Result<(), Error> {
        let time = self.time();
        let unknown = |kind: &str, name: &str| {
            Error::Scene(vec![Problem::at(
                path,
                format!("there is no {kind} `{name}` at this stage"),
            )])
        };
        match change {
            Change::RemoveWall(name) => {
                let wall = self.engine.present_wall(&name);
                let index = wall.ok_or_else(|| unknown("wall", &name))?;
                self.engine.remove_wall(index);
                self.remove_wall_particles(index);
            }
            Change::AddWall(wall) => self.add_wall(LiveWall::new(wall, time)),
            Change::SetMotion(name, motion) => {
                let wall = self.engine.present_wall(&name);
                let index = wall.ok_or_else(|| unknown("wall", &name))?;
                self.engine.set_motion(index, motion, time);
            }
            Change::SetGravity(gravity) => self.engine.set_gravity(gravity),
            Change::RemoveField(name) => {
                self.engine.fields_mut().retain(|field| field.name() != name);
            }
            Change::SetField(field) => {
                let fields = self.engine.fields_mut();
                fields.retain(|other| other.name() != field.name());
                fields.push(field);
            }
            Change::SetPair { between, parameter, value } => {
                self.set_pair(between, &parameter, value, path)?
            }
            Change::Insert(source) => self.insert(&source, path)?,
            Change::RemoveParticles(group) => {
                let group = self
                    .groups
                    .iter()
                    .position(|name| *name == group)
                    .ok_or_else(|| unknown("group", &group))?;
                self.delete(|particles, slot| usize::from(particles.metadata[slot].group) == group);
            }
        }
        Ok(())
    }

    fn set_pair(
        &mut self,
        between: [MaterialId; 2],
        parameter: &str,
        value: f64,
        path: &str,
    ) -> Result<(), Error> {
        let before = self.scene.pairs.clone();
        let result = self.try_set_pair(between, parameter, value, path);
        match result {
            Ok(table) => {
                self.engine.set_table(table);
                self.warn_of_collapse();
                Ok(())
            }
            Err(error) => {
                self.scene.pairs = before;
                Err(error)
            }
        }
    }

    /// Changes a parameter in the scene and rebuilds the laws.
    fn try_set_pair(
        &mut self,
        between: [MaterialId; 2],
        parameter: &str,
        value: f64,
        path: &str,
    ) -> Result<LawTable, Error> {
        let Some(pair) = self.scene.pair_mut(between) else {
            return Err(Error::Scene(vec![Problem::at(
                path,
                "this pair of materials has no parameters to change",
            )]));
        };
        pair.change(parameter, value);
        let mut problems = Vec::new();
        let material_pairs: Vec<_> =
            self.engine.table().pairs.iter().map(|pair| pair.materials).collect();
        let table = LawTable::new(&self.scene, &material_pairs, self.radii(), &mut problems);
        if !problems.is_empty() {
            return Err(Error::Scene(problems));
        }
        if table.layout != self.engine.table().layout {
            let message = format!("`{parameter}` changes the history that contacts store");
            return Err(Error::Scene(vec![
                Problem::at(path, message).help("it must be the same for the whole run"),
            ]));
        }
        Ok(table)
    }

    /// Inserts the particles of a source, or starts its stream.
    pub(crate) fn insert(&mut self, source: &Source, path: &str) -> Result<(), Error> {
        if let Some(stream) = Stream::new(source, self.time(), self.engine.domain()) {
            self.check_stream(&stream, path)?;
            self.group(&source.name);
            self.schedule.streams.push((self.schedule.streams_begun, stream));
            self.schedule.streams_begun += 1;
            return Ok(());
        }
        let occupied = self.engine.spheres_of_all(|_| true);
        let spheres = place_clear_of(
            source,
            self.scene.seed,
            self.schedule.next_id,
            &occupied,
            self.engine.domain(),
            &|position, radius| misses_walls(&self.engine, position, radius),
        )
        .map_err(|error| {
            let message = error.message(self.scene.notation);
            Error::Scene(vec![Problem::at(format!("{path}.insert"), message)])
        })?;
        if let Some(inherited) = &source.inherited {
            self.inherited.push((self.schedule.next_id, path.to_owned(), Arc::clone(inherited)));
        }
        self.check_ids(spheres.len(), path)?;
        self.divide_first(&spheres);
        let others =
            if source.members.is_empty() { Vec::new() } else { self.scene.particles.clone() };
        for (index, sphere) in spheres.iter().enumerate() {
            let other = source.members.get(index).and_then(|&other| others.get(other));
            if !self.add_particle(sphere, other.unwrap_or(source)) {
                continue;
            }
            if let Some(orientation) = source.orientations.get(index) {
                self.engine.particles_mut().set_last_orientation(*orientation);
            }
            if let Some(charge) = source.charges.get(index) {
                let particles = self.engine.particles_mut();
                particles.set_charge(particles.len() - 1, *charge);
            }
        }
        Ok(())
    }

    /// Refuses a stream whose particles do not fit into its region, into memory or into the
    /// range of ids. The number that can be inserted before the end counts, not the number
    /// requested.
    fn check_stream(&self, stream: &Stream, path: &str) -> Result<(), Error> {
        let source = stream.source();
        let refuse =
            |message: String| Error::Scene(vec![Problem::at(format!("{path}.insert"), message)]);
        let radius = source.largest_radius();
        if !stream.holds(radius) {
            let message = format!("a particle of radius {radius} m does not fit in the region");
            return Err(refuse(message));
        }
        let left = self.time_left(self.schedule.present);
        check_amount(most_present(source, self.engine.domain(), left)).map_err(refuse)?;
        let coming = most_inserted(source, left);
        if coming.is_finite() && coming > (IDS_END - self.schedule.next_id) as f64 {
            let message = format!(
                "the stream inserts {coming:.1e} particles before the run ends, and at most \
                 {IDS_END} are possible in one run"
            );
            return Err(refuse(message));
        }
        Ok(())
    }

    /// Refuses insertions beyond the largest id.
    fn check_ids(&self, more: usize, path: &str) -> Result<(), Error> {
        if self.schedule.next_id + more as u64 <= IDS_END {
            return Ok(());
        }
        let message = format!("at most {IDS_END} particles are possible in one run");
        Err(Error::Scene(vec![Problem::at(path, message)]))
    }

    fn run_streams(&mut self) -> Result<(), Error> {
        let time = self.time();
        if self
            .schedule
            .streams
            .iter()
            .all(|(_, stream)| stream.due(time) as u64 <= stream.state.emitted)
        {
            return Ok(());
        }
        let mut streams = std::mem::take(&mut self.schedule.streams);
        let before = self.counts.inserted;
        let outcome = self.with_energy_balance(|simulation| {
            for (_, stream) in &mut streams {
                simulation.run_stream(stream, time)?;
            }
            if simulation.counts.inserted > before { simulation.changed() } else { Ok(()) }
        });
        streams.retain(|(_, stream)| !stream.finished());
        self.schedule.streams = streams;
        outcome
    }

    fn run_stream(&mut self, stream: &mut Stream, time: f64) -> Result<(), Error> {
        let source = stream.source().clone();
        let Some(bounds) = source.bounds() else { return Ok(()) };
        let mut occupancy = Occupancy::new(&self.engine, bounds, source.largest_radius());
        loop {
            let has_space = |position, radius| occupancy.has_space(&self.engine, position, radius);
            let Some(sphere) =
                stream.next(time, self.scene.seed, self.schedule.next_id, &has_space)
            else {
                return Ok(());
            };
            self.check_ids(1, "particles")?;
            occupancy.add(&sphere);
            self.add_particle(&sphere, &source);
            if stream.state.emitted.is_multiple_of(PARTICLES_PER_CHECK) {
                self.check_space(&source)?;
            }
        }
    }

    /// Refuses to go on where memory is short, on any rank.
    fn check_space(&self, source: &Source) -> Result<(), Error> {
        let found = check_amount(PARTICLES_PER_CHECK as f64);
        if !self.engine.any(found.is_err()) {
            return Ok(());
        }
        let message = found.err().unwrap_or_else(|| "another rank is short of memory".into());
        let message = format!("the stream `{}` does not end: {message}", source.name);
        Err(Error::Scene(vec![Problem::at("particles", message)]))
    }

    /// Deletes or reports particles outside the domain.
    pub(crate) fn leave_domain(&mut self) -> Result<(), Error> {
        self.check_finite()?;
        let domain = self.engine.domain().clone();
        let is_out = |particles: &Particles, slot: usize| {
            !domain.contains(particles.records[slot].position.into())
        };
        let first_out = |engine: &Engine| {
            let particles = engine.particles();
            particles.lowest_id(|slot| is_out(particles, slot))
        };
        if !self.engine.any(first_out(&self.engine).is_some()) {
            return Ok(());
        }
        if domain.outside == Outside::Error {
            self.join();
            if let Some(first) = first_out(&self.engine) {
                return Err(self.stopped(Cause::LeftDomain, first, None).into());
            }
        }
        self.with_energy_balance(|simulation| {
            simulation.delete(is_out);
            // overlaps are checked next
            simulation.evaluate_change(Self::keep_step_without_removed)
        })
    }
}
