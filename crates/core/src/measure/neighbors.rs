//! Pairs of neighbouring particles, for measures: sorted into cells, periodic images included.

use super::{ParticleView, Snapshot};
use crate::Vec3;
use std::collections::BTreeMap;

/// A cell by its three indices.
type Cell = [i64; 3];

/// Pairs with a gap of at most `gap` between their surfaces, as indices in the list, the smaller first, with the vector
/// from the first to the nearest image of the second; in order.
pub(super) fn pairs_within(
    snapshot: &Snapshot,
    particles: &[&ParticleView],
    gap: f64,
) -> Vec<(usize, usize, Vec3)> {
    let domain = snapshot.domain();
    let largest = particles.iter().map(|particle| particle.radius).fold(0.0, f64::max);
    let cutoff = 2.0 * largest + gap;
    if !(cutoff > 0.0 && cutoff.is_finite()) {
        return Vec::new();
    }
    // an integer number of cells per period; with fewer than three, a cell would be visited twice
    let size = domain.size();
    let counts: Cell = std::array::from_fn(|axis| match domain.periodic[axis] {
        true => ((size[axis] / cutoff).floor() as i64).max(1),
        false => 0,
    });
    let cell_of = |position: Vec3| -> Cell {
        std::array::from_fn(|axis| {
            let offset = position[axis] - domain.min[axis];
            match counts[axis] {
                0 => (offset / cutoff).floor() as i64,
                count => ((offset / size[axis] * count as f64).floor() as i64).rem_euclid(count),
            }
        })
    };
    let mut cells: BTreeMap<Cell, Vec<usize>> = BTreeMap::new();
    for (index, particle) in particles.iter().enumerate() {
        cells.entry(cell_of(particle.position)).or_default().push(index);
    }
    let mut pairs = Vec::new();
    for (cell, members) in &cells {
        for near in around(*cell, counts) {
            let Some(others) = cells.get(&near) else { continue };
            for &first in members {
                for &second in others.iter().filter(|second| **second > first) {
                    let (one, other) = (particles[first], particles[second]);
                    let branch = domain.nearest_image(other.position - one.position);
                    if branch.length() - one.radius - other.radius <= gap {
                        pairs.push((first, second, branch));
                    }
                }
            }
        }
    }
    pairs.sort_by_key(|(first, second, _)| (*first, *second));
    pairs
}

/// A cell and its neighbours, each once.
fn around(cell: Cell, counts: Cell) -> Vec<Cell> {
    let mut near = Vec::with_capacity(27);
    for x in -1..=1 {
        for y in -1..=1 {
            for z in -1..=1 {
                let step = [x, y, z];
                near.push(std::array::from_fn(|axis| match counts[axis] {
                    0 => cell[axis] + step[axis],
                    count => (cell[axis] + step[axis]).rem_euclid(count),
                }));
            }
        }
    }
    near.sort_unstable();
    near.dedup();
    near
}

#[cfg(test)]
mod tests {
    use super::super::selection::testing::{particle, snapshot};
    use super::*;

    /// A deterministic pseudo-random number in [0, 1).
    fn noise(index: u64) -> f64 {
        let mixed = (index + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        (mixed >> 11) as f64 / (1u64 << 53) as f64
    }

    #[test]
    fn cells_find_the_pairs_that_all_against_all_finds() {
        for periodic in [[false; 3], [true, false, true], [true; 3]] {
            for largest in [0.03, 0.2] {
                let list: Vec<ParticleView> = (0..150)
                    .map(|id| {
                        let center = Vec3::new(noise(4 * id), noise(4 * id + 1), noise(4 * id + 2));
                        let radius = largest * (0.3 + 0.7 * noise(4 * id + 3));
                        particle(id, radius, 1.0, center)
                    })
                    .collect();
                let mut all = snapshot(list);
                all.periodic = periodic;
                let views: Vec<&ParticleView> = all.particles.iter().collect();
                let mut expected = Vec::new();
                for first in 0..views.len() {
                    for second in first + 1..views.len() {
                        let (one, other) = (views[first], views[second]);
                        let branch = all.domain().nearest_image(other.position - one.position);
                        if branch.length() - one.radius - other.radius <= 0.01 {
                            expected.push((first, second, branch));
                        }
                    }
                }
                assert!(!expected.is_empty());
                assert_eq!(pairs_within(&all, &views, 0.01), expected);
            }
        }
    }
}
