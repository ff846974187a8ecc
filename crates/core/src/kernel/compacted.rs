//! Compacted pairs: contacts that have passed the filter and are not yet evaluated.

use crate::chunk::WIDTH;
use crate::partition::indices::{FILTER_BLOCK, MOST_WAITING};

/// Contacts to be evaluated: slots of the partners and index of the accepted history. The capacity includes one
/// additional block, because whole blocks are written.
#[derive(Debug)]
pub(crate) struct CompactedPairs {
    pub first: [u32; MOST_WAITING + FILTER_BLOCK],
    pub second: [u32; MOST_WAITING + FILTER_BLOCK],
    pub old_index: [u32; MOST_WAITING + FILTER_BLOCK],
    pub count: usize,
}

/// The partners and the indices of the accepted history of a chunk.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CompactedChunk<'a> {
    pub slots: [&'a [u32; WIDTH]; 2],
    pub old_indices: &'a [u32; WIDTH],
}

impl CompactedPairs {
    pub(crate) const EMPTY: Self = Self {
        first: [0; MOST_WAITING + FILTER_BLOCK],
        second: [0; MOST_WAITING + FILTER_BLOCK],
        old_index: [0; MOST_WAITING + FILTER_BLOCK],
        count: 0,
    };

    /// One of the chunks.
    pub(crate) fn chunk(&self, index: usize) -> CompactedChunk<'_> {
        CompactedChunk {
            slots: [&self.first.as_chunks().0[index], &self.second.as_chunks().0[index]],
            old_indices: &self.old_index.as_chunks().0[index],
        }
    }

    /// Removes the full chunks.
    pub(crate) fn take_full(&mut self) {
        let full = self.count / WIDTH;
        if full > 0 {
            for column in [&mut self.first, &mut self.second, &mut self.old_index] {
                let rest: [u32; WIDTH] = column.as_chunks().0[full];
                column[..WIDTH].copy_from_slice(&rest);
            }
            self.count -= full * WIDTH;
        }
    }

    /// Fills the lanes of an incomplete chunk with copies of its last contact.
    pub(crate) fn fill_up(&mut self) {
        for column in [&mut self.first, &mut self.second, &mut self.old_index] {
            let last = column[self.count - 1];
            column[self.count..WIDTH].fill(last);
        }
    }
}
