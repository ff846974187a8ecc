//! Coordination: how many partners a particle touches, with and without rattlers.

use super::options::Group;
use super::statistics::mean_and_deviation;
use super::{Column, LastLook, Measure, Partner, Reference, Snapshot};
use std::collections::{BTreeMap, BTreeSet};

/// Touching partners of a particle, walls included. Particles with fewer than `fewest` carry nothing
/// (rattlers); they are taken away one after the other, since those that leaned on them may then be
/// rattlers too.
#[derive(Debug, Clone, PartialEq, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Coordination {
    /// A group, or `all`.
    #[serde(default)]
    pub particles: Group,
    /// Partners that a particle needs in order not to be a rattler.
    #[serde(default = "two")]
    pub fewest: u64,
}

fn two() -> u64 {
    2
}

impl Measure for Coordination {
    fn word(&self) -> &'static str {
        "coordination"
    }

    fn columns(&self) -> Vec<Column> {
        let names = ["mean", "deviation", "largest", "rattlers", "without_rattlers"];
        names.iter().map(|name| Column::new(*name, "")).collect()
    }

    fn references(&self) -> Vec<(&'static str, Reference<'_>)> {
        self.particles.reference("particles").into_iter().collect()
    }

    fn values(&self, now: &Snapshot, _: &mut LastLook) -> Vec<Option<f64>> {
        let particles = self.particles.of(now);
        let total = particles.len();
        if total == 0 {
            return vec![None; 5];
        }
        let mut partners: BTreeMap<u64, BTreeSet<Partner>> =
            particles.iter().map(|particle| (particle.id, BTreeSet::new())).collect();
        for contact in now.contacts.iter().filter(|contact| contact.overlap > 0.0) {
            if let Some(list) = partners.get_mut(&contact.first) {
                list.insert(contact.second);
            }
            if let Partner::Particle(second) = contact.second
                && let Some(list) = partners.get_mut(&second)
            {
                list.insert(Partner::Particle(contact.first));
            }
        }
        let numbers = |partners: &BTreeMap<u64, BTreeSet<Partner>>| -> Vec<f64> {
            partners.values().map(|list| list.len() as f64).collect()
        };
        let all = numbers(&partners);
        let (mean, deviation) = mean_and_deviation(&all);
        let largest = all.iter().copied().max_by(f64::total_cmp);
        self.remove_rattlers(&mut partners);
        let rest = numbers(&partners);
        let rattlers = (total - rest.len()) as f64 / total as f64;
        vec![mean, deviation, largest, Some(rattlers), mean_and_deviation(&rest).0]
    }
}

impl Coordination {
    fn remove_rattlers(&self, partners: &mut BTreeMap<u64, BTreeSet<Partner>>) {
        let is_rattler = |list: &BTreeSet<Partner>| (list.len() as u64) < self.fewest;
        let mut waiting: Vec<u64> =
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
}

#[cfg(test)]
mod tests {
    use super::super::ParticleView;
    use super::super::selection::testing::{particle, snapshot};
    use super::super::testing::{contact, with};
    use super::*;
    use crate::Vec3;

    /// A triangle, a tail of three that hangs on it, and one alone that lies on a wall.
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
        // out of touch: a bond across a gap does not count
        let pair = [all.particles[5], all.particles[6]];
        all.contacts.push(contact(&pair[0], &pair[1], -1e-6, 0.0));
        all
    }

    #[test]
    fn rattlers_go_one_after_the_other() {
        let measure: Coordination = serde_json::from_str("{}").expect("good options");
        let values = measure.values(&triangle_with_a_tail(), &mut LastLook::default());
        // 2 2 3 2 2 1 1: mean 13/7; the tail and the one alone are rattlers, the triangle is not
        assert_eq!(values[0], Some(13.0 / 7.0));
        assert_eq!(values[2], Some(3.0));
        assert_eq!(values[3], Some(4.0 / 7.0));
        assert_eq!(values[4], Some(2.0));
    }

    #[test]
    fn nobody_is_a_rattler_if_no_partner_is_needed() {
        let measure: Coordination = serde_json::from_str(r#"{"fewest": 0}"#).unwrap();
        let values = measure.values(&triangle_with_a_tail(), &mut LastLook::default());
        assert_eq!(values[3..], [Some(0.0), values[0]]);
    }
}
