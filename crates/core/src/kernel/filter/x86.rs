//! The contact filter with the AVX-512 and AVX2 instructions of x86-64.

use super::{CompactedPairs, ContactFilter, OutputIndex, PairFilter};
use crate::simd::{Avx2, Avx512};
use std::arch::x86_64::*;
use std::ops::Range;

#[target_feature(enable = "avx512f,avx512dq,avx512vl,popcnt")]
pub(crate) fn fill_avx512(
    filter: &ContactFilter<'_>,
    set: Avx512,
    range: Range<usize>,
    output: &OutputIndex,
    trial: &mut [u32],
    result_indices: &mut [u32],
    packed: &mut CompactedPairs,
) {
    filter.fill_by(set, range, output, trial, result_indices, packed)
}

#[target_feature(enable = "avx2,popcnt")]
pub(crate) fn fill_avx2(
    filter: &ContactFilter<'_>,
    set: Avx2,
    range: Range<usize>,
    output: &OutputIndex,
    trial: &mut [u32],
    result_indices: &mut [u32],
    packed: &mut CompactedPairs,
) {
    filter.fill_by(set, range, output, trial, result_indices, packed)
}

impl PairFilter for Avx512 {
    #[inline(always)]
    fn touching(self, filter: &ContactFilter<'_>, pairs: &[[u32; 2]; 8]) -> u8 {
        // SAFETY: `self` proves that the processor supports the instructions.
        unsafe { avx512_touching(filter, pairs) }
    }

    #[inline(always)]
    fn compress(
        self,
        mask: u8,
        pairs: &[[u32; 2]; 8],
        accepted: &[u32; 8],
        output: &OutputIndex,
        trial: &mut [u32; 8],
        result_indices: &mut [u32; 8],
        packed: &mut CompactedPairs,
    ) {
        // SAFETY: as above.
        unsafe { avx512_compress(mask, pairs, accepted, output, trial, result_indices, packed) }
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512vl,popcnt")]
fn avx512_touching(filter: &ContactFilter<'_>, pairs: &[[u32; 2]; 8]) -> u8 {
    // SAFETY: each reference is to four numbers.
    unsafe {
        // differences in the first three lanes of a line, the sum of the radii in the fourth
        let both = |low: usize, high: usize| {
            let vector = |index: usize, partner: usize| {
                _mm256_loadu_pd(filter.position_and_radius(pairs[index][partner]).as_ptr())
            };
            let joined = |partner: usize| {
                let low = _mm512_castpd256_pd512(vector(low, partner));
                _mm512_insertf64x4::<1>(low, vector(high, partner))
            };
            let (first, second) = (joined(0), joined(1));
            _mm512_mask_sub_pd(_mm512_add_pd(first, second), 0x77, second, first)
        };
        let (a, b, c, d) = (both(0, 2), both(1, 3), both(4, 6), both(5, 7));
        let (ab_even, ab_odd) = (_mm512_unpacklo_pd(a, b), _mm512_unpackhi_pd(a, b));
        let (cd_even, cd_odd) = (_mm512_unpacklo_pd(c, d), _mm512_unpackhi_pd(c, d));
        let axes = [
            _mm512_shuffle_f64x2::<0b10_00_10_00>(ab_even, cd_even),
            _mm512_shuffle_f64x2::<0b10_00_10_00>(ab_odd, cd_odd),
            _mm512_shuffle_f64x2::<0b11_01_11_01>(ab_even, cd_even),
        ];
        let radii = _mm512_shuffle_f64x2::<0b11_01_11_01>(ab_odd, cd_odd);
        let square = |axis: usize| {
            let (half, period) = (
                _mm512_set1_pd(filter.images.half[axis]),
                _mm512_set1_pd(filter.images.period[axis]),
            );
            let d = axes[axis];
            let beyond = _mm512_cmp_pd_mask::<_CMP_GT_OQ>(d, half);
            let d = _mm512_mask_sub_pd(d, beyond, d, period);
            let minus = _mm512_set1_pd(-filter.images.half[axis]);
            let before = _mm512_cmp_pd_mask::<_CMP_LT_OQ>(d, minus);
            let d = _mm512_mask_add_pd(d, before, d, period);
            _mm512_mul_pd(d, d)
        };
        let sum = _mm512_add_pd(_mm512_add_pd(square(0), square(1)), square(2));
        let limit = _mm512_add_pd(radii, _mm512_set1_pd(filter.interaction_range));
        _mm512_cmp_pd_mask::<_CMP_LT_OQ>(sum, _mm512_mul_pd(limit, limit))
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512vl,popcnt")]
fn avx512_compress(
    mask: u8,
    pairs: &[[u32; 2]; 8],
    accepted: &[u32; 8],
    output: &OutputIndex,
    trial: &mut [u32; 8],
    result_indices: &mut [u32; 8],
    packed: &mut CompactedPairs,
) {
    let end = packed.count;
    let [first, second, old] = [
        &mut packed.first[end..end + 8],
        &mut packed.second[end..end + 8],
        &mut packed.old_index[end..end + 8],
    ];
    // SAFETY: all slices have eight elements. Compressed
    // in a register and stored whole: to memory it is slow on some machines.
    unsafe {
        let both = _mm512_loadu_si512(pairs.as_ptr().cast());
        let compressed = |values: __m256i| _mm256_maskz_compress_epi32(mask, values);
        let firsts = _mm512_cvtepi64_epi32(both);
        let seconds = _mm512_cvtepi64_epi32(_mm512_srli_epi64::<32>(both));
        let accepted = _mm256_loadu_si256(accepted.as_ptr().cast());
        _mm256_storeu_si256(first.as_mut_ptr().cast(), compressed(firsts));
        _mm256_storeu_si256(second.as_mut_ptr().cast(), compressed(seconds));
        _mm256_storeu_si256(old.as_mut_ptr().cast(), compressed(accepted));
        let lane_indices = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
        let numbered =
            |from: usize| _mm256_add_epi32(_mm256_set1_epi32((from + end) as i32), lane_indices);
        let history = _mm256_maskz_expand_epi32(mask, numbered(output.history));
        _mm256_storeu_si256(trial.as_mut_ptr().cast(), history);
        let spread = _mm256_maskz_expand_epi32(mask, numbered(output.result));
        let limit = _mm256_set1_epi32(output.limit as i32);
        let beyond = _mm256_cmpge_epu32_mask(spread, limit);
        let ring = _mm256_set1_epi32(output.ring as i32);
        let spread = _mm256_mask_sub_epi32(spread, beyond, spread, ring);
        _mm256_storeu_si256(result_indices.as_mut_ptr().cast(), spread);
    }
    packed.count += mask.count_ones() as usize;
}

/// For each mask, the set bits in order, as bytes; then zeros.
const SET_BITS: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut mask = 0;
    while mask < 256 {
        let (mut bit, mut count) = (0, 0);
        while bit < 8 {
            if mask >> bit & 1 == 1 {
                table[mask][count] = bit;
                count += 1;
            }
            bit += 1;
        }
        mask += 1;
    }
    table
};

/// For each mask, the number of set bits below each set bit; 255 if the bit is not set.
const BITS_BELOW: [[i8; 8]; 256] = {
    let mut table = [[-1; 8]; 256];
    let mut mask = 0;
    while mask < 256 {
        let (mut bit, mut count) = (0, 0);
        while bit < 8 {
            if mask >> bit & 1 == 1 {
                table[mask][bit] = count;
                count += 1;
            }
            bit += 1;
        }
        mask += 1;
    }
    table
};

impl PairFilter for Avx2 {
    #[inline(always)]
    fn touching(self, filter: &ContactFilter<'_>, pairs: &[[u32; 2]; 8]) -> u8 {
        // SAFETY: `self` proves that the processor supports the instructions.
        unsafe { avx2_touching(filter, pairs) }
    }

    #[inline(always)]
    fn compress(
        self,
        mask: u8,
        pairs: &[[u32; 2]; 8],
        accepted: &[u32; 8],
        output: &OutputIndex,
        trial: &mut [u32; 8],
        result_indices: &mut [u32; 8],
        packed: &mut CompactedPairs,
    ) {
        // SAFETY: as above.
        unsafe { avx2_compress(mask, pairs, accepted, output, trial, result_indices, packed) }
    }
}

#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn avx2_touching(filter: &ContactFilter<'_>, pairs: &[[u32; 2]; 8]) -> u8 {
    let mut mask = 0;
    for half in 0..2 {
        // SAFETY: each reference is to four numbers.
        unsafe {
            let vector = |index: usize| {
                let pair = pairs[4 * half + index];
                let first = _mm256_loadu_pd(filter.position_and_radius(pair[0]).as_ptr());
                let second = _mm256_loadu_pd(filter.position_and_radius(pair[1]).as_ptr());
                let difference = _mm256_sub_pd(second, first);
                _mm256_blend_pd::<8>(difference, _mm256_add_pd(first, second))
            };
            let (a, b, c, d) = (vector(0), vector(1), vector(2), vector(3));
            let (ab_even, ab_odd) = (_mm256_unpacklo_pd(a, b), _mm256_unpackhi_pd(a, b));
            let (cd_even, cd_odd) = (_mm256_unpacklo_pd(c, d), _mm256_unpackhi_pd(c, d));
            let axes = [
                _mm256_permute2f128_pd::<0x20>(ab_even, cd_even),
                _mm256_permute2f128_pd::<0x20>(ab_odd, cd_odd),
                _mm256_permute2f128_pd::<0x31>(ab_even, cd_even),
            ];
            let radii = _mm256_permute2f128_pd::<0x31>(ab_odd, cd_odd);
            let square = |axis: usize| {
                let bound = filter.images.half[axis];
                let period = _mm256_set1_pd(filter.images.period[axis]);
                let d = axes[axis];
                let beyond = _mm256_cmp_pd::<_CMP_GT_OQ>(d, _mm256_set1_pd(bound));
                let d = _mm256_sub_pd(d, _mm256_and_pd(beyond, period));
                let before = _mm256_cmp_pd::<_CMP_LT_OQ>(d, _mm256_set1_pd(-bound));
                let d = _mm256_add_pd(d, _mm256_and_pd(before, period));
                _mm256_mul_pd(d, d)
            };
            let sum = _mm256_add_pd(_mm256_add_pd(square(0), square(1)), square(2));
            let limit = _mm256_add_pd(radii, _mm256_set1_pd(filter.interaction_range));
            let near = _mm256_cmp_pd::<_CMP_LT_OQ>(sum, _mm256_mul_pd(limit, limit));
            mask |= (_mm256_movemask_pd(near) as u8) << (4 * half);
        }
    }
    mask
}

#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn avx2_compress(
    mask: u8,
    pairs: &[[u32; 2]; 8],
    accepted: &[u32; 8],
    output: &OutputIndex,
    trial: &mut [u32; 8],
    result_indices: &mut [u32; 8],
    packed: &mut CompactedPairs,
) {
    let end = packed.count;
    let [first, second, old] = [
        &mut packed.first[end..end + 8],
        &mut packed.second[end..end + 8],
        &mut packed.old_index[end..end + 8],
    ];
    let (compressed, below) = (&SET_BITS[mask as usize], &BITS_BELOW[mask as usize]);
    // SAFETY: all slices have eight elements.
    unsafe {
        let compressed = _mm256_cvtepu8_epi32(_mm_loadl_epi64(compressed.as_ptr().cast()));
        let below = _mm256_cvtepi8_epi32(_mm_loadl_epi64(below.as_ptr().cast()));
        // the four firsts, then the four seconds
        let order = _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7);
        let four = |from: usize| {
            let four = _mm256_loadu_si256(pairs.as_ptr().add(from).cast());
            _mm256_permutevar8x32_epi32(four, order)
        };
        let (low, high) = (four(0), four(4));
        let firsts = _mm256_permute2x128_si256::<0x20>(low, high);
        let seconds = _mm256_permute2x128_si256::<0x31>(low, high);
        let accepted = _mm256_loadu_si256(accepted.as_ptr().cast());
        let store = |to: &mut [u32], values: __m256i| {
            let values = _mm256_permutevar8x32_epi32(values, compressed);
            _mm256_storeu_si256(to.as_mut_ptr().cast(), values);
        };
        store(first, firsts);
        store(second, seconds);
        store(old, accepted);
        let parted = _mm256_cmpgt_epi32(_mm256_setzero_si256(), below);
        let numbered =
            |from: usize| _mm256_add_epi32(_mm256_set1_epi32((from + end) as i32), below);
        let history = _mm256_andnot_si256(parted, numbered(output.history));
        _mm256_storeu_si256(trial.as_mut_ptr().cast(), history);
        let within = numbered(output.result);
        // there is no comparison of numbers without a sign; the numbers are below 2³¹
        let last = _mm256_set1_epi32(output.limit as i32 - 1);
        let beyond = _mm256_cmpgt_epi32(within, last);
        let ring = _mm256_and_si256(beyond, _mm256_set1_epi32(output.ring as i32));
        let within = _mm256_andnot_si256(parted, _mm256_sub_epi32(within, ring));
        _mm256_storeu_si256(result_indices.as_mut_ptr().cast(), within);
    }
    packed.count += mask.count_ones() as usize;
}
