//! Prefetch of results and history before they are written.

use crate::aligned_vec::LINE;
use crate::contact_state::result_buffer::ContactResult;
use crate::law::WIDTH;
use crate::simd::prefetch_to_write;

/// Prefetch distance, in contacts.
pub(crate) const PREFETCH_DISTANCE: usize = 2 * WIDTH;

/// Addresses of results and history that will be written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ResultPrefetch {
    /// The first result, and the first element of the first column of history.
    pub results: *const ContactResult,
    pub history: *const f64,
    /// Number of results per partner, and number of partners with results.
    pub result_count: usize,
    pub partners: usize,
    /// Length of a column, and number of columns.
    pub length: usize,
    pub columns: usize,
}

impl ResultPrefetch {
    /// Prefetches the elements of the chunk after that at `history_index`; its results will have the index
    /// `result_index`.
    #[inline(always)]
    pub(crate) fn prefetch(&self, history_index: usize, result_index: usize) {
        let indices = history_index + PREFETCH_DISTANCE..history_index + PREFETCH_DISTANCE + WIDTH;
        for partner in 0..self.partners {
            for next in result_index..result_index + WIDTH {
                prefetch_to_write(self.results.wrapping_add(partner * self.result_count + next));
            }
        }
        for column in 0..self.columns {
            for next in indices.clone().step_by(LINE) {
                prefetch_to_write(self.history.wrapping_add(column * self.length + next));
            }
        }
    }
}
