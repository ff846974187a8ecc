//! Full grids: every value of every parameter combined with every value of the others.
//!
//! The main effect of a parameter is the dependence of the mean result, over all other parameters, on its value; its
//! fraction is the variance of these means divided by that of all results. On a full grid this is the first-order index
//! of Sobol', and the difference of the sum of the fractions from 1 is due to interactions.

use super::statistics::{mean, variance, vary};

/// The main effect of a parameter. Fraction and range are none if fewer than two of its values gave a result.
#[derive(Debug, Clone, PartialEq)]
pub struct MainEffect {
    /// Fraction of the variance that it explains alone.
    pub fraction: Option<f64>,
    /// Difference of the largest and the smallest mean.
    pub range: Option<f64>,
    /// Mean of the result for each of its values; none without a result.
    pub means: Vec<Option<f64>>,
}

/// The points as indices into the lists of values; the last parameter changes fastest.
pub fn points(levels: &[usize]) -> Vec<Vec<f64>> {
    let mut points = vec![Vec::new()];
    for count in levels {
        points = points
            .into_iter()
            .flat_map(|point| {
                (0..*count).map(move |level| {
                    let mut longer = point.clone();
                    longer.push(level as f64);
                    longer
                })
            })
            .collect();
    }
    points
}

/// The main effects; none if the result does not vary.
pub fn main_effects(
    points: &[Vec<f64>],
    results: &[f64],
    levels: &[usize],
) -> Option<Vec<MainEffect>> {
    let present: Vec<f64> = results.iter().copied().filter(|result| result.is_finite()).collect();
    if !vary(&present) {
        return None;
    }
    let (center, spread) = (mean(&present), variance(&present));
    let effect = |(parameter, count): (usize, &usize)| {
        let mut means = Vec::with_capacity(*count);
        let mut explained = 0.0;
        for level in 0..*count {
            let here: Vec<f64> = points
                .iter()
                .zip(results)
                .filter(|(point, result)| point[parameter] == level as f64 && result.is_finite())
                .map(|(_, result)| *result)
                .collect();
            let mean = (!here.is_empty()).then(|| mean(&here));
            explained += mean.map_or(0.0, |mean| here.len() as f64 * (mean - center).powi(2));
            means.push(mean);
        }
        let known = || means.iter().flatten().copied();
        let range =
            known().fold(f64::NEG_INFINITY, f64::max) - known().fold(f64::INFINITY, f64::min);
        let known = known().count() > 1;
        let fraction = explained / present.len() as f64 / spread;
        MainEffect { fraction: known.then_some(fraction), range: known.then_some(range), means }
    };
    Some(levels.iter().enumerate().map(effect).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_has_every_combination_once() {
        let points = points(&[2, 3]);
        assert_eq!(points.len(), 6);
        assert_eq!(points[1], [0.0, 1.0]);
        assert_eq!(points[5], [1.0, 2.0]);
    }

    /// 2 a + b for a in 0, 1 and b in 0, 1, 2: the variances are 4·1/4 and 2/3.
    #[test]
    fn shares_of_a_sum_are_those_of_its_terms_and_add_up_to_one() {
        let points = points(&[2, 3]);
        let results: Vec<f64> = points.iter().map(|point| 2.0 * point[0] + point[1]).collect();
        let effects = main_effects(&points, &results, &[2, 3]).expect("it varies");
        assert!(
            effects[0].fraction.is_some_and(|fraction| (fraction - 0.6).abs() < 1e-12),
            "{effects:?}"
        );
        assert!(
            effects[1].fraction.is_some_and(|fraction| (fraction - 0.4).abs() < 1e-12),
            "{effects:?}"
        );
        assert_eq!(effects[0].range, Some(2.0));
        assert_eq!(effects[1].means, [Some(1.0), Some(2.0), Some(3.0)]);
    }

    /// Exclusive or: no main effects, only an interaction.
    #[test]
    fn an_interaction_belongs_to_no_parameter_alone() {
        let points = points(&[2, 2]);
        let effects = main_effects(&points, &[0.0, 1.0, 1.0, 0.0], &[2, 2]).expect("it varies");
        assert!(
            effects.iter().all(|effect| effect.fraction == Some(0.0) && effect.range == Some(0.0))
        );
    }

    #[test]
    fn a_value_without_a_result_has_no_mean() {
        let points = points(&[3]);
        let effects = main_effects(&points, &[1.0, f64::NAN, 3.0], &[3]).expect("it varies");
        assert_eq!(effects[0].means, [Some(1.0), None, Some(3.0)]);
        assert!(effects[0].fraction.is_some_and(|fraction| (fraction - 1.0).abs() < 1e-12));
        assert_eq!(main_effects(&points, &[1.0; 3], &[3]), None);
    }

    #[test]
    fn nothing_is_said_about_a_parameter_of_which_one_value_alone_gave_results() {
        let (points, none) = (points(&[2, 2]), f64::NAN);
        let effects = main_effects(&points, &[1.0, 2.0, none, none], &[2, 2]).expect("it varies");
        assert_eq!((effects[0].fraction, effects[0].range), (None, None));
        assert_eq!(effects[1].range, Some(1.0));
    }
}
