//! Steps in slices of 50 ms, between which signals are handled.

use super::Simulation;
use crate::run;
use crate::state::Inner;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Time between two checks for signals (Ctrl-C) while steps are made.
const SLICE: Duration = Duration::from_millis(50);
/// Largest distance of the end of a step before a time at which the time counts as reached, in steps.
const TIME_TOLERANCE: f64 = 1e-6;

/// The goal of a call.
#[derive(Debug, Clone, Copy)]
pub(super) struct Goal {
    pub steps: Option<u64>,
    pub time: Option<f64>,
    pub to_end: bool,
}

/// Reasons for the end of the steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Why {
    Slice,
    Goal,
    Finished,
    Stopped,
}

impl Simulation {
    /// Steps until the goal is reached or the slice is over.
    pub(super) fn slice(&self, inner: &mut Inner, goal: &mut Goal) -> Result<Why, run::Trouble> {
        let started = Instant::now();
        if let Some(why) = &inner.broken {
            return Err(run::Trouble::Broken(why.clone()));
        }
        loop {
            if goal.steps == Some(0) {
                return Ok(Why::Goal);
            }
            let simulation = inner.simulation().map_err(run::Trouble::Python)?;
            let tolerance = TIME_TOLERANCE * simulation.dt();
            if goal.time.is_some_and(|time| simulation.time() >= time - tolerance) {
                return Ok(Why::Goal);
            }
            if goal.to_end && (inner.ended.is_some() || simulation.is_finished()) {
                return Ok(Why::Finished);
            }
            if self.shared.stop.load(Ordering::Relaxed) {
                return Ok(Why::Stopped);
            }
            run::step(inner)?;
            inner.offer();
            if let Some(steps) = &mut goal.steps {
                *steps -= 1;
            }
            if started.elapsed() >= SLICE {
                return Ok(Why::Slice);
            }
        }
    }
}
