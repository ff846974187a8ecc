//! The work of particles, by which they are divided among ranks.

use super::Engine;
use crate::partition::{COST_PER_CONTACT, COST_PER_ENTRY, COST_PER_SLOT, COST_PER_TEST};
use crate::ranks::Point;

/// Largest accepted ratio of the largest work of a rank to the mean.
const MOST_IMBALANCE: f64 = 1.05;
/// Largest growth of this ratio since the last division, if few particles cannot be divided more evenly.
const MOST_GROWTH: f64 = 1.03;
/// Largest growth of the number of ghosts since the last division.
const MOST_GHOSTS: f64 = 1.5;
/// Largest number of points that represent the particles of a rank in a division.
const MOST_SAMPLES: usize = 4096;
/// Rebuilds after which an imbalance that has not grown is tried again.
const REBUILDS_TO_RETRY: u64 = 40;
/// Rebuilds between two divisions, at least.
const REBUILDS_BETWEEN: u64 = 4;

/// The balance of work since the last division.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Balance {
    /// Rebuilds since then.
    rebuilds: u64,
    /// Most work of a rank as a multiple of the mean, and ghosts of all ranks, right after it.
    at_first: Option<(f64, f64)>,
    pub imbalance: Imbalance,
}

/// The most work of a rank as a multiple of the mean, over all rebuilds of a run.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Imbalance {
    /// Rebuilds at which it was found.
    pub count: u64,
    /// Sum over them.
    pub sum: f64,
    /// Divisions among the ranks.
    pub divisions: u64,
    /// Sums over the rebuilds of the pairs in the list of this rank, and of those in contact. Pairs with ghosts count
    /// on both ranks.
    pub pairs: u64,
    /// See `pairs`.
    pub contacts: u64,
}

impl Imbalance {
    /// Mean over all rebuilds; one before the first.
    pub fn mean(&self) -> f64 {
        if self.count == 0 { 1.0 } else { self.sum / self.count as f64 }
    }
}

impl Engine {
    /// Work of a particle with its contacts. Half of that of a pair counts for each partner; the unit is
    /// half of that of the partition among threads.
    fn work_of(&self, slot: usize) -> u64 {
        let list = &self.neighbours.list;
        // particles that were added since the last rebuild are not in the list
        let entries = if slot < self.listed() { list.entries(slot) } else { &[] };
        let touching =
            entries.iter().filter(|&&entry| list.accepted[(entry >> 1) as usize] > 0).count();
        (2 * COST_PER_SLOT
            + (2 * COST_PER_ENTRY + COST_PER_TEST) * entries.len()
            + COST_PER_CONTACT * touching) as u64
    }

    /// Own particles with their work. Of many particles, every k-th has the work of k neighbours in storage order,
    /// which is a spatial order.
    pub(crate) fn points(&self) -> Vec<Point> {
        let particles = &self.world.particles;
        let count = particles.len();
        let stride = (count / MOST_SAMPLES).max(1);
        let sample = |first: usize| {
            let slots = first..(first + stride).min(count);
            let middle = slots.start + slots.len() / 2;
            Point {
                position: particles.records[middle].position,
                id: particles.metadata[middle].number,
                work: slots.map(|slot| self.work_of(slot)).sum(),
            }
        };
        (0..count).step_by(stride).map(sample).collect()
    }

    /// Record of the division of the work so far.
    pub(crate) fn imbalance(&self) -> Imbalance {
        self.halo.balance.imbalance
    }

    /// Resets the counts after a division.
    pub(super) fn reset_balance(&mut self) {
        let balance = &mut self.halo.balance;
        balance.imbalance.divisions += 1;
        *balance = Balance { imbalance: balance.imbalance, ..Balance::default() };
    }

    /// True if the particles should be divided again, before a rebuild of the list. All ranks agree.
    pub(crate) fn is_out_of_balance(&mut self) -> bool {
        let Some(comm) = self.halo.active() else { return false };
        let own: u64 = (0..self.world.particles.len()).map(|slot| self.work_of(slot)).sum();
        let (pairs, contacts) = self.pairs_and_contacts();
        let mut most = [own];
        comm.max(&mut most);
        let mut sums = [own as i64, self.halo.ids.len() as i64];
        comm.sum(&mut sums);
        let mean = sums[0] as f64 / comm.size() as f64;
        let (ratio, ghosts) = (most[0] as f64 / mean.max(1.0), sums[1] as f64);
        let balance = &mut self.halo.balance;
        balance.rebuilds += 1;
        balance.imbalance.count += 1;
        balance.imbalance.sum += ratio;
        balance.imbalance.pairs += pairs as u64;
        balance.imbalance.contacts += contacts as u64;
        let (first_ratio, first_ghosts) = *balance.at_first.get_or_insert((ratio, ghosts));
        balance.rebuilds >= REBUILDS_BETWEEN
            && ((ratio > MOST_IMBALANCE
                && (ratio > MOST_GROWTH * first_ratio || balance.rebuilds >= REBUILDS_TO_RETRY))
                || ghosts > MOST_GHOSTS * first_ghosts)
    }
}
