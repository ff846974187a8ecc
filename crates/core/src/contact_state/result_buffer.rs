//! Results and history of contacts, by index. Element 0 is zero: a pair without contact has index 0, so nothing needs
//! to be cleared and sums need no branch.

use crate::Vec3;
use crate::aligned_vec::{AlignedVec, LINE};
use crate::chunk::{Column, Contacts, Forces, Vector, WIDTH};
use crate::contact_state::energy_terms::LedgerTerms;
use crate::contact_state::history::HistoryLayout;
use crate::contact_state::prefetch::ResultPrefetch;
use crate::geometry::contact;
use crate::parallel::{DisjointSlices, UnsynchronisedReader};
use crate::partition::indices::{BufferLengths, FIRST_INDEX};
use crate::simd::{multiversion, multiversion_transpose};
use bytemuck::{Pod, Zeroable};

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

/// Columns of equal length in one allocation, so that threads can share them without a list of
/// columns. Each begins at a cache line.
#[derive(Debug, Default)]
pub(crate) struct HistoryColumns {
    values: AlignedVec,
    pub length: usize,
    width: usize,
}

impl HistoryColumns {
    fn new(width: usize) -> Self {
        Self { values: AlignedVec::default(), length: 0, width }
    }

    /// One column.
    #[inline]
    pub(crate) fn column(&self, index: usize) -> &[f64] {
        &self.values[index * self.length..(index + 1) * self.length]
    }

    /// The values of one row.
    pub(crate) fn of_contact(&self, history_index: usize) -> impl Iterator<Item = f64> + '_ {
        (0..self.width).map(move |column| self.values[column * self.length + history_index])
    }

    pub(crate) fn set_history(&mut self, history_index: usize, values: &[f64]) {
        for (column, value) in values.iter().enumerate().take(self.width) {
            self.values[column * self.length + history_index] = *value;
        }
    }

    /// Loads the history of a chunk of contacts.
    pub(crate) fn fetch(&self, indices: &[u32], columns: &mut [Column]) {
        let first = in_sequence(indices);
        for (index, column) in columns.iter_mut().enumerate() {
            match first.and_then(|first| self.column(index)[first..].first_chunk()) {
                Some(stored) => *column = *stored,
                None => self.collect(index, indices, column),
            }
        }
    }

    /// The first `count` columns of the history of a chunk of contacts, then zeros; zeros also for
    /// columns that are not read. Consecutive indices, the usual case, are read in place; others are
    /// copied to `scratch`.
    #[inline(always)]
    pub(crate) fn look_up<'a, const COUNT: usize>(
        &'a self,
        indices: &[u32; WIDTH],
        count: usize,
        is_read: impl Fn(usize) -> bool,
        scratch: &'a mut [Column],
    ) -> [&'a Column; COUNT] {
        let mut found = [&NOTHING; COUNT];
        if let Some(first) = in_sequence(indices)
            && first + WIDTH <= self.length
        {
            for (index, column) in found.iter_mut().enumerate().take(count) {
                if is_read(index) {
                    *column = self.column(index)[first..].first_chunk().unwrap_or(&NOTHING);
                }
            }
        } else {
            self.collect_all(indices, &mut scratch[..count]);
            for (column, copy) in found.iter_mut().zip(&scratch[..count]) {
                *column = copy;
            }
        }
        found
    }

    #[inline(never)]
    fn collect_all(&self, indices: &[u32; WIDTH], columns: &mut [Column]) {
        for (index, column) in columns.iter_mut().enumerate() {
            self.collect(index, indices, column);
        }
    }

    fn collect(&self, index: usize, indices: &[u32], column: &mut Column) {
        let stored = self.column(index);
        for (value, index) in column.iter_mut().zip(indices) {
            *value = stored[*index as usize];
        }
    }

    fn grow(&mut self, length: usize) {
        if length <= self.length {
            return;
        }
        // an odd number of lines: columns must not compete for the same places in a cache
        let length = (length.div_ceil(LINE) | 1) * LINE;
        let mut values = AlignedVec::zeros(self.width * length);
        for index in 0..self.width {
            // zeros at the end are there already, and need no memory before they are written
            let column = self.column(index);
            let used = column.iter().rposition(|value| *value != 0.0).map_or(0, |last| last + 1);
            values[index * length..index * length + used].copy_from_slice(&column[..used]);
        }
        self.values = values;
        self.length = length;
    }
}

/// For columns that are not read.
static NOTHING: Column = [0.0; WIDTH];

/// The first of the rows of a chunk, if they follow each other.
#[inline]
fn in_sequence(indices: &[u32]) -> Option<usize> {
    let indices = &indices[..WIDTH];
    let first = indices[0];
    let mut mismatch = 0;
    for (lane, index) in indices.iter().enumerate() {
        mismatch |= index ^ (first + lane as u32);
    }
    (mismatch == 0).then_some(first as usize)
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

/// Bytes of history that stay in the cache from step to step together with other data.
const CACHED_HISTORY: usize = 12 << 20;

/// Bytes of results that are in the cache anyway.
const CACHED_RESULTS: usize = 4 << 20;

/// The buffers that the threads of an evaluation write; each thread has its own range of indices.
#[derive(Debug)]
pub(crate) struct ResultSlices<'a> {
    results: DisjointSlices<'a, ContactResult>,
    energy_terms: DisjointSlices<'a, LedgerTerms>,
    trial: DisjointSlices<'a, f64>,
    /// Rows of a column, and of results that there is room for.
    length: usize,
    result_count: usize,
    extras: Extras,
}

impl<'a> ResultSlices<'a> {
    /// The accepted columns to read, and the disjoint slices to write.
    pub(crate) fn new(state: &'a mut ContactState, extras: Extras) -> (&'a HistoryColumns, Self) {
        let slices = Self {
            length: state.trial.length,
            result_count: state.results.len(),
            results: DisjointSlices::new(state.results.as_mut_slice()),
            energy_terms: DisjointSlices::new(&mut state.energy_terms),
            trial: DisjointSlices::new(&mut state.trial.values),
            extras,
        };
        (&state.accepted, slices)
    }

    /// Readers of the results and energy terms that are being written.
    ///
    /// # Safety
    /// No row is read while it is being written.
    pub(crate) unsafe fn reader(
        &self,
    ) -> (UnsynchronisedReader<'_, ContactResult>, UnsynchronisedReader<'_, LedgerTerms>) {
        // SAFETY: guaranteed by the caller.
        unsafe { (self.results.reader(), self.energy_terms.reader()) }
    }

    /// Offset from the results of first partners to those of second partners.
    pub(crate) fn second_offset(&self) -> usize {
        self.result_count
    }

    /// Prefetch of the elements to be written. Measured: faster if the history does not stay in
    /// the cache from step to step; otherwise 10 % slower.
    pub(crate) fn result_prefetch(&self) -> Option<ResultPrefetch> {
        let columns = self.trial.len() / self.length.max(1);
        let bytes = self.length * 2 * 8 * columns;
        let prefetches_results = self.results.len() * size_of::<ContactResult>() > CACHED_RESULTS;
        (bytes > CACHED_HISTORY).then_some(ResultPrefetch {
            results: self.results.start(),
            result_count: self.result_count,
            partners: match self.extras.moments {
                _ if !prefetches_results => 0,
                false => 1,
                true => 2,
            },
            history: self.trial.start(),
            length: self.length,
            columns,
        })
    }

    /// Writes the trial history and the results of a chunk of the dynamic path, from these indices on.
    ///
    /// # Safety
    /// The `WIDTH` elements of history from `history_index` on, and those of results from `result_index`
    /// on, are accessed by the caller alone.
    pub(crate) unsafe fn store(
        &self,
        [history_index, result_index]: [usize; 2],
        contacts: &Contacts,
        forces: &Forces,
        history: &[Column],
        results: &mut ResultColumns,
        second_torque: &mut Vector,
    ) {
        if self.extras.moments {
            torques_of_partners(&forces.moment, results, second_torque);
        }
        // SAFETY: guaranteed by the caller.
        unsafe { self.store_results(result_index, results, second_torque) };
        if self.extras.energy_terms {
            // SAFETY: guaranteed by the caller.
            let terms =
                unsafe { self.energy_terms.slice_mut(history_index..history_index + WIDTH) };
            LedgerTerms::store(contacts, forces, terms);
        }
        for (index, column) in history.iter().enumerate() {
            // SAFETY: guaranteed by the caller.
            unsafe { self.trial_column(index, history_index) }.copy_from_slice(column);
        }
    }

    /// Writes the results of a chunk from `result_index` on: for both partners where there are moments,
    /// with the torque on the first and minus that on the second.
    ///
    /// # Safety
    /// The `WIDTH` results from `result_index` on are accessed by the caller alone.
    pub(crate) unsafe fn store_results(
        &self,
        result_index: usize,
        results: &ResultColumns,
        second_torque: &Vector,
    ) {
        // SAFETY: guaranteed by the caller.
        let first = unsafe { self.results.slice_mut(result_index..result_index + WIDTH) };
        if self.extras.moments {
            let behind = self.result_count + result_index;
            // SAFETY: guaranteed by the caller.
            let second = unsafe { self.results.slice_mut(behind..behind + WIDTH) };
            write_results_of_both(results, second_torque, first, second);
        } else {
            write_results(results, first);
        }
    }

    /// The first `count` columns of the trial history of a chunk, to be written in place; then spare
    /// columns, so that no two elements alias.
    ///
    /// # Safety
    /// The `WIDTH` elements from `history_index` on are accessed by the caller alone, which has no other reference to
    /// these columns of them.
    #[allow(clippy::mut_from_ref, reason = "disjointness is the caller's promise")]
    #[inline(always)]
    pub(crate) unsafe fn trial_columns<'b, const COUNT: usize>(
        &'b self,
        history_index: usize,
        count: usize,
        spare: &'b mut [Column; COUNT],
    ) -> [&'b mut Column; COUNT] {
        let mut columns = spare.each_mut();
        for (index, column) in columns.iter_mut().enumerate().take(count) {
            // SAFETY: guaranteed by the caller; the columns are different ones.
            *column = unsafe { self.trial_column(index, history_index) };
        }
        columns
    }

    /// One column of the trial history of a chunk, to be written in place.
    ///
    /// # Safety
    /// The `WIDTH` elements from `history_index` on are accessed by the caller alone, which has no other reference to
    /// this column of them.
    #[allow(clippy::mut_from_ref, reason = "disjointness is the caller's promise")]
    #[inline(always)]
    unsafe fn trial_column(&self, index: usize, history_index: usize) -> &mut Column {
        assert!(history_index + WIDTH <= self.length);
        let start = index * self.length + history_index;
        // SAFETY: guaranteed by the caller, for each column.
        let slice_mut = unsafe { self.trial.slice_mut(start..start + WIDTH) };
        let (columns, _) = slice_mut.as_chunks_mut();
        &mut columns[0]
    }
}

multiversion_transpose! {
    /// Writes the results of a chunk, contact by contact.
    pub(crate) fn write_results<Set: Transpose>(set: Set, columns: &ResultColumns, rows: &mut [ContactResult]) {
        let rows: &mut [[f64; 8]] = bytemuck::cast_slice_mut(rows);
        for (block, rows) in rows.as_chunks_mut::<8>().0.iter_mut().enumerate() {
            set.transpose8x8(|part| &columns.0[part].as_chunks::<8>().0[block], rows);
        }
    }
}

multiversion_transpose! {
    /// Writes the results of a chunk contact by contact, for the first and for the second partners.
    pub(crate) fn write_results_of_both<Set: Transpose>(
        set: Set,
        first: &ResultColumns,
        torque: &Vector,
        rows: &mut [ContactResult],
        second_offset: &mut [ContactResult],
    ) {
        let rows: &mut [[f64; 8]] = bytemuck::cast_slice_mut(rows);
        let second_offset: &mut [[f64; 8]] = bytemuck::cast_slice_mut(second_offset);
        let both = rows.as_chunks_mut::<8>().0.iter_mut().zip(second_offset.as_chunks_mut::<8>().0);
        for (block, (rows, second_offset)) in both.enumerate() {
            set.transpose8x8_twice(
                |part| &first.0[part].as_chunks::<8>().0[block],
                |part| &torque.get(part).unwrap_or(&first.0[7]).as_chunks::<8>().0[block],
                rows,
                second_offset,
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
