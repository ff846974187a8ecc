//! History of a contact: the numbers that its laws store from one accepted state to the next. Its
//! columns follow from a type, so that a law cannot read columns that it has not declared.

use super::{Column, ReadColumns, Record, WIDTH};
use std::marker::PhantomData;

/// One field of a history record: its name, and one column for a number or three for a vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HistoryField {
    /// The name of the field in the source.
    pub identifier: &'static str,
    /// Number of columns; three for a vector in the tangent plane.
    pub width: usize,
}

impl HistoryField {
    /// The name in checkpoints: that of the field with spaces.
    pub fn name(&self) -> String {
        self.identifier.replace('_', " ")
    }

    /// True if it is a vector, which follows the rotation of the tangent plane.
    pub fn is_vector(&self) -> bool {
        self.width == 3
    }
}

/// A quantity that can be a field of a history: a number, or a vector in the tangent plane.
pub trait HistoryValue: Record {
    /// Applies `rotate` to a vector; a number is unchanged.
    fn transported(self, rotate: &impl Fn([f64; 3]) -> [f64; 3]) -> Self;

    /// A number, or NaN instead of a vector.
    fn without_vectors(self) -> Self;
}

impl HistoryValue for f64 {
    #[inline(always)]
    fn transported(self, _: &impl Fn([f64; 3]) -> [f64; 3]) -> Self {
        self
    }

    #[inline(always)]
    fn without_vectors(self) -> Self {
        self
    }
}

impl HistoryValue for [f64; 3] {
    #[inline(always)]
    fn transported(self, rotate: &impl Fn([f64; 3]) -> [f64; 3]) -> Self {
        rotate(self)
    }

    #[inline(always)]
    fn without_vectors(self) -> Self {
        [f64::NAN; 3]
    }
}

/// The columns that a law stores: nothing, a record, or records of which some are [`Optional`].
pub trait HistoryShape: 'static {
    /// The optional records that are stored.
    type Presence: Copy + Default;

    /// Appends its fields in the order of the columns.
    fn append_fields(presence: Self::Presence, fields: &mut Vec<HistoryField>);

    /// Number of columns.
    fn width(presence: Self::Presence) -> usize;
}

/// A history that is one record. [`history!`](crate::history) implements it for a struct.
pub trait HistoryRecord: HistoryValue + HistoryShape<Presence = ()> {}

impl HistoryValue for () {
    #[inline(always)]
    fn transported(self, _: &impl Fn([f64; 3]) -> [f64; 3]) {}

    #[inline(always)]
    fn without_vectors(self) {}
}

impl HistoryShape for () {
    type Presence = ();

    fn append_fields((): (), _: &mut Vec<HistoryField>) {}

    fn width((): ()) -> usize {
        0
    }
}

impl HistoryRecord for () {}

/// A record that a law stores only with some of its options.
#[derive(Debug)]
pub struct Optional<H>(PhantomData<H>);

impl<H: HistoryRecord> HistoryShape for Optional<H> {
    type Presence = bool;

    fn append_fields(presence: bool, fields: &mut Vec<HistoryField>) {
        if presence {
            H::append_fields((), fields);
        }
    }

    fn width(presence: bool) -> usize {
        if presence { H::COUNT } else { 0 }
    }
}

impl<A: HistoryShape, B: HistoryShape> HistoryShape for (A, B) {
    type Presence = (A::Presence, B::Presence);

    fn append_fields((first, second): Self::Presence, fields: &mut Vec<HistoryField>) {
        A::append_fields(first, fields);
        B::append_fields(second, fields);
    }

    fn width((first, second): Self::Presence) -> usize {
        A::width(first) + B::width(second)
    }
}

/// Declares a struct of `f64` and `[f64; 3]` as the history of a law. A vector lies in the tangent
/// plane and is transported with it. Checkpoints name a column by its field.
///
/// ```
/// use esker::law::{HistoryField, HistoryRecord, HistoryShape, HistoryValue};
///
/// esker::history! {
///     /// What a spring with friction stores.
///     struct Spring {
///         spring: [f64; 3],
///         excess: f64,
///     }
/// }
///
/// fn fields<H: HistoryRecord>() -> Vec<HistoryField> {
///     let mut fields = Vec::new();
///     <H as HistoryShape>::append_fields((), &mut fields);
///     fields
/// }
/// assert_eq!(fields::<Spring>().iter().map(|field| field.width).sum::<usize>(), 4);
///
/// // the engine transports vectors with the tangent plane
/// let stored = Spring { spring: [1.0, 0.0, 0.0], excess: 2.0 };
/// let rotated = stored.transported(&|[x, y, z]| [-y, x, z]);
/// assert_eq!((rotated.spring, rotated.excess), ([0.0, 1.0, 0.0], 2.0));
/// ```
#[macro_export]
macro_rules! history {
    ($(#[$meta:meta])* $visibility:vis struct $name:ident {
        $($(#[$field_meta:meta])* $field_visibility:vis $field:ident: $kind:ty),* $(,)?
    }) => {
        $crate::record! {
            $(#[$meta])*
            #[derive(Default)]
            $visibility struct $name { $($(#[$field_meta])* $field_visibility $field: $kind),* }
        }

        impl $crate::for_macros::HistoryValue for $name {
            #[inline(always)]
            fn transported(self, rotate: &impl Fn([f64; 3]) -> [f64; 3]) -> Self {
                Self { $($field: $crate::for_macros::HistoryValue::transported(self.$field, rotate)),* }
            }

            #[inline(always)]
            fn without_vectors(self) -> Self {
                Self { $($field: $crate::for_macros::HistoryValue::without_vectors(self.$field)),* }
            }
        }

        impl $crate::for_macros::HistoryShape for $name {
            type Presence = ();

            fn append_fields((): (), fields: &mut Vec<$crate::for_macros::HistoryField>) {
                $(fields.push($crate::for_macros::HistoryField {
                    identifier: stringify!($field),
                    width: <$kind as $crate::for_macros::Record>::COUNT,
                });)*
            }

            fn width((): ()) -> usize {
                <Self as $crate::for_macros::Record>::COUNT
            }
        }

        impl $crate::for_macros::HistoryRecord for $name {}
    };
}

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
mod tests {
    use super::*;

    crate::history! {
        struct Spring {
            spring: [f64; 3],
            friction_excess: f64,
        }
    }

    crate::history! {
        struct Sliding {
            sliding_displacement: [f64; 3],
        }
    }

    type Both = (Spring, Optional<Sliding>);

    #[test]
    fn columns_are_named_after_the_fields_and_optional_ones_are_left_out() {
        let names = |presence| {
            let mut fields = Vec::new();
            Both::append_fields(((), presence), &mut fields);
            let width: usize = fields.iter().map(|field| field.width).sum();
            assert_eq!(Both::width(((), presence)), width);
            fields.iter().map(HistoryField::name).collect::<Vec<_>>()
        };
        assert_eq!(names(false), ["spring", "friction excess"]);
        assert_eq!(names(true), ["spring", "friction excess", "sliding displacement"]);
    }

    #[test]
    fn only_vectors_are_transported() {
        let reverse = |v: [f64; 3]| v.map(|value| -value);
        let spring = Spring { spring: [1.0, 2.0, 3.0], friction_excess: 4.0 };
        let rotated = spring.transported(&reverse);
        assert_eq!((rotated.spring, rotated.friction_excess), ([-1.0, -2.0, -3.0], 4.0));
        let numbers = spring.without_vectors();
        assert!(numbers.spring.iter().all(|value| value.is_nan()));
        assert_eq!(numbers.friction_excess, 4.0);
    }

    #[test]
    fn the_parts_of_a_history_have_columns_of_their_own() {
        let old = [[1.0; WIDTH], [2.0; WIDTH], [3.0; WIDTH], [4.0; WIDTH], [5.0; WIDTH]];
        let old: Vec<Column> = old.into_iter().chain([[6.0; WIDTH], [7.0; WIDTH]]).collect();
        let mut new = vec![[0.0; WIDTH]; 7];
        let untyped = UntypedHistory { old: &old, new: &mut new, stored: StoredHistory::NONE };
        let (mut spring, sliding) = untyped.typed::<Both>(((), true)).split();
        let mut sliding = sliding.present().expect("it is there");
        assert_eq!(sliding.old(3).sliding_displacement, [5.0, 6.0, 7.0]);
        spring.set(3, spring.old(3));
        sliding.set(3, sliding.old(3));
        for (index, column) in new.iter().enumerate() {
            assert_eq!(column[3], index as f64 + 1.0);
            assert_eq!(column.iter().filter(|value| **value != 0.0).count(), 1);
        }
    }
}
