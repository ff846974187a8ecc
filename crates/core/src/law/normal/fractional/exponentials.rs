//! The power kernel as a sum of exponentials, `t^{-α} ≈ Σ w_j e^{-s_j t}` on δ ≤ t ≤ T.
//!
//! The trapezoidal rule in x = ln s for `t^{-α} = 1/Γ(α) ∫ exp(αx - t e^x) dx`. The step of the rule follows from its
//! exact aliasing error, the largest node from the part of the integral beyond it. The infinitely many nodes below 1/T
//! are replaced by the Gauss rule of four nodes with the same moments. All nodes and weights are positive, and there
//! are about (ln(T/δ) + 2.8)/h + 4.

use std::f64::consts::TAU;

/// Largest number of nodes; a horizon of 10¹² shortest lags needs fewer.
pub(super) const MOST: usize = 64;

/// Number of nodes that replace all those below 1/T.
const TAIL: usize = 4;

/// Nodes and weights.
#[derive(Debug, Clone)]
pub(super) struct Exponentials {
    /// Rates s_j [1/s].
    pub rates: Vec<f64>,
    /// Weights w_j [s^{-α}].
    pub weights: Vec<f64>,
}

impl Exponentials {
    /// For an order between 0 and 1, lags from `shortest` to `longest`, and a relative error.
    pub(super) fn new(order: f64, shortest: f64, longest: f64, accuracy: f64) -> Self {
        let spacing = spacing(order, accuracy / 3.0);
        let gamma = libm::tgamma(order);
        let weight = |rate: f64| spacing * libm::pow(rate, order) / gamma;
        let ratio = libm::exp(-spacing);
        let mut rate = largest(order, accuracy / 3.0) / shortest;
        let (mut rates, mut weights) = (Vec::new(), Vec::new());
        while rate >= 1.0 / longest {
            rates.push(rate);
            weights.push(weight(rate));
            rate *= ratio;
        }
        // the rest of the geometric sequence, in units of its first rate; negligible rates are one mass at zero
        let mut points = Vec::new();
        let mut fraction = 1.0;
        while fraction > 1e-18 {
            points.push([fraction, weight(fraction * rate)]);
            fraction *= ratio;
        }
        points.push([0.0, weight(fraction * rate) / -libm::expm1(-order * spacing)]);
        for [fraction, weight] in gauss(&points) {
            rates.push(fraction * rate);
            weights.push(weight);
        }
        Self { rates, weights }
    }

    /// Adds nodes with zero weight.
    pub(super) fn pad(&mut self, count: usize) {
        self.rates.resize(count, 0.0);
        self.weights.resize(count, 0.0);
    }
}

/// The largest spacing of the nodes for which the aliasing error, 2 |Γ(α + 2πi/h)| / Γ(α), is allowed.
fn spacing(order: f64, allowed: f64) -> f64 {
    let target = libm::log(0.5 * allowed) + libm::lgamma(order);
    let (mut low, mut high) = (0.05, 3.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if log_gamma_modulus(order, TAU / middle) < target { low = middle } else { high = middle }
    }
    low
}

/// `ln |Γ(x + iy)|` by Stirling's series after a shift by eight.
fn log_gamma_modulus(x: f64, y: f64) -> f64 {
    const SHIFT: u32 = 8;
    let below: f64 = (0..SHIFT).map(|k| 0.5 * libm::log((x + f64::from(k)).powi(2) + y * y)).sum();
    let x = x + f64::from(SHIFT);
    let square = x * x + y * y;
    let (log, angle) = (0.5 * libm::log(square), libm::atan2(y, x));
    // real parts of 1/z and 1/z³
    let inverse = x / square;
    let cube = (x * x * x - 3.0 * x * y * y) / (square * square * square);
    (x - 0.5) * log - y * angle - x + 0.5 * libm::log(TAU) + inverse / 12.0 - cube / 360.0 - below
}

/// z with Γ(α, z)/Γ(α) below the allowed error, from Γ(α, z) ≤ z^{α-1} e^{-z}.
fn largest(order: f64, allowed: f64) -> f64 {
    let target = libm::log(allowed) + libm::lgamma(order);
    let mut z = 1.0;
    while (order - 1.0) * libm::log(z) - z > target {
        z += 0.05;
    }
    z
}

/// The Gauss rule of a discrete measure: the recurrence of its orthogonal polynomials by the Stieltjes procedure, their
/// zeros by bisection between those of the previous polynomial.
fn gauss(points: &[[f64; 2]]) -> [[f64; 2]; TAIL] {
    let (mut shifts, mut squares) = ([0.0; TAIL], [0.0; TAIL]);
    let mut values = vec![[0.0, 1.0]; points.len()];
    let mut before = 1.0;
    for degree in 0..TAIL {
        let both = || points.iter().zip(&values).map(|([x, w], [_, p])| (x, w * p * p));
        let norm: f64 = both().map(|(_, w)| w).sum();
        shifts[degree] = both().map(|(x, w)| x * w).sum::<f64>() / norm;
        squares[degree] = if degree == 0 { norm } else { norm / before };
        before = norm;
        for ([x, _], [last, present]) in points.iter().zip(&mut values) {
            let coupling = if degree == 0 { 0.0 } else { squares[degree] };
            let next = (x - shifts[degree]) * *present - coupling * *last;
            (*last, *present) = (*present, next);
        }
    }
    let roots = zeros(&shifts, &squares);
    roots.map(|x| {
        // 1/weight is the sum of the squares of the normalised polynomials
        let (mut last, mut present, mut norm, mut sum) = (0.0, 1.0, squares[0], 0.0);
        for degree in 0..TAIL {
            sum += present * present / norm;
            let coupling = if degree == 0 { 0.0 } else { squares[degree] };
            let next = (x - shifts[degree]) * present - coupling * last;
            (last, present) = (present, next);
            norm *= squares.get(degree + 1).copied().unwrap_or(1.0);
        }
        [x, 1.0 / sum]
    })
}

/// Zeros of the polynomial of the highest degree; those of each degree separate those of the next.
fn zeros(shifts: &[f64; TAIL], squares: &[f64; TAIL]) -> [f64; TAIL] {
    let value = |degree: usize, x: f64| {
        let (mut last, mut present) = (0.0, 1.0);
        for index in 0..degree {
            let coupling = if index == 0 { 0.0 } else { squares[index] };
            (last, present) = (present, (x - shifts[index]) * present - coupling * last);
        }
        present
    };
    let mut found = [0.0; TAIL];
    for degree in 1..=TAIL {
        let known = found;
        for index in 0..degree {
            let mut low = if index == 0 { 0.0 } else { known[index - 1] };
            let mut high = if index + 1 == degree { 1.0 } else { known[index] };
            let sign = value(degree, high).signum();
            for _ in 0..200 {
                let middle = 0.5 * (low + high);
                if value(degree, middle).signum() == sign { high = middle } else { low = middle }
            }
            found[index] = 0.5 * (low + high);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    /// Largest relative error of the kernel between two lags.
    fn error(sum: &Exponentials, order: f64, shortest: f64, longest: f64) -> f64 {
        let count = 2000;
        let lag = |i: i32| shortest * (longest / shortest).powf(f64::from(i) / f64::from(count));
        let relative = |t: f64| {
            let both = sum.rates.iter().zip(&sum.weights);
            let found: f64 = both.map(|(s, w)| w * (-s * t).exp()).sum();
            (found * t.powf(order) - 1.0).abs()
        };
        (0..=count).map(|i| relative(lag(i))).fold(0.0, f64::max)
    }

    #[test]
    fn the_kernel_is_as_accurate_as_was_asked() {
        for order in [1e-6, 0.01, 0.1, 0.5, 0.85, 0.99, 1.0 - 1e-6] {
            for accuracy in [1e-3, 1e-6, 1e-8] {
                let sum = Exponentials::new(order, 1e-6, 1.0, accuracy);
                let found = error(&sum, order, 1e-6, 1.0);
                assert!(found < accuracy, "{order} {accuracy}: {found}");
                assert!(sum.rates.iter().all(|rate| *rate >= 0.0));
                assert!(sum.weights.iter().all(|weight| *weight > 0.0));
            }
        }
    }

    #[test]
    fn few_nodes_are_needed() {
        // counts of an independent construction with three nodes in the tail: order, then T/δ of 1e2, 1e4, 1e6, 1e8;
        // here the tail has one more node, and rounding may add one
        let published = [
            (0.01, [12, 17, 22, 27]),
            (0.1, [14, 20, 27, 33]),
            (0.5, [16, 24, 31, 38]),
            (0.85, [17, 25, 33, 41]),
            (0.99, [17, 26, 34, 42]),
        ];
        for (order, counts) in published {
            for (ratio, expected) in [1e2, 1e4, 1e6, 1e8].into_iter().zip(counts) {
                let sum = Exponentials::new(order, 1.0, ratio, 1e-6);
                let found = sum.rates.len();
                assert!(found <= expected + 2, "{order} {ratio:e}: {found}, not {expected}");
                assert!(found <= MOST);
            }
        }
    }

    #[test]
    fn the_modulus_of_gamma_keeps_to_the_reflection() {
        // |Γ(iy)|² = π / (y sinh πy) and |Γ(1 + iy)| = y |Γ(iy)|
        for y in [0.5f64, 3.0, 10.0] {
            let expected = 0.5 * (PI / (y * (PI * y).sinh())).ln() + y.ln();
            // the next term of the series is 1/1260z⁵ with |z| ≥ 9
            assert!((log_gamma_modulus(1.0, y) - expected).abs() < 2e-8);
        }
    }
}
