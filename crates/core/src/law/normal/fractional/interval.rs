//! One interval of the motion of a contact, and its contribution to the fractional derivative.
//!
//! Within an interval of length L the speed is `a₀ + a₁x + a₂x²`, x from 0 to 1: the derivative of
//! the cubic through overlaps and speeds at both ends, or a constant.

/// Speeds within an interval [m/s] and its length [s]; a length of zero is no interval.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Interval {
    pub length: f64,
    pub speeds: [f64; 3],
}

/// Nodes and weights of the Gauss–Legendre rule on 0 to 1.
const GAUSS: [[f64; 2]; 4] = [
    [0.069_431_844_202_973_71, 0.173_927_422_568_726_93],
    [0.330_009_478_207_571_87, 0.326_072_577_431_273_07],
    [0.669_990_521_792_428_1, 0.326_072_577_431_273_07],
    [0.930_568_155_797_026_3, 0.173_927_422_568_726_93],
];

/// Lag in lengths of the interval beyond which four points of the kernel suffice: the error of the rule is below 3e-9
/// of the speeds in the interval.
const FAR: f64 = 4.0;

impl Interval {
    /// An interval with constant speed.
    pub(super) fn ramp(length: f64, change: f64) -> Self {
        Self { length, speeds: [change / length, 0.0, 0.0] }
    }

    /// The interval of a cubic overlap with this change and these speeds at the ends.
    pub(super) fn cubic(length: f64, change: f64, start: f64, end: f64) -> Self {
        let bend = 6.0 * (change / length - 0.5 * (start + end));
        Self { length, speeds: [start, end - start + bend, -bend] }
    }

    /// Change of the overlap [m].
    pub(super) fn change(&self) -> f64 {
        let [a, b, c] = self.speeds;
        self.length * (a + b / 2.0 + c / 3.0)
    }

    /// `∫ δ'(τ) (t - τ)^{-α} dτ`, where the interval ends a time `lag` before t. `[near, far]` are
    /// the powers 1 - α of the lags of its end and start.
    #[inline(always)]
    pub(super) fn convolve(&self, order: f64, lag: f64, [near, far]: [f64; 2]) -> f64 {
        let [a, b, c] = self.speeds;
        let start = lag + self.length;
        let (slope, bend) = (b / self.length, c / (self.length * self.length));
        // in powers of the lag: x = (start - w)/L
        let zeroth = a + (slope + bend * start) * start;
        let first = -slope - 2.0 * bend * start;
        zeroth * (far - near) / (1.0 - order)
            + first * (far * start - near * lag) / (2.0 - order)
            + bend * (far * start * start - near * lag * lag) / (3.0 - order)
    }

    /// The same for any lag, including long ones, for which the powers above cancel.
    pub(super) fn convolve_far(&self, order: f64, lag: f64) -> f64 {
        let [a, b, c] = self.speeds;
        if lag < FAR * self.length || (b == 0.0 && c == 0.0) {
            let powers = [lag, lag + self.length].map(|lag| libm::pow(lag, 1.0 - order));
            return self.convolve(order, lag, powers);
        }
        let parts = GAUSS.map(|[x, weight]| {
            let speed = a + (b + c * x) * x;
            weight * speed * libm::pow(lag + (1.0 - x) * self.length, -order)
        });
        self.length * parts.iter().sum::<f64>()
    }
}

/// `∫ x^k e^{-z(1-x)} dx` from 0 to 1, k = 0, 1, 2, and e^{-z}.
pub(super) fn decayed_moments(z: f64) -> [f64; 4] {
    let decay = libm::exp(-z);
    if z > 0.3 {
        let zeroth = -libm::expm1(-z) / z;
        let first = (1.0 - zeroth) / z;
        return [zeroth, first, (1.0 - 2.0 * first) / z, decay];
    }
    // Σ (-z)^m k!/(k+m+1)! for k = 2, and the downward recurrence, which has no cancellation
    let (mut term, mut second) = (1.0 / 3.0, 0.0);
    for index in 0..12 {
        second += term;
        term *= -z / (f64::from(index) + 4.0);
    }
    let first = 0.5 * (1.0 - z * second);
    [1.0 - z * first, first, second, decay]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The integral by the midpoint rule in y with w = lag + L y⁴: smooth for any order.
    fn by_sum(interval: &Interval, order: f64, lag: f64) -> f64 {
        let count = 20_000;
        let part = |index: usize| {
            let y = (index as f64 + 0.5) / count as f64;
            let past = y.powi(4);
            let x = 1.0 - past;
            let speed = interval.speeds[0] + (interval.speeds[1] + interval.speeds[2] * x) * x;
            let lag = lag + interval.length * past;
            speed * lag.powf(-order) * interval.length * 4.0 * y.powi(3)
        };
        (0..count).map(part).sum::<f64>() / count as f64
    }

    #[test]
    fn the_convolution_is_the_integral() {
        let interval = Interval::cubic(0.3, 0.7, 1.0, -2.0);
        for order in [0.05, 0.5, 0.7] {
            for lag in [0.0, 0.1, 1.0, 1.3, 50.0] {
                let found = interval.convolve_far(order, lag);
                let expected = by_sum(&interval, order, lag);
                // the midpoint rule with y^{3-4α} at the start
                assert!((found / expected - 1.0).abs() < 3e-6, "{order} {lag}: {found} {expected}");
            }
        }
    }

    #[test]
    fn near_and_far_formulas_agree_where_they_meet() {
        let interval = Interval::cubic(0.3, 0.7, 1.0, -2.0);
        for order in [0.05, 0.5, 0.95] {
            let lag = FAR * interval.length;
            let powers = [lag, lag + interval.length].map(|lag| lag.powf(1.0 - order));
            let near = interval.convolve(order, lag, powers);
            // speeds of up to 20 times the mean, with a relative error of 3e-9 each
            assert!((interval.convolve_far(order, lag) / near - 1.0).abs() < 6e-8);
        }
    }

    #[test]
    fn a_cubic_has_its_ends_and_its_change() {
        let interval = Interval::cubic(0.3, 0.7, 1.0, -2.0);
        assert!((interval.change() - 0.7).abs() < 1e-15);
        assert_eq!(interval.speeds[0], 1.0);
        assert!((interval.speeds.iter().sum::<f64>() + 2.0).abs() < 1e-14);
    }

    #[test]
    fn moments_are_the_same_by_series_and_by_recurrence() {
        for z in [0.299_999_999f64, 1e-3] {
            let series = decayed_moments(z);
            let zeroth = -(-z).exp_m1() / z;
            let first = (1.0 - zeroth) / z;
            let direct = [zeroth, first, (1.0 - 2.0 * first) / z];
            for (index, direct) in direct.into_iter().enumerate() {
                // the direct form loses a digit for each factor of ten in z and each power
                let lost = 1e-15 / z.powi(index as i32);
                assert!((series[index] - direct).abs() < 4.0 * lost, "{z} {index}");
            }
        }
    }
}
