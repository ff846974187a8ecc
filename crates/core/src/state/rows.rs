//! The state of all ranks in order of id, part by part, so that no rank needs memory for all particles.

use super::save::save_particle;
use super::{RankState, SavedContact, SavedParticle, SavedWallContact, State};
use crate::Vec3;
use crate::engine::Engine;
use crate::particles::HotData;
use crate::ranks::{Comm, SingleRank};
use crate::simulation::Simulation;
use crate::snapshot::{ContactView, ParticleView, Snapshot};
use std::borrow::Cow;
use std::ops::Range;

/// Number of rows of a section: particles with their contacts.
pub const ROWS_OF_SECTION: usize = 4096;

/// Largest number of ranges of ids in which particles are counted.
const MOST_BUCKETS: u64 = 1 << 20;

/// Ids of particles: from the first to below the second.
pub type IdRange = Range<u32>;

/// Particles of a section, in order of id.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ParticleRows {
    pub(super) particles: Vec<SavedParticle>,
    pub(super) dissipative_forces: Vec<Vec3>,
    pub(super) accurate_slip: Vec<bool>,
}

impl ParticleRows {
    /// Number of particles.
    pub fn len(&self) -> usize {
        self.particles.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.particles.is_empty()
    }
}

/// Contacts of a section, in order of ids. They belong to the row of their first partner.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ContactRows {
    pub(super) contacts: Vec<SavedContact>,
    pub(super) wall_contacts: Vec<SavedWallContact>,
}

impl ContactRows {
    /// Adds the contacts of the next section.
    pub fn append(&mut self, next: Self) {
        self.contacts.extend(next.contacts);
        self.wall_contacts.extend(next.wall_contacts);
    }
}

/// The particles of a section; stored as [`ParticleRows`].
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ParticleSection<'a> {
    particles: &'a [SavedParticle],
    dissipative_forces: &'a [Vec3],
    accurate_slip: &'a [bool],
}

/// The contacts of a section; stored as [`ContactRows`].
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ContactSection<'a> {
    contacts: &'a [SavedContact],
    wall_contacts: &'a [SavedWallContact],
}

/// A section: at most [`ROWS_OF_SECTION`] particles, and the contacts of which they are the first partners.
pub type Section<'a> = (ParticleSection<'a>, ContactSection<'a>);

/// Divides rows in order of id into sections.
fn sections<'a>(
    particles: &'a [SavedParticle],
    (forces, accurate_slip): (&'a [Vec3], &'a [bool]),
    mut contacts: &'a [SavedContact],
    mut wall_contacts: &'a [SavedWallContact],
) -> Vec<Section<'a>> {
    let mut all = Vec::with_capacity(particles.len().div_ceil(ROWS_OF_SECTION));
    let mut forces = forces.chunks(ROWS_OF_SECTION);
    let mut accurate_slip = accurate_slip.chunks(ROWS_OF_SECTION);
    for particles in particles.chunks(ROWS_OF_SECTION) {
        let Some(last) = particles.last().map(|particle| particle.id) else { continue };
        let (own, rest) =
            contacts.split_at(contacts.partition_point(|contact| contact.partners[0] <= last));
        contacts = rest;
        let (own_walls, rest) = wall_contacts
            .split_at(wall_contacts.partition_point(|contact| contact.particle <= last));
        wall_contacts = rest;
        all.push((
            ParticleSection {
                particles,
                dissipative_forces: forces.next().unwrap_or_default(),
                accurate_slip: accurate_slip.next().unwrap_or_default(),
            },
            ContactSection { contacts: own, wall_contacts: own_walls },
        ));
    }
    all
}

/// Consecutive rows of a state, in order of id.
#[derive(Debug, Clone, PartialEq)]
pub struct Part(RankState);

impl Part {
    /// Its sections.
    pub fn sections(&self) -> Vec<Section<'_>> {
        let RankState { particles, dissipative_forces, accurate_slip, contacts, wall_contacts } =
            &self.0;
        sections(particles, (dissipative_forces, accurate_slip), contacts, wall_contacts)
    }
}

impl State {
    /// Its sections.
    #[doc(hidden)]
    pub fn sections(&self) -> Vec<Section<'_>> {
        let of_particles = (&self.dissipative_forces[..], &self.accurate_slip[..]);
        sections(&self.particles, of_particles, &self.contacts, &self.wall_contacts)
    }

    /// The state without particles and contacts.
    #[doc(hidden)]
    pub fn header(&self) -> Self {
        Self {
            clock: self.clock,
            step_counts: self.step_counts,
            stage: self.stage.clone(),
            counts: self.counts,
            inserted_energy: self.inserted_energy,
            turnover: self.turnover,
            departed_kinetic: self.departed_kinetic,
            departed_works: self.departed_works,
            half_step_difference: self.half_step_difference,
            dissipative_forces: Vec::new(),
            accurate_slip: Vec::new(),
            advice: self.advice,
            control: self.control,
            warnings: self.warnings.clone(),
            fewest_steps: self.fewest_steps,
            overlaps: self.overlaps,
            groups: self.groups.clone(),
            materials: self.materials.clone(),
            history: self.history.clone(),
            walls: self.walls.clone(),
            particles: Vec::new(),
            contacts: Vec::new(),
            wall_contacts: Vec::new(),
        }
    }

    /// Adds the rows of the next section.
    #[doc(hidden)]
    pub fn add_section(&mut self, particles: ParticleRows, contacts: ContactRows) {
        self.particles.extend(particles.particles);
        self.dissipative_forces.extend(particles.dissipative_forces);
        self.accurate_slip.extend(particles.accurate_slip);
        self.contacts.extend(contacts.contacts);
        self.wall_contacts.extend(contacts.wall_contacts);
    }
}

/// Own particles and the ghosts of other ranks.
#[derive(Debug)]
pub struct Surroundings<'a>(Cow<'a, [HotData]>);

/// Counts over all particles and contacts.
#[derive(Debug, Clone, PartialEq)]
pub struct Census {
    /// Number of particles.
    pub particles: u64,
    /// Number of touching contacts, walls included.
    pub contacts: u64,
    /// Sum of the numbers of touching partners of all particles.
    pub touching: u64,
    /// Number of particles with at most one touching partner.
    pub loose: u64,
    /// Height of the highest point above the origin; minus infinity without particles [m].
    pub highest: f64,
    /// Largest overlap as a fraction of the smaller radius.
    pub largest_overlap: f64,
    /// Number of touching partners of each particle of this rank, by slot.
    by_slot: Vec<u32>,
}

/// Access to the particles of all ranks in order of id. Its methods are collective operations of all ranks.
#[derive(Debug)]
pub struct Rows<'a> {
    simulation: &'a Simulation,
    comm: &'a dyn Comm,
}

impl Simulation {
    /// The particles of all ranks in order of id.
    #[doc(hidden)]
    pub fn rows(&self) -> Rows<'_> {
        let comm = self.split_comm().unwrap_or(&SingleRank);
        Rows { simulation: self, comm }
    }
}

impl<'a> Rows<'a> {
    /// The ranks that have particles.
    pub fn comm(&self) -> &'a dyn Comm {
        self.comm
    }

    /// The state without particles and contacts.
    pub fn header(&self) -> State {
        let walls = self.simulation.engine.walls_with_loads();
        self.simulation.state_with(&walls, RankState::default())
    }

    /// The number of particles, and their ids in parts of `rows` particles each; the last part may have fewer.
    pub fn parts(&self, rows: usize) -> (usize, Vec<IdRange>) {
        let (count, firsts) = match self.comm.size() {
            1 => self.firsts_of_one_rank(rows),
            _ => self.firsts(rows),
        };
        let ends = firsts.iter().skip(1).copied().chain([u32::MAX]);
        let starts = [0].into_iter().chain(firsts.iter().skip(1).copied());
        let parts = starts.zip(ends).map(|(start, end)| start..end);
        (count, parts.take(firsts.len()).collect())
    }

    fn firsts_of_one_rank(&self, rows: usize) -> (usize, Vec<u32>) {
        let particles = self.simulation.engine.particles();
        let slots = particles.slots();
        let firsts = slots.iter().step_by(rows);
        (slots.len(), firsts.map(|&slot| particles.metadata[slot as usize].number).collect())
    }

    /// The id of every particle whose row is a multiple of `rows`. Particles are counted in ranges of ids; only the ids
    /// in the ranges that contain such a row are compared.
    fn firsts(&self, rows: usize) -> (usize, Vec<u32>) {
        let next_id = self.simulation.schedule.next_id;
        let shift = (0..).find(|&shift| next_id >> shift < MOST_BUCKETS).unwrap_or(0);
        let metadata = &self.simulation.engine.particles().metadata;
        let mut counts = vec![0_i64; (next_id >> shift) as usize + 1];
        metadata.iter().for_each(|one| counts[one.number as usize >> shift] += 1);
        self.comm.sum(&mut counts);
        // buckets with a wanted row: the row at which the bucket begins
        let mut wanted = std::collections::BTreeMap::new();
        let mut before = 0_usize;
        for (bucket, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            let end = before + count as usize;
            if before.next_multiple_of(rows) < end {
                wanted.insert(bucket, before);
            }
            before = end;
        }
        drop(counts);
        let own = metadata.iter().map(|one| one.number);
        let own = own.filter(|&id| wanted.contains_key(&(id as usize >> shift)));
        let message: Vec<u8> = own.flat_map(u32::to_le_bytes).collect();
        let mut ids: Vec<u32> =
            self.comm.gather(&message).iter().flat_map(|bytes| words(bytes)).collect();
        ids.sort_unstable();
        let mut firsts = Vec::new();
        for ids in ids.chunk_by(|a, b| a >> shift == b >> shift) {
            let row = wanted.get(&(ids[0] as usize >> shift)).copied().unwrap_or(0);
            let skip = row.next_multiple_of(rows) - row;
            firsts.extend(ids.iter().skip(skip).step_by(rows).flat_map(|id| id.to_le_bytes()));
        }
        self.comm.broadcast(&mut firsts);
        (before, words(&firsts).collect())
    }

    /// The particles and contacts of a part; `ids` are the ids that each rank receives.
    pub fn part(&self, ids: &[IdRange]) -> Part {
        let engine = &self.simulation.engine;
        if self.comm.size() == 1 {
            return Part(RankState::of_rows(engine, self.slots(&ids[0])));
        }
        let messages = self.exchange(ids, |slots| RankState::of_rows(engine, slots).encode());
        Part(RankState::merged(messages.iter().map(|bytes| RankState::decode(bytes))))
    }

    /// The current state without particles and contacts.
    pub fn snapshot_without_rows(&self) -> Snapshot {
        self.simulation.snapshot_without_rows()
    }

    /// Own particles with the ghosts of other ranks, for the evaluation of contacts.
    pub fn surroundings(&self) -> Surroundings<'a> {
        Surroundings(self.simulation.engine.records_with_ghosts())
    }

    /// Counts over the contacts of all ranks; `up` is the direction of heights.
    pub fn census(&self, with: &Surroundings<'_>, up: Vec3) -> Census {
        let (engine, records) = (&self.simulation.engine, &with.0);
        let own = engine.particles().len();
        let mut coordination = vec![0_u32; own];
        let (mut contacts, mut largest) = (0_i64, 0.0_f64);
        engine.for_each_view(records, |slots, view| {
            let [first, second] = slots;
            let radius = |slot: Option<usize>| slot.map_or(f64::INFINITY, |at| records[at].radius);
            largest = largest.max(view.overlap / radius(first).min(radius(second)));
            if view.overlap > 0.0 {
                // a contact of two ranks is counted by that of its first partner
                contacts += i64::from(first.is_some_and(|slot| slot < own));
                let both = slots.into_iter().flatten();
                both.filter(|slot| *slot < own).for_each(|slot| coordination[slot] += 1);
            }
        });
        let particles = &engine.particles().records;
        let height = |record: &HotData| Vec3::from_array(record.position).dot(up) + record.radius;
        let highest = particles.iter().map(height).fold(f64::NEG_INFINITY, f64::max);
        let touching: i64 = coordination.iter().map(|count| i64::from(*count)).sum();
        let loose = coordination.iter().filter(|count| **count <= 1).count() as i64;
        let mut sums = [own as i64, contacts, touching, loose];
        self.comm.sum(&mut sums);
        let [particles, contacts, touching, loose] = sums.map(|sum| sum as u64);
        let [_, highest] = engine.bounds_over_ranks([0.0, highest]);
        let [largest_overlap] = engine.largest([largest]);
        let by_slot = coordination;
        Census { particles, contacts, touching, loose, highest, largest_overlap, by_slot }
    }

    /// Counts without contacts: all coordination numbers are zero.
    pub fn without_contacts(&self) -> Census {
        Census {
            particles: self.simulation.counts().present,
            contacts: 0,
            touching: 0,
            loose: 0,
            highest: f64::NEG_INFINITY,
            largest_overlap: 0.0,
            by_slot: Vec::new(),
        }
    }

    /// Bytes of each particle, concatenated in order of id; `ids` are the ids whose bytes each rank receives. `write`
    /// appends those of an own particle.
    pub fn particle_bytes(
        &self,
        ids: &[IdRange],
        census: &Census,
        write: impl Fn(&ParticleView, &mut Vec<u8>),
    ) -> Vec<u8> {
        self.bytes(ids, |slots, bytes| {
            let append = |&slot: &u32| {
                let (slot, before) = (slot as usize, bytes.len());
                let coordination = census.by_slot.get(slot).copied().unwrap_or(0);
                write(&self.simulation.particle_view(slot, coordination), bytes);
                (bytes.len() - before) as u32
            };
            slots.iter().map(append).collect()
        })
    }

    /// Bytes of each contact, concatenated in order of (first, second); `ids` are those of the first partners.
    pub fn contact_bytes(
        &self,
        ids: &[IdRange],
        with: &Surroundings<'_>,
        write: impl Fn(&ContactView, &mut Vec<u8>),
    ) -> Vec<u8> {
        let engine = &self.simulation.engine;
        self.bytes(ids, |slots, bytes| {
            let views = engine.views_of(&with.0, slots);
            let mut views = views.iter().peekable();
            let append = |&slot: &u32| {
                let (id, before) = (engine.particles().metadata[slot as usize].id(), bytes.len());
                while let Some(view) = views.next_if(|view| view.first == id) {
                    write(view, bytes);
                }
                (bytes.len() - before) as u32
            };
            slots.iter().map(append).collect()
        })
    }

    /// Bytes of each particle, concatenated in order of id. `write` appends those of own particles, given by their
    /// slots in order of id, and returns the number of bytes of each.
    fn bytes(&self, ids: &[IdRange], write: impl Fn(&[u32], &mut Vec<u8>) -> Vec<u32>) -> Vec<u8> {
        if self.comm.size() == 1 {
            let mut bytes = Vec::new();
            write(self.slots(&ids[0]), &mut bytes);
            return bytes;
        }
        let metadata = &self.simulation.engine.particles().metadata;
        let messages = self.exchange(ids, |slots| {
            let (mut index, mut bytes) = (Vec::new(), Vec::new());
            for (slot, length) in slots.iter().zip(write(slots, &mut bytes)) {
                index.extend(metadata[*slot as usize].number.to_le_bytes());
                index.extend(length.to_le_bytes());
            }
            let length = (slots.len() as u32).to_le_bytes();
            [&length[..], &index, &bytes].concat()
        });
        in_order_of_id(&messages)
    }

    /// Own slots in order of id within a range of ids.
    fn slots(&self, ids: &IdRange) -> &'a [u32] {
        let particles = self.simulation.engine.particles();
        let slots = particles.slots();
        let at =
            |id: u32| slots.partition_point(|&slot| particles.metadata[slot as usize].number < id);
        &slots[at(ids.start)..at(ids.end).max(at(ids.start))]
    }

    /// Sends to each rank a message about own particles with its ids; returns the messages for this rank.
    fn exchange(&self, ids: &[IdRange], message: impl Fn(&[u32]) -> Vec<u8>) -> Vec<Vec<u8>> {
        let own = self.comm.rank();
        let others = ids.iter().enumerate().filter(|(rank, _)| *rank != own);
        let others = others.map(|(rank, ids)| (rank, self.slots(ids)));
        let sent = others.filter(|(_, slots)| !slots.is_empty());
        let sent = sent.map(|(rank, slots)| (rank, message(slots))).collect();
        let mut received: Vec<Vec<u8>> =
            self.comm.exchange(sent).into_iter().map(|(_, bytes)| bytes).collect();
        received.push(message(self.slots(&ids[own])));
        received
    }
}

/// The bytes of the particles in messages of [`Rows::bytes`], in order of id.
fn in_order_of_id(messages: &[Vec<u8>]) -> Vec<u8> {
    let mut entries = Vec::new();
    for message in messages {
        let mut head = words(message);
        let count = head.next().unwrap_or(0) as usize;
        let mut at = 4 + 8 * count;
        for _ in 0..count {
            let (Some(id), Some(length)) = (head.next(), head.next()) else { break };
            let end = at + length as usize;
            entries.push((id, &message[at..end]));
            at = end;
        }
    }
    entries.sort_unstable_by_key(|(id, _)| *id);
    entries.iter().flat_map(|(_, bytes)| bytes.iter().copied()).collect()
}

fn words(bytes: &[u8]) -> impl Iterator<Item = u32> {
    bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word))
}

impl RankState {
    /// The own particles in these slots, with the contacts of which they are the first partner.
    fn of_rows(engine: &Engine, slots: &[u32]) -> Self {
        let slots = || slots.iter().map(|&slot| slot as usize);
        let mut contacts = Vec::new();
        let mut wall_contacts = Vec::new();
        for slot in slots() {
            let id = engine.particles().metadata[slot].id();
            let pairs = engine.pair_histories_of(slot).filter(|(partners, _)| partners[0] == id);
            let first = contacts.len();
            contacts.extend(pairs.map(SavedContact::new));
            contacts[first..].sort_unstable_by_key(|contact| contact.partners);
            wall_contacts.extend(engine.wall_histories_of(slot).map(SavedWallContact::new));
        }
        Self {
            particles: slots().map(|slot| save_particle(engine, slot)).collect(),
            dissipative_forces: slots().filter_map(|slot| engine.dissipative_force(slot)).collect(),
            accurate_slip: slots().map(|slot| engine.particles().accurate_slip[slot]).collect(),
            contacts,
            wall_contacts,
        }
    }
}
