//! Eight numbers at once: one register of 512 bits, two of 256, or an array.

/// Eight numbers, by the instructions of one set. All sets round alike.
pub(crate) trait F64x8: Copy {
    /// # Safety
    /// The machine has the instruction set; so for all that follow.
    unsafe fn load(numbers: &[f64; 8]) -> Self;

    /// Eight times the same number.
    ///
    /// # Safety
    /// As `load`.
    unsafe fn splat(value: f64) -> Self;

    /// # Safety
    /// As `load`.
    unsafe fn add(self, other: Self) -> Self;

    /// # Safety
    /// As `load`.
    unsafe fn sub(self, other: Self) -> Self;

    /// # Safety
    /// As `load`.
    unsafe fn mul(self, other: Self) -> Self;

    /// Which are less than the other, one bit each.
    ///
    /// # Safety
    /// As `load`.
    unsafe fn lt(self, other: Self) -> u8;

    /// Less the other where the bit is set.
    ///
    /// # Safety
    /// As `load`.
    unsafe fn sub_where(self, bits: u8, other: Self) -> Self;

    /// Writes `start` plus the place of each bit that is set, in order; what follows means nothing.
    ///
    /// # Safety
    /// As `load`.
    unsafe fn write_indices(bits: u8, start: u32, to: &mut [u32; 8]);
}

/// By the compiler's own means.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlainF64x8([f64; 8]);

impl PlainF64x8 {
    #[inline(always)]
    fn each(self, other: Self, act: impl Fn(f64, f64) -> f64) -> Self {
        Self(std::array::from_fn(|lane| act(self.0[lane], other.0[lane])))
    }
}

impl F64x8 for PlainF64x8 {
    #[inline(always)]
    unsafe fn load(numbers: &[f64; 8]) -> Self {
        Self(*numbers)
    }

    #[inline(always)]
    unsafe fn splat(value: f64) -> Self {
        Self([value; 8])
    }

    #[inline(always)]
    unsafe fn add(self, other: Self) -> Self {
        self.each(other, |a, b| a + b)
    }

    #[inline(always)]
    unsafe fn sub(self, other: Self) -> Self {
        self.each(other, |a, b| a - b)
    }

    #[inline(always)]
    unsafe fn mul(self, other: Self) -> Self {
        self.each(other, |a, b| a * b)
    }

    #[inline(always)]
    unsafe fn lt(self, other: Self) -> u8 {
        (0..8).fold(0, |bits, lane| bits | u8::from(self.0[lane] < other.0[lane]) << lane)
    }

    #[inline(always)]
    unsafe fn sub_where(self, bits: u8, other: Self) -> Self {
        Self(std::array::from_fn(|lane| {
            self.0[lane] - if bits >> lane & 1 == 1 { other.0[lane] } else { 0.0 }
        }))
    }

    #[inline(always)]
    unsafe fn write_indices(bits: u8, start: u32, to: &mut [u32; 8]) {
        let mut count = 0;
        for lane in 0..8 {
            to[count] = start + lane;
            // the last can be written twice, but not beyond the end
            count = (count + usize::from(bits >> lane & 1)).min(7);
        }
    }
}

#[cfg(target_arch = "x86_64")]
pub(crate) use x86::{Avx2F64x8, Avx512F64x8};

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{F64x8, PlainF64x8};
    use std::arch::x86_64::*;

    /// By instructions of 256 bits.
    #[derive(Debug, Clone, Copy)]
    pub(crate) struct Avx2F64x8(__m256d, __m256d);

    impl F64x8 for Avx2F64x8 {
        #[inline]
        #[target_feature(enable = "avx2")]
        unsafe fn load(numbers: &[f64; 8]) -> Self {
            // SAFETY: the reference is to eight numbers.
            unsafe {
                let low = numbers.as_ptr();
                Self(_mm256_loadu_pd(low), _mm256_loadu_pd(low.add(4)))
            }
        }

        #[inline]
        #[target_feature(enable = "avx2")]
        unsafe fn splat(value: f64) -> Self {
            Self(_mm256_set1_pd(value), _mm256_set1_pd(value))
        }

        #[inline]
        #[target_feature(enable = "avx2")]
        unsafe fn add(self, other: Self) -> Self {
            Self(_mm256_add_pd(self.0, other.0), _mm256_add_pd(self.1, other.1))
        }

        #[inline]
        #[target_feature(enable = "avx2")]
        unsafe fn sub(self, other: Self) -> Self {
            Self(_mm256_sub_pd(self.0, other.0), _mm256_sub_pd(self.1, other.1))
        }

        #[inline]
        #[target_feature(enable = "avx2")]
        unsafe fn mul(self, other: Self) -> Self {
            Self(_mm256_mul_pd(self.0, other.0), _mm256_mul_pd(self.1, other.1))
        }

        #[inline]
        #[target_feature(enable = "avx2")]
        unsafe fn lt(self, other: Self) -> u8 {
            let low = _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_LT_OQ>(self.0, other.0));
            let high = _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_LT_OQ>(self.1, other.1));
            (low | high << 4) as u8
        }

        #[inline]
        #[target_feature(enable = "avx2")]
        unsafe fn sub_where(self, bits: u8, other: Self) -> Self {
            let wide = _mm256_set1_epi64x(i64::from(bits));
            let one_each = [_mm256_setr_epi64x(1, 2, 4, 8), _mm256_setr_epi64x(16, 32, 64, 128)];
            let chosen = |bit: __m256i, part: __m256d| {
                let is_set = _mm256_cmpeq_epi64(_mm256_and_si256(wide, bit), bit);
                _mm256_and_pd(_mm256_castsi256_pd(is_set), part)
            };
            Self(
                _mm256_sub_pd(self.0, chosen(one_each[0], other.0)),
                _mm256_sub_pd(self.1, chosen(one_each[1], other.1)),
            )
        }

        #[inline]
        #[target_feature(enable = "avx2")]
        unsafe fn write_indices(bits: u8, start: u32, to: &mut [u32; 8]) {
            // SAFETY: this needs no instruction set.
            unsafe { PlainF64x8::write_indices(bits, start, to) }
        }
    }

    /// By instructions of 512 bits.
    #[derive(Debug, Clone, Copy)]
    pub(crate) struct Avx512F64x8(__m512d);

    impl F64x8 for Avx512F64x8 {
        #[inline]
        #[target_feature(enable = "avx512f,avx512dq,avx512vl")]
        unsafe fn load(numbers: &[f64; 8]) -> Self {
            // SAFETY: the reference is to eight numbers.
            Self(unsafe { _mm512_loadu_pd(numbers.as_ptr()) })
        }

        #[inline]
        #[target_feature(enable = "avx512f,avx512dq,avx512vl")]
        unsafe fn splat(value: f64) -> Self {
            Self(_mm512_set1_pd(value))
        }

        #[inline]
        #[target_feature(enable = "avx512f,avx512dq,avx512vl")]
        unsafe fn add(self, other: Self) -> Self {
            Self(_mm512_add_pd(self.0, other.0))
        }

        #[inline]
        #[target_feature(enable = "avx512f,avx512dq,avx512vl")]
        unsafe fn sub(self, other: Self) -> Self {
            Self(_mm512_sub_pd(self.0, other.0))
        }

        #[inline]
        #[target_feature(enable = "avx512f,avx512dq,avx512vl")]
        unsafe fn mul(self, other: Self) -> Self {
            Self(_mm512_mul_pd(self.0, other.0))
        }

        #[inline]
        #[target_feature(enable = "avx512f,avx512dq,avx512vl")]
        unsafe fn lt(self, other: Self) -> u8 {
            _mm512_cmp_pd_mask::<_CMP_LT_OQ>(self.0, other.0)
        }

        #[inline]
        #[target_feature(enable = "avx512f,avx512dq,avx512vl")]
        unsafe fn sub_where(self, bits: u8, other: Self) -> Self {
            Self(_mm512_mask_sub_pd(self.0, bits, self.0, other.0))
        }

        #[inline]
        #[target_feature(enable = "avx512f,avx512dq,avx512vl")]
        unsafe fn write_indices(bits: u8, start: u32, to: &mut [u32; 8]) {
            let count_up = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
            let places = _mm256_add_epi32(_mm256_set1_epi32(start as i32), count_up);
            let kept = _mm256_maskz_compress_epi32(bits, places);
            // SAFETY: the reference is to eight numbers.
            unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), kept) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every set of bits, every operation, against arithmetic on single numbers.
    unsafe fn check<Set: F64x8>() {
        let (a, b) = ([3.0, -1.0, 2.0, 0.5, 8.0, -7.0, 0.0, 1e-3], [1.5; 8]);
        // SAFETY: the caller's promise.
        unsafe {
            let (one, other) = (Set::load(&a), Set::load(&b));
            let below = one.lt(other);
            let by_sum = one.add(other).lt(Set::splat(3.0));
            let by_product = one.mul(other).lt(Set::splat(3.0));
            let by_difference = one.sub(other).lt(Set::splat(0.25));
            for bits in 0..=255u8 {
                let moved = one.sub_where(bits, Set::splat(100.0)).lt(Set::splat(-50.0));
                assert_eq!(moved, bits, "minus where {bits:08b}");
                let mut to = [0; 8];
                Set::write_indices(bits, 40, &mut to);
                let expected = (0..8).filter(|bit| bits >> bit & 1 == 1).map(|bit| 40 + bit);
                assert!(expected.zip(to).all(|(a, b)| a == b), "places of {bits:08b}");
            }
            for lane in 0..8 {
                let bit = |mask: u8| mask >> lane & 1 == 1;
                assert_eq!(bit(below), a[lane] < b[lane]);
                assert_eq!(bit(by_sum), a[lane] + b[lane] < 3.0);
                assert_eq!(bit(by_product), a[lane] * b[lane] < 3.0);
                assert_eq!(bit(by_difference), a[lane] - b[lane] < 0.25);
            }
        }
    }

    #[test]
    fn every_set_does_the_same() {
        // SAFETY: the plain form needs nothing.
        unsafe { check::<PlainF64x8>() };
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            // SAFETY: it has just been detected.
            unsafe { check::<Avx2F64x8>() };
        }
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx512dq") && is_x86_feature_detected!("avx512vl") {
            // SAFETY: as above.
            unsafe { check::<Avx512F64x8>() };
        }
    }
}
