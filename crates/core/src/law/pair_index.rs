//! Index of the laws of two materials, and the range of their forces.

use crate::material::MaterialId;

const NONE: u16 = u16::MAX;

/// Maps two materials to the index of their laws, and this index to the interaction range.
#[derive(Debug, Clone)]
pub(crate) struct PairIndex {
    /// For each first and second material, or `NONE`.
    indices: Vec<u16>,
    materials: usize,
    /// Largest gap at which any of the laws acts [m].
    ranges: Vec<f64>,
}

impl PairIndex {
    /// An index without pairs, for this number of materials.
    pub(crate) fn new(materials: usize) -> Self {
        Self { indices: vec![NONE; materials * materials], materials, ranges: Vec::new() }
    }

    /// Adds a pair of materials whose laws act up to a gap of `range`.
    pub(crate) fn add(&mut self, between: [MaterialId; 2], range: f64) {
        let index = self.ranges.len() as u16;
        let [first, second] = between.map(|id| id.index());
        for [a, b] in [[first, second], [second, first]] {
            self.indices[a * self.materials + b] = index;
        }
        self.ranges.push(range);
    }

    /// Number of pairs.
    pub(crate) fn len(&self) -> usize {
        self.ranges.len()
    }

    /// Index of the laws of two materials; `len` or above if they have none.
    #[inline]
    pub(crate) fn of(&self, first: u16, second: u16) -> usize {
        usize::from(self.indices[usize::from(first) * self.materials + usize::from(second)])
    }

    /// Interaction range of a pair [m]; none if the materials have no laws.
    #[inline]
    pub(crate) fn range(&self, pair: usize) -> Option<f64> {
        self.ranges.get(pair).copied()
    }

    /// Largest interaction range of all pairs [m].
    pub(crate) fn largest_range(&self) -> f64 {
        self.ranges.iter().copied().fold(0.0, f64::max)
    }
}
