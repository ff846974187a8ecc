//! The bound compared with the largest eigenvalue of random networks, whose matrices are assembled here from the
//! directions of each contact.

use super::super::block::{Blocks, ContactWeights, Weights, step_of};
use super::{Network, NetworkContact};
use crate::Vec3;
use proptest::prelude::*;

/// Number of matrix products of the power iteration.
const PRODUCTS: usize = 200;

/// Directions of a contact over the six degrees of freedom of both partners.
struct Direction {
    spring: f64,
    dashpot: f64,
    first: [f64; 6],
    second: [f64; 6],
}

fn six(shift: Vec3, turn: Vec3) -> [f64; 6] {
    [shift.x, shift.y, shift.z, turn.x, turn.y, turn.z]
}

/// Normal, two slips, two rolls and twist.
fn directions(contact: &NetworkContact) -> Vec<Direction> {
    let normal = contact.normal;
    let across = normal.any_orthonormal_vector();
    let other = normal.cross(across);
    let [own_arm, other_arm] = contact.arms;
    let (k, d) = (&contact.springs, &contact.dashpots);
    let mut all = vec![Direction {
        spring: k.normal,
        dashpot: d.normal,
        first: six(normal, Vec3::ZERO),
        second: six(-normal, Vec3::ZERO),
    }];
    for tangent in [across, other] {
        let turn = normal.cross(tangent);
        all.push(Direction {
            spring: k.slip,
            dashpot: d.slip,
            first: six(tangent, own_arm * turn),
            second: six(-tangent, other_arm * turn),
        });
        all.push(Direction {
            spring: k.roll,
            dashpot: d.roll,
            first: six(Vec3::ZERO, tangent),
            second: six(Vec3::ZERO, -tangent),
        });
    }
    all.push(Direction {
        spring: k.twist,
        dashpot: d.twist,
        first: six(Vec3::ZERO, normal),
        second: six(Vec3::ZERO, -normal),
    });
    all
}

/// The matrix `S^½ M^-½ Q(h) M^-½ S^½` of a network.
fn matrix(network: &Network, step: f64) -> Vec<Vec<f64>> {
    let size = 6 * network.roots.len();
    let mut matrix = vec![vec![0.0; size]; size];
    for contact in &network.contacts {
        for direction in directions(contact) {
            let weight = direction.spring * step * step + direction.dashpot * step;
            let mut entries = Vec::new();
            let partners =
                [(Some(contact.first), direction.first), (contact.second, direction.second)];
            for (slot, values) in partners.into_iter().filter_map(|(slot, v)| Some((slot?, v))) {
                for (axis, value) in values.into_iter().enumerate() {
                    entries.push((6 * slot + axis, network.roots[slot][axis / 3] * value));
                }
            }
            for &(i, first) in &entries {
                entries.iter().for_each(|&(j, second)| matrix[i][j] += weight * first * second);
            }
        }
    }
    matrix
}

/// Largest eigenvalue, approximated from below.
fn largest_eigenvalue(matrix: &[Vec<f64>]) -> f64 {
    let mut vector: Vec<f64> =
        (0..matrix.len()).map(|index| 1.0 + 0.37 * ((7 * index) % 11) as f64).collect();
    let mut value = 0.0;
    for _ in 0..PRODUCTS {
        let product: Vec<f64> = matrix
            .iter()
            .map(|contact| contact.iter().zip(&vector).map(|(a, b)| a * b).sum())
            .collect();
        value = product.iter().map(|x| x * x).sum::<f64>().sqrt();
        if value == 0.0 {
            return 0.0;
        }
        vector = product.into_iter().map(|x| x / value).collect();
    }
    value
}

/// The bound computed by a pass over the contacts.
fn bound(network: &Network) -> f64 {
    let mut blocks = vec![Blocks::default(); network.roots.len()];
    for contact in &network.contacts {
        let sides = [
            (Some(contact.first), contact.normal, contact.arms[0]),
            (contact.second, -contact.normal, contact.arms[1]),
        ];
        for (slot, normal, arm) in sides {
            let Some(slot) = slot else { continue };
            blocks[slot].add(
                normal,
                arm,
                &ContactWeights::new(&contact.springs, &contact.dashpots),
            );
        }
    }
    let rates: Vec<[f64; 2]> = blocks
        .iter()
        .zip(&network.roots)
        .map(|(blocks, root)| {
            let [rates, _] = blocks.largest(root[0] * root[0], [root[1] * root[1]; 2]);
            rates
        })
        .collect();
    let steps = network.contacts.iter().map(|contact| {
        let [springs, dashpots] = rates[contact.first];
        let [other, others] = contact.second.map_or([0.0; 2], |slot| rates[slot]);
        step_of(springs + other, dashpots + others)
    });
    steps.fold(f64::INFINITY, f64::min)
}

fn weights() -> impl Strategy<Value = Weights> {
    // stiff and soft directions, and missing ones
    let weight = || prop_oneof![Just(0.0), 1e-2..1e2f64];
    (1e-2..1e2f64, weight(), weight(), weight()).prop_map(|(normal, slip, roll, twist)| Weights {
        normal,
        slip,
        roll,
        twist,
    })
}

fn networks() -> impl Strategy<Value = Network> {
    let contact =
        (any::<u16>(), any::<u16>(), prop::array::uniform3(-1.0..1.0f64), weights(), weights());
    let body = (1e-1..1e1f64, 0.2..2.0f64, prop_oneof![4 => Just(1.0), 1 => Just(0.0)]);
    (prop::collection::vec(body, 2..9), prop::collection::vec(contact, 1..24)).prop_map(
        |(bodies, contacts)| {
            // a body that forces do not move has neither mass nor inertia in the matrix
            let roots = bodies
                .iter()
                .map(|&(root, radius, free)| [free * root, free * root * 2.5f64.sqrt() / radius]);
            let count = bodies.len();
            let contacts =
                contacts.into_iter().map(|(first, second, normal, springs, dashpots)| {
                    let first = usize::from(first) % count;
                    let second = usize::from(second) % (count + 1);
                    // the last one is a wall, and so is the body itself
                    let second = Some(second).filter(|&second| second < count && second != first);
                    let arms = [bodies[first].1, second.map_or(0.0, |slot| bodies[slot].1)];
                    let normal = Vec3::from_array(normal).try_normalize().unwrap_or(Vec3::X);
                    NetworkContact { first, second, normal, arms, springs, dashpots }
                });
            let ids = (0..count as u64).collect();
            Network { contacts: contacts.collect(), roots: roots.collect(), ids }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn at_the_bound_the_largest_eigenvalue_of_a_network_is_at_most_one(network in networks()) {
        let step = bound(&network);
        prop_assume!(step.is_finite());
        let eigenvalue = largest_eigenvalue(&matrix(&network, step));
        // the closed form of the eigenvalue of a block has an error below 1e-6, from above
        prop_assert!(eigenvalue <= 1.0 + 1e-9, "{eigenvalue}");
    }

    #[test]
    fn the_limit_by_power_iteration_is_that_of_the_assembled_matrix(network in networks()) {
        let limit = network.limit(bound(&network));
        prop_assume!(limit.is_finite());
        // 5 % below the resulting step, which is at most a fifth too long
        let eigenvalue = largest_eigenvalue(&matrix(&network, limit));
        prop_assert!(eigenvalue < 1.2 && eigenvalue > 0.8, "{eigenvalue}");
    }
}
