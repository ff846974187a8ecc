//! Particles that change their owner, with their contacts.
//!
//! A contact of two ranks is stored by both owners. The rank that gives a particle away sends all contacts of
//! this particle; one that the receiver has already is left out there.

use super::RankState;
use super::restore::restore_particle;
use super::save::save_particle;
use super::{SavedContact, SavedWallContact};
use crate::Vec3;
use crate::engine::Engine;
use crate::ranks::Comm;
use crate::wall::ClosestPoint;

impl RankState {
    /// Gives each own particle to its owner, by slot, and rebuilds the neighbour list. All ranks do so
    /// together.
    pub(crate) fn migrate(engine: &mut Engine, comm: &dyn Comm, owners: &[u32]) {
        engine.record_wall_loads();
        let own = comm.rank() as u32;
        let messages = (0..comm.size() as u32).filter(|&rank| rank != own).filter_map(|rank| {
            let parts = Self::of_slots(engine, |slot| owners.get(slot) == Some(&rank));
            (!parts.particles.is_empty()).then(|| (rank as usize, parts.encode()))
        });
        let received = comm.exchange(messages.collect());
        let arrivals: Vec<Self> = received.iter().map(|(_, bytes)| Self::decode(bytes)).collect();
        drop(received);
        let all = 0..engine.particles().len() as u32;
        let kept: Vec<u32> = all.filter(|&slot| owners[slot as usize] == own).collect();
        engine.rebuild_with_arrivals(&kept, |engine| {
            arrivals.iter().for_each(|parts| parts.add_particles(engine));
        });
        arrivals.iter().for_each(|parts| parts.add_contacts(engine));
    }

    /// The own particles in selected slots, with all of their contacts.
    fn of_slots(engine: &Engine, wanted: impl Fn(usize) -> bool) -> Self {
        let slots: Vec<usize> =
            (0..engine.particles().len()).filter(|&slot| wanted(slot)).collect();
        let contacts = slots.iter().flat_map(|&slot| engine.pair_histories_of(slot));
        let walls = engine.wall_histories_where(&wanted);
        Self {
            particles: slots.iter().map(|&slot| save_particle(engine, slot)).collect(),
            dissipative_forces: slots
                .iter()
                .filter_map(|&slot| engine.dissipative_force(slot))
                .collect(),
            accurate_slip: slots
                .iter()
                .map(|&slot| engine.particles().accurate_slip[slot])
                .collect(),
            contacts: contacts.map(SavedContact::new).collect(),
            wall_contacts: walls.into_iter().map(SavedWallContact::new).collect(),
        }
    }

    /// Adds the particles to those of an engine.
    pub(super) fn add_particles(&self, engine: &mut Engine) {
        let forces = self.dissipative_forces.iter().copied().chain(std::iter::repeat(Vec3::ZERO));
        let accurate_slip = self.accurate_slip.iter().copied().chain(std::iter::repeat(false));
        for ((saved, force), accurate) in self.particles.iter().zip(forces).zip(accurate_slip) {
            restore_particle(engine, saved, force, accurate);
        }
    }

    /// Adds the history of the contacts to those of an engine, after its list was rebuilt.
    fn add_contacts(&self, engine: &mut Engine) {
        let pairs = self.contacts.iter();
        let pairs = pairs.map(|contact| (contact.partners, contact.history.as_slice()));
        engine.add_pairs(self.contacts.len(), pairs);
        let walls = self.wall_contacts.iter().map(|contact| {
            let point = ClosestPoint { normal: contact.normal, distance: contact.distance };
            (contact.particle, contact.wall, point, contact.history.as_slice())
        });
        engine.add_walls(self.wall_contacts.len(), walls);
    }
}
