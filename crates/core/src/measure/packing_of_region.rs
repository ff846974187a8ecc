//! Packing fraction of a region, as a measure.

use super::options::{Group, Region};
use super::packing::filled_fraction;
use super::{Column, Measure, MeasureState, Reference, Snapshot};
use crate::Problem;

/// Volume fraction of the particles in a region. A sphere cut by the boundary counts with its
/// volume inside: exactly in a box or a ball, to 1e-10 of the sphere in a cylinder. Overlap volumes
/// count twice.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct PackingFraction {
    /// A group, or `all`.
    #[cfg_attr(feature = "serde", serde(default))]
    pub particles: Group,
    /// The region.
    pub region: Region,
}

/// Volume fraction of the particles.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::{snapshot, RADIUS};
/// use esker::prelude::*;
/// use esker::measure::{MeasureState, Measure, PackingFraction, Region};
///
/// let now = snapshot(vec![Sphere::new(RADIUS, Vec3::ZERO)]);
/// let measure = PackingFraction { particles: Default::default(), region: Region::Box { min: [-0.02; 3], max: [0.02; 3] } };
/// let values = measure.values(&now, &mut MeasureState::default());
/// let expected = std::f64::consts::PI / 6.0 / 8.0; // a sphere in a cube of twice its diameter
/// assert!((values[0].unwrap() / expected - 1.0).abs() < 1e-9);
/// ```
impl Measure for PackingFraction {
    fn name(&self) -> &'static str {
        "packing_fraction"
    }

    fn columns(&self) -> Vec<Column> {
        Column::all(&[("fraction", ""), ("void_ratio", ""), ("centers", "")])
    }

    fn references(&self) -> Vec<(&'static str, Reference<'_>)> {
        self.particles.reference("particles").into_iter().collect()
    }

    fn problems(&self) -> Vec<Problem> {
        self.region.problems("region")
    }

    fn values(&self, now: &Snapshot, _: &mut MeasureState) -> Vec<Option<f64>> {
        let region = self.region.shape();
        let particles = self.particles.of(now);
        let centers = particles.iter().filter(|p| region.holds(p.position, 0.0)).count();
        let fraction = filled_fraction(now, particles.into_iter(), &region);
        let voids =
            fraction.filter(|fraction| *fraction > 0.0).map(|fraction| (1.0 - fraction) / fraction);
        vec![fraction, voids, Some(centers as f64)]
    }
}

#[cfg(test)]
mod tests {
    use super::super::ParticleView;
    use super::super::selection::testing::{particle, snapshot};
    use super::*;
    use crate::Vec3;
    use std::f64::consts::PI;

    /// A face-centred cubic lattice of touching spheres in the unit cube, with `count` cells along an edge.
    fn close_packed(count: i32) -> Snapshot {
        let edge = 1.0 / f64::from(count);
        let corners = [
            Vec3::ZERO,
            Vec3::new(0.5, 0.5, 0.0),
            Vec3::new(0.5, 0.0, 0.5),
            Vec3::new(0.0, 0.5, 0.5),
        ];
        let mut particles: Vec<ParticleView> = Vec::new();
        for i in 0..count {
            for j in 0..count {
                for k in 0..count {
                    for corner in corners {
                        let cell = Vec3::new(f64::from(i), f64::from(j), f64::from(k));
                        let position = edge * (cell + corner);
                        let id = particles.len() as u64;
                        particles.push(particle(id, edge / 8.0_f64.sqrt(), 1.0, position));
                    }
                }
            }
        }
        Snapshot { periodic: [true; 3], ..snapshot(particles) }
    }

    #[test]
    fn the_densest_packing_has_keplers_fraction() {
        let options = r#"{"region": {"box": {"min": [0.1, 0.1, 0.1], "max": [0.9, 0.9, 0.9]}}}"#;
        let measure: PackingFraction = serde_json::from_str(options).expect("good options");
        let values = measure.values(&close_packed(5), &mut MeasureState::default());
        // The box is four whole cells, shifted by half a cell: the fraction is exact except for the rounding errors of
        // 256 spheres.
        let kepler = PI / 18.0_f64.sqrt();
        assert!((values[0].unwrap() - kepler).abs() < 1e-12, "{values:?}");
        assert!((values[1].unwrap() - (1.0 - kepler) / kepler).abs() < 3e-12, "{values:?}");
        let whole = r#"{"region": {"box": {"min": [0, 0, 0], "max": [1, 1, 1]}}}"#;
        let whole: PackingFraction = serde_json::from_str(whole).unwrap();
        assert_eq!(whole.values(&close_packed(3), &mut MeasureState::default())[2], Some(108.0));
    }
}
