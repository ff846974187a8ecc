//! Mean, deviation, quantile and linear fit of short lists, with exact sums.

use super::{ExactSum, ParticleView};

/// Mean and sample standard deviation; no deviation of fewer than two numbers.
pub(super) fn mean_and_deviation(numbers: &[f64]) -> (Option<f64>, Option<f64>) {
    let count = numbers.len();
    if count == 0 {
        return (None, None);
    }
    let mean = numbers.iter().copied().collect::<ExactSum>().value() / count as f64;
    let squares: ExactSum =
        numbers.iter().map(|number| (number - mean) * (number - mean)).collect();
    let deviation = (count > 1).then(|| (squares.value() / (count as f64 - 1.0)).sqrt());
    (Some(mean), deviation)
}

/// The smallest number such that this fraction of all numbers is at or below it.
pub(super) fn quantile(mut numbers: Vec<f64>, fraction: f64) -> Option<f64> {
    numbers.sort_by(f64::total_cmp);
    let last = numbers.len().checked_sub(1)?;
    let index = (fraction * numbers.len() as f64).ceil() as usize;
    numbers.get(index.saturating_sub(1).min(last)).copied()
}

/// Slope of the least-squares line; `None` for fewer than three points or without spread.
pub(super) fn slope(points: &[[f64; 2]]) -> Option<f64> {
    if points.len() < 3 {
        return None;
    }
    let count = points.len() as f64;
    let mean = |axis: usize| points.iter().map(|p| p[axis]).collect::<ExactSum>().value() / count;
    let (x, y) = (mean(0), mean(1));
    let spread: ExactSum = points.iter().map(|p| (p[0] - x) * (p[0] - x)).collect();
    let product: ExactSum = points.iter().map(|p| (p[0] - x) * (p[1] - y)).collect();
    (spread.value() > 0.0).then(|| product.value() / spread.value())
}

/// Mean radius [m]; `None` without particles.
pub(super) fn mean_radius(particles: &[&ParticleView]) -> Option<f64> {
    let sum: ExactSum = particles.iter().map(|particle| particle.radius).collect();
    (!particles.is_empty()).then(|| sum.value() / particles.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_known_mean_deviation_and_quantile() {
        let (mean, deviation) = mean_and_deviation(&[2.0, 4.0, 9.0]);
        assert_eq!(mean, Some(5.0));
        // (9 + 1 + 16) / 2 = 13
        assert_eq!(deviation, Some(13.0_f64.sqrt()));
        assert_eq!(mean_and_deviation(&[2.0]), (Some(2.0), None));
        assert_eq!(mean_and_deviation(&[]), (None, None));
        let numbers: Vec<f64> = (1..=20).rev().map(f64::from).collect();
        assert_eq!(quantile(numbers.clone(), 0.95), Some(19.0));
        assert_eq!(quantile(numbers, 1.0), Some(20.0));
        assert_eq!(quantile(vec![], 0.5), None);
    }

    #[test]
    fn points_on_a_line_have_its_slope() {
        assert_eq!(slope(&[[0.0, 1.0], [1.0, -1.0], [3.0, -5.0]]), Some(-2.0));
        assert_eq!(slope(&[[0.0, 1.0], [1.0, -1.0]]), None);
        assert_eq!(slope(&[[1.0, 1.0], [1.0, 2.0], [1.0, 3.0]]), None);
    }
}
