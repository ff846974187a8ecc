//! Sums of contact forces on each particle, in order of partner id, then of walls.

use super::rows::{Books, Row};
use super::{Candidates, Rows, WallContacts};
use crate::particles::Total;
use crate::simd::vectorise_rows;
#[cfg(target_arch = "x86_64")]
use crate::simd::{InstructionSet, instruction_set};
use std::ops::Range;

/// The contacts to sum.
pub(crate) struct Gather<'a> {
    pub candidates: &'a Candidates,
    pub walls: &'a WallContacts,
    pub rows: &'a Rows,
    /// The results in them.
    pub results: &'a [Row],
    /// Masses by slot.
    pub masses: &'a [f64],
}

impl Gather<'_> {
    /// The entries of one particle: for each the row of its contact, and whether the particle is
    /// the second partner.
    #[inline(always)]
    fn entries(&self, slot: usize) -> impl Iterator<Item = (&Row, usize)> {
        let Candidates { starts, incidence, trial, .. } = self.candidates;
        let entries = &incidence[starts[slot] as usize..starts[slot + 1] as usize];
        entries.iter().map(|&entry| {
            (&self.results[trial[(entry >> 1) as usize] as usize], (entry & 1) as usize)
        })
    }

    /// Sums forces and torques of the particles in a range.
    pub(crate) fn sum(&self, range: Range<usize>, gravity: &[f64; 4], totals: &mut [Total]) {
        #[cfg(target_arch = "x86_64")]
        if instruction_set() == InstructionSet::Avx512 {
            // SAFETY: `instruction_set` returns a set only after detecting its features.
            unsafe { x86::sum(self, range.clone(), gravity, totals) };
            return self.sum_walls(range, totals);
        }
        sum(self, range.clone(), gravity, totals);
        self.sum_walls(range, totals);
    }

    /// The weight; a body of infinite mass has none.
    #[inline(always)]
    fn weight(&self, slot: usize, gravity: &[f64; 4]) -> [f64; 4] {
        let mass = self.masses[slot];
        // not 0 · g, whose zero may be negative: sums must not depend on how many zeros they have
        let part = |g: f64| if mass < f64::INFINITY { mass * g } else { 0.0 };
        [part(gravity[0]), part(gravity[1]), part(gravity[2]), part(gravity[3])]
    }

    /// Adds contacts with walls.
    fn sum_walls(&self, range: Range<usize>, totals: &mut [Total]) {
        if self.walls.items.is_empty() {
            return;
        }
        let results = self.walls.rows.results.rows();
        for (head, total) in self.walls.heads[range].iter().zip(totals) {
            let mut item = *head;
            while item > 0 {
                let [first, count] = self.walls.trial[item as usize - 1];
                for row in &results[first as usize..(first + count) as usize] {
                    for lane in 0..4 {
                        total.force[lane] += row[lane];
                        total.torque[lane] += row[3] * row[4 + lane];
                    }
                }
                item = self.walls.items[item as usize - 1].next;
            }
        }
    }
}

vectorise_rows! {
    /// Sums weights and contacts with other particles.
    fn sum(from: &Gather<'_>, range: Range<usize>, gravity: &[f64; 4], totals: &mut [Total]) {
        for (slot, total) in range.zip(totals) {
            let mut force = from.weight(slot, gravity);
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
    use super::{Gather, Total};
    use std::arch::x86_64::*;
    use std::ops::Range;

    /// As `sum` of the plain path: force and torque of a contact in one register.
    #[target_feature(enable = "avx512f,avx512dq,avx512vl")]
    pub(super) fn sum(
        from: &Gather<'_>,
        range: Range<usize>,
        gravity: &[f64; 4],
        totals: &mut [Total],
    ) {
        // signs for the force, the lever of the row for the torque
        let signs = _mm512_setr_pd(1.0, -1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
        let as_first = _mm512_setr_epi64(8, 8, 8, 8, 3, 3, 3, 3);
        let as_second = _mm512_setr_epi64(9, 9, 9, 9, 7, 7, 7, 7);
        for (slot, total) in range.zip(totals) {
            let weight = from.weight(slot, gravity);
            // SAFETY: the reference is to four numbers.
            let weight = unsafe { _mm256_loadu_pd(weight.as_ptr()) };
            let mut sum = _mm512_zextpd256_pd512(weight);
            for (row, second) in from.entries(slot) {
                // SAFETY: a row has eight numbers.
                let row = unsafe { _mm512_loadu_pd(row.as_ptr()) };
                let is_second = (second as u8).wrapping_neg();
                let order = _mm512_mask_mov_epi64(as_first, is_second, as_second);
                let factors = _mm512_permutex2var_pd(row, order, signs);
                sum = _mm512_add_pd(sum, _mm512_mul_pd(factors, row));
            }
            // SAFETY: a total is eight numbers.
            unsafe { _mm512_storeu_pd(std::ptr::from_mut(total).cast(), sum) };
        }
    }
}

/// Adds the couples of the particles in a range.
pub(crate) fn gather_couples(from: &Gather<'_>, range: Range<usize>, loads: &mut [Total]) {
    for (slot, load) in range.zip(loads) {
        for &entry in from.candidates.entries(slot) {
            let row = &from.rows.couples[from.candidates.trial[(entry >> 1) as usize] as usize];
            let sign = if entry & 1 == 0 { 1.0 } else { -1.0 };
            for axis in 0..3 {
                load.torque[axis] += sign * row[axis];
            }
        }
        for_each_wall_row(from, slot, |row| {
            for axis in 0..3 {
                load.torque[axis] += from.walls.rows.couples[row][axis];
            }
        });
    }
}

/// Collects powers and energies of the particles in a range: half of each contact with another
/// particle, all of those with walls.
pub(crate) fn gather_books(from: &Gather<'_>, range: Range<usize>, books: &mut [Books]) {
    for (slot, book) in range.zip(books) {
        *book = Books::default();
        for &entry in from.candidates.entries(slot) {
            let row = &from.rows.books[from.candidates.trial[(entry >> 1) as usize] as usize];
            book.iter_mut().zip(row).for_each(|(sum, value)| *sum += 0.5 * value);
        }
        for_each_wall_row(from, slot, |row| {
            book.iter_mut().zip(&from.walls.rows.books[row]).for_each(|(sum, value)| *sum += value);
        });
    }
}

fn for_each_wall_row(from: &Gather<'_>, slot: usize, mut visit: impl FnMut(usize)) {
    let mut item = from.walls.heads[slot];
    while item > 0 {
        let [first, count] = from.walls.trial[item as usize - 1];
        (first..first + count).for_each(|row| visit(row as usize));
        item = from.walls.items[item as usize - 1].next;
    }
}
