//! Mixing of two groups.

use super::{Column, ExactSum, Measure, MeasureState, Reference, Snapshot};
use crate::{Problem, Vec3};
use std::collections::BTreeMap;

/// Lacey's index of mixing (J. Appl. Chem. 4, 257, 1954) of two groups: 0 if segregated, 1 if
/// randomly mixed. Space is divided into cubes; in each cube with enough particles the fraction of
/// the first group is computed, and the variance of these fractions, weighted by the number of
/// particles, is compared with the variances of the segregated and of the random state.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::{scene, RADIUS};
/// use esker::measure::{MeasureState, Measure, MixingIndex};
/// use esker::prelude::*;
///
/// # let (mut scene, grain) = scene(ContactModel::normal(Hertz::default()), Pair::new());
/// // red grains in one half of a box, blue ones in the other
/// for (group, x) in [("red", 0.0), ("blue", 0.2)] {
///     let grains = (0..27).map(|i| {
///         let [a, b, c] = [i % 3, i / 3 % 3, i / 9].map(|k| 0.03 * f64::from(k) + 0.02);
///         Sphere::new(RADIUS, Vec3::new(x + a, b, c))
///     });
///     scene.particles.push(Source::list(group, grain, grains.collect()));
/// }
/// let measure = MixingIndex {
///     particles: ["red", "blue"].map(str::to_owned),
///     cell: 0.1,
///     origin: [0.0; 3],
///     fewest: 4,
/// };
/// let values = measure.values(&scene.build()?.snapshot(), &mut MeasureState::default());
/// assert!(values[0].unwrap().abs() < 1e-12); // not mixed at all
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct MixingIndex {
    /// The two groups.
    pub particles: [String; 2],
    /// Edge of a cube [m].
    pub cell: f64,
    /// A corner of the cubes [m].
    #[cfg_attr(feature = "serde", serde(default))]
    pub origin: [f64; 3],
    /// Smallest number of particles of a cube that is counted.
    #[cfg_attr(feature = "serde", serde(default = "some"))]
    pub fewest: u64,
}

#[cfg(feature = "serde")]
fn some() -> u64 {
    4
}

impl Measure for MixingIndex {
    fn name(&self) -> &'static str {
        "mixing_index"
    }

    fn columns(&self) -> Vec<Column> {
        let names = ["index", "variance", "segregated", "random", "cells", "fraction"];
        names.iter().map(|name| Column::new(*name, "")).collect()
    }

    fn references(&self) -> Vec<(&'static str, Reference<'_>)> {
        self.particles.iter().map(|group| ("particles", Reference::Group(group))).collect()
    }

    fn problems(&self) -> Vec<Problem> {
        let mut problems: Vec<Problem> =
            super::options::positive("cell", Some(self.cell)).into_iter().collect();
        if self.fewest == 0 {
            problems.push(Problem::at("fewest", "a cube that counts holds at least one particle"));
        }
        if self.particles[0] == self.particles[1] {
            problems.push(Problem::at("particles", "the two groups are the same"));
        }
        problems
    }

    fn values(&self, now: &Snapshot, _: &mut MeasureState) -> Vec<Option<f64>> {
        let mut cells: BTreeMap<[i64; 3], [f64; 2]> = BTreeMap::new();
        for (which, name) in self.particles.iter().enumerate() {
            let Some(group) = now.group(name) else { continue };
            for particle in now.selected(Some(group)) {
                let offset = (particle.position - Vec3::from(self.origin)) / self.cell;
                let cell = offset.to_array().map(|part| part.floor() as i64);
                cells.entry(cell).or_default()[which] += 1.0;
            }
        }
        cells.retain(|_, numbers| numbers[0] + numbers[1] >= self.fewest as f64);
        let count = cells.len() as f64;
        let total = |which: usize| cells.values().map(|numbers| numbers[which]).sum::<f64>();
        let (first, all) = (total(0), total(0) + total(1));
        if !(all > 0.0) {
            return vec![None, None, None, None, Some(0.0), None];
        }
        let fraction = first / all;
        let deviations: ExactSum = cells
            .values()
            .map(|numbers| {
                let size = numbers[0] + numbers[1];
                let aside = numbers[0] / size - fraction;
                size * aside * aside
            })
            .collect();
        let variance = deviations.value() / all;
        let segregated = fraction * (1.0 - fraction);
        let random = segregated / (all / count);
        let index = (segregated > random).then(|| (segregated - variance) / (segregated - random));
        vec![index, Some(variance), Some(segregated), Some(random), Some(count), Some(fraction)]
    }
}

#[cfg(test)]
mod tests {
    use super::super::ParticleView;
    use super::super::selection::testing::{particle, snapshot};
    use super::*;

    /// Eight particles in each of 4³ cubes; `second` selects those of the second group.
    fn cubes(second: impl Fn(usize, usize) -> bool) -> Vec<Option<f64>> {
        let mut particles: Vec<ParticleView> = Vec::new();
        for cube in 0..64_usize {
            let corner = Vec3::new((cube % 4) as f64, (cube / 4 % 4) as f64, (cube / 16) as f64);
            for part in 0..8_usize {
                let inside = Vec3::new((part % 2) as f64, (part / 2 % 2) as f64, (part / 4) as f64);
                let center = 0.25 * (corner + 0.25 + 0.5 * inside);
                let mut view = particle(particles.len() as u64, 0.01, 1.0, center);
                view.group = crate::id::GroupId::new(second(cube, part).into());
                particles.push(view);
            }
        }
        let options = r#"{"particles": ["grains", "others"], "cell": 0.25}"#;
        let measure: MixingIndex = serde_json::from_str(options).expect("good options");
        measure.values(&snapshot(particles), &mut MeasureState::default())
    }

    #[test]
    fn groups_apart_have_index_zero() {
        let values = cubes(|cube, _| cube >= 32);
        assert_eq!(values[0], Some(0.0));
        assert_eq!(values[1..5], [0.25, 0.25, 0.25 / 8.0, 64.0].map(Some));
    }

    #[test]
    fn groups_in_perfect_order_are_beyond_chance() {
        // half of each cube: no variance, so that the index is 1 / (1 - 1/8)
        let values = cubes(|_, part| part % 2 == 0);
        assert!((values[0].unwrap() - 8.0 / 7.0).abs() < 1e-15);
    }

    #[test]
    fn half_of_the_cubes_mixed_and_half_apart() {
        // fractions 0, 1/2, 1/2, 1 cyclically: variance 1/8
        let values = cubes(|cube, part| match cube % 4 {
            0 => false,
            1 => true,
            _ => part < 4,
        });
        let random = 0.25 / 8.0;
        assert_eq!(values[1], Some(0.125));
        assert!((values[0].unwrap() - (0.25 - 0.125) / (0.25 - random)).abs() < 1e-15);
    }
}
