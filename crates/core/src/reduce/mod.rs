//! Reduction: sums of the contact forces on each particle, in order of partner id, then of walls.

use crate::contact_state::energy_terms::LedgerTerms;
use crate::contact_state::result_buffer::ContactResult;
use crate::contact_state::touched::Touched;
use crate::neighbour::list::NeighbourList;
use crate::parallel::UnsynchronisedReader;
use crate::particles::{ForceTorque, HotData};
use crate::simd::multiversion_avx2;
#[cfg(target_arch = "x86_64")]
use crate::simd::{Detected, detected};
use crate::wall_contact::WallContacts;
use std::ops::Range;

/// The contacts to sum.
pub(crate) struct Gather<'a> {
    pub list: &'a NeighbourList,
    /// Particles in contact.
    pub touched: &'a Touched,
    /// Index of the history of each pair.
    pub trial: UnsynchronisedReader<'a, u32>,
    /// Index of its result.
    pub result_indices: UnsynchronisedReader<'a, u32>,
    pub results: UnsynchronisedReader<'a, ContactResult>,
    /// Offset from the results of first partners to those of second partners; none if both partners use the same
    /// result.
    pub second_offset: Option<usize>,
    pub energy_terms: UnsynchronisedReader<'a, LedgerTerms>,
    pub walls: &'a WallContacts,
}

impl Gather<'_> {
    /// Adjacency offsets of the particles of a range. For the whole range: a lookup per particle
    /// costs 1 % of a step.
    #[inline(always)]
    fn starts(&self, range: &Range<usize>) -> impl Iterator<Item = &[u32]> {
        self.list.starts[range.start..=range.end].windows(2)
    }

    /// The adjacency entries of one particle between these offsets: for each the index of its contact in a buffer, and 1
    /// if the particle is the second partner, else 0. `indices` has the indices of all pairs; a pair without contact has
    /// an element of zeros, which is faster than a branch.
    #[inline(always)]
    fn entries<'a>(
        &'a self,
        slot: usize,
        both: &[u32],
        indices: UnsynchronisedReader<'a, u32>,
    ) -> impl Iterator<Item = (usize, usize)> + use<'a> {
        let entries = if self.touched.may_touch(slot) {
            &self.list.adjacency[both[0] as usize..both[1] as usize]
        } else {
            &[]
        };
        entries
            .iter()
            .map(move |&entry| (indices[(entry >> 1) as usize] as usize, (entry & 1) as usize))
    }

    /// Sums forces and torques of the particles in a range.
    pub(crate) fn sum(
        &self,
        range: Range<usize>,
        records: &[HotData],
        gravity: &[f64; 4],
        totals: &mut [ForceTorque],
    ) {
        let sides = self.second_offset.is_some();
        sum(self, range.clone(), records, gravity, totals);
        self.sum_walls(range, totals, |result| if sides { 1.0 } else { result[3] });
    }

    /// The weight; zero for a body of infinite mass.
    #[inline(always)]
    fn weight(mass: f64, gravity: &[f64; 4]) -> [f64; 4] {
        // not 0 · g, which may be a negative zero: sums must be independent of the number of zero terms
        let part = |g: f64| if mass < f64::INFINITY { mass * g } else { 0.0 };
        [part(gravity[0]), part(gravity[1]), part(gravity[2]), part(gravity[3])]
    }

    /// Adds contacts with walls.
    #[inline(always)]
    fn sum_walls(
        &self,
        range: Range<usize>,
        totals: &mut [ForceTorque],
        arm: impl Fn(&ContactResult) -> f64,
    ) {
        let first_slot = range.start;
        let items = self.walls.items_of(range);
        let results = self.walls.state.results.as_slice();
        let listed = self.walls.items[items.clone()].iter().zip(&self.walls.trial[items]);
        for (item, &[first, count]) in listed {
            let total = &mut totals[item.particle as usize - first_slot];
            for result in &results[first as usize..(first + count) as usize] {
                let arm = arm(result);
                for lane in 0..4 {
                    total.force[lane] += result[lane];
                    total.torque[lane] += arm * result[4 + lane];
                }
            }
        }
    }
}

/// Signs of the first and the second partner. Static: a table in the function would be written to the stack
/// and read back for each contact (measured with AVX2: a fifth of the reduction).
static SIGNS: [f64; 2] = [1.0, -1.0];

/// Sums weights and contacts with other particles.
fn sum(
    from: &Gather<'_>,
    range: Range<usize>,
    records: &[HotData],
    gravity: &[f64; 4],
    totals: &mut [ForceTorque],
) {
    #[cfg(target_arch = "x86_64")]
    if let Detected::Avx512(_) = detected() {
        // SAFETY: the token proves that the processor supports the instructions.
        return unsafe {
            match from.second_offset {
                None => x86::sum::<false>(from, 0, range, records, gravity, totals),
                Some(behind) => x86::sum::<true>(from, behind, range, records, gravity, totals),
            }
        };
    }
    sum_rows(from, range, records, gravity, totals);
}

multiversion_avx2! {
    fn sum_rows(
        from: &Gather<'_>,
        range: Range<usize>,
        records: &[HotData],
        gravity: &[f64; 4],
        totals: &mut [ForceTorque],
    ) {
        match from.second_offset {
            None => sum_range::<false>(from, 0, range, records, gravity, totals),
            Some(behind) => sum_range::<true>(from, behind, range, records, gravity, totals),
        }
    }
}

/// `SECOND_RESULTS`: each partner has its own result. A constant: as an argument, it would cost a sixth of
/// the instructions of the loop.
#[inline(always)]
fn sum_range<const SECOND_RESULTS: bool>(
    from: &Gather<'_>,
    second_offset: usize,
    range: Range<usize>,
    records: &[HotData],
    gravity: &[f64; 4],
    totals: &mut [ForceTorque],
) {
    let starts = from.starts(&range);
    for (((both, slot), record), total) in starts.zip(range.clone()).zip(records).zip(totals) {
        let mut force = Gather::weight(record.mass, gravity);
        let mut torque = [0.0; 4];
        for (index, second) in from.entries(slot, both, from.result_indices) {
            let result = &from.results[index + second * second_offset];
            let sign = SIGNS[second];
            let arm = if SECOND_RESULTS { sign } else { result[3 + 4 * second] };
            for lane in 0..4 {
                force[lane] += sign * result[lane];
                torque[lane] += arm * result[4 + lane];
            }
        }
        *total = ForceTorque { force, torque };
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{ForceTorque, Gather, HotData, LedgerTerms, SIGNS};
    use std::arch::x86_64::*;
    use std::ops::Range;

    /// As the baseline path: force and torque of a contact in one register.
    #[target_feature(enable = "avx512f,avx512dq,avx512vl")]
    pub(crate) fn sum<const SECOND_RESULTS: bool>(
        from: &Gather<'_>,
        second_offset: usize,
        range: Range<usize>,
        records: &[HotData],
        gravity: &[f64; 4],
        totals: &mut [ForceTorque],
    ) {
        // signs for the force, the moment arm of the result for the torque
        let signs = _mm512_setr_pd(1.0, -1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
        let orders =
            [_mm512_setr_epi64(8, 8, 8, 8, 3, 3, 3, 3), _mm512_setr_epi64(9, 9, 9, 9, 7, 7, 7, 7)];
        let starts = from.starts(&range);
        for (((both, slot), record), total) in starts.zip(range.clone()).zip(records).zip(totals) {
            let weight = Gather::weight(record.mass, gravity);
            // SAFETY: the reference is to four numbers.
            let weight = unsafe { _mm256_loadu_pd(weight.as_ptr()) };
            let mut sum = _mm512_zextpd256_pd512(weight);
            for (index, second) in from.entries(slot, both, from.result_indices) {
                let result = &from.results[index + second * second_offset];
                // SAFETY: a result has eight numbers.
                let numbers = unsafe { _mm512_loadu_pd(result.as_ptr()) };
                let factors = if SECOND_RESULTS {
                    _mm512_set1_pd(SIGNS[second])
                } else {
                    _mm512_permutex2var_pd(numbers, orders[second], signs)
                };
                sum = _mm512_add_pd(sum, _mm512_mul_pd(factors, numbers));
            }
            // SAFETY: a total is eight numbers.
            unsafe { _mm512_storeu_pd(std::ptr::from_mut(total).cast(), sum) };
        }
    }

    /// As the baseline path: energies and forces of a contact in one register each.
    #[target_feature(enable = "avx512f,avx512dq,avx512vl")]
    pub(super) fn gather_pairs(from: &Gather<'_>, range: Range<usize>, terms: &mut [LedgerTerms]) {
        let starts = from.starts(&range);
        let half = _mm512_set1_pd(0.5);
        for ((both, slot), total) in starts.zip(range.clone()).zip(terms) {
            let (mut energy, mut forces) = (_mm512_setzero_pd(), _mm512_setzero_pd());
            for (index, second) in from.entries(slot, both, from.trial) {
                let row: *const f64 = std::ptr::from_ref(&from.energy_terms[index]).cast();
                // SAFETY: terms are sixteen numbers.
                let [own, its] = unsafe { [_mm512_loadu_pd(row), _mm512_loadu_pd(row.add(8))] };
                energy = _mm512_add_pd(energy, _mm512_mul_pd(half, own));
                forces = _mm512_add_pd(forces, _mm512_mul_pd(_mm512_set1_pd(SIGNS[second]), its));
            }
            let total: *mut f64 = std::ptr::from_mut(total).cast();
            // SAFETY: as above.
            unsafe {
                _mm512_storeu_pd(total, energy);
                _mm512_storeu_pd(total.add(8), forces);
            }
        }
    }
}

/// Sums terms of the ledger for the particles in a range: half of the powers and energies of each
/// contact with another particle, all of those with walls, and the forces on each particle by kind.
pub(crate) fn gather_terms(from: &Gather<'_>, range: Range<usize>, terms: &mut [LedgerTerms]) {
    gather_terms_of_pairs(from, range.clone(), terms);
    let items = from.walls.items_of(range.clone());
    let listed = from.walls.items[items.clone()].iter().zip(&from.walls.trial[items]);
    for (item, &[first, count]) in listed {
        let sum = &mut terms[item.particle as usize - range.start];
        for row in &from.walls.state.energy_terms[first as usize..(first + count) as usize] {
            sum.add(row, 1.0, 1.0);
        }
    }
}

fn gather_terms_of_pairs(from: &Gather<'_>, range: Range<usize>, terms: &mut [LedgerTerms]) {
    #[cfg(target_arch = "x86_64")]
    if let Detected::Avx512(_) = detected() {
        // SAFETY: the token proves that the processor supports the instructions.
        return unsafe { x86::gather_pairs(from, range, terms) };
    }
    gather_rows(from, range, terms);
}

multiversion_avx2! {
    fn gather_rows(from: &Gather<'_>, range: Range<usize>, terms: &mut [LedgerTerms]) {
        let starts = from.starts(&range);
        for ((both, slot), sum) in starts.zip(range.clone()).zip(terms) {
            let mut own = LedgerTerms::default();
            for (index, second) in from.entries(slot, both, from.trial) {
                own.add(&from.energy_terms[index], 0.5, SIGNS[second]);
            }
            *sum = own;
        }
    }
}
