//! Numbers that laws store for each contact in addition to their history columns. They change only when a step is
//! accepted (`engine/commit.rs`), so that there is no trial copy.
//!
//! Those of pairs are ordered by the neighbour list. Those of contacts with walls, which are few, are
//! ordered as the results.

/// The stored history of all contacts. The first element is zero: a new contact has no history.
#[derive(Debug, Clone, Default)]
pub(crate) struct StoredHistories {
    /// Numbers per contact; zero if no law stores any.
    pub stride: usize,
    /// By index of the pair in the list, plus one.
    pub pairs: Vec<f64>,
    /// By index of the accepted contact.
    pub walls: Vec<f64>,
    spare_pairs: Vec<f64>,
    pub trial_walls: Vec<f64>,
}

impl StoredHistories {
    pub(crate) fn new(stride: usize) -> Self {
        let zeros = vec![0.0; stride];
        Self { stride, pairs: zeros.clone(), walls: zeros, ..Self::default() }
    }

    /// The values of a pair of the list.
    pub(crate) fn pair(&self, pair_index: usize) -> &[f64] {
        &self.pairs[(pair_index + 1) * self.stride..(pair_index + 2) * self.stride]
    }

    pub(crate) fn set_pair(&mut self, pair_index: usize, values: &[f64]) {
        let block = self.pairs[(pair_index + 1) * self.stride..].iter_mut().take(self.stride);
        block.zip(values).for_each(|(stored, value)| *stored = *value);
    }

    /// The values of a contact with a wall.
    pub(crate) fn wall(&self, index: usize) -> &[f64] {
        &self.walls[index * self.stride..(index + 1) * self.stride]
    }

    pub(crate) fn set_wall(&mut self, index: usize, values: &[f64]) {
        let start = index * self.stride;
        if self.walls.len() < start + self.stride {
            self.walls.resize(start + self.stride, 0.0);
        }
        self.walls[start..].iter_mut().zip(values).for_each(|(stored, value)| *stored = *value);
    }

    /// Reserves memory for a new neighbour list; the values of the old one are preserved until they are carried over.
    pub(crate) fn rebuild_list(&mut self, pairs: usize) {
        if self.stride > 0 {
            std::mem::swap(&mut self.pairs, &mut self.spare_pairs);
            self.pairs.clear();
            self.pairs.resize((pairs + 1) * self.stride, 0.0);
        }
    }

    /// Carries the values of a pair of the old list to one of the new list.
    pub(crate) fn carry(&mut self, old: usize, new: usize) {
        let (old, new) = ((old + 1) * self.stride, (new + 1) * self.stride);
        self.pairs[new..new + self.stride]
            .copy_from_slice(&self.spare_pairs[old..old + self.stride]);
    }

    /// Bytes in use.
    pub(crate) fn bytes(&self) -> usize {
        let all = [&self.pairs, &self.walls, &self.spare_pairs, &self.trial_walls];
        8 * all.iter().map(|values| values.len()).sum::<usize>()
    }
}
