//! Sizes of particles: random radii, their bounds and their mean volume.

use super::Radius;
use crate::random::{Draws, Purpose};
use std::f64::consts::{FRAC_1_SQRT_2, PI, SQRT_2};

/// Number of draws until one lies within the truncation; at least two thirds do, so that this number is never reached.
const MOST_DRAWS: u32 = 1000;

impl Radius {
    /// The radius of the particle with this id [m].
    pub fn draw(&self, seed: u64, id: u64) -> f64 {
        let draws = Draws::new(seed, Purpose::Radius, id);
        match self {
            Self::Constant(radius) => *radius,
            Self::Uniform { min, max } => min + (max - min) * draws.uniform(0),
            Self::Normal { mean, deviation, truncate } => {
                mean + deviation * truncated_normal(draws, *truncate)
            }
            Self::LogNormal { median, deviation, truncate } => {
                median * libm::exp(deviation * truncated_normal(draws, *truncate))
            }
            Self::Mix(sizes) => draw_from_mix(sizes, draws.uniform(0)),
        }
    }

    /// The smallest and the largest radius that can be drawn [m].
    pub fn bounds(&self) -> (f64, f64) {
        match self {
            Self::Constant(radius) => (*radius, *radius),
            Self::Uniform { min, max } => (*min, *max),
            Self::Normal { mean, deviation, truncate } => {
                (mean - deviation * truncate, mean + deviation * truncate)
            }
            Self::LogNormal { median, deviation, truncate } => {
                let width = deviation * truncate;
                (median * libm::exp(-width), median * libm::exp(width))
            }
            Self::Mix(sizes) => sizes
                .iter()
                .filter(|(_, fraction)| *fraction > 0.0)
                .fold((f64::INFINITY, 0.0), |(low, high), (radius, _)| {
                    (low.min(*radius), high.max(*radius))
                }),
        }
    }

    /// The mean volume of a particle [m³].
    pub fn mean_volume(&self) -> f64 {
        4.0 / 3.0 * PI * self.mean_cube()
    }

    /// The mean of the radius cubed [m³], in closed form.
    fn mean_cube(&self) -> f64 {
        match self {
            Self::Constant(radius) => radius * radius * radius,
            Self::Uniform { min, max } => (min + max) * (min * min + max * max) / 4.0,
            Self::Normal { mean, deviation, truncate } => {
                let variance = deviation * deviation * truncated_variance(*truncate);
                mean * (mean * mean + 3.0 * variance)
            }
            Self::LogNormal { median, deviation, truncate } => {
                median * median * median * truncated_exponential(3.0 * deviation, *truncate)
            }
            Self::Mix(sizes) => {
                let total: f64 = sizes.iter().map(|(_, fraction)| fraction).sum();
                let cubes: f64 = sizes
                    .iter()
                    .map(|(radius, fraction)| fraction * radius * radius * radius)
                    .sum();
                cubes / total
            }
        }
    }

    /// Problems of the numbers, each in one sentence without a full stop.
    pub fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        let mut check = |right: bool, message: String| {
            if !right {
                problems.push(message);
            }
        };
        match self {
            Self::Constant(radius) => {
                check(is_positive(*radius), format!("the radius must be positive, not {radius}"));
            }
            Self::Uniform { min, max } => {
                check(
                    is_positive(*min),
                    format!("the smallest radius must be positive, not {min}"),
                );
                check(
                    max.is_finite() && max >= min,
                    format!("the largest radius {max} must not be less than the smallest {min}"),
                );
            }
            Self::Normal { mean: middle, deviation, truncate }
            | Self::LogNormal { median: middle, deviation, truncate } => {
                check(is_positive(*middle), format!("the radius must be positive, not {middle}"));
                check(
                    deviation.is_finite() && *deviation >= 0.0,
                    format!("the deviation of the radius must not be negative, but is {deviation}"),
                );
                check(
                    is_positive(*truncate),
                    format!("`truncate` must be positive, not {truncate}"),
                );
                let (low, high) = self.bounds();
                check(
                    low > 0.0 && high.is_finite(),
                    format!(
                        "radii would range from {low} to {high}; `truncate` must be below \
                         {truncate}"
                    ),
                );
            }
            Self::Mix(sizes) => {
                check(!sizes.is_empty(), "a mix needs at least one size".to_owned());
                for (radius, fraction) in sizes {
                    check(
                        is_positive(*radius),
                        format!("the radius must be positive, not {radius}"),
                    );
                    check(
                        fraction.is_finite() && *fraction >= 0.0,
                        format!("the fraction of a size must not be negative, but is {fraction}"),
                    );
                }
                let total: f64 = sizes.iter().map(|(_, fraction)| fraction).sum();
                check(
                    sizes.is_empty() || is_positive(total),
                    format!("the fractions of a mix must have a positive sum, not {total}"),
                );
            }
        }
        problems
    }
}

/// True if a number is finite and above zero.
fn is_positive(number: f64) -> bool {
    number.is_finite() && number > 0.0
}

/// The size whose interval of the cumulative fractions contains `uniform`.
fn draw_from_mix(sizes: &[(f64, f64)], uniform: f64) -> f64 {
    let total: f64 = sizes.iter().map(|(_, fraction)| fraction).sum();
    let mut left = uniform * total;
    let present = || sizes.iter().filter(|(_, fraction)| *fraction > 0.0);
    for (radius, fraction) in present() {
        if left < *fraction {
            return *radius;
        }
        left -= fraction;
    }
    // rounding may leave a remainder
    present().next_back().map_or(f64::NAN, |(radius, _)| *radius)
}

/// A normal number within `truncate` deviations, by rejection over the draw index.
fn truncated_normal(draws: Draws, truncate: f64) -> f64 {
    for draw in 0..MOST_DRAWS {
        if truncate >= 1.0 {
            let number = draws.normal(draw);
            if number.abs() <= truncate {
                return number;
            }
        } else {
            // for a narrow truncation most normal numbers would be rejected, but the distribution is nearly uniform
            let number = truncate * (2.0 * draws.uniform(2 * draw) - 1.0);
            if draws.uniform(2 * draw + 1) < libm::exp(-0.5 * number * number) {
                return number;
            }
        }
    }
    0.0
}

/// Variance of a normal number truncated at `truncate` standard deviations: 1 - 2 t φ(t) / erf(t/√2).
fn truncated_variance(truncate: f64) -> f64 {
    if truncate < 0.01 {
        // the closed form loses digits by cancellation; the error of the series t²/3 (1 - 2 t²/15) is less than t⁴/100
        return truncate * truncate / 3.0 * (1.0 - 2.0 * truncate * truncate / 15.0);
    }
    let density = libm::exp(-0.5 * truncate * truncate) / (SQRT_2 * libm::sqrt(PI));
    1.0 - 2.0 * truncate * density / libm::erf(truncate * FRAC_1_SQRT_2)
}

/// Mean of exp(a z) for a normal number z truncated at `truncate` standard deviations.
fn truncated_exponential(a: f64, truncate: f64) -> f64 {
    // with erfc both tails keep their relative precision if `a` is beyond the truncation
    let below = libm::erfc((a - truncate) * FRAC_1_SQRT_2);
    let beyond = libm::erfc((a + truncate) * FRAC_1_SQRT_2);
    libm::exp(0.5 * a * a) * 0.5 * (below - beyond) / libm::erf(truncate * FRAC_1_SQRT_2)
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNT: u64 = 200_000;

    fn distributions() -> Vec<Radius> {
        vec![
            Radius::Constant(0.3),
            Radius::Uniform { min: 0.5, max: 2.0 },
            Radius::Normal { mean: 1.0, deviation: 0.2, truncate: 3.0 },
            Radius::Normal { mean: 1.0, deviation: 0.8, truncate: 1.0 },
            Radius::Normal { mean: 1.0, deviation: 2.0, truncate: 0.4 },
            Radius::LogNormal { median: 1.0, deviation: 0.4, truncate: 2.0 },
            Radius::LogNormal { median: 2.0, deviation: 1.0, truncate: 0.7 },
            Radius::Mix(vec![(1.0, 3.0), (2.0, 1.0), (9.0, 0.0)]),
        ]
    }

    #[test]
    fn drawn_volumes_have_the_mean_of_the_formula() {
        for radius in distributions() {
            let cubes: Vec<f64> = (0..COUNT).map(|id| radius.draw(3, id).powi(3)).collect();
            let mean = cubes.iter().sum::<f64>() / COUNT as f64;
            let variance = cubes.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / COUNT as f64;
            let expected = radius.mean_volume() / (4.0 / 3.0 * PI);
            // five standard errors, and the rounding error of the constant
            let tolerance = 5.0 * (variance / COUNT as f64).sqrt() + 1e-9;
            assert!((mean - expected).abs() < tolerance, "{radius:?}: {mean} {expected}");
        }
    }

    #[test]
    fn drawn_radii_have_the_variance_of_the_truncated_normal() {
        // truncated at one deviation: 1 - 2 φ(1)/erf(1/√2) = 0.2911251
        let radius = Radius::Normal { mean: 5.0, deviation: 1.0, truncate: 1.0 };
        let radii: Vec<f64> = (0..COUNT).map(|id| radius.draw(1, id)).collect();
        let mean = radii.iter().sum::<f64>() / COUNT as f64;
        let variance = radii.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / COUNT as f64;
        assert!((truncated_variance(1.0) - 0.291_125_1).abs() < 1e-7);
        assert!((mean - 5.0).abs() < 5.0 * (0.2911 / COUNT as f64).sqrt());
        assert!((variance - 0.291_125_1).abs() < 5.0 * 0.2911 * (2.0 / COUNT as f64).sqrt());
    }

    #[test]
    fn mean_volume_agrees_with_a_sum_over_the_density() {
        for (a, truncate) in [(0.3, 2.0), (3.0, 1.0), (6.0, 0.5), (12.0, 2.0)] {
            let steps = 200_000;
            let width = 2.0 * truncate / f64::from(steps);
            let (mut top, mut bottom) = (0.0, 0.0);
            for step in 0..steps {
                let z = -truncate + (f64::from(step) + 0.5) * width;
                bottom += (-0.5 * z * z).exp();
                top += (a * z - 0.5 * z * z).exp();
            }
            // the error of the midpoint rule is (a width)²/24
            let error = truncated_exponential(a, truncate) / (top / bottom) - 1.0;
            assert!(error.abs() < 1e-8, "{a} {truncate} {error}");
        }
    }

    #[test]
    fn series_and_closed_form_of_the_variance_meet() {
        let below = truncated_variance(0.01 - 1e-12);
        let above = truncated_variance(0.01);
        assert!((below / above - 1.0).abs() < 1e-9);
    }

    #[test]
    fn drawn_radii_stay_within_their_bounds() {
        for radius in distributions() {
            let (low, high) = radius.bounds();
            for id in 0..10_000 {
                let drawn = radius.draw(9, id);
                assert!(drawn >= low && drawn <= high, "{radius:?}: {drawn}");
            }
        }
    }

    #[test]
    fn wrong_numbers_are_named() {
        assert!(distributions().iter().all(|radius| radius.problems().is_empty()));
        let wrong = [
            Radius::Constant(f64::NAN),
            Radius::Constant(-1.0),
            Radius::Uniform { min: 2.0, max: 1.0 },
            Radius::Normal { mean: 1.0, deviation: 0.5, truncate: 2.0 },
            Radius::LogNormal { median: 1.0, deviation: 0.5, truncate: f64::INFINITY },
            Radius::Mix(vec![]),
            Radius::Mix(vec![(1.0, 0.0)]),
        ];
        for radius in wrong {
            assert!(!radius.problems().is_empty(), "{radius:?}");
        }
    }
}
