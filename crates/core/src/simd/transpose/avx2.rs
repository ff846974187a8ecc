//! Transposes by 256-bit instructions.

use std::arch::x86_64::*;

/// Transposes a block of four by four.
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

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn aos_to_soa<'a>(line: impl Fn(usize) -> &'a [f64; 4], columns: [&mut [f64; 8]; 4]) {
    // SAFETY: every reference is to as many numbers as are read or written.
    unsafe {
        let load = |lane: usize| _mm256_loadu_pd(line(lane).as_ptr());
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
pub(super) fn load_pairs8<'a>(
    these: impl Fn(usize) -> &'a [[f64; 4]; 4],
    others: impl Fn(usize) -> &'a [[f64; 4]; 4],
    columns: [&mut [f64; 8]; 16],
) {
    // SAFETY: as above.
    unsafe {
        for half in 0..2 {
            let both = |lane: usize| {
                let (own, other) = (these(4 * half + lane), others(4 * half + lane));
                let load = |line: &[f64; 4]| _mm256_loadu_pd(line.as_ptr());
                let (position, velocity) = (load(&own[0]), load(&own[1]));
                let (its_position, its_velocity) = (load(&other[0]), load(&other[1]));
                [
                    _mm256_blend_pd::<8>(_mm256_sub_pd(its_position, position), position),
                    _mm256_blend_pd::<8>(_mm256_sub_pd(velocity, its_velocity), velocity),
                    _mm256_blend_pd::<8>(load(&own[2]), its_position),
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
pub(super) fn soa_to_aos(columns: [&[f64; 8]; 4], lines: &mut [[f64; 4]; 8]) {
    // SAFETY: as above.
    unsafe {
        for half in 0..2 {
            let part = |index: usize| _mm256_loadu_pd(columns[index].as_ptr().add(4 * half));
            let transposed = transpose4x4(part(0), part(1), part(2), part(3));
            for lane in 0..4 {
                _mm256_storeu_pd(lines[4 * half + lane].as_mut_ptr(), transposed[lane]);
            }
        }
    }
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn transpose8x8<'a>(column: impl Fn(usize) -> &'a [f64; 8], rows: &mut [[f64; 8]; 8]) {
    // SAFETY: as above.
    unsafe {
        for half in 0..2 {
            for quarter in 0..2 {
                let part = |index: usize| {
                    let column = column(4 * quarter + index);
                    _mm256_loadu_pd(column.as_ptr().add(4 * half))
                };
                let transposed = transpose4x4(part(0), part(1), part(2), part(3));
                for lane in 0..4 {
                    let row = rows[4 * half + lane].as_mut_ptr();
                    _mm256_storeu_pd(row.add(4 * quarter), transposed[lane]);
                }
            }
        }
    }
}
