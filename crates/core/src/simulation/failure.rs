//! The error of a run that has become unphysical, with its likely cause and a remedy.

use super::Simulation;
use crate::diagnosis::Finding;
use crate::error::{Cause, Diagnosis, StepError};
use crate::notation::Setting;

impl Simulation {
    pub(crate) fn stopped(&self, cause: Cause, slot: usize, partner: Option<String>) -> StepError {
        let record = &self.engine.particles().records[slot];
        let (diagnosis, advice) = self.advice_on(&cause, slot);
        StepError {
            cause,
            step: self.clock.step,
            time: self.clock.time(),
            id: self.engine.particles().metadata[slot].id(),
            position: record.position.into(),
            velocity: record.velocity.into(),
            partner,
            diagnosis,
            advice,
            at_start: None,
        }
    }

    fn fraction_of_limit(&self) -> String {
        let dt = self.clock.dt;
        format!("the time step {dt:.1e} s is {:.2} of the limit", dt / self.advice.limit)
    }

    /// The likely cause of a failure and a remedy.
    fn advice_on(&self, cause: &Cause, slot: usize) -> Finding {
        let found = self.fraction_of_limit();
        let dt = self.clock.dt;
        let between = Setting::StepBetween { max: dt, min: 0.1 * self.step_bounds().1 };
        let [shorter, iterations, tolerance, accept] =
            [between, Setting::MostIterations, Setting::Tolerance, Setting::AcceptError]
                .map(|setting| self.scene.notation.name(&setting));
        match cause {
            Cause::LeftDomain => self.explain_leaving(slot),
            Cause::NotFinite => self.explain_not_finite(slot),
            Cause::NotConverged { .. } => (
                Diagnosis::NotConverged,
                format!(
                    "{found}; allow a shorter one with {shorter}, or more {iterations}, or accept \
                     the step with {accept}"
                ),
            ),
            Cause::Inaccurate { .. } => (
                Diagnosis::NotConverged,
                format!(
                    "{found}; allow a shorter one with {shorter}, or a larger {tolerance}, or \
                     accept the step with {accept}"
                ),
            ),
            Cause::Energy(_) => (
                Diagnosis::Energy,
                format!(
                    "{found}, and the particle given here is the one with the largest kinetic \
                     energy; try {:.1e} s",
                    0.5 * dt.min(0.5 * self.advice.limit)
                ),
            ),
            // determined by the caller
            Cause::Overlap(_) | Cause::Stiffness(_) => (Diagnosis::Unknown, found),
        }
    }
}
