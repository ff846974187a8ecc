//! The hot data of own particles and of ghosts, the copies of particles of other ranks.
//!
//! Ghosts follow the own particles in memory, so that contacts load both in the same way. All other code sees the own
//! particles only, and cannot read a ghost by mistake.

use super::HotData;
use std::ops::{Deref, DerefMut};

/// Hot data by slot; dereferences to that of the own particles.
#[derive(Debug, Clone, Default)]
pub(crate) struct Records {
    all: Vec<HotData>,
    own: usize,
    /// Number of the first elements that are visible: the own ones, or all.
    visible: usize,
}

impl Records {
    /// The first `own` elements are those of own particles, the others of ghosts.
    pub(crate) fn with_ghosts(all: Vec<HotData>, own: usize) -> Self {
        assert!(own <= all.len());
        Self { all, own, visible: own }
    }

    /// Appends an own particle. The ghosts are removed: the neighbour list has to be rebuilt.
    pub(crate) fn push(&mut self, record: HotData) {
        self.all.truncate(self.own);
        self.all.push(record);
        (self.own, self.visible) = (self.all.len(), self.all.len());
    }

    /// Removes and returns the own particles; the ghosts are removed as well.
    pub(crate) fn take(&mut self) -> Vec<HotData> {
        let Self { mut all, own, .. } = std::mem::take(self);
        all.truncate(own);
        all
    }

    /// Own particles and ghosts.
    pub(crate) fn all_mut(&mut self) -> &mut [HotData] {
        &mut self.all
    }

    /// The ghosts.
    pub(crate) fn ghosts(&self) -> &[HotData] {
        &self.all[self.own..]
    }

    /// The same.
    pub(crate) fn ghosts_mut(&mut self) -> &mut [HotData] {
        &mut self.all[self.own..]
    }

    /// Makes the ghosts visible, or invisible.
    pub(crate) fn show_ghosts(&mut self, are_visible: bool) {
        self.visible = if are_visible { self.all.len() } else { self.own };
    }
}

impl From<Vec<HotData>> for Records {
    fn from(own: Vec<HotData>) -> Self {
        let count = own.len();
        Self::with_ghosts(own, count)
    }
}

impl Deref for Records {
    type Target = [HotData];

    #[inline(always)]
    fn deref(&self) -> &[HotData] {
        &self.all[..self.visible]
    }
}

impl DerefMut for Records {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [HotData] {
        &mut self.all[..self.visible]
    }
}

impl<'a> IntoIterator for &'a Records {
    type Item = &'a HotData;
    type IntoIter = std::slice::Iter<'a, HotData>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a> IntoIterator for &'a mut Records {
    type Item = &'a mut HotData;
    type IntoIter = std::slice::IterMut<'a, HotData>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(radius: f64) -> HotData {
        HotData { radius, ..bytemuck::Zeroable::zeroed() }
    }

    #[test]
    fn ghosts_are_seen_only_on_request_and_end_with_a_new_particle() {
        let radii = |records: &Records| -> Vec<f64> {
            records.iter().map(|record| record.radius).collect()
        };
        let mut records = Records::with_ghosts([1.0, 2.0, 3.0].map(record).to_vec(), 2);
        assert_eq!(radii(&records), [1.0, 2.0]);
        records.ghosts_mut()[0].radius = 4.0;
        records.show_ghosts(true);
        assert_eq!(radii(&records), [1.0, 2.0, 4.0]);
        records.show_ghosts(false);
        records.push(record(5.0));
        records.show_ghosts(true);
        assert_eq!(radii(&records), [1.0, 2.0, 5.0]);
        assert_eq!(records.take().len(), 3);
        assert!(records.is_empty() && records.all_mut().is_empty());
    }
}
