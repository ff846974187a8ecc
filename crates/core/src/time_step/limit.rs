//! The stability limit of the existing contacts, by power iteration: for a given step above the bound.
//!
//! The iteration finds an eigenvalue from below, so the limit that follows is too long, by up to 6 % in
//! the packings tried; 5 % are subtracted.

use super::block::{Weights, step_of};
use super::survey::Surveyor;
use super::wall_approach::{WallSurvey, WallSurveyScratch};
use crate::Vec3;

/// Number of matrix products in each round, and of rounds. Each round uses the step found by the previous one.
const PRODUCTS: usize = 20;
const ROUNDS: usize = 3;

/// Fraction of the resulting step that counts as stable.
const MARGIN: f64 = 0.95;

/// One contact: the directions of its normal, slip, roll and twist.
#[derive(Debug, Clone, Copy)]
struct NetworkContact {
    first: usize,
    /// None for a wall.
    second: Option<usize>,
    /// From the first partner to the second.
    normal: Vec3,
    /// Moment arms [m].
    arms: [f64; 2],
    springs: Weights,
    dashpots: Weights,
}

/// Translation and rotation of each particle.
type Motions = Vec<[Vec3; 2]>;

/// The contacts of a state and the inverse masses `S/m` and `1/I` of its particles, as roots.
#[derive(Debug)]
pub(super) struct Network {
    contacts: Vec<NetworkContact>,
    roots: Vec<[f64; 2]>,
    ids: Vec<u64>,
}

impl Network {
    /// Contacts in the order of the ids of their partners.
    pub(super) fn new(surveyor: &Surveyor<'_>) -> Self {
        let particles = surveyor.particles;
        let mut contacts = Vec::new();
        let mut scratch = WallSurveyScratch::default();
        for slot in particles.slots_by_id() {
            let first_entries = surveyor.list.entries(slot).iter().filter(|entry| **entry & 1 == 0);
            for pair_index in first_entries.map(|entry| (entry >> 1) as usize) {
                let laws = &surveyor.table.pairs[surveyor.list.pair_of(pair_index)];
                let Some((approach, estimate)) = surveyor.estimate(pair_index, laws) else {
                    continue;
                };
                let Some(contact) = estimate.stiffness else { continue };
                contacts.push(NetworkContact {
                    first: slot,
                    second: Some(surveyor.list.pairs[pair_index][1] as usize),
                    normal: approach.normal,
                    arms: approach.radii,
                    springs: Weights::of_springs(&contact, &surveyor.scheme),
                    dashpots: Weights::of_dashpots(&contact, &surveyor.scheme),
                });
            }
            if particles.records[slot].inverse_mass > 0.0 {
                add_walls(surveyor, slot, &mut scratch, &mut contacts);
            }
        }
        let roots = particles.records.iter().map(|record| {
            let inertia = if surveyor.rotations { record.inverse_inertia } else { 0.0 };
            let mass = surveyor.scheme.translation * record.inverse_mass;
            // particles that forces do not move have no inertia either
            if mass > 0.0 { [mass.sqrt(), inertia.sqrt()] } else { [0.0; 2] }
        });
        let ids = particles.metadata.iter().map(|metadata| u64::from(metadata.id()));
        Self { contacts, roots: roots.collect(), ids: ids.collect() }
    }

    /// The longest stable step [s]; infinite without contacts.
    pub(super) fn limit(&self, bound: f64) -> f64 {
        let mut step = bound;
        let mut motions = self.start();
        let mut result = vec![[Vec3::ZERO; 2]; motions.len()];
        for _ in 0..ROUNDS {
            for _ in 0..PRODUCTS {
                self.multiply(&motions, &mut result, [step * step, step]);
                normalise(&mut result);
                std::mem::swap(&mut motions, &mut result);
            }
            let [springs, dashpots] = self.quotients(&motions, &mut result);
            step = step_of(springs, dashpots);
            if !step.is_finite() {
                return f64::INFINITY;
            }
        }
        MARGIN * step
    }

    /// A vector without symmetry, derived from the ids.
    fn start(&self) -> Motions {
        let number = |id: u64, index: u64| {
            let mixed = (6 * id + index + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            (mixed >> 11) as f64 / (1u64 << 53) as f64 - 0.5
        };
        let vector = |id: u64, from: u64| {
            Vec3::new(number(id, from), number(id, from + 1), number(id, from + 2))
        };
        let mut motions: Motions =
            self.ids.iter().map(|&id| [vector(id, 0), vector(id, 3)]).collect();
        normalise(&mut motions);
        motions
    }

    /// `xᵀ K x` and `xᵀ C x` for a unit vector x.
    fn quotients(&self, motions: &Motions, result: &mut Motions) -> [f64; 2] {
        [[1.0, 0.0], [0.0, 1.0]].map(|[springs, dashpots]| {
            self.multiply(motions, result, [springs, dashpots]);
            let products = motions.iter().zip(result.iter());
            products.map(|(x, y)| x[0].dot(y[0]) + x[1].dot(y[1])).sum()
        })
    }

    /// The product with the matrix, with factors of springs and dashpots.
    fn multiply(&self, motions: &Motions, result: &mut Motions, [springs, dashpots]: [f64; 2]) {
        result.iter_mut().for_each(|motion| *motion = [Vec3::ZERO; 2]);
        let scaled = |slot: usize| {
            let [mass, inertia] = self.roots[slot];
            [mass * motions[slot][0], inertia * motions[slot][1]]
        };
        for contact in &self.contacts {
            let own = scaled(contact.first);
            let other = contact.second.map_or([Vec3::ZERO; 2], scaled);
            let q = |of: fn(&Weights) -> f64| {
                springs * of(&contact.springs) + dashpots * of(&contact.dashpots)
            };
            let normal = contact.normal;
            let arms = contact.arms[0] * own[1] + contact.arms[1] * other[1];
            let shift = own[0] - other[0] + arms.cross(normal);
            let along = shift.dot(normal);
            let tangential = q(|w| w.slip) * (shift - along * normal);
            let force = q(|w| w.normal) * along * normal + tangential;
            let turn = own[1] - other[1];
            let twist = turn.dot(normal);
            let moment = q(|w| w.roll) * (turn - twist * normal) + q(|w| w.twist) * twist * normal;
            let torque = normal.cross(tangential);
            let [mass, inertia] = self.roots[contact.first];
            result[contact.first][0] += mass * force;
            result[contact.first][1] += inertia * (contact.arms[0] * torque + moment);
            if let Some(second) = contact.second {
                let [mass, inertia] = self.roots[second];
                result[second][0] -= mass * force;
                result[second][1] += inertia * (contact.arms[1] * torque - moment);
            }
        }
    }
}

fn add_walls(
    surveyor: &Surveyor<'_>,
    slot: usize,
    scratch: &mut WallSurveyScratch,
    contacts: &mut Vec<NetworkContact>,
) {
    let survey = WallSurvey { surveyor, slot };
    let radius = surveyor.particles.records[slot].radius;
    for index in surveyor.wall_contacts.items_of(slot..slot + 1) {
        let item = &surveyor.wall_contacts.items[index];
        survey.for_each_point(index, scratch, |point| {
            let estimate = survey.estimate(item, point);
            if let Some(contact) = estimate.and_then(|estimate| estimate.stiffness) {
                contacts.push(NetworkContact {
                    first: slot,
                    second: None,
                    normal: point.normal,
                    arms: [radius, 0.0],
                    springs: Weights::of_springs(&contact, &surveyor.scheme),
                    dashpots: Weights::of_dashpots(&contact, &surveyor.scheme),
                });
            }
        });
    }
}

fn normalise(motions: &mut Motions) {
    let square: f64 = motions.iter().map(|x| x[0].length_squared() + x[1].length_squared()).sum();
    let factor = if square > 0.0 { 1.0 / square.sqrt() } else { 0.0 };
    motions.iter_mut().for_each(|x| *x = [factor * x[0], factor * x[1]]);
}

#[cfg(test)]
#[path = "limit_tests.rs"]
mod tests;
