//! Sums of contact forces on each particle, in order of partner id, then of walls.

use super::rows::{Books, Couple, Row};
use super::{Candidates, WallContacts};
use crate::parallel::Reading;
use crate::particles::{Record, Total};
use crate::simd::four::Four;
#[cfg(target_arch = "x86_64")]
use crate::simd::{InstructionSet, instruction_set};
use crate::simd::{vectorise_rows, with_lines};
use std::ops::Range;

/// The contacts to sum.
pub(crate) struct Gather<'a> {
    pub candidates: &'a Candidates,
    /// Row of each candidate.
    pub trial: Reading<'a, u32>,
    pub results: Reading<'a, Row>,
    pub couples: Reading<'a, Couple>,
    pub books: Reading<'a, Books>,
    pub walls: &'a WallContacts,
}

impl Gather<'_> {
    /// The entries of one particle: for each the row of its contact, and whether the particle is
    /// the second partner.
    #[inline(always)]
    fn entries(&self, slot: usize) -> impl Iterator<Item = (&Row, usize)> {
        let Candidates { starts, incidence, touched, .. } = self.candidates;
        let entries = if touched.may_touch(slot) {
            &incidence[starts[slot] as usize..starts[slot + 1] as usize]
        } else {
            &[]
        };
        entries.iter().map(|&entry| {
            (&self.results[self.trial[(entry >> 1) as usize] as usize], (entry & 1) as usize)
        })
    }

    /// Sums forces and torques of the particles in a range.
    pub(crate) fn sum(
        &self,
        range: Range<usize>,
        records: &[Record],
        gravity: &[f64; 4],
        totals: &mut [Total],
    ) {
        #[cfg(target_arch = "x86_64")]
        if instruction_set() == InstructionSet::Avx512 {
            // SAFETY: `instruction_set` returns a set only after detecting its features.
            unsafe { x86::sum::<false>(self, range.clone(), records, gravity, totals, &mut []) };
            return self.sum_walls(range, totals);
        }
        sum(self, range.clone(), records, gravity, totals);
        self.sum_walls(range, totals);
    }

    /// As `sum`, with the couples: those of a particle are added up by themselves, and then to its
    /// torque.
    pub(crate) fn sum_with_couples(
        &self,
        range: Range<usize>,
        records: &[Record],
        gravity: &[f64; 4],
        totals: &mut [Total],
    ) {
        let mut couples = [[0.0; 4]; BLOCK];
        for start in range.clone().step_by(BLOCK) {
            let slots = start..range.end.min(start + BLOCK);
            let own = slots.start - range.start..slots.end - range.start;
            let (records, totals) = (&records[own.clone()], &mut totals[own]);
            let couples = &mut couples[..slots.len()];
            self.sum_both(slots.clone(), records, gravity, totals, couples);
            self.sum_walls(slots.clone(), totals);
            self.sum_wall_couples(slots, couples);
            for (total, couple) in totals.iter_mut().zip(couples) {
                for lane in 0..4 {
                    total.torque[lane] += couple[lane];
                }
            }
        }
    }

    /// Sums results and couples of contacts with other particles.
    fn sum_both(
        &self,
        range: Range<usize>,
        records: &[Record],
        gravity: &[f64; 4],
        totals: &mut [Total],
        couples: &mut [[f64; 4]],
    ) {
        #[cfg(target_arch = "x86_64")]
        if instruction_set() == InstructionSet::Avx512 {
            // SAFETY: `instruction_set` returns a set only after detecting its features.
            return unsafe { x86::sum::<true>(self, range, records, gravity, totals, couples) };
        }
        sum(self, range.clone(), records, gravity, totals);
        sum_couples(self, range, couples);
    }

    /// The weight; a body of infinite mass has none.
    #[inline(always)]
    fn weight(mass: f64, gravity: &[f64; 4]) -> [f64; 4] {
        // not 0 · g, whose zero may be negative: sums must not depend on how many zeros they have
        let part = |g: f64| if mass < f64::INFINITY { mass * g } else { 0.0 };
        [part(gravity[0]), part(gravity[1]), part(gravity[2]), part(gravity[3])]
    }

    /// Adds contacts with walls.
    fn sum_walls(&self, range: Range<usize>, totals: &mut [Total]) {
        let first_slot = range.start;
        let items = self.walls.items_of(range);
        let results = self.walls.rows.results.rows();
        let listed = self.walls.items[items.clone()].iter().zip(&self.walls.trial[items]);
        for (item, &[first, count]) in listed {
            let total = &mut totals[item.particle as usize - first_slot];
            for row in &results[first as usize..(first + count) as usize] {
                for lane in 0..4 {
                    total.force[lane] += row[lane];
                    total.torque[lane] += row[3] * row[4 + lane];
                }
            }
        }
    }

    /// Adds the couples of contacts with walls.
    fn sum_wall_couples(&self, range: Range<usize>, couples: &mut [[f64; 4]]) {
        let first_slot = range.start;
        let items = self.walls.items_of(range);
        let listed = self.walls.items[items.clone()].iter().zip(&self.walls.trial[items]);
        for (item, &[first, count]) in listed {
            let couple = &mut couples[item.particle as usize - first_slot];
            for row in &self.walls.rows.couples[first as usize..(first + count) as usize] {
                for lane in 0..4 {
                    couple[lane] += row.0[lane];
                }
            }
        }
    }
}

vectorise_rows! {
    /// Sums weights and contacts with other particles.
    fn sum(
        from: &Gather<'_>,
        range: Range<usize>,
        records: &[Record],
        gravity: &[f64; 4],
        totals: &mut [Total],
    ) {
        for ((slot, record), total) in range.zip(records).zip(totals) {
            let mut force = Gather::weight(record.mass, gravity);
            let mut torque = [0.0; 4];
            for (row, second) in from.entries(slot) {
                let sign = [1.0, -1.0][second];
                let lever = row[3 + 4 * second];
                for lane in 0..4 {
                    force[lane] += sign * row[lane];
                    torque[lane] += lever * row[4 + lane];
                }
            }
            *total = Total { force, torque };
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{Candidates, Gather, Record, Total};
    use std::arch::x86_64::*;
    use std::ops::Range;

    /// As `sum` and `sum_couples` of the plain path: force and torque of a contact in one register,
    /// its couple in another.
    #[target_feature(enable = "avx512f,avx512dq,avx512vl")]
    pub(super) fn sum<const COUPLES: bool>(
        from: &Gather<'_>,
        range: Range<usize>,
        records: &[Record],
        gravity: &[f64; 4],
        totals: &mut [Total],
        couples: &mut [[f64; 4]],
    ) {
        // signs for the force, the lever of the row for the torque
        let signs = _mm512_setr_pd(1.0, -1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
        let as_first = _mm512_setr_epi64(8, 8, 8, 8, 3, 3, 3, 3);
        let as_second = _mm512_setr_epi64(9, 9, 9, 9, 7, 7, 7, 7);
        let Candidates { starts, incidence, touched, .. } = from.candidates;
        for (place, ((slot, record), total)) in range.zip(records).zip(totals).enumerate() {
            let weight = Gather::weight(record.mass, gravity);
            // SAFETY: the reference is to four numbers.
            let weight = unsafe { _mm256_loadu_pd(weight.as_ptr()) };
            let mut sum = _mm512_zextpd256_pd512(weight);
            let mut couple = _mm256_setzero_pd();
            let entries = if touched.may_touch(slot) {
                &incidence[starts[slot] as usize..starts[slot + 1] as usize]
            } else {
                &[]
            };
            for &entry in entries {
                let row = from.trial[(entry >> 1) as usize] as usize;
                // SAFETY: a row has eight numbers.
                let result = unsafe { _mm512_loadu_pd(from.results[row].as_ptr()) };
                let is_second = ((entry & 1) as u8).wrapping_neg();
                let order = _mm512_mask_mov_epi64(as_first, is_second, as_second);
                let factors = _mm512_permutex2var_pd(result, order, signs);
                sum = _mm512_add_pd(sum, _mm512_mul_pd(factors, result));
                if COUPLES {
                    // SAFETY: a couple has four numbers.
                    let its = unsafe { _mm256_loadu_pd(from.couples[row].0.as_ptr()) };
                    let sign = _mm512_castpd512_pd256(factors);
                    couple = _mm256_add_pd(couple, _mm256_mul_pd(sign, its));
                }
            }
            // SAFETY: a total is eight numbers.
            unsafe { _mm512_storeu_pd(std::ptr::from_mut(total).cast(), sum) };
            if COUPLES {
                // SAFETY: the reference is to four numbers.
                unsafe { _mm256_storeu_pd(couples[place].as_mut_ptr(), couple) };
            }
        }
    }
}

/// Particles whose couples are summed at once.
const BLOCK: usize = 64;

with_lines! {
    /// Sums the couples of contacts with other particles.
    fn sum_couples<Set: Lines>(from: &Gather<'_>, range: Range<usize>, couples: &mut [[f64; 4]]) {
        let Candidates { starts, incidence, .. } = from.candidates;
        for (slot, couple) in range.zip(couples) {
            // SAFETY: `Set` is one that the machine has.
            unsafe {
                let mut sum = Set::Four::all(0.0);
                for &entry in &incidence[starts[slot] as usize..starts[slot + 1] as usize] {
                    let row = &from.couples[from.trial[(entry >> 1) as usize] as usize].0;
                    let sign = Set::Four::all([1.0, -1.0][(entry & 1) as usize]);
                    sum = sum.plus(sign.times(Set::Four::load(row)));
                }
                sum.store(couple);
            }
        }
    }
}

/// Collects powers and energies of the particles in a range: half of each contact with another
/// particle, all of those with walls.
pub(crate) fn gather_books(from: &Gather<'_>, range: Range<usize>, books: &mut [Books]) {
    for (slot, book) in range.zip(books) {
        *book = Books::default();
        for &entry in from.candidates.entries(slot) {
            let row = &from.books[from.trial[(entry >> 1) as usize] as usize];
            book.iter_mut().zip(row).for_each(|(sum, value)| *sum += 0.5 * value);
        }
        for_each_wall_row(from, slot, |row| {
            book.iter_mut().zip(&from.walls.rows.books[row]).for_each(|(sum, value)| *sum += value);
        });
    }
}

fn for_each_wall_row(from: &Gather<'_>, slot: usize, mut visit: impl FnMut(usize)) {
    for [first, count] in &from.walls.trial[from.walls.items_of(slot..slot + 1)] {
        (*first..first + count).for_each(|row| visit(row as usize));
    }
}
