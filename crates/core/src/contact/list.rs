//! The list of candidates: pairs of particles near enough to be watched, grouped by the pair of
//! their materials, and for each particle its candidates in order of partner id.

use super::LawTable;
use super::near::{Places, find_all};
use crate::domain::Domain;
use crate::parallel::{Pool, Shares, share};
use crate::particles::{Description, Record};
use crate::search::Finder;
use crate::simd::vectorise;
use std::ops::Range;

/// Pairs of slots; the particle with the lower id is first.
#[derive(Debug, Clone, Default)]
pub(crate) struct Candidates {
    pub pairs: Vec<[u32; 2]>,
    /// Ranges of `pairs` that share a pair of materials, with its index in the law table.
    pub groups: Vec<(usize, Range<usize>)>,
    /// Row of each candidate at the accepted state.
    pub accepted: Vec<u32>,
    /// Row of each candidate in the last evaluation.
    pub trial: Vec<u32>,
    /// First entry of each particle in `incidence`, and the end of the last.
    pub starts: Vec<u32>,
    /// `2 · candidate + (1 if the particle is its second partner)`, in order of partner id.
    pub incidence: Vec<u32>,
    found: Vec<Vec<Vec<[u32; 2]>>>,
}

/// Id and material of a particle: what the list asks of many partners, in one place.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Label {
    pub id: u64,
    pub material: u16,
}

impl Label {
    pub(crate) fn new(description: &Description) -> Self {
        Self { id: description.id(), material: description.material }
    }
}

/// What the list is made from.
pub(crate) struct Surroundings<'a> {
    pub records: &'a [Record],
    pub labels: &'a [Label],
    pub domain: &'a Domain,
    pub laws: &'a LawTable,
    /// Radius and allowance of each particle, and a block of zeros [m].
    pub extents: &'a [f64],
    pub largest_extent: f64,
    /// Largest reach of any law [m].
    pub reach: f64,
}

impl Candidates {
    /// Lists all pairs within reach and skin.
    pub(crate) fn build(&mut self, finder: &Finder, from: &Surroundings<'_>, pool: &mut Pool) {
        self.find(finder, from, pool);
        self.join(from.laws.pairs.len());
        self.build_incidence(from, pool);
        self.accepted.clear();
        self.accepted.resize(self.pairs.len(), 0);
        self.trial.clear();
        self.trial.reserve_exact(self.pairs.len());
        self.trial.resize(self.pairs.len(), 0);
    }

    fn find(&mut self, finder: &Finder, from: &Surroundings<'_>, pool: &mut Pool) {
        let parts = pool.threads();
        self.found.resize_with(parts, Vec::new);
        for found in &mut self.found {
            found.resize_with(from.laws.pairs.len(), Vec::new);
            found.iter_mut().for_each(Vec::clear);
        }
        let places = Places::new(from.records, pool);
        let shares = Shares::new(&mut self.found);
        pool.split(from.records.len(), |part, range| {
            // SAFETY: each part has its own element.
            let [found] = (unsafe { shares.piece(part..part + 1) }) else { return };
            find_all(finder, from, &places, range, found);
        });
    }

    /// Joins what the parts have found, group by group.
    fn join(&mut self, groups: usize) {
        self.pairs.clear();
        self.groups.clear();
        self.pairs.reserve_exact(self.found.iter().flatten().map(Vec::len).sum());
        for group in 0..groups {
            let start = self.pairs.len();
            for found in &self.found {
                self.pairs.extend_from_slice(&found[group]);
            }
            if self.pairs.len() > start {
                self.groups.push((group, start..self.pairs.len()));
            }
        }
        // as large as the list itself, and not needed before the next one
        self.found.clear();
    }

    fn build_incidence(&mut self, from: &Surroundings<'_>, pool: &mut Pool) {
        let count = from.records.len();
        self.starts.clear();
        self.starts.resize(count + 1, 0);
        for &[first, second] in &self.pairs {
            self.starts[first as usize + 1] += 1;
            self.starts[second as usize + 1] += 1;
        }
        for slot in 0..count {
            self.starts[slot + 1] += self.starts[slot];
        }
        self.incidence.clear();
        // not by the doubling of `resize`
        self.incidence.reserve_exact(2 * self.pairs.len());
        self.incidence.resize(2 * self.pairs.len(), 0);
        for (candidate, &[first, second]) in self.pairs.iter().enumerate() {
            for (is_second, slot) in [(0, first), (1, second)] {
                let place = &mut self.starts[slot as usize];
                self.incidence[*place as usize] = 2 * candidate as u32 + is_second;
                *place += 1;
            }
        }
        // filling moved every start to the next one's place
        self.starts.copy_within(0..count, 1);
        self.starts[0] = 0;
        self.sort_incidence(from.labels, pool);
    }

    fn sort_incidence(&mut self, labels: &[Label], pool: &mut Pool) {
        let (pairs, starts) = (&self.pairs, &self.starts);
        let shares = Shares::new(&mut self.incidence);
        let partner_id = |entry: u32| {
            let partner = pairs[(entry >> 1) as usize][(entry & 1 ^ 1) as usize];
            labels[partner as usize].id
        };
        pool.split(labels.len(), |_, range| {
            let span = starts[range.start] as usize..starts[range.end] as usize;
            // SAFETY: `starts` increases, so parts have disjoint spans.
            let entries = unsafe { shares.piece(span.clone()) };
            for slot in range {
                let own =
                    starts[slot] as usize - span.start..starts[slot + 1] as usize - span.start;
                sort_few(&mut entries[own], partner_id);
            }
        });
    }

    /// Index in the law table of the pair of materials of a candidate.
    pub(crate) fn pair_of(&self, candidate: usize) -> usize {
        let after = self.groups.partition_point(|(_, group)| group.end <= candidate);
        self.groups.get(after).map_or(0, |(pair, _)| *pair)
    }

    /// The largest number of entries that one particle has.
    pub(crate) fn most_entries(&self) -> usize {
        self.starts.windows(2).map(|both| (both[1] - both[0]) as usize).max().unwrap_or(0)
    }

    /// The entries of one particle.
    #[inline]
    pub(crate) fn entries(&self, slot: usize) -> &[u32] {
        &self.incidence[self.starts[slot] as usize..self.starts[slot + 1] as usize]
    }

    /// The candidate of two slots, the first partner first.
    pub(crate) fn candidate(&self, pair: [u32; 2]) -> Option<usize> {
        let entries = self.entries(pair[0] as usize).iter().map(|entry| (entry >> 1) as usize);
        entries.into_iter().find(|&candidate| self.pairs[candidate] == pair)
    }

    /// For each group: its pair of materials, the range of candidates of one part, and the first
    /// row of that part. Each part ends in a gap of one chunk.
    pub(crate) fn parts(
        &self,
        part: usize,
        parts: usize,
        width: usize,
    ) -> impl Iterator<Item = (usize, Range<usize>, usize)> {
        let mut before = 0;
        self.groups.iter().map(move |(pair, group)| {
            let range = share(group.len(), part, parts);
            let row = before + group.start + range.start + part * width;
            before += parts * width;
            (*pair, group.start + range.start..group.start + range.end, row)
        })
    }

    /// Rows needed for any cut into parts.
    pub(crate) fn rows_needed(&self, parts: usize, width: usize) -> usize {
        self.pairs.len() + self.groups.len() * parts * width
    }

    pub(crate) fn bytes(&self) -> usize {
        8 * self.pairs.capacity()
            + 4 * (self.accepted.capacity()
                + self.trial.capacity()
                + self.starts.capacity()
                + self.incidence.capacity())
            + self.found.iter().flatten().map(|found| 8 * found.capacity()).sum::<usize>()
    }
}

/// Entries that are sorted by counting.
const FEW: usize = 16;

/// Sorts the entries of a particle by a key that is dear to look up and different for each. Each is
/// put where as many have smaller keys: all are compared with all, which has no branch to guess.
#[inline]
fn sort_few(entries: &mut [u32], key: impl Fn(u32) -> u64) {
    if entries.len() > FEW {
        return entries.sort_unstable_by_key(|&entry| key(entry));
    }
    let (mut keys, mut own) = ([u64::MAX; FEW], [0u32; FEW]);
    for (place, &entry) in entries.iter().enumerate() {
        keys[place] = key(entry);
        own[place] = entry;
    }
    rank(&keys, &own, entries);
}

vectorise! {
    fn rank(keys: &[u64; FEW], own: &[u32; FEW], entries: &mut [u32]) {
        let mut sorted = [0u32; FEW];
        let count = entries.len().min(FEW);
        if count <= 8 {
            for place in 0..count {
                let mut rank = 0u64;
                for other in 0..8 {
                    rank += u64::from(keys[other] < keys[place]);
                }
                sorted[rank as usize % FEW] = own[place];
            }
        } else {
            for place in 0..count {
                let mut rank = 0u64;
                for other in 0..FEW {
                    rank += u64::from(keys[other] < keys[place]);
                }
                sorted[rank as usize % FEW] = own[place];
            }
        }
        entries[..count].copy_from_slice(&sorted[..count]);
    }
}
