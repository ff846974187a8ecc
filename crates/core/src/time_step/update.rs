//! Updates of the automatic step: every few steps, after events, and when contacts have become stiffer than predicted.

use super::cap::contact_caps;
use super::control::{Criterion, Reason};
use super::survey::Survey;
use crate::Vec3;
use crate::engine::Engine;
use crate::error::Error;
use crate::insert::Source;
use crate::scene::StepSize;
use crate::search::horizon::Horizon;
use crate::simulation::Simulation;

/// Largest automatic step as a fraction of the stability bound: the stiffness of the contacts may grow by a factor of
/// 1.56 before the next update.
pub const BOUND_FRACTION: f64 = 0.8;

/// Beginning of a message about a step that is too short for the history of a law.
const TOO_SHORT: &str = "the time step of";

impl Simulation {
    /// Updates the time step if it is due; called before each step.
    pub(crate) fn update_step(&mut self) -> Result<(), Error> {
        if self.scene.integrator.shortest_fraction().is_some() {
            return self.check_speeds();
        }
        match self.scene.step {
            StepSize::Auto | StepSize::AtMost(_) => {
                let is_due = self.control.is_due(self.clock.step);
                if is_due || self.control.is_demanded {
                    self.choose_automatic(if is_due { Reason::Due } else { Reason::Event })?;
                }
                Ok(())
            }
            _ if self.control.is_demanded => {
                self.join();
                self.watch_given_step()
            }
            _ => Ok(()),
        }
    }

    /// Chooses the time step after something has changed between steps.
    pub(crate) fn choose_step(&mut self) -> Result<(), Error> {
        self.set_slip_correction();
        let sources = self.streaming_sources();
        let sources: Vec<&Source> = sources.iter().collect();
        let none_come = sources.iter().all(|source| source.fixed);
        let any_free = self.engine.any(self.engine.particles().any_free());
        if self.clock.dt > 0.0 && none_come && !any_free {
            // the last particle has left: no step can be derived from the scene, so the last one is kept
            return Ok(());
        }
        self.advice = super::Advice::new(&self.scene, &self.engine, &sources);
        self.control.contact_caps = contact_caps(&self.scene, &self.engine, &sources);
        let chosen = match self.scene.step {
            _ if self.scene.integrator.shortest_fraction().is_some() => self.choose_adapted(),
            StepSize::Auto | StepSize::AtMost(_) => self.choose_automatic(Reason::Event),
            StepSize::AutoOnce if self.clock.dt == 0.0 => self.choose_automatic(Reason::Event),
            StepSize::Fixed(dt) => {
                self.clock.set_step(dt);
                self.check_given_step()
            }
            _ => self.check_given_step(),
        };
        let dt = if self.advice.is_sound() || matches!(self.scene.step, StepSize::Fixed(_)) {
            self.clock.dt
        } else {
            self.advice.contact_time
        };
        if !(dt > 0.0 && dt.is_finite()) {
            let problem = self.advice.problem(&self.scene, &self.engine, &sources, dt);
            return Err(Error::Scene(vec![problem]));
        }
        chosen?;
        self.warn_of_short_step();
        Ok(())
    }

    /// Checks the time step after particles have been removed. Without them it could only be longer, so that an automatic
    /// step is kept until its next update.
    pub(crate) fn keep_step_without_removed(&mut self) -> Result<(), Error> {
        let is_automatic = matches!(self.scene.step, StepSize::Auto | StepSize::AtMost(_));
        if !is_automatic || self.scene.integrator.shortest_fraction().is_some() {
            return self.choose_step();
        }
        let sources = self.streaming_sources();
        let sources: Vec<&Source> = sources.iter().collect();
        self.control.contact_caps = contact_caps(&self.scene, &self.engine, &sources);
        Ok(())
    }

    /// Longest and shortest step of the integrator [s].
    pub(crate) fn step_bounds(&self) -> (f64, f64) {
        match self.scene.integrator.shortest_fraction() {
            Some(_) => self.advice.adapted_bounds(&self.scene, self.control.bound),
            None => (self.clock.dt, self.clock.dt),
        }
    }

    /// Warns if the history of a law assumes longer steps.
    fn warn_of_short_step(&mut self) {
        let dt = self.clock.dt;
        let laws = self.engine.table().pairs.iter().flat_map(|pair| &pair.laws);
        let needed = laws.map(|law| law.shortest_step()).fold(0.0, f64::max);
        if dt < needed && !self.warnings.iter().any(|warning| warning.starts_with(TOO_SHORT)) {
            self.warnings.push(format!(
                "{TOO_SHORT} {dt:.3e} s is below the shortest one, {needed:.3e} s, that the memory \
                 of a law is made for; give its `shortest_step`"
            ));
        }
    }

    /// The step of an integrator that adapts it: between two bounds, of which the longest is at most the stability
    /// bound.
    fn choose_adapted(&mut self) -> Result<(), Error> {
        self.survey_bound_only()?;
        let (longest, shortest) = self.advice.adapted_bounds(&self.scene, self.control.bound);
        // a step that the integrator has reduced is kept
        let adapted = longest > shortest && self.clock.dt > 0.0;
        let dt = if adapted { self.clock.dt.clamp(shortest, longest) } else { longest };
        self.clock.set_step(dt);
        if dt > 0.0 && dt.is_finite() { self.check_given_rates() } else { Ok(()) }
    }

    /// The bound of the existing contacts.
    pub(super) fn survey_bound_only(&mut self) -> Result<(), Error> {
        self.engine.set_horizon(Horizon::NONE);
        let survey = self.survey_scratch.run(&mut self.engine, &self.scene);
        self.record_survey(&survey);
        Ok(())
    }

    /// Passes over the contacts and chooses the step.
    fn choose_automatic(&mut self, reason: Reason) -> Result<(), Error> {
        self.advice.refresh_rates(&self.engine);
        let (cap, criterion) = self.cap();
        if !self.engine.any(self.engine.particles().any_free()) || !cap.is_finite() {
            let is_first = self.clock.dt == 0.0;
            if is_first && cap > 0.0 && cap.is_finite() {
                let dt = self.control.choose(cap, reason, true);
                self.control.criterion = criterion;
                self.clock.set_step(dt);
            } else if is_first {
                self.clock.dt = cap;
            }
            return Ok(());
        }
        let is_first = self.clock.dt == 0.0;
        let longest = if is_first { cap } else { self.clock.dt };
        let (mut survey, mut steps) = self.survey(longest)?;
        let (mut want, mut found) = wanted(&survey, (cap, criterion));
        if is_first && want < longest {
            // the first pass used a horizon with steps that are too long
            (survey, steps) = self.survey(want)?;
            (want, found) = wanted(&survey, (cap, criterion));
        }
        self.record_survey(&survey);
        self.control.record.updates += 1;
        self.control.criterion = found;
        let dt = self.control.choose(want, reason, !self.is_tied_to_step());
        self.survey_scratch.choose_accurate_slip(&mut self.engine, dt);
        let (now, next) = (self.clock.step, self.clock.step + steps);
        self.control.last_update = now;
        let is_scheduled = is_first || reason == Reason::Due;
        self.control.next_update =
            if is_scheduled { next } else { next.min(self.control.next_update) };
        self.clock.set_step(dt);
        self.engine.set_step(self.clock.time(), dt);
        Ok(())
    }

    /// True if a law contains the length of the step or assumes that it is constant.
    pub fn is_tied_to_step(&self) -> bool {
        let mut laws = self.engine.table().pairs.iter().flat_map(|pair| &pair.laws);
        laws.any(|law| law.is_tied_to_step())
    }

    pub(super) fn record_survey(&mut self, survey: &Survey) {
        let control = &mut self.control;
        control.bound = survey.bound;
        control.bound_by = survey.bound_by;
        control.impact = survey.impact;
        control.rate = survey.rate;
        control.is_demanded = false;
        self.advice.limit = survey.bound.min(self.advice.rate_limit(&self.scene));
    }

    /// Passes over the contacts of the current state and those that can begin until the next update, if steps have this
    /// length [s]. Also returns the number of steps until then.
    pub(super) fn survey(&mut self, dt: f64) -> Result<(Survey, u64), Error> {
        let speeds = self.engine.speeds();
        let acceleration =
            self.engine.largest_acceleration(&mut self.survey_scratch.inputs.accelerations);
        let steps = speeds.steps(dt, acceleration);
        let by_fields = !self.engine.fields().is_empty();
        self.engine.set_horizon(speeds.horizon(steps, dt, acceleration, by_fields));
        if !self.engine.list_covers_horizon() {
            self.check_finite()?;
            self.rebuild_list();
            self.outcome.within_skin = self.engine.stays_within_skin();
        }
        Ok((self.survey_scratch.run(&mut self.engine, &self.scene), steps))
    }
}

/// The longest step allowed by a pass, and its criterion [s].
fn wanted(survey: &Survey, cap: (f64, Criterion)) -> (f64, Criterion) {
    let impact = survey.impact.map_or(f64::INFINITY, |impact| impact.step);
    let mut least = cap;
    for (step, criterion) in
        [(BOUND_FRACTION * survey.bound, Criterion::Stability), (impact, Criterion::Impact)]
    {
        if step < least.0 {
            least = (step, criterion);
        }
    }
    least
}

impl Engine {
    /// Accelerations of the particles by fields other than gravity; empty without fields.
    pub(super) fn external_accelerations(&self, accelerations: &mut Vec<Vec3>) {
        accelerations.clear();
        if self.fields().is_empty() {
            return;
        }
        accelerations.extend((0..self.particles().len()).map(|slot| {
            let record = &self.particles().records[slot];
            if record.inverse_mass == 0.0 {
                return Vec3::ZERO;
            }
            let body = self.particles().body(slot);
            let loads = self.fields().iter().map(|field| field.load(&body, self.time()).force);
            record.inverse_mass * loads.sum::<Vec3>()
        }));
    }

    /// Largest acceleration of a particle by gravity and fields [m/s²].
    fn largest_acceleration(&self, accelerations: &mut Vec<Vec3>) -> f64 {
        self.external_accelerations(accelerations);
        let squares = accelerations.iter().map(|own| (self.gravity() + *own).length_squared());
        let [largest] = self.largest([squares.fold(self.gravity().length_squared(), f64::max)]);
        largest.sqrt()
    }
}
