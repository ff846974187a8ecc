//! Times of the updates of the automatic step and its changes: it shrinks immediately and grows by one level after two
//! updates that allow it. The state is saved in checkpoints.

use super::impact::Impact;
use super::level::{level_below, step_of_level};
use crate::id::ParticleId;

/// Smallest and largest number of steps from one update to the next.
pub(crate) const FEWEST_STEPS: u64 = 4;
pub(crate) const MOST_STEPS: u64 = 64;

/// An update is made as soon as the largest k/m* exceeds the predicted one by this factor.
const RATE_GROWTH: f64 = 1.25;

/// Levels by which an update must allow a longer step, and number of such updates, before it grows.
const LEVELS_TO_GROW: i32 = 2;
const UPDATES_TO_GROW: u32 = 2;

/// Criterion that limits the automatic step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Criterion {
    /// Stability of the contacts.
    Stability,
    /// Resolution of an impact.
    Impact,
    /// The Rayleigh time of the smallest particle.
    RayleighTime,
    /// The shortest contact of a law whose stiffness does not depend on the overlap.
    ContactTime,
    /// The relaxation time of drag.
    Drag,
    /// The gyration of a charge.
    Gyration,
    /// The period of an oscillating wall.
    WallPeriod,
    /// The upper bound that the scene gives.
    Maximum,
}

impl Criterion {
    /// All criteria, in the order of [`StepRecord::steps`].
    pub const ALL: [Self; 8] = [
        Self::Stability,
        Self::Impact,
        Self::RayleighTime,
        Self::ContactTime,
        Self::Drag,
        Self::Gyration,
        Self::WallPeriod,
        Self::Maximum,
    ];

    /// Description for messages.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Stability => "stability of the contacts",
            Self::Impact => "resolution of impacts",
            Self::RayleighTime => "Rayleigh time of the smallest particle",
            Self::ContactTime => "contact time of the stiffest pair",
            Self::Drag => "relaxation time of drag",
            Self::Gyration => "gyration of charges",
            Self::WallPeriod => "period of an oscillating wall",
            Self::Maximum => "given maximum of the step",
        }
    }
}

/// Record of the choices of the automatic step.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::{simulation, RADIUS};
/// use esker::prelude::*;
/// use esker::time_step::{Criterion, StepRecord};
///
/// # let grains = vec![Sphere::new(RADIUS, Vec3::ZERO)];
/// # let mut simulation = simulation(ContactModel::normal(Hertz::default()), Pair::new(), grains);
/// simulation.step()?;
/// let record: StepRecord = simulation.step_record();
/// for (criterion, steps) in Criterion::ALL.into_iter().zip(record.steps) {
///     if steps > 0 {
///         println!("{steps} steps limited by {}", criterion.describe());
///     }
/// }
/// assert_eq!(record.steps.iter().sum::<u64>(), 1);
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct StepRecord {
    /// Steps limited by each criterion, in the order of [`Criterion::ALL`].
    pub steps: [u64; Criterion::ALL.len()],
    /// Changes of the step.
    pub changes: u64,
    /// Number of updates: passes over the contacts.
    pub updates: u64,
}

/// State of the step control.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct StepControl {
    level: Option<i32>,
    /// Number of consecutive updates that allow a step longer by two levels.
    above: u32,
    /// Caps by the Rayleigh time and by the contact time of linear laws [s].
    pub contact_caps: [f64; 2],
    /// Largest k/m* predicted by the last pass [1/s²].
    pub rate: f64,
    /// Step numbers of the last and of the next update.
    pub last_update: u64,
    pub next_update: u64,
    /// True if the stiffness has grown beyond the prediction.
    pub is_demanded: bool,
    /// The criterion that limited the step at the last update.
    pub criterion: Criterion,
    /// Stability bound of the last pass [s].
    pub bound: f64,
    /// Id of the particle that determines it.
    pub bound_by: Option<ParticleId>,
    /// The impact that needed the shortest step in the last pass.
    pub impact: Option<Impact>,
    /// With a given step: the impact with the fewest steps.
    pub worst_impact: Option<Impact>,
    pub record: StepRecord,
}

impl Default for StepControl {
    fn default() -> Self {
        Self {
            level: None,
            above: 0,
            contact_caps: [f64::INFINITY; 2],
            rate: 0.0,
            last_update: 0,
            next_update: 0,
            is_demanded: false,
            criterion: Criterion::RayleighTime,
            bound: f64::INFINITY,
            bound_by: None,
            impact: None,
            worst_impact: None,
            record: StepRecord::default(),
        }
    }
}

/// Reason of an update.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reason {
    /// It is due.
    Due,
    /// Something was changed between steps, or the stiffness has grown: the step can only shrink.
    Event,
}

impl StepControl {
    /// Records the rate measured by an evaluation [1/s²].
    pub(crate) fn update_rate(&mut self, rate: f64) {
        self.is_demanded |= rate > RATE_GROWTH * self.rate;
    }

    /// True if an update is due before the step of this number.
    pub(crate) fn is_due(&self, step: u64) -> bool {
        step >= self.next_update
    }

    /// Counts a step.
    pub(crate) fn count_step(&mut self) {
        if let Some(index) = Criterion::ALL.iter().position(|one| *one == self.criterion) {
            self.record.steps[index] += 1;
        }
    }

    /// The next step, from the longest allowed one [s]; `may_grow` is false for laws that assume a constant step.
    pub(crate) fn choose(&mut self, want: f64, reason: Reason, may_grow: bool) -> f64 {
        let level = level_below(want);
        let now = match self.level {
            None => level,
            Some(now) if level < now => {
                self.above = 0;
                self.record.changes += 1;
                level
            }
            Some(now) if reason == Reason::Due && may_grow => self.grow(now, level),
            Some(now) => now,
        };
        self.level = Some(now);
        step_of_level(now)
    }

    fn grow(&mut self, now: i32, level: i32) -> i32 {
        if level < now + LEVELS_TO_GROW {
            self.above = 0;
            return now;
        }
        self.above += 1;
        if self.above < UPDATES_TO_GROW {
            return now;
        }
        self.above = 0;
        self.record.changes += 1;
        now + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_step_shrinks_at_once_and_grows_by_one_level_after_two_updates() {
        let mut control = StepControl::default();
        let first = control.choose(1e-5, Reason::Event, true);
        assert!(first <= 1e-5 && first > 1e-5 / 1.0443);
        let shrunk = control.choose(2.3e-6, Reason::Event, true);
        assert!(shrunk <= 2.3e-6 && shrunk > 2.3e-6 / 1.0443);
        assert_eq!(control.choose(1e-5, Reason::Due, true), shrunk);
        let grown = control.choose(1e-5, Reason::Due, true);
        assert!((grown / shrunk - libm::exp2(0.0625)).abs() < 1e-12);
        assert_eq!(control.record.changes, 2);
    }

    #[test]
    fn an_update_that_does_not_allow_two_levels_more_starts_the_count_again() {
        let mut control = StepControl::default();
        let first = control.choose(1e-5, Reason::Due, true);
        control.choose(2e-5, Reason::Due, true);
        assert_eq!(control.choose(1.07 * first, Reason::Due, true), first);
        assert_eq!(control.choose(2e-5, Reason::Due, true), first);
        assert!(control.choose(2e-5, Reason::Due, true) > first);
    }

    #[test]
    fn events_and_laws_tied_to_one_step_never_let_it_grow() {
        let mut control = StepControl::default();
        let first = control.choose(1e-5, Reason::Due, true);
        for _ in 0..20 {
            assert_eq!(control.choose(1e-3, Reason::Event, true), first);
            assert_eq!(control.choose(1e-3, Reason::Due, false), first);
        }
        assert!(control.choose(1e-6, Reason::Due, false) < first);
    }
}
