//! Stress of a region by the Love–Weber sum over contacts.

use super::options::Region;
use super::tensor::{TensorSum, symmetric};
use super::{Column, ContactView, ExactSum, ExactVectorSum, Measure, MeasureState, Snapshot};
use crate::{Problem, Vec3};

/// Stress tensor σ = (1/V) Σ f ⊗ l over the contacts whose points lie in a region, with the force f on
/// the second partner and the branch l from the first to the second (to the contact point for a
/// wall). Compression is positive.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Stress {
    /// The region.
    pub region: Region,
    /// True if the kinetic stress, Σ m v' ⊗ v' / V with the velocities v' relative to the mean, is
    /// added.
    #[cfg_attr(feature = "serde", serde(default))]
    pub kinetic: bool,
}

const PARTS: [&str; 9] = ["xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz"];

/// Stress tensor, pressure and deviator.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::{snapshot, RADIUS};
/// use esker::prelude::*;
/// use esker::measure::{MeasureState, Measure, Stress, Region};
///
/// let now = snapshot(vec![Sphere::new(RADIUS, Vec3::ZERO), Sphere::new(RADIUS, Vec3::X * 1.99 * RADIUS)]);
/// let measure = Stress { region: Region::Box { min: [-0.1; 3], max: [0.1; 3] }, kinetic: false };
/// let values = measure.values(&now, &mut MeasureState::default());
/// let column = |name: &str| {
///     let index = measure.columns().iter().position(|column| column.name == name).unwrap();
///     values[index]
/// };
/// let contact = &now.contacts[0];
/// let expected = contact.elastic * 1.99 * RADIUS / 0.2_f64.powi(3) / 3.0; // F·l / (3 V)
/// assert!((column("pressure").unwrap() / expected - 1.0).abs() < 1e-6);
/// ```
impl Measure for Stress {
    fn name(&self) -> &'static str {
        "stress"
    }

    // `pressure`
    fn main_column(&self) -> usize {
        6
    }

    fn columns(&self) -> Vec<Column> {
        let parts = PARTS.iter().map(|part| Column::new(*part, "Pa"));
        let sums = Column::all(&[("pressure", "Pa"), ("deviator", "Pa"), ("contacts", "")]);
        parts.chain(sums).collect()
    }

    fn problems(&self) -> Vec<Problem> {
        self.region.problems("region")
    }

    fn values(&self, now: &Snapshot, _: &mut MeasureState) -> Vec<Option<f64>> {
        let region = self.region.shape();
        let mut sum = TensorSum::default();
        let mut contacts = 0;
        for contact in &now.contacts {
            if region.holds(contact_point(now, contact), 0.0) {
                contacts += 1;
                sum.add(1.0, -contact.force(), contact.second_position - contact.first_position);
            }
        }
        if self.kinetic {
            add_motion(now, &region, &mut sum);
        }
        let volume = region.volume();
        let tensor = sum.value().map(|row| row.map(|part| part / volume));
        let pressure = (tensor[0][0] + tensor[1][1] + tensor[2][2]) / 3.0;
        let mut square = 0.0;
        for (i, row) in symmetric(&tensor).iter().enumerate() {
            for (j, part) in row.iter().enumerate() {
                let deviatoric = if i == j { part - pressure } else { *part };
                square += deviatoric * deviatoric;
            }
        }
        let mut values: Vec<Option<f64>> =
            tensor.iter().flatten().map(|part| Some(*part)).collect();
        values.extend([pressure, (1.5 * square).sqrt(), f64::from(contacts)].map(Some));
        values
    }
}

/// The contact point, mapped into the domain [m].
pub(super) fn contact_point(now: &Snapshot, contact: &ContactView) -> Vec3 {
    let point = match contact.second {
        super::Partner::Wall(_) => contact.second_position,
        super::Partner::Particle(_) => {
            let index = now.particles.binary_search_by_key(&contact.first, |p| p.id);
            let radius = index.map_or(0.0, |index| now.particles[index].radius);
            contact.first_position + (radius - 0.5 * contact.overlap) * contact.normal
        }
    };
    let (domain, mut inside) = (now.domain(), point);
    for axis in 0..3 {
        if domain.periodic[axis] {
            let period = domain.size()[axis];
            inside[axis] -= period * ((point[axis] - domain.min[axis]) / period).floor();
        }
    }
    inside
}

fn add_motion(now: &Snapshot, region: &crate::insert::Region, sum: &mut TensorSum) {
    let inside = || now.free(None).filter(|particle| region.holds(particle.position, 0.0));
    let mass = inside().map(|particle| particle.mass).collect::<ExactSum>().value();
    if mass <= 0.0 {
        return;
    }
    let momentum: ExactVectorSum = inside().map(|p| p.mass * p.velocity).collect();
    let mean = momentum.value() / mass;
    for particle in inside() {
        let velocity = particle.velocity - mean;
        sum.add(particle.mass, velocity, velocity);
    }
}

#[cfg(test)]
mod tests {
    use super::super::selection::testing::{particle, snapshot};
    use super::super::testing::{contact, with};
    use super::*;

    const UNIT: &str = r#"{"region": {"box": {"min": [0, 0, 0], "max": [1, 1, 2]}}}"#;

    fn measure(text: &str) -> Stress {
        serde_json::from_str(text).expect("the options are good")
    }

    #[test]
    fn two_particles_pressed_together_give_force_times_branch_by_volume() {
        let one = particle(0, 0.1, 1.0, Vec3::new(0.4, 0.5, 0.5));
        let other = particle(1, 0.1, 1.0, Vec3::new(0.59, 0.5, 0.5));
        let mut two = snapshot(vec![one, other]);
        two.contacts.push(contact(&one, &other, 0.01, 7.0));
        two.contacts[0].tangential = Vec3::new(0.0, 3.0, 0.0);
        let values = measure(UNIT).values(&two, &mut MeasureState::default());
        // 7 N · 0.19 m / 2 m³, and the shear force -3 N on the second across the same branch
        let (normal, shear) = (7.0 * 0.19 / 2.0, -3.0 * 0.19 / 2.0);
        let expected = [normal, 0.0, 0.0, shear, 0.0, 0.0, 0.0, 0.0, 0.0];
        for (found, expected) in values.iter().zip(expected) {
            assert!((found.unwrap() - expected).abs() < 1e-15, "{values:?}");
        }
        assert!((values[9].unwrap() - normal / 3.0).abs() < 1e-15);
        // von Mises: √(σ² + 3 τ²) with the symmetric shear τ, half of the one-sided shear
        let mises = (normal * normal + 3.0 * 0.25 * shear * shear).sqrt();
        assert!((values[10].unwrap() - mises).abs() < 1e-15);
        assert_eq!(values[11], Some(1.0));
    }

    #[test]
    fn a_cubic_lattice_under_equal_forces_has_the_pressure_of_its_planes() {
        // n contacts along each axis in a box of edge a n: pressure f / a²
        let (count, edge) = (5_i32, 0.2);
        let site = |i: i32, j: i32, k: i32| {
            edge * (Vec3::new(f64::from(i), f64::from(j), f64::from(k)) + 0.5)
        };
        let id = |i: i32, j: i32, k: i32| (i * count * count + j * count + k) as u64;
        let mut particles = Vec::new();
        for i in 0..count {
            for j in 0..count {
                for k in 0..count {
                    particles.push(particle(id(i, j, k), 0.5 * edge, 1.0, site(i, j, k)));
                }
            }
        }
        let mut all = snapshot(particles);
        for i in 0..count {
            for j in 0..count {
                for k in 0..count {
                    for (a, b, c) in [(1, 0, 0), (0, 1, 0), (0, 0, 1)] {
                        let first = all.particles[id(i, j, k) as usize];
                        let wrapped = ((i + a) % count, (j + b) % count, (k + c) % count);
                        let mut second =
                            all.particles[id(wrapped.0, wrapped.1, wrapped.2) as usize];
                        second.position = site(i + a, j + b, k + c);
                        all.contacts.push(contact(&first, &second, 1e-6, 3.0));
                    }
                }
            }
        }
        all.periodic = [true; 3];
        let options = r#"{"region": {"box": {"min": [0, 0, 0], "max": [1, 1, 1]}}}"#;
        let values = measure(options).values(&all, &mut MeasureState::default());
        for (column, expected) in [(0, 75.0), (4, 75.0), (8, 75.0), (9, 75.0), (10, 0.0), (1, 0.0)]
        {
            assert!((values[column].unwrap() - expected).abs() < 1e-9, "{values:?}");
        }
    }

    #[test]
    fn contacts_outside_do_not_count_and_walls_do() {
        let one = particle(0, 0.1, 1.0, Vec3::new(0.5, 0.5, 0.1));
        let mut scene = snapshot(vec![one]);
        scene.contacts.push(with(&one, Vec3::new(0.5, 0.5, 0.001), 1e-3, 2.0));
        scene.contacts.push(with(&one, Vec3::new(0.5, 0.5, -0.01), 1e-3, 1e9));
        let values = measure(UNIT).values(&scene, &mut MeasureState::default());
        assert!((values[8].unwrap() - 2.0 * 0.099 / 2.0).abs() < 1e-15, "{values:?}");
    }

    #[test]
    fn motion_gives_the_pressure_of_a_gas() {
        // m v² / V along x for two particles that approach each other, independent of their mean velocity
        let mut one = particle(0, 0.1, 2.0, Vec3::new(0.2, 0.5, 0.5));
        let mut other = particle(1, 0.1, 2.0, Vec3::new(0.8, 0.5, 0.5));
        one.velocity = Vec3::new(3.0, 5.0, 0.0);
        other.velocity = Vec3::new(-3.0, 5.0, 0.0);
        let options =
            r#"{"region": {"box": {"min": [0, 0, 0], "max": [1, 1, 2]}}, "kinetic": true}"#;
        let values =
            measure(options).values(&snapshot(vec![one, other]), &mut MeasureState::default());
        assert_eq!(values[0], Some(2.0 * 2.0 * 9.0 / 2.0));
        assert_eq!(values[4], Some(0.0));
    }

    #[test]
    fn a_region_without_volume_is_refused() {
        let flat = r#"{"region": {"box": {"min": [0, 0, 0], "max": [1, 1, 0]}}}"#;
        assert_eq!(measure(flat).problems().len(), 1);
    }
}
