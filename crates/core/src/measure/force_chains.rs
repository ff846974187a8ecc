//! Force chains: rows of highly stressed particles that carry the load.

use super::options::{Group, positive};
use super::tensor::{TensorSum, principal, symmetric};
use super::{
    Column, ContactView, ExactSum, Measure, MeasureState, ParticleView, Partner, Reference,
    Snapshot,
};
use crate::id::ParticleId;
use crate::{Problem, Vec3};
use std::f64::consts::PI;

/// Force chains after Peters et al. (Phys. Rev. E 72, 041307, 2005). A particle is highly stressed
/// if the largest principal value of its stress is above a multiple of the mean. Two such particles
/// that touch are linked if the contact lies within an angle of the principal direction of both;
/// each has at most one link forwards and one backwards, to the best-aligned neighbour, and the
/// choice must be mutual.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::{snapshot, OVERLAP, RADIUS};
/// use esker::measure::{ForceChains, Group, MeasureState, Measure};
/// use esker::prelude::*;
///
/// // five grains in a row under pressure, and five that touch nothing
/// let row = (0..5).map(|i| Vec3::X * (2.0 * RADIUS - OVERLAP) * f64::from(i));
/// let alone = (0..5).map(|i| Vec3::new(0.1 * f64::from(i), 1.0, 0.0));
/// let grains = row.chain(alone).map(|center| Sphere::new(RADIUS, center)).collect();
/// let measure =
///     ForceChains { particles: Group::default(), threshold: 1.0, angle: 45.0, shortest: 3 };
/// let values = measure.values(&snapshot(grains), &mut MeasureState::default());
/// assert_eq!(values[0], Some(1.0)); // one chain
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct ForceChains {
    /// A group, or `all`.
    #[cfg_attr(feature = "serde", serde(default))]
    pub particles: Group,
    /// Multiple of the mean above which a particle is highly stressed.
    #[cfg_attr(feature = "serde", serde(default = "one"))]
    pub threshold: f64,
    /// Largest angle between a contact and the direction of the largest principal stress [°].
    #[cfg_attr(feature = "serde", serde(default = "half_right"))]
    pub angle: f64,
    /// Number of particles of the shortest chain that is counted.
    #[cfg_attr(feature = "serde", serde(default = "three"))]
    pub shortest: u64,
}

#[cfg(feature = "serde")]
fn one() -> f64 {
    1.0
}

#[cfg(feature = "serde")]
fn half_right() -> f64 {
    45.0
}

#[cfg(feature = "serde")]
fn three() -> u64 {
    3
}

const COLUMNS: &[(&str, &str)] = &[
    ("chains", ""),
    ("mean_length", ""),
    ("longest", ""),
    ("particle_fraction", ""),
    ("force_fraction", ""),
    ("stressed_fraction", ""),
];

impl Measure for ForceChains {
    fn name(&self) -> &'static str {
        "force_chains"
    }

    fn columns(&self) -> Vec<Column> {
        Column::all(COLUMNS)
    }

    fn references(&self) -> Vec<(&'static str, Reference<'_>)> {
        self.particles.reference("particles").into_iter().collect()
    }

    fn problems(&self) -> Vec<Problem> {
        let mut problems: Vec<Problem> =
            positive("threshold", Some(self.threshold)).into_iter().collect();
        if !(self.angle > 0.0 && self.angle <= 90.0) {
            let message = format!("`angle` is {}, and must be above 0 and at most 90", self.angle);
            problems.push(Problem::at("angle", message));
        }
        if self.shortest < 2 {
            problems.push(Problem::at("shortest", "a chain has at least two particles"));
        }
        problems
    }

    fn values(&self, now: &Snapshot, _: &mut MeasureState) -> Vec<Option<f64>> {
        let particles = self.particles.of(now);
        if particles.is_empty() {
            return vec![None; COLUMNS.len()];
        }
        let net = ContactNetwork::new(self, now, &particles);
        let chains = net.chains(self.shortest as usize);
        let count = chains.len() as f64;
        let members: usize = chains.iter().map(|chain| chain.members).sum();
        let carried = chains.iter().flat_map(|chain| &chain.forces).copied().collect::<ExactSum>();
        let all = net.contacts.iter().map(|contact| contact.force).collect::<ExactSum>().value();
        let total = particles.len() as f64;
        let stressed = net.stressed.iter().filter(|stressed| **stressed).count() as f64;
        vec![
            Some(count),
            (count > 0.0).then(|| members as f64 / count),
            Some(chains.iter().map(|chain| chain.members).max().unwrap_or(0) as f64),
            Some(members as f64 / total),
            (all > 0.0).then(|| carried.value() / all),
            Some(stressed / total),
        ]
    }
}

/// A contact between two particles of the list.
struct Link {
    ends: [usize; 2],
    normal: Vec3,
    /// Normal force [N].
    force: f64,
}

struct Chain {
    members: usize,
    forces: Vec<f64>,
}

/// Particles with their directions and links.
struct ContactNetwork {
    contacts: Vec<Link>,
    stressed: Vec<bool>,
    /// The forward and backward contact selected by each particle.
    choices: Vec<[Option<usize>; 2]>,
}

impl ContactNetwork {
    fn new(measure: &ForceChains, now: &Snapshot, particles: &[&ParticleView]) -> Self {
        let contacts = links(now, particles);
        let axes = axes(now, particles);
        let sum: ExactSum = axes.iter().map(|(value, _)| *value).collect();
        let mean = sum.value() / particles.len() as f64;
        let stressed: Vec<bool> =
            axes.iter().map(|(value, _)| *value > measure.threshold * mean).collect();
        let least = libm::cos(measure.angle * PI / 180.0) - 1e-12;
        let mut choices = vec![[None; 2]; particles.len()];
        let mut best = vec![[0.0_f64; 2]; particles.len()];
        for (index, link) in contacts.iter().enumerate() {
            let cosines = link.ends.map(|end| link.normal.dot(axes[end].1));
            let fits = link.ends.iter().all(|end| stressed[*end])
                && cosines.iter().all(|cosine| cosine.abs() >= least);
            if !fits {
                continue;
            }
            for (end, cosine) in link.ends.into_iter().zip([cosines[0], -cosines[1]]) {
                // relative to each particle, the other lies in or against its own direction
                let side = usize::from(cosine < 0.0);
                if cosine.abs() > best[end][side] {
                    best[end][side] = cosine.abs();
                    choices[end][side] = Some(index);
                }
            }
        }
        Self { contacts, stressed, choices }
    }

    /// Rows of mutually linked particles of at least this length.
    fn chains(&self, shortest: usize) -> Vec<Chain> {
        let chosen = |end: usize, index: usize| self.choices[end].contains(&Some(index));
        let mut partners: Vec<Vec<(usize, f64)>> = vec![Vec::new(); self.choices.len()];
        for (index, link) in self.contacts.iter().enumerate() {
            let [one, other] = link.ends;
            if chosen(one, index) && chosen(other, index) {
                partners[one].push((other, link.force));
                partners[other].push((one, link.force));
            }
        }
        let mut seen = vec![false; partners.len()];
        let mut chains = Vec::new();
        for start in 0..partners.len() {
            if seen[start] {
                continue;
            }
            seen[start] = true;
            let mut row = vec![start];
            let mut next = 0;
            while let Some(&index) = row.get(next) {
                for &(other, _) in &partners[index] {
                    if !seen[other] {
                        seen[other] = true;
                        row.push(other);
                    }
                }
                next += 1;
            }
            if row.len() >= shortest {
                let ahead = |&index: &usize| {
                    partners[index].iter().filter(move |(other, _)| *other > index)
                };
                let forces = row.iter().flat_map(ahead).map(|(_, force)| *force).collect();
                chains.push(Chain { members: row.len(), forces });
            }
        }
        chains
    }
}

fn index_of(particles: &[&ParticleView], id: ParticleId) -> Option<usize> {
    particles.binary_search_by_key(&id, |particle| particle.id).ok()
}

fn links(now: &Snapshot, particles: &[&ParticleView]) -> Vec<Link> {
    let link = |contact: &ContactView| {
        let Partner::Particle(second) = contact.second else { return None };
        let force = contact.elastic + contact.damping - contact.cohesion;
        let ends = [index_of(particles, contact.first)?, index_of(particles, second)?];
        (contact.overlap > 0.0).then_some(Link { ends, normal: contact.normal, force: force.abs() })
    };
    now.contacts.iter().filter_map(link).collect()
}

/// The largest principal stress of each particle, compression positive [Pa], and its direction.
fn axes(now: &Snapshot, particles: &[&ParticleView]) -> Vec<(f64, Vec3)> {
    let mut sums = vec![TensorSum::default(); particles.len()];
    for contact in &now.contacts {
        let (force, normal) = (contact.force(), contact.normal);
        if let Some(first) = index_of(particles, contact.first) {
            let arm = particles[first].radius - 0.5 * contact.overlap;
            sums[first].add(-arm, force, normal);
        }
        if let Partner::Particle(id) = contact.second
            && let Some(second) = index_of(particles, id)
        {
            let arm = particles[second].radius - 0.5 * contact.overlap;
            sums[second].add(-arm, force, normal);
        }
    }
    let largest = |(sum, particle): (&TensorSum, &&ParticleView)| {
        let volume = 4.0 / 3.0 * PI * particle.radius * particle.radius * particle.radius;
        let (value, direction) = principal(symmetric(&sum.value()))[0];
        (value / volume, direction)
    };
    sums.iter().zip(particles).map(largest).collect()
}

#[cfg(test)]
mod tests {
    use super::super::selection::testing::{particle, snapshot};
    use super::super::testing::{contact, with};
    use super::*;

    /// Columns of spheres between two walls, each with its own load.
    fn columns(loads: &[f64], high: u64) -> Snapshot {
        let mut all = snapshot(Vec::new());
        for (column, load) in loads.iter().enumerate() {
            let first = all.particles.len();
            for k in 0..high {
                let center = Vec3::new(column as f64, 0.0, 0.2 * k as f64);
                all.particles.push(particle(all.particles.len() as u64, 0.1, 1.0, center));
            }
            let row = all.particles[first..].to_vec();
            all.contacts.push(with(&row[0], row[0].position - 0.1 * Vec3::Z, 1e-9, *load));
            let last = row[row.len() - 1];
            all.contacts.push(with(&last, last.position + 0.1 * Vec3::Z, 1e-9, *load));
            for pair in row.windows(2) {
                all.contacts.push(contact(&pair[0], &pair[1], 1e-9, *load));
            }
        }
        all
    }

    #[test]
    fn the_loaded_columns_are_the_chains() {
        let measure: ForceChains = serde_json::from_str("{}").expect("good options");
        let values =
            measure.values(&columns(&[2.0, 1.0, 2.0, 1.0], 5), &mut MeasureState::default());
        let fraction = 2.0 * 2.0 / (2.0 * 2.0 + 2.0 * 1.0);
        for (found, expected) in values.iter().zip([2.0, 5.0, 5.0, 0.5, fraction, 0.5]) {
            assert!((found.unwrap() - expected).abs() < 1e-12, "{values:?}");
        }
    }

    #[test]
    fn two_are_no_chain_and_neither_is_what_lies_across() {
        let measure: ForceChains = serde_json::from_str("{}").unwrap();
        let pairs = measure.values(&columns(&[2.0, 1.0], 2), &mut MeasureState::default());
        assert_eq!(pairs[0], Some(0.0));
        assert_eq!(pairs[1], None);
        // a weak transverse contact connects the two loaded columns, but not into one chain
        let mut joined = columns(&[2.0, 2.0, 0.1], 5);
        let (one, other) = (joined.particles[2], joined.particles[7]);
        joined.contacts.push(contact(&one, &other, 1e-9, 0.2));
        let values = measure.values(&joined, &mut MeasureState::default());
        assert_eq!(values[..3], [Some(2.0), Some(5.0), Some(5.0)]);
    }

    #[test]
    fn a_chain_may_bend_by_the_angle_and_not_more() {
        let bent = |degrees: f64| {
            let mut all = columns(&[2.0, 1.0], 3);
            // the third particle of the first column is displaced sideways, with its wall
            let angle = degrees.to_radians();
            let center = Vec3::new(0.2 * angle.sin(), 0.0, 0.2 + 0.2 * angle.cos());
            all.particles[2].position = center;
            all.contacts.retain(|contact| {
                contact.first != crate::id::ParticleId::new(2)
                    && contact.second != Partner::Particle(ParticleId::new(2))
            });
            let (second, third) = (all.particles[1], all.particles[2]);
            let beyond = third.position + (third.position - second.position) * 0.5;
            all.contacts.push(contact(&second, &third, 1e-9, 2.0));
            all.contacts.push(with(&third, beyond, 1e-9, 2.0));
            all.contacts.sort_by_key(|contact| (contact.first, contact.second));
            let measure: ForceChains = serde_json::from_str(r#"{"angle": 30}"#).unwrap();
            measure.values(&all, &mut MeasureState::default())[0]
        };
        // the direction of the middle particle halves the angle
        assert_eq!(bent(50.0), Some(1.0));
        assert_eq!(bent(70.0), Some(0.0));
    }
}
