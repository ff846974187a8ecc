//! Four numbers in one register: the 4-vectors of a particle's record. With loops over four lanes instead, the compiler
//! mixes scalars and halves of registers, which takes twice as long (measured in the loops of the integrator).

/// Four numbers in a register of one instruction set. All sets round identically. Values are made
/// by [`Transpose::load4`](super::transpose::Transpose::load4) and
/// [`splat4`](super::transpose::Transpose::splat4) from the proof that the processor has the set.
pub(crate) trait F64x4: Copy {
    fn store(self, line: &mut [f64; 4]);

    fn add(self, other: Self) -> Self;

    fn sub(self, other: Self) -> Self;

    fn mul(self, other: Self) -> Self;

    /// `self` where it is smaller, else the other: a NaN in `self` is dropped.
    fn min_or_other(self, other: Self) -> Self;

    /// `self` where it is larger, else the other: a NaN in `self` is dropped.
    fn max_or_other(self, other: Self) -> Self;

    /// The first three of `self`, and the fourth of the other.
    fn with_fourth_of(self, other: Self) -> Self;
}

/// An array.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlainF64x4(pub(super) [f64; 4]);

impl PlainF64x4 {
    #[inline(always)]
    fn each(self, other: Self, act: impl Fn(f64, f64) -> f64) -> Self {
        let (a, b) = (self.0, other.0);
        Self([act(a[0], b[0]), act(a[1], b[1]), act(a[2], b[2]), act(a[3], b[3])])
    }
}

impl F64x4 for PlainF64x4 {
    #[inline(always)]
    fn store(self, line: &mut [f64; 4]) {
        *line = self.0;
    }

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
    fn min_or_other(self, other: Self) -> Self {
        self.each(other, |a, b| if a < b { a } else { b })
    }

    #[inline(always)]
    fn max_or_other(self, other: Self) -> Self {
        self.each(other, |a, b| if a > b { a } else { b })
    }

    #[inline(always)]
    fn with_fourth_of(self, other: Self) -> Self {
        Self([self.0[0], self.0[1], self.0[2], other.0[3]])
    }
}

#[cfg(target_arch = "x86_64")]
pub(crate) use x86::Avx2F64x4;

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::F64x4;
    use crate::simd::Avx2;
    use std::arch::x86_64::*;

    /// A register of 256 bits.
    ///
    /// Invariant: a value exists only on a processor with AVX2, because it is made from the proof.
    #[derive(Debug, Clone, Copy)]
    pub(crate) struct Avx2F64x4(__m256d);

    /// Instructions of AVX2 on such values.
    macro_rules! avx2 {
        ($instructions:expr) => {
            // SAFETY: the invariant of the type; a 4-vector has four numbers.
            unsafe { $instructions }
        };
    }

    impl Avx2F64x4 {
        #[inline(always)]
        pub(crate) fn load(_: Avx2, line: &[f64; 4]) -> Self {
            Self(avx2!(_mm256_loadu_pd(line.as_ptr())))
        }

        #[inline(always)]
        pub(crate) fn splat(_: Avx2, value: f64) -> Self {
            Self(avx2!(_mm256_set1_pd(value)))
        }
    }

    impl F64x4 for Avx2F64x4 {
        #[inline(always)]
        fn store(self, line: &mut [f64; 4]) {
            avx2!(_mm256_storeu_pd(line.as_mut_ptr(), self.0));
        }

        #[inline(always)]
        fn add(self, other: Self) -> Self {
            Self(avx2!(_mm256_add_pd(self.0, other.0)))
        }

        #[inline(always)]
        fn sub(self, other: Self) -> Self {
            Self(avx2!(_mm256_sub_pd(self.0, other.0)))
        }

        #[inline(always)]
        fn mul(self, other: Self) -> Self {
            Self(avx2!(_mm256_mul_pd(self.0, other.0)))
        }

        #[inline(always)]
        fn min_or_other(self, other: Self) -> Self {
            Self(avx2!(_mm256_min_pd(self.0, other.0)))
        }

        #[inline(always)]
        fn max_or_other(self, other: Self) -> Self {
            Self(avx2!(_mm256_max_pd(self.0, other.0)))
        }

        #[inline(always)]
        fn with_fourth_of(self, other: Self) -> Self {
            Self(avx2!(_mm256_blend_pd::<8>(self.0, other.0)))
        }
    }
}
