//! The buffers of results and history while the threads of an evaluation write them.

use super::{
    ContactResult, ContactState, Extras, HistoryColumns, ResultColumns, torques_of_partners,
    write_results, write_results_of_both,
};
use crate::chunk::{Column, Contacts, Forces, Vector, WIDTH};
use crate::contact_state::energy_terms::LedgerTerms;
use crate::contact_state::prefetch::ResultPrefetch;
use crate::parallel::{DisjointSlices, UnsynchronisedReader};

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
    /// No element is read while it is being written.
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
