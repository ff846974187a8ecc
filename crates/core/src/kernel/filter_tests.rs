use super::*;

/// Result of the filter with one instruction set for some blocks of pairs, whose contacts fill a ring buffer.
fn kept(
    set: impl PairFilter,
    output: &OutputIndex,
) -> (CompactedPairs, Vec<[u32; 8]>, Vec<[u32; 8]>) {
    let mut packed = CompactedPairs::EMPTY;
    let (mut all_trial, mut all_results) = (Vec::new(), Vec::new());
    for (block, mask) in [0x5a, 0xff, 0x00, 0x81, 0x7e].into_iter().enumerate() {
        let first = 8 * block as u32;
        let pairs = std::array::from_fn(|lane| [first + lane as u32, 100 + first + lane as u32]);
        let accepted = std::array::from_fn(|lane| 1000 + first + lane as u32);
        let (mut trial, mut result_indices) = ([7; 8], [7; 8]);
        set.compress(mask, &pairs, &accepted, output, &mut trial, &mut result_indices, &mut packed);
        all_trial.push(trial);
        all_results.push(result_indices);
    }
    (packed, all_trial, all_results)
}

#[test]
fn every_instruction_set_assigns_the_same_indices_of_history_and_of_results_in_the_ring() {
    let first = OutputIndex { history: 320, result: 90, limit: 101, ring: 64 };
    let (packed, trial, result_indices) = kept(Plain, &first);
    let touching = |numbers: &[[u32; 8]]| {
        numbers.iter().flatten().copied().filter(|&number| number > 0).collect::<Vec<_>>()
    };
    assert_eq!(packed.count, 20);
    assert!(touching(&trial).into_iter().eq(320..340));
    assert!(touching(&result_indices).into_iter().eq((90..101).chain(37..46)));
    assert_eq!(packed.first[..5], [1, 3, 4, 6, 8]);
    assert_eq!(packed.second[..5], [101, 103, 104, 106, 108]);
    assert_eq!(packed.old_index[..5], [1001, 1003, 1004, 1006, 1008]);
    #[cfg(target_arch = "x86_64")]
    {
        let same = |(other, other_trial, other_results): (CompactedPairs, Vec<_>, Vec<_>)| {
            assert_eq!(other.first[..20], packed.first[..20]);
            assert_eq!(other.second[..20], packed.second[..20]);
            assert_eq!(other.old_index[..20], packed.old_index[..20]);
            assert_eq!((other.count, &other_trial, &other_results), (20, &trial, &result_indices));
        };
        let (avx2, avx512) = crate::simd::available();
        avx2.into_iter().for_each(|set| same(kept(set, &first)));
        avx512.into_iter().for_each(|set| same(kept(set, &first)));
    }
}
