//! Asking for rows of results and history before they are written.

use crate::aligned_vec::LINE;
use crate::contact_state::result_buffer::ContactResult;
use crate::law::WIDTH;
use crate::simd::prefetch_to_write;

/// How far ahead rows are asked for.
pub(crate) const PREFETCH_DISTANCE: usize = 2 * WIDTH;

/// Places of rows that will be written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ResultPrefetch {
    /// The first row of results, and of the first column of history.
    pub results: *const ContactResult,
    pub history: *const f64,
    /// Rows of results that there is room for, and how many of each contact are to be asked for.
    pub places: usize,
    pub sides: usize,
    /// Rows of a column, and how many columns there are.
    pub length: usize,
    pub columns: usize,
}

impl ResultPrefetch {
    /// Asks for the rows of a chunk that comes after the one at `row`; its results will be at `place`.
    #[inline(always)]
    pub(crate) fn prefetch(&self, row: usize, place: usize) {
        let rows = row + PREFETCH_DISTANCE..row + PREFETCH_DISTANCE + WIDTH;
        for side in 0..self.sides {
            for next in place..place + WIDTH {
                prefetch_to_write(self.results.wrapping_add(side * self.places + next));
            }
        }
        for column in 0..self.columns {
            for next in rows.clone().step_by(LINE) {
                prefetch_to_write(self.history.wrapping_add(column * self.length + next));
            }
        }
    }
}
