//! Fabric tensor of the contacts in a region.

use super::options::Region;
use super::stress::contact_point;
use super::tensor::{TensorSum, principal};
use super::{Column, Measure, MeasureState, Partner, Snapshot};
use crate::Problem;

/// Fabric tensor, the mean of n ⊗ n over the normals n of the contacts that touch in a region. Its
/// trace is 1; without a preferred direction each principal value is 1/3.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Fabric {
    /// The region.
    pub region: Region,
    /// True if contacts with walls count.
    #[cfg_attr(feature = "serde", serde(default))]
    pub walls: bool,
}

/// Distribution of contact normals.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::{snapshot, RADIUS};
/// use esker::prelude::*;
/// use esker::measure::{MeasureState, Measure, Fabric, Region};
///
/// let now = snapshot(vec![Sphere::new(RADIUS, Vec3::ZERO), Sphere::new(RADIUS, Vec3::X * 1.99 * RADIUS)]);
/// let measure = Fabric { region: Region::Box { min: [-0.1; 3], max: [0.1; 3] }, walls: false };
/// let values = measure.values(&now, &mut MeasureState::default());
/// assert!((values[0].unwrap() - 1.0).abs() < 1e-12); // the normal is along x
/// ```
impl Measure for Fabric {
    fn name(&self) -> &'static str {
        "fabric"
    }

    // `anisotropy`
    fn main_column(&self) -> usize {
        6
    }

    fn columns(&self) -> Vec<Column> {
        let names = [
            "xx",
            "yy",
            "zz",
            "xy",
            "xz",
            "yz",
            "anisotropy",
            "major_x",
            "major_y",
            "major_z",
            "contacts",
        ];
        names.iter().map(|name| Column::new(*name, "")).collect()
    }

    fn problems(&self) -> Vec<Problem> {
        self.region.problems("region")
    }

    fn values(&self, now: &Snapshot, _: &mut MeasureState) -> Vec<Option<f64>> {
        let region = self.region.shape();
        let mut sum = TensorSum::default();
        let mut count = 0.0;
        for contact in now.contacts.iter().filter(|contact| contact.overlap > 0.0) {
            let counts = self.walls || matches!(contact.second, Partner::Particle(_));
            if counts && region.holds(contact_point(now, contact), 0.0) {
                sum.add(1.0, contact.normal, contact.normal);
                count += 1.0;
            }
        }
        if count == 0.0 {
            let mut none = vec![None; 10];
            none.push(Some(0.0));
            return none;
        }
        let f = sum.value().map(|row| row.map(|part| part / count));
        let axes = principal(f);
        // a direction and its opposite are equivalent: the largest component is chosen positive
        let major = axes[0].1;
        let largest = major.to_array().into_iter().max_by(|a, b| a.abs().total_cmp(&b.abs()));
        let major = if largest.is_some_and(|part| part < 0.0) { -major } else { major };
        let mut values = vec![f[0][0], f[1][1], f[2][2], f[0][1], f[0][2], f[1][2]];
        values.push(axes[0].0 - axes[2].0);
        values.extend(major.to_array());
        values.push(count);
        values.into_iter().map(Some).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::selection::testing::{particle, snapshot};
    use super::super::testing::contact;
    use super::*;
    use crate::Vec3;

    fn measure() -> Fabric {
        let options = r#"{"region": {"ball": {"center": [0, 0, 0], "radius": 1}}}"#;
        serde_json::from_str(options).expect("the options are good")
    }

    fn star(directions: &[Vec3]) -> Snapshot {
        let hub = particle(0, 0.1, 1.0, Vec3::ZERO);
        let rim = directions.iter().enumerate();
        let others: Vec<_> =
            rim.map(|(id, n)| particle(id as u64 + 1, 0.1, 1.0, 0.2 * *n)).collect();
        let mut all = snapshot([vec![hub], others.clone()].concat());
        all.contacts = others.iter().map(|other| contact(&hub, other, 1e-6, 1.0)).collect();
        all
    }

    #[test]
    fn a_cubic_lattice_has_no_preferred_direction() {
        let values = measure().values(&star(&Vec3::AXES), &mut MeasureState::default());
        for (found, expected) in values.iter().zip([1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0, 0.0, 0.0, 0.0])
        {
            assert!((found.unwrap() - expected).abs() < 1e-15, "{values:?}");
        }
        assert!(values[6].unwrap().abs() < 1e-15);
        assert_eq!(values[10], Some(3.0));
    }

    #[test]
    fn a_row_has_all_of_it_along_the_row() {
        let along = Vec3::new(1.0, 1.0, 0.0).normalize();
        let values = measure().values(&star(&[along, -along]), &mut MeasureState::default());
        assert!((values[0].unwrap() - 0.5).abs() < 1e-15);
        assert!((values[3].unwrap() - 0.5).abs() < 1e-15);
        assert!((values[6].unwrap() - 1.0).abs() < 1e-15);
        assert!((values[7].unwrap() - along.x).abs() < 1e-15);
    }

    #[test]
    fn no_contacts_have_no_fabric() {
        let values = measure().values(&star(&[]), &mut MeasureState::default());
        assert_eq!((values[0], values[10]), (None, Some(0.0)));
    }
}
