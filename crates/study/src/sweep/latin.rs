//! Latin hypercubes: each of N equal intervals of the range of each parameter is sampled once.
//!
//! M. D. McKay, R. J. Beckman & W. J. Conover (1979). Two numbers for each parameter: Spearman's rank correlation with
//! the result, which detects any monotonic dependence, and the standardised coefficient of a linear regression on all
//! parameters together, whose R² is the fraction of linear dependence.

use super::statistics::{correlation, intervals, mean, ranks, solve, variance, vary};
use esker::random::{Draws, Purpose};

/// Effect of a parameter on a result.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Influence {
    /// Spearman's rank correlation.
    pub rank_correlation: f64,
    /// Its 95 % interval.
    pub interval: Option<[f64; 2]>,
    /// Standard deviations of the result per standard deviation of the parameter; none with too few runs.
    pub regression: Option<f64>,
}

/// The points.
pub fn points(samples: usize, parameters: usize, seed: u64) -> Vec<Vec<f64>> {
    let mut points = vec![vec![0.0; parameters]; samples];
    for parameter in 0..parameters {
        let draws = Draws::new(seed, Purpose::Design, parameter as u64);
        let mut order: Vec<usize> = (0..samples).collect();
        for last in (1..samples).rev() {
            let draw = draws.uniform(last as u32);
            order.swap(last, ((draw * (last + 1) as f64) as usize).min(last));
        }
        for (index, point) in points.iter_mut().enumerate() {
            let within = draws.uniform((samples + index) as u32);
            point[parameter] = (order[index] as f64 + within) / samples as f64;
        }
    }
    points
}

/// The influence of each parameter, and R² of the regression; none if the result does not vary or
/// has fewer than three values.
pub fn influences(
    points: &[Vec<f64>],
    results: &[f64],
    parameters: usize,
    seed: u64,
) -> Option<(Vec<Influence>, Option<f64>)> {
    let pairs = points.iter().zip(results).filter(|(_, result)| result.is_finite());
    let (points, results): (Vec<&Vec<f64>>, Vec<f64>) =
        pairs.map(|(point, result)| (point, *result)).unzip();
    if results.len() < 3 || !vary(&results) {
        return None;
    }
    let columns: Vec<Vec<f64>> = (0..parameters)
        .map(|parameter| points.iter().map(|point| point[parameter]).collect())
        .collect();
    let correlations = |rows: &[usize]| -> Vec<f64> {
        let chosen =
            |column: &[f64]| ranks(&rows.iter().map(|row| column[*row]).collect::<Vec<_>>());
        let result = chosen(&results);
        columns.iter().map(|column| correlation(&chosen(column), &result)).collect()
    };
    let found = correlations(&(0..results.len()).collect::<Vec<_>>());
    let intervals = intervals(results.len(), seed, correlations);
    let regression = regression(&columns, &results);
    let influences = (0..parameters)
        .map(|parameter| Influence {
            rank_correlation: found[parameter],
            interval: intervals[parameter],
            regression: regression.as_ref().map(|(coefficients, _)| coefficients[parameter]),
        })
        .collect();
    Some((influences, regression.map(|(_, fraction)| fraction)))
}

/// Coefficients for columns and result scaled to mean 0 and variance 1, and the fraction of the
/// variance that they explain.
fn regression(columns: &[Vec<f64>], results: &[f64]) -> Option<(Vec<f64>, f64)> {
    if results.len() < columns.len() + 2 {
        return None;
    }
    let matrix = columns
        .iter()
        .map(|one| columns.iter().map(|other| correlation(one, other)).collect())
        .collect();
    let right: Vec<f64> = columns.iter().map(|column| correlation(column, results)).collect();
    let coefficients = solve(matrix, right)?;
    let scaled = |column: &[f64]| {
        let (center, spread) = (mean(column), libm::sqrt(variance(column)));
        column.iter().map(|value| (value - center) / spread).collect::<Vec<f64>>()
    };
    let columns: Vec<Vec<f64>> = columns.iter().map(|column| scaled(column)).collect();
    let results = scaled(results);
    let left: f64 = (0..results.len())
        .map(|row| {
            let fitted: f64 = coefficients
                .iter()
                .zip(&columns)
                .map(|(factor, column)| factor * column[row])
                .sum();
            (results[row] - fitted) * (results[row] - fitted)
        })
        .sum();
    Some((coefficients, 1.0 - left / results.len() as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_of_every_range_is_taken_once() {
        let points = points(37, 4, 5);
        for parameter in 0..4 {
            let mut seen = [false; 37];
            for point in &points {
                assert!(!std::mem::replace(&mut seen[(point[parameter] * 37.0) as usize], true));
            }
        }
        assert_ne!(points, super::points(37, 4, 6));
    }

    /// y = 3 x₁ − 4 x₂ with x of variance v: the variance is 25 v, the coefficients 3/5 and −4/5.
    #[test]
    fn a_linear_function_has_its_standardised_slopes_and_is_fully_explained() {
        let points = points(500, 3, 1);
        let results: Vec<f64> = points.iter().map(|x| 3.0 * x[0] - 4.0 * x[1] + 10.0).collect();
        let (found, fraction) = influences(&points, &results, 3, 1).expect("it varies");
        // The columns of a hypercube are uncorrelated to about 1/√500.
        for (influence, expected) in found.iter().zip([0.6, -0.8, 0.0]) {
            let coefficient = influence.regression.expect("there are enough runs");
            assert!((coefficient - expected).abs() < 0.05, "{influence:?}");
        }
        assert!(fraction.is_some_and(|fraction| (fraction - 1.0).abs() < 1e-9), "{fraction:?}");
    }

    #[test]
    fn rank_correlation_sees_growth_of_any_form() {
        let points = points(40, 1, 1);
        let results: Vec<f64> = points.iter().map(|x| -libm::exp(20.0 * x[0])).collect();
        let (found, fraction) = influences(&points, &results, 1, 1).expect("it varies");
        assert!((found[0].rank_correlation + 1.0).abs() < 1e-12);
        assert!(fraction.is_some_and(|fraction| fraction < 0.8), "not linear at all: {fraction:?}");
    }

    #[test]
    fn what_does_not_vary_has_no_influence() {
        assert_eq!(influences(&points(9, 2, 1), &[1.0; 9], 2, 1), None);
    }
}
