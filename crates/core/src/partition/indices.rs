//! Indices of contacts in the columns of history and in the buffer of results.

use crate::chunk::WIDTH;

/// The first index in use; the elements before it are zero.
pub(crate) const FIRST_INDEX: usize = WIDTH;

/// Pairs that the contact filter tests at once.
pub(crate) const FILTER_BLOCK: usize = 8;

/// Pairs tested before chunks are evaluated. Measured: tests that end as soon as a chunk is full cost 6 % of a step,
/// because the processor cannot predict their end; 256 pairs avoid half of that.
///
/// Small in debug builds, so that the ring buffers of tests are short.
pub(crate) const FILTERED: usize = if cfg!(debug_assertions) { 64 } else { 1024 };

// chunks begin at whole blocks
const _: () = assert!(FILTERED.is_multiple_of(WIDTH) && WIDTH.is_multiple_of(FILTER_BLOCK));

/// Largest number of contacts waiting for evaluation: less than a chunk from before, and all pairs that are tested.
pub(crate) const MOST_WAITING: usize = WIDTH + FILTERED;

/// Numbers of elements needed in addition to the zeros.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct BufferLengths {
    pub history: usize,
    pub results: usize,
}

/// Indices of the next contact: of its history, and of its result, which is in a ring buffer.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct OutputIndex {
    pub history: usize,
    pub result: usize,
    /// End of the ring buffer, and its length.
    pub limit: usize,
    pub ring: usize,
}

impl OutputIndex {
    /// Index of the result that is this number of contacts later.
    #[inline(always)]
    pub(crate) fn result_after(&self, contacts: usize) -> usize {
        let index = self.result + contacts;
        if index < self.limit { index } else { index - self.ring }
    }

    /// Advances by this number of contacts.
    pub(crate) fn advance(&mut self, contacts: usize) {
        (self.history, self.result) = (self.history + contacts, self.result_after(contacts));
    }
}
