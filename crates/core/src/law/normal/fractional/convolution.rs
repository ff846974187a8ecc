//! Stored history of a contact before the last interval, as a block of numbers.

use super::exponentials::{Exponentials, MOST};
use super::interval::{Interval, decayed_moments};
use crate::simd::multiversion;

/// Lanes of the sums over exponentials: fixed, so that every instruction set has the same order of additions.
const LANES: usize = 8;

/// Numbers of an interval in a direct sum: its length and three speeds.
const PER_INTERVAL: usize = 4;

/// Representation of the history before the last interval.
#[derive(Debug)]
pub(super) enum Convolution {
    /// None: a spring or a dashpot.
    NoHistory,
    /// For each rate s the integral of δ'(τ) e^{-s(t-τ)}, at the beginning of the last interval [m].
    Exponentials { sum: Exponentials, shortest: f64, meaning: String, cached: Box<CachedFactors> },
    /// The number of intervals, then their lengths and speeds, oldest first; at most this many.
    Direct(usize),
}

impl Convolution {
    /// A sum of exponentials, padded to whole lanes, with precomputed values for the common step.
    pub(super) fn exponentials(
        mut sum: Exponentials,
        order: f64,
        range: [f64; 3],
        step: f64,
    ) -> Self {
        let [shortest, horizon, accuracy] = range;
        let meaning = format!(
            "exponentials for the order {order} from {shortest} s to {horizon} s at {accuracy}"
        );
        sum.pad(sum.rates.len().next_multiple_of(LANES));
        let cached = Box::new(CachedFactors::new(&sum, step));
        Self::Exponentials { sum, shortest, meaning, cached }
    }

    /// Number of values per contact, and their meaning.
    pub(super) fn shape(&self) -> (usize, &str) {
        match self {
            Self::NoHistory => (0, ""),
            Self::Exponentials { sum, meaning, .. } => (sum.rates.len(), meaning),
            Self::Direct(intervals) => (1 + PER_INTERVAL * intervals, "intervals"),
        }
    }

    /// Adds an interval to a block; `interval_weights` is scratch memory for the chunk.
    pub(super) fn add_interval(
        &self,
        interval: &Interval,
        interval_weights: &mut IntervalWeights,
        block: &mut [f64],
    ) {
        match self {
            Self::NoHistory => {}
            Self::Exponentials { sum, cached, .. } => {
                let length = interval.length;
                let interval_weights = if cached.interval_weights.length == length {
                    &cached.interval_weights
                } else {
                    interval_weights.update(sum, length)
                };
                accumulate(interval_weights, &interval.speeds, block);
            }
            Self::Direct(most) => push(interval, *most, block),
        }
    }
}

/// Effect of one interval of a certain length on each exponential: the same for all contacts that have existed for more
/// than a step.
#[derive(Debug)]
pub(super) struct IntervalWeights {
    length: f64,
    decay: [f64; MOST],
    moments: [[f64; MOST]; 3],
}

impl IntervalWeights {
    pub(super) const NONE: Self =
        Self { length: 0.0, decay: [0.0; MOST], moments: [[0.0; MOST]; 3] };

    fn update(&mut self, sum: &Exponentials, length: f64) -> &Self {
        if self.length == length {
            return self;
        }
        self.length = length;
        for (index, rate) in sum.rates.iter().enumerate() {
            let [zeroth, first, second, decay] = decayed_moments(rate * length);
            self.decay[index] = decay;
            for (moments, moment) in self.moments.iter_mut().zip([zeroth, first, second]) {
                moments[index] = length * moment;
            }
        }
        self
    }
}

multiversion! {
    fn accumulate(interval_weights: &IntervalWeights, speeds: &[f64; 3], block: &mut [f64]) {
        let [zeroth, first, second] = &interval_weights.moments;
        let count = block.len().min(MOST);
        for index in 0..count {
            let added = speeds[0] * zeroth[index] + speeds[1] * first[index] + speeds[2] * second[index];
            block[index] = interval_weights.decay[index] * block[index] + added;
        }
    }
}

/// Weights of the exponentials at a certain age of the block.
#[derive(Debug)]
pub(super) struct DecayFactors {
    age: f64,
    factors: [f64; MOST],
}

impl DecayFactors {
    pub(super) const NONE: Self = Self { age: -1.0, factors: [0.0; MOST] };

    fn update(&mut self, sum: &Exponentials, age: f64) -> &Self {
        if self.age != age {
            self.age = age;
            for (index, (rate, weight)) in sum.rates.iter().zip(&sum.weights).enumerate() {
                self.factors[index] = weight * libm::exp(-rate * age);
            }
        }
        self
    }

    /// `Σ w e^{-s age} ψ` over a block.
    pub(super) fn sum(
        &mut self,
        sum: &Exponentials,
        cached: &CachedFactors,
        age: f64,
        block: &[f64],
    ) -> f64 {
        let decay_factors = if cached.decay_factors.age == age {
            &cached.decay_factors
        } else {
            self.update(sum, age)
        };
        weighted(&decay_factors.factors, block)
    }
}

/// Precomputed values for contacts that have existed for more than a step, if all steps have the same length.
#[derive(Debug)]
pub(super) struct CachedFactors {
    interval_weights: IntervalWeights,
    decay_factors: DecayFactors,
}

impl CachedFactors {
    /// For this length of the step; nothing is precomputed if it is zero.
    fn new(sum: &Exponentials, step: f64) -> Self {
        let (mut interval_weights, mut decay_factors) = (IntervalWeights::NONE, DecayFactors::NONE);
        if step > 0.0 {
            interval_weights.update(sum, step);
            // a step, and the last interval before it
            decay_factors.update(sum, step + step);
        }
        Self { interval_weights, decay_factors }
    }
}

multiversion! {
    fn weighted(factors: &[f64; MOST], block: &[f64]) -> f64 {
        let mut lanes = [0.0; LANES];
        for (factors, values) in factors.chunks_exact(LANES).zip(block.chunks_exact(LANES)) {
            for lane in 0..LANES {
                lanes[lane] += factors[lane] * values[lane];
            }
        }
        ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]))
    }
}

/// The intervals of a block, oldest first.
fn intervals(block: &[f64]) -> impl DoubleEndedIterator<Item = Interval> {
    let count = block[0] as usize;
    block[1..].chunks_exact(PER_INTERVAL).take(count).map(read)
}

fn read(values: &[f64]) -> Interval {
    Interval { length: values[0], speeds: [values[1], values[2], values[3]] }
}

fn write(interval: &Interval, values: &mut [f64]) {
    values[0] = interval.length;
    values[1..PER_INTERVAL].copy_from_slice(&interval.speeds);
}

/// `∫ δ'(τ)(t-τ)^{-α} dτ` over all intervals of a block that ended a time `lag` ago.
pub(super) fn direct_sum(order: f64, mut lag: f64, block: &[f64]) -> f64 {
    let mut sum = 0.0;
    for interval in intervals(block).rev() {
        sum += interval.convolve_far(order, lag);
        lag += interval.length;
    }
    sum
}

/// Adds an interval to a block; if it is full, the two oldest are merged into one of constant speed.
fn push(interval: &Interval, most: usize, block: &mut [f64]) {
    let mut count = block[0] as usize;
    let list = &mut block[1..];
    if count == most {
        let [oldest, next] = [0, PER_INTERVAL].map(|start| read(&list[start..]));
        let joined = Interval::ramp(oldest.length + next.length, oldest.change() + next.change());
        list.copy_within(PER_INTERVAL.., 0);
        write(&joined, list);
        count -= 1;
    }
    write(interval, &mut list[PER_INTERVAL * count..]);
    block[0] = (count + 1) as f64;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Steps of varying length and the overlap after each: a slowly loaded oscillation.
    fn motion(count: usize) -> Vec<Interval> {
        let overlap = |t: f64| t + 0.3 * (40.0 * t).sin();
        let speed = |t: f64| 1.0 + 12.0 * (40.0 * t).cos();
        let mut time = 0.0;
        (0..count)
            .map(|index| {
                let length = (1.0 + 0.5 * (index as f64).sin()) / count as f64;
                let (start, end) = (time, time + length);
                time = end;
                Interval::cubic(length, overlap(end) - overlap(start), speed(start), speed(end))
            })
            .collect()
    }

    /// The convolution at the end of the motion, by a direct sum over all but the last intervals, and the sum of the
    /// absolute terms, to which errors are relative.
    fn directly(order: f64, past: &[Interval], lag: f64) -> (f64, f64) {
        let (mut sum, mut sizes, mut lag) = (0.0, 0.0, lag);
        for interval in past.iter().rev() {
            let part = interval.convolve_far(order, lag);
            sum += part;
            sizes += part.abs();
            lag += interval.length;
        }
        (sum, sizes)
    }

    #[test]
    fn exponentials_are_the_direct_sum_over_a_hundred_thousand_steps() {
        let count = 100_000;
        let all = motion(count);
        for order in [0.01, 0.1, 0.5, 0.85, 0.99] {
            let accuracy = 1e-6;
            // the shortest step is half the mean
            let sum = Exponentials::new(order, 0.5 / count as f64, 2.0, accuracy);
            let convolution = Convolution::exponentials(sum, order, [0.0; 3], 0.0);
            let mut block = vec![0.0; convolution.shape().0];
            let Convolution::Exponentials { sum, cached, .. } = &convolution else {
                panic!("they are exponentials")
            };
            let mut interval_weights = IntervalWeights::NONE;
            for (done, interval) in (1..).zip(&all) {
                convolution.add_interval(interval, &mut interval_weights, &mut block);
                if [10, 1000, 30_000, count].contains(&done) {
                    let age = 1.0 / count as f64;
                    let mut decay_factors = DecayFactors::NONE;
                    let found = decay_factors.sum(sum, cached, age, &block);
                    let (expected, sizes) = directly(order, &all[..done], age);
                    let error = (found - expected).abs() / sizes;
                    assert!(error < accuracy, "{order} after {done}: {error:e}");
                }
            }
        }
    }

    #[test]
    fn a_direct_sum_in_a_row_is_the_direct_sum() {
        let all = motion(50);
        let convolution = Convolution::Direct(50);
        let mut block = vec![0.0; convolution.shape().0];
        let mut interval_weights = IntervalWeights::NONE;
        all.iter().for_each(|interval| {
            convolution.add_interval(interval, &mut interval_weights, &mut block)
        });
        let (expected, _) = directly(0.3, &all, 0.01);
        assert_eq!(direct_sum(0.3, 0.01, &block), expected);
    }

    #[test]
    fn a_full_list_keeps_the_change_of_the_overlap_and_errs_little() {
        let all = motion(400);
        let convolution = Convolution::Direct(200);
        let mut block = vec![0.0; convolution.shape().0];
        let mut interval_weights = IntervalWeights::NONE;
        all.iter().for_each(|interval| {
            convolution.add_interval(interval, &mut interval_weights, &mut block)
        });
        let total = |all: &mut dyn Iterator<Item = Interval>| -> f64 {
            all.map(|interval| interval.change()).sum()
        };
        let (found, expected) = (total(&mut intervals(&block)), total(&mut all.iter().copied()));
        assert!((found - expected).abs() < 1e-13);
        // the older half of the motion has been merged into one interval, of which only the mean is known: the error is
        // that of the oscillation averaged over a kernel that is smooth there
        let (expected, sizes) = directly(0.3, &all, 1e-3);
        assert!((direct_sum(0.3, 1e-3, &block) - expected).abs() < 0.01 * sizes);
    }

    #[test]
    fn the_derivative_of_a_square_is_a_power() {
        // D^α t² = 2 t^{2-α} / Γ(3-α), exact for intervals of linear speed
        let (order, count) = (0.4, 1000);
        let at = |index: usize| index as f64 / count as f64;
        let interval = |index: usize| {
            let (start, end) = (at(index), at(index + 1));
            Interval::cubic(end - start, end * end - start * start, 2.0 * start, 2.0 * end)
        };
        let all: Vec<Interval> = (0..count).map(interval).collect();
        let (found, _) = directly(order, &all, 0.0);
        let expected = 2.0 / libm::tgamma(3.0 - order);
        // the rule for far intervals
        assert!((found / libm::tgamma(1.0 - order) / expected - 1.0).abs() < 1e-7);
    }
}
