//! Height profile: the surface of a bed along an axis.

use super::options::{AXES, Axis, Group};
use super::statistics::mean_and_deviation;
use super::{Column, Measure, MeasureState, Profile, Reference, Snapshot};
use crate::Problem;

/// Largest number of bins: each is a column of a table.
const MOST: u64 = 10_000;

/// Highest point of the particles in equal bins along an axis. `height_1` is the first bin.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::{snapshot, RADIUS};
/// use esker::measure::{Axis, Group, HeightProfile, MeasureState, Measure, Profile};
/// use esker::prelude::*;
///
/// let measure = HeightProfile {
///     particles: Group::default(),
///     up: Axis::Z,
///     along: Axis::X,
///     from: 0.0,
///     to: 0.2,
///     bins: 2,
///     floor: 0.0,
/// };
/// let profile: Profile = measure.profile().unwrap();
/// assert_eq!(profile.positions.len(), 2);
/// let grains = [0.05, 0.15].map(|x| Sphere::new(RADIUS, Vec3::new(x, 0.0, x)));
/// let values = measure.values(&snapshot(grains.to_vec()), &mut MeasureState::default());
/// let second = values[profile.columns.start + 1].unwrap();
/// assert!((second - (0.15 + RADIUS)).abs() < 1e-12);
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct HeightProfile {
    /// A group, or `all`.
    #[cfg_attr(feature = "serde", serde(default))]
    pub particles: Group,
    /// Axis that points up.
    pub up: Axis,
    /// Axis along which the bins lie.
    pub along: Axis,
    /// Start of the first bin [m].
    pub from: f64,
    /// End of the last bin [m].
    pub to: f64,
    /// Number of bins.
    pub bins: u64,
    /// Height of the floor [m].
    #[cfg_attr(feature = "serde", serde(default))]
    pub floor: f64,
}

impl Measure for HeightProfile {
    fn name(&self) -> &'static str {
        "height_profile"
    }

    fn columns(&self) -> Vec<Column> {
        let mut columns =
            Column::all(&[("mean", "m"), ("deviation", "m"), ("lowest", "m"), ("highest", "m")]);
        let bins = 1..=self.bins.min(MOST);
        columns.extend(bins.map(|bin| Column::new(format!("height_{bin}"), "m")));
        columns
    }

    fn profile(&self) -> Option<Profile> {
        let first = 4;
        let count = self.bins.min(MOST);
        let width = (self.to - self.from) / count as f64;
        let center = |bin: u64| self.from + (bin as f64 + 0.5) * width;
        let sign = if self.along.vector().max_element() > 0.0 { "" } else { "−" };
        Some(Profile {
            columns: first..first + count as usize,
            positions: (0..count).map(center).collect(),
            along: format!("{sign}{} [m]", AXES[self.along.index()]),
            label: "height [m]",
        })
    }

    fn references(&self) -> Vec<(&'static str, Reference<'_>)> {
        self.particles.reference("particles").into_iter().collect()
    }

    fn problems(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        if self.up.index() == self.along.index() {
            problems.push(Problem::at("along", "`along` must lie across `up`"));
        }
        if !(self.from < self.to) {
            let message = format!("the bins begin at {} and end at {}", self.from, self.to);
            problems.push(Problem::at("to", message).help("`to` must be above `from`"));
        }
        if !(1..=MOST).contains(&self.bins) {
            problems.push(Problem::at("bins", format!("between 1 and {MOST} bins are possible")));
        }
        problems
    }

    fn values(&self, now: &Snapshot, _: &mut MeasureState) -> Vec<Option<f64>> {
        let (up, along) = (self.up.vector(), self.along.vector());
        let count = self.bins.min(MOST);
        let mut heights: Vec<Option<f64>> = vec![None; count as usize];
        for particle in self.particles.of(now) {
            let fraction = (particle.position.dot(along) - self.from) / (self.to - self.from);
            if !(0.0..1.0).contains(&fraction) {
                continue;
            }
            let bin = ((fraction * count as f64) as usize).min(heights.len() - 1);
            let top = particle.position.dot(up) + particle.radius - self.floor;
            heights[bin] = Some(heights[bin].map_or(top, |highest| highest.max(top)));
        }
        let found: Vec<f64> = heights.iter().filter_map(|height| *height).collect();
        let (mean, deviation) = mean_and_deviation(&found);
        let lowest = found.iter().copied().min_by(f64::total_cmp);
        let highest = found.iter().copied().max_by(f64::total_cmp);
        [vec![mean, deviation, lowest, highest], heights].concat()
    }
}

#[cfg(test)]
mod tests {
    use super::super::ParticleView;
    use super::super::selection::testing::{particle, snapshot};
    use super::*;
    use crate::Vec3;

    #[test]
    fn stairs_have_the_heights_of_their_steps() {
        // columns of one, two, three and four grains, the third bin empty
        let mut particles: Vec<ParticleView> = Vec::new();
        for (column, x) in [0.05, 0.25, 0.65, 0.95].into_iter().enumerate() {
            for k in 0..=column {
                let center = Vec3::new(x, 0.5 + 0.1 + 0.2 * k as f64, 0.3);
                particles.push(particle(particles.len() as u64, 0.1, 1.0, center));
            }
        }
        let options = r#"{"up": "y", "along": "x", "from": 0, "to": 1, "bins": 5, "floor": 0.5}"#;
        let measure: HeightProfile = serde_json::from_str(options).expect("good options");
        let values = measure.values(&snapshot(particles), &mut MeasureState::default());
        let expected = [Some(0.2), Some(0.4), None, Some(0.6), Some(0.8)];
        for (found, expected) in values[4..].iter().zip(expected) {
            assert_eq!(found.is_some(), expected.is_some());
            assert!((found.unwrap_or(0.0) - expected.unwrap_or(0.0)).abs() < 1e-12, "{values:?}");
        }
        assert!((values[0].unwrap() - 0.5).abs() < 1e-12);
        assert!(
            (values[2].unwrap() - 0.2).abs() < 1e-12 && (values[3].unwrap() - 0.8).abs() < 1e-12
        );
        assert_eq!(measure.columns().len(), values.len());
        let profile = measure.profile().expect("it is one");
        assert_eq!(profile.columns, 4..9);
        let positions = profile.positions.iter().zip([0.1, 0.3, 0.5, 0.7, 0.9]);
        assert!(positions.into_iter().all(|(found, expected)| (found - expected).abs() < 1e-12));
        assert_eq!(profile.along, "x [m]");
    }

    #[test]
    fn what_cannot_be_cut_is_refused() {
        let options = r#"{"up": "y", "along": "-y", "from": 1, "to": 0, "bins": 0}"#;
        let measure: HeightProfile = serde_json::from_str(options).unwrap();
        assert_eq!(measure.problems().len(), 3);
    }
}
