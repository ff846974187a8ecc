//! Height and depth of one large particle in a bed.

use super::options::{Axis, Group, Plane, fraction};
use super::statistics::quantile;
use super::{Column, Measure, MeasureState, ParticleView, Reference, Snapshot};
use crate::id::ParticleId;
use crate::{Problem, Vec3};

/// Height of one particle above the floor and in a bed. The surface of the bed is the height below
/// which a given fraction of the tops of its particles lies, so that a few particles in flight do
/// not count.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::{snapshot, RADIUS};
/// use esker::measure::{Axis, Group, Intruder, MeasureState, Measure};
/// use esker::prelude::*;
///
/// let measure = Intruder {
///     group: None,
///     particle: Some(2),
///     bed: Group::default(),
///     up: Axis::Z,
///     floor: 0.0,
///     floor_wall: None,
///     surface: 0.95,
/// };
/// let grains = [0.01, 0.03, 0.05].map(|z| Sphere::new(RADIUS, Vec3::new(0.0, z, z)));
/// let values = measure.values(&snapshot(grains.to_vec()), &mut MeasureState::default());
/// assert!((values[0].unwrap() - 0.05).abs() < 1e-12); // the height of its centre
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Intruder {
    /// Group of the intruder; its first particle is the intruder.
    pub group: Option<String>,
    /// Id of the intruder, instead of a group.
    pub particle: Option<u64>,
    /// The bed: a group, or `all`. The intruder is excluded.
    #[cfg_attr(feature = "serde", serde(default))]
    pub bed: Group,
    /// Axis that points up.
    pub up: Axis,
    /// Height of the floor [m].
    #[cfg_attr(feature = "serde", serde(default))]
    pub floor: f64,
    /// A plane wall that is the floor, at its current position.
    pub floor_wall: Option<String>,
    /// Fraction of the tops at or below the surface.
    #[cfg_attr(feature = "serde", serde(default = "most"))]
    pub surface: f64,
}

#[cfg(feature = "serde")]
fn most() -> f64 {
    0.95
}

const COLUMNS: &[(&str, &str)] =
    &[("height", "m"), ("lowest", "m"), ("surface", "m"), ("depth", "m"), ("relative", "")];

impl Measure for Intruder {
    fn name(&self) -> &'static str {
        "intruder"
    }

    fn columns(&self) -> Vec<Column> {
        Column::all(COLUMNS)
    }

    fn references(&self) -> Vec<(&'static str, Reference<'_>)> {
        let group = self.group.as_deref().map(|group| ("group", Reference::Group(group)));
        let wall = self.floor_wall.as_deref().map(|w| ("floor_wall", Reference::PlaneWall(w)));
        let all = [group, self.bed.reference("bed"), wall];
        all.into_iter().flatten().collect()
    }

    fn problems(&self) -> Vec<Problem> {
        let mut problems: Vec<Problem> = fraction("surface", self.surface).into_iter().collect();
        if self.group.is_some() == self.particle.is_some() {
            let message = "an intruder is a `particle`, by its id, or the first of a `group`";
            problems.push(Problem::at("", message).help("give one of the two"));
        }
        problems
    }

    fn values(&self, now: &Snapshot, _: &mut MeasureState) -> Vec<Option<f64>> {
        let up = self.up.vector();
        let floor = match &self.floor_wall {
            None => Some(self.floor),
            Some(wall) => Plane::of_wall(now, wall).map(|plane| plane.point.dot(up)),
        };
        let (Some(floor), Some(intruder)) = (floor, self.find(now)) else {
            return vec![None; COLUMNS.len()];
        };
        let height = intruder.position.dot(up) - floor;
        let surface = self.surface_of_bed(now, intruder.id, up).map(|surface| surface - floor);
        vec![
            Some(height),
            Some(height - intruder.radius),
            surface,
            surface.map(|surface| surface - (height + intruder.radius)),
            surface.map(|surface| height / surface),
        ]
    }
}

impl Intruder {
    fn find<'a>(&self, now: &'a Snapshot) -> Option<&'a ParticleView> {
        match &self.group {
            Some(name) => now.selected(Some(now.group(name)?)).next(),
            None => now.particles.iter().find(|particle| Some(particle.id.into()) == self.particle),
        }
    }

    fn surface_of_bed(&self, now: &Snapshot, intruder: ParticleId, up: Vec3) -> Option<f64> {
        let bed = self.bed.of(now);
        let others = bed.iter().filter(|particle| particle.id != intruder);
        quantile(others.map(|p| p.position.dot(up) + p.radius).collect(), self.surface)
    }
}

#[cfg(test)]
mod tests {
    use super::super::selection::testing::{particle, snapshot};
    use super::*;

    #[test]
    fn a_sphere_in_a_column_has_the_heights_of_its_place() {
        let mut particles: Vec<ParticleView> = (0..100)
            .map(|id| particle(id, 0.005, 1.0, Vec3::new(0.0, 0.105 + 0.01 * id as f64, 0.0)))
            .collect();
        let mut nut = particle(100, 0.1, 1.0, Vec3::new(0.0, 0.4, 0.0));
        nut.group = crate::id::GroupId::new(1);
        particles.push(nut);
        let options = r#"{"group": "others", "up": "y", "floor": 0.1}"#;
        let measure: Intruder = serde_json::from_str(options).expect("good options");
        let values = measure.values(&snapshot(particles.clone()), &mut MeasureState::default());
        // tops at 0.01 to 1.0 m above the floor; 95 of 100 are at or below 0.95 m
        let expected = [0.3, 0.2, 0.95, 0.95 - 0.4, 0.3 / 0.95];
        for (found, expected) in values.iter().zip(expected) {
            assert!((found.unwrap() - expected).abs() < 1e-12, "{values:?}");
        }
        let by_id: Intruder =
            serde_json::from_str(r#"{"particle": 100, "up": "y", "floor": 0.1}"#).unwrap();
        assert_eq!(by_id.values(&snapshot(particles), &mut MeasureState::default()), values);
        assert_eq!(by_id.values(&snapshot(vec![]), &mut MeasureState::default()), [None; 5]);
    }

    #[test]
    fn it_is_given_by_id_or_by_group() {
        let none: Intruder = serde_json::from_str(r#"{"up": "z"}"#).unwrap();
        assert_eq!(none.problems().len(), 1);
    }
}
