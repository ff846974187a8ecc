//! Flow through a plane, in both directions.

use super::options::{Group, positive};
use super::{Column, Measure, MeasureState, Reference, Snapshot};
use crate::id::ParticleId;
use crate::{Problem, Vec3};
use std::collections::BTreeMap;

/// Flow through a plane, or through a disc in it, counted from row to row by the centres: a
/// particle that crosses and returns between two rows, or leaves the domain, is not counted.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::{simulation, RADIUS};
/// use esker::measure::{Flow, Group, MeasureState, Measure};
/// use esker::prelude::*;
///
/// # let grain = Sphere { velocity: Vec3::X, ..Sphere::new(RADIUS, Vec3::ZERO) };
/// # let mut simulation = simulation(ContactModel::normal(Hertz::default()), Pair::new(), vec![grain]);
/// let flow = Flow {
///     particles: Group::default(),
///     point: [0.05, 0.0, 0.0],
///     normal: [1.0, 0.0, 0.0],
///     radius: None,
/// };
/// let mut measure_state = MeasureState::default();
/// flow.values(&simulation.snapshot(), &mut measure_state); // counts from here on
/// simulation.run_until(0.1)?; // one grain passes
/// assert_eq!(flow.values(&simulation.snapshot(), &mut measure_state)[0], Some(1.0)); // forward
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Flow {
    /// A group, or `all`.
    #[cfg_attr(feature = "serde", serde(default))]
    pub particles: Group,
    /// A point of the plane, or the centre of the disc [m].
    pub point: [f64; 3],
    /// Normal of the plane, in the forward direction.
    pub normal: [f64; 3],
    /// Radius of the disc [m]; default: the whole plane.
    pub radius: Option<f64>,
}

const COLUMNS: &[(&str, &str)] = &[
    ("forward", ""),
    ("backward", ""),
    ("forward_mass", "kg"),
    ("backward_mass", "kg"),
    ("rate", "1/s"),
    ("mass_rate", "kg/s"),
];

impl Measure for Flow {
    fn name(&self) -> &'static str {
        "flow"
    }

    fn columns(&self) -> Vec<Column> {
        Column::all(COLUMNS)
    }

    fn references(&self) -> Vec<(&'static str, Reference<'_>)> {
        self.particles.reference("particles").into_iter().collect()
    }

    fn problems(&self) -> Vec<Problem> {
        let mut problems: Vec<Problem> = positive("radius", self.radius).into_iter().collect();
        if Vec3::from(self.normal).length() == 0.0 {
            problems.push(Problem::at("normal", "`normal` has no direction"));
        }
        problems
    }

    fn values(&self, now: &Snapshot, measure_state: &mut MeasureState) -> Vec<Option<f64>> {
        // numbers: four totals, then the position of each id
        let before = measure_state.numbers.get(4..).unwrap_or_default().chunks_exact(3);
        let before: BTreeMap<ParticleId, Vec3> =
            measure_state.ids.iter().copied().zip(before.map(Vec3::from_slice)).collect();
        let mut totals: [f64; 4] =
            std::array::from_fn(|index| measure_state.numbers.get(index).copied().unwrap_or(0.0));
        let old = totals;
        measure_state.ids.clear();
        measure_state.numbers.clear();
        let mut positions = Vec::new();
        for particle in self.particles.of(now) {
            let position = now.unwrapped(particle);
            if let Some(earlier) = before.get(&particle.id) {
                let times = self.crossings(now, *earlier, position);
                let (count, mass) = if times > 0.0 { (0, 2) } else { (1, 3) };
                totals[count] += times.abs();
                totals[mass] += times.abs() * particle.mass;
            }
            measure_state.ids.push(particle.id);
            positions.extend(position.to_array());
        }
        measure_state.numbers.extend(totals);
        measure_state.numbers.extend(positions);
        let passed = measure_state.time.map(|time| now.time - time).filter(|passed| *passed > 0.0);
        let net = |totals: [f64; 4], index: usize| totals[index] - totals[index + 1];
        let rate = |index| passed.map(|passed| (net(totals, index) - net(old, index)) / passed);
        let mut values: Vec<Option<f64>> = totals.into_iter().map(Some).collect();
        values.extend([rate(0), rate(2)]);
        values
    }
}

impl Flow {
    /// Number of crossings of a displacement, forward positive. A plane across a periodic axis is crossed again after
    /// every period.
    fn crossings(&self, now: &Snapshot, from: Vec3, to: Vec3) -> f64 {
        let normal = Vec3::from(self.normal).normalize_or_zero();
        let point = Vec3::from(self.point);
        let (start, end) = ((from - point).dot(normal), (to - point).dot(normal));
        let domain = now.domain();
        let period = (0..3)
            .find(|axis| normal[*axis].abs() == 1.0)
            .map_or(0.0, |axis| domain.period()[axis]);
        let times = if period > 0.0 {
            (end / period).floor() - (start / period).floor()
        } else {
            f64::from(i8::from(end >= 0.0) - i8::from(start >= 0.0))
        };
        let Some(radius) = self.radius.filter(|_| times != 0.0) else { return times };
        let plane = if period > 0.0 { (end.max(start) / period).floor() * period } else { 0.0 };
        let crossing = from + (plane - start) / (end - start) * (to - from);
        let aside = domain.nearest_image(crossing - point);
        let aside = aside - aside.dot(normal) * normal;
        if aside.length() <= radius { times } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::super::ParticleView;
    use super::super::selection::testing::{particle, snapshot};
    use super::*;

    fn positions(time: f64, list: &[(u64, [f64; 3])]) -> Snapshot {
        let view = |(id, position): &(u64, [f64; 3])| particle(*id, 0.01, 2.0, (*position).into());
        let particles: Vec<ParticleView> = list.iter().map(view).collect();
        Snapshot { time, ..snapshot(particles) }
    }

    /// Evaluates the measure at several times, as a run does.
    fn watch(options: &str, instants: &[Snapshot]) -> Vec<Vec<Option<f64>>> {
        let measure: Flow = serde_json::from_str(options).expect("good options");
        let mut measure_state = MeasureState::default();
        let look = |instant: &Snapshot| {
            let values = measure.values(instant, &mut measure_state);
            measure_state.time = Some(instant.time);
            values
        };
        instants.iter().map(look).collect()
    }

    #[test]
    fn both_directions_are_counted_with_their_masses_and_rates() {
        let rows = watch(
            r#"{"point": [0, 0, 0.5], "normal": [0, 0, -1]}"#,
            &[
                positions(0.0, &[(0, [0.0, 0.0, 0.9]), (1, [0.0, 0.0, 0.6]), (2, [0.0, 0.0, 0.1])]),
                positions(0.5, &[(0, [0.0, 0.0, 0.4]), (1, [0.0, 0.0, 0.3]), (2, [0.0, 0.0, 0.7])]),
                positions(1.0, &[(0, [0.0, 0.0, 0.2]), (2, [0.0, 0.0, 0.2])]),
            ],
        );
        assert_eq!(rows[0], [Some(0.0), Some(0.0), Some(0.0), Some(0.0), None, None]);
        assert_eq!(rows[1], [2.0, 1.0, 4.0, 2.0, 2.0, 4.0].map(Some));
        assert_eq!(rows[2], [3.0, 1.0, 6.0, 2.0, 2.0, 4.0].map(Some));
    }

    #[test]
    fn a_disc_lets_pass_what_crosses_inside_it() {
        let rows = watch(
            r#"{"point": [0.5, 0.5, 0.5], "normal": [1, 0, 0], "radius": 0.1}"#,
            &[
                positions(0.0, &[(0, [0.4, 0.5, 0.5]), (1, [0.4, 0.45, 0.5])]),
                // the second passes at y = 0.45 + 0.5 · 0.7 = 0.8
                positions(1.0, &[(0, [0.6, 0.55, 0.5]), (1, [0.6, 1.15, 0.5])]),
            ],
        );
        assert_eq!(rows[1][..2], [Some(1.0), Some(0.0)]);
    }

    #[test]
    fn a_plane_across_a_periodic_axis_is_met_in_every_period_and_its_end_is_no_crossing() {
        let mut start = positions(0.0, &[(0, [0.45, 0.0, 0.0]), (1, [0.95, 0.0, 0.0])]);
        let mut end = positions(1.0, &[(0, [0.55, 0.0, 0.0]), (1, [0.05, 0.0, 0.0])]);
        for instant in [&mut start, &mut end] {
            instant.periodic = [true, false, false];
        }
        // the first crosses two periods and a fraction, the second only the boundary
        end.particles[0].image = [2, 0, 0];
        end.particles[1].image = [1, 0, 0];
        let rows = watch(r#"{"point": [0.5, 0, 0], "normal": [1, 0, 0]}"#, &[start, end]);
        assert_eq!(rows[1][0], Some(3.0));
    }
}
