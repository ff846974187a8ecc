//! Marks of particles in contact, for dilute scenes: the reduction skips the others.

use std::sync::atomic::{AtomicBool, Ordering};

/// Pairs per contact above which particles are marked. Measured: in a bed, where most particles are in
/// contact, marking costs more than it saves.
const SPARSE: usize = 4;

/// A mark for each particle; empty if most particles are in contact.
#[derive(Debug, Default)]
pub(crate) struct Touched(Vec<AtomicBool>);

impl Touched {
    /// Decides whether to mark particles with a new list, from the number of contacts in the last list.
    pub(crate) fn resize(&mut self, particles: usize, pairs: usize, touching: usize) {
        let count = if SPARSE * touching < pairs { particles } else { 0 };
        self.0.resize_with(count, AtomicBool::default);
        self.clear();
    }

    /// Clears all marks.
    pub(crate) fn clear(&mut self) {
        self.0.iter_mut().for_each(|mark| *mark.get_mut() = false);
    }

    /// True if particles are marked.
    #[inline(always)]
    pub(crate) fn is_enabled(&self) -> bool {
        !self.0.is_empty()
    }

    /// Marks some particles; several threads may call it concurrently.
    pub(crate) fn mark(&self, slots: &[u32]) {
        for &slot in slots {
            self.0[slot as usize].store(true, Ordering::Relaxed);
        }
    }

    /// True if a particle may be in contact.
    #[inline(always)]
    pub(crate) fn may_touch(&self, slot: usize) -> bool {
        self.0.get(slot).is_none_or(|mark| mark.load(Ordering::Relaxed))
    }

    pub(crate) fn bytes(&self) -> usize {
        self.0.capacity()
    }
}

impl Clone for Touched {
    /// Marks are set again in every evaluation.
    fn clone(&self) -> Self {
        Self::default()
    }
}
