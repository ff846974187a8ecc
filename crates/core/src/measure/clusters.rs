//! Clusters: particles that touch, or nearly touch, directly or through others.

use super::neighbors::pairs_within;
use super::options::Group;
use super::{
    Column, ExactSum, ExactVectorSum, Measure, MeasureState, ParticleView, Partner, Reference,
    Snapshot,
};
use crate::id::ParticleId;
use crate::{Problem, Vec3};

/// Clusters of particles: their number, sizes and radii of gyration.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Clusters {
    /// A group, or `all`.
    #[cfg_attr(feature = "serde", serde(default))]
    pub particles: Group,
    /// Largest gap between the surfaces of neighbours in a cluster [m]; default: particles that
    /// touch.
    pub gap: Option<f64>,
    /// Number of particles of the smallest cluster that is counted.
    #[cfg_attr(feature = "serde", serde(default = "two"))]
    pub smallest: u64,
}

#[cfg(feature = "serde")]
fn two() -> u64 {
    2
}

const COLUMNS: &[(&str, &str)] = &[
    ("clusters", ""),
    ("singles", ""),
    ("largest", ""),
    ("largest_fraction", ""),
    ("mean_size", ""),
    ("weighted_size", ""),
    ("largest_radius_of_gyration", "m"),
    ("radius_of_gyration", "m"),
];

/// Sets of connected particles.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::{snapshot, RADIUS};
/// use esker::prelude::*;
/// use esker::measure::{MeasureState, Measure, Clusters};
///
/// let now = snapshot(vec![Sphere::new(RADIUS, Vec3::ZERO), Sphere::new(RADIUS, Vec3::X * 1.99 * RADIUS)]);
/// let measure = Clusters { particles: Default::default(), gap: None, smallest: 1 };
/// let values = measure.values(&now, &mut MeasureState::default());
/// let column = |name: &str| {
///     let index = measure.columns().iter().position(|column| column.name == name).unwrap();
///     values[index]
/// };
/// assert_eq!(column("clusters"), Some(1.0)); // the two touch
/// ```
impl Measure for Clusters {
    fn name(&self) -> &'static str {
        "clusters"
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
        if self.smallest == 0 {
            problems.push(Problem::at("smallest", "a cluster has at least one particle"));
        }
        problems
    }

    fn values(&self, now: &Snapshot, _: &mut MeasureState) -> Vec<Option<f64>> {
        let particles = self.particles.of(now);
        if particles.is_empty() {
            return vec![None; COLUMNS.len()];
        }
        let links = match self.gap {
            Some(gap) => pairs_within(now, &particles, gap),
            None => touching(now, &particles),
        };
        let clusters = clusters(particles.len(), &links);
        let sizes = || clusters.iter().map(Vec::len);
        let counted = sizes().filter(|size| *size as u64 >= self.smallest).count();
        let singles = sizes().filter(|size| *size == 1).count();
        // of equal ones, that with the smallest id
        let largest = clusters.iter().rev().max_by_key(|cluster| cluster.len());
        let largest = largest.map_or(&[][..], Vec::as_slice);
        let total = particles.len() as f64;
        let squares: f64 = sizes().map(|size| (size * size) as f64).sum();
        let points: Vec<(f64, Vec3)> =
            largest.iter().map(|(index, arm)| (particles[*index].mass, *arm)).collect();
        let all: Vec<(f64, Vec3)> =
            particles.iter().map(|particle| (particle.mass, now.unwrapped(particle))).collect();
        vec![
            Some(counted as f64),
            Some(singles as f64),
            Some(largest.len() as f64),
            Some(largest.len() as f64 / total),
            Some(total / clusters.len() as f64),
            Some(squares / total),
            radius_of_gyration(&points),
            radius_of_gyration(&all),
        ]
    }
}

/// Contacts between the touching particles of a list.
fn touching(now: &Snapshot, particles: &[&ParticleView]) -> Vec<(usize, usize, Vec3)> {
    let index_of =
        |id: ParticleId| particles.binary_search_by_key(&id, |particle| particle.id).ok();
    let link = |contact: &super::ContactView| {
        let Partner::Particle(second) = contact.second else { return None };
        let branch = contact.second_position - contact.first_position;
        Some((index_of(contact.first)?, index_of(second)?, branch))
    };
    now.contacts.iter().filter(|contact| contact.overlap > 0.0).filter_map(link).collect()
}

/// A cluster: indices in the list, each with the displacement from the first particle.
type Cluster = Vec<(usize, Vec3)>;

/// The clusters, in order of the smallest index.
fn clusters(count: usize, links: &[(usize, usize, Vec3)]) -> Vec<Cluster> {
    let mut partners: Vec<Vec<(usize, Vec3)>> = vec![Vec::new(); count];
    for (first, second, branch) in links {
        partners[*first].push((*second, *branch));
        partners[*second].push((*first, -*branch));
    }
    let mut seen = vec![false; count];
    let mut found = Vec::new();
    for start in 0..count {
        if seen[start] {
            continue;
        }
        seen[start] = true;
        let mut cluster = vec![(start, Vec3::ZERO)];
        let mut next = 0;
        while let Some(&(index, arm)) = cluster.get(next) {
            for &(other, branch) in &partners[index] {
                if !seen[other] {
                    seen[other] = true;
                    cluster.push((other, arm + branch));
                }
            }
            next += 1;
        }
        found.push(cluster);
    }
    found
}

/// √(Σ m (x - x̄)² / Σ m) of points with their masses [m]; fixed particles have equal weights.
fn radius_of_gyration(points: &[(f64, Vec3)]) -> Option<f64> {
    let weight = |mass: f64| if points.iter().all(|(m, _)| m.is_finite()) { mass } else { 1.0 };
    let total = points.iter().map(|(mass, _)| weight(*mass)).collect::<ExactSum>().value();
    if !(total > 0.0) {
        return None;
    }
    let moment: ExactVectorSum = points.iter().map(|(mass, x)| weight(*mass) * *x).collect();
    let mean = moment.value() / total;
    let second: ExactSum =
        points.iter().map(|(mass, x)| weight(*mass) * (*x - mean).length_squared()).collect();
    Some((second.value() / total).sqrt())
}

#[cfg(test)]
mod tests {
    use super::super::selection::testing::{particle, snapshot};
    use super::*;

    /// A row of five, a pair, and a single particle; gaps within a cluster are 0.001 m.
    fn scattered() -> Snapshot {
        let row = (0..5).map(|i| Vec3::new(0.021 * f64::from(i), 0.0, 0.0));
        let pair = (0..2).map(|i| Vec3::new(0.021 * f64::from(i), 0.3, 0.0));
        let points: Vec<Vec3> = pair.chain([Vec3::splat(0.8)]).chain(row).collect();
        let view = |(id, center): (usize, &Vec3)| particle(id as u64, 0.01, 1.0, *center);
        snapshot(points.iter().enumerate().map(view).collect())
    }

    #[test]
    fn clusters_by_gap_have_their_numbers_sizes_and_widths() {
        let measure: Clusters = serde_json::from_str(r#"{"gap": 0.0015}"#).expect("good options");
        let values = measure.values(&scattered(), &mut MeasureState::default());
        let exact = [2.0, 1.0, 5.0, 0.625, 8.0 / 3.0, (25.0 + 4.0 + 1.0) / 8.0];
        assert_eq!(values[..6], exact.map(Some));
        // five equally spaced points with distance a: variance 2 a²
        assert!((values[6].unwrap() - 0.021 * 2.0_f64.sqrt()).abs() < 1e-15);
    }

    #[test]
    fn a_smaller_gap_leaves_singles_and_contacts_join_them() {
        let measure: Clusters = serde_json::from_str(r#"{"gap": 0.0005}"#).unwrap();
        let values = measure.values(&scattered(), &mut MeasureState::default());
        assert_eq!(values[..4], [0.0, 8.0, 1.0, 0.125].map(Some));
        assert_eq!(values[6], Some(0.0));
        let contacts: Clusters = serde_json::from_str("{}").unwrap();
        let mut touching = scattered();
        touching.contacts.push(super::super::testing::contact(
            &touching.particles[0],
            &touching.particles[1],
            1e-6,
            1.0,
        ));
        let values = contacts.values(&touching, &mut MeasureState::default());
        assert_eq!(values[..3], [1.0, 6.0, 2.0].map(Some));
        assert!((values[6].unwrap() - 0.0105).abs() < 1e-15);
    }

    #[test]
    fn a_cluster_across_a_periodic_end_is_whole() {
        let one = particle(0, 0.1, 1.0, Vec3::new(0.95, 0.5, 0.5));
        let other = particle(1, 0.1, 1.0, Vec3::new(0.15, 0.5, 0.5));
        let mut across = snapshot(vec![one, other]);
        across.periodic = [true, false, false];
        let measure: Clusters = serde_json::from_str(r#"{"gap": 0.01}"#).unwrap();
        let values = measure.values(&across, &mut MeasureState::default());
        assert_eq!(values[2], Some(2.0));
        assert!((values[6].unwrap() - 0.1).abs() < 1e-12, "{values:?}");
    }
}
