//! Powers with a fixed exponent of columns: by multiplications and a square root if twice the exponent is a small
//! integer, as in nearly every scene, and by `pow` otherwise.

use crate::law::{Column, WIDTH};
use crate::simd::multiversion;

/// Largest exponent that is evaluated by multiplications.
const LARGEST: f64 = 24.0;

/// `x^p` for x ≥ 0 and a fixed p ≥ 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Power {
    exponent: f64,
    /// Twice the exponent, if that is a small integer.
    halves: Option<u32>,
}

impl Power {
    /// The power with this exponent.
    pub(crate) fn new(exponent: f64) -> Self {
        let doubled = 2.0 * exponent;
        let is_small = (0.0..=2.0 * LARGEST).contains(&doubled) && doubled.fract() == 0.0;
        Self { exponent, halves: is_small.then_some(doubled as u32) }
    }

    /// The exponent p.
    pub(crate) fn exponent(&self) -> f64 {
        self.exponent
    }

    /// The power of each number of a column.
    pub(crate) fn raise(&self, base: &Column) -> Column {
        let mut result = [1.0; WIDTH];
        match self.halves {
            Some(halves) => multiply_out(base, halves, &mut result),
            None => {
                for c in 0..WIDTH {
                    result[c] = libm::pow(base[c], self.exponent);
                }
            }
        }
        result
    }

    /// The power of one number.
    pub(crate) fn of(&self, base: f64) -> f64 {
        self.raise(&[base; WIDTH])[0]
    }
}

multiversion! {
    /// Square and multiply; the exponent is the same for all lanes.
    fn multiply_out(base: &Column, halves: u32, result: &mut Column) {
        if halves & 1 == 1 {
            for c in 0..WIDTH {
                result[c] = base[c].sqrt();
            }
        }
        let mut square = *base;
        let mut rest = halves >> 1;
        while rest > 0 {
            if rest & 1 == 1 {
                for c in 0..WIDTH {
                    result[c] *= square[c];
                }
            }
            rest >>= 1;
            if rest > 0 {
                for c in 0..WIDTH {
                    square[c] *= square[c];
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_by_multiplication_are_those_of_the_library() {
        for halves in 0..=48 {
            let exponent = 0.5 * f64::from(halves);
            let power = Power::new(exponent);
            assert!(power.halves.is_some());
            for base in [0.0, 1e-6, 0.03, 0.7, 1.0, 3.5, 120.0] {
                let expected = libm::pow(base, exponent);
                let error = (power.of(base) - expected).abs();
                // one rounding error for each of at most ten multiplications
                assert!(error <= 2e-15 * expected, "{base}^{exponent}: {error:e}");
            }
        }
        assert_eq!(Power::new(1.3).of(2.0), libm::pow(2.0, 1.3));
    }
}
