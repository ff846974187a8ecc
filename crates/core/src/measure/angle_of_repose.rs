//! Angle of repose: the slope of the four flanks of a heap in two sections.

use super::options::{AXES, Axis, Group, positive};
use super::statistics::{mean_and_deviation, mean_radius, slope};
use super::{Column, Measure, MeasureState, ParticleView, Reference, Snapshot};
use crate::Problem;

/// Angle of repose of a heap. In two vertical slices through the centre, along the two axes normal
/// to `up`, the highest points of all bins form the upper envelope; on both sides of the centre a
/// straight line is fitted to it between two fractions of the crest height.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::{snapshot, RADIUS};
/// use esker::measure::{AngleOfRepose, Axis, Group, MeasureState, Measure};
/// use esker::prelude::*;
///
/// // a line of columns, 1 to 6 grains high and down again: flanks of 45°
/// let mut grains = Vec::new();
/// for column in 0_i32..11 {
///     for k in 0..6 - (column - 5).abs() {
///         let [x, z] = [column - 5, k].map(|number| 2.0 * RADIUS * f64::from(number));
///         grains.push(Sphere::new(RADIUS, Vec3::new(x, 0.0, z + RADIUS)));
///     }
/// }
/// let measure = AngleOfRepose {
///     particles: Group::default(),
///     up: Axis::Z,
///     half_width: None,
///     bin: Some(2.0 * RADIUS),
///     from: 0.1,
///     to: 0.9,
///     floor: Some(0.0),
///     center: None,
/// };
/// let values = measure.values(&snapshot(grains), &mut MeasureState::default());
/// assert!((values[0].unwrap() - 45.0).abs() < 5.0, "{values:?}");
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct AngleOfRepose {
    /// A group, or `all`.
    #[cfg_attr(feature = "serde", serde(default))]
    pub particles: Group,
    /// Axis that points up.
    pub up: Axis,
    /// Half the thickness of a slice [m]; default: three mean radii.
    pub half_width: Option<f64>,
    /// Width of a bin [m]; default: two mean radii.
    pub bin: Option<f64>,
    /// Fraction of the crest height at which the flank begins.
    #[cfg_attr(feature = "serde", serde(default = "low"))]
    pub from: f64,
    /// Fraction of the crest height at which it ends.
    #[cfg_attr(feature = "serde", serde(default = "high"))]
    pub to: f64,
    /// Height of the floor [m]; default: the lowest point of the particles.
    pub floor: Option<f64>,
    /// Point where the slices intersect [m]; default: the mean position of the particles.
    pub center: Option<[f64; 3]>,
}

#[cfg(feature = "serde")]
fn low() -> f64 {
    0.2
}

#[cfg(feature = "serde")]
fn high() -> f64 {
    0.85
}

impl Measure for AngleOfRepose {
    fn name(&self) -> &'static str {
        "angle_of_repose"
    }

    fn columns(&self) -> Vec<Column> {
        let mut columns = Column::all(&[("angle", "°"), ("deviation", "°"), ("crest", "m")]);
        for axis in self.up.across() {
            for side in ["low", "high"] {
                columns.push(Column::new(format!("{}_{side}", AXES[axis]), "°"));
            }
        }
        columns
    }

    fn references(&self) -> Vec<(&'static str, Reference<'_>)> {
        self.particles.reference("particles").into_iter().collect()
    }

    fn problems(&self) -> Vec<Problem> {
        let mut problems: Vec<Problem> = [("half_width", self.half_width), ("bin", self.bin)]
            .into_iter()
            .filter_map(|(option, number)| positive(option, number))
            .collect();
        if !(0.0 <= self.from && self.from < self.to && self.to <= 1.0) {
            let message = format!(
                "the flank from {} to {} of the crest: both must lie between 0 and 1, in order",
                self.from, self.to
            );
            problems.push(Problem::at("from", message));
        }
        problems
    }

    fn values(&self, now: &Snapshot, _: &mut MeasureState) -> Vec<Option<f64>> {
        let particles = self.particles.of(now);
        let Some(heap) = Heap::new(self, &particles) else { return vec![None; 7] };
        let [a, b] = self.up.across();
        let (first, second) = (heap.section(a, b), heap.section(b, a));
        let flanks = [first.flanks, second.flanks].concat();
        let found: Vec<f64> = flanks.iter().filter_map(|angle| *angle).collect();
        let (mean, deviation) = mean_and_deviation(&found);
        let mut values = vec![mean, deviation, Some(first.crest.max(second.crest))];
        values.extend(flanks);
        values
    }
}

/// The particles and the lengths of the definition.
struct Heap<'a> {
    measure: &'a AngleOfRepose,
    particles: &'a [&'a ParticleView],
    center: [f64; 3],
    floor: f64,
    half_width: f64,
    bin: f64,
}

/// Result of one slice.
struct Section {
    crest: f64,
    /// Angles of the low and of the high side [°].
    flanks: [Option<f64>; 2],
}

impl<'a> Heap<'a> {
    fn new(measure: &'a AngleOfRepose, particles: &'a [&'a ParticleView]) -> Option<Self> {
        let radius = mean_radius(particles)?;
        let up = measure.up.vector();
        let lowest = particles
            .iter()
            .map(|particle| particle.position.dot(up) - particle.radius)
            .fold(f64::INFINITY, f64::min);
        let sum: super::ExactVectorSum = particles.iter().map(|p| p.position).collect();
        let mean = sum.value() / particles.len() as f64;
        Some(Self {
            measure,
            particles,
            center: measure.center.unwrap_or(mean.to_array()),
            floor: measure.floor.unwrap_or(lowest),
            half_width: measure.half_width.unwrap_or(3.0 * radius),
            bin: measure.bin.unwrap_or(2.0 * radius),
        })
    }

    /// The slice along one axis, thin along the other.
    fn section(&self, along: usize, across: usize) -> Section {
        let up = self.measure.up.vector();
        let mut sides: [Vec<f64>; 2] = [Vec::new(), Vec::new()];
        let is_near =
            |p: &&&ParticleView| (p.position[across] - self.center[across]).abs() < self.half_width;
        for particle in self.particles.iter().filter(is_near) {
            let offset = particle.position[along] - self.center[along];
            let side = &mut sides[usize::from(offset >= 0.0)];
            let bin_index = (offset.abs() / self.bin) as usize;
            // a single distant particle must not cause a table of unlimited length
            if bin_index >= FARTHEST {
                continue;
            }
            if side.len() <= bin_index {
                side.resize(bin_index + 1, f64::NEG_INFINITY);
            }
            let height = particle.position.dot(up) + particle.radius - self.floor;
            side[bin_index] = side[bin_index].max(height);
        }
        let crest = sides.iter().flatten().copied().fold(0.0, f64::max);
        Section { crest, flanks: sides.map(|envelope| self.flank(&envelope, crest)) }
    }

    /// Angle of one side [°].
    fn flank(&self, envelope: &[f64], crest: f64) -> Option<f64> {
        let within = self.measure.from * crest..=self.measure.to * crest;
        let points: Vec<[f64; 2]> = envelope
            .iter()
            .enumerate()
            .filter(|(_, height)| within.contains(*height))
            .map(|(bin_index, height)| [(bin_index as f64 + 0.5) * self.bin, *height])
            .collect();
        Some(libm::atan(-slope(&points)?).to_degrees())
    }
}

/// Largest number of bins on one side.
const FARTHEST: usize = 1 << 20;

#[cfg(test)]
mod tests {
    use super::super::selection::testing::{particle, snapshot};
    use super::*;
    use crate::Vec3;

    fn measure(text: &str) -> AngleOfRepose {
        serde_json::from_str(text).expect("the options are good")
    }

    /// Small grains on a square grid that fill a roof with a different slope on every side of the crest.
    fn roof(slopes: [f64; 4]) -> Snapshot {
        let mut particles = Vec::new();
        let step = 0.01;
        for i in -100..100 {
            for j in -100..100 {
                // between the bounds of the bins
                let (x, y) = ((f64::from(i) + 0.5) * step, (f64::from(j) + 0.5) * step);
                let fall = if x < 0.0 { -slopes[0] * x } else { slopes[1] * x }
                    + if y < 0.0 { -slopes[2] * y } else { slopes[3] * y };
                let height = 0.5 - fall;
                if height >= 0.0 {
                    let id = particles.len() as u64;
                    particles.push(particle(id, 1e-4, 1.0, Vec3::new(x, y, 0.0)));
                    particles.push(particle(id + 1, 1e-4, 1.0, Vec3::new(x, y, height)));
                }
            }
        }
        snapshot(particles)
    }

    #[test]
    fn every_flank_of_a_roof_has_its_own_slope() {
        let slopes = [0.5, 0.7, 0.9, 1.1];
        let options = r#"{"up": "z", "bin": 0.02, "half_width": 0.006, "center": [0, 0, 0]}"#;
        let values = measure(options).values(&roof(slopes), &mut MeasureState::default());
        let expected: Vec<f64> = slopes.iter().map(|s| s.atan().to_degrees()).collect();
        for (found, expected) in values[3..].iter().zip(&expected) {
            let found = found.expect("a flank");
            assert!((found - expected).abs() < 1e-6, "{found} for {expected}");
        }
        let (mean, deviation) = mean_and_deviation(&expected);
        assert!((values[0].unwrap() - mean.unwrap()).abs() < 1e-6);
        assert!((values[1].unwrap() - deviation.unwrap()).abs() < 1e-6);
        // the highest grain is 5 mm from the centre on the two gentler sides; plus two radii
        let crest = 0.5 - 0.005 * (0.5 + 0.9) + 2e-4;
        assert!((values[2].unwrap() - crest).abs() < 1e-9);
    }

    #[test]
    fn a_cone_of_thirty_degrees_has_an_angle_of_repose_of_thirty_degrees() {
        let slope = 30.0_f64.to_radians().tan();
        let mut particles = Vec::new();
        for i in -120_i32..=120 {
            for j in -120_i32..=120 {
                let (x, z) = (0.01 * f64::from(i), 0.01 * f64::from(j));
                let height = slope * (1.0 - (x * x + z * z).sqrt());
                if height >= 0.0 {
                    let id = particles.len() as u64;
                    particles.push(particle(id, 0.005, 1.0, Vec3::new(x, height, z)));
                }
            }
        }
        let values =
            measure(r#"{"up": "y"}"#).values(&snapshot(particles), &mut MeasureState::default());
        let angle = values[0].expect("a cone has flanks");
        // The slice is 0.03 m thick, so that its envelope is nearly that of the central section.
        assert!((angle - 30.0).abs() < 0.2, "{angle}");
        assert_eq!(measure(r#"{"up": "y"}"#).columns()[3].name, "x_low");
    }

    #[test]
    fn a_flat_bed_and_nothing_at_all_have_no_flank() {
        let flat = (0..100)
            .map(|id| particle(id, 0.05, 1.0, Vec3::new(0.1 * id as f64, 0.0, 0.0)))
            .collect();
        let values =
            measure(r#"{"up": "z"}"#).values(&snapshot(flat), &mut MeasureState::default());
        assert_eq!(values[0], None);
        let values =
            measure(r#"{"up": "z"}"#).values(&snapshot(vec![]), &mut MeasureState::default());
        assert_eq!(values, [None; 7]);
    }

    #[test]
    fn shares_out_of_order_are_refused() {
        assert_eq!(measure(r#"{"up": "z", "from": 0.9}"#).problems().len(), 1);
        assert_eq!(measure(r#"{"up": "z", "bin": -1}"#).problems().len(), 1);
        assert!(measure(r#"{"up": "z"}"#).problems().is_empty());
    }
}
