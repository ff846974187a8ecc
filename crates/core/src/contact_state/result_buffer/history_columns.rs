//! Columns of the history of contacts, by index of a contact.

use crate::aligned_vec::{AlignedVec, LINE};
use crate::chunk::{Column, WIDTH};

/// Columns of equal length in one allocation, so that threads can share them without a list of
/// columns. Each begins at a cache line.
#[derive(Debug, Default)]
pub(crate) struct HistoryColumns {
    pub(super) values: AlignedVec,
    pub length: usize,
    pub(super) width: usize,
}

impl HistoryColumns {
    pub(super) fn new(width: usize) -> Self {
        Self { values: AlignedVec::default(), length: 0, width }
    }

    /// One column.
    #[inline]
    pub(crate) fn column(&self, index: usize) -> &[f64] {
        &self.values[index * self.length..(index + 1) * self.length]
    }

    /// The values of one contact.
    pub(crate) fn of_contact(&self, history_index: usize) -> impl Iterator<Item = f64> + '_ {
        (0..self.width).map(move |column| self.values[column * self.length + history_index])
    }

    pub(crate) fn set_history(&mut self, history_index: usize, values: &[f64]) {
        for (column, value) in values.iter().enumerate().take(self.width) {
            self.values[column * self.length + history_index] = *value;
        }
    }

    /// Loads the history of a chunk of contacts.
    pub(crate) fn fetch(&self, indices: &[u32], columns: &mut [Column]) {
        let first = in_sequence(indices);
        for (index, column) in columns.iter_mut().enumerate() {
            match first.and_then(|first| self.column(index)[first..].first_chunk()) {
                Some(stored) => *column = *stored,
                None => self.collect(index, indices, column),
            }
        }
    }

    /// The first `count` columns of the history of a chunk of contacts, then zeros; zeros also for
    /// columns that are not read. Consecutive indices, the usual case, are read in place; others are
    /// copied to `scratch`.
    #[inline(always)]
    pub(crate) fn look_up<'a, const COUNT: usize>(
        &'a self,
        indices: &[u32; WIDTH],
        count: usize,
        is_read: impl Fn(usize) -> bool,
        scratch: &'a mut [Column],
    ) -> [&'a Column; COUNT] {
        let mut found = [&NOTHING; COUNT];
        if let Some(first) = in_sequence(indices)
            && first + WIDTH <= self.length
        {
            for (index, column) in found.iter_mut().enumerate().take(count) {
                if is_read(index) {
                    *column = self.column(index)[first..].first_chunk().unwrap_or(&NOTHING);
                }
            }
        } else {
            self.collect_all(indices, &mut scratch[..count]);
            for (column, copy) in found.iter_mut().zip(&scratch[..count]) {
                *column = copy;
            }
        }
        found
    }

    #[inline(never)]
    fn collect_all(&self, indices: &[u32; WIDTH], columns: &mut [Column]) {
        for (index, column) in columns.iter_mut().enumerate() {
            self.collect(index, indices, column);
        }
    }

    fn collect(&self, index: usize, indices: &[u32], column: &mut Column) {
        let stored = self.column(index);
        for (value, index) in column.iter_mut().zip(indices) {
            *value = stored[*index as usize];
        }
    }

    pub(super) fn grow(&mut self, length: usize) {
        if length <= self.length {
            return;
        }
        // an odd number of lines: columns must not compete for the same sets of a cache
        let length = (length.div_ceil(LINE) | 1) * LINE;
        let mut values = AlignedVec::zeros(self.width * length);
        for index in 0..self.width {
            // zeros at the end are there already, and need no memory before they are written
            let column = self.column(index);
            let used = column.iter().rposition(|value| *value != 0.0).map_or(0, |last| last + 1);
            values[index * length..index * length + used].copy_from_slice(&column[..used]);
        }
        self.values = values;
        self.length = length;
    }
}

/// For columns that are not read.
static NOTHING: Column = [0.0; WIDTH];

/// The first of the indices of a chunk, if they follow each other.
#[inline]
fn in_sequence(indices: &[u32]) -> Option<usize> {
    let indices = &indices[..WIDTH];
    let first = indices[0];
    let mut mismatch = 0;
    for (lane, index) in indices.iter().enumerate() {
        mismatch |= index ^ (first + lane as u32);
    }
    (mismatch == 0).then_some(first as usize)
}
