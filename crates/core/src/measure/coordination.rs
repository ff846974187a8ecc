//! Coordination number, with and without rattlers.

use super::options::Group;
use super::statistics::mean_and_deviation;
use super::{Column, ContactView, Measure, MeasureState, Partner, Reference, Snapshot};
use crate::id::ParticleId;
use std::collections::{BTreeMap, BTreeSet};

/// Number of particles and walls that a particle touches, with and without rattlers.
///
/// A rattler has fewer than `fewest` contacts that carry a normal force. Contacts with rattlers are
/// not counted, so that further particles can become rattlers. This is repeated up to the number of
/// contacts required for equilibrium: two with friction and d + 1 without (4, in a plane 3;
/// isostatic limit, e.g. van Hecke, J. Phys.: Condens. Matter 22 (2010) 033101). A larger `fewest`
/// is applied only once: with friction, particles with two or three contacts can carry load, and
/// repeated removal would leave no particles.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Coordination {
    /// A group, or `all`.
    #[cfg_attr(feature = "serde", serde(default))]
    pub particles: Group,
    /// Smallest number of contacts of a particle that is not a rattler; default: the number
    /// required for equilibrium, 2 with friction or cohesion, else 4, in a plane problem 3.
    #[cfg_attr(feature = "serde", serde(default))]
    pub fewest: Option<u64>,
}

/// Mean number of partners.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::{snapshot, RADIUS};
/// use esker::prelude::*;
/// use esker::measure::{MeasureState, Measure, Coordination};
///
/// let now = snapshot(vec![Sphere::new(RADIUS, Vec3::ZERO), Sphere::new(RADIUS, Vec3::X * 1.99 * RADIUS)]);
/// let measure = Coordination::default();
/// let values = measure.values(&now, &mut MeasureState::default());
/// assert_eq!(values[0], Some(1.0)); // each has one partner
/// ```
impl Measure for Coordination {
    fn name(&self) -> &'static str {
        "coordination"
    }

    fn columns(&self) -> Vec<Column> {
        let names = ["mean", "deviation", "largest", "rattlers", "without_rattlers"];
        names.iter().map(|name| Column::new(*name, "")).collect()
    }

    fn references(&self) -> Vec<(&'static str, Reference<'_>)> {
        self.particles.reference("particles").into_iter().collect()
    }

    fn values(&self, now: &Snapshot, _: &mut MeasureState) -> Vec<Option<f64>> {
        let particles = self.particles.of(now);
        let total = particles.len();
        if total == 0 {
            return vec![None; 5];
        }
        let ids = || particles.iter().map(|particle| particle.id);
        let touching = now.contacts.iter().filter(|contact| contact.overlap > 0.0);
        let all = numbers(&partners_of(ids(), touching.clone()));
        let (mean, deviation) = mean_and_deviation(&all);
        let largest = all.iter().copied().max_by(f64::total_cmp);
        let mut partners = partners_of(ids(), touching.filter(|contact| carries_force(contact)));
        let stable = u64::from(now.stable_contacts);
        let fewest = self.fewest.unwrap_or(stable);
        remove_rattlers(&mut partners, fewest.min(stable));
        partners.retain(|_, list| list.len() as u64 >= fewest);
        let rest = numbers(&partners);
        let rattlers = (total - rest.len()) as f64 / total as f64;
        vec![mean, deviation, largest, Some(rattlers), mean_and_deviation(&rest).0]
    }
}

/// True if the normal force of a contact is not zero.
fn carries_force(contact: &ContactView) -> bool {
    contact.elastic + contact.damping - contact.cohesion != 0.0
}

/// The partners of each particle in these contacts.
fn partners_of<'a>(
    ids: impl Iterator<Item = ParticleId>,
    contacts: impl Iterator<Item = &'a ContactView>,
) -> BTreeMap<ParticleId, BTreeSet<Partner>> {
    let mut partners: BTreeMap<ParticleId, BTreeSet<Partner>> =
        ids.map(|id| (id, BTreeSet::new())).collect();
    for contact in contacts {
        if let Some(list) = partners.get_mut(&contact.first) {
            list.insert(contact.second);
        }
        if let Partner::Particle(second) = contact.second
            && let Some(list) = partners.get_mut(&second)
        {
            list.insert(Partner::Particle(contact.first));
        }
    }
    partners
}

fn numbers(partners: &BTreeMap<ParticleId, BTreeSet<Partner>>) -> Vec<f64> {
    partners.values().map(|list| list.len() as f64).collect()
}

/// Removes particles with fewer than `fewest` partners until no more can be removed.
fn remove_rattlers(partners: &mut BTreeMap<ParticleId, BTreeSet<Partner>>, fewest: u64) {
    let is_rattler = |list: &BTreeSet<Partner>| (list.len() as u64) < fewest;
    let mut waiting: Vec<ParticleId> =
        partners.iter().filter(|(_, list)| is_rattler(list)).map(|(id, _)| *id).collect();
    while let Some(id) = waiting.pop() {
        let Some(left) = partners.remove(&id) else { continue };
        for partner in left {
            let Partner::Particle(other) = partner else { continue };
            if let Some(list) = partners.get_mut(&other) {
                list.remove(&Partner::Particle(id));
                if is_rattler(list) {
                    waiting.push(other);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::ParticleView;
    use super::super::selection::testing::{particle, snapshot};
    use super::super::testing::{contact, with};
    use super::*;
    use crate::Vec3;

    /// A triangle with a tail of three particles, and a single particle on a wall.
    fn triangle_with_a_tail() -> Snapshot {
        let particles: Vec<ParticleView> =
            (0..7).map(|id| particle(id, 0.1, 1.0, Vec3::new(id as f64, 0.0, 0.0))).collect();
        let mut all = snapshot(particles);
        for (first, second) in [(0, 1), (0, 2), (1, 2), (2, 3), (3, 4), (4, 5)] {
            let pair = [all.particles[first], all.particles[second]];
            all.contacts.push(contact(&pair[0], &pair[1], 1e-6, 1.0));
        }
        let alone = all.particles[6];
        all.contacts.push(with(&alone, alone.position - 0.1 * Vec3::Z, 1e-6, 1.0));
        // without overlap: a bond across a gap does not count
        let pair = [all.particles[5], all.particles[6]];
        all.contacts.push(contact(&pair[0], &pair[1], -1e-6, 0.0));
        all
    }

    #[test]
    fn rattlers_go_one_after_the_other() {
        let measure: Coordination = serde_json::from_str("{}").expect("good options");
        let values = measure.values(&triangle_with_a_tail(), &mut MeasureState::default());
        // 2 2 3 2 2 1 1: mean 13/7; the tail and the single particle are rattlers, the triangle is not
        assert_eq!(values[0], Some(13.0 / 7.0));
        assert_eq!(values[2], Some(3.0));
        assert_eq!(values[3], Some(4.0 / 7.0));
        assert_eq!(values[4], Some(2.0));
    }

    #[test]
    fn without_a_least_number_of_partners_no_particle_is_a_rattler() {
        let measure: Coordination = serde_json::from_str(r#"{"fewest": 0}"#).unwrap();
        let values = measure.values(&triangle_with_a_tail(), &mut MeasureState::default());
        assert_eq!(values[3..], [Some(0.0), values[0]]);
    }

    /// A cubic block of n³ spheres with all neighbours in contact: those at corners have 3 contacts, on edges 4, on
    /// faces 5, inside 6.
    fn block(n: u64) -> Snapshot {
        let id = |at: [u64; 3]| at[0] + n * (at[1] + n * at[2]);
        let all = (0..n).flat_map(|z| (0..n).flat_map(move |y| (0..n).map(move |x| [x, y, z])));
        let particles: Vec<ParticleView> = all
            .clone()
            .map(|at| particle(id(at), 0.5, 1.0, Vec3::from_array(at.map(|i| i as f64))))
            .collect();
        let mut now = snapshot(particles);
        for at in all {
            for axis in (0..3).filter(|&axis| at[axis] + 1 < n) {
                let mut next = at;
                next[axis] += 1;
                let pair = [at, next].map(|at| now.particles[id(at) as usize]);
                now.contacts.push(contact(&pair[0], &pair[1], 1e-6, 1.0));
            }
        }
        now
    }

    #[test]
    fn with_friction_a_larger_fewest_selects_and_does_not_take_the_packing_apart() {
        let measure: Coordination = serde_json::from_str(r#"{"fewest": 4}"#).unwrap();
        let mut now = block(4);
        let values = measure.values(&now, &mut MeasureState::default());
        // 144 contacts of 64; without the corners the contacts of the other 56 are 288 - 24
        assert_eq!(values[0], Some(288.0 / 64.0));
        assert_eq!(values[3], Some(8.0 / 64.0));
        assert_eq!(values[4], Some((288.0 - 24.0) / 56.0));
        // without friction a corner with three contacts is not in equilibrium, and then no other particle is
        now.stable_contacts = 4;
        assert_eq!(measure.values(&now, &mut MeasureState::default())[3..], [Some(1.0), None]);
    }

    #[test]
    fn without_fewest_it_is_what_equilibrium_needs() {
        let measure: Coordination = serde_json::from_str("{}").expect("good options");
        let mut now = block(3);
        assert_eq!(measure.values(&now, &mut MeasureState::default())[3], Some(0.0));
        now.stable_contacts = 4;
        assert_eq!(measure.values(&now, &mut MeasureState::default())[3], Some(1.0));
    }

    #[test]
    fn a_contact_without_force_holds_nothing() {
        let mut now = triangle_with_a_tail();
        // one side of the triangle carries no force, so that a chain remains
        now.contacts[0].elastic = 0.0;
        let measure: Coordination = serde_json::from_str("{}").expect("good options");
        let values = measure.values(&now, &mut MeasureState::default());
        assert_eq!((values[0], values[3]), (Some(13.0 / 7.0), Some(1.0)));
    }
}
