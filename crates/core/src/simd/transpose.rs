//! Transposes: four or eight numbers from each of eight addresses, transposed to columns of eight and back, by the
//! instructions of each set. They move numbers without changing them.
//!
//! Functions here avoid `array::map` and similar functions, which are not compiled for the set, so that no vector
//! instructions would be used inside them.

use crate::simd::Plain;
use crate::simd::f64x4::{F64x4, PlainF64x4};
use crate::simd::f64x8::{self, F64x8, PlainF64x8};

/// The instructions of one set. A value proves that the processor supports them.
pub(crate) trait Transpose: Copy {
    /// Its register of four.
    type F64x4: F64x4;

    /// Its eight numbers.
    type F64x8: F64x8;

    /// Loads four numbers.
    fn load4(self, line: &[f64; 4]) -> Self::F64x4;

    /// Four times the same number.
    fn splat4(self, value: f64) -> Self::F64x4;

    /// Loads eight numbers.
    fn load8(self, numbers: &[f64; 8]) -> Self::F64x8;

    /// Eight times the same number.
    fn splat8(self, value: f64) -> Self::F64x8;

    /// Writes `start` plus the index of each bit that is set, in order; the following elements are undefined.
    #[inline(always)]
    fn write_indices(self, bits: u8, start: u32, to: &mut [u32; 8]) {
        f64x8::write_indices(bits, start, to);
    }

    /// Reads a 4-vector from each of eight addresses; writes its numbers as four columns.
    fn aos_to_soa<'a>(self, line: impl Fn(usize) -> &'a [f64; 4], columns: [&mut [f64; 8]; 4]);

    /// Reads three 4-vectors of each of eight particles and of their partners, and writes sixteen columns, four at a
    /// time: in the first three the differences of the first vectors, those of the partners minus those of the
    /// particles, then the fourth number of the particles; the same for the second vectors, those of the particles
    /// minus those of the partners; the third vector of the particles, then the fourth number of the first vector of
    /// the partners; the third vector of the partners, then the fourth number of their second vector.
    fn load_pairs8<'a>(
        self,
        these: impl Fn(usize) -> &'a [[f64; 4]; 4],
        others: impl Fn(usize) -> &'a [[f64; 4]; 4],
        columns: [&mut [f64; 8]; 16],
    );

    /// Writes four columns as eight consecutive 4-vectors.
    fn soa_to_aos(self, columns: [&[f64; 8]; 4], lines: &mut [[f64; 4]; 8]);

    /// Writes eight columns as eight consecutive rows of eight.
    fn transpose8x8<'a>(self, column: impl Fn(usize) -> &'a [f64; 8], rows: &mut [[f64; 8]; 8]);

    /// As `transpose8x8` twice, with other columns from the fifth on the second time.
    #[inline(always)]
    fn transpose8x8_twice<'a>(
        self,
        column: impl Fn(usize) -> &'a [f64; 8],
        other: impl Fn(usize) -> &'a [f64; 8],
        rows: &mut [[f64; 8]; 8],
        other_rows: &mut [[f64; 8]; 8],
    ) {
        self.transpose8x8(&column, rows);
        self.transpose8x8(|part| if part < 4 { column(part) } else { other(part - 4) }, other_rows);
    }
}

impl Transpose for Plain {
    type F64x4 = PlainF64x4;
    type F64x8 = PlainF64x8;

    #[inline(always)]
    fn load4(self, line: &[f64; 4]) -> PlainF64x4 {
        PlainF64x4(*line)
    }

    #[inline(always)]
    fn splat4(self, value: f64) -> PlainF64x4 {
        PlainF64x4([value; 4])
    }

    #[inline(always)]
    fn load8(self, numbers: &[f64; 8]) -> PlainF64x8 {
        PlainF64x8(*numbers)
    }

    #[inline(always)]
    fn splat8(self, value: f64) -> PlainF64x8 {
        PlainF64x8([value; 8])
    }

    #[inline(always)]
    fn aos_to_soa<'a>(self, line: impl Fn(usize) -> &'a [f64; 4], columns: [&mut [f64; 8]; 4]) {
        let [x, y, z, w] = columns;
        for index in 0..8 {
            let line = line(index);
            [x[index], y[index], z[index], w[index]] = *line;
        }
    }

    #[inline(always)]
    fn load_pairs8<'a>(
        self,
        these: impl Fn(usize) -> &'a [[f64; 4]; 4],
        others: impl Fn(usize) -> &'a [[f64; 4]; 4],
        columns: [&mut [f64; 8]; 16],
    ) {
        for index in 0..8 {
            let (own, other) = (these(index), others(index));
            for axis in 0..3 {
                columns[axis][index] = other[0][axis] - own[0][axis];
                columns[4 + axis][index] = own[1][axis] - other[1][axis];
                columns[8 + axis][index] = own[2][axis];
                columns[12 + axis][index] = other[2][axis];
            }
            columns[3][index] = own[0][3];
            columns[7][index] = own[1][3];
            columns[11][index] = other[0][3];
            columns[15][index] = other[1][3];
        }
    }

    #[inline(always)]
    fn soa_to_aos(self, columns: [&[f64; 8]; 4], lines: &mut [[f64; 4]; 8]) {
        for (index, line) in lines.iter_mut().enumerate() {
            *line = columns.map(|column| column[index]);
        }
    }

    #[inline(always)]
    fn transpose8x8<'a>(self, column: impl Fn(usize) -> &'a [f64; 8], rows: &mut [[f64; 8]; 8]) {
        for part in 0..8 {
            let column = column(part);
            for (index, row) in rows.iter_mut().enumerate() {
                row[part] = column[index];
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{Transpose, avx2, avx512};
    use crate::simd::f64x4::Avx2F64x4;
    use crate::simd::f64x8::{Avx2F64x8, Avx512F64x8};
    use crate::simd::{Avx2, Avx512};

    /// A function of the set that `self` proves.
    macro_rules! proved {
        ($call:expr) => {
            // SAFETY: `self` proves that the processor supports the instructions.
            unsafe { $call }
        };
    }

    impl Transpose for Avx2 {
        type F64x4 = Avx2F64x4;
        type F64x8 = Avx2F64x8;

        #[inline(always)]
        fn load4(self, line: &[f64; 4]) -> Avx2F64x4 {
            Avx2F64x4::load(self, line)
        }

        #[inline(always)]
        fn splat4(self, value: f64) -> Avx2F64x4 {
            Avx2F64x4::splat(self, value)
        }

        #[inline(always)]
        fn load8(self, numbers: &[f64; 8]) -> Avx2F64x8 {
            Avx2F64x8::load(self, numbers)
        }

        #[inline(always)]
        fn splat8(self, value: f64) -> Avx2F64x8 {
            Avx2F64x8::splat(self, value)
        }

        #[inline(always)]
        fn aos_to_soa<'a>(self, line: impl Fn(usize) -> &'a [f64; 4], columns: [&mut [f64; 8]; 4]) {
            proved!(avx2::aos_to_soa(line, columns));
        }

        #[inline(always)]
        fn load_pairs8<'a>(
            self,
            these: impl Fn(usize) -> &'a [[f64; 4]; 4],
            others: impl Fn(usize) -> &'a [[f64; 4]; 4],
            columns: [&mut [f64; 8]; 16],
        ) {
            proved!(avx2::load_pairs8(these, others, columns));
        }

        #[inline(always)]
        fn soa_to_aos(self, columns: [&[f64; 8]; 4], lines: &mut [[f64; 4]; 8]) {
            proved!(avx2::soa_to_aos(columns, lines));
        }

        #[inline(always)]
        fn transpose8x8<'a>(
            self,
            column: impl Fn(usize) -> &'a [f64; 8],
            rows: &mut [[f64; 8]; 8],
        ) {
            proved!(avx2::transpose8x8(column, rows));
        }
    }

    impl Transpose for Avx512 {
        type F64x4 = Avx2F64x4;
        type F64x8 = Avx512F64x8;

        #[inline(always)]
        fn load4(self, line: &[f64; 4]) -> Avx2F64x4 {
            Avx2F64x4::load(self.avx2(), line)
        }

        #[inline(always)]
        fn splat4(self, value: f64) -> Avx2F64x4 {
            Avx2F64x4::splat(self.avx2(), value)
        }

        #[inline(always)]
        fn load8(self, numbers: &[f64; 8]) -> Avx512F64x8 {
            Avx512F64x8::load(self, numbers)
        }

        #[inline(always)]
        fn splat8(self, value: f64) -> Avx512F64x8 {
            Avx512F64x8::splat(self, value)
        }

        #[inline(always)]
        fn write_indices(self, bits: u8, start: u32, to: &mut [u32; 8]) {
            Avx512F64x8::write_indices(self, bits, start, to);
        }

        #[inline(always)]
        fn aos_to_soa<'a>(self, line: impl Fn(usize) -> &'a [f64; 4], columns: [&mut [f64; 8]; 4]) {
            proved!(avx512::aos_to_soa(line, columns));
        }

        #[inline(always)]
        fn load_pairs8<'a>(
            self,
            these: impl Fn(usize) -> &'a [[f64; 4]; 4],
            others: impl Fn(usize) -> &'a [[f64; 4]; 4],
            columns: [&mut [f64; 8]; 16],
        ) {
            proved!(avx512::load_pairs8(these, others, columns));
        }

        #[inline(always)]
        fn soa_to_aos(self, columns: [&[f64; 8]; 4], lines: &mut [[f64; 4]; 8]) {
            proved!(avx512::soa_to_aos(columns, lines));
        }

        #[inline(always)]
        fn transpose8x8<'a>(
            self,
            column: impl Fn(usize) -> &'a [f64; 8],
            rows: &mut [[f64; 8]; 8],
        ) {
            proved!(avx512::transpose8x8(column, rows));
        }

        #[inline(always)]
        fn transpose8x8_twice<'a>(
            self,
            column: impl Fn(usize) -> &'a [f64; 8],
            other: impl Fn(usize) -> &'a [f64; 8],
            rows: &mut [[f64; 8]; 8],
            other_rows: &mut [[f64; 8]; 8],
        ) {
            proved!(avx512::transpose8x8_twice(column, other, rows, other_rows));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(set: impl Transpose) {
        let number = |index: usize, part: usize| (10 * index + part) as f64;
        let rows: [[f64; 8]; 8] =
            std::array::from_fn(|index| std::array::from_fn(|part| number(index, part)));
        let lines: [[f64; 4]; 8] = rows.map(|row| [row[0], row[1], row[2], row[3]]);
        let mut columns = [[0.0; 8]; 4];
        set.aos_to_soa(|index| &lines[index], columns.each_mut());
        for (part, column) in columns.iter().enumerate() {
            assert_eq!(*column, std::array::from_fn(|index| number(index, part)));
        }
        let mut back = [[0.0; 4]; 8];
        set.soa_to_aos(columns.each_ref(), &mut back);
        assert_eq!(back, lines);
        let all: [[f64; 8]; 8] =
            std::array::from_fn(|part| std::array::from_fn(|index| number(index, part)));
        let mut transposed = [[0.0; 8]; 8];
        set.transpose8x8(|part| &all[part], &mut transposed);
        assert_eq!(transposed, rows);
        let mut both = [[[0.0; 8]; 8]; 2];
        let [own, other] = &mut both;
        set.transpose8x8_twice(|part| &all[part], |part| &all[3 - part], own, other);
        assert_eq!(both[0], rows);
        let reversed = |row: [f64; 8]| [0, 1, 2, 3, 3, 2, 1, 0].map(|part: usize| row[part]);
        assert_eq!(both[1], rows.map(reversed));
    }

    #[test]
    fn every_instruction_set_transposes_vectors_to_columns_and_back() {
        check(Plain);
        #[cfg(target_arch = "x86_64")]
        {
            let (avx2, avx512) = crate::simd::available();
            avx2.into_iter().for_each(check);
            avx512.into_iter().for_each(check);
        }
    }
}
