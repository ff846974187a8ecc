//! The columns of a history as a type, so that a law cannot read columns that it has not declared.

use super::Record;
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
