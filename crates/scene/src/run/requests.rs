//! Requests to a run in progress. No request changes a result.

use super::Ended;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Requests to a run in progress.
#[derive(Debug, Clone, Copy)]
pub struct Requests<'a> {
    /// If set, the run is saved and ends after the current step.
    pub stop: &'a AtomicBool,
    /// If set, a checkpoint is written after the current step and the run continues. It is cleared
    /// by the run.
    pub save: &'a AtomicBool,
    /// The run is saved and ends after the first step that ends at or after this time.
    pub deadline: Option<Instant>,
}

impl Requests<'_> {
    /// How the run ends now, if it does. At least one step is made before a deadline, so that a repeatedly resumed run
    /// reaches its end, however short the time limit is.
    pub(super) fn end(&self, steps_made: u64) -> Option<Ended> {
        if self.stop.load(Ordering::Relaxed) {
            return Some(Ended::Interrupted);
        }
        let over = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        (over && steps_made > 0).then_some(Ended::OutOfTime)
    }

    /// True if a checkpoint is requested; the request is then cleared.
    pub(super) fn take_save(&self) -> bool {
        self.save.load(Ordering::Relaxed) && self.save.swap(false, Ordering::Relaxed)
    }
}
