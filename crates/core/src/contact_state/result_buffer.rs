//! Results and history of contacts, by index. Element 0 is zero: a pair without contact has index 0, so nothing needs
//! to be cleared and sums need no branch.

mod history_columns;
mod slices;

use crate::Vec3;
use crate::aligned_vec::AlignedVec;
use crate::chunk::{Column, Vector, WIDTH};
use crate::contact_state::energy_terms::LedgerTerms;
use crate::contact_state::history::HistoryLayout;
use crate::geometry::contact;
use crate::partition::indices::{BufferLengths, FIRST_INDEX};
use crate::simd::{multiversion, multiversion_transpose};
use bytemuck::{Pod, Zeroable};

pub(crate) use history_columns::HistoryColumns;
pub(crate) use slices::ResultSlices;

/// Result of one contact: force on the first partner, its moment arm, n × tangential force, moment arm of the second
/// partner. One cache line.
///
/// If laws have moments, a contact has two results, one for each partner, with the whole torque instead of n ×
/// tangential force; the negative of its result acts on the second partner. Measured: some 2 ns per particle less than
/// with moments in a separate column.
#[derive(Debug, Clone, Copy, Default, Pod, Zeroable)]
#[repr(C, align(64))]
pub(crate) struct ContactResult(pub [f64; 8]);

impl std::ops::Deref for ContactResult {
    type Target = [f64; 8];

    fn deref(&self) -> &[f64; 8] {
        &self.0
    }
}

/// Results of one chunk in columns, in the order of [`ContactResult`].
#[derive(Debug)]
#[repr(C, align(64))]
pub(crate) struct ResultColumns(pub [Column; 8]);

/// Results by index: first those of all first partners, then, if there are moments, those of the second partners.
#[derive(Debug, Default)]
pub(crate) struct ResultBuffer {
    numbers: AlignedVec,
    length: usize,
}

impl ResultBuffer {
    fn new(length: usize, extras: Extras) -> Self {
        let partners = if extras.moments { 2 } else { 1 };
        Self { numbers: AlignedVec::zeros(8 * length * partners), length }
    }

    /// The elements.
    #[inline]
    pub(crate) fn as_slice(&self) -> &[ContactResult] {
        bytemuck::pod_align_to(&self.numbers).1
    }

    fn as_mut_slice(&mut self) -> &mut [ContactResult] {
        bytemuck::pod_align_to_mut(&mut self.numbers).1
    }

    /// Number of contacts that fit.
    pub(crate) fn len(&self) -> usize {
        self.length
    }

    /// The moment on a particle at a wall, which has no moment arm.
    pub(crate) fn moment_at_wall(&self, index: usize) -> Vec3 {
        self.as_slice()
            .get(self.length + index)
            .map_or(Vec3::ZERO, |result| Vec3::new(result[4], result[5], result[6]))
    }
}

/// Additional results of contacts: moments and energy terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Extras {
    pub moments: bool,
    pub energy_terms: bool,
}

#[derive(Debug, Default)]
pub(crate) struct ContactState {
    pub results: ResultBuffer,
    /// Terms of the ledger, if one is kept.
    pub energy_terms: Vec<LedgerTerms>,
    /// History columns of the accepted state.
    pub accepted: HistoryColumns,
    /// History columns of the last evaluation.
    pub trial: HistoryColumns,
}

impl ContactState {
    pub(crate) fn new(layout: &HistoryLayout) -> Self {
        let [accepted, trial] =
            [HistoryColumns::new(layout.width), HistoryColumns::new(layout.width)];
        let mut state = Self { accepted, trial, ..Self::default() };
        state.reserve(BufferLengths::default(), Extras { moments: false, energy_terms: true });
        state
    }

    /// Reserves memory for this number of elements. Grows by more than is needed, since the number of contacts of a
    /// settling bed grows in small steps.
    pub(crate) fn reserve(&mut self, needed: BufferLengths, extras: Extras) {
        let with_reserve = |contacts: usize| FIRST_INDEX + contacts + (FIRST_INDEX + contacts) / 8;
        // every evaluation writes all results, so only history has to be preserved
        let has_moments = self.results.as_slice().len() > self.results.len();
        if self.results.len() < FIRST_INDEX + needed.results || (extras.moments && !has_moments) {
            self.results = ResultBuffer::new(with_reserve(needed.results), extras);
        }
        if self.accepted.length < FIRST_INDEX + needed.history {
            self.accepted.grow(with_reserve(needed.history));
            self.trial.grow(with_reserve(needed.history));
        }
        if extras.energy_terms && self.energy_terms.len() < self.accepted.length {
            self.energy_terms = vec![LedgerTerms::default(); self.accepted.length];
        }
    }

    pub(crate) fn commit(&mut self) {
        std::mem::swap(&mut self.accepted, &mut self.trial);
    }

    /// Bytes in use by this many contacts.
    pub(crate) fn bytes(&self, contacts: usize) -> usize {
        let contacts = FIRST_INDEX + contacts;
        // without a ledger there are only the zero elements
        let has_energy_terms = self.energy_terms.len() >= self.accepted.length;
        let energy_terms = if has_energy_terms { size_of::<LedgerTerms>() } else { 0 };
        let partners = self.results.as_slice().len() / self.results.len().max(1);
        let results = partners * contacts.min(self.results.len());
        contacts * (2 * 8 * self.accepted.width + energy_terms)
            + results * size_of::<ContactResult>()
    }
}

multiversion_transpose! {
    /// Writes the results of a chunk, contact by contact.
    pub(crate) fn write_results<Set: Transpose>(set: Set, columns: &ResultColumns, results: &mut [ContactResult]) {
        let results: &mut [[f64; 8]] = bytemuck::cast_slice_mut(results);
        for (block, results) in results.as_chunks_mut::<8>().0.iter_mut().enumerate() {
            set.transpose8x8(|part| &columns.0[part].as_chunks::<8>().0[block], results);
        }
    }
}

multiversion_transpose! {
    /// Writes the results of a chunk contact by contact, for the first and for the second partners.
    pub(crate) fn write_results_of_both<Set: Transpose>(
        set: Set,
        first: &ResultColumns,
        torque: &Vector,
        first_results: &mut [ContactResult],
        second_results: &mut [ContactResult],
    ) {
        let first_results: &mut [[f64; 8]] = bytemuck::cast_slice_mut(first_results);
        let second_results: &mut [[f64; 8]] = bytemuck::cast_slice_mut(second_results);
        let both = first_results.as_chunks_mut::<8>().0.iter_mut().zip(second_results.as_chunks_mut::<8>().0);
        for (block, (first_results, second_results)) in both.enumerate() {
            set.transpose8x8_twice(
                |part| &first.0[part].as_chunks::<8>().0[block],
                |part| &torque.get(part).unwrap_or(&first.0[7]).as_chunks::<8>().0[block],
                first_results,
                second_results,
            );
        }
    }
}

multiversion! {
    /// Writes the torques on the first partners instead of n × tangential force, and minus those on the second partners
    /// into `second`.
    pub(crate) fn torques_of_partners(moments: &Vector, first: &mut ResultColumns, second: &mut Vector) {
        for c in 0..WIDTH {
            let moment = [moments[0][c], moments[1][c], moments[2][c]];
            let result = &mut first.0;
            let torque = [result[4][c], result[5][c], result[6][c]];
            let [own, other] = contact::torques_of_partners(torque, moment, [result[3][c], result[7][c]]);
            [result[4][c], result[5][c], result[6][c]] = own;
            [second[0][c], second[1][c], second[2][c]] = other;
        }
    }
}
