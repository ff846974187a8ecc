//! Particles of other ranks near the own ones (ghosts), and the exchange of their motion.
//!
//! If the particles are divided among ranks, each rank stores its own particles. During the pass over
//! contacts, copies of the particles of other ranks are appended to them. At all other times no code can
//! read a ghost by mistake.

use super::Engine;
use crate::particles::{HotData, MeanMotion};
use crate::ranks::{Comm, Link};
use std::sync::Arc;

/// Numbers of a ghost in an exchange: position, velocity and spin.
const STATE: usize = 9;
/// Further numbers where mean motions are needed: mean velocity and spin.
const MOTION: usize = 6;

/// The ghosts of a rank, and which of its particles are ghosts of other ranks.
#[derive(Debug, Default)]
pub(crate) struct Halo {
    /// None on a single rank.
    pub(super) comm: Option<Arc<dyn Comm>>,
    /// Whether the particles are divided among the ranks; if not, each rank has all of them.
    pub(super) is_split: bool,
    /// Buffers for each rank with common particles.
    links: Vec<Link>,
    /// For each link, the slots of the particles that are sent.
    sent: Vec<Vec<u32>>,
    /// The ghosts, in the order of the links.
    records: Vec<HotData>,
    motions: Vec<MeanMotion>,
    /// For each link, the number of ghosts of its rank.
    received: Vec<usize>,
    /// Ids of the ghosts.
    pub(super) ids: Vec<u32>,
}

/// What the ghosts of one other rank are, and which own particles are its ghosts.
pub(super) struct Neighbour {
    pub rank: usize,
    /// Own slots that are sent.
    pub sent: Vec<u32>,
    /// Number of ghosts.
    pub received: usize,
}

impl Halo {
    /// The other ranks, if the particles are divided among several.
    pub(super) fn active(&self) -> Option<&dyn Comm> {
        self.comm.as_deref().filter(|_| self.is_split)
    }

    /// Sets the ghosts, in the order of the neighbours.
    pub(super) fn set(&mut self, neighbours: Vec<Neighbour>, records: Vec<HotData>, ids: Vec<u32>) {
        self.motions = vec![MeanMotion::default(); records.len()];
        (self.records, self.ids) = (records, ids);
        let link = |one: &Neighbour| Link { rank: one.rank, ..Link::default() };
        self.links = neighbours.iter().map(link).collect();
        self.received = neighbours.iter().map(|one| one.received).collect();
        self.sent = neighbours.into_iter().map(|one| one.sent).collect();
    }

    /// Forgets the ghosts.
    pub(super) fn clear(&mut self) {
        self.set(Vec::new(), Vec::new(), Vec::new());
    }

    fn pack(&mut self, records: &[HotData], motions: &[MeanMotion]) {
        let numbers = STATE + if motions.is_empty() { 0 } else { MOTION };
        for ((link, slots), &received) in self.links.iter_mut().zip(&self.sent).zip(&self.received)
        {
            link.send.clear();
            for &slot in slots {
                let record = &records[slot as usize];
                for vector in [&record.position, &record.velocity, &record.spin] {
                    link.send.extend_from_slice(vector);
                }
                if let Some(motion) = motions.get(slot as usize) {
                    link.send.extend_from_slice(&motion.velocity[..3]);
                    link.send.extend_from_slice(&motion.spin[..3]);
                }
            }
            debug_assert_eq!(link.send.len(), numbers * slots.len());
            link.receive.resize(numbers * received, 0.0);
        }
    }

    fn unpack(&mut self, with_motions: bool) {
        let numbers = STATE + if with_motions { MOTION } else { 0 };
        let received = self.links.iter().flat_map(|link| link.receive.chunks_exact(numbers));
        let three = |values: &[f64]| [values[0], values[1], values[2]];
        let four = |values: &[f64]| [values[0], values[1], values[2], 0.0];
        for ((record, motion), values) in
            self.records.iter_mut().zip(&mut self.motions).zip(received)
        {
            record.position = three(values);
            record.velocity = three(&values[3..]);
            record.spin = three(&values[6..]);
            if with_motions {
                motion.velocity = four(&values[9..]);
                motion.spin = four(&values[12..]);
            }
        }
    }
}

impl Engine {
    /// Whether the evaluation needs mean motions of ghosts.
    fn sends_motions(&self, elapsed: f64) -> bool {
        elapsed > 0.0 && self.table.layout.anchorage.is_some()
    }

    /// Starts to send the motion of particles that are ghosts of other ranks.
    pub(super) fn start_halo(&mut self, elapsed: f64) {
        if self.halo.active().is_none() {
            return;
        }
        let motions = if self.sends_motions(elapsed) { &self.trial.motions[..] } else { &[] };
        self.halo.pack(&self.world.particles.records, motions);
        if let Some(comm) = &self.halo.comm {
            comm.start(&mut self.halo.links);
        }
    }

    /// Waits for the motion of the ghosts and appends them to the particles.
    pub(super) fn append_ghosts(&mut self, elapsed: f64) {
        if self.halo.active().is_none() {
            return;
        }
        if let Some(comm) = &self.halo.comm {
            comm.finish(&mut self.halo.links);
        }
        let with_motions = self.sends_motions(elapsed);
        self.halo.unpack(with_motions);
        self.world.particles.records.extend_from_slice(&self.halo.records);
        if with_motions {
            self.trial.motions.extend_from_slice(&self.halo.motions);
        }
    }

    /// Removes the ghosts again.
    pub(super) fn remove_ghosts(&mut self) {
        let own = self.neighbours.partition.count();
        self.world.particles.records.truncate(own);
        self.trial.motions.truncate(own);
    }

    /// Gives the engine the ranks that it shares its particles with. All have all particles until the
    /// first division.
    pub(crate) fn set_comm(&mut self, comm: Arc<dyn Comm>) {
        self.halo.comm = (comm.size() > 1).then_some(comm);
    }

    /// Numbers of own particles and of ghosts.
    pub(crate) fn own_and_ghosts(&self) -> [usize; 2] {
        [self.world.particles.len(), self.halo.records.len()]
    }

    /// Whether the particles are divided among several ranks.
    pub(crate) fn is_split(&self) -> bool {
        self.halo.is_split
    }
}
