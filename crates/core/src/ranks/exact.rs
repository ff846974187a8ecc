//! Exact sums over all ranks.

use super::Comm;
use crate::exact_sum::{ExactSum, WORDS};

/// Replaces each sum by the sum over all ranks.
pub(crate) fn sum_exactly(comm: &dyn Comm, sums: &mut [&mut ExactSum]) {
    let mut words: Vec<i64> = sums.iter().flat_map(|sum| sum.to_words()).collect();
    comm.sum(&mut words);
    for (sum, words) in sums.iter_mut().zip(words.as_chunks::<WORDS>().0) {
        **sum = ExactSum::from_words(words);
    }
}
