//! The list of candidates: pairs of particles near enough to be watched, grouped by the pair of
//! their materials, and for each particle its candidates in order of partner id.

use super::LawTable;
use crate::domain::Domain;
use crate::parallel::{Pool, Shares, share};
use crate::particles::{Description, Record};
use crate::search::Finder;
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

/// What the list is made from.
pub(crate) struct Surroundings<'a> {
    pub records: &'a [Record],
    pub descriptions: &'a [Description],
    pub domain: &'a Domain,
    pub laws: &'a LawTable,
    pub skin: f64,
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
        self.trial.resize(self.pairs.len(), 0);
    }

    fn find(&mut self, finder: &Finder, from: &Surroundings<'_>, pool: &mut Pool) {
        let parts = pool.threads();
        self.found.resize_with(parts, Vec::new);
        for found in &mut self.found {
            found.resize_with(from.laws.pairs.len(), Vec::new);
            found.iter_mut().for_each(Vec::clear);
        }
        let shares = Shares::new(&mut self.found);
        pool.split(from.records.len(), |part, range| {
            // SAFETY: each part has its own element.
            let [found] = (unsafe { shares.piece(part..part + 1) }) else { return };
            for i in range {
                find_partners(finder, from, i, found);
            }
        });
    }

    /// Joins what the parts have found, group by group.
    fn join(&mut self, groups: usize) {
        self.pairs.clear();
        self.groups.clear();
        for group in 0..groups {
            let start = self.pairs.len();
            for found in &self.found {
                self.pairs.extend_from_slice(&found[group]);
            }
            if self.pairs.len() > start {
                self.groups.push((group, start..self.pairs.len()));
            }
        }
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
        self.sort_incidence(from.descriptions, pool);
    }

    fn sort_incidence(&mut self, descriptions: &[Description], pool: &mut Pool) {
        let (pairs, starts) = (&self.pairs, &self.starts);
        let shares = Shares::new(&mut self.incidence);
        let partner_id = |entry: u32| {
            let partner = pairs[(entry >> 1) as usize][(entry & 1 ^ 1) as usize];
            descriptions[partner as usize].id
        };
        pool.split(descriptions.len(), |_, range| {
            let span = starts[range.start] as usize..starts[range.end] as usize;
            // SAFETY: `starts` increases, so parts have disjoint spans.
            let entries = unsafe { shares.piece(span.clone()) };
            for slot in range {
                let own =
                    starts[slot] as usize - span.start..starts[slot + 1] as usize - span.start;
                entries[own].sort_unstable_by_key(|&entry| partner_id(entry));
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

#[inline]
fn find_partners(finder: &Finder, from: &Surroundings<'_>, i: usize, found: &mut [Vec<[u32; 2]>]) {
    let record = &from.records[i];
    let period = from.domain.period().to_array();
    let half = period.map(|length| if length > 0.0 { 0.5 * length } else { f64::INFINITY });
    finder.neighbours(from.records, i, |j| {
        let other = &from.records[j];
        let mut square = 0.0;
        for axis in 0..3 {
            let mut d = other.position[axis] - record.position[axis];
            d -= if d > half[axis] { period[axis] } else { 0.0 };
            d += if d < -half[axis] { period[axis] } else { 0.0 };
            square += d * d;
        }
        let touching = record.radius + other.radius + from.skin;
        let widest = touching + from.reach;
        if square >= widest * widest {
            return;
        }
        let (own, its) = (&from.descriptions[i], &from.descriptions[j]);
        let pair = from.laws.pair(own.material, its.material);
        let Some(laws) = from.laws.pairs.get(pair) else { return };
        let limit = touching + laws.reach;
        if square < limit * limit && record.inverse_mass + other.inverse_mass > 0.0 {
            let ordered = if own.id < its.id { [i as u32, j as u32] } else { [j as u32, i as u32] };
            found[pair].push(ordered);
        }
    });
}
