//! Lines and columns: four or eight numbers from each of eight places, turned into columns of
//! eight and back, by the instructions of each set. They move numbers and never change one.
//!
//! Functions here avoid `array::map` and the like: those are not compiled for the set, so that
//! nothing inside them would be a single instruction.

use crate::simd::f64x4::{F64x4, PlainF64x4};
use crate::simd::f64x8::{F64x8, PlainF64x8};

/// The instructions of one set that turn lines into columns.
pub(crate) trait Transpose {
    /// Its register of four.
    type F64x4: F64x4;

    /// Its eight numbers.
    type F64x8: F64x8;

    /// Reads a line of four from each of eight places; writes its numbers as four columns.
    ///
    /// # Safety
    /// The machine has the instruction set.
    unsafe fn aos_to_soa<'a>(line: impl Fn(usize) -> &'a [f64; 4], columns: [&mut [f64; 8]; 4]);

    /// Reads three lines of four from each of eight places and of eight others, and writes sixteen
    /// columns, four at a time: in the first three the differences of the first lines, those of the
    /// others less these, then the fourth number of these; the same of the second lines, these less
    /// those of the others; the third line of these, then the fourth number of the first line of the
    /// others; the third line of the others, then the fourth number of their second line.
    ///
    /// # Safety
    /// The machine has the instruction set.
    unsafe fn load_pairs8<'a>(
        these: impl Fn(usize) -> &'a [[f64; 4]; 4],
        others: impl Fn(usize) -> &'a [[f64; 4]; 4],
        columns: [&mut [f64; 8]; 16],
    );

    /// Writes four columns as eight lines that follow each other.
    ///
    /// # Safety
    /// The machine has the instruction set.
    unsafe fn soa_to_aos(columns: [&[f64; 8]; 4], lines: &mut [[f64; 4]; 8]);

    /// Writes eight columns as eight rows of eight that follow each other.
    ///
    /// # Safety
    /// The machine has the instruction set.
    unsafe fn transpose8x8<'a>(column: impl Fn(usize) -> &'a [f64; 8], rows: &mut [[f64; 8]; 8]);

    /// As `transpose8x8` twice: the columns from the fifth on are others the second time.
    ///
    /// # Safety
    /// The machine has the instruction set.
    #[inline(always)]
    unsafe fn transpose8x8_twice<'a>(
        column: impl Fn(usize) -> &'a [f64; 8],
        other: impl Fn(usize) -> &'a [f64; 8],
        rows: &mut [[f64; 8]; 8],
        other_rows: &mut [[f64; 8]; 8],
    ) {
        // SAFETY: the caller's promise.
        unsafe {
            Self::transpose8x8(&column, rows);
            Self::transpose8x8(
                |part| if part < 4 { column(part) } else { other(part - 4) },
                other_rows,
            );
        }
    }
}

/// By the compiler's own means.
#[derive(Debug)]
pub(crate) struct Plain;

impl Transpose for Plain {
    type F64x4 = PlainF64x4;
    type F64x8 = PlainF64x8;

    #[inline(always)]
    unsafe fn aos_to_soa<'a>(line: impl Fn(usize) -> &'a [f64; 4], columns: [&mut [f64; 8]; 4]) {
        let [x, y, z, w] = columns;
        for place in 0..8 {
            let line = line(place);
            [x[place], y[place], z[place], w[place]] = *line;
        }
    }

    #[inline(always)]
    unsafe fn load_pairs8<'a>(
        these: impl Fn(usize) -> &'a [[f64; 4]; 4],
        others: impl Fn(usize) -> &'a [[f64; 4]; 4],
        columns: [&mut [f64; 8]; 16],
    ) {
        for place in 0..8 {
            let (own, other) = (these(place), others(place));
            for axis in 0..3 {
                columns[axis][place] = other[0][axis] - own[0][axis];
                columns[4 + axis][place] = own[1][axis] - other[1][axis];
                columns[8 + axis][place] = own[2][axis];
                columns[12 + axis][place] = other[2][axis];
            }
            columns[3][place] = own[0][3];
            columns[7][place] = own[1][3];
            columns[11][place] = other[0][3];
            columns[15][place] = other[1][3];
        }
    }

    #[inline(always)]
    unsafe fn soa_to_aos(columns: [&[f64; 8]; 4], lines: &mut [[f64; 4]; 8]) {
        for (place, line) in lines.iter_mut().enumerate() {
            *line = columns.map(|column| column[place]);
        }
    }

    #[inline(always)]
    unsafe fn transpose8x8<'a>(column: impl Fn(usize) -> &'a [f64; 8], rows: &mut [[f64; 8]; 8]) {
        for part in 0..8 {
            let column = column(part);
            for (place, row) in rows.iter_mut().enumerate() {
                row[part] = column[place];
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
pub(crate) use x86::{Avx2, Avx512};

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::Transpose;
    use crate::simd::f64x4::Avx2F64x4;
    use crate::simd::f64x8::{Avx2F64x8, Avx512F64x8};
    use std::arch::x86_64::*;

    /// By instructions of 256 bits.
    #[derive(Debug)]
    pub(crate) struct Avx2;

    /// Turns a block of four by four.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn transpose4x4(a: __m256d, b: __m256d, c: __m256d, d: __m256d) -> [__m256d; 4] {
        let (ab_even, ab_odd) = (_mm256_unpacklo_pd(a, b), _mm256_unpackhi_pd(a, b));
        let (cd_even, cd_odd) = (_mm256_unpacklo_pd(c, d), _mm256_unpackhi_pd(c, d));
        [
            _mm256_permute2f128_pd::<0x20>(ab_even, cd_even),
            _mm256_permute2f128_pd::<0x20>(ab_odd, cd_odd),
            _mm256_permute2f128_pd::<0x31>(ab_even, cd_even),
            _mm256_permute2f128_pd::<0x31>(ab_odd, cd_odd),
        ]
    }

    impl Transpose for Avx2 {
        type F64x4 = Avx2F64x4;
        type F64x8 = Avx2F64x8;

        #[inline]
        #[target_feature(enable = "avx2")]
        unsafe fn aos_to_soa<'a>(
            line: impl Fn(usize) -> &'a [f64; 4],
            columns: [&mut [f64; 8]; 4],
        ) {
            // SAFETY: AVX2 by the caller's promise; every reference is to as many numbers as are
            // read or written there.
            unsafe {
                let load = |place: usize| _mm256_loadu_pd(line(place).as_ptr());
                let low = transpose4x4(load(0), load(1), load(2), load(3));
                let high = transpose4x4(load(4), load(5), load(6), load(7));
                for part in 0..4 {
                    let column = columns[part].as_mut_ptr();
                    _mm256_storeu_pd(column, low[part]);
                    _mm256_storeu_pd(column.add(4), high[part]);
                }
            }
        }

        #[inline]
        #[target_feature(enable = "avx2")]
        unsafe fn load_pairs8<'a>(
            these: impl Fn(usize) -> &'a [[f64; 4]; 4],
            others: impl Fn(usize) -> &'a [[f64; 4]; 4],
            columns: [&mut [f64; 8]; 16],
        ) {
            // SAFETY: as above.
            unsafe {
                for half in 0..2 {
                    let both = |place: usize| {
                        let (own, other) = (these(4 * half + place), others(4 * half + place));
                        let load = |line: &[f64; 4]| _mm256_loadu_pd(line.as_ptr());
                        let (place, velocity) = (load(&own[0]), load(&own[1]));
                        let (its_place, its_velocity) = (load(&other[0]), load(&other[1]));
                        [
                            _mm256_blend_pd::<8>(_mm256_sub_pd(its_place, place), place),
                            _mm256_blend_pd::<8>(_mm256_sub_pd(velocity, its_velocity), velocity),
                            _mm256_blend_pd::<8>(load(&own[2]), its_place),
                            _mm256_blend_pd::<8>(load(&other[2]), its_velocity),
                        ]
                    };
                    let (a, b, c, d) = (both(0), both(1), both(2), both(3));
                    for line in 0..4 {
                        let transposed = transpose4x4(a[line], b[line], c[line], d[line]);
                        for part in 0..4 {
                            let column = columns[4 * line + part].as_mut_ptr();
                            _mm256_storeu_pd(column.add(4 * half), transposed[part]);
                        }
                    }
                }
            }
        }

        #[inline]
        #[target_feature(enable = "avx2")]
        unsafe fn soa_to_aos(columns: [&[f64; 8]; 4], lines: &mut [[f64; 4]; 8]) {
            // SAFETY: as above.
            unsafe {
                for half in 0..2 {
                    let part =
                        |index: usize| _mm256_loadu_pd(columns[index].as_ptr().add(4 * half));
                    let transposed = transpose4x4(part(0), part(1), part(2), part(3));
                    for place in 0..4 {
                        _mm256_storeu_pd(lines[4 * half + place].as_mut_ptr(), transposed[place]);
                    }
                }
            }
        }

        #[inline]
        #[target_feature(enable = "avx2")]
        unsafe fn transpose8x8<'a>(
            column: impl Fn(usize) -> &'a [f64; 8],
            rows: &mut [[f64; 8]; 8],
        ) {
            // SAFETY: as above.
            unsafe {
                for half in 0..2 {
                    for quarter in 0..2 {
                        let part = |index: usize| {
                            let column = column(4 * quarter + index);
                            _mm256_loadu_pd(column.as_ptr().add(4 * half))
                        };
                        let transposed = transpose4x4(part(0), part(1), part(2), part(3));
                        for place in 0..4 {
                            let row = rows[4 * half + place].as_mut_ptr();
                            _mm256_storeu_pd(row.add(4 * quarter), transposed[place]);
                        }
                    }
                }
            }
        }
    }

    /// By instructions of 512 bits.
    #[derive(Debug)]
    pub(crate) struct Avx512;

    /// Halves 0 and 2 of the first, then of the second; and halves 1 and 3.
    const EVEN: i32 = 0b10_00_10_00;
    const ODD: i32 = 0b11_01_11_01;

    /// Turns lines 0 and 2, 1 and 3, 4 and 6, 5 and 7 into columns.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512vl")]
    fn transpose4x4_pairs(a: __m512d, b: __m512d, c: __m512d, d: __m512d) -> [__m512d; 4] {
        let (ab_even, ab_odd) = (_mm512_unpacklo_pd(a, b), _mm512_unpackhi_pd(a, b));
        let (cd_even, cd_odd) = (_mm512_unpacklo_pd(c, d), _mm512_unpackhi_pd(c, d));
        [
            _mm512_shuffle_f64x2::<EVEN>(ab_even, cd_even),
            _mm512_shuffle_f64x2::<EVEN>(ab_odd, cd_odd),
            _mm512_shuffle_f64x2::<ODD>(ab_even, cd_even),
            _mm512_shuffle_f64x2::<ODD>(ab_odd, cd_odd),
        ]
    }

    impl Transpose for Avx512 {
        type F64x4 = Avx2F64x4;
        type F64x8 = Avx512F64x8;

        #[inline]
        #[target_feature(enable = "avx512f,avx512dq,avx512vl")]
        unsafe fn aos_to_soa<'a>(
            line: impl Fn(usize) -> &'a [f64; 4],
            columns: [&mut [f64; 8]; 4],
        ) {
            // SAFETY: AVX-512 by the caller's promise; every reference is to as many numbers as
            // are read or written there.
            unsafe {
                let both = |low: usize, high: usize| {
                    let low = _mm512_castpd256_pd512(_mm256_loadu_pd(line(low).as_ptr()));
                    _mm512_insertf64x4::<1>(low, _mm256_loadu_pd(line(high).as_ptr()))
                };
                let transposed = transpose4x4_pairs(both(0, 2), both(1, 3), both(4, 6), both(5, 7));
                for part in 0..4 {
                    _mm512_storeu_pd(columns[part].as_mut_ptr(), transposed[part]);
                }
            }
        }

        #[inline]
        #[target_feature(enable = "avx512f,avx512dq,avx512vl")]
        unsafe fn load_pairs8<'a>(
            these: impl Fn(usize) -> &'a [[f64; 4]; 4],
            others: impl Fn(usize) -> &'a [[f64; 4]; 4],
            columns: [&mut [f64; 8]; 16],
        ) {
            // SAFETY: as above.
            unsafe {
                let both = |low: usize, high: usize| {
                    let (own, others) = ([these(low), these(high)], [others(low), others(high)]);
                    let load = |bodies: &[&[[f64; 4]; 4]; 2], line: usize| {
                        let low = _mm256_loadu_pd(bodies[0][line].as_ptr());
                        let high = _mm256_loadu_pd(bodies[1][line].as_ptr());
                        _mm512_insertf64x4::<1>(_mm512_castpd256_pd512(low), high)
                    };
                    let (place, velocity) = (load(&own, 0), load(&own, 1));
                    let (its_place, its_velocity) = (load(&others, 0), load(&others, 1));
                    // all but the fourth numbers
                    const THREE: u8 = 0x77;
                    [
                        _mm512_mask_sub_pd(place, THREE, its_place, place),
                        _mm512_mask_sub_pd(velocity, THREE, velocity, its_velocity),
                        _mm512_mask_mov_pd(its_place, THREE, load(&own, 2)),
                        _mm512_mask_mov_pd(its_velocity, THREE, load(&others, 2)),
                    ]
                };
                let (a, b, c, d) = (both(0, 2), both(1, 3), both(4, 6), both(5, 7));
                for line in 0..4 {
                    let transposed = transpose4x4_pairs(a[line], b[line], c[line], d[line]);
                    for part in 0..4 {
                        let column = columns[4 * line + part].as_mut_ptr();
                        _mm512_storeu_pd(column, transposed[part]);
                    }
                }
            }
        }

        #[inline]
        #[target_feature(enable = "avx512f,avx512dq,avx512vl")]
        unsafe fn soa_to_aos(columns: [&[f64; 8]; 4], lines: &mut [[f64; 4]; 8]) {
            // SAFETY: as above.
            unsafe {
                let column = |index: usize| _mm512_loadu_pd(columns[index].as_ptr());
                let (x, y, z, w) = (column(0), column(1), column(2), column(3));
                // pairs (x, y) and (z, w) of the places 0 2 4 6 and 1 3 5 7
                let (xy_even, xy_odd) = (_mm512_unpacklo_pd(x, y), _mm512_unpackhi_pd(x, y));
                let (zw_even, zw_odd) = (_mm512_unpacklo_pd(z, w), _mm512_unpackhi_pd(z, w));
                let low_even = _mm512_set_epi64(11, 10, 3, 2, 9, 8, 1, 0);
                let high_even = _mm512_set_epi64(15, 14, 7, 6, 13, 12, 5, 4);
                let halves = |a, b, order| _mm512_permutex2var_pd(a, order, b);
                // lines 0 and 2, 4 and 6, then 1 and 3, 5 and 7
                let pairs = [
                    (0, 2, halves(xy_even, zw_even, low_even)),
                    (4, 6, halves(xy_even, zw_even, high_even)),
                    (1, 3, halves(xy_odd, zw_odd, low_even)),
                    (5, 7, halves(xy_odd, zw_odd, high_even)),
                ];
                for &(low, high, both) in &pairs {
                    _mm256_storeu_pd(lines[low].as_mut_ptr(), _mm512_castpd512_pd256(both));
                    _mm256_storeu_pd(lines[high].as_mut_ptr(), _mm512_extractf64x4_pd::<1>(both));
                }
            }
        }

        #[inline]
        #[target_feature(enable = "avx512f,avx512dq,avx512vl")]
        unsafe fn transpose8x8<'a>(
            column: impl Fn(usize) -> &'a [f64; 8],
            rows: &mut [[f64; 8]; 8],
        ) {
            // SAFETY: as above.
            unsafe {
                let load = |index: usize| _mm512_loadu_pd(column(index).as_ptr());
                let left = transpose4x4_pairs(load(0), load(1), load(2), load(3));
                let right = transpose4x4_pairs(load(4), load(5), load(6), load(7));
                join_halves(&left, &right, rows);
            }
        }

        #[inline]
        #[target_feature(enable = "avx512f,avx512dq,avx512vl")]
        unsafe fn transpose8x8_twice<'a>(
            column: impl Fn(usize) -> &'a [f64; 8],
            other: impl Fn(usize) -> &'a [f64; 8],
            rows: &mut [[f64; 8]; 8],
            other_rows: &mut [[f64; 8]; 8],
        ) {
            // SAFETY: as above.
            unsafe {
                let load = |index: usize| _mm512_loadu_pd(column(index).as_ptr());
                let load_other = |index: usize| _mm512_loadu_pd(other(index).as_ptr());
                let left = transpose4x4_pairs(load(0), load(1), load(2), load(3));
                let right = transpose4x4_pairs(load(4), load(5), load(6), load(7));
                join_halves(&left, &right, rows);
                let right =
                    transpose4x4_pairs(load_other(0), load_other(1), load_other(2), load_other(3));
                join_halves(&left, &right, other_rows);
            }
        }
    }

    /// Rows from their left and right halves, each four columns as `transpose4x4_pairs` turns them: places 0 2 4 6
    /// are in the first and third, 1 3 5 7 in the others.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512vl")]
    fn join_halves(left: &[__m512d; 4], right: &[__m512d; 4], rows: &mut [[f64; 8]; 8]) {
        for first in 0..2 {
            let (low, low_rest) = (left[first], left[2 + first]);
            let (high, high_rest) = (right[first], right[2 + first]);
            let transposed = [
                _mm512_shuffle_f64x2::<EVEN>(low, high),
                _mm512_shuffle_f64x2::<EVEN>(low_rest, high_rest),
                _mm512_shuffle_f64x2::<ODD>(low, high),
                _mm512_shuffle_f64x2::<ODD>(low_rest, high_rest),
            ];
            for place in 0..4 {
                // SAFETY: a row has eight numbers.
                unsafe {
                    _mm512_storeu_pd(rows[first + 2 * place].as_mut_ptr(), transposed[place])
                };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<Set: Transpose>() {
        let number = |place: usize, part: usize| (10 * place + part) as f64;
        let rows: [[f64; 8]; 8] =
            std::array::from_fn(|place| std::array::from_fn(|part| number(place, part)));
        let lines: [[f64; 4]; 8] = rows.map(|row| [row[0], row[1], row[2], row[3]]);
        let mut columns = [[0.0; 8]; 4];
        // SAFETY: the caller has detected the set.
        unsafe { Set::aos_to_soa(|place| &lines[place], columns.each_mut()) };
        for (part, column) in columns.iter().enumerate() {
            assert_eq!(*column, std::array::from_fn(|place| number(place, part)));
        }
        let mut back = [[0.0; 4]; 8];
        // SAFETY: as above.
        unsafe { Set::soa_to_aos(columns.each_ref(), &mut back) };
        assert_eq!(back, lines);
        let all: [[f64; 8]; 8] =
            std::array::from_fn(|part| std::array::from_fn(|place| number(place, part)));
        let mut transposed = [[0.0; 8]; 8];
        // SAFETY: as above.
        unsafe { Set::transpose8x8(|part| &all[part], &mut transposed) };
        assert_eq!(transposed, rows);
        let mut both = [[[0.0; 8]; 8]; 2];
        let [own, other] = &mut both;
        // SAFETY: as above.
        unsafe { Set::transpose8x8_twice(|part| &all[part], |part| &all[3 - part], own, other) };
        assert_eq!(both[0], rows);
        let reversed = |row: [f64; 8]| [0, 1, 2, 3, 3, 2, 1, 0].map(|part: usize| row[part]);
        assert_eq!(both[1], rows.map(reversed));
    }

    #[test]
    fn every_set_turns_lines_into_columns_and_back() {
        check::<Plain>();
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") {
                check::<Avx2>();
            }
            if is_x86_feature_detected!("avx512f") {
                check::<Avx512>();
            }
        }
    }
}
