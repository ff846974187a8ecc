//! Evaluation of the contacts of one particle: the same laws, fields and sums as in an evaluation of all particles, in
//! chunks that contain only the contacts of this particle.

use super::Engine;
use super::external::{Batch, Bodies as FieldBodies};
use crate::Vec3;
use crate::chunk::Images;
use crate::contact_state::result_buffer::{
    ContactResult, HistoryColumns, torques_of_partners, write_results, write_results_of_both,
};
use crate::contact_state::stored::StoredHistories;
use crate::kernel::evaluate::Chunk;
use crate::kernel::evaluate::Scratch;
use crate::kernel::laws::LawTable;
use crate::kernel::pairs::Group;
use crate::law::{Step, WIDTH};
use crate::neighbour::list::NeighbourList;
use crate::particles::{ForceTorque, HotData, MeanMotion};
use crate::wall::live::LiveWall;
use crate::wall_contact::WallContacts;
use crate::wall_contact::pack::{Bodies, Lane, Packer};

/// Scratch memory for the contacts of one particle, so that a step does not allocate.
#[derive(Debug, Default)]
pub(crate) struct SingleScratch {
    /// Adjacency entries within the interaction range, and their pair of materials.
    entries: Vec<(u32, u16)>,
    /// The result of each.
    results: Vec<ContactResult>,
    chunk: ChunkResults,
}

#[derive(Debug)]
struct ChunkResults {
    /// Results of first partners, and of second partners if they are separate.
    results: [[ContactResult; WIDTH]; 2],
}

impl Default for ChunkResults {
    fn default() -> Self {
        Self { results: [[ContactResult::default(); WIDTH]; 2] }
    }
}

impl SingleScratch {
    /// Reserves memory for this many neighbours.
    pub(crate) fn reserve(&mut self, count: usize) {
        self.entries.clear();
        self.entries.reserve(count);
        self.results.resize(count, ContactResult::default());
    }
}

impl ChunkResults {
    fn store(&mut self, has_moments: bool, scratch: &mut Scratch) {
        let Scratch { forces, results, second_torque, .. } = scratch;
        let [first, second] = &mut self.results;
        if has_moments {
            torques_of_partners(&forces.moment, results, second_torque);
            write_results_of_both(results, second_torque, first, second);
        } else {
            write_results(results, first);
        }
    }
}

/// Input of the evaluation of one particle.
pub(crate) struct Single<'a> {
    pub table: &'a LawTable,
    pub step: Step,
    pub motions: &'a [MeanMotion],
    pub stored_histories: &'a StoredHistories,
    pub records: &'a [HotData],
    pub images: &'a Images,
    pub list: &'a NeighbourList,
    pub accepted: &'a HistoryColumns,
    pub wall_contacts: &'a WallContacts,
    pub walls: &'a [LiveWall],
}

impl Single<'_> {
    /// Weight, contacts in order of partner id, then walls, as summed by `gather`.
    pub(crate) fn sum(
        &self,
        slot: usize,
        mass: f64,
        gravity: Vec3,
        near: &mut SingleScratch,
        scratch: &mut Scratch,
    ) -> ForceTorque {
        let weight = if mass < f64::INFINITY { mass * gravity } else { Vec3::ZERO };
        let mut total =
            ForceTorque { force: [weight.x, weight.y, weight.z, 0.0], torque: [0.0; 4] };
        let has_moments = self.table.extras.moments;
        self.find(slot, near);
        self.evaluate_pairs(near, scratch);
        for (index, &(entry, _)) in near.entries.iter().enumerate() {
            let (contact_result, second) = (&near.results[index], (entry & 1) as usize);
            let sign = [1.0, -1.0][second];
            let arm = if has_moments { sign } else { contact_result[3 + 4 * second] };
            for axis in 0..3 {
                total.force[axis] += sign * contact_result[axis];
                total.torque[axis] += arm * contact_result[4 + axis];
            }
        }
        self.add_walls(slot, &mut total, &mut near.chunk, scratch);
        total
    }

    /// Collects the pairs of a particle that are within the interaction range.
    fn find(&self, slot: usize, near: &mut SingleScratch) {
        near.entries.clear();
        for &entry in self.list.entries(slot) {
            let pair_index = (entry >> 1) as usize;
            let pair = self.list.pair_of(pair_index);
            let [first, second] =
                self.list.pairs[pair_index].map(|slot| &self.records[slot as usize]);
            let mut square = 0.0;
            for axis in 0..3 {
                let mut d = second.position[axis] - first.position[axis];
                d -= if d > self.images.half[axis] { self.images.period[axis] } else { 0.0 };
                d += if d < -self.images.half[axis] { self.images.period[axis] } else { 0.0 };
                square += d * d;
            }
            let limit = first.radius + second.radius + self.table.pairs[pair].interaction_range;
            if square < limit * limit {
                near.entries.push((entry, pair as u16));
            }
        }
    }

    /// Evaluates the contacts, by pair of materials.
    fn evaluate_pairs(&self, near: &mut SingleScratch, scratch: &mut Scratch) {
        let chunk = self.chunk(false);
        let mut pair = near.entries.iter().map(|(_, pair)| *pair).min();
        while let Some(this) = pair {
            let group = Group {
                chunk: &chunk,
                laws: &self.table.pairs[usize::from(this)],
                records: self.records.into(),
                list: self.list,
                accepted: self.accepted,
            };
            let mut start = 0;
            while start < near.entries.len() {
                let (mut packed, mut entries) = ([0u32; WIDTH], [0usize; WIDTH]);
                let mut count = 0;
                while start < near.entries.len() && count < WIDTH {
                    let (entry, its) = near.entries[start];
                    if its == this {
                        packed[count] = entry >> 1;
                        entries[count] = start;
                        count += 1;
                    }
                    start += 1;
                }
                if count == 0 {
                    break;
                }
                group.view_chunk(&packed[..count], scratch);
                let has_moments = self.table.extras.moments;
                near.chunk.store(has_moments, scratch);
                for (lane, &entry) in entries[..count].iter().enumerate() {
                    let second = has_moments && near.entries[entry].0 & 1 == 1;
                    near.results[entry] = near.chunk.results[usize::from(second)][lane];
                }
            }
            pair = near.entries.iter().map(|(_, pair)| *pair).filter(|pair| *pair > this).min();
        }
    }

    fn add_walls(
        &self,
        slot: usize,
        total: &mut ForceTorque,
        results: &mut ChunkResults,
        scratch: &mut Scratch,
    ) {
        let chunk = self.chunk(true);
        let contacts = self.wall_contacts;
        let bodies = Bodies { records: self.records, walls: self.walls };
        for index in contacts.items_of(slot..slot + 1) {
            let item = &contacts.items[index];
            let laws = &self.table.pairs[usize::from(item.pair)];
            let mut count = 0;
            let mut packer = Packer::new(&chunk, laws, bodies, &contacts.state.accepted);
            contacts.for_each_closest_point(index, bodies, self.table, |closest, old| {
                let lane = Lane::new(item, bodies, closest, old, self.table.moment_arm);
                // the contacts of one particle with one wall are fewer than the lanes of a chunk
                packer.push(lane, scratch);
                count += 1;
            });
            if count == 0 {
                continue;
            }
            packer.finish(scratch);
            let has_moments = self.table.extras.moments;
            results.store(has_moments, scratch);
            for contact_result in &results.results[0][..count] {
                let arm = if has_moments { 1.0 } else { contact_result[3] };
                for axis in 0..3 {
                    total.force[axis] += contact_result[axis];
                    total.torque[axis] += arm * contact_result[4 + axis];
                }
            }
        }
    }

    fn chunk(&self, at_wall: bool) -> Chunk<'_> {
        let Self { table, step, motions, .. } = *self;
        let stored =
            if at_wall { &self.stored_histories.walls } else { &self.stored_histories.pairs };
        let (motions, kicks) = (motions.into(), [][..].into());
        Chunk { table, step, images: *self.images, at_wall, stored, motions, kicks }
    }
}

impl Engine {
    /// Force and torque on one particle in the current trial state: contacts, gravity and fields. Changes neither
    /// history nor results.
    pub(crate) fn load_on(
        &mut self,
        slot: usize,
        time: f64,
        step: Step,
        stored: &mut SingleScratch,
    ) -> ForceTorque {
        let Self { world, external, neighbours, contacts, table, trial, workers, .. } = self;
        let single = Single {
            table,
            step,
            stored_histories: &contacts.stored,
            motions: &trial.motions,
            records: &world.particles.records,
            images: &world.images(),
            list: &neighbours.list,
            accepted: &contacts.pairs.accepted,
            wall_contacts: &contacts.walls,
            walls: &world.walls,
        };
        let Some(scratch) = workers.scratch.first_mut() else { return ForceTorque::default() };
        let particles = &world.particles;
        let mass = particles.records[slot].mass;
        let mut load = [single.sum(slot, mass, external.gravity, stored, scratch)];
        let bodies = FieldBodies {
            start: slot,
            records: &particles.records[slot..=slot],
            metadata: &particles.metadata[slot..=slot],
            charges: &particles.charges,
        };
        external.apply(time, bodies, Batch::Single, &mut load, &mut []);
        external.constrain(&mut load);
        load[0]
    }

    /// Reserves memory for the largest number of contacts of a particle.
    pub(crate) fn reserve_single(&self, stored: &mut SingleScratch) {
        stored.reserve(self.neighbours.list.most_entries());
    }
}
