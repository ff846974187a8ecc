//! The contacts of one particle, evaluated for themselves: the same laws, loads and sums as in an
//! evaluation of all, in chunks that hold this particle's contacts alone.

use super::load::Images;
use super::memory::Memories;
use super::pairs::Group;
use super::rows::{Columns, Couple, Row, write_couples, write_rows};
use super::wall_lanes::{Bodies, Lane, Packer};
use super::walls::touches;
use super::{Candidates, Chunk, LawTable, Scratch, WallContacts};
use crate::Vec3;
use crate::law::{Step, WIDTH};
use crate::particles::{MeanMotion, Record, Total};
use crate::wall::live::LiveWall;
use crate::wall::{MESH_CONTACTS, Touch};

/// Room for the contacts of one particle, kept so that none allocates.
#[derive(Debug, Default)]
pub(crate) struct Neighbours {
    /// Entries of the incidence list within reach, and their pair of materials.
    entries: Vec<(u32, u16)>,
    /// What each of them gives.
    results: Vec<Row>,
    couples: Vec<Couple>,
    chunk: ChunkRows,
}

#[derive(Debug)]
struct ChunkRows {
    results: [Row; WIDTH],
    couples: [Couple; WIDTH],
}

impl Default for ChunkRows {
    fn default() -> Self {
        Self { results: [Row::default(); WIDTH], couples: [Couple::default(); WIDTH] }
    }
}

impl Neighbours {
    /// Makes room for this many neighbours.
    pub(crate) fn reserve(&mut self, count: usize) {
        self.entries.clear();
        self.entries.reserve(count);
        self.results.resize(count, Row::default());
        self.couples.resize(count, Couple::default());
    }
}

impl ChunkRows {
    fn store(&mut self, scratch: &Scratch) {
        write_rows(&scratch.results, &mut self.results);
        write_couples(&scratch.forces.couple, &mut self.couples);
    }
}

/// What an evaluation of one particle reads.
pub(crate) struct Single<'a> {
    pub table: &'a LawTable,
    pub step: Step,
    pub motions: &'a [MeanMotion],
    pub memories: &'a Memories,
    pub records: &'a [Record],
    pub images: &'a Images,
    pub candidates: &'a Candidates,
    pub accepted: &'a Columns,
    pub wall_contacts: &'a WallContacts,
    pub walls: &'a [LiveWall],
}

impl Single<'_> {
    /// Weight, contacts in order of partner id, walls, then couples: as `gather` sums them.
    pub(crate) fn sum(
        &self,
        slot: usize,
        mass: f64,
        gravity: Vec3,
        near: &mut Neighbours,
        scratch: &mut Scratch,
    ) -> Total {
        let weight = if mass < f64::INFINITY { mass * gravity } else { Vec3::ZERO };
        let mut total = Total { force: [weight.x, weight.y, weight.z, 0.0], torque: [0.0; 4] };
        let mut couple = [0.0; 3];
        self.find(slot, near);
        self.evaluate_pairs(near, scratch);
        for (index, &(entry, _)) in near.entries.iter().enumerate() {
            let (row, second) = (&near.results[index], (entry & 1) as usize);
            let sign = [1.0, -1.0][second];
            for axis in 0..3 {
                total.force[axis] += sign * row[axis];
                total.torque[axis] += row[3 + 4 * second] * row[4 + axis];
                couple[axis] += sign * near.couples[index].0[axis];
            }
        }
        self.add_walls(slot, &mut total, &mut couple, &mut near.chunk, scratch);
        if self.table.extras.couples {
            for axis in 0..3 {
                total.torque[axis] += couple[axis];
            }
        }
        total
    }

    /// Notes the candidates of a particle that are within reach.
    fn find(&self, slot: usize, near: &mut Neighbours) {
        near.entries.clear();
        for &entry in self.candidates.entries(slot) {
            let candidate = (entry >> 1) as usize;
            let pair = self.candidates.pair_of(candidate);
            let [first, second] =
                self.candidates.pairs[candidate].map(|slot| &self.records[slot as usize]);
            let mut square = 0.0;
            for axis in 0..3 {
                let mut d = second.position[axis] - first.position[axis];
                d -= if d > self.images.half[axis] { self.images.period[axis] } else { 0.0 };
                d += if d < -self.images.half[axis] { self.images.period[axis] } else { 0.0 };
                square += d * d;
            }
            let limit = first.radius + second.radius + self.table.pairs[pair].reach;
            if square < limit * limit {
                near.entries.push((entry, pair as u16));
            }
        }
    }

    /// Evaluates what was found, pair of materials by pair of materials.
    fn evaluate_pairs(&self, near: &mut Neighbours, scratch: &mut Scratch) {
        let chunk = self.chunk(false);
        let mut pair = near.entries.iter().map(|(_, pair)| *pair).min();
        while let Some(this) = pair {
            let group = Group {
                chunk: &chunk,
                laws: &self.table.pairs[usize::from(this)],
                records: self.records.into(),
                listed: self.candidates,
                accepted: self.accepted,
            };
            let mut start = 0;
            while start < near.entries.len() {
                let (mut packed, mut places) = ([0u32; WIDTH], [0usize; WIDTH]);
                let mut count = 0;
                while start < near.entries.len() && count < WIDTH {
                    let (entry, its) = near.entries[start];
                    if its == this {
                        packed[count] = entry >> 1;
                        places[count] = start;
                        count += 1;
                    }
                    start += 1;
                }
                if count == 0 {
                    break;
                }
                group.view_chunk(&packed[..count], scratch);
                near.chunk.store(scratch);
                for (lane, &place) in places[..count].iter().enumerate() {
                    near.results[place] = near.chunk.results[lane];
                    near.couples[place] = near.chunk.couples[lane];
                }
            }
            pair = near.entries.iter().map(|(_, pair)| *pair).filter(|pair| *pair > this).min();
        }
    }

    fn add_walls(
        &self,
        slot: usize,
        total: &mut Total,
        couple: &mut [f64; 3],
        rows: &mut ChunkRows,
        scratch: &mut Scratch,
    ) {
        let chunk = self.chunk(true);
        let contacts = self.wall_contacts;
        let bodies = Bodies { records: self.records, walls: self.walls };
        for index in contacts.items_of(slot..slot + 1) {
            let item = &contacts.items[index];
            let laws = &self.table.pairs[usize::from(item.pair)];
            let near = contacts.facets_of(item);
            let mut touching = [Touch::NONE; MESH_CONTACTS];
            let mut count = 0;
            touches(item, near, self.records, self.walls, laws.reach, |touch, _| {
                touching[count] = touch;
                count += 1;
            });
            let touching = &touching[..count];
            if touching.is_empty() {
                continue;
            }
            let mut packer = Packer::new(&chunk, laws, bodies, &contacts.rows.accepted);
            for touch in touching {
                let old = contacts.known().find(index, touch, touching);
                let lane = Lane::new(item, bodies, *touch, old, self.table.lever);
                // one particle has fewer contacts with one wall than a chunk has lanes
                packer.push(lane, scratch);
            }
            packer.finish(scratch);
            rows.store(scratch);
            for (row, its) in rows.results.iter().zip(&rows.couples).take(count) {
                for axis in 0..3 {
                    total.force[axis] += row[axis];
                    total.torque[axis] += row[3] * row[4 + axis];
                    couple[axis] += its.0[axis];
                }
            }
        }
    }

    fn chunk(&self, at_wall: bool) -> Chunk<'_> {
        let Self { table, step, motions, .. } = *self;
        let memory = if at_wall { &self.memories.walls } else { &self.memories.pairs };
        Chunk { table, step, images: *self.images, at_wall, memory, motions }
    }
}
