//! A sum of floating-point numbers that is exact until it is read, so that it does not depend on the order of the
//! additions.
//!
//! Every finite double is an integer multiple of 2⁻¹⁰⁷⁴, below 2²⁰⁹⁸ of these units. The sum is stored as such an
//! integer in limbs of 32 bits, each in an `i64`, so that carries may be delayed for 2³⁰ additions. After Kulisch's
//! long accumulator (U. Kulisch, "Computer Arithmetic and Validity", 2008); rounding happens once, to nearest, ties to
//! even.

use crate::Vec3;

/// Bits of a limb.
const LIMB_BITS: usize = 32;
/// The bits of one limb.
const LIMB_MASK: i64 = 0xffff_ffff;
/// 66 limbs hold every double; the last one holds the carries of up to 2⁶³ of them.
const LIMBS: usize = 67;
/// Number of integers of a sum that is sent to other ranks.
pub(crate) const WORDS: usize = LIMBS + 3;
/// A limb grows by less than 2³² with each addition and holds 2⁶³, which bounds the number of additions before a carry.
const MOST_PENDING: u32 = 1 << 30;
/// Bits of the fraction of a double, without the hidden one.
const FRACTION_BITS: usize = 52;

/// An exact sum of doubles: the same bits for any order of additions and mergers.
///
/// A sum that holds NaN, or infinities of both signs, is NaN. A sum of zeros is +0.
///
/// ```
/// use esker::measure::ExactSum;
///
/// let numbers = [1e16, 1.0, -1e16];
/// assert_eq!(numbers.iter().sum::<f64>(), 0.0); // rounded
/// assert_eq!(numbers.into_iter().collect::<ExactSum>().value(), 1.0);
/// ```
#[derive(Debug, Clone)]
pub struct ExactSum {
    limbs: [i64; LIMBS],
    pending: u32,
    not_finite: f64,
}

impl Default for ExactSum {
    fn default() -> Self {
        Self { limbs: [0; LIMBS], pending: 0, not_finite: 0.0 }
    }
}

impl ExactSum {
    /// An empty sum.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds one number.
    #[inline]
    pub fn add(&mut self, number: f64) {
        let bits = number.to_bits();
        let exponent = (bits >> FRACTION_BITS & 0x7ff) as usize;
        if exponent == 0x7ff {
            self.not_finite += number;
            return;
        }
        let fraction = bits & ((1 << FRACTION_BITS) - 1);
        let hidden = u64::from(exponent != 0) << FRACTION_BITS;
        // subnormal numbers have the same unit as exponent 1
        let shift = exponent.max(1) - 1;
        let wide = u128::from(fraction | hidden) << (shift % LIMB_BITS);
        // all ones for a negative number: (x ^ sign) - sign negates without a branch
        let sign = (bits as i64) >> 63;
        let first = shift / LIMB_BITS;
        let limbs = &mut self.limbs[first..first + 3];
        limbs[0] += ((wide as i64 & LIMB_MASK) ^ sign) - sign;
        limbs[1] += (((wide >> 32) as i64 & LIMB_MASK) ^ sign) - sign;
        limbs[2] += ((wide >> 64) as i64 ^ sign) - sign;
        self.pending += 1;
        if self.pending >= MOST_PENDING {
            self.carry();
        }
    }

    /// Adds another sum.
    pub fn merge(&mut self, other: &Self) {
        if self.pending + other.pending >= MOST_PENDING {
            self.carry();
        }
        for (limb, more) in self.limbs.iter_mut().zip(&other.limbs) {
            *limb += more;
        }
        self.not_finite += other.not_finite;
        // a carried sum without pending additions still has full limbs: it counts as one
        self.pending += other.pending + 1;
        if self.pending >= MOST_PENDING {
            self.carry();
        }
    }

    /// The sum, rounded once to the nearest double.
    pub fn value(&self) -> f64 {
        if self.not_finite.is_nan() {
            return f64::NAN;
        }
        if self.not_finite != 0.0 {
            return self.not_finite;
        }
        let mut whole = self.clone();
        whole.carry();
        let negative = whole.limbs[LIMBS - 1] < 0;
        if negative {
            whole.limbs.iter_mut().for_each(|limb| *limb = -*limb);
            whole.carry();
        }
        let magnitude = round(&whole.limbs);
        if negative { -magnitude } else { magnitude }
    }

    /// The sum as integers that can be added to those of other sums, element by element, up to 2³⁰ times: carried
    /// limbs, then flags for +∞, −∞ and NaN.
    pub(crate) fn to_words(&self) -> [i64; WORDS] {
        let mut carried = self.clone();
        carried.carry();
        let mut words = [0; WORDS];
        words[..LIMBS].copy_from_slice(&carried.limbs);
        let added = self.not_finite;
        words[LIMBS] = i64::from(added == f64::INFINITY);
        words[LIMBS + 1] = i64::from(added == f64::NEG_INFINITY);
        words[LIMBS + 2] = i64::from(added.is_nan());
        words
    }

    /// The sum from added words.
    pub(crate) fn from_words(words: &[i64; WORDS]) -> Self {
        let mut sum = Self::default();
        sum.limbs.copy_from_slice(&words[..LIMBS]);
        sum.carry();
        for (&count, number) in
            words[LIMBS..].iter().zip([f64::INFINITY, f64::NEG_INFINITY, f64::NAN])
        {
            if count > 0 {
                sum.not_finite += number;
            }
        }
        sum
    }

    /// Normalises every limb but the last to 0..2³².
    fn carry(&mut self) {
        let mut carry = 0;
        for limb in &mut self.limbs[..LIMBS - 1] {
            let total = *limb + carry;
            *limb = total & LIMB_MASK;
            carry = total >> LIMB_BITS;
        }
        self.limbs[LIMBS - 1] += carry;
        self.pending = 1;
    }
}

/// The double nearest to a carried, non-negative number of units of 2⁻¹⁰⁷⁴.
fn round(limbs: &[i64; LIMBS]) -> f64 {
    let Some(top) = limbs.iter().rposition(|&limb| limb != 0) else { return 0.0 };
    if limbs[top] > LIMB_MASK {
        return f64::INFINITY; // only the last limb can be so full, far beyond any double
    }
    let leading = top * LIMB_BITS + limbs[top].ilog2() as usize;
    // below 2⁵³ units the number is its own bit pattern
    let dropped = leading.saturating_sub(FRACTION_BITS);
    let first = dropped / LIMB_BITS;
    let window = (0..3).fold(0u128, |window, part| {
        let limb = limbs.get(first + part).copied().unwrap_or(0);
        window | (limb as u128) << (LIMB_BITS * part)
    });
    let mantissa = (window >> (dropped % LIMB_BITS)) as u64 & ((1 << (FRACTION_BITS + 1)) - 1);
    let rounding = dropped > 0 && {
        let half = dropped - 1;
        let is_half = limbs[half / LIMB_BITS] >> (half % LIMB_BITS) & 1 == 1;
        let rest = limbs[half / LIMB_BITS] & ((1 << (half % LIMB_BITS)) - 1);
        let more = rest != 0 || limbs[..half / LIMB_BITS].iter().any(|&limb| limb != 0);
        is_half && (more || mantissa & 1 == 1)
    };
    // a mantissa that rounds up to 2⁵³ increments the exponent
    let bits = ((dropped as u64) << FRACTION_BITS) + mantissa + u64::from(rounding);
    f64::from_bits(bits.min(f64::INFINITY.to_bits()))
}

impl Extend<f64> for ExactSum {
    fn extend<I: IntoIterator<Item = f64>>(&mut self, numbers: I) {
        numbers.into_iter().for_each(|number| self.add(number));
    }
}

impl FromIterator<f64> for ExactSum {
    fn from_iter<I: IntoIterator<Item = f64>>(numbers: I) -> Self {
        let mut sum = Self::new();
        sum.extend(numbers);
        sum
    }
}

/// An exact sum of vectors, component by component.
///
/// ```
/// use esker::measure::ExactVectorSum;
/// use esker::prelude::*;
///
/// let sum: ExactVectorSum = [Vec3::X * 1e16, Vec3::X, Vec3::X * -1e16].into_iter().collect();
/// assert_eq!(sum.value(), Vec3::X);
/// ```
#[derive(Debug, Clone, Default)]
pub struct ExactVectorSum {
    pub(crate) components: [ExactSum; 3],
}

impl ExactVectorSum {
    /// Adds one vector.
    pub fn add(&mut self, vector: Vec3) {
        for (axis, sum) in self.components.iter_mut().enumerate() {
            sum.add(vector[axis]);
        }
    }

    /// Adds another sum.
    pub fn merge(&mut self, other: &Self) {
        for (sum, more) in self.components.iter_mut().zip(&other.components) {
            sum.merge(more);
        }
    }

    /// The sum, each component rounded once.
    pub fn value(&self) -> Vec3 {
        Vec3::from_array(std::array::from_fn(|axis| self.components[axis].value()))
    }
}

impl FromIterator<Vec3> for ExactVectorSum {
    fn from_iter<I: IntoIterator<Item = Vec3>>(vectors: I) -> Self {
        let mut sum = Self::default();
        vectors.into_iter().for_each(|vector| sum.add(vector));
        sum
    }
}

#[cfg(test)]
#[path = "exact_sum_tests.rs"]
mod tests;
