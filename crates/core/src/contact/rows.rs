//! Storage for what contacts give and remember, by row. Row 0 is all zeros: a candidate that does
//! not touch has row 0, so nothing is ever cleared and sums need no branch.

use super::evaluate::{store_books, store_couples, store_results};
use super::{HistoryLayout, Scratch};
use crate::law::WIDTH;
use crate::parallel::Shares;

/// Result of one contact: force on the first partner, its lever, n × tangential force, the second
/// partner's lever.
pub(crate) type Row = [f64; 8];

/// Couple on the first partner.
pub(crate) type Couple = [f64; 3];

/// Powers against damping, tangential force and couple [W], the loss of cohesion within the step [J],
/// then energies in normal, tangential and rolling springs and in the cohesion [J].
pub(crate) type Books = [f64; 8];

/// Place in [`Books`] of the loss of cohesion, which is an energy already.
pub(crate) const COHESION_LOSS: usize = 3;

/// Place in [`Books`] of the first energy that is stored.
pub(crate) const FIRST_STORED: usize = 4;

/// Works so far: against damping, tangential forces and couples, the loss of cohesion, and the work
/// of fields without a potential [J].
pub(crate) type Works = [f64; 5];

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

/// What contacts give beside their results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Extras {
    pub couples: bool,
    pub books: bool,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Rows {
    pub results: Vec<Row>,
    /// Couples, where a law gives any.
    pub couples: Vec<Couple>,
    /// Books, where a ledger is kept.
    pub books: Vec<Books>,
    /// History columns of the accepted state.
    pub accepted: Columns,
    /// History columns of the last evaluation.
    pub trial: Columns,
}

impl Rows {
    pub(crate) fn new(layout: &HistoryLayout) -> Self {
        let columns = Columns::new(layout.width);
        let mut rows = Self { accepted: columns.clone(), trial: columns, ..Self::default() };
        rows.reserve(0, Extras { couples: true, books: true });
        rows
    }

    /// Makes room for this many contacts beyond row 0, and for the last chunk of each part. Grows
    /// by more than is asked, since a bed that settles asks for a little more again and again.
    pub(crate) fn reserve(&mut self, contacts: usize, extras: Extras) {
        let needed = FIRST_ROW + contacts;
        let with_room = needed + needed / 8;
        if self.results.len() < needed {
            self.results.resize(with_room, [0.0; 8]);
            self.accepted.grow(with_room);
            self.trial.grow(with_room);
        }
        if extras.couples && self.couples.len() < self.results.len() {
            self.couples.resize(self.results.len(), [0.0; 3]);
        }
        if extras.books && self.books.len() < self.results.len() {
            self.books.resize(self.results.len(), Books::default());
        }
    }

    pub(crate) fn commit(&mut self) {
        std::mem::swap(&mut self.accepted, &mut self.trial);
    }

    /// Bytes in use.
    pub(crate) fn bytes(&self) -> usize {
        8 * (self.accepted.values.len() + self.trial.values.len())
            + 64 * self.results.len()
            + 24 * self.couples.len()
            + size_of::<Books>() * self.books.len()
    }
}

/// Where the parts of an evaluation write; each part has its own range of rows.
#[derive(Debug)]
pub(crate) struct RowShares<'a> {
    results: Shares<'a, Row>,
    couples: Shares<'a, Couple>,
    books: Shares<'a, Books>,
    trial: Shares<'a, f64>,
    length: usize,
    extras: Extras,
}

impl<'a> RowShares<'a> {
    /// The accepted columns to read, and the shares to write.
    pub(crate) fn new(rows: &'a mut Rows, extras: Extras) -> (&'a Columns, Self) {
        let shares = Self {
            length: rows.trial.length,
            results: Shares::new(&mut rows.results),
            couples: Shares::new(&mut rows.couples),
            books: Shares::new(&mut rows.books),
            trial: Shares::new(&mut rows.trial.values),
            extras,
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
        if self.extras.couples {
            // SAFETY: the caller's promise.
            store_couples(&scratch.forces, unsafe { self.couples.piece(range.clone()) });
        }
        if self.extras.books {
            // SAFETY: the caller's promise.
            store_books(&scratch.forces, unsafe { self.books.piece(range) });
        }
        for (index, column) in scratch.new.iter().enumerate() {
            let start = index * self.length + row;
            // SAFETY: the caller's promise, for each column.
            unsafe { self.trial.piece(start..start + WIDTH) }.copy_from_slice(column);
        }
    }
}
