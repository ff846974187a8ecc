//! Operations on all ranks, composed of simpler ones.

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

/// The bytes of each rank, in order of rank, on all ranks.
pub(crate) fn gather_everywhere(comm: &dyn Comm, bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for one in comm.gather(bytes) {
        all.extend_from_slice(&(one.len() as u64).to_le_bytes());
        all.extend_from_slice(&one);
    }
    comm.broadcast(&mut all);
    let mut rest = &all[..];
    let mut parts = Vec::with_capacity(comm.size());
    while let Some((length, bytes)) = rest.split_first_chunk() {
        let (own, after) = bytes.split_at(u64::from_le_bytes(*length) as usize);
        parts.push(own.to_vec());
        rest = after;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ranks::run_on_ranks;

    #[test]
    fn every_rank_gets_the_bytes_of_all() {
        let bytes = |rank: usize| vec![rank as u8; 3 * rank];
        let found = run_on_ranks(5, |comm| gather_everywhere(&*comm, &bytes(comm.rank())));
        let expected: Vec<Vec<u8>> = (0..5).map(bytes).collect();
        assert!(found.expect("all end well").iter().all(|all| *all == expected));
    }

    #[test]
    fn a_sum_over_ranks_is_exact() {
        let numbers = [1e300, -2.5, 1e-300, 7e15, -1e300, 0.5, 1e-320];
        let found = run_on_ranks(3, |comm| {
            let mut sum: ExactSum = numbers.into_iter().skip(comm.rank()).step_by(3).collect();
            sum_exactly(&*comm, &mut [&mut sum]);
            sum.value()
        });
        let expected = numbers.into_iter().collect::<ExactSum>().value();
        assert_eq!(found.expect("all end well"), [expected; 3]);
    }
}
