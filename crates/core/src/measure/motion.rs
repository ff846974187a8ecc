//! Centre of mass, momentum and angular momentum, as measures.

use super::options::Group;
use super::{
    Column, Measure, MeasureState, Reference, Snapshot, angular_momentum, center_of_mass,
    linear_momentum,
};
use crate::id::GroupId;

/// The index of a group for the functions of momentum: all particles, one group, or a missing group.
fn index(group: &Group, now: &Snapshot) -> Option<Option<GroupId>> {
    if group.0 == "all" { Some(None) } else { now.group(&group.0).map(Some) }
}

/// Centre of mass of the free particles, with unwrapped positions.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct CenterOfMass {
    /// A group, or `all`.
    #[cfg_attr(feature = "serde", serde(default))]
    pub particles: Group,
}

/// Of all free particles.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::{snapshot, RADIUS};
/// use esker::prelude::*;
/// use esker::measure::{MeasureState, Measure, CenterOfMass};
///
/// let now = snapshot(vec![Sphere::new(RADIUS, Vec3::ZERO), Sphere::new(RADIUS, Vec3::X)]);
/// let measure = CenterOfMass::default();
/// let values = measure.values(&now, &mut MeasureState::default());
/// assert_eq!(values[0], Some(0.5));
/// ```
impl Measure for CenterOfMass {
    fn name(&self) -> &'static str {
        "center_of_mass"
    }

    fn columns(&self) -> Vec<Column> {
        Column::all(&[("x", "m"), ("y", "m"), ("z", "m")])
    }

    fn references(&self) -> Vec<(&'static str, Reference<'_>)> {
        self.particles.reference("particles").into_iter().collect()
    }

    fn values(&self, now: &Snapshot, _: &mut MeasureState) -> Vec<Option<f64>> {
        let center = index(&self.particles, now).and_then(|group| center_of_mass(now, group));
        center.map_or(vec![None; 3], |center| center.to_array().map(Some).to_vec())
    }
}

/// Momentum and angular momentum (orbital and spin) of the free particles.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Momentum {
    /// A group, or `all`.
    #[cfg_attr(feature = "serde", serde(default))]
    pub particles: Group,
    /// Reference point of the angular momentum [m].
    #[cfg_attr(feature = "serde", serde(default))]
    pub about: [f64; 3],
}

/// Linear and angular.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::{snapshot, RADIUS};
/// use esker::prelude::*;
/// use esker::measure::{MeasureState, Measure, Momentum};
///
/// let now = snapshot(vec![Sphere { velocity: Vec3::X * 2.0, ..Sphere::new(RADIUS, Vec3::ZERO) }]);
/// let measure = Momentum::default();
/// let values = measure.values(&now, &mut MeasureState::default());
/// assert_eq!(values[0], Some(2.0 * now.particles[0].mass));
/// ```
impl Measure for Momentum {
    fn name(&self) -> &'static str {
        "momentum"
    }

    fn columns(&self) -> Vec<Column> {
        let linear = ["linear_x", "linear_y", "linear_z"].map(|name| (name, "kg m/s"));
        let angular = ["angular_x", "angular_y", "angular_z"].map(|name| (name, "kg m²/s"));
        Column::all(&[linear, angular].concat())
    }

    fn references(&self) -> Vec<(&'static str, Reference<'_>)> {
        self.particles.reference("particles").into_iter().collect()
    }

    fn values(&self, now: &Snapshot, _: &mut MeasureState) -> Vec<Option<f64>> {
        let Some(group) = index(&self.particles, now) else { return vec![None; 6] };
        let linear = linear_momentum(now, group);
        let angular = angular_momentum(now, group, self.about.into());
        [linear.to_array(), angular.to_array()].concat().into_iter().map(Some).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::selection::testing::{particle, snapshot};
    use super::*;
    use crate::Vec3;

    #[test]
    fn a_dumbbell_has_its_center_and_its_momenta_about_any_point() {
        let mut heavy = particle(0, 0.1, 3.0, Vec3::ZERO);
        let mut light = particle(1, 0.1, 1.0, Vec3::X);
        heavy.velocity = Vec3::new(0.0, 1.0, 0.0);
        light.velocity = Vec3::new(0.0, 2.0, 0.0);
        light.group = crate::id::GroupId::new(1);
        let both = snapshot(vec![heavy, light]);
        let center = CenterOfMass::default().values(&both, &mut MeasureState::default());
        assert_eq!(center, [Some(0.25), Some(0.0), Some(0.0)]);
        let others = CenterOfMass { particles: Group("others".to_owned()) };
        assert_eq!(others.values(&both, &mut MeasureState::default())[0], Some(1.0));
        let options = r#"{"about": [-1, 0, 0]}"#;
        let measure: Momentum = serde_json::from_str(options).expect("good options");
        let values = measure.values(&both, &mut MeasureState::default());
        // 3 + 2 along y; 1 · 3 + 2 · 2 about z
        assert_eq!(values, [0.0, 5.0, 0.0, 0.0, 0.0, 7.0].map(Some));
    }
}
