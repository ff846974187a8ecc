//! Discharge of a container: number, mass and rates.

use super::options::{Axis, Group};
use super::{Column, ExactSum, Measure, MeasureState, Reference, Snapshot};
use crate::id::ParticleId;
use std::collections::BTreeMap;

/// Discharged particles: their centres are below a level, or they have left the domain. Rates are
/// averages since the previous row. A particle that is inserted and leaves between two rows is not
/// counted.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Discharged {
    /// A group, or `all`.
    #[cfg_attr(feature = "serde", serde(default))]
    pub particles: Group,
    /// Axis that points up.
    pub up: Axis,
    /// Height below which a centre counts as discharged [m].
    pub below: f64,
}

const COLUMNS: &[(&str, &str)] = &[
    ("count", ""),
    ("mass", "kg"),
    ("fraction", ""),
    ("mass_fraction", ""),
    ("rate", "1/s"),
    ("mass_rate", "kg/s"),
];

/// Particles below a height.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::{snapshot, RADIUS};
/// use esker::prelude::*;
/// use esker::measure::{MeasureState, Measure, Discharged, Axis};
///
/// let now = snapshot(vec![Sphere::new(RADIUS, Vec3::Z), Sphere::new(RADIUS, Vec3::NEG_Z)]);
/// let measure = Discharged { particles: Default::default(), up: Axis::Z, below: 0.0 };
/// let values = measure.values(&now, &mut MeasureState::default());
/// assert!(values.contains(&Some(0.5)));
/// ```
impl Measure for Discharged {
    fn name(&self) -> &'static str {
        "discharged"
    }

    fn columns(&self) -> Vec<Column> {
        Column::all(COLUMNS)
    }

    fn references(&self) -> Vec<(&'static str, Reference<'_>)> {
        self.particles.reference("particles").into_iter().collect()
    }

    fn values(&self, now: &Snapshot, measure_state: &mut MeasureState) -> Vec<Option<f64>> {
        let up = self.up.vector();
        let mut known: BTreeMap<ParticleId, f64> =
            measure_state.ids.iter().copied().zip(measure_state.of_ids.iter().copied()).collect();
        let present = self.particles.of(now);
        known.extend(present.iter().map(|particle| (particle.id, particle.mass)));
        let inside: BTreeMap<ParticleId, f64> = present
            .iter()
            .filter(|particle| particle.position.dot(up) >= self.below)
            .map(|particle| (particle.id, particle.mass))
            .collect();
        let out = || known.iter().filter(|(id, _)| !inside.contains_key(*id));
        let (count, total) = (out().count() as f64, known.len() as f64);
        let mass = out().map(|(_, mass)| *mass).collect::<ExactSum>().value();
        let total_mass = known.values().copied().collect::<ExactSum>().value();
        let rate = |now_out: f64, index: usize| {
            let passed = now.time - measure_state.time?;
            let before = *measure_state.numbers.get(index)?;
            (passed > 0.0).then(|| (now_out - before) / passed)
        };
        let values = vec![
            Some(count),
            Some(mass),
            (total > 0.0).then(|| count / total),
            (total_mass > 0.0).then(|| mass / total_mass),
            rate(count, 0),
            rate(mass, 1),
        ];
        measure_state.numbers = vec![count, mass];
        (measure_state.ids, measure_state.of_ids) = known.into_iter().unzip();
        values
    }
}

#[cfg(test)]
mod tests {
    use super::super::ParticleView;
    use super::super::selection::testing::{particle, snapshot};
    use super::*;
    use crate::Vec3;

    #[test]
    fn what_fell_below_and_what_is_gone_has_left() {
        let measure: Discharged =
            serde_json::from_str(r#"{"up": "z", "below": 0.0}"#).expect("good options");
        let bed = |time: f64, heights: &[(u64, f64)]| {
            let particles: Vec<ParticleView> = heights
                .iter()
                .map(|(id, z)| particle(*id, 0.1, 2.0, Vec3::new(0.0, 0.0, *z)))
                .collect();
            Snapshot { time, ..snapshot(particles) }
        };
        let mut measure_state = MeasureState::default();
        let start = measure
            .values(&bed(0.0, &[(0, 1.0), (1, 2.0), (2, 3.0), (3, 4.0)]), &mut measure_state);
        assert_eq!(start, [Some(0.0), Some(0.0), Some(0.0), Some(0.0), None, None]);
        measure_state.time = Some(0.0);
        // one below the level, one removed from the domain
        let later = measure.values(&bed(0.5, &[(1, -0.1), (2, 1.0), (3, 2.0)]), &mut measure_state);
        let half = Some(0.5);
        assert_eq!(later, [Some(2.0), Some(4.0), half, half, Some(4.0), Some(8.0)]);
        // particles discharged later count as well
        measure_state.time = Some(0.5);
        let last = measure.values(&bed(1.0, &[(2, 1.0), (3, 2.0), (7, 3.0)]), &mut measure_state);
        assert_eq!(last[..3], [Some(2.0), Some(4.0), Some(0.4)]);
        assert_eq!(last[4..], [Some(0.0), Some(0.0)]);
    }

    #[test]
    fn nothing_has_no_fraction() {
        let measure: Discharged = serde_json::from_str(r#"{"up": "-y", "below": 0.0}"#).unwrap();
        let values = measure.values(&snapshot(vec![]), &mut MeasureState::default());
        assert_eq!(values, [Some(0.0), Some(0.0), None, None, None, None]);
    }
}
