//! Messages about a step given by the user: above the stability limit it is refused, near the bound there is a note,
//! and with too few steps per impact a warning that states the size of the error.

use super::impact::{Impact, steps_per_impact};
use super::update::BOUND_FRACTION;
use crate::deepest_contact::DeepestContact;
use crate::error::{Cause, Diagnosis, Error, Problem};
use crate::id::ParticleId;
use crate::notation::Setting;
use crate::scene::StepLimit;
use crate::search::horizon::Horizon;
use crate::simulation::Simulation;
use crate::snapshot::{ContactView, Partner};

/// Beginning of a message about the length of a given step.
const WARNING: &str = "the time step";

/// Continuation of a message about steps per impact.
const PER_IMPACT: &str = "steps in an impact";

/// Largest error of the restitution at the number of steps per impact of the rule.
const ERROR_AT_RULE: f64 = 0.01;

/// Fraction of the stored energy of a contact above which its kinetic energy makes it an impact.
const MOVING: f64 = 0.1;

/// An upper bound of the error of the restitution with fewer steps per impact than in the rule, measured
/// (docs/time-step.md).
///
/// ```
/// use esker::time_step::{STEPS_PER_IMPACT, restitution_error};
///
/// // fewer steps in an impact give a larger error
/// let error = |steps: f64| restitution_error(steps, STEPS_PER_IMPACT);
/// assert!(error(10.0) > error(20.0));
/// ```
pub fn restitution_error(steps: f64, needed: f64) -> f64 {
    let ratio = needed / steps;
    ERROR_AT_RULE * ratio * ratio
}

/// A problem of a step.
struct Finding {
    message: String,
    help: String,
    is_unstable: bool,
}

impl Simulation {
    /// Checks a given step after a change: refuses it or warns.
    pub(super) fn check_given_step(&mut self) -> Result<(), Error> {
        let dt = self.clock.dt;
        if !(dt > 0.0 && dt.is_finite()) {
            return Ok(());
        }
        self.check_given_rates()?;
        self.check_contacts_seen()?;
        if self.clock.step == 0 {
            self.check_first_impacts()?;
        }
        let finding = self.check_bound()?;
        let Some(Finding { message, help, is_unstable }) = finding else { return Ok(()) };
        if is_unstable && self.scene.health.step_limit == StepLimit::Error {
            let help =
                format!("{help}; {} allows it", self.scene.notation.name(&Setting::WarnOfStep));
            return Err(Error::Scene(vec![Problem::at("time.step", message).help(help)]));
        }
        self.warn_once(format!("{message}; {help}"));
        Ok(())
    }

    /// At the start, searches for impacts within the next steps as the automatic step does. Later impacts are recorded
    /// when they occur, so that a constant step does not need a longer neighbour list.
    fn check_first_impacts(&mut self) -> Result<(), Error> {
        let (survey, _) = self.survey(self.clock.dt)?;
        self.engine.set_horizon(Horizon::NONE);
        self.engine.rebuild(|_| true);
        self.outcome.within_skin = self.engine.stays_within_skin();
        if let Some(impact) = survey.impact {
            self.record_impact(impact);
        }
        Ok(())
    }

    /// Refuses a step longer than a contact at the largest speed that can occur.
    fn check_contacts_seen(&mut self) -> Result<(), Error> {
        let (dt, time) = (self.clock.dt, self.advice.contact_time);
        if !(dt > time) {
            return Ok(());
        }
        let message = format!(
            "{WARNING} {dt:.1e} s is longer than the duration of a contact, {time:.1e} s at {:.2} \
             m/s: bodies \
             would pass through each other",
            self.advice.speed
        );
        let help = self.try_step(0.05 * time);
        if self.scene.health.step_limit == StepLimit::Error {
            let help =
                format!("{help}; {} allows it", self.scene.notation.name(&Setting::WarnOfStep));
            return Err(Error::Scene(vec![Problem::at("time.step", message).help(help)]));
        }
        self.warn_once(format!("{message}; {help}"));
        Ok(())
    }

    /// Refuses a step beyond the limits of drag or gyration, and warns of one near them.
    pub(super) fn check_given_rates(&mut self) -> Result<(), Error> {
        let dt = self.clock.dt;
        if let Some(warning) = self.advice.too_few_in_a_period(dt) {
            self.warn_once(warning);
        }
        let limit = self.advice.rate_limit(&self.scene);
        let fraction = dt / limit;
        if !(fraction > 0.5) {
            return Ok(());
        }
        let message = format!(
            "{WARNING} {dt:.3e} s is {fraction:.2} of the limit {limit:.3e} s{}",
            self.advice.limit_of_field(&self.scene)
        );
        let help = self.try_step(0.25 * limit);
        if fraction > 1.0 && self.scene.health.step_limit == StepLimit::Error {
            let help =
                format!("{help}; {} allows it", self.scene.notation.name(&Setting::WarnOfStep));
            return Err(Error::Scene(vec![Problem::at("time.step", message).help(help)]));
        }
        self.warn_once(format!("{message}; {help}"));
        Ok(())
    }

    /// Checks a constant step during a run, after contacts have become stiffer.
    pub(super) fn watch_given_step(&mut self) -> Result<(), Error> {
        let measured = self.engine.largest_rate();
        let finding = self.check_bound()?;
        self.control.rate = self.control.rate.max(measured);
        if let Some(impact) = self.impact_under_way() {
            self.record_impact(impact);
        }
        let Some(Finding { message, help, is_unstable }) = finding else { return Ok(()) };
        if !is_unstable || self.scene.health.step_limit == StepLimit::Warn {
            self.warn_once(format!("{message}; {help}"));
            return Ok(());
        }
        let Some(slot) = self.control.bound_by.and_then(|id| self.engine.particles().slot(id))
        else {
            return Ok(());
        };
        let cause = Cause::Stiffness(self.clock.dt / self.advice.limit);
        let mut error = self.stopped(cause, slot, None);
        let views = self.engine.contact_views();
        let deepest = self.engine.deepest_contact();
        let pressed = deepest.and_then(|deepest| self.explain_pinch(&deepest, &views));
        (error.diagnosis, error.advice) =
            pressed.unwrap_or_else(|| (Diagnosis::StepTooLong, format!("{message}; {help}")));
        Err(error.into())
    }

    /// Records the limit of the current contacts, if the state is finite.
    pub(crate) fn refresh_limit(&mut self) {
        if self.engine.first_not_finite().is_some() {
            return;
        }
        let horizon = self.engine.horizon();
        self.engine.set_horizon(Horizon::NONE);
        let bound = self.survey_scratch.run(&mut self.engine, &self.scene).bound;
        let network = self.survey_scratch.network(&mut self.engine, &self.scene);
        let limit = if self.last_dt > bound { network.limit(bound).max(bound) } else { bound };
        self.advice.limit = limit.min(self.advice.rate_limit(&self.scene));
        self.engine.set_horizon(horizon);
    }

    fn explain_pinch(
        &self,
        deepest: &DeepestContact,
        views: &[ContactView],
    ) -> Option<(Diagnosis, String)> {
        self.engine.pinch(deepest, views).map(|text| (Diagnosis::Pinched, text))
    }

    /// Compares the step with the bound of the existing contacts, and if it is above the bound, with the limit by power
    /// iteration.
    fn check_bound(&mut self) -> Result<Option<Finding>, Error> {
        self.survey_bound_only()?;
        let (dt, bound) = (self.clock.dt, self.control.bound);
        if dt <= BOUND_FRACTION * bound {
            return Ok(None);
        }
        self.join();
        let network = self.survey_scratch.network(&mut self.engine, &self.scene);
        let limit = if dt > bound { network.limit(bound).max(bound) } else { bound };
        self.advice.limit = limit.min(self.advice.rate_limit(&self.scene));
        let who = self.control.bound_by.map_or(String::new(), |id| self.describe_contacts(id));
        let help = self.try_step(BOUND_FRACTION * limit);
        let fraction = dt / limit;
        let message = if dt > limit {
            format!("{WARNING} {dt:.1e} s is {fraction:.1} of the stable {limit:.1e} s: {who}")
        } else if dt > bound {
            format!(
                "{WARNING} {dt:.3e} s is above the stability bound {bound:.3e} s and below the limit \
                 {limit:.3e} s of the present contacts: {who}"
            )
        } else {
            format!(
                "{WARNING} {dt:.3e} s is {fraction:.2} of the stability bound {bound:.3e} s: {who}"
            )
        };
        Ok(Some(Finding { message, help, is_unstable: dt > limit }))
    }

    /// The contacts of a particle, and the deepest of them.
    pub(super) fn describe_contacts(&self, id: ParticleId) -> String {
        let views = self.engine.contact_views();
        let own = |view: &&ContactView| view.first == id || view.second == Partner::Particle(id);
        let count = views.iter().filter(own).count();
        let Some(deepest) = views.iter().filter(own).max_by(|a, b| a.overlap.total_cmp(&b.overlap))
        else {
            return format!("particle {id} has no contacts");
        };
        let partner = if deepest.first == id {
            self.engine.partner_name(deepest.second)
        } else {
            format!("particle {}", deepest.first)
        };
        let radius = self.engine.particles().slot(id);
        let radius = radius.map_or(f64::NAN, |slot| self.engine.particles().records[slot].radius);
        let percent = 100.0 * deepest.overlap / radius;
        if count == 1 {
            return format!(
                "particle {id} has one contact ({partner}), pressed in by {percent:.1} % of its radius"
            );
        }
        format!(
            "particle {id} has {count} contacts, the deepest ({partner}) pressed in by {percent:.1} % \
             of its radius"
        )
    }

    /// The impact of the stiffest contact, if its partners approach each other.
    fn impact_under_way(&self) -> Option<Impact> {
        let views = self.engine.contact_views();
        let (view, laws, mass) = self.engine.stiffest_contact(&views)?;
        if !(view.closing_speed > 0.0 && view.normal_stiffness > 0.0) {
            return None;
        }
        let exponent = laws.laws.iter().map(|law| law.force_exponent()).fold(1.0, f64::max);
        let stored = view.elastic * view.overlap / (exponent + 1.0);
        let moving = 0.5 * mass * view.closing_speed * view.closing_speed;
        if moving < MOVING * stored {
            return None;
        }
        let rate = laws.duration_factor * view.normal_stiffness / mass;
        let growth = (1.0 + moving / stored.max(f64::MIN_POSITIVE)).min(1e6);
        // k is proportional to δ^{p-1} and the energy to δ^{p+1}
        let deeper = libm::pow(growth, (exponent - 1.0) / (exponent + 1.0));
        let contact_time = std::f64::consts::PI / (rate * deeper).sqrt();
        Some(Impact {
            first: view.first,
            second: view.second,
            speed: (2.0 * (stored + moving) / mass).sqrt(),
            contact_time,
            step: contact_time / steps_per_impact(&self.scene, laws),
        })
    }

    /// Warns of an impact that is resolved by too few steps, if it has the fewest so far.
    fn record_impact(&mut self, impact: Impact) {
        let dt = self.clock.dt;
        let is_worst = self.control.worst_impact.is_none_or(|worst| impact.step < worst.step);
        if !is_worst || dt <= impact.step {
            return;
        }
        self.control.worst_impact = Some(impact);
        let needed = impact.contact_time / impact.step;
        let steps = impact.steps(dt);
        let partner = self.engine.partner_name(impact.second);
        let message = format!(
            "{WARNING} {dt:.1e} s gives {steps:.0} {PER_IMPACT} at {:.2} m/s (particle {}, {partner}): \
             restitution is off by up to {:.2}; {needed:.0} steps are {:.1e} s",
            impact.speed,
            impact.first,
            restitution_error(steps, needed).min(1.0),
            impact.step
        );
        self.warnings.retain(|warning| !warning.contains(PER_IMPACT));
        self.warnings.push(message);
    }

    /// Adds a warning; of those about the stability of a given step only the last is kept.
    fn warn_once(&mut self, warning: String) {
        let is_of_contacts = |text: &String| {
            text.starts_with(WARNING)
                && (text.contains("of the stab") || text.contains("stability bound"))
        };
        if is_of_contacts(&warning) {
            self.warnings.retain(|other| !is_of_contacts(other));
        }
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }
}
