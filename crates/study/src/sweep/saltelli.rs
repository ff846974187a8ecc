//! Sobol' indices: fractions of the variance of a result explained by each parameter.
//!
//! The first-order index S is the fraction that a parameter explains alone, the total index T the fraction including
//! its interactions; T − S is due to interactions. Two matrices A and B of points are sampled and, for each parameter
//! i, A with the column i of B: A. Saltelli et al., "Variance based sensitivity analysis of model output" (2010). S by
//! their Table 2 (b), with the mean subtracted from the results, which does not change the expected value but reduces
//! the noise; T by M. J. W. Jansen (1999), their Table 2 (f).

use super::sobol;
use super::statistics::{intervals, mean, variance, vary};

/// Largest number of parameters, half the dimensions of the sequence.
pub const MOST_PARAMETERS: usize = sobol::MOST_DIMENSIONS / 2;

/// The two indices of a parameter with their 95 % intervals.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Indices {
    /// Fraction of the variance that the parameter explains alone.
    pub first: f64,
    /// Its interval.
    pub first_interval: Option<[f64; 2]>,
    /// Fraction of the variance including interactions.
    pub total: f64,
    /// Its interval.
    pub total_interval: Option<[f64; 2]>,
}

/// The points of `samples` rows, row by row: that of A, that of B, then A with one column of B each.
pub fn points(samples: usize, parameters: usize, seed: u64) -> Vec<Vec<f64>> {
    let mut points = Vec::with_capacity(samples * (parameters + 2));
    for row in sobol::points(samples, 2 * parameters, seed) {
        let (a, b) = row.split_at(parameters);
        points.extend([a.to_vec(), b.to_vec()]);
        for parameter in 0..parameters {
            let mut mixed = a.to_vec();
            mixed[parameter] = b[parameter];
            points.push(mixed);
        }
    }
    points
}

/// The indices of all parameters and the number of rows used; none if the result does not vary. Rows with a run without
/// result are omitted.
pub fn indices(results: &[f64], parameters: usize, seed: u64) -> Option<(Vec<Indices>, usize)> {
    let whole = |row: &&[f64]| row.iter().all(|value| value.is_finite());
    let rows: Vec<&[f64]> = results.chunks_exact(parameters + 2).filter(whole).collect();
    // A single row has no variance.
    if rows.len() < 2 {
        return None;
    }
    let all: Vec<usize> = (0..rows.len()).collect();
    let estimates = estimate(&rows, &all, parameters);
    if estimates.is_empty() || !estimates.iter().all(|value| value.is_finite()) {
        return None;
    }
    let intervals = intervals(rows.len(), seed, |chosen| estimate(&rows, chosen, parameters));
    let indices = |parameter: usize| Indices {
        first: estimates[parameter],
        first_interval: intervals[parameter],
        total: estimates[parameters + parameter],
        total_interval: intervals[parameters + parameter],
    };
    Some(((0..parameters).map(indices).collect(), rows.len()))
}

/// All first-order indices, then all total indices.
fn estimate(rows: &[&[f64]], chosen: &[usize], parameters: usize) -> Vec<f64> {
    let base: Vec<f64> = chosen.iter().flat_map(|row| [rows[*row][0], rows[*row][1]]).collect();
    let (center, spread) = (mean(&base), variance(&base));
    if !vary(&base) {
        return vec![f64::NAN; 2 * parameters];
    }
    let (mut first, mut total) = (vec![0.0; parameters], vec![0.0; parameters]);
    for row in chosen.iter().map(|row| rows[*row]) {
        let (a, b) = (row[0], row[1]);
        for (parameter, mixed) in row[2..].iter().enumerate() {
            first[parameter] += (b - center) * (mixed - a);
            total[parameter] += 0.5 * (a - mixed) * (a - mixed);
        }
    }
    let fraction = |sum: f64| sum / chosen.len() as f64 / spread;
    first.into_iter().chain(total).map(fraction).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    fn results(points: &[Vec<f64>], function: impl Fn(&[f64]) -> f64) -> Vec<f64> {
        points.iter().map(|point| function(point)).collect()
    }

    const A: f64 = 7.0;
    const B: f64 = 0.1;

    /// T. Ishigami & T. Homma (1990): sin x₁ + a sin² x₂ + b x₃⁴ sin x₁ with x in (−π, π).
    fn ishigami(unit: &[f64]) -> f64 {
        let x: Vec<f64> = unit.iter().map(|u| PI * (2.0 * u - 1.0)).collect();
        x[0].sin() + A * x[1].sin().powi(2) + B * x[2].powi(4) * x[0].sin()
    }

    /// Its exact indices, by integration: (first, total).
    fn ishigami_exact() -> [(f64, f64); 3] {
        let first = 0.5 * (1.0 + B * PI.powi(4) / 5.0).powi(2);
        let second = A * A / 8.0;
        let both = B * B * PI.powi(8) * (1.0 / 18.0 - 1.0 / 50.0);
        let variance = first + second + both;
        [
            (first / variance, (first + both) / variance),
            (second / variance, second / variance),
            (0.0, both / variance),
        ]
    }

    /// The error of such estimates with n random rows is about 1/√n, 0.016 for 4096, and smaller with a Sobol'
    /// sequence.
    #[test]
    fn the_indices_of_the_ishigami_function_are_those_of_the_closed_form() {
        let results = results(&points(4096, 3, 1), ishigami);
        let (indices, rows) = indices(&results, 3, 1).expect("it varies");
        assert_eq!(rows, 4096);
        for (found, (first, total)) in indices.iter().zip(ishigami_exact()) {
            assert!((found.first - first).abs() < 0.016, "{found:?}, not {first}");
            assert!((found.total - total).abs() < 0.016, "{found:?}, not {total}");
        }
    }

    #[test]
    fn the_intervals_hold_the_exact_indices_and_narrow_with_more_rows() {
        let exact = ishigami_exact();
        let widths: Vec<f64> = [256, 1024]
            .into_iter()
            .map(|rows| {
                let results = results(&points(rows, 3, 2), ishigami);
                let (indices, _) = indices(&results, 3, 2).expect("it varies");
                let mut width = 0.0;
                for (found, (first, total)) in indices.iter().zip(exact) {
                    for (interval, exact) in
                        [(found.first_interval, first), (found.total_interval, total)]
                    {
                        let [low, high] = interval.expect("there are rows");
                        assert!(low <= exact && exact <= high, "{rows}: {exact} in {interval:?}");
                        width += high - low;
                    }
                }
                width
            })
            .collect();
        // Four times the rows: half the width, within a third.
        assert!((0.33..0.67).contains(&(widths[1] / widths[0])), "{widths:?}");
    }

    /// The g-function of Sobol' with a = 0, 1, 4.5, 9, 99, 99, 99, 99 (Saltelli & Sobol' 1995).
    #[test]
    fn the_indices_of_the_g_function_are_those_of_the_closed_form() {
        let a = [0.0, 1.0, 4.5, 9.0, 99.0, 99.0, 99.0, 99.0];
        let g = |unit: &[f64]| -> f64 {
            unit.iter().zip(a).map(|(u, a)| ((4.0 * u - 2.0).abs() + a) / (1.0 + a)).product()
        };
        let alone = a.map(|a: f64| 1.0 / (3.0 * (1.0 + a).powi(2)));
        let product: f64 = alone.iter().map(|part| 1.0 + part).product();
        let results = results(&points(4096, 8, 1), g);
        let (indices, _) = indices(&results, 8, 1).expect("it varies");
        for (found, part) in indices.iter().zip(alone) {
            let first = part / (product - 1.0);
            let total = part * product / (1.0 + part) / (product - 1.0);
            assert!((found.first - first).abs() < 0.016, "{found:?}, not {first}");
            assert!((found.total - total).abs() < 0.016, "{found:?}, not {total}");
        }
    }

    #[test]
    fn rows_without_a_result_are_left_out_and_a_constant_has_no_indices() {
        let mut values = results(&points(512, 3, 1), ishigami);
        values[7] = f64::NAN;
        let (_, rows) = indices(&values, 3, 1).expect("it varies");
        assert_eq!(rows, 511);
        assert_eq!(indices(&[2.5; 40], 3, 1), None);
        assert_eq!(indices(&[f64::NAN; 40], 3, 1), None);
        assert_eq!(indices(&[1.0, 2.0, 3.0, 4.0, 5.0], 3, 1), None, "a single row");
    }
}
