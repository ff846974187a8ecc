//! Adjacency of the neighbour list: for each particle its pairs in order of partner id. Sums are taken in this order,
//! so that they are independent of the storage order of particles.

use crate::neighbour::list::Label;
use crate::neighbour::list::NeighbourList;
use crate::parallel::{DisjointSlices, Pool, range_of_part};
use crate::simd::multiversion;
use std::ops::Range;

impl NeighbourList {
    /// Builds the entries of the first `count` particles; the ghosts after them have none. Each thread builds those of
    /// its own particles from the whole list, which is inexpensive to read.
    pub(crate) fn build_adjacency(&mut self, labels: &[Label], count: usize, pool: &mut Pool) {
        let entries = 2 * self.pairs.len();
        self.starts.clear();
        self.starts.resize(count + 1, 0);
        // allocates the required size, without the doubling of `resize`
        self.adjacency.clear();
        self.adjacency.reserve_exact(entries);
        self.adjacency.resize(entries, 0);
        self.partners = vec![0; entries];
        let pairs = &self.pairs;
        let counts = DisjointSlices::new(&mut self.starts[1..]);
        pool.split(count, |_, range| {
            // SAFETY: the ranges of `split` are disjoint.
            count_entries(pairs, &range, unsafe { counts.slice_mut(range.clone()) });
        });
        // the first entry of each particle; filling moves this index to the end of the entries, which is the beginning
        // of those of the next particle
        let mut end = 0;
        for start in &mut self.starts[1..] {
            end += std::mem::replace(start, end);
        }
        let parts = pool.threads();
        let begins: Vec<usize> = (0..=parts)
            .map(|part| {
                self.starts.get(count * part / parts + 1).map_or(entries, |&at| at as usize)
            })
            .collect();
        let next = DisjointSlices::new(&mut self.starts[1..]);
        let adjacency = DisjointSlices::new(&mut self.adjacency);
        let partners = DisjointSlices::new(&mut self.partners);
        pool.run(|part| {
            let range = range_of_part(count, part, parts);
            let span = begins[part]..begins[part + 1];
            // SAFETY: the ranges of parts are disjoint, and so are the ranges of their entries.
            let (next, mut own) = unsafe {
                let adjacency = adjacency.slice_mut(span.clone());
                let own = Entries { adjacency, partners: partners.slice_mut(span.clone()) };
                (next.slice_mut(range.clone()), own)
            };
            own.fill(pairs, labels, &range, span.start, next);
            let mut begin = 0;
            for end in next {
                let end = *end as usize - span.start;
                own.sort(begin..end);
                begin = end;
            }
        });
    }

    /// Index of the pair of two partners, by the slot of the first and the id of the second. Valid until
    /// `forget_partners`.
    pub(crate) fn pair_with(&self, slot: usize, partner: u32) -> Option<usize> {
        let range = self.starts[slot] as usize..self.starts[slot + 1] as usize;
        let index = self.partners[range.clone()].iter().position(|&id| id == partner)?;
        Some((self.adjacency[range.start + index] >> 1) as usize)
    }

    /// Frees the ids of partners, which are needed only until contacts have been carried over.
    pub(crate) fn forget_partners(&mut self) {
        self.partners = Vec::new();
    }
}

/// Counts the entries of the particles in a range.
fn count_entries(pairs: &[[u32; 2]], range: &Range<usize>, counts: &mut [u32]) {
    for pair in pairs {
        for &slot in pair {
            if let Some(count) = counts.get_mut((slot as usize).wrapping_sub(range.start)) {
                *count += 1;
            }
        }
    }
}

/// Entries of consecutive particles, and the ids of the partners.
struct Entries<'a> {
    adjacency: &'a mut [u32],
    partners: &'a mut [u32],
}

impl Entries<'_> {
    /// Writes the entries of the particles in a range, each to its `next` index, counted from `begin`.
    fn fill(
        &mut self,
        pairs: &[[u32; 2]],
        labels: &[Label],
        range: &Range<usize>,
        begin: usize,
        next: &mut [u32],
    ) {
        for (pair_index, &[first, second]) in pairs.iter().enumerate() {
            for (is_second, slot, partner) in [(0, first, second), (1, second, first)] {
                if let Some(next) = next.get_mut((slot as usize).wrapping_sub(range.start)) {
                    let index = *next as usize - begin;
                    self.adjacency[index] = 2 * pair_index as u32 + is_second;
                    self.partners[index] = labels[partner as usize].number;
                    *next += 1;
                }
            }
        }
    }

    /// Sorts the entries of one particle by the ids of the partners, which are distinct.
    #[inline(always)]
    fn sort(&mut self, range: Range<usize>) {
        let (entries, ids) =
            (&mut self.adjacency[range.start..], &mut self.partners[range.start..]);
        let count = range.len();
        if let (Some(entries), Some(ids)) = (entries.first_chunk_mut(), ids.first_chunk_mut())
            && count <= 8
        {
            sort_eight(entries, ids, count);
        } else if let (Some(entries), Some(ids)) =
            (entries.first_chunk_mut(), ids.first_chunk_mut())
            && count <= 16
        {
            sort_sixteen(entries, ids, count);
        } else {
            let (entries, ids) = (&mut entries[..count], &mut ids[..count]);
            let mut both: Vec<_> = ids.iter().copied().zip(entries.iter().copied()).collect();
            both.sort_unstable();
            for ((id, entry), sorted) in ids.iter_mut().zip(entries).zip(both) {
                (*id, *entry) = sorted;
            }
        }
    }
}

multiversion! {
    fn sort_eight(entries: &mut [u32; 8], ids: &mut [u32; 8], count: usize) {
        sort_few::<8>(entries, ids, count);
    }
}

multiversion! {
    fn sort_sixteen(entries: &mut [u32; 16], ids: &mut [u32; 16], count: usize) {
        sort_few::<16>(entries, ids, count);
    }
}

/// Sorts the first `count` entries. The new index of an entry is the number of smaller ids, from comparisons of all
/// pairs, which need no unpredictable branch.
#[inline(always)]
fn sort_few<const N: usize>(entries: &mut [u32; N], ids: &mut [u32; N], count: usize) {
    // those beyond stay at their index, which is added to equal keys
    let mut ranks = [0u32; N];
    let mut keys = [0u32; N];
    for index in 0..N {
        keys[index] = if index < count { ids[index] } else { u32::MAX };
        ranks[index] = if index < count { 0 } else { (index - count) as u32 };
    }
    for key in keys {
        for index in 0..N {
            ranks[index] += u32::from(key < keys[index]);
        }
    }
    let (old_entries, old_ids) = (*entries, *ids);
    for index in 0..N {
        let rank = ranks[index] as usize % N;
        entries[rank] = old_entries[index];
        ids[rank] = old_ids[index];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_sorted_by_partner_whatever_their_number() {
        for count in 0..40u32 {
            // a pseudo-random permutation
            let ids: Vec<u32> = (0..count).map(|index| (index * 7919 + 13) % 1009).collect();
            let (mut adjacency, mut partners) = ((0..count).collect::<Vec<_>>(), ids.clone());
            Entries { adjacency: &mut adjacency, partners: &mut partners }.sort(0..count as usize);
            assert!(partners.is_sorted());
            let moved = adjacency.iter().map(|&entry| ids[entry as usize]);
            assert!(moved.eq(partners.iter().copied()), "{count} entries");
        }
    }
}
