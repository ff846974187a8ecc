//! Durations of the passes of a step. The engine has no clock; the caller provides one.

/// Passes of a step that are timed.
///
/// ```
/// use esker::Phase;
///
/// assert!(Phase::ALL.iter().any(|phase| phase.name() == "contacts"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(usize)]
#[non_exhaustive]
pub enum Phase {
    /// Rebuild of the neighbour list.
    Search,
    /// Prediction of the positions at which forces are evaluated.
    Predict,
    /// Contacts between particles.
    Contacts,
    /// Contacts with walls.
    Walls,
    /// Reduction, and the correction in the same pass; with several threads also the time in which the first thread
    /// waits for the others.
    Gather,
    /// Everything else: schedule, separate corrections, checks.
    Other,
}

impl Phase {
    /// All passes.
    pub const ALL: [Self; 6] =
        [Self::Search, Self::Predict, Self::Contacts, Self::Walls, Self::Gather, Self::Other];

    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Search => "search",
            Self::Predict => "predict",
            Self::Contacts => "contacts",
            Self::Walls => "walls",
            Self::Gather => "gather",
            Self::Other => "other",
        }
    }
}

/// Times of the passes so far.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Phases {
    clock: Option<fn() -> f64>,
    last: f64,
    sums: [f64; Phase::ALL.len()],
}

impl Phases {
    /// Starts to measure with a clock [s].
    pub(crate) fn start(&mut self, clock: fn() -> f64) {
        *self = Self { clock: Some(clock), last: clock(), sums: Default::default() };
    }

    /// Adds the time since the last call to this pass.
    #[inline]
    pub(crate) fn end(&mut self, phase: Phase) {
        if let Some(clock) = self.clock {
            let now = clock();
            self.sums[phase as usize] += now - self.last;
            self.last = now;
        }
    }

    /// Time of each pass [s].
    pub(crate) fn seconds(&self) -> [f64; Phase::ALL.len()] {
        self.sums
    }
}
