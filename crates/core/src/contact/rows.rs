//! Storage for what contacts give and remember, by row. Row 0 is all zeros: a candidate that does
//! not touch has row 0, so nothing is ever cleared and sums need no branch.

use super::evaluate::{store_results, store_second_rows};
use super::{HistoryLayout, Scratch};
use crate::law::WIDTH;
use crate::parallel::Shares;

/// Result of one contact: force on the first partner, its lever, n × tangential force, the second
/// partner's lever.
pub(crate) type Row = [f64; 8];

/// Couple on the first partner, then losses to damping, sliding and rolling, then energy in normal
/// and tangential springs.
pub(crate) type SecondRow = [f64; 8];

/// The first row in use; those before are zeros.
pub(crate) const FIRST_ROW: usize = WIDTH;

/// Columns of equal length in one allocation, so that parts can share them without a list.
#[derive(Debug, Clone, Default)]
pub(crate) struct Columns {
    pub values: Vec<f64>,
    pub length: usize,
    width: usize,
}

impl Columns {
    fn new(width: usize) -> Self {
        Self { values: Vec::new(), length: 0, width }
    }

    /// One column.
    #[inline]
    pub(crate) fn column(&self, index: usize) -> &[f64] {
        &self.values[index * self.length..(index + 1) * self.length]
    }

    /// The values of one row.
    pub(crate) fn row(&self, row: usize) -> impl Iterator<Item = f64> + '_ {
        (0..self.width).map(move |column| self.values[column * self.length + row])
    }

    pub(crate) fn set_row(&mut self, row: usize, values: &[f64]) {
        for (column, value) in values.iter().enumerate().take(self.width) {
            self.values[column * self.length + row] = *value;
        }
    }

    fn grow(&mut self, length: usize) {
        if length <= self.length {
            return;
        }
        let mut values = vec![0.0; self.width * length];
        for column in 0..self.width {
            values[column * length..column * length + self.length]
                .copy_from_slice(self.column(column));
        }
        self.values = values;
        self.length = length;
    }
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Rows {
    pub results: Vec<Row>,
    pub second: Vec<SecondRow>,
    /// History columns of the accepted state.
    pub accepted: Columns,
    /// History columns of the last evaluation.
    pub trial: Columns,
}

impl Rows {
    pub(crate) fn new(layout: &HistoryLayout) -> Self {
        let columns = Columns::new(layout.width);
        let mut rows = Self { accepted: columns.clone(), trial: columns, ..Self::default() };
        rows.reserve(0, true);
        rows
    }

    /// Makes room for this many contacts beyond row 0, and for the last chunk of each part. Grows
    /// by more than is asked, since a bed that settles asks for a little more again and again.
    pub(crate) fn reserve(&mut self, contacts: usize, second_row: bool) {
        let needed = FIRST_ROW + contacts;
        let with_room = needed + needed / 8;
        if self.results.len() < needed {
            self.results.resize(with_room, [0.0; 8]);
            self.accepted.grow(with_room);
            self.trial.grow(with_room);
        }
        if second_row && self.second.len() < self.results.len() {
            self.second.resize(self.results.len(), [0.0; 8]);
        }
    }

    pub(crate) fn commit(&mut self) {
        std::mem::swap(&mut self.accepted, &mut self.trial);
    }

    /// Bytes in use.
    pub(crate) fn bytes(&self) -> usize {
        8 * (self.accepted.values.len() + self.trial.values.len())
            + 64 * (self.results.len() + self.second.len())
    }
}

/// Where the parts of an evaluation write; each part has its own range of rows.
#[derive(Debug)]
pub(crate) struct RowShares<'a> {
    results: Shares<'a, Row>,
    second: Shares<'a, SecondRow>,
    trial: Shares<'a, f64>,
    length: usize,
    second_row: bool,
}

impl<'a> RowShares<'a> {
    /// The accepted columns to read, and the shares to write.
    pub(crate) fn new(rows: &'a mut Rows, second_row: bool) -> (&'a Columns, Self) {
        let shares = Self {
            length: rows.trial.length,
            results: Shares::new(&mut rows.results),
            second: Shares::new(&mut rows.second),
            trial: Shares::new(&mut rows.trial.values),
            second_row,
        };
        (&rows.accepted, shares)
    }

    /// Writes the results and the trial history of a chunk, starting at a row.
    ///
    /// # Safety
    /// The `WIDTH` rows from `row` on belong to the calling part alone.
    pub(crate) unsafe fn store(&self, row: usize, scratch: &Scratch) {
        let range = row..row + WIDTH;
        // SAFETY: the caller's promise.
        store_results(&scratch.contacts, &scratch.forces, unsafe {
            self.results.piece(range.clone())
        });
        if self.second_row {
            // SAFETY: the caller's promise.
            store_second_rows(&scratch.forces, unsafe { self.second.piece(range.clone()) });
        }
        for (index, column) in scratch.new.iter().enumerate() {
            let start = index * self.length + row;
            // SAFETY: the caller's promise, for each column.
            unsafe { self.trial.piece(start..start + WIDTH) }.copy_from_slice(column);
        }
    }
}
