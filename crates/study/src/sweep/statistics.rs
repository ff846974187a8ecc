//! Means, ranks, correlations and intervals by resampling.

use esker::random::{Draws, Purpose};

/// Number of resamples for an interval: its ends are then accurate to about a tenth of its width.
const RESAMPLES: u64 = 1000;
/// Fraction of the resampled values within an interval.
const INSIDE: f64 = 0.95;

/// The mean.
pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Mean squared distance from the mean.
pub fn variance(values: &[f64]) -> f64 {
    let mean = mean(values);
    values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / values.len() as f64
}

/// True if values differ by more than rounding errors.
pub fn vary(values: &[f64]) -> bool {
    let present: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
    let least = 1e-12 * mean(&present);
    present.len() > 1 && variance(&present) > least * least
}

/// Standard deviation of a population of which these are a sample; none of fewer than two.
pub fn deviation(values: &[f64]) -> Option<f64> {
    let count = values.len() as f64;
    (values.len() > 1).then(|| libm::sqrt(variance(values) * count / (count - 1.0)))
}

/// Ranks from 1; equal values have the mean of their ranks.
pub fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut ranks = vec![0.0; values.len()];
    let mut start = 0;
    while start < order.len() {
        let mut end = start + 1;
        while end < order.len() && values[order[end]] == values[order[start]] {
            end += 1;
        }
        for position in &order[start..end] {
            ranks[*position] = 0.5 * (start + 1 + end) as f64;
        }
        start = end;
    }
    ranks
}

/// Pearson's correlation; zero if one of the two does not vary.
pub fn correlation(x: &[f64], y: &[f64]) -> f64 {
    let (mean_x, mean_y) = (mean(x), mean(y));
    let product = x.iter().zip(y).map(|(x, y)| (x - mean_x) * (y - mean_y)).sum::<f64>();
    let size = libm::sqrt(variance(x) * variance(y)) * x.len() as f64;
    if size > 0.0 { product / size } else { 0.0 }
}

/// The value below which a fraction of sorted values lies, interpolated linearly.
fn quantile(sorted: &[f64], fraction: f64) -> f64 {
    let position = fraction * (sorted.len() - 1) as f64;
    let below = position as usize;
    let above = (below + 1).min(sorted.len() - 1);
    sorted[below] + (position - below as f64) * (sorted[above] - sorted[below])
}

/// 95 % intervals of estimates by the percentile bootstrap (Efron 1979): the estimates are repeated with rows drawn
/// with replacement. Rows are resampled, not single runs, since the runs of a row are dependent.
pub fn intervals(
    rows: usize,
    seed: u64,
    estimate: impl Fn(&[usize]) -> Vec<f64>,
) -> Vec<Option<[f64; 2]>> {
    let width = estimate(&(0..rows).collect::<Vec<_>>()).len();
    if rows < 2 {
        return vec![None; width];
    }
    let mut found: Vec<Vec<f64>> = vec![Vec::new(); width];
    for sample in 0..RESAMPLES {
        let draws = Draws::new(seed, Purpose::Resample, sample);
        let chosen: Vec<usize> = (0..rows)
            .map(|row| ((draws.uniform(row as u32) * rows as f64) as usize).min(rows - 1))
            .collect();
        for (found, value) in found.iter_mut().zip(estimate(&chosen)) {
            found.extend(value.is_finite().then_some(value));
        }
    }
    let outside = 0.5 * (1.0 - INSIDE);
    found
        .into_iter()
        .map(|mut values| {
            values.sort_by(f64::total_cmp);
            let ends = || [outside, 1.0 - outside].map(|fraction| quantile(&values, fraction));
            (!values.is_empty()).then(ends)
        })
        .collect()
}

/// Solves a small symmetric positive system by Gaussian elimination with pivots; none if it is
/// singular.
pub fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Option<Vec<f64>> {
    let size = right.len();
    for column in 0..size {
        let by_size =
            |a: &usize, b: &usize| matrix[*a][column].abs().total_cmp(&matrix[*b][column].abs());
        let pivot = (column..size).max_by(by_size)?;
        matrix.swap(column, pivot);
        right.swap(column, pivot);
        let top = matrix[column].clone();
        // Columns are scaled to a variance of 1, so that this threshold is absolute.
        if top[column].abs() < 1e-10 {
            return None;
        }
        for row in column + 1..size {
            let factor = matrix[row][column] / top[column];
            for (value, above) in matrix[row].iter_mut().zip(&top) {
                *value -= factor * above;
            }
            right[row] -= factor * right[column];
        }
    }
    for row in (0..size).rev() {
        let known: f64 = (row + 1..size).map(|column| matrix[row][column] * right[column]).sum();
        right[row] = (right[row] - known) / matrix[row][row];
    }
    Some(right)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_share_their_ranks() {
        assert_eq!(ranks(&[3.0, 1.0, 3.0, 2.0]), [3.5, 1.0, 3.5, 2.0]);
    }

    #[test]
    fn a_straight_line_correlates_fully_and_a_constant_not_at_all() {
        let x = [1.0, 2.0, 5.0];
        assert!((correlation(&x, &[-2.0, -4.0, -10.0]) + 1.0).abs() < 1e-12);
        assert_eq!(correlation(&x, &[7.0, 7.0, 7.0]), 0.0);
    }

    /// The standard error of the mean of n uniform numbers is √(1/12n): 95 % are within 1.96 standard errors.
    #[test]
    fn the_interval_of_a_mean_is_as_wide_as_theory_says() {
        let values: Vec<f64> =
            (0..400).map(|id| Draws::new(3, Purpose::Test, id).uniform(0)).collect();
        let estimate =
            |rows: &[usize]| vec![mean(&rows.iter().map(|row| values[*row]).collect::<Vec<_>>())];
        let interval = intervals(values.len(), 1, estimate)[0].expect("there are rows");
        let expected = 2.0 * 1.96 * libm::sqrt(1.0 / (12.0 * 400.0));
        // The sample variance is within 8 % (three standard errors), the ends within 5 %.
        assert!(((interval[1] - interval[0]) / expected - 1.0).abs() < 0.13, "{interval:?}");
        assert!(interval[0] < mean(&values) && mean(&values) < interval[1]);
    }

    #[test]
    fn a_system_is_solved_and_a_singular_one_refused() {
        let matrix = vec![vec![2.0, 1.0], vec![1.0, 3.0]];
        let solution = solve(matrix, vec![4.0, 7.0]).expect("it has a solution");
        assert!((solution[0] - 1.0).abs() < 1e-12 && (solution[1] - 2.0).abs() < 1e-12);
        assert!(solve(vec![vec![1.0, 1.0], vec![1.0, 1.0]], vec![1.0, 2.0]).is_none());
    }
}
