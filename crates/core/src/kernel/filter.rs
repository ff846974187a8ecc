//! The contact filter: pairs of the list within the interaction range are packed into a chunk, eight at a time.
//!
//! It has no branches that depend on the result of a test: a branch per pair costs more than the rest of the filter
//! (measured: 18 ns per particle).

#[cfg(target_arch = "x86_64")]
mod x86;

use crate::chunk::Images;
use crate::kernel::compacted::CompactedPairs;
use crate::parallel::UnsynchronisedReader;
use crate::particles::{HotData, fits_l2};
use crate::partition::indices::{FILTER_BLOCK, OutputIndex};
use crate::simd::{Detected, Plain, detected, prefetch};
use std::ops::Range;

/// Prefetch distance, in pairs. Measured: no difference from 32 to 192 in the cache; 96 and more is best beyond it.
const PREFETCH_DISTANCE: usize = 96;

/// Input of the filter.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ContactFilter<'a> {
    pub records: UnsynchronisedReader<'a, HotData>,
    pub images: &'a Images,
    /// Largest gap at which the laws act [m].
    pub interaction_range: f64,
    pub pairs: &'a [[u32; 2]],
    /// True if particle data is prefetched.
    pub prefetches: bool,
    /// Index of the accepted history of each pair.
    pub accepted: &'a [u32],
}

impl ContactFilter<'_> {
    /// Tests the pairs of a range of whole blocks, or to the end of the list. Writes the index of the history of each
    /// pair to `trial` and that of its result to `result_indices`, or 0 if it is not in contact.
    pub(crate) fn fill(
        &self,
        range: Range<usize>,
        output: &OutputIndex,
        trial: &mut [u32],
        result_indices: &mut [u32],
        packed: &mut CompactedPairs,
    ) {
        match detected() {
            // SAFETY: the token proves that the processor supports the instructions.
            #[cfg(target_arch = "x86_64")]
            Detected::Avx512(set) => unsafe {
                x86::fill_avx512(self, set, range, output, trial, result_indices, packed)
            },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Detected::Avx2(set) => unsafe {
                x86::fill_avx2(self, set, range, output, trial, result_indices, packed)
            },
            Detected::Plain(set) => self.fill_by(set, range, output, trial, result_indices, packed),
        }
    }

    #[inline(always)]
    fn fill_by(
        &self,
        set: impl PairFilter,
        range: Range<usize>,
        output: &OutputIndex,
        trial: &mut [u32],
        result_indices: &mut [u32],
        packed: &mut CompactedPairs,
    ) {
        let Range { start, end } = range;
        let mut next = start;
        debug_assert!(start.is_multiple_of(FILTER_BLOCK));
        let whole = start / FILTER_BLOCK..end / FILTER_BLOCK;
        for (((pairs, accepted), trial), result_indices) in self.pairs.as_chunks::<FILTER_BLOCK>().0
            [whole.clone()]
        .iter()
        .zip(&self.accepted.as_chunks::<FILTER_BLOCK>().0[whole.clone()])
        .zip(&mut trial.as_chunks_mut::<FILTER_BLOCK>().0[whole.clone()])
        .zip(&mut result_indices.as_chunks_mut::<FILTER_BLOCK>().0[whole])
        {
            self.prefetch(next + PREFETCH_DISTANCE);
            let mask = set.touching(self, pairs);
            set.compress(mask, pairs, accepted, output, trial, result_indices, packed);
            next += FILTER_BLOCK;
        }
        // fewer than eight pairs are left
        for index in next..end {
            let pair = self.pairs[index];
            let touches = self.touches(&pair);
            let waiting = packed.count;
            [packed.first[waiting], packed.second[waiting]] = pair;
            packed.old_index[waiting] = self.accepted[index];
            trial[index] = if touches { (output.history + waiting) as u32 } else { 0 };
            result_indices[index] = if touches { output.result_after(waiting) as u32 } else { 0 };
            packed.count += usize::from(touches);
        }
    }

    /// Position and radius of a particle.
    #[inline(always)]
    fn position_and_radius(&self, slot: u32) -> &[f64; 4] {
        self.records[slot as usize].position_and_radius()
    }

    /// True if the partners of a pair are within the interaction range.
    #[inline(always)]
    fn touches(&self, pair: &[u32; 2]) -> bool {
        let [first, second] =
            [self.position_and_radius(pair[0]), self.position_and_radius(pair[1])];
        let (period, half) = (&self.images.period, &self.images.half);
        let mut square = 0.0;
        for axis in 0..3 {
            let mut d = second[axis] - first[axis];
            d -= if d > half[axis] { period[axis] } else { 0.0 };
            d += if d < -half[axis] { period[axis] } else { 0.0 };
            square += d * d;
        }
        let limit = first[3] + second[3] + self.interaction_range;
        square < limit * limit
    }

    /// Whether prefetching is faster. Measured: if the particle data does not stay in the cache, and particles have
    /// many partners.
    pub(crate) fn prefetches(records: usize, pairs: usize) -> bool {
        !fits_l2(records) && 2 * pairs > 3 * records
    }

    #[inline(always)]
    fn prefetch(&self, index: usize) {
        if !self.prefetches {
            return;
        }
        for pair in self.pairs.get(index..index + FILTER_BLOCK).unwrap_or_default() {
            // the list is sorted by the lower slot, so that the data of the higher slot are loaded first at this pair
            let slot = pair[0].max(pair[1]) as usize;
            let record = self.records.as_ptr().wrapping_add(slot).cast::<u8>();
            prefetch(record);
            prefetch(record.wrapping_add(64));
        }
    }
}

/// The test of eight pairs with one instruction set. A value of this type proves that the processor
/// supports it.
trait PairFilter: Copy {
    /// Bit mask of the pairs in contact.
    fn touching(self, filter: &ContactFilter<'_>, pairs: &[[u32; 2]; 8]) -> u8;

    /// Appends those in `mask` to `packed` and writes their indices to `trial` and `result_indices`.
    #[allow(
        clippy::too_many_arguments,
        reason = "eight elements of each of the columns of the list"
    )]
    fn compress(
        self,
        mask: u8,
        pairs: &[[u32; 2]; 8],
        accepted: &[u32; 8],
        output: &OutputIndex,
        trial: &mut [u32; 8],
        result_indices: &mut [u32; 8],
        packed: &mut CompactedPairs,
    );
}

impl PairFilter for Plain {
    #[inline(always)]
    fn touching(self, filter: &ContactFilter<'_>, pairs: &[[u32; 2]; 8]) -> u8 {
        let mut mask = 0;
        for (index, pair) in pairs.iter().enumerate() {
            mask |= u8::from(filter.touches(pair)) << index;
        }
        mask
    }

    #[inline(always)]
    fn compress(
        self,
        mask: u8,
        pairs: &[[u32; 2]; 8],
        accepted: &[u32; 8],
        output: &OutputIndex,
        trial: &mut [u32; 8],
        result_indices: &mut [u32; 8],
        packed: &mut CompactedPairs,
    ) {
        for index in 0..8 {
            let touches = mask >> index & 1;
            let end = packed.count;
            packed.first[end] = pairs[index][0];
            packed.second[end] = pairs[index][1];
            packed.old_index[end] = accepted[index];
            trial[index] = u32::from(touches) * (output.history + end) as u32;
            result_indices[index] = u32::from(touches) * output.result_after(end) as u32;
            packed.count += usize::from(touches);
        }
    }
}

#[cfg(test)]
#[path = "filter_tests.rs"]
mod tests;
