//! History of a chunk of contacts: the numbers that its laws store from one accepted state to the next.

use super::history_shape::{HistoryRecord, HistoryShape, Optional};
use super::{Column, ReadColumns, Record, WIDTH};
use std::marker::PhantomData;

/// History of a chunk of contacts under one law: the accepted state, transported to the current tangent plane, and the
/// trial state.
#[derive(Debug)]
pub struct History<'a, H: HistoryShape> {
    old: &'a [Column],
    new: &'a mut [Column],
    stored: StoredHistory<'a>,
    presence: H::Presence,
}

impl<'a, H: HistoryShape> History<'a, H> {
    /// Numbers that the law stores outside its columns, in the accepted state.
    pub fn stored(&self) -> StoredHistory<'a> {
        self.stored
    }
}

impl<'a, H: HistoryRecord> History<'a, H> {
    /// Lane `c` of the accepted state.
    #[inline(always)]
    pub fn old(&self, c: usize) -> H {
        H::load(self.old, 0, c)
    }

    /// Lane `c` of the trial state, after it has been set.
    #[inline(always)]
    pub fn new_value(&self, c: usize) -> H {
        H::load(&*self.new, 0, c)
    }

    /// Sets lane `c` of the trial state. A law sets every lane.
    #[inline(always)]
    pub fn set(&mut self, c: usize, value: H) {
        value.store(self.new, 0, c);
    }

    /// The same with other columns as accepted state.
    pub(crate) fn with_old(self, old: &'a [Column]) -> Self {
        assert!(old.len() == H::COUNT, "columns of another law");
        Self { old, ..self }
    }

    /// The columns of the accepted and of the trial state, [`Record::COUNT`] each.
    pub fn columns(&mut self) -> (&[Column], &mut [Column]) {
        (&self.old[..H::COUNT], &mut self.new[..H::COUNT])
    }
}

impl<'a, A: HistoryShape, B: HistoryShape> History<'a, (A, B)> {
    /// The two parts.
    pub fn split(self) -> (History<'a, A>, History<'a, B>) {
        let Self { old, new, stored, presence: (first, second) } = self;
        let (old, more_old) = old.split_at(A::width(first));
        let (new, more_new) = new.split_at_mut(A::width(first));
        (
            History { old, new, stored, presence: first },
            History { old: more_old, new: more_new, stored, presence: second },
        )
    }
}

impl<'a, H: HistoryRecord> History<'a, Optional<H>> {
    /// The record, if the law stores it.
    pub fn present(self) -> Option<History<'a, H>> {
        let Self { old, new, stored, presence } = self;
        presence.then_some(History { old, new, stored, presence: () })
    }
}

/// History of a chunk under one law in the engine: columns without a type.
#[derive(Debug)]
pub struct UntypedHistory<'a> {
    /// Accepted state, vectors transported to the current tangent plane.
    pub old: &'a [Column],
    /// Trial state.
    pub new: &'a mut [Column],
    /// Numbers that the law stores outside its columns, in the accepted state.
    pub stored: StoredHistory<'a>,
}

impl<'a> UntypedHistory<'a> {
    /// As the history of a law. Both sides of the engine derive the number of columns from the same
    /// type, so a difference is an error in the engine.
    pub(crate) fn typed<H: HistoryShape>(self, presence: H::Presence) -> History<'a, H> {
        let Self { old, new, stored } = self;
        let width = H::width(presence);
        assert!(old.len() == width && new.len() == width, "columns of another law");
        History { old, new, stored, presence }
    }
}

/// Numbers that a law stores for each contact of a chunk outside its columns.
#[derive(Debug, Clone, Copy)]
pub struct StoredHistory<'a> {
    values: &'a [f64],
    stride: usize,
    start: usize,
    width: usize,
    slots: &'a [u32; WIDTH],
}

impl<'a> StoredHistory<'a> {
    /// No stored numbers.
    pub const NONE: StoredHistory<'static> =
        StoredHistory { values: &[], stride: 0, start: 0, width: 0, slots: &[0; WIDTH] };

    /// Blocks of `stride` numbers, of which a law uses `width` from index `start`; `slots` are the blocks of the
    /// contacts.
    pub fn new(
        values: &'a [f64],
        stride: usize,
        start: usize,
        width: usize,
        slots: &'a [u32; WIDTH],
    ) -> Self {
        Self { values, stride, start, width, slots }
    }

    /// Whether a lane refers to the same block as the previous lane: lanes beyond the last contact hold copies.
    #[inline]
    pub fn repeats(&self, lane: usize) -> bool {
        lane > 0 && self.slots[lane] > 0 && self.slots[lane] == self.slots[lane - 1]
    }

    /// The numbers of one contact; all zero for a new one.
    #[inline]
    pub fn of_lane(&self, lane: usize) -> &'a [f64] {
        let first = self.slots[lane] as usize * self.stride + self.start;
        &self.values[first..first + self.width]
    }
}

/// Contacts whose evaluation has been accepted: their previous and new history, and the numbers
/// stored outside the columns, to be updated.
#[derive(Debug)]
pub struct UntypedCommit<'a> {
    /// Length of the accepted step [s].
    pub elapsed: f64,
    /// Columns of the previous accepted state; vectors are not transported.
    pub old: &'a [Column],
    /// Columns of the new accepted state.
    pub new: &'a [Column],
    /// Number of contacts; lanes beyond have arbitrary values.
    pub count: usize,
    pub(crate) stored: &'a mut [f64],
    pub(crate) stride: usize,
    pub(crate) start: usize,
    pub(crate) width: usize,
    pub(crate) slots: &'a [u32; WIDTH],
}

impl<'a> UntypedCommit<'a> {
    /// A chunk whose stored numbers are blocks of `width` in the order of the lanes.
    pub fn new(
        elapsed: f64,
        old: &'a [Column],
        new: &'a [Column],
        stored: &'a mut [f64],
        width: usize,
    ) -> Self {
        const IN_ORDER: [u32; WIDTH] = {
            let mut lanes = [0; WIDTH];
            let mut lane = 0;
            while lane < WIDTH {
                lanes[lane] = lane as u32;
                lane += 1;
            }
            lanes
        };
        let (stride, start, slots) = (width, 0, &IN_ORDER);
        Self { elapsed, old, new, count: WIDTH, stored, stride, start, width, slots }
    }
}

/// An [`UntypedCommit`] with the types of a law.
#[derive(Debug)]
pub struct Commit<'a, 'b, H> {
    commit: &'b mut UntypedCommit<'a>,
    shape: PhantomData<H>,
}

impl<'a, 'b, H> Commit<'a, 'b, H> {
    pub(crate) fn new(commit: &'b mut UntypedCommit<'a>) -> Self {
        Self { commit, shape: PhantomData }
    }

    /// Length of the accepted step [s].
    pub fn elapsed(&self) -> f64 {
        self.commit.elapsed
    }

    /// Number of contacts.
    pub fn count(&self) -> usize {
        self.commit.count
    }

    /// The numbers of one contact stored outside the columns; all zero for a new one.
    #[inline]
    pub fn stored(&mut self, lane: usize) -> &mut [f64] {
        let first = self.commit.slots[lane] as usize * self.commit.stride + self.commit.start;
        &mut self.commit.stored[first..first + self.commit.width]
    }
}

impl<H: HistoryRecord> Commit<'_, '_, H> {
    /// Lane `c` of the previous accepted state; vectors are not transported.
    pub fn old(&self, c: usize) -> H {
        load(self.commit.old, c)
    }

    /// Lane `c` of the new accepted state.
    pub fn new_value(&self, c: usize) -> H {
        load(self.commit.new, c)
    }
}

fn load<H: Record>(columns: &(impl ReadColumns + ?Sized), c: usize) -> H {
    H::load(columns, 0, c)
}

#[cfg(test)]
#[path = "history_tests.rs"]
mod tests;
