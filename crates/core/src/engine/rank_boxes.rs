//! Which particles another rank needs as ghosts: those near one of the boxes around its particles.
//!
//! There is a box for each size of particles, so that one large particle does not make the halo of all
//! others wide. Boxes follow from the particles that a rank has, whatever rule gave it these.

use crate::domain::Domain;
use std::collections::BTreeMap;

/// A box around the centres of particles of about the same size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct RankBox {
    low: [f64; 3],
    high: [f64; 3],
    /// Largest extent of the particles: radius and skin [m].
    extent: f64,
}

/// Distances may differ by rounding between ranks; the margin allows for one ghost too many.
const MARGIN: f64 = 1.0 + 1e-9;

/// Numbers of a box in a message.
const NUMBERS: usize = 7;

/// Bins of a period, in which particles are counted to find where none are.
const BINS: u32 = u64::BITS;

impl RankBox {
    /// The boxes around particles, given by centre and extent: one for each power of two of the extent. Along a
    /// periodic axis a box may extend beyond the domain: particles on both sides of the boundary have one narrow box.
    pub(super) fn around(
        particles: impl Iterator<Item = ([f64; 3], f64)> + Clone,
        domain: &Domain,
    ) -> Vec<Self> {
        let size = |extent: f64| libm::frexp(extent).1;
        let mut occupied: BTreeMap<i32, [u64; 3]> = BTreeMap::new();
        for (center, extent) in particles.clone() {
            let bins = occupied.entry(size(extent)).or_default();
            for axis in 0..3 {
                bins[axis] |= 1 << bin(center[axis], axis, domain);
            }
        }
        let first_bins: BTreeMap<i32, [u32; 3]> = occupied
            .into_iter()
            .map(|(size, bins)| (size, bins.map(bin_after_longest_gap)))
            .collect();
        let period = domain.period();
        let mut boxes: BTreeMap<i32, Self> = BTreeMap::new();
        for (mut center, extent) in particles {
            let first = first_bins[&size(extent)];
            for axis in 0..3 {
                if bin(center[axis], axis, domain) < first[axis] {
                    center[axis] += period[axis];
                }
            }
            let own =
                boxes.entry(size(extent)).or_insert(Self { low: center, high: center, extent });
            for axis in 0..3 {
                own.low[axis] = own.low[axis].min(center[axis]);
                own.high[axis] = own.high[axis].max(center[axis]);
            }
            own.extent = own.extent.max(extent);
        }
        boxes.into_values().collect()
    }

    /// Whether a particle can be in the list of a pair with one in the box, at this interaction range.
    pub(super) fn needs(
        &self,
        center: [f64; 3],
        extent: f64,
        interaction_range: f64,
        domain: &Domain,
    ) -> bool {
        let period = domain.period();
        let square: f64 = (0..3)
            .map(|axis| {
                let gap = |x: f64| (self.low[axis] - x).max(x - self.high[axis]).max(0.0);
                let (x, period) = (center[axis], period[axis]);
                let nearest = match period > 0.0 {
                    true => gap(x).min(gap(x - period)).min(gap(x + period)),
                    false => gap(x),
                };
                nearest * nearest
            })
            .sum();
        let limit = (extent + self.extent + interaction_range) * MARGIN;
        // also if a coordinate is not a number
        !(square > limit * limit)
    }

    pub(super) fn encode(boxes: &[Self]) -> Vec<u8> {
        let numbers =
            boxes.iter().flat_map(|own| own.low.into_iter().chain(own.high).chain([own.extent]));
        numbers.flat_map(f64::to_le_bytes).collect()
    }

    pub(super) fn decode(bytes: &[u8]) -> Vec<Self> {
        let numbers: Vec<f64> =
            bytes.as_chunks().0.iter().map(|&bytes| f64::from_le_bytes(bytes)).collect();
        let (boxes, _) = numbers.as_chunks::<NUMBERS>();
        let three = |values: &[f64]| [values[0], values[1], values[2]];
        boxes
            .iter()
            .map(|own| Self { low: three(own), high: three(&own[3..]), extent: own[6] })
            .collect()
    }
}

/// Bin of a coordinate in the period of an axis; 0 if the axis is not periodic.
fn bin(coordinate: f64, axis: usize, domain: &Domain) -> u32 {
    if !domain.periodic[axis] {
        return 0;
    }
    let fraction = (coordinate - domain.min[axis]) / domain.size()[axis];
    // the conversion saturates, also for NaN
    ((fraction * f64::from(BINS)) as u32).min(BINS - 1)
}

/// The occupied bin that follows the longest run of empty bins, cyclically.
fn bin_after_longest_gap(occupied: u64) -> u32 {
    let gap_before = |bin: u32| occupied.rotate_right(bin).leading_zeros();
    let filled = (0..BINS).filter(|&bin| occupied >> bin & 1 == 1);
    // the first of several equal ones: a particle below it is moved by a period
    filled.rev().max_by_key(|&bin| gap_before(bin)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Vec3;
    use crate::random::{Draws, Purpose};

    fn domain(periodic: [bool; 3]) -> Domain {
        Domain { periodic, ..Domain::new(Vec3::ZERO, Vec3::new(1.0, 1.0, 0.3)) }
    }

    /// Particles in the domain, of which every tenth is large.
    fn particles(seed: u64, count: u64) -> Vec<([f64; 3], f64)> {
        let one = |id: u64| {
            let draws = Draws::new(seed, Purpose::Test, id);
            let center = [draws.uniform(0), draws.uniform(1), 0.3 * draws.uniform(2)];
            (center, if id.is_multiple_of(10) { 0.04 } else { 0.004 })
        };
        (0..count).map(one).collect()
    }

    #[test]
    fn every_pair_within_range_is_found_through_the_boxes() {
        let cases = [[false; 3], [true, false, true], [true; 3]];
        for (periodic, width) in cases.into_iter().flat_map(|one| [(one, 1.0), (one, 0.3)]) {
            let domain = domain(periodic);
            let (mut own, others) = (particles(1, 60), particles(2, 300));
            // the particles of the narrow box lie on both sides of the boundary
            own.iter_mut().for_each(|(center, _)| center[0] = (0.9 + width * center[0]) % 1.0);
            let boxes =
                RankBox::decode(&RankBox::encode(&RankBox::around(own.iter().copied(), &domain)));
            for (center, extent) in others {
                let is_near = own.iter().any(|(own_center, own_extent)| {
                    let apart = Vec3::from_array(center) - Vec3::from_array(*own_center);
                    domain.nearest_image(apart).length() <= extent + own_extent + 0.01
                });
                let is_sent = boxes.iter().any(|one| one.needs(center, extent, 0.01, &domain));
                assert!(is_sent || !is_near);
            }
        }
    }

    #[test]
    fn a_large_particle_does_not_widen_the_halo_of_small_ones() {
        let domain = domain([false; 3]);
        let small = |x: f64| ([x, 0.5, 0.1], 0.01);
        let large = ([0.1, 0.5, 0.1], 0.2);
        let own = [small(0.1), small(0.2), small(0.3), large];
        let boxes = RankBox::around(own.into_iter(), &domain);
        assert_eq!(boxes.len(), 2);
        let needed = |x: f64| boxes.iter().any(|one| one.needs([x, 0.5, 0.1], 0.01, 0.0, &domain));
        assert!(needed(0.315) && !needed(0.325), "near the small ones and the large one only");
    }

    #[test]
    fn a_particle_across_a_period_is_near() {
        let other = [0.99, 0.5, 0.1];
        for (periodic, is_near) in [([true, false, false], true), ([false; 3], false)] {
            let domain = domain(periodic);
            let own = RankBox::around([([0.01, 0.5, 0.1], 0.02)].into_iter(), &domain);
            assert_eq!(own[0].needs(other, 0.02, 0.0, &domain), is_near);
        }
    }

    #[test]
    fn particles_on_both_sides_of_a_periodic_boundary_have_a_narrow_box() {
        let domain = domain([true, false, false]);
        // half of the period, with a particle beyond each of its ends
        let own = [0.98, 0.0, 0.1, 0.2, 0.3, 0.4, 0.51].map(|x| ([x, 0.5, 0.1], 0.01));
        let own = RankBox::around(own.into_iter(), &domain);
        let needed = |x: f64| own[0].needs([x, 0.5, 0.1], 0.01, 0.0, &domain);
        assert!(needed(0.97) && needed(0.99) && needed(0.25) && needed(0.52));
        assert!(!needed(0.54) && !needed(0.75) && !needed(0.95));
    }
}
