//! The threads and their scratch memory.

use super::wall_loads::Sums;
use crate::contact_state::history::HistoryLayout;
use crate::kernel::evaluate::{Extremes, Scratch};
use crate::parallel::Pool;
use crate::phases::Phases;

/// The threads and their scratch memory, allocated once.
#[derive(Debug)]
pub(crate) struct Workers {
    pub(super) pool: Pool,
    /// Scratch memory of each thread.
    pub(super) scratch: Vec<Scratch>,
    pub(super) wall_sums: Vec<Sums>,
    pub(super) phases: Phases,
}

impl Workers {
    pub(crate) fn new(threads: usize, layout: &HistoryLayout) -> Self {
        let pool = Pool::new(threads);
        let scratch = (0..pool.threads()).map(|_| Scratch::new(layout)).collect();
        Self { pool, scratch, wall_sums: Vec::new(), phases: Phases::default() }
    }

    /// Resets the largest overlap and stiffness of an evaluation.
    pub(super) fn reset_extremes(&mut self) {
        self.scratch.iter_mut().for_each(|scratch| scratch.extremes = Extremes::NONE);
    }

    /// Largest overlap in the last evaluation as a fraction of the smaller radius.
    pub(super) fn worst_overlap(&self) -> f64 {
        self.scratch.iter().map(|scratch| scratch.extremes.overlap_fraction()).fold(0.0, f64::max)
    }

    /// Largest k/m* of a contact in the last evaluation [1/s²].
    pub(super) fn largest_rate(&self) -> f64 {
        self.scratch.iter().map(|scratch| scratch.extremes.rate()).fold(0.0, f64::max)
    }
}
