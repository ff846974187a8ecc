//! Hexatic order: alignment of the neighbours of particles in a plane with multiples of 60°.

use super::neighbors::pairs_within;
use super::options::{Axis, Group};
use super::{Column, ExactSum, Measure, MeasureState, Reference, Snapshot};
use crate::Problem;

/// Hexatic order `ψ₆ = 1/n Σ e^{6iθ}` over the n neighbours of a particle, with their directions θ
/// in a plane: its magnitude is 1 in a hexagonal packing.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Hexatic {
    /// A group, or `all`.
    #[cfg_attr(feature = "serde", serde(default))]
    pub particles: Group,
    /// Normal of the plane.
    pub normal: Axis,
    /// Largest gap between the surfaces of neighbours [m]; default: 0.4 of the mean diameter.
    pub gap: Option<f64>,
    /// Smallest number of neighbours of a particle that is counted; with a single neighbour the
    /// order is always 1.
    #[cfg_attr(feature = "serde", serde(default = "three"))]
    pub least_neighbors: u64,
}

#[cfg(feature = "serde")]
fn three() -> u64 {
    3
}

/// Default gap between neighbours as a fraction of the mean diameter: the first shell of a dense packing extends to
/// about 1.4 diameters between centres.
const FIRST_SHELL: f64 = 0.4;

const COLUMNS: &[(&str, &str)] =
    &[("mean_order", ""), ("common_order", ""), ("counted", ""), ("mean_neighbors", "")];

/// Order of a planar packing.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::{snapshot, RADIUS};
/// use esker::measure::{Axis, Hexatic, MeasureState, Measure};
/// use esker::prelude::*;
///
/// // a grain and its six neighbours on a triangular lattice
/// let around = (0..6).map(|i| f64::from(i) * std::f64::consts::FRAC_PI_3);
/// let around = around.map(|angle| Vec3::new(angle.cos(), angle.sin(), 0.0) * 2.0 * RADIUS);
/// let centers = around.chain([Vec3::ZERO]);
/// let now = snapshot(centers.map(|center| Sphere::new(RADIUS, center)).collect());
/// let particles = Default::default();
/// let measure = Hexatic { particles, normal: Axis::Z, gap: Some(1e-3), least_neighbors: 6 };
/// let values = measure.values(&now, &mut MeasureState::default());
/// assert!(values.iter().flatten().any(|value| (value - 1.0).abs() < 1e-9)); // |ψ₆| = 1
/// ```
impl Measure for Hexatic {
    fn name(&self) -> &'static str {
        "hexatic"
    }

    fn columns(&self) -> Vec<Column> {
        Column::all(COLUMNS)
    }

    fn references(&self) -> Vec<(&'static str, Reference<'_>)> {
        self.particles.reference("particles").into_iter().collect()
    }

    fn problems(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        if self.gap.is_some_and(|gap| !(gap >= 0.0)) {
            problems.push(Problem::at("gap", "`gap` must not be negative"));
        }
        if self.least_neighbors == 0 {
            let message = "a particle without neighbours has no order";
            problems.push(Problem::at("least_neighbors", message));
        }
        problems
    }

    fn values(&self, now: &Snapshot, _: &mut MeasureState) -> Vec<Option<f64>> {
        let particles = self.particles.of(now);
        let diameters: ExactSum = particles.iter().map(|one| 2.0 * one.radius).collect();
        let gap =
            self.gap.unwrap_or(FIRST_SHELL * diameters.value() / particles.len().max(1) as f64);
        let [first_axis, second_axis] = self.normal.across();
        let mut sums = vec![Sum::default(); particles.len()];
        for (one, other, branch) in pairs_within(now, &particles, gap) {
            // six times the angle is the same for the opposite direction
            let angle = 6.0 * libm::atan2(branch[second_axis], branch[first_axis]);
            for particle in [one, other] {
                sums[particle].add(angle);
            }
        }
        let counted: Vec<&Sum> =
            sums.iter().filter(|sum| sum.neighbors >= self.least_neighbors).collect();
        let count = counted.len() as f64;
        let mean = |of: &dyn Fn(&Sum) -> f64| {
            counted.iter().map(|sum| of(sum)).collect::<ExactSum>().value() / count
        };
        if counted.is_empty() {
            return vec![None, None, Some(0.0), None];
        }
        let [real, imaginary] = [0, 1].map(|part| mean(&|sum: &Sum| sum.order()[part]));
        vec![
            Some(mean(&|sum: &Sum| libm::hypot(sum.order()[0], sum.order()[1]))),
            Some(libm::hypot(real, imaginary)),
            Some(count),
            Some(mean(&|sum: &Sum| sum.neighbors as f64)),
        ]
    }
}

/// Sum of e^{6iθ} over the neighbours of one particle.
#[derive(Debug, Clone, Copy, Default)]
struct Sum {
    parts: [f64; 2],
    neighbors: u64,
}

impl Sum {
    fn add(&mut self, angle: f64) {
        self.parts[0] += libm::cos(angle);
        self.parts[1] += libm::sin(angle);
        self.neighbors += 1;
    }

    /// ψ₆.
    fn order(&self) -> [f64; 2] {
        self.parts.map(|part| part / self.neighbors.max(1) as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::super::selection::testing::{particle, snapshot};
    use super::*;
    use crate::Vec3;

    /// Particles on a lattice of two vectors, in the plane normal to an axis, rotated by an angle.
    fn lattice(steps: [[f64; 2]; 2], normal: Axis, angle: f64) -> Snapshot {
        let [first, second] = normal.across();
        let (sine, cosine) = angle.sin_cos();
        let mut positions = Vec::new();
        for i in -4..=4 {
            for j in -4..=4 {
                let [a, b] = [0, 1]
                    .map(|axis| f64::from(i) * steps[0][axis] + f64::from(j) * steps[1][axis]);
                let mut position = Vec3::splat(0.5);
                position[first] += cosine * a - sine * b;
                position[second] += sine * a + cosine * b;
                positions.push(position);
            }
        }
        let view = |(id, position): (usize, &Vec3)| particle(id as u64, 0.01, 1.0, *position);
        snapshot(positions.iter().enumerate().map(view).collect())
    }

    fn measured(options: &str, now: &Snapshot) -> Vec<Option<f64>> {
        let measure: Hexatic = serde_json::from_str(options).expect("good options");
        assert!(measure.problems().is_empty());
        measure.values(now, &mut MeasureState::default())
    }

    #[test]
    fn a_hexagonal_packing_has_full_order_however_it_stands() {
        let hexagonal = [[0.021, 0.0], [0.0105, 0.021 * 0.75f64.sqrt()]];
        for (normal, word) in [(Axis::Z, "z"), (Axis::X, "x"), (Axis::Y, "y")] {
            for angle in [0.0, 0.3, 1.0] {
                let values = measured(
                    &format!("{{\"normal\": \"{word}\"}}"),
                    &lattice(hexagonal, normal, angle),
                );
                // those at the edge too: all their neighbours are at multiples of 60°
                assert!((values[0].unwrap() - 1.0).abs() < 1e-12, "{values:?}");
                assert!((values[1].unwrap() - 1.0).abs() < 1e-12, "{values:?}");
            }
        }
        // two neighbours at the acute corners do not count
        let values = measured(r#"{"normal": "z"}"#, &lattice(hexagonal, Axis::Z, 0.0));
        assert_eq!(values[2], Some(79.0));
    }

    #[test]
    fn a_square_packing_has_none_where_all_four_neighbours_are_there() {
        let square = lattice([[0.021, 0.0], [0.0, 0.021]], Axis::Z, 0.2);
        let values = measured(r#"{"normal": "z", "gap": 0.002, "least_neighbors": 4}"#, &square);
        // e^{6iθ} of the four directions is 1, -1, 1, -1
        assert!(values[0].unwrap() < 1e-12, "{values:?}");
        assert_eq!([values[2], values[3]], [Some(49.0), Some(4.0)]);
        // at an edge three neighbours remain: a third
        let values = measured(r#"{"normal": "z", "gap": 0.002}"#, &square);
        let expected = 28.0 / 3.0 / 77.0;
        assert!((values[0].unwrap() - expected).abs() < 1e-12, "{values:?}");
    }

    #[test]
    fn two_grains_of_different_directions_have_order_but_none_in_common() {
        let hexagonal = [[0.021, 0.0], [0.0105, 0.021 * 0.75f64.sqrt()]];
        let mut both = lattice(hexagonal, Axis::Z, 0.0);
        // with a rotation of 30° the order has the opposite sign
        let rotated = lattice(hexagonal, Axis::Z, std::f64::consts::FRAC_PI_6);
        for one in rotated.particles {
            let position = one.position + Vec3::new(0.0, 0.0, 10.0);
            both.particles.push(particle(1000 + u64::from(one.id), 0.01, 1.0, position));
        }
        let values = measured(r#"{"normal": "z"}"#, &both);
        assert!((values[0].unwrap() - 1.0).abs() < 1e-12 && values[1].unwrap() < 1e-12);
    }
}
