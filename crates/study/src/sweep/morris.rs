//! Elementary effects: changes of the result when one parameter is changed by a step, at many points.
//!
//! M. D. Morris, "Factorial sampling plans for preliminary computational experiments" (1991), on four levels with steps
//! of two thirds of the range; μ* by F. Campolongo, J. Cariboni & A. Saltelli (2007). Effects refer to the full range
//! of the parameter, in the unit of the result: μ* is the magnitude of the effect, μ its mean with sign, and σ its
//! variation over the points, due to nonlinearity or interactions.

use super::statistics::{deviation, intervals, mean};
use esker::random::{Draws, Purpose};

/// Levels of each parameter: 0, 1/3, 2/3, 1.
const LEVELS: u32 = 4;
/// The step in levels: with half of their number all levels are equally probable.
const STEP: u32 = LEVELS / 2;

/// The effect of a parameter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Effect {
    /// Mean of the absolute elementary effects, μ*.
    pub size: f64,
    /// Its 95 % interval.
    pub interval: Option<[f64; 2]>,
    /// Mean of the elementary effects, μ.
    pub mean: f64,
    /// Their standard deviation, σ; none with a single one.
    pub deviation: Option<f64>,
    /// Number of elementary effects.
    pub count: usize,
}

/// The points of `samples` trajectories, each with one point more than there are parameters: every parameter changes
/// once, in random order.
pub fn points(samples: usize, parameters: usize, seed: u64) -> Vec<Vec<f64>> {
    (0..samples as u64).flat_map(|index| trajectory(parameters, seed, index)).collect()
}

fn trajectory(parameters: usize, seed: u64, index: u64) -> Vec<Vec<f64>> {
    let draws = Draws::new(seed, Purpose::Design, index);
    let mut levels: Vec<u32> = (0..parameters)
        .map(|parameter| {
            let level = (draws.uniform(parameter as u32) * f64::from(LEVELS)) as u32;
            level.min(LEVELS - 1)
        })
        .collect();
    let unit = |levels: &[u32]| -> Vec<f64> {
        levels.iter().map(|level| f64::from(*level) / f64::from(LEVELS - 1)).collect()
    };
    let mut order: Vec<usize> = (0..parameters).collect();
    for last in (1..parameters).rev() {
        let draw = draws.uniform((parameters + last) as u32);
        order.swap(last, ((draw * (last + 1) as f64) as usize).min(last));
    }
    let mut points = vec![unit(&levels)];
    for parameter in order {
        // Only one of the two directions stays within the range.
        let level = &mut levels[parameter];
        *level = if *level < STEP { *level + STEP } else { *level - STEP };
        points.push(unit(&levels));
    }
    points
}

/// The effects of all parameters; none for a parameter without elementary effects.
pub fn effects(
    points: &[Vec<f64>],
    results: &[f64],
    parameters: usize,
    seed: u64,
) -> Vec<Option<Effect>> {
    let mut found: Vec<Vec<f64>> = vec![Vec::new(); parameters];
    let length = parameters + 1;
    for (points, results) in points.chunks_exact(length).zip(results.chunks_exact(length)) {
        for (points, results) in points.windows(2).zip(results.windows(2)) {
            let moved = points[0].iter().zip(&points[1]).position(|(a, b)| a != b);
            let Some(parameter) = moved else { continue };
            let effect = (results[1] - results[0]) / (points[1][parameter] - points[0][parameter]);
            found[parameter].extend(effect.is_finite().then_some(effect));
        }
    }
    found
        .into_iter()
        .map(|effects| {
            let size = |rows: &[usize]| {
                mean(&rows.iter().map(|row| effects[*row].abs()).collect::<Vec<_>>())
            };
            let all: Vec<usize> = (0..effects.len()).collect();
            (!effects.is_empty()).then(|| Effect {
                size: size(&all),
                interval: intervals(effects.len(), seed, |rows| vec![size(rows)])[0],
                mean: mean(&effects),
                deviation: deviation(&effects),
                count: effects.len(),
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(samples: usize, parameters: usize, function: impl Fn(&[f64]) -> f64) -> Vec<Effect> {
        let points = points(samples, parameters, 9);
        let results: Vec<f64> = points.iter().map(|point| function(point)).collect();
        effects(&points, &results, parameters, 9)
            .into_iter()
            .map(|effect| effect.expect("every parameter moves"))
            .collect()
    }

    #[test]
    fn every_parameter_moves_once_in_each_trajectory_and_stays_inside() {
        let points = points(50, 5, 2);
        assert_eq!(points.len(), 300);
        for trajectory in points.chunks(6) {
            let mut moved = [0; 5];
            for pair in trajectory.windows(2) {
                for parameter in 0..5 {
                    let step = (pair[1][parameter] - pair[0][parameter]).abs();
                    assert!(step == 0.0 || (step - 2.0 / 3.0).abs() < 1e-12);
                    moved[parameter] += u32::from(step > 0.0);
                }
            }
            assert_eq!(moved, [1; 5]);
            assert!(trajectory.iter().flatten().all(|u| (0.0..=1.0).contains(u)));
        }
    }

    #[test]
    fn a_linear_function_has_its_slopes_as_effects_and_no_deviation() {
        let slopes = [3.0, -2.0, 0.0];
        let function = |x: &[f64]| x.iter().zip(slopes).map(|(x, slope)| x * slope).sum();
        for (effect, slope) in of(12, 3, function).iter().zip(slopes) {
            assert!((effect.size - slope.abs()).abs() < 1e-9, "{effect:?}");
            assert!((effect.mean - slope).abs() < 1e-9, "{effect:?}");
            assert!(effect.deviation.is_some_and(|deviation| deviation < 1e-9), "{effect:?}");
            assert_eq!(effect.count, 12);
        }
    }

    /// x y: the effect of x is y, which takes the levels 0, 1/3, 2/3, 1 equally often: its mean is
    /// 1/2 and its standard deviation √5/6.
    #[test]
    fn an_interaction_shows_as_deviation() {
        let (count, deviation) = (4000.0_f64, 5.0_f64.sqrt() / 6.0);
        for effect in of(count as usize, 2, |x| x[0] * x[1]) {
            // Five standard errors of each.
            assert!((effect.mean - 0.5).abs() < 5.0 * deviation / count.sqrt(), "{effect:?}");
            let found = effect.deviation.expect("there are many");
            assert!((found - deviation).abs() < 5.0 * deviation / (2.0 * count).sqrt());
        }
    }

    /// Effects of opposite sign: μ is zero, μ* is not.
    #[test]
    fn opposite_effects_cancel_in_the_mean_but_not_in_the_size() {
        let effects = of(2000, 2, |x| (x[0] - 0.5) * (x[1] - 0.5));
        // The effect of x is y − 1/2: ± 1/2 and ± 1/6, with mean magnitude 1/3 and standard deviation √5/6.
        let error = 5.0_f64.sqrt() / 6.0 / 2000.0_f64.sqrt();
        assert!(effects[0].mean.abs() < 5.0 * error, "{effects:?}");
        assert!((effects[0].size - 1.0 / 3.0).abs() < 5.0 * error, "{effects:?}");
    }

    #[test]
    fn runs_without_a_result_cost_only_the_effects_they_are_part_of() {
        let points = points(4, 2, 1);
        let mut results: Vec<f64> = points.iter().map(|point| point[0]).collect();
        results[1] = f64::NAN;
        let counts: usize =
            effects(&points, &results, 2, 1).iter().flatten().map(|effect| effect.count).sum();
        assert_eq!(counts, 6);
    }
}
