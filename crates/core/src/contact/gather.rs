//! Sums of contact forces on each particle, in order of partner id, then of walls.

use super::rows::{Books, Couple, Row};
use super::{Candidates, WallContacts};
use crate::particles::Total;
use crate::simd::vectorise_rows;
use std::ops::Range;

/// The contacts to sum.
pub(crate) struct Gather<'a> {
    pub candidates: &'a Candidates,
    pub walls: &'a WallContacts,
    pub results: &'a [Row],
    pub couples: &'a [Couple],
    pub books: &'a [Books],
    /// Masses by slot.
    pub masses: &'a [f64],
}

vectorise_rows! {
    /// Sums forces and torques of the particles in a range.
    pub(crate) fn gather(from: &Gather<'_>, range: Range<usize>, gravity: &[f64; 4], totals: &mut [Total]) {
        let (incidence, rows) = (&from.candidates.incidence, &from.candidates.trial);
        for (slot, total) in range.zip(totals) {
            // weight first; a body of infinite mass has none
            let mass = from.masses[slot];
            let mut force = gravity.map(|g| if mass < f64::INFINITY { mass * g } else { 0.0 });
            let mut torque = [0.0; 4];
            let entries = from.candidates.starts[slot] as usize..from.candidates.starts[slot + 1] as usize;
            for &entry in &incidence[entries] {
                let row = &from.results[rows[(entry >> 1) as usize] as usize];
                let second = (entry & 1) as usize;
                let sign = [1.0, -1.0][second];
                let lever = row[3 + 4 * second];
                for lane in 0..4 {
                    force[lane] += sign * row[lane];
                    torque[lane] += lever * row[4 + lane];
                }
            }
            let mut item = from.walls.heads[slot];
            while item > 0 {
                let [first, count] = from.walls.trial[item as usize - 1];
                for row in &from.walls.rows.results[first as usize..(first + count) as usize] {
                    for lane in 0..4 {
                        force[lane] += row[lane];
                        torque[lane] += row[3] * row[4 + lane];
                    }
                }
                item = from.walls.items[item as usize - 1].next;
            }
            *total = Total { force, torque };
        }
    }
}

/// Adds the couples of the particles in a range.
pub(crate) fn gather_couples(from: &Gather<'_>, range: Range<usize>, loads: &mut [Total]) {
    for (slot, load) in range.zip(loads) {
        for &entry in from.candidates.entries(slot) {
            let row = &from.couples[from.candidates.trial[(entry >> 1) as usize] as usize];
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
            let row = &from.books[from.candidates.trial[(entry >> 1) as usize] as usize];
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
