//! Kinetic energies.

use super::options::Group;
use super::{Column, ExactSum, ExactVectorSum, Measure, MeasureState, Reference, Snapshot};

/// Translational and rotational kinetic energy of solid spheres, and the translational energy
/// relative to the mean velocity.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct KineticEnergy {
    /// A group, or `all`.
    #[cfg_attr(feature = "serde", serde(default))]
    pub particles: Group,
}

/// Translational and rotational energy.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::{snapshot, RADIUS};
/// use esker::prelude::*;
/// use esker::measure::{MeasureState, Measure, KineticEnergy};
///
/// let now = snapshot(vec![Sphere { velocity: Vec3::X * 2.0, ..Sphere::new(RADIUS, Vec3::ZERO) }]);
/// let measure = KineticEnergy::default();
/// let values = measure.values(&now, &mut MeasureState::default());
/// let mass = now.particles[0].mass;
/// assert!(values.contains(&Some(0.5 * mass * 4.0)));
/// ```
impl Measure for KineticEnergy {
    fn name(&self) -> &'static str {
        "kinetic_energy"
    }

    // `total`
    fn main_column(&self) -> usize {
        2
    }

    fn columns(&self) -> Vec<Column> {
        let names = ["translational", "rotational", "total", "fluctuating", "mean"];
        names.iter().map(|name| Column::new(*name, "J")).collect()
    }

    fn references(&self) -> Vec<(&'static str, Reference<'_>)> {
        self.particles.reference("particles").into_iter().collect()
    }

    fn values(&self, now: &Snapshot, _: &mut MeasureState) -> Vec<Option<f64>> {
        let mut particles = self.particles.of(now);
        particles.retain(|particle| particle.mass.is_finite());
        if particles.is_empty() {
            return vec![None; 5];
        }
        let sum = |of: &dyn Fn(&super::ParticleView) -> f64| {
            particles.iter().map(|particle| of(particle)).collect::<ExactSum>().value()
        };
        let mass = sum(&|p| p.mass);
        let momentum: ExactVectorSum = particles.iter().map(|p| p.mass * p.velocity).collect();
        let mean = momentum.value() / mass;
        let translational = sum(&|p| 0.5 * p.mass * p.velocity.length_squared());
        let rotational = sum(&|p| 0.2 * p.mass * p.radius * p.radius * p.spin.length_squared());
        let fluctuating = sum(&|p| 0.5 * p.mass * (p.velocity - mean).length_squared());
        let total = translational + rotational;
        let count = particles.len() as f64;
        [translational, rotational, total, fluctuating, total / count].map(Some).to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::super::selection::testing::{particle, snapshot};
    use super::*;
    use crate::Vec3;

    #[test]
    fn two_spheres_have_the_energies_of_their_motion() {
        let mut one = particle(0, 0.1, 2.0, Vec3::ZERO);
        let mut other = particle(1, 0.2, 3.0, Vec3::X);
        one.velocity = Vec3::new(4.0, 0.0, 0.0);
        other.velocity = Vec3::new(-1.0, 0.0, 0.0);
        other.spin = Vec3::new(0.0, 0.0, 10.0);
        let wall = particle(2, 0.2, f64::INFINITY, Vec3::X);
        let values = KineticEnergy::default()
            .values(&snapshot(vec![one, other, wall]), &mut MeasureState::default());
        // ½·2·16 + ½·3·1; ½·⅖·3·0.04·100; reduced mass 6/5 at 5 m/s
        for (found, expected) in values.iter().zip([17.5, 2.4, 19.9, 15.0, 9.95]) {
            assert!((found.unwrap() - expected).abs() < 1e-12, "{values:?}");
        }
        let none = KineticEnergy::default().values(&snapshot(vec![]), &mut MeasureState::default());
        assert_eq!(none, [None; 5]);
    }
}
