//! Transposes by 512-bit instructions.

use std::arch::x86_64::*;

/// Halves 0 and 2 of the first, then of the second; and halves 1 and 3.
const EVEN: i32 = 0b10_00_10_00;
const ODD: i32 = 0b11_01_11_01;

/// Transposes the pairs of vectors 0 and 2, 1 and 3, 4 and 6, 5 and 7 to columns.
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

#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512vl")]
pub(super) fn aos_to_soa<'a>(line: impl Fn(usize) -> &'a [f64; 4], columns: [&mut [f64; 8]; 4]) {
    // SAFETY: every reference is to as many numbers as are read or written.
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
pub(super) fn load_pairs8<'a>(
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
            let (position, velocity) = (load(&own, 0), load(&own, 1));
            let (its_position, its_velocity) = (load(&others, 0), load(&others, 1));
            // all but the fourth numbers
            const THREE: u8 = 0x77;
            [
                _mm512_mask_sub_pd(position, THREE, its_position, position),
                _mm512_mask_sub_pd(velocity, THREE, velocity, its_velocity),
                _mm512_mask_mov_pd(its_position, THREE, load(&own, 2)),
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
pub(super) fn soa_to_aos(columns: [&[f64; 8]; 4], lines: &mut [[f64; 4]; 8]) {
    // SAFETY: as above.
    unsafe {
        let column = |index: usize| _mm512_loadu_pd(columns[index].as_ptr());
        let (x, y, z, w) = (column(0), column(1), column(2), column(3));
        // pairs (x, y) and (z, w) of the elements 0 2 4 6 and 1 3 5 7
        let (xy_even, xy_odd) = (_mm512_unpacklo_pd(x, y), _mm512_unpackhi_pd(x, y));
        let (zw_even, zw_odd) = (_mm512_unpacklo_pd(z, w), _mm512_unpackhi_pd(z, w));
        let low_even = _mm512_set_epi64(11, 10, 3, 2, 9, 8, 1, 0);
        let high_even = _mm512_set_epi64(15, 14, 7, 6, 13, 12, 5, 4);
        let halves = |a, b, order| _mm512_permutex2var_pd(a, order, b);
        // vectors 0 and 2, 4 and 6, then 1 and 3, 5 and 7
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
pub(super) fn transpose8x8<'a>(column: impl Fn(usize) -> &'a [f64; 8], rows: &mut [[f64; 8]; 8]) {
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
pub(super) fn transpose8x8_twice<'a>(
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
        let right = transpose4x4_pairs(load_other(0), load_other(1), load_other(2), load_other(3));
        join_halves(&left, &right, other_rows);
    }
}

/// Rows from their left and right halves, each of four columns transposed by `transpose4x4_pairs`: elements 0 2 4 6 are
/// in the first and third, 1 3 5 7 in the others.
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
        for lane in 0..4 {
            // SAFETY: a row has eight numbers.
            unsafe { _mm512_storeu_pd(rows[first + 2 * lane].as_mut_ptr(), transposed[lane]) };
        }
    }
}
