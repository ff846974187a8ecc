//! Records: a few numbers of one contact, stored as columns between the loops of an evaluation and from
//! one time step to the next.

use super::Column;

/// Columns that can be read lane by lane: temporaries, history in place, or a slice of columns.
pub trait ReadColumns {
    /// The value of lane `c` in the column `index`.
    fn get(&self, index: usize, c: usize) -> f64;
}

/// Columns that can be written lane by lane.
pub trait WriteColumns {
    /// Sets the value of lane `c` in the column `index`.
    fn set(&mut self, index: usize, c: usize, value: f64);
}

impl ReadColumns for [Column] {
    #[inline(always)]
    fn get(&self, index: usize, c: usize) -> f64 {
        self[index][c]
    }
}

impl<const N: usize> ReadColumns for [Column; N] {
    #[inline(always)]
    fn get(&self, index: usize, c: usize) -> f64 {
        self[index][c]
    }
}

impl<const N: usize> ReadColumns for [&Column; N] {
    #[inline(always)]
    fn get(&self, index: usize, c: usize) -> f64 {
        self[index][c]
    }
}

impl WriteColumns for [Column] {
    #[inline(always)]
    fn set(&mut self, index: usize, c: usize, value: f64) {
        self[index][c] = value;
    }
}

impl<const N: usize> WriteColumns for [Column; N] {
    #[inline(always)]
    fn set(&mut self, index: usize, c: usize, value: f64) {
        self[index][c] = value;
    }
}

impl<const N: usize> WriteColumns for [&mut Column; N] {
    #[inline(always)]
    fn set(&mut self, index: usize, c: usize, value: f64) {
        self[index][c] = value;
    }
}

/// A few numbers of one contact in a fixed order of columns. [`record!`](crate::record) implements it for a struct.
pub trait Record: Copy {
    /// Number of columns.
    const COUNT: usize;

    /// Reads lane `c` from the columns that begin at `first`.
    fn load(columns: &(impl ReadColumns + ?Sized), first: usize, c: usize) -> Self;

    /// Writes lane `c` to the columns that begin at `first`.
    fn store(self, columns: &mut (impl WriteColumns + ?Sized), first: usize, c: usize);
}

impl Record for () {
    const COUNT: usize = 0;

    #[inline(always)]
    fn load(_: &(impl ReadColumns + ?Sized), _: usize, _: usize) {}

    #[inline(always)]
    fn store(self, _: &mut (impl WriteColumns + ?Sized), _: usize, _: usize) {}
}

impl Record for f64 {
    const COUNT: usize = 1;

    #[inline(always)]
    fn load(columns: &(impl ReadColumns + ?Sized), first: usize, c: usize) -> Self {
        columns.get(first, c)
    }

    #[inline(always)]
    fn store(self, columns: &mut (impl WriteColumns + ?Sized), first: usize, c: usize) {
        columns.set(first, c, self);
    }
}

impl<const N: usize> Record for [f64; N] {
    const COUNT: usize = N;

    #[inline(always)]
    fn load(columns: &(impl ReadColumns + ?Sized), first: usize, c: usize) -> Self {
        let mut values = [0.0; N];
        for (index, value) in values.iter_mut().enumerate() {
            *value = columns.get(first + index, c);
        }
        values
    }

    #[inline(always)]
    fn store(self, columns: &mut (impl WriteColumns + ?Sized), first: usize, c: usize) {
        for (index, value) in self.into_iter().enumerate() {
            columns.set(first + index, c, value);
        }
    }
}

/// Declares a struct of `f64` and `[f64; N]` and implements [`Record`](crate::law::Record) for it.
///
/// ```
/// use esker::law::{ReadColumns, Record, WIDTH, WriteColumns};
///
/// esker::record! {
///     /// Values that a law passes from its trial force to its return map.
///     struct Trial {
///         force: [f64; 3],
///         limit: f64,
///     }
/// }
///
/// let mut columns = [[0.0; WIDTH]; Trial::COUNT];
/// Trial { force: [1.0, 2.0, 3.0], limit: 4.0 }.store(&mut columns, 0, 7); // lane 7
/// assert_eq!(columns.get(3, 7), 4.0);
/// columns.set(3, 7, 5.0);
/// assert_eq!(Trial::load(&columns, 0, 7).limit, 5.0);
/// ```
#[macro_export]
macro_rules! record {
    ($(#[$meta:meta])* $visibility:vis struct $name:ident {
        $($(#[$field_meta:meta])* $field_visibility:vis $field:ident: $kind:ty),* $(,)?
    }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy)]
        $visibility struct $name { $($(#[$field_meta])* $field_visibility $field: $kind,)* }

        impl $crate::for_macros::Record for $name {
            const COUNT: usize = 0 $(+ <$kind as $crate::for_macros::Record>::COUNT)*;

            #[inline(always)]
            #[allow(unused_assignments, reason = "no field follows the last one")]
            fn load(
                columns: &(impl $crate::for_macros::ReadColumns + ?Sized),
                first: usize,
                c: usize,
            ) -> Self {
                let mut next = first;
                $(
                    let $field = <$kind as $crate::for_macros::Record>::load(columns, next, c);
                    next += <$kind as $crate::for_macros::Record>::COUNT;
                )*
                Self { $($field),* }
            }

            #[inline(always)]
            #[allow(unused_assignments, reason = "no field follows the last one")]
            fn store(
                self,
                columns: &mut (impl $crate::for_macros::WriteColumns + ?Sized),
                first: usize,
                c: usize,
            ) {
                let mut next = first;
                $(
                    $crate::for_macros::Record::store(self.$field, columns, next, c);
                    next += <$kind as $crate::for_macros::Record>::COUNT;
                )*
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::WIDTH;

    crate::record! {
        struct Mixed {
            number: f64,
            vector: [f64; 3],
            pair: [f64; 2],
        }
    }

    #[test]
    fn a_record_uses_one_column_for_each_number_in_the_order_of_its_fields() {
        let mut columns = [[0.0; WIDTH]; 8];
        let written = Mixed { number: 1.0, vector: [2.0, 3.0, 4.0], pair: [5.0, 6.0] };
        written.store(&mut columns, 1, 7);
        assert_eq!(Mixed::COUNT, 6);
        assert_eq!(columns.map(|column| column[7]), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 0.0]);
        assert!(columns.iter().flatten().filter(|value| **value != 0.0).count() == 6);
        let read = Mixed::load(&columns, 1, 7);
        assert_eq!((read.number, read.vector, read.pair), (1.0, [2.0, 3.0, 4.0], [5.0, 6.0]));
    }
}
