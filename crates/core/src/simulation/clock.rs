//! Simulated time, counted in steps.

/// Time is counted in steps from the last change of the step, so that it does not drift.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Clock {
    pub base: f64,
    pub steps_since_base: u64,
    pub dt: f64,
    pub step: u64,
}

impl Clock {
    pub(crate) fn time(&self) -> f64 {
        self.base + self.steps_since_base as f64 * self.dt
    }

    /// Counts a step of length `dt`; `next` is the length of the next one.
    pub(crate) fn pass(&mut self, dt: f64, next: f64) {
        self.set_step(dt);
        self.step += 1;
        self.steps_since_base += 1;
        self.set_step(next);
    }

    pub(crate) fn set_step(&mut self, dt: f64) {
        if dt != self.dt {
            *self = Self { base: self.time(), steps_since_base: 0, dt, step: self.step };
        }
    }
}
