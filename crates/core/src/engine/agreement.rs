//! Global reductions over all ranks, if the particles are divided among them.

use super::Engine;
use super::halo::Halo;
use crate::Vec3;
use crate::exact_sum::ExactSum;
use crate::id::ParticleId;
use crate::kernel::evaluate::Extremes;
use crate::particles::HotData;
use crate::ranks::{gather_everywhere, sum_exactly};
use crate::search::skin::{Motion, MotionSums, Unit};

impl Halo {
    /// Sums over all ranks.
    pub(super) fn sum_counts<const N: usize>(&self, counts: [usize; N]) -> [usize; N] {
        let Some(comm) = self.active() else { return counts };
        let mut sums = counts.map(|count| count as i64);
        comm.sum(&mut sums);
        sums.map(|sum| sum as usize)
    }

    /// The largest of each number over all ranks. They are not negative, and NaN counts as infinite.
    pub(super) fn largest<const N: usize>(&self, numbers: [f64; N]) -> [f64; N] {
        let Some(comm) = self.active() else { return numbers };
        // the bits of non-negative doubles have the order of their values
        let mut bits = numbers.map(|number| match number {
            _ if number.is_nan() => f64::INFINITY.to_bits(),
            number => number.max(0.0).to_bits(),
        });
        comm.max(&mut bits);
        bits.map(f64::from_bits)
    }

    /// The smallest of each number over all ranks. They are not negative.
    pub(super) fn smallest<const N: usize>(&self, numbers: [f64; N]) -> [f64; N] {
        let mut numbers = numbers;
        self.smallest_of_each(&mut numbers);
        numbers
    }

    /// The same for any number of values.
    fn smallest_of_each(&self, numbers: &mut [f64]) {
        let Some(comm) = self.active() else { return };
        let mut bits: Vec<u64> = numbers.iter().map(|number| !number.to_bits()).collect();
        comm.max(&mut bits);
        numbers.iter_mut().zip(bits).for_each(|(number, bits)| *number = f64::from_bits(!bits));
    }

    /// Combines the words of all ranks by `merge`.
    pub(crate) fn merge<const N: usize>(
        &self,
        own: [u64; N],
        merge: impl Fn(&[[u64; N]]) -> [u64; N],
    ) -> [u64; N] {
        let Some(comm) = self.active() else { return own };
        let words = |bytes: &[u8]| {
            let (words, _) = bytes.as_chunks::<8>();
            std::array::from_fn(|index| {
                words.get(index).map_or(0, |&word| u64::from_le_bytes(word))
            })
        };
        let bytes = |words: [u64; N]| words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let message: Vec<u8> = bytes(own);
        let all = comm.gather(&message);
        let all: Vec<[u64; N]> = all.iter().map(|bytes| words(bytes)).collect();
        let mut merged: Vec<u8> = if all.is_empty() { Vec::new() } else { bytes(merge(&all)) };
        comm.broadcast(&mut merged);
        words(&merged)
    }

    /// Ids with numbers of all ranks, on every rank.
    pub(super) fn gather_numbers<const N: usize>(
        &self,
        own: impl Iterator<Item = (u32, [f64; N])>,
    ) -> Vec<(u32, [f64; N])> {
        let Some(comm) = self.active() else { return own.collect() };
        let mut message = Vec::new();
        for (id, numbers) in own {
            message.extend_from_slice(&u64::from(id).to_le_bytes());
            numbers.iter().for_each(|number| message.extend_from_slice(&number.to_le_bytes()));
        }
        let mut all = Vec::new();
        for bytes in gather_everywhere(comm, &message) {
            let words: Vec<u64> =
                bytes.as_chunks().0.iter().map(|&word| u64::from_le_bytes(word)).collect();
            all.extend(words.chunks_exact(N + 1).map(|words| {
                (words[0] as u32, std::array::from_fn(|index| f64::from_bits(words[index + 1])))
            }));
        }
        all
    }

    /// The motion of the particles of all ranks.
    pub(super) fn agree_on_motion(&self, own: MotionSums, unit: Unit) -> Motion {
        let Some(comm) = self.active() else { return own.motion() };
        let [largest_displacement] = self.largest([own.largest_displacement]);
        let mut sums = [own.count as i64, unit.count(own.radii), unit.count(own.displacements)];
        comm.sum(&mut sums);
        let [count, radii, displacements] = sums;
        let [radii, displacements] = [radii, displacements].map(|sum| unit.length(sum));
        MotionSums { count: count as usize, radii, displacements, largest_displacement }.motion()
    }
}

/// Bits with the order of the numbers, negative ones included.
fn ordered(number: f64) -> u64 {
    let bits = number.to_bits();
    if number.is_sign_negative() { !bits } else { bits | SIGN }
}

/// The inverse of [`ordered`].
fn from_ordered(bits: u64) -> f64 {
    f64::from_bits(if bits & SIGN == 0 { !bits } else { bits & !SIGN })
}

const SIGN: u64 = 1 << 63;

impl Engine {
    /// True if this is true on any rank.
    pub(crate) fn any(&self, own: bool) -> bool {
        let [any] = self.halo.largest([f64::from(u8::from(own))]);
        any > 0.0
    }

    /// The largest of each number over all ranks. They are not negative.
    pub(crate) fn largest<const N: usize>(&self, numbers: [f64; N]) -> [f64; N] {
        self.halo.largest(numbers)
    }

    /// The smallest of each number over all ranks. They are not negative.
    pub(crate) fn smallest<const N: usize>(&self, numbers: [f64; N]) -> [f64; N] {
        self.halo.smallest(numbers)
    }

    /// The smallest of each number over all ranks. They are not negative.
    pub(crate) fn smallest_of_each(&self, numbers: &mut [f64]) {
        self.halo.smallest_of_each(numbers);
    }

    /// The least of the first numbers and the largest of the second ones over all ranks.
    pub(crate) fn bounds_over_ranks(&self, [low, high]: [f64; 2]) -> [f64; 2] {
        let Some(comm) = self.halo.active() else { return [low, high] };
        let mut words = [!ordered(low), ordered(high)];
        comm.max(&mut words);
        [from_ordered(!words[0]), from_ordered(words[1])]
    }

    /// The lowest id that any rank has found.
    pub(crate) fn lowest_id(&self, own: Option<ParticleId>) -> Option<ParticleId> {
        let Some(comm) = self.halo.active() else { return own };
        let mut word = [own.map_or(0, |id| u64::MAX - u64::from(id.number()))];
        comm.max(&mut word);
        (word[0] > 0).then(|| ParticleId::new((u64::MAX - word[0]) as u32))
    }

    /// Combines the words of all ranks by `merge`.
    pub(crate) fn merge_over_ranks<const N: usize>(
        &self,
        own: [u64; N],
        merge: impl Fn(&[[u64; N]]) -> [u64; N],
    ) -> [u64; N] {
        self.halo.merge(own, merge)
    }

    /// Replaces each sum by the sum over all ranks.
    pub(crate) fn sum_exactly_over_ranks(&self, sums: &mut [&mut ExactSum]) {
        if let Some(comm) = self.halo.active() {
            sum_exactly(comm, sums);
        }
    }

    /// Position and radius of the selected particles of all ranks, in order of id.
    pub(crate) fn spheres_of_all(&self, wanted: impl Fn(&HotData) -> bool) -> Vec<(Vec3, f64)> {
        let particles = &self.world.particles;
        let own = particles.ids().zip(&particles.records).filter(|(_, record)| wanted(record));
        let own = own.map(|(id, record)| (id.number(), *record.position_and_radius()));
        let mut all = self.halo.gather_numbers(own);
        all.sort_unstable_by_key(|(id, _)| *id);
        all.into_iter().map(|(_, [x, y, z, radius])| (Vec3::new(x, y, z), radius)).collect()
    }

    /// Number of particles of each group, of all ranks.
    pub(crate) fn group_sizes(&self, groups: usize) -> Vec<u64> {
        let mut sizes = vec![0; groups];
        for metadata in &self.world.particles.metadata {
            sizes[usize::from(metadata.group)] += 1;
        }
        self.sum_over_ranks(&mut sizes);
        sizes.into_iter().map(|size| size as u64).collect()
    }

    /// The sum of each number over all ranks.
    pub(crate) fn sum_over_ranks(&self, numbers: &mut [i64]) {
        if let Some(comm) = self.halo.active() {
            comm.sum(numbers);
        }
    }

    /// Global reductions at the end of a step: the largest overlap and rate of all contacts, and each of the findings
    /// that any rank has made.
    pub(crate) fn agree<const N: usize>(&mut self, findings: [bool; N]) -> [bool; N] {
        let Some(comm) = self.halo.active() else { return findings };
        let mut numbers = [0; 8];
        numbers[0] = self.workers.worst_overlap().to_bits();
        numbers[1] = self.workers.largest_rate().to_bits();
        for (number, finding) in numbers[2..].iter_mut().zip(findings) {
            *number = u64::from(finding);
        }
        comm.max(&mut numbers);
        if let Some(first) = self.workers.scratch.first_mut() {
            first.extremes = Extremes::of(f64::from_bits(numbers[0]), f64::from_bits(numbers[1]));
        }
        std::array::from_fn(|index| numbers[2 + index] > 0)
    }
}
