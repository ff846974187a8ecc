//! Four numbers in one register: the lines of a particle's record. The compiler, left alone with
//! loops over four lanes, mixes scalars and halves of registers and takes twice as long (measured
//! on the integrator's loops).

/// A line of four, by the instructions of one set. All sets round alike.
pub(crate) trait F64x4: Copy {
    /// # Safety
    /// The machine has the instruction set; so for all that follow.
    unsafe fn load(line: &[f64; 4]) -> Self;

    /// # Safety
    /// As `load`.
    unsafe fn store(self, line: &mut [f64; 4]);

    /// Four times the same number.
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

    /// `self` where it is less, else the other: a NaN in `self` is dropped.
    ///
    /// # Safety
    /// As `load`.
    unsafe fn min_or_other(self, other: Self) -> Self;

    /// `self` where it is more, else the other: a NaN in `self` is dropped.
    ///
    /// # Safety
    /// As `load`.
    unsafe fn max_or_other(self, other: Self) -> Self;

    /// The first three of these, and the fourth of the other.
    ///
    /// # Safety
    /// As `load`.
    unsafe fn with_fourth_of(self, other: Self) -> Self;
}

/// By the compiler's own means.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlainF64x4([f64; 4]);

impl PlainF64x4 {
    #[inline(always)]
    fn each(self, other: Self, act: impl Fn(f64, f64) -> f64) -> Self {
        let (a, b) = (self.0, other.0);
        Self([act(a[0], b[0]), act(a[1], b[1]), act(a[2], b[2]), act(a[3], b[3])])
    }
}

impl F64x4 for PlainF64x4 {
    #[inline(always)]
    unsafe fn load(line: &[f64; 4]) -> Self {
        Self(*line)
    }

    #[inline(always)]
    unsafe fn store(self, line: &mut [f64; 4]) {
        *line = self.0;
    }

    #[inline(always)]
    unsafe fn splat(value: f64) -> Self {
        Self([value; 4])
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
    unsafe fn min_or_other(self, other: Self) -> Self {
        self.each(other, |a, b| if a < b { a } else { b })
    }

    #[inline(always)]
    unsafe fn max_or_other(self, other: Self) -> Self {
        self.each(other, |a, b| if a > b { a } else { b })
    }

    #[inline(always)]
    unsafe fn with_fourth_of(self, other: Self) -> Self {
        Self([self.0[0], self.0[1], self.0[2], other.0[3]])
    }
}

#[cfg(target_arch = "x86_64")]
pub(crate) use x86::Avx2F64x4;

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::F64x4;
    use std::arch::x86_64::*;

    /// By instructions of 256 bits.
    #[derive(Debug, Clone, Copy)]
    pub(crate) struct Avx2F64x4(__m256d);

    impl F64x4 for Avx2F64x4 {
        #[inline]
        #[target_feature(enable = "avx2")]
        unsafe fn load(line: &[f64; 4]) -> Self {
            // SAFETY: the reference is to four numbers.
            Self(unsafe { _mm256_loadu_pd(line.as_ptr()) })
        }

        #[inline]
        #[target_feature(enable = "avx2")]
        unsafe fn store(self, line: &mut [f64; 4]) {
            // SAFETY: the reference is to four numbers.
            unsafe { _mm256_storeu_pd(line.as_mut_ptr(), self.0) }
        }

        #[inline]
        #[target_feature(enable = "avx2")]
        unsafe fn splat(value: f64) -> Self {
            Self(_mm256_set1_pd(value))
        }

        #[inline]
        #[target_feature(enable = "avx2")]
        unsafe fn add(self, other: Self) -> Self {
            Self(_mm256_add_pd(self.0, other.0))
        }

        #[inline]
        #[target_feature(enable = "avx2")]
        unsafe fn sub(self, other: Self) -> Self {
            Self(_mm256_sub_pd(self.0, other.0))
        }

        #[inline]
        #[target_feature(enable = "avx2")]
        unsafe fn mul(self, other: Self) -> Self {
            Self(_mm256_mul_pd(self.0, other.0))
        }

        #[inline]
        #[target_feature(enable = "avx2")]
        unsafe fn min_or_other(self, other: Self) -> Self {
            Self(_mm256_min_pd(self.0, other.0))
        }

        #[inline]
        #[target_feature(enable = "avx2")]
        unsafe fn max_or_other(self, other: Self) -> Self {
            Self(_mm256_max_pd(self.0, other.0))
        }

        #[inline]
        #[target_feature(enable = "avx2")]
        unsafe fn with_fourth_of(self, other: Self) -> Self {
            Self(_mm256_blend_pd::<8>(self.0, other.0))
        }
    }
}
