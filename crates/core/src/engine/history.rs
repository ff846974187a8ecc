//! History of contacts by the ids of their partners, for checkpoints and for insertion from another run.

use super::Engine;
use super::contacts::Results;
use crate::id::{ParticleId, WallId};
use crate::partition::indices::{BufferLengths, FIRST_INDEX};
use crate::wall::ClosestPoint;

/// History of a contact between particles: their ids, values.
pub(crate) type PairHistory = ([ParticleId; 2], Vec<f64>);

/// History of a contact with a wall: particle, wall, position of the contact, values.
pub(crate) type WallHistory = (ParticleId, WallId, ClosestPoint, Vec<f64>);

impl Engine {
    /// History of all contacts between particles, in order of ids; on several ranks, of those whose first
    /// partner is an own particle.
    pub(crate) fn pair_histories(&self) -> Vec<([ParticleId; 2], Vec<f64>)> {
        let list = &self.neighbours.list;
        let own = self.listed();
        let all = list.pairs.iter().zip(&list.accepted).enumerate();
        let mut found: Vec<_> = all
            .filter(|(_, (pair, history_index))| **history_index > 0 && (pair[0] as usize) < own)
            .map(|(pair, (slots, &history_index))| {
                (self.ids_of(slots), self.pair_history(pair, history_index as usize))
            })
            .collect();
        found.sort_by_key(|(partners, _)| *partners);
        found
    }

    /// Ids of two slots of the list.
    pub(super) fn ids_of(&self, slots: &[u32; 2]) -> [ParticleId; 2] {
        let own = self.listed();
        slots.map(|slot| match (slot as usize).checked_sub(own) {
            None => self.world.particles.metadata[slot as usize].id(),
            Some(ghost) => ParticleId::new(self.halo.ids[ghost]),
        })
    }

    /// History of the contacts of an own particle with other particles.
    pub(crate) fn pair_histories_of(
        &self,
        slot: usize,
    ) -> impl Iterator<Item = ([ParticleId; 2], Vec<f64>)> {
        let list = &self.neighbours.list;
        // a particle added since the last rebuild has none
        let entries = if slot < self.listed() { list.entries(slot) } else { &[] };
        let pairs = entries.iter().map(|entry| (entry >> 1) as usize);
        pairs.filter(|&pair| list.accepted[pair] > 0).map(|pair| {
            let history_index = list.accepted[pair] as usize;
            (self.ids_of(&list.pairs[pair]), self.pair_history(pair, history_index))
        })
    }

    /// History of all contacts with walls, in order of particle and wall.
    pub(crate) fn wall_histories(&self) -> Vec<WallHistory> {
        self.wall_histories_where(|_| true)
    }

    /// History of the contacts of an own particle with walls, in order of wall.
    pub(crate) fn wall_histories_of(&self, slot: usize) -> impl Iterator<Item = WallHistory> {
        let contacts = &self.contacts.walls;
        let id = self.world.particles.metadata[slot].id();
        contacts.items_of(slot..slot + 1).flat_map(move |item| {
            let (wall, [first, count]) = (contacts.items[item].wall, contacts.accepted[item]);
            (first as usize..(first + count) as usize).map(move |history_index| {
                (
                    id,
                    WallId::new(wall),
                    contacts.accepted_points[history_index],
                    self.wall_history(history_index),
                )
            })
        })
    }

    /// The same for the particles in selected slots.
    pub(crate) fn wall_histories_where(&self, wanted: impl Fn(usize) -> bool) -> Vec<WallHistory> {
        let contacts = &self.contacts.walls;
        let mut found = Vec::new();
        let items = contacts.items.iter().zip(&contacts.accepted);
        for (item, &[first, count]) in items.filter(|(item, _)| wanted(item.particle as usize)) {
            let id = self.world.particles.metadata[item.particle as usize].id();
            for history_index in first as usize..(first + count) as usize {
                let point = contacts.accepted_points[history_index];
                found.push((id, WallId::new(item.wall), point, self.wall_history(history_index)));
            }
        }
        // stable: contacts of one particle with one wall keep their order
        found.sort_by_key(|(particle, wall, ..)| (*particle, *wall));
        found
    }

    /// Sets the history of contacts between particles of a restored state, from an index of the history columns on.
    /// Returns the next index, or a defect of the input, if there is one.
    pub(crate) fn restore_pairs<'a>(
        &mut self,
        first_index: usize,
        count: usize,
        saved: impl Iterator<Item = ([ParticleId; 2], &'a [f64])>,
    ) -> Result<usize, String> {
        let needed = BufferLengths { history: first_index + count, results: 0 };
        self.contacts.pairs.reserve(needed, self.table.extras);
        let (own, ghosts) = (self.world.particles.len() as u32, self.halo.ghosts_by_id());
        let mut history_index = first_index;
        for (partners, history) in saved {
            let [Some(first), Some(second)] = partners.map(|id| self.listed_slot(id, own, &ghosts))
            else {
                return Err(format!("particles {} of a contact are missing", names(partners)));
            };
            let Some(pair) = self.neighbours.list.index_of([first, second]) else {
                return Err(format!("particles {} are not in contact", names(partners)));
            };
            self.set_pair_history(pair, history_index, history);
            history_index += 1;
        }
        Ok(history_index)
    }

    /// The slot of an own particle or ghost in the list.
    fn listed_slot(&self, id: ParticleId, own: u32, ghosts: &[(u32, u32)]) -> Option<u32> {
        match self.world.particles.slot(id) {
            Some(slot) => Some(slot as u32),
            None => {
                let index = ghosts.binary_search_by_key(&id.number(), |ghost| ghost.0).ok()?;
                Some(own + ghosts[index].1)
            }
        }
    }

    /// Sets the history of contacts with walls of a restored state; as [`Self::restore_pairs`].
    pub(crate) fn restore_walls<'a>(
        &mut self,
        first_index: usize,
        count: usize,
        saved: impl Iterator<Item = (ParticleId, WallId, ClosestPoint, &'a [f64])>,
    ) -> Result<usize, String> {
        self.reserve_wall_histories(first_index + count);
        let mut history_index = first_index;
        for (particle, wall, point, history) in saved {
            let slot = self.world.particles.slot(particle);
            let item = slot.and_then(|slot| self.contacts.walls.item_of(slot, wall.number()));
            let Some(item) = item else {
                return Err(format!("particle {particle} does not touch its wall"));
            };
            self.set_wall_history(item, history_index, point, history);
            history_index += 1;
        }
        self.contacts.results = Results::None;
        Ok(history_index)
    }

    /// The contacts of own particles with ghosts of which the own particle is the first partner, for the rank of
    /// each ghost.
    pub(crate) fn histories_with_ghosts(&self) -> Vec<(usize, Vec<PairHistory>)> {
        let (list, own) = (&self.neighbours.list, self.listed());
        let ranks = self.halo.ranks_of_ghosts();
        let mut found: Vec<(usize, Vec<PairHistory>)> = Vec::new();
        for (pair, slots) in list.pairs.iter().enumerate() {
            let [first, second] = slots.map(|slot| slot as usize);
            let history_index = list.accepted[pair] as usize;
            if history_index == 0 || first >= own || second < own {
                continue;
            }
            let rank = ranks[second - own];
            let index = found.iter().position(|(to, _)| *to == rank).unwrap_or_else(|| {
                found.push((rank, Vec::new()));
                found.len() - 1
            });
            found[index].1.push((self.ids_of(slots), self.pair_history(pair, history_index)));
        }
        found
    }

    /// Sets the history of new contacts between particles. Contacts that are not in the list, or already have a
    /// history, are ignored.
    pub(crate) fn add_pairs<'a>(
        &mut self,
        count: usize,
        added: impl Iterator<Item = ([ParticleId; 2], &'a [f64])>,
    ) {
        let used = self.neighbours.list.accepted.iter().copied().max().unwrap_or(0) as usize;
        let mut history_index = FIRST_INDEX.max(used + 1);
        let needed = BufferLengths { history: history_index + count, results: 0 };
        self.contacts.pairs.reserve(needed, self.table.extras);
        let (own, ghosts) = (self.world.particles.len() as u32, self.halo.ghosts_by_id());
        for (partners, history) in added {
            let [Some(first), Some(second)] = partners.map(|id| self.listed_slot(id, own, &ghosts))
            else {
                continue;
            };
            if first.min(second) >= own {
                continue;
            }
            if let Some(pair) = self.neighbours.list.index_of([first, second])
                && self.neighbours.list.accepted[pair] == 0
            {
                self.set_pair_history(pair, history_index, history);
                history_index += 1;
            }
        }
    }

    /// Sets the history of new contacts with walls. Contacts that do not exist are ignored.
    pub(crate) fn add_walls<'a>(
        &mut self,
        count: usize,
        added: impl Iterator<Item = (ParticleId, WallId, ClosestPoint, &'a [f64])>,
    ) {
        let contacts = &self.contacts.walls;
        let used = contacts.accepted.iter().map(|[first, count]| first + count).max().unwrap_or(0);
        let mut history_index = FIRST_INDEX.max(used as usize);
        self.reserve_wall_histories(history_index + count);
        for (particle, wall, point, history) in added {
            let Some(slot) = self.world.particles.slot(particle) else { continue };
            let Some(item) = self.contacts.walls.item_of(slot, wall.number()) else { continue };
            let [first, count] = self.contacts.walls.accepted[item];
            // contacts of one item have consecutive indices; the items of a particle are contiguous
            if count == 0 || (first + count) as usize == history_index {
                self.set_wall_history(item, history_index, point, history);
                history_index += 1;
            }
        }
    }

    fn reserve_wall_histories(&mut self, count: usize) {
        let contacts = &mut self.contacts.walls;
        contacts.state.reserve(BufferLengths { history: count, results: count }, self.table.extras);
        contacts.accepted_points.resize(contacts.state.results.len(), ClosestPoint::NONE);
    }

    /// Assigns this history to a pair of the list.
    fn set_pair_history(&mut self, pair: usize, history_index: usize, history: &[f64]) {
        self.neighbours.list.accepted[pair] = history_index as u32;
        let columns = self.table.layout.width.min(history.len());
        self.contacts.pairs.accepted.set_history(history_index, &history[..columns]);
        self.contacts.stored.set_pair(pair, &history[columns..]);
    }

    fn set_wall_history(
        &mut self,
        item: usize,
        history_index: usize,
        point: ClosestPoint,
        history: &[f64],
    ) {
        let contacts = &mut self.contacts.walls;
        let [first, count] = &mut contacts.accepted[item];
        if *count == 0 {
            *first = history_index as u32;
        }
        *count += 1;
        contacts.accepted_points[history_index] = point;
        let columns = self.table.layout.width.min(history.len());
        contacts.state.accepted.set_history(history_index, &history[..columns]);
        self.contacts.stored.set_wall(history_index, &history[columns..]);
    }

    /// All history of a contact between particles: columns, then values stored outside them.
    fn pair_history(&self, pair: usize, history_index: usize) -> Vec<f64> {
        let columns = self.contacts.pairs.accepted.of_contact(history_index);
        columns.chain(self.contacts.stored.pair(pair).iter().copied()).collect()
    }

    /// All history of a contact with a wall: columns, then values stored outside them.
    fn wall_history(&self, history_index: usize) -> Vec<f64> {
        let columns = self.contacts.walls.state.accepted.of_contact(history_index);
        columns.chain(self.contacts.stored.wall(history_index).iter().copied()).collect()
    }
}

fn names([first, second]: [ParticleId; 2]) -> String {
    format!("[{first}, {second}]")
}
