//! Particles of other ranks near the own ones (ghosts), and the exchange of their motion.
//!
//! If the particles are divided among ranks, each rank stores its own particles. During the pass over contacts, copies
//! of the particles of other ranks are appended to them. At all other times no code can read a ghost by mistake.

use super::Engine;
use super::balance::Balance;
use crate::particles::{HotData, MeanMotion, Metadata};
use crate::ranks::{Comm, Link};
use std::sync::Arc;

/// Numbers per ghost in an exchange: position, velocity and spin.
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
    /// Whether the integrator always provides mean motions.
    with_means: bool,
    /// Buffers for each rank with common particles.
    links: Vec<Link>,
    /// For each link, the slots of the particles that are sent.
    sent: Vec<Vec<u32>>,
    /// The ghosts at the last rebuild, in the order of the links.
    records: Vec<HotData>,
    /// For each link, the number of ghosts of its rank.
    received: Vec<usize>,
    /// Ids of the ghosts.
    pub(super) ids: Vec<u32>,
    pub(super) balance: Balance,
}

/// Ghosts from another rank, and own particles that are its ghosts.
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
        (self.records, self.ids) = (records, ids);
        let link = |one: &Neighbour| Link { rank: one.rank, ..Link::default() };
        self.links = neighbours.iter().map(link).collect();
        self.received = neighbours.iter().map(|one| one.received).collect();
        self.sent = neighbours.into_iter().map(|one| one.sent).collect();
    }

    /// Id and index of each ghost, in order of id.
    pub(super) fn ghosts_by_id(&self) -> Vec<(u32, u32)> {
        let mut ghosts: Vec<(u32, u32)> = self.ids.iter().copied().zip(0..).collect();
        ghosts.sort_unstable();
        ghosts
    }

    /// The rank of each ghost.
    pub(super) fn ranks_of_ghosts(&self) -> Vec<usize> {
        let links = self.links.iter().zip(&self.received);
        links.flat_map(|(link, &count)| std::iter::repeat_n(link.rank, count)).collect()
    }

    /// The ghosts in the accepted state of their ranks. All ranks call it together.
    pub(super) fn accepted_ghosts(&self, own: &[HotData]) -> Vec<HotData> {
        let Some(comm) = self.active() else { return Vec::new() };
        let links = self.links.iter().zip(&self.sent).zip(&self.received);
        let mut links: Vec<Link> = links
            .map(|((link, slots), &received)| {
                let mut send = Vec::with_capacity(STATE * slots.len());
                slots.iter().for_each(|&slot| write_motion(&own[slot as usize], &mut send));
                Link { rank: link.rank, send, receive: vec![0.0; STATE * received] }
            })
            .collect();
        comm.start(&mut links);
        comm.finish(&mut links);
        let mut ghosts = Vec::with_capacity(self.records.len());
        append_ghosts::<STATE>(&self.records, &links, &mut ghosts);
        ghosts
    }

    /// Removes all ghosts.
    pub(super) fn clear(&mut self) {
        self.set(Vec::new(), Vec::new(), Vec::new());
    }

    /// Starts to send `count` numbers of each particle that is a ghost of another rank; `write` appends those of a
    /// slot.
    fn start(&mut self, count: usize, write: impl Fn(usize, &mut Vec<f64>)) {
        let sent = self.links.iter_mut().zip(&self.sent);
        for ((link, slots), &received) in sent.zip(&self.received) {
            link.send.clear();
            slots.iter().for_each(|&slot| write(slot as usize, &mut link.send));
            debug_assert_eq!(link.send.len(), count * slots.len());
            link.receive.resize(count * received, 0.0);
        }
        if let Some(comm) = &self.comm {
            comm.start(&mut self.links);
        }
    }

    /// Waits for the numbers of the ghosts.
    fn finish(&mut self) {
        if let Some(comm) = &self.comm {
            comm.finish(&mut self.links);
        }
    }

    /// The numbers of each ghost that were received.
    fn received<const N: usize>(&self) -> impl Iterator<Item = &[f64; N]> {
        self.links.iter().flat_map(|link| link.receive.as_chunks().0)
    }

    /// Appends the ghosts to the own particles, with the motion that was received: `N` numbers each.
    fn append_records<const N: usize>(&self, records: &mut Vec<HotData>) {
        append_ghosts::<N>(&self.records, &self.links, records);
    }

    /// Appends the values of the ghosts to those of own particles.
    pub(crate) fn append_values<const N: usize>(&mut self, values: &mut Vec<[f64; N]>) {
        if self.active().is_none() {
            return;
        }
        self.start(N, |slot, out| out.extend_from_slice(&values[slot]));
        self.finish();
        values.extend(self.received::<N>());
    }
}

/// Appends ghosts to particles, with the motion in the links: `N` numbers each.
fn append_ghosts<const N: usize>(
    mut ghosts: &[HotData],
    links: &[Link],
    records: &mut Vec<HotData>,
) {
    for link in links {
        let (values, _) = link.receive.as_chunks::<N>();
        let (own, rest) = ghosts.split_at(values.len());
        ghosts = rest;
        records.extend(own.iter().zip(values).map(|(ghost, values)| HotData {
            position: three(values, 0),
            velocity: three(values, 3),
            spin: three(values, 6),
            ..*ghost
        }));
    }
}

/// Three numbers from an index on.
fn three(values: &[f64], first: usize) -> [f64; 3] {
    [values[first], values[first + 1], values[first + 2]]
}

/// Appends position, velocity and spin of a particle to a message.
fn write_motion(record: &HotData, out: &mut Vec<f64>) {
    for vector in [&record.position, &record.velocity, &record.spin] {
        out.extend_from_slice(vector);
    }
}

impl Engine {
    /// True if the evaluation needs mean motions of ghosts.
    fn sends_motions(&self, elapsed: f64) -> bool {
        elapsed > 0.0 && (self.halo.with_means || self.table.layout.anchorage.is_some())
    }

    /// Starts to send the motion of particles that are ghosts of other ranks.
    pub(super) fn start_halo(&mut self, elapsed: f64) {
        if self.halo.active().is_none() {
            return;
        }
        let with_means = self.sends_motions(elapsed);
        let (records, motions) = (&self.world.particles.records, &self.trial.motions);
        let count = STATE + if with_means { MOTION } else { 0 };
        self.halo.start(count, |slot, out| {
            write_motion(&records[slot], out);
            if with_means {
                out.extend_from_slice(&motions[slot].velocity[..3]);
                out.extend_from_slice(&motions[slot].spin[..3]);
            }
        });
    }

    /// Waits for the motion of the ghosts and appends them to the particles.
    pub(super) fn append_ghosts(&mut self, elapsed: f64) {
        if self.halo.active().is_none() {
            return;
        }
        self.halo.finish();
        let with_means = self.sends_motions(elapsed);
        let records = &mut self.world.particles.records;
        if !with_means {
            return self.halo.append_records::<STATE>(records);
        }
        self.halo.append_records::<{ STATE + MOTION }>(records);
        let four = |[x, y, z]: [f64; 3]| [x, y, z, 0.0];
        let motions = self.halo.received::<{ STATE + MOTION }>().map(|values| MeanMotion {
            velocity: four(three(values, 9)),
            spin: four(three(values, 12)),
        });
        self.trial.motions.extend(motions);
    }

    /// Removes the ghosts again.
    pub(super) fn remove_ghosts(&mut self) {
        let own = self.neighbours.partition.count();
        self.world.particles.records.truncate(own);
        self.trial.motions.truncate(own);
    }

    /// Runs `act` with the ghosts, in their accepted state and with their ids, appended to the particles.
    pub(crate) fn with_ghosts<R>(&mut self, act: impl FnOnce(&mut Self) -> R) -> R {
        if self.halo.active().is_none() {
            return act(self);
        }
        let own = self.world.particles.len();
        let records = &self.world.particles.records;
        self.halo.start(STATE, |slot, out| write_motion(&records[slot], out));
        self.halo.finish();
        let particles = &mut self.world.particles;
        self.halo.append_records::<STATE>(&mut particles.records);
        let ids = self.halo.ids.iter();
        let ghost = |&number: &u32| Metadata { number, group: 0, material: 0, image: [0; 3] };
        particles.metadata.extend(ids.map(ghost));
        let result = act(self);
        self.world.particles.records.truncate(own);
        self.world.particles.metadata.truncate(own);
        result
    }

    /// Sets the ranks among which particles are divided. All ranks have all particles until the first division.
    /// `with_means`: the integrator always provides mean motions.
    pub(crate) fn set_comm(&mut self, comm: Arc<dyn Comm>, with_means: bool) {
        self.halo.comm = (comm.size() > 1).then_some(comm);
        self.halo.with_means = with_means;
    }

    /// Numbers of own particles and of ghosts.
    pub(crate) fn own_and_ghosts(&self) -> [usize; 2] {
        [self.world.particles.len(), self.halo.records.len()]
    }

    /// True if the particles are divided among several ranks.
    pub(crate) fn is_split(&self) -> bool {
        self.halo.is_split
    }
}
