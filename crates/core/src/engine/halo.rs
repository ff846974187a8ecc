//! Particles of other ranks near the own ones (ghosts), and the exchange of their motion.
//!
//! If the particles are divided among ranks, each rank stores its own particles, and copies of those of other ranks near
//! them. Position, velocity and spin of ghosts are sent for each evaluation of the forces, and everything else when the
//! neighbour list is built. Only the pass over contacts and the pass of the time step see ghosts
//! (`particles/records.rs`).

use super::Engine;
use super::balance::Balance;
use crate::particles::{HalfKick, HotData, MeanMotion, Metadata, Records};
use crate::ranks::{Comm, Link};
use std::sync::Arc;

/// Numbers per ghost in an exchange: position, velocity and spin.
const STATE: usize = 9;
/// The same with the two vectors of a mean motion or of a kick.
const STATE_AND_MORE: usize = 15;

/// What is sent with the motion of a particle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Additional {
    Nothing,
    MeanMotion,
    Kick,
}

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
    /// For each link, the number of ghosts of its rank.
    received: Vec<usize>,
    /// Ids of the ghosts, in the order of the links.
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

    /// Sets the ids of the ghosts, in the order of the neighbours.
    pub(super) fn set(&mut self, neighbours: Vec<Neighbour>, ids: Vec<u32>) {
        self.ids = ids;
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
    pub(super) fn accepted_ghosts(&self, records: &Records) -> Vec<HotData> {
        let Some(comm) = self.active() else { return Vec::new() };
        let links = self.links.iter().zip(&self.sent).zip(&self.received);
        let mut links: Vec<Link> = links
            .map(|((link, slots), &received)| {
                let mut send = vec![0.0; STATE * slots.len()];
                let values = send.as_chunks_mut::<STATE>().0.iter_mut();
                values.zip(slots).for_each(|(values, &slot)| {
                    write_motion(&records[slot as usize], values);
                });
                Link { rank: link.rank, send, receive: vec![0.0; STATE * received] }
            })
            .collect();
        comm.start(&mut links);
        comm.finish(&mut links);
        let mut ghosts = records.ghosts().to_vec();
        let values = links.iter().flat_map(|link| link.receive.as_chunks::<STATE>().0);
        ghosts.iter_mut().zip(values).for_each(|(ghost, values)| read_motion(ghost, values));
        ghosts
    }

    /// Removes all ghosts.
    pub(super) fn clear(&mut self) {
        self.set(Vec::new(), Vec::new());
    }

    /// Starts to send `N` numbers of each particle that is a ghost of another rank, which `write` sets.
    fn start<const N: usize>(&mut self, write: impl Fn(usize, &mut [f64; N])) {
        let Some(comm) = &self.comm else { return };
        let sent = self.links.iter_mut().zip(&self.sent);
        for ((link, slots), &received) in sent.zip(&self.received) {
            link.send.resize(N * slots.len(), 0.0);
            link.receive.resize(N * received, 0.0);
            let (values, _) = link.send.as_chunks_mut::<N>();
            for (values, &slot) in values.iter_mut().zip(slots) {
                write(slot as usize, values);
            }
        }
        comm.start(&mut self.links);
    }

    /// True if the numbers of all ghosts have arrived.
    pub(super) fn poll(&mut self) -> bool {
        self.comm.as_ref().is_none_or(|comm| comm.poll(&mut self.links))
    }

    /// Waits for the numbers of the ghosts.
    pub(super) fn finish(&mut self) {
        if let Some(comm) = &self.comm {
            comm.finish(&mut self.links);
        }
    }

    /// The numbers of each ghost that were received.
    fn received<const N: usize>(&self) -> impl Iterator<Item = &[f64; N]> {
        self.links.iter().flat_map(|link| link.receive.as_chunks().0)
    }

    /// Sets the motion of the ghosts from the numbers that were received, with mean motions or kicks if there are any.
    pub(super) fn write_ghosts(
        &self,
        ghosts: &mut [HotData],
        means: &mut [MeanMotion],
        kicks: &mut [HalfKick],
    ) {
        if means.is_empty() && kicks.is_empty() {
            for (ghost, values) in ghosts.iter_mut().zip(self.received::<STATE>()) {
                read_motion(ghost, values);
            }
            return;
        }
        let four = |[x, y, z]: [f64; 3]| [x, y, z, 0.0];
        for (index, values) in self.received::<STATE_AND_MORE>().enumerate() {
            read_motion(&mut ghosts[index], values);
            let (velocity, spin) = (four(three(values, 9)), four(three(values, 12)));
            if let Some(mean) = means.get_mut(index) {
                *mean = MeanMotion { velocity, spin };
            }
            if let Some(kick) = kicks.get_mut(index) {
                *kick = HalfKick { velocity, spin };
            }
        }
    }

    /// Appends the values of the ghosts to those of own particles.
    pub(crate) fn append_values<const N: usize>(&mut self, values: &mut Vec<[f64; N]>) {
        if self.active().is_none() {
            return;
        }
        self.start(|slot, out: &mut [f64; N]| *out = values[slot]);
        self.finish();
        values.extend(self.received::<N>());
    }
}

/// Three numbers from an index on.
fn three(values: &[f64], first: usize) -> [f64; 3] {
    [values[first], values[first + 1], values[first + 2]]
}

/// Writes position, velocity and spin of a particle to a message.
fn write_motion(record: &HotData, out: &mut [f64]) {
    out[..3].copy_from_slice(&record.position);
    out[3..6].copy_from_slice(&record.velocity);
    out[6..9].copy_from_slice(&record.spin);
}

/// Reads position, velocity and spin of a particle from a message.
fn read_motion(record: &mut HotData, values: &[f64]) {
    record.position = three(values, 0);
    record.velocity = three(values, 3);
    record.spin = three(values, 6);
}

impl Engine {
    /// What the evaluation needs of ghosts in addition to their motion.
    pub(super) fn sent_with_motion(&self, elapsed: f64) -> Additional {
        if elapsed > 0.0 && (self.halo.with_means || self.table.layout.anchorage.is_some()) {
            Additional::MeanMotion
        } else if elapsed > 0.0 && self.corrects_slip {
            Additional::Kick
        } else {
            Additional::Nothing
        }
    }

    /// Starts to send the motion of particles that are ghosts of other ranks.
    pub(super) fn start_halo(&mut self, elapsed: f64) {
        if self.halo.active().is_none() {
            return;
        }
        let additional = self.sent_with_motion(elapsed);
        let records = &self.world.particles.records;
        let (motions, kicks) = (&self.trial.motions, &self.trial.kicks);
        if additional == Additional::Nothing {
            return self
                .halo
                .start(|slot, out: &mut [f64; STATE]| write_motion(&records[slot], out));
        }
        self.halo.start(|slot, out: &mut [f64; STATE_AND_MORE]| {
            write_motion(&records[slot], out);
            let (velocity, spin) = if additional == Additional::Kick {
                (&kicks[slot].velocity, &kicks[slot].spin)
            } else {
                (&motions[slot].velocity, &motions[slot].spin)
            };
            out[9..12].copy_from_slice(&velocity[..3]);
            out[12..].copy_from_slice(&spin[..3]);
        });
    }

    /// Runs `act` with the ghosts, in their accepted state and with their ids, among the particles.
    pub(crate) fn with_ghosts<R>(&mut self, act: impl FnOnce(&mut Self) -> R) -> R {
        if self.halo.active().is_none() {
            return act(self);
        }
        let own = self.world.particles.len();
        let records = &self.world.particles.records;
        self.halo.start(|slot, out: &mut [f64; STATE]| write_motion(&records[slot], out));
        self.halo.finish();
        let particles = &mut self.world.particles;
        self.halo.write_ghosts(particles.records.ghosts_mut(), &mut [], &mut []);
        particles.records.show_ghosts(true);
        let ids = self.halo.ids.iter();
        let ghost = |&number: &u32| Metadata { number, group: 0, material: 0, image: [0; 3] };
        particles.metadata.extend(ids.map(ghost));
        let result = act(self);
        self.world.particles.records.show_ghosts(false);
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
        [self.world.particles.len(), self.halo.ids.len()]
    }

    /// True if the particles are divided among several ranks.
    pub(crate) fn is_split(&self) -> bool {
        self.halo.is_split
    }
}
