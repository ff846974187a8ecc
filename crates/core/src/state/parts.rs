//! The particles and contacts of one rank, or of all, as sent to other ranks.

use super::save::save_particle;
use super::{SavedContact, SavedParticle, SavedWallContact};
use crate::Vec3;
use crate::engine::Engine;
use crate::id::{GroupId, MaterialId, ParticleId, WallId};
use crate::partition::indices::FIRST_INDEX;
use crate::wall::ClosestPoint;

/// Particles and contacts, in order of ids.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct RankState {
    pub(super) particles: Vec<SavedParticle>,
    /// Damping and tangential forces on each particle; empty without a ledger.
    pub(super) dissipative_forces: Vec<Vec3>,
    /// Whether each particle has accurate slip.
    pub(super) accurate_slip: Vec<bool>,
    pub(super) contacts: Vec<SavedContact>,
    pub(super) wall_contacts: Vec<SavedWallContact>,
}

impl RankState {
    /// The particles and contacts of an engine. A contact of two ranks belongs to the rank of its first
    /// partner.
    pub(crate) fn of(engine: &Engine) -> Self {
        let slots = || engine.particles().slots_by_id();
        Self {
            particles: slots().map(|slot| save_particle(engine, slot)).collect(),
            dissipative_forces: slots().filter_map(|slot| engine.dissipative_force(slot)).collect(),
            accurate_slip: slots().map(|slot| engine.particles().accurate_slip[slot]).collect(),
            contacts: engine.pair_histories().into_iter().map(SavedContact::new).collect(),
            wall_contacts: engine.wall_histories().into_iter().map(SavedWallContact::new).collect(),
        }
    }

    /// The particles and contacts of all ranks.
    pub(crate) fn merged(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut all = Self::default();
        for part in parts {
            all.particles.extend(part.particles);
            all.dissipative_forces.extend(part.dissipative_forces);
            all.accurate_slip.extend(part.accurate_slip);
            all.contacts.extend(part.contacts);
            all.wall_contacts.extend(part.wall_contacts);
        }
        let mut order: Vec<usize> = (0..all.particles.len()).collect();
        order.sort_unstable_by_key(|&index| all.particles[index].id);
        all.dissipative_forces =
            order.iter().filter_map(|&index| all.dissipative_forces.get(index).copied()).collect();
        all.accurate_slip = order.iter().map(|&index| all.accurate_slip[index]).collect();
        all.particles = order.into_iter().map(|index| all.particles[index]).collect();
        all.contacts.sort_by_key(|contact| contact.partners);
        // stable: contacts of one particle with one wall keep their order
        all.wall_contacts.sort_by_key(|contact| (contact.particle, contact.wall));
        all
    }

    /// Adds these particles and contacts to an engine without particles, and builds the neighbour list. Returns a
    /// defect, if there is one.
    pub(crate) fn restore(&self, engine: &mut Engine) -> Result<(), String> {
        self.add_particles(engine);
        engine.rebuild_uncounted(|_| true);
        let pairs = self.contacts.iter();
        let pairs = pairs.map(|contact| (contact.partners, contact.history.as_slice()));
        engine.restore_pairs(FIRST_INDEX, self.contacts.len(), pairs)?;
        let walls = self.wall_contacts.iter().map(|contact| {
            let point = ClosestPoint { normal: contact.normal, distance: contact.distance };
            (contact.particle, contact.wall, point, contact.history.as_slice())
        });
        engine.restore_walls(FIRST_INDEX, self.wall_contacts.len(), walls).map(drop)
    }

    /// Encodes them as bytes of a message.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut out = Encoder(Vec::new());
        out.count(self.particles.len());
        self.particles.iter().for_each(|particle| encode_particle(&mut out, particle));
        out.count(self.dissipative_forces.len());
        self.dissipative_forces.iter().for_each(|force| out.numbers(&force.to_array()));
        out.count(self.accurate_slip.len());
        self.accurate_slip.iter().for_each(|&accurate| out.word(accurate.into()));
        out.count(self.contacts.len());
        for SavedContact { partners, history } in &self.contacts {
            partners.iter().for_each(|id| out.word(id.number().into()));
            out.numbers_with_count(history);
        }
        out.count(self.wall_contacts.len());
        for contact in &self.wall_contacts {
            out.word(contact.particle.number().into());
            out.word(contact.wall.number().into());
            out.numbers(&contact.normal.to_array());
            out.numbers(&[contact.distance]);
            out.numbers_with_count(&contact.history);
        }
        out.0
    }

    /// Decodes the bytes of a message.
    pub(crate) fn decode(bytes: &[u8]) -> Self {
        let mut input = Decoder(bytes);
        let particles = (0..input.count()).map(|_| decode_particle(&mut input)).collect();
        let dissipative_forces = (0..input.count()).map(|_| Vec3::from_array(input.numbers()));
        let dissipative_forces = dissipative_forces.collect();
        let accurate_slip = (0..input.count()).map(|_| input.word() != 0).collect();
        let contacts = (0..input.count()).map(|_| SavedContact {
            partners: [(); 2].map(|()| ParticleId::new(input.word() as u32)),
            history: input.numbers_with_count(),
        });
        let contacts = contacts.collect();
        let wall_contacts = (0..input.count()).map(|_| SavedWallContact {
            particle: ParticleId::new(input.word() as u32),
            wall: WallId::new(input.word() as u16),
            normal: Vec3::from_array(input.numbers()),
            distance: input.number(),
            history: input.numbers_with_count(),
        });
        let wall_contacts = wall_contacts.collect();
        Self { particles, dissipative_forces, accurate_slip, contacts, wall_contacts }
    }
}

fn encode_particle(out: &mut Encoder, particle: &SavedParticle) {
    out.word(particle.id.number().into());
    out.word(particle.group.number().into());
    out.word(particle.material.number().into());
    out.numbers(&[particle.radius, particle.mass, particle.inertia, particle.charge]);
    out.numbers(&particle.position);
    particle.image.iter().for_each(|&periods| out.word(i64::from(periods) as u64));
    out.numbers(&particle.velocity);
    out.numbers(&particle.spin);
    out.numbers(&particle.orientation);
    out.numbers(&particle.accumulated_angle);
    out.numbers(&particle.force);
    out.numbers(&particle.torque);
    out.word(particle.driver.into());
    out.word(particle.driver_index.into());
    out.numbers(&particle.works);
    out.numbers(&particle.energy_terms);
    out.numbers(&[particle.field_power]);
}

fn decode_particle(input: &mut Decoder<'_>) -> SavedParticle {
    SavedParticle {
        id: ParticleId::new(input.word() as u32),
        group: GroupId::new(input.word() as u16),
        material: MaterialId::new(input.word() as u16),
        radius: input.number(),
        mass: input.number(),
        inertia: input.number(),
        charge: input.number(),
        position: input.numbers(),
        image: [(); 3].map(|()| input.word() as i32),
        velocity: input.numbers(),
        spin: input.numbers(),
        orientation: input.numbers(),
        accumulated_angle: input.numbers(),
        force: input.numbers(),
        torque: input.numbers(),
        driver: input.word() as u16,
        driver_index: input.word() as u32,
        works: input.numbers(),
        energy_terms: input.numbers(),
        field_power: input.number(),
    }
}

/// Writes words of 64 bits.
struct Encoder(Vec<u8>);

impl Encoder {
    fn word(&mut self, word: u64) {
        self.0.extend_from_slice(&word.to_le_bytes());
    }

    fn count(&mut self, count: usize) {
        self.word(count as u64);
    }

    fn numbers(&mut self, numbers: &[f64]) {
        numbers.iter().for_each(|number| self.word(number.to_bits()));
    }

    fn numbers_with_count(&mut self, numbers: &[f64]) {
        self.count(numbers.len());
        self.numbers(numbers);
    }
}

/// Reads words of 64 bits.
struct Decoder<'a>(&'a [u8]);

impl Decoder<'_> {
    /// The next word. Messages come from `encode` and are never too short.
    fn word(&mut self) -> u64 {
        let Some((word, rest)) = self.0.split_first_chunk() else { return 0 };
        self.0 = rest;
        u64::from_le_bytes(*word)
    }

    fn count(&mut self) -> usize {
        self.word() as usize
    }

    fn number(&mut self) -> f64 {
        f64::from_bits(self.word())
    }

    fn numbers<const N: usize>(&mut self) -> [f64; N] {
        std::array::from_fn(|_| self.number())
    }

    fn numbers_with_count(&mut self) -> Vec<f64> {
        (0..self.count()).map(|_| self.number()).collect()
    }
}
