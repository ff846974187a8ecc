//! Changes between steps: stages begin and end, streams insert particles, particles that have left
//! the domain are deleted or reported.

mod changes;
mod insertion;

use crate::domain::Outside;
use crate::engine::Engine;
use crate::error::{Cause, Error};
use crate::insert::Stream;
use crate::particles::Particles;
use crate::simulation::Simulation;
use crate::stage::{End, Stage};

/// Steps between two evaluations of a condition that needs a pass over the particles.
const STEPS_BETWEEN_CHECKS: u64 = 50;

/// Largest distance of a time before the end of a stage at which the stage counts as ended, as a fraction of a step.
/// Times are sums of steps; rounding must not add a whole step. Outputs use the same fraction, so that an output due at
/// the end is written.
const TIME_TOLERANCE: f64 = 1e-6;

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
