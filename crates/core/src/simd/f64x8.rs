//! Eight numbers at once: one register of 512 bits, two of 256, or an array.

/// Eight numbers in registers of one instruction set. All sets round identically. Values are made
/// by [`Transpose::load8`](super::transpose::Transpose::load8) and
/// [`splat8`](super::transpose::Transpose::splat8) from the proof that the processor has the set.
pub(crate) trait F64x8: Copy {
    fn add(self, other: Self) -> Self;

    fn sub(self, other: Self) -> Self;

    fn mul(self, other: Self) -> Self;

    /// Mask of the numbers that are less than the other, one bit each.
    fn lt(self, other: Self) -> u8;

    /// `self - other` where the bit is set, else `self`.
    fn sub_where(self, bits: u8, other: Self) -> Self;
}

/// Writes `start` plus the index of each bit that is set, in order; the following elements are undefined.
#[inline(always)]
pub(super) fn write_indices(bits: u8, start: u32, to: &mut [u32; 8]) {
    let mut count = 0;
    for lane in 0..8 {
        to[count] = start + lane;
        // the last element may be written twice, but not beyond the end
        count = (count + usize::from(bits >> lane & 1)).min(7);
    }
}

/// An array.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlainF64x8(pub(super) [f64; 8]);

impl PlainF64x8 {
    #[inline(always)]
    fn each(self, other: Self, act: impl Fn(f64, f64) -> f64) -> Self {
        Self(std::array::from_fn(|lane| act(self.0[lane], other.0[lane])))
    }
}

impl F64x8 for PlainF64x8 {
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.each(other, |a, b| a + b)
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.each(other, |a, b| a - b)
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.each(other, |a, b| a * b)
    }

    #[inline(always)]
    fn lt(self, other: Self) -> u8 {
        (0..8).fold(0, |bits, lane| bits | u8::from(self.0[lane] < other.0[lane]) << lane)
    }

    #[inline(always)]
    fn sub_where(self, bits: u8, other: Self) -> Self {
        Self(std::array::from_fn(|lane| {
            self.0[lane] - if bits >> lane & 1 == 1 { other.0[lane] } else { 0.0 }
        }))
    }
}

#[cfg(target_arch = "x86_64")]
pub(crate) use x86::{Avx2F64x8, Avx512F64x8};

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::F64x8;
    use crate::simd::{Avx2, Avx512};
    use std::arch::x86_64::*;

    /// Two registers of 256 bits.
    ///
    /// Invariant: a value exists only on a processor with AVX2, because it is made from the proof.
    #[derive(Debug, Clone, Copy)]
    pub(crate) struct Avx2F64x8(__m256d, __m256d);

    /// One register of 512 bits.
    ///
    /// Invariant: a value exists only on a processor with AVX-512, because it is made from the proof.
    #[derive(Debug, Clone, Copy)]
    pub(crate) struct Avx512F64x8(__m512d);

    /// Instructions of the set of such values.
    macro_rules! proved {
        ($instructions:expr) => {
            // SAFETY: the invariants of the types; references are to as many numbers as are read or written.
            unsafe { $instructions }
        };
    }

    impl Avx2F64x8 {
        #[inline(always)]
        pub(crate) fn load(_: Avx2, numbers: &[f64; 8]) -> Self {
            let low = numbers.as_ptr();
            proved!(Self(_mm256_loadu_pd(low), _mm256_loadu_pd(low.add(4))))
        }

        #[inline(always)]
        pub(crate) fn splat(_: Avx2, value: f64) -> Self {
            proved!(Self(_mm256_set1_pd(value), _mm256_set1_pd(value)))
        }
    }

    /// The bits of a mask as masks of lanes: the other lanes of `part` become zero.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn where_set(bits: u8, bit_of_lane: __m256i, part: __m256d) -> __m256d {
        let wide = _mm256_set1_epi64x(i64::from(bits));
        let is_set = _mm256_cmpeq_epi64(_mm256_and_si256(wide, bit_of_lane), bit_of_lane);
        _mm256_and_pd(_mm256_castsi256_pd(is_set), part)
    }

    impl F64x8 for Avx2F64x8 {
        #[inline(always)]
        fn add(self, other: Self) -> Self {
            proved!(Self(_mm256_add_pd(self.0, other.0), _mm256_add_pd(self.1, other.1)))
        }

        #[inline(always)]
        fn sub(self, other: Self) -> Self {
            proved!(Self(_mm256_sub_pd(self.0, other.0), _mm256_sub_pd(self.1, other.1)))
        }

        #[inline(always)]
        fn mul(self, other: Self) -> Self {
            proved!(Self(_mm256_mul_pd(self.0, other.0), _mm256_mul_pd(self.1, other.1)))
        }

        #[inline(always)]
        fn lt(self, other: Self) -> u8 {
            let (low, high) = proved!((
                _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_LT_OQ>(self.0, other.0)),
                _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_LT_OQ>(self.1, other.1))
            ));
            (low | high << 4) as u8
        }

        #[inline(always)]
        fn sub_where(self, bits: u8, other: Self) -> Self {
            proved!({
                let low = where_set(bits, _mm256_setr_epi64x(1, 2, 4, 8), other.0);
                let high = where_set(bits, _mm256_setr_epi64x(16, 32, 64, 128), other.1);
                Self(_mm256_sub_pd(self.0, low), _mm256_sub_pd(self.1, high))
            })
        }
    }

    impl Avx512F64x8 {
        #[inline(always)]
        pub(crate) fn load(_: Avx512, numbers: &[f64; 8]) -> Self {
            Self(proved!(_mm512_loadu_pd(numbers.as_ptr())))
        }

        #[inline(always)]
        pub(crate) fn splat(_: Avx512, value: f64) -> Self {
            Self(proved!(_mm512_set1_pd(value)))
        }

        /// As [`write_indices`](super::write_indices).
        #[inline(always)]
        pub(crate) fn write_indices(_: Avx512, bits: u8, start: u32, to: &mut [u32; 8]) {
            proved!({
                let count_up = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
                let indices = _mm256_add_epi32(_mm256_set1_epi32(start as i32), count_up);
                let kept = _mm256_maskz_compress_epi32(bits, indices);
                _mm256_storeu_si256(to.as_mut_ptr().cast(), kept);
            });
        }
    }

    impl F64x8 for Avx512F64x8 {
        #[inline(always)]
        fn add(self, other: Self) -> Self {
            Self(proved!(_mm512_add_pd(self.0, other.0)))
        }

        #[inline(always)]
        fn sub(self, other: Self) -> Self {
            Self(proved!(_mm512_sub_pd(self.0, other.0)))
        }

        #[inline(always)]
        fn mul(self, other: Self) -> Self {
            Self(proved!(_mm512_mul_pd(self.0, other.0)))
        }

        #[inline(always)]
        fn lt(self, other: Self) -> u8 {
            proved!(_mm512_cmp_pd_mask::<_CMP_LT_OQ>(self.0, other.0))
        }

        #[inline(always)]
        fn sub_where(self, bits: u8, other: Self) -> Self {
            Self(proved!(_mm512_mask_sub_pd(self.0, bits, self.0, other.0)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::transpose::Transpose;

    /// Every mask, every operation, compared with scalar arithmetic.
    fn check(set: impl Transpose) {
        let (a, b) = ([3.0, -1.0, 2.0, 0.5, 8.0, -7.0, 0.0, 1e-3], [1.5; 8]);
        let (one, other) = (set.load8(&a), set.load8(&b));
        let below = one.lt(other);
        let by_sum = one.add(other).lt(set.splat8(3.0));
        let by_product = one.mul(other).lt(set.splat8(3.0));
        let by_difference = one.sub(other).lt(set.splat8(0.25));
        for bits in 0..=255u8 {
            let moved = one.sub_where(bits, set.splat8(100.0)).lt(set.splat8(-50.0));
            assert_eq!(moved, bits, "minus where {bits:08b}");
            let mut to = [0; 8];
            set.write_indices(bits, 40, &mut to);
            let expected = (0..8).filter(|bit| bits >> bit & 1 == 1).map(|bit| 40 + bit);
            assert!(expected.zip(to).all(|(a, b)| a == b), "indices of {bits:08b}");
        }
        for lane in 0..8 {
            let bit = |mask: u8| mask >> lane & 1 == 1;
            assert_eq!(bit(below), a[lane] < b[lane]);
            assert_eq!(bit(by_sum), a[lane] + b[lane] < 3.0);
            assert_eq!(bit(by_product), a[lane] * b[lane] < 3.0);
            assert_eq!(bit(by_difference), a[lane] - b[lane] < 0.25);
        }
    }

    #[test]
    fn every_set_does_the_same() {
        check(crate::simd::Plain);
        #[cfg(target_arch = "x86_64")]
        {
            let (avx2, avx512) = crate::simd::available();
            avx2.into_iter().for_each(check);
            avx512.into_iter().for_each(check);
        }
    }
}
