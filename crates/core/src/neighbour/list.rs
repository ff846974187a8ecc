//! The neighbour list: pairs of particles within the interaction range and their skins, grouped by the
//! pair of their materials, and for each particle its pairs in order of partner id (adjacency).

use crate::domain::Domain;
use crate::law::pair_index::PairIndex;
use crate::neighbour::cell_neighbours::Positions;
use crate::neighbour::pair_test::find_all;
use crate::parallel::{DisjointSlices, Pool};
use crate::particles::{HotData, Metadata};
use crate::search::Finder;
use std::ops::Range;

/// Pairs of slots; the particle with the lower id is first.
#[derive(Debug, Clone, Default)]
pub(crate) struct NeighbourList {
    pub pairs: Vec<[u32; 2]>,
    /// Ranges of `pairs` that share a pair of materials, with its index in the law table.
    pub groups: Vec<(usize, Range<usize>)>,
    /// Index of the history of each pair at the accepted state; zero if it is not in contact.
    pub accepted: Vec<u32>,
    /// Index of the history of each pair in the last evaluation.
    pub trial: Vec<u32>,
    /// Index of the result of each pair, valid until both partners are reduced.
    pub result_indices: Vec<u32>,
    /// First entry of each particle in `adjacency`, and the end of the last.
    pub starts: Vec<u32>,
    /// `2 · pair + (1 if the particle is its second partner)`, in order of partner id.
    pub adjacency: Vec<u32>,
    /// Id of the partner of each entry, while contacts are carried over.
    pub(crate) partners: Vec<u32>,
    found: Vec<Vec<Vec<[u32; 2]>>>,
    /// Length of the last list.
    expected: usize,
}

/// Data of a particle that is read often while the list is built.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Label {
    /// The id.
    pub number: u32,
    pub material: u16,
    /// True if it has infinite mass.
    pub is_held: bool,
}

impl Label {
    pub(crate) const NONE: Self = Self { number: 0, material: 0, is_held: false };

    pub(crate) fn new(metadata: &Metadata, record: &HotData) -> Self {
        Self {
            number: metadata.number,
            material: metadata.material,
            is_held: record.inverse_mass <= 0.0,
        }
    }
}

/// Input of the list.
pub(crate) struct ListInput<'a> {
    pub records: &'a [HotData],
    pub labels: &'a [Label],
    pub domain: &'a Domain,
    pub laws: &'a PairIndex,
    /// Radius plus skin of each particle, and a block of zeros [m].
    pub extents: &'a [f64],
    /// Largest interaction range of any law [m].
    pub interaction_range: f64,
}

/// The slots of own particles and ghosts after they were sorted together.
pub(crate) struct FinalSlots<'a> {
    /// The slot of each sorted particle; ghosts come after all own particles.
    pub slots: &'a [u32],
    /// Number of own particles.
    pub own: usize,
    /// Number of those that are not ghosts of other ranks; they come first, and have no pairs with ghosts.
    pub inner: usize,
    /// Of own particles and ghosts, by slot.
    pub labels: &'a [Label],
}

impl NeighbourList {
    /// Finds all pairs within the interaction range and their skins. The list is partitioned later, when
    /// the contacts are known.
    pub(crate) fn build(&mut self, finder: &Finder, from: &ListInput<'_>, pool: &mut Pool) {
        self.find(finder, from, pool);
        self.join(from.laws.len(), pool);
        self.build_adjacency(from.labels, from.labels.len(), pool);
        self.reset_indices();
    }

    /// As `build`, for own particles and ghosts that were sorted together. Pairs of two ghosts are omitted, and only
    /// own particles have entries.
    pub(crate) fn build_with_ghosts(
        &mut self,
        finder: &Finder,
        from: &ListInput<'_>,
        to: &FinalSlots<'_>,
        pool: &mut Pool,
    ) {
        self.find(finder, from, pool);
        self.join(from.laws.len(), pool);
        self.renumber(to);
        self.build_adjacency(to.labels, to.own, pool);
        self.reset_indices();
    }

    /// Renumbers the partners, leaves out pairs of ghosts, and sorts each group by the lower slot.
    ///
    /// Pairs with a particle that is not an inner one are a group of their own: the results of an inner partner are
    /// in use until the end of the evaluation, and the ring buffer of all others stays short (`partition/tiles.rs`).
    fn renumber(&mut self, to: &FinalSlots<'_>) {
        let found = std::mem::take(&mut self.pairs);
        let found_groups = std::mem::take(&mut self.groups);
        self.pairs.reserve(found.len());
        let mut outer = Vec::new();
        for (materials, range) in found_groups {
            let start = self.pairs.len();
            outer.clear();
            for pair in &found[range] {
                let pair = pair.map(|slot| to.slots[slot as usize]);
                let (lower, higher) =
                    (pair[0].min(pair[1]) as usize, pair[0].max(pair[1]) as usize);
                if higher < to.inner {
                    self.pairs.push(pair);
                } else if lower < to.own {
                    outer.push(pair);
                }
            }
            // inner particles have kept their order, and pairs were found in the order of the lower slot
            debug_assert!(self.pairs[start..].is_sorted_by_key(|pair| pair[0].min(pair[1])));
            let end = self.pairs.len();
            outer.sort_unstable_by_key(|pair| (pair[0].min(pair[1]), *pair));
            self.pairs.extend_from_slice(&outer);
            for range in [start..end, end..self.pairs.len()] {
                if !range.is_empty() {
                    self.groups.push((materials, range));
                }
            }
        }
    }

    /// Reserves memory for the indices of the pairs, none of which is in contact yet.
    fn reset_indices(&mut self) {
        self.expected = self.pairs.len();
        self.accepted.clear();
        self.accepted.resize(self.pairs.len(), 0);
        self.trial.clear();
        self.trial.reserve_exact(self.pairs.len());
        self.trial.resize(self.pairs.len(), 0);
        self.result_indices.clear();
        self.result_indices.reserve_exact(self.pairs.len());
        self.result_indices.resize(self.pairs.len(), 0);
    }

    fn find(&mut self, finder: &Finder, from: &ListInput<'_>, pool: &mut Pool) {
        let parts = pool.threads();
        self.found.resize_with(parts, Vec::new);
        let (groups, most) = (from.laws.len(), self.expected / parts);
        for found in &mut self.found {
            found.resize_with(groups, Vec::new);
            if let [pairs] = &mut found[..] {
                pairs.reserve_exact(most + most / 8);
            }
        }
        let positions = Positions::new(from.records, from.extents, pool);
        let slices = DisjointSlices::new(&mut self.found);
        pool.split(from.records.len(), |part, range| {
            // SAFETY: each part has its own element.
            let [found] = (unsafe { slices.slice_mut(part..part + 1) }) else { return };
            find_all(finder, from, &positions, range, found);
        });
    }

    /// Joins the pairs that the threads have found, group by group.
    fn join(&mut self, groups: usize, pool: &mut Pool) {
        // as large as the list itself, and not needed before the next rebuild
        let mut found = std::mem::take(&mut self.found);
        self.groups.clear();
        let mut starts = vec![vec![0; groups]; found.len()];
        let mut end = 0;
        for group in 0..groups {
            let start = end;
            for (starts, found) in starts.iter_mut().zip(&found) {
                starts[group] = end;
                end += found[group].len();
            }
            if end > start {
                self.groups.push((group, start..end));
            }
        }
        if let [found] = &mut found[..]
            && let [pairs] = &mut found[..]
        {
            self.pairs = std::mem::take(pairs);
            return self.pairs.shrink_to_fit();
        }
        self.pairs = vec![[0; 2]; end];
        let slices = DisjointSlices::new(&mut self.pairs);
        pool.run(|part| {
            for (start, pairs) in starts[part].iter().zip(&found[part]) {
                // SAFETY: no two of these ranges overlap.
                unsafe { slices.slice_mut(*start..start + pairs.len()) }.copy_from_slice(pairs);
            }
        });
    }

    /// Index in the law table of the materials of a pair.
    pub(crate) fn pair_of(&self, index: usize) -> usize {
        let after = self.groups.partition_point(|(_, group)| group.end <= index);
        self.groups.get(after).map_or(0, |(pair, _)| *pair)
    }

    /// The largest number of entries that one particle has.
    pub(crate) fn most_entries(&self) -> usize {
        self.starts.windows(2).map(|both| (both[1] - both[0]) as usize).max().unwrap_or(0)
    }

    /// The entries of one particle.
    #[inline]
    pub(crate) fn entries(&self, slot: usize) -> &[u32] {
        &self.adjacency[self.starts[slot] as usize..self.starts[slot + 1] as usize]
    }

    /// Index of the pair of two slots, the first partner first.
    pub(crate) fn index_of(&self, pair: [u32; 2]) -> Option<usize> {
        // the lower slot is never a ghost, which has no entries
        let own = pair[0].min(pair[1]) as usize;
        let entries = self.entries(own).iter().map(|entry| (entry >> 1) as usize);
        entries.into_iter().find(|&index| self.pairs[index] == pair)
    }

    pub(crate) fn bytes(&self) -> usize {
        8 * self.pairs.capacity()
            + 4 * (self.accepted.capacity()
                + self.trial.capacity()
                + self.result_indices.capacity()
                + self.starts.capacity()
                + self.adjacency.capacity())
            + self.found.iter().flatten().map(|found| 8 * found.capacity()).sum::<usize>()
    }
}
