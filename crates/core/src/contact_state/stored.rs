//! Numbers that laws store for each contact beside their history columns. They change only when a step is
//! accepted (`engine/commit.rs`), so they are stored once and not twice.
//!
//! Those of pairs are ordered by the neighbour list. Those of contacts with walls, which are few, are
//! ordered as the results.

/// The memory of all contacts. The first row is zeros: a new contact remembers nothing.
#[derive(Debug, Clone, Default)]
pub(crate) struct StoredHistories {
    /// Numbers in a row; zero where no law has a memory.
    pub stride: usize,
    /// By candidate, plus one.
    pub pairs: Vec<f64>,
    /// By row of the accepted state.
    pub walls: Vec<f64>,
    spare_pairs: Vec<f64>,
    pub trial_walls: Vec<f64>,
}

impl StoredHistories {
    pub(crate) fn new(stride: usize) -> Self {
        let row = vec![0.0; stride];
        Self { stride, pairs: row.clone(), walls: row, ..Self::default() }
    }

    /// The row of a candidate.
    pub(crate) fn pair(&self, candidate: usize) -> &[f64] {
        &self.pairs[(candidate + 1) * self.stride..(candidate + 2) * self.stride]
    }

    pub(crate) fn set_pair(&mut self, candidate: usize, values: &[f64]) {
        let row = self.pairs[(candidate + 1) * self.stride..].iter_mut().take(self.stride);
        row.zip(values).for_each(|(kept, value)| *kept = *value);
    }

    /// The row of a contact with a wall.
    pub(crate) fn wall(&self, row: usize) -> &[f64] {
        &self.walls[row * self.stride..(row + 1) * self.stride]
    }

    pub(crate) fn set_wall(&mut self, row: usize, values: &[f64]) {
        let start = row * self.stride;
        if self.walls.len() < start + self.stride {
            self.walls.resize(start + self.stride, 0.0);
        }
        self.walls[start..].iter_mut().zip(values).for_each(|(kept, value)| *kept = *value);
    }

    /// Makes room for a new list of candidates; what was there waits to be carried over.
    pub(crate) fn rebuild_list(&mut self, candidates: usize) {
        if self.stride > 0 {
            std::mem::swap(&mut self.pairs, &mut self.spare_pairs);
            self.pairs.clear();
            self.pairs.resize((candidates + 1) * self.stride, 0.0);
        }
    }

    /// Carries the row of an old candidate to a new one.
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
