//! Contacts that have been found to touch and wait for their evaluation.

use crate::kernel::filter::BLOCK;
use crate::law::WIDTH;

/// Candidates tested before chunks are evaluated. Measured: tests that end as soon as a chunk is full
/// cost 6 % of a step, since no processor can foresee their end; 256 are enough for half of that.
///
/// Where assertions are on they are few, so that rings of rows can be short.
pub(crate) const SCANNED: usize = if cfg!(debug_assertions) { 64 } else { 1024 };

// chunks begin on whole blocks
const _: () = assert!(SCANNED.is_multiple_of(WIDTH) && WIDTH.is_multiple_of(BLOCK));

/// Contacts that can wait for evaluation: less than a chunk from before, and all that are tested.
pub(crate) const ROOM: usize = WIDTH + SCANNED;

/// Contacts waiting for evaluation: slots of the partners and row of the accepted state. Room for
/// a block more, since a block is kept whole.
#[derive(Debug)]
pub(crate) struct CompactedPairs {
    pub first: [u32; ROOM + BLOCK],
    pub second: [u32; ROOM + BLOCK],
    pub old_row: [u32; ROOM + BLOCK],
    pub count: usize,
}

/// The partners and old rows of a chunk.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CompactedChunk<'a> {
    pub slots: [&'a [u32; WIDTH]; 2],
    pub old_rows: &'a [u32; WIDTH],
}

impl CompactedPairs {
    pub(crate) const EMPTY: Self = Self {
        first: [0; ROOM + BLOCK],
        second: [0; ROOM + BLOCK],
        old_row: [0; ROOM + BLOCK],
        count: 0,
    };

    /// One of the chunks.
    pub(crate) fn chunk(&self, index: usize) -> CompactedChunk<'_> {
        CompactedChunk {
            slots: [&self.first.as_chunks().0[index], &self.second.as_chunks().0[index]],
            old_rows: &self.old_row.as_chunks().0[index],
        }
    }

    /// Takes the chunks that are full away.
    pub(crate) fn take_full(&mut self) {
        let full = self.count / WIDTH;
        if full > 0 {
            for column in [&mut self.first, &mut self.second, &mut self.old_row] {
                let rest: [u32; WIDTH] = column.as_chunks().0[full];
                column[..WIDTH].copy_from_slice(&rest);
            }
            self.count -= full * WIDTH;
        }
    }

    /// Fills the lanes of an incomplete chunk with copies of its last contact.
    pub(crate) fn fill_up(&mut self) {
        for column in [&mut self.first, &mut self.second, &mut self.old_row] {
            let last = column[self.count - 1];
            column[self.count..WIDTH].fill(last);
        }
    }
}
