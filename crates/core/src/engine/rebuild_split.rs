//! The neighbour list of a rank: own particles and ghosts.
//!
//! Pairs are found among own particles and ghosts together, sorted by cell. Then own particles are
//! numbered in this order: first the inner ones, which no other rank needs, then the outer ones. The ghosts follow in
//! the order of the messages. Pairs of two ghosts are left out. Inner particles have no pairs with ghosts, so that
//! their contacts are evaluated while messages are in flight.

use super::Engine;
use super::carry_over::{OldPairs, carry_pairs};
use super::halo::Neighbour;
use super::rank_boxes::RankBox;
use super::rebuild::SkinChoice;
use crate::neighbour::cell_neighbours::padded;
use crate::neighbour::list::{FinalSlots, Label, ListInput};
use crate::particles::{HotData, NO_SLOT, Records, permute};
use crate::partition::Partition;
use crate::phases::Phase;
use crate::ranks::gather_everywhere;
use crate::search::{Hierarchy, Layers, finder};

/// Received particles of other ranks.
#[derive(Default)]
struct Ghosts {
    records: Vec<HotData>,
    labels: Vec<Label>,
    extents: Vec<f64>,
}

/// Bytes of a ghost in a message: its record, extent, id and material.
const RECORD: usize = size_of::<HotData>();
const GHOST: usize = RECORD + 8 + 4 + 2;

impl Ghosts {
    /// Writes an own particle into a message.
    fn write(message: &mut Vec<u8>, record: &HotData, label: &Label, extent: f64) {
        message.extend_from_slice(bytemuck::bytes_of(record));
        message.extend_from_slice(&extent.to_le_bytes());
        message.extend_from_slice(&label.number.to_le_bytes());
        message.extend_from_slice(&label.material.to_le_bytes());
    }

    /// Appends the particles of a message.
    fn read(&mut self, message: &[u8]) {
        for bytes in message.as_chunks::<GHOST>().0 {
            let record: HotData = bytemuck::pod_read_unaligned(&bytes[..RECORD]);
            let (extent, rest) = bytes[RECORD..].split_at(8);
            let (number, material) = rest.split_at(4);
            let number = u32::from_le_bytes(number.try_into().unwrap_or_default());
            let material = u16::from_le_bytes(material.try_into().unwrap_or_default());
            let is_held = record.inverse_mass <= 0.0;
            self.labels.push(Label { number, material, is_held });
            self.extents.push(f64::from_le_bytes(extent.try_into().unwrap_or_default()));
            self.records.push(record);
        }
    }
}

impl Engine {
    /// Divides the particles, of which each rank has all, among the ranks: keeps those in slots for which `is_own` is
    /// true.
    pub(crate) fn split(&mut self, is_own: impl Fn(usize) -> bool) {
        self.halo.is_split = true;
        self.reset_balance();
        let kept: Vec<u32> =
            (0..self.world.particles.len() as u32).filter(|&slot| is_own(slot as usize)).collect();
        self.rebuild_split(&kept, |_| ());
    }

    /// Rebuilds the neighbour list after ownership has changed: particles in the slots `kept` stay, and
    /// `arrive` adds those that come from other ranks. Their contacts are added afterwards.
    pub(crate) fn rebuild_with_arrivals(&mut self, kept: &[u32], arrive: impl FnOnce(&mut Self)) {
        self.reset_balance();
        self.rebuild_split(kept, arrive);
    }

    /// Ends the division and removes all particles and contacts; the caller then adds all of them on each rank.
    pub(crate) fn end_split(&mut self) {
        self.halo.is_split = false;
        self.halo.clear();
        self.world.particles.clear();
        self.neighbours.list.pairs.clear();
        self.neighbours.list.accepted.clear();
        self.contacts.walls.items.clear();
        self.contacts.walls.accepted.clear();
        if let Some(ledger) = &mut self.ledger {
            ledger.clear();
        }
    }

    /// Rebuilds the neighbour list of a rank, together with all other ranks. Particles not in `kept` belong to another
    /// rank from now on, and `arrive` adds those that now belong to this one.
    pub(super) fn rebuild_split(&mut self, kept: &[u32], arrive: impl FnOnce(&mut Self)) {
        self.workers.phases.end(Phase::Other);
        self.world.join_walls();
        let touching = self.neighbours.contacts();
        let old_ids = self.ids_with_ghosts();
        let choice = self.choose_skins(touching);
        let listed = self.listed();
        self.reorder(kept);
        arrive(self);
        let extents = self.set_skins(&choice.rule, choice.driven);
        let (ghosts, mut neighbours) = self.exchange_ghosts(&extents);
        let mut sorted = self.sort_with_ghosts(&ghosts, &extents, &choice, touching);
        drop(extents);
        sorted.number_own(neighbours.iter().flat_map(|one| &one.sent));
        let own_order = sorted.own_order();
        self.reorder_columns(&own_order);
        // where each particle has gone, first to the kept ones, then to the sorted ones
        let mut of_stored = vec![NO_SLOT; own_order.len()];
        for (slot, &old) in own_order.iter().enumerate() {
            of_stored[old as usize] = slot as u32;
        }
        let mut new_slot = vec![NO_SLOT; old_ids.len()];
        for (&old, &slot) in kept.iter().zip(&of_stored) {
            // particles that were added since the last rebuild are not in the old list
            if (old as usize) < listed {
                new_slot[old as usize] = slot;
            }
        }
        for slot in neighbours.iter_mut().flat_map(|one| &mut one.sent) {
            *slot = of_stored[*slot as usize];
        }
        self.list_with_ghosts(&mut sorted, &choice, &old_ids, &new_slot, touching);
        self.world.particles.records = sorted.records(&ghosts);
        drop(sorted);
        let extents = self.set_skins(&choice.rule, choice.driven);
        self.list_walls(&new_slot, &extents);
        let ids = ghosts.labels.iter().map(|label| label.number).collect();
        self.halo.set(neighbours, ids);
        self.end_rebuild();
    }

    /// Number of own particles in the current list. Ghosts have the following slots; particles added since are not in
    /// the list.
    pub(super) fn listed(&self) -> usize {
        self.neighbours.partition.count().min(self.world.particles.len())
    }

    /// Ids of the own particles in the present list, then of ghosts.
    fn ids_with_ghosts(&self) -> Vec<u32> {
        let own = &self.world.particles.metadata[..self.listed()];
        let own = own.iter().map(|one| one.number);
        own.chain(self.halo.ids.iter().copied()).collect()
    }

    /// Sends own particles to the ranks that need them, and receives ghosts.
    fn exchange_ghosts(&mut self, extents: &[f64]) -> (Ghosts, Vec<Neighbour>) {
        let labels = self.labels();
        let Some(comm) = &self.halo.comm else { return (Ghosts::default(), Vec::new()) };
        let (domain, interaction_range) = (&self.world.domain, self.table.interaction_range());
        let centers = self.world.particles.records.iter().map(|record| record.position);
        let own = RankBox::around(centers.zip(extents.iter().copied()), domain);
        let boxes = gather_everywhere(&**comm, &RankBox::encode(&own));
        let sent_to = |boxes: &[RankBox]| {
            let records = self.world.particles.records.iter().zip(extents);
            let needed = records.enumerate().filter(|(_, (record, extent))| {
                boxes
                    .iter()
                    .any(|one| one.needs(record.position, **extent, interaction_range, domain))
            });
            needed.map(|(slot, _)| slot as u32).collect()
        };
        let mut neighbours: Vec<Neighbour> = (0..comm.size())
            .filter(|&rank| rank != comm.rank())
            .map(|rank| {
                let sent = sent_to(&RankBox::decode(&boxes[rank]));
                Neighbour { rank, sent, received: 0 }
            })
            .collect();
        let message = |one: &Neighbour| {
            let mut message = Vec::with_capacity(GHOST * one.sent.len());
            for slot in one.sent.iter().map(|&slot| slot as usize) {
                let record = &self.world.particles.records[slot];
                Ghosts::write(&mut message, record, &labels[slot], extents[slot]);
            }
            (one.rank, message)
        };
        let with_particles = neighbours.iter().filter(|one| !one.sent.is_empty());
        let received = comm.exchange(with_particles.map(message).collect());
        let mut ghosts = Ghosts::default();
        for (rank, message) in received {
            ghosts.read(&message);
            let sender = neighbours.iter_mut().filter(|one| one.rank == rank);
            sender.for_each(|one| one.received = message.len() / GHOST);
        }
        neighbours.retain(|one| one.received > 0 || !one.sent.is_empty());
        (ghosts, neighbours)
    }

    /// Sorts own particles and ghosts by cell. The records of own particles are moved, so that only one copy exists.
    fn sort_with_ghosts(
        &mut self,
        ghosts: &Ghosts,
        extents: &[f64],
        choice: &SkinChoice,
        touching: usize,
    ) -> Sorted {
        let labels = self.labels();
        let mut records = self.world.particles.records.take();
        let own = records.len();
        records.extend_from_slice(&ghosts.records);
        let mut order: Vec<u32> = (0..records.len() as u32).collect();
        let hierarchy = Hierarchy::new(
            &records,
            &mut order,
            &self.world.domain,
            self.table.interaction_range() + choice.largest,
            choice.largest,
            if touching > own { Layers::Folded } else { Layers::Straight },
            &mut self.workers.pool,
        );
        permute(&mut records, &order, &mut self.workers.pool);
        let slots = || order.iter().map(|&slot| slot as usize);
        let pick = |slot: usize| match slot.checked_sub(own) {
            None => (labels[slot], extents[slot]),
            Some(ghost) => (ghosts.labels[ghost], ghosts.extents[ghost]),
        };
        let mut sorted_extents: Vec<f64> = slots().map(|slot| pick(slot).1).collect();
        sorted_extents.resize(padded(order.len()), 0.0);
        Sorted {
            hierarchy: Some(hierarchy),
            own,
            records,
            labels: slots().map(|slot| pick(slot).0).collect(),
            extents: sorted_extents,
            order,
            own_sequence: Vec::new(),
            inner: 0,
        }
    }

    /// Creates the list of own particles and ghosts, and carries contacts over.
    fn list_with_ghosts(
        &mut self,
        sorted: &mut Sorted,
        choice: &SkinChoice,
        old_ids: &[u32],
        new_slot: &[u32],
        touching: usize,
    ) {
        let final_slots = sorted.final_slots();
        let mut labels = vec![Label::NONE; final_slots.len()];
        for (&slot, label) in final_slots.iter().zip(&sorted.labels) {
            labels[slot as usize] = *label;
        }
        let Some(hierarchy) = sorted.hierarchy.take() else { return };
        let gap = self.table.interaction_range() + choice.largest;
        let (domain, records) = (&self.world.domain, &sorted.records);
        let finder = finder(self.neighbours.search.method, hierarchy, records, domain, gap);
        let input = ListInput {
            records,
            labels: &sorted.labels,
            domain,
            laws: &self.table.index,
            extents: &sorted.extents,
            interaction_range: self.table.interaction_range(),
        };
        let list = &mut self.neighbours.list;
        let old_pairs = std::mem::take(&mut list.pairs);
        let old_indices = std::mem::take(&mut list.accepted);
        let Sorted { own, inner, .. } = *sorted;
        let slots = FinalSlots { slots: &final_slots, own, inner, labels: &labels };
        list.build_with_ghosts(&finder, &input, &slots, &mut self.workers.pool);
        let pairs = list.pairs.len();
        self.neighbours.touched.resize(labels.len(), pairs, touching);
        // a pair is looked up from the partner that is here, by the id of the other one
        let now = |&[first, second]: &[u32; 2]| match new_slot[first as usize] {
            NO_SLOT => (new_slot[second as usize], old_ids[first as usize]),
            slot => (slot, old_ids[second as usize]),
        };
        carry_pairs(
            OldPairs { pairs: &old_pairs, history_indices: &old_indices },
            now,
            &mut self.neighbours.list,
            &mut self.contacts.stored,
            &mut self.workers.pool,
        );
        self.neighbours.partition = Partition::new(&self.neighbours.list, &mut self.workers.pool);
    }
}

/// Own particles and ghosts sorted by cell.
struct Sorted {
    /// Until the list is made.
    hierarchy: Option<Hierarchy>,
    /// Number of own particles, and of those that no other rank needs.
    own: usize,
    inner: usize,
    /// For each sorted particle, where it was: own ones first, then ghosts.
    order: Vec<u32>,
    records: Vec<HotData>,
    labels: Vec<Label>,
    extents: Vec<f64>,
    /// Indices of the own particles among the sorted ones, in the order of their slots.
    own_sequence: Vec<u32>,
}

impl Sorted {
    /// Numbers the own particles: the inner ones in their sorted order, then those that are sent to other ranks.
    fn number_own<'a>(&mut self, sent: impl Iterator<Item = &'a u32>) {
        let mut is_sent = vec![false; self.own];
        sent.for_each(|&slot| is_sent[slot as usize] = true);
        self.own_sequence.reserve_exact(self.own);
        for outer in [false, true] {
            let all = (0u32..).zip(&self.order);
            let chosen = all.filter(|(_, slot)| is_sent.get(**slot as usize) == Some(&outer));
            self.own_sequence.extend(chosen.map(|(index, _)| index));
            if !outer {
                self.inner = self.own_sequence.len();
            }
        }
    }

    /// Where the own particles were, by slot.
    fn own_order(&self) -> Vec<u32> {
        self.own_sequence.iter().map(|&index| self.order[index as usize]).collect()
    }

    /// The records of own particles and of ghosts, by slot.
    fn records(&self, ghosts: &Ghosts) -> Records {
        let mut all = Vec::with_capacity(self.order.len());
        all.extend(self.own_sequence.iter().map(|&index| self.records[index as usize]));
        all.extend_from_slice(&ghosts.records);
        Records::with_ghosts(all, self.own)
    }

    /// The slot of each sorted particle: own ones in their sequence, then ghosts in the order of messages.
    fn final_slots(&self) -> Vec<u32> {
        let mut slots = self.order.clone();
        for (slot, &index) in (0u32..).zip(&self.own_sequence) {
            slots[index as usize] = slot;
        }
        slots
    }
}
