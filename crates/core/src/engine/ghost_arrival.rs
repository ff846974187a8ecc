//! The motion of ghosts arrives during the pass over contacts.
//!
//! The first thread communicates. It asks before each of its tiles whether the messages have arrived, and waits for them
//! before its first tile with a ghost, or after its last tile. Other threads wait before their first tile with a ghost.

use super::halo::{Additional, Halo};
use crate::parallel::{DisjointSlices, wait};
use crate::particles::{HalfKick, HotData, MeanMotion};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// Messages with the motion of ghosts, on their way.
pub(super) struct GhostArrival<'a> {
    /// Locked by the first thread only.
    halo: Mutex<&'a mut Halo>,
    /// Number of own particles; the ghosts follow.
    own: usize,
    /// What is sent with the motion.
    additional: Additional,
    /// True after the ghosts were written, or if this will not happen because the first thread unwinds.
    is_over: AtomicBool,
}

impl<'a> GhostArrival<'a> {
    pub(super) fn new(halo: &'a mut Halo, own: usize, additional: Additional) -> Self {
        Self { halo: Mutex::new(halo), own, additional, is_over: AtomicBool::new(false) }
    }

    /// Called by each thread before each of its tiles, with true if the tile has ghosts; and with true by the first
    /// thread after its last tile.
    ///
    /// # Safety
    /// The slices contain own particles and ghosts. Ghosts are read only after a call with true of the same thread.
    pub(super) unsafe fn before_tile(
        &self,
        part: usize,
        has_ghosts: bool,
        records: &DisjointSlices<'_, HotData>,
        (motions, kicks): (&DisjointSlices<'_, MeanMotion>, &DisjointSlices<'_, HalfKick>),
    ) {
        if self.is_over.load(Ordering::Acquire) {
            return;
        }
        if part > 0 {
            if has_ghosts {
                wait(|| self.is_over.load(Ordering::Acquire));
            }
            return;
        }
        let mut halo = self.halo.lock().unwrap_or_else(PoisonError::into_inner);
        if has_ghosts || halo.poll() {
            let _end = End(&self.is_over);
            halo.finish();
            // SAFETY: only the first thread comes here, and no thread reads a ghost before `is_over`.
            unsafe {
                let ghosts = records.slice_mut(self.own..records.len());
                let all =
                    |length: usize, is_sent: bool| if is_sent { self.own..length } else { 0..0 };
                let means = all(motions.len(), self.additional == Additional::MeanMotion);
                let kicked = all(kicks.len(), self.additional == Additional::Kick);
                halo.write_ghosts(ghosts, motions.slice_mut(means), kicks.slice_mut(kicked));
            }
        }
    }

    /// Called by each thread when it begins. The result is kept until its end: if the first thread unwinds, no other
    /// one waits for ever.
    pub(super) fn guard(&self, part: usize) -> Option<impl Drop> {
        (part == 0).then(|| End(&self.is_over))
    }
}

/// Ends the wait of other threads when it is dropped.
struct End<'a>(&'a AtomicBool);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}
