//! Asking for rows of results and history before they are written.

use super::rows::Row;
use crate::simd::prefetch_to_write;

/// How far ahead rows are asked for.
const ROWS_AHEAD: usize = 48;

/// Places of rows that will be written.
#[derive(Debug, Clone, Copy)]
pub(super) struct WriteAhead {
    /// The first row of results, and of the first column of history.
    pub results: *const Row,
    pub history: *const f64,
    /// Rows of a column, and how many columns there are.
    pub length: usize,
    pub columns: usize,
}

impl WriteAhead {
    /// Asks for some rows that come after `row`: for as many as candidates are tested at once, of
    /// which some two thirds will be written.
    #[inline(always)]
    pub(super) fn prefetch(&self, row: usize, count: usize) {
        let row = row + ROWS_AHEAD;
        for next in row..row + count {
            prefetch_to_write(self.results.wrapping_add(next));
        }
        for column in 0..self.columns {
            prefetch_to_write(self.history.wrapping_add(column * self.length + row));
        }
    }
}
