//! Particles at rest.

use super::options::{Group, positive};
use super::{Column, ExactSum, Measure, MeasureState, Reference, Snapshot};
use crate::Problem;

/// Particles at rest: the speed of the centre and the surface speed due to spin, rω, are both below
/// a limit. Fractions refer to the particles that are present.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct AtRest {
    /// A group, or `all`.
    #[cfg_attr(feature = "serde", serde(default))]
    pub particles: Group,
    /// Speed below which a particle is at rest [m/s].
    pub below: f64,
}

/// Number and fraction.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::{snapshot, RADIUS};
/// use esker::prelude::*;
/// use esker::measure::{MeasureState, Measure, AtRest};
///
/// let now = snapshot(vec![
///     Sphere::new(RADIUS, Vec3::ZERO),
///     Sphere { velocity: Vec3::X, ..Sphere::new(RADIUS, Vec3::X) },
/// ]);
/// let measure = AtRest { particles: Default::default(), below: 0.1 };
/// let values = measure.values(&now, &mut MeasureState::default());
/// assert_eq!(values[0], Some(1.0)); // one of two
/// ```
impl Measure for AtRest {
    fn name(&self) -> &'static str {
        "at_rest"
    }

    fn columns(&self) -> Vec<Column> {
        Column::all(&[("count", ""), ("fraction", ""), ("mass_fraction", "")])
    }

    fn references(&self) -> Vec<(&'static str, Reference<'_>)> {
        self.particles.reference("particles").into_iter().collect()
    }

    fn problems(&self) -> Vec<Problem> {
        positive("below", Some(self.below)).into_iter().collect()
    }

    fn values(&self, now: &Snapshot, _: &mut MeasureState) -> Vec<Option<f64>> {
        let mut particles = self.particles.of(now);
        particles.retain(|particle| particle.mass.is_finite());
        let (total, mass) =
            (particles.len() as f64, particles.iter().map(|p| p.mass).collect::<ExactSum>());
        particles.retain(|particle| {
            let surface_speed = particle.radius * particle.spin.length();
            particle.velocity.length() < self.below && surface_speed < self.below
        });
        let resting = particles.iter().map(|p| p.mass).collect::<ExactSum>();
        let count = particles.len() as f64;
        let present = total > 0.0;
        vec![
            Some(count),
            present.then(|| count / total),
            present.then(|| resting.value() / mass.value()),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::super::selection::testing::{particle, snapshot};
    use super::*;
    use crate::Vec3;

    fn slower_than(below: f64) -> AtRest {
        AtRest { particles: Group::default(), below }
    }

    #[test]
    fn a_particle_rests_if_neither_its_centre_nor_its_surface_moves() {
        let resting = particle(0, 0.1, 1.0, Vec3::ZERO);
        let mut creeping = particle(1, 0.1, 2.0, Vec3::X);
        creeping.velocity = Vec3::new(0.03, 0.0, -0.04);
        let mut sliding = particle(2, 0.1, 3.0, Vec3::Y);
        sliding.velocity = Vec3::new(0.0, 0.3, 0.0);
        let mut spinning = particle(3, 0.1, 4.0, Vec3::Z);
        spinning.spin = Vec3::new(0.0, 0.0, 2.0);
        let fixed = particle(4, 0.1, f64::INFINITY, Vec3::ONE);
        let bed = snapshot(vec![resting, creeping, sliding, spinning, fixed]);
        let values = |below| slower_than(below).values(&bed, &mut MeasureState::default());
        // speeds 0, 0.05, 0.3 and rω = 0.2
        assert_eq!(values(0.04), [Some(1.0), Some(0.25), Some(0.1)]);
        assert_eq!(values(0.1), [Some(2.0), Some(0.5), Some(0.3)]);
        assert_eq!(values(0.25), [Some(3.0), Some(0.75), Some(0.7)]);
        assert_eq!(values(1.0), [Some(4.0), Some(1.0), Some(1.0)]);
    }

    #[test]
    fn no_particles_have_no_fraction_and_a_limit_of_zero_is_refused() {
        let none = slower_than(0.1).values(&snapshot(vec![]), &mut MeasureState::default());
        assert_eq!(none, [Some(0.0), None, None]);
        assert_eq!(slower_than(0.0).problems().len(), 1);
        assert_eq!(slower_than(f64::NAN).problems().len(), 1);
        assert!(slower_than(0.1).problems().is_empty());
    }
}
