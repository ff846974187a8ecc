//! Evaluation of all contacts with walls: the items of one wall are tested chunk by chunk; those in contact are packed
//! and evaluated in chunks.

use super::{ContactRange, WallContacts, WallNeighbour};
use crate::contact_state::result_buffer::ResultSlices;
use crate::kernel::evaluate::{Chunk, Scratch};
use crate::kernel::laws::{LawTable, PairLaws};
use crate::law::WIDTH;
use crate::parallel::{DisjointSlices, Pool, range_of_part};
use crate::particles::HotData;
use crate::partition::indices::{BufferLengths, FIRST_INDEX};
use crate::wall::live::LiveWall;
use crate::wall::{ClosestPoint, Mesh, MeshContacts, Shape};
use crate::wall_contact::closest_points::{all_to_world, to_world};
use crate::wall_contact::detect::{NearFacets, WallTest};
use crate::wall_contact::history::AcceptedContacts;
use crate::wall_contact::joints::{JointContacts, Joints, is_joined, joined_items};
use crate::wall_contact::pack::{Bodies, Lane, OldContact, Packer};
use std::ops::Range;

impl WallContacts {
    /// Evaluates every contact with a wall.
    pub(crate) fn evaluate(
        &mut self,
        chunk: &Chunk<'_>,
        records: &[HotData],
        walls: &[LiveWall],
        scratch: &mut [Scratch],
        pool: &mut Pool,
    ) {
        let parts = pool.threads();
        let capacity = self.capacity_before.last().map_or(0, |count| *count as usize);
        let length = capacity + self.groups.len() * parts * WIDTH;
        self.state.reserve(BufferLengths { history: length, results: length }, chunk.table.extras);
        let length = self.state.results.len();
        self.accepted_points.resize(length, ClosestPoint::NONE);
        self.trial_points.resize(length, ClosestPoint::NONE);
        let (accepted, output) = ResultSlices::new(&mut self.state, chunk.table.extras);
        let scratch = DisjointSlices::new(scratch);
        let work = Work {
            items: &self.items,
            facets: &self.facets,
            clearances: &self.clearances,
            order: &self.order,
            accepted_contacts: AcceptedContacts {
                ranges: &self.accepted,
                closest_points: &self.accepted_points,
                items: &self.items,
            },
            table: chunk.table,
            bodies: Bodies { records, walls },
            trial: DisjointSlices::new(&mut self.trial),
            closest_points: DisjointSlices::new(&mut self.trial_points),
        };
        let (groups, capacity_before) = (&self.groups, &self.capacity_before);
        pool.run(|part| {
            // SAFETY: each part has its own scratch.
            let [scratch] = (unsafe { scratch.slice_mut(part..part + 1) }) else { return };
            let mut wall_scratch = WallScratch::default();
            let mut gaps = 0;
            for (pair, group) in groups {
                let own = range_of_part(group.len(), part, parts);
                let own = group.start + own.start..group.start + own.end;
                let first_index =
                    FIRST_INDEX + capacity_before[own.start] as usize + gaps + part * WIDTH;
                gaps += parts * WIDTH;
                let laws = &chunk.table.pairs[*pair];
                // SAFETY: each part has its own range of results, with a gap for the last chunk.
                let mut packer = unsafe {
                    Packer::writing(chunk, laws, work.bodies, accepted, first_index, &output)
                };
                // SAFETY: each part has its own items and results.
                unsafe { work.evaluate(own, laws, &mut packer, &mut wall_scratch, scratch) };
                packer.finish(scratch);
            }
        });
    }
}

/// Scratch memory of one part.
#[derive(Debug, Default)]
struct WallScratch {
    test: WallTest,
    near: NearFacets,
    contacts: MeshContacts,
    joints: JointContacts,
}

/// A mesh that items of a block may touch.
struct NearMesh<'a> {
    mesh: &'a Mesh,
    /// Bit mask of these items.
    near: u32,
    /// Largest gap at which the laws act [m].
    interaction_range: f64,
}

/// Data shared by the threads of an evaluation.
struct Work<'a> {
    items: &'a [WallNeighbour],
    facets: &'a [u32],
    clearances: &'a [f32],
    order: &'a [u32],
    accepted_contacts: AcceptedContacts<'a>,
    table: &'a LawTable,
    bodies: Bodies<'a>,
    trial: DisjointSlices<'a, ContactRange>,
    closest_points: DisjointSlices<'a, ClosestPoint>,
}

impl Work<'_> {
    /// Tests and packs the items of a part of the order, which have one pair of materials.
    ///
    /// # Safety
    /// These items, and the results that the packer writes, belong to the calling part alone.
    unsafe fn evaluate(
        &self,
        own: Range<usize>,
        laws: &PairLaws,
        packer: &mut Packer<'_>,
        wall_scratch: &mut WallScratch,
        scratch: &mut Scratch,
    ) {
        let mut rest = &self.order[own];
        while let Some(&first) = rest.first() {
            let number = self.items[first as usize].wall;
            let some = &rest[..rest.len().min(WIDTH)];
            let is_same = |&&item: &&u32| self.items[item as usize].wall == number;
            let (block, others) = rest.split_at(some.iter().take_while(is_same).count());
            rest = others;
            let wall = &self.bodies.walls[usize::from(number)];
            let slots = block.iter().map(|&item| self.items[item as usize].particle);
            // SAFETY: guaranteed by the caller.
            unsafe {
                if let Shape::Mesh(mesh) = &wall.wall.shape {
                    let clearances = block.iter().map(|&item| self.items[item as usize].clearance);
                    let test = &mut wall_scratch.test;
                    let near = test.near(
                        self.bodies.records,
                        slots,
                        clearances,
                        wall,
                        laws.interaction_range,
                    );
                    let interaction_range = laws.interaction_range;
                    let near_mesh = NearMesh { mesh, near, interaction_range };
                    self.pack_mesh(block, &near_mesh, packer, wall_scratch, scratch);
                } else {
                    let touching = wall_scratch.test.touching(
                        self.bodies.records,
                        slots,
                        wall,
                        laws.interaction_range,
                    );
                    if wall.joint > 0 {
                        self.pack_joined(block, touching, packer, wall_scratch, scratch);
                    } else {
                        self.pack(block, touching, packer, &wall_scratch.test, scratch);
                    }
                }
            }
        }
    }

    /// Packs the items of a block that touch an analytic wall.
    ///
    /// # Safety
    /// As `evaluate`.
    unsafe fn pack(
        &self,
        block: &[u32],
        mut touching: u32,
        packer: &mut Packer<'_>,
        test: &WallTest,
        scratch: &mut Scratch,
    ) {
        let mut next_index = packer.next_index();
        for (lane, &item) in block.iter().enumerate() {
            let count = touching >> lane & 1;
            // SAFETY: guaranteed by the caller.
            unsafe { self.set_range(item, [next_index, count]) };
            next_index += count;
        }
        while touching > 0 {
            let lane = touching.trailing_zeros() as usize;
            touching &= touching - 1;
            let closest = test.closest.at(lane);
            // SAFETY: guaranteed by the caller.
            unsafe {
                self.push(block[lane], closest, std::slice::from_ref(&closest), packer, scratch)
            };
        }
    }

    /// As `pack`, for a wall that is joined to others.
    ///
    /// # Safety
    /// As `evaluate`.
    unsafe fn pack_joined(
        &self,
        block: &[u32],
        touching: u32,
        packer: &mut Packer<'_>,
        wall_scratch: &mut WallScratch,
        scratch: &mut Scratch,
    ) {
        for (lane, &item) in block.iter().enumerate() {
            let first = packer.next_index();
            if touching >> lane & 1 == 1 {
                // SAFETY: guaranteed by the caller.
                unsafe {
                    if is_joined(self.items, self.bodies.walls, item as usize) {
                        self.push_joined(item, packer, &mut wall_scratch.joints, scratch);
                    } else {
                        let closest = wall_scratch.test.closest.at(lane);
                        self.push(item, closest, std::slice::from_ref(&closest), packer, scratch);
                    }
                }
            }
            // SAFETY: guaranteed by the caller.
            unsafe { self.set_range(item, [first, packer.next_index() - first]) };
        }
    }

    /// Packs the contacts of an item whose particle is near other walls that are joined to this one.
    ///
    /// # Safety
    /// As `evaluate`.
    unsafe fn push_joined(
        &self,
        item: u32,
        packer: &mut Packer<'_>,
        wall_scratch: &mut JointContacts,
        scratch: &mut Scratch,
    ) {
        let Self { items, facets, bodies, table, .. } = *self;
        Joints { items, facets, bodies, table }.find(item as usize, wall_scratch);
        let joined = || joined_items(items, bodies.walls, item as usize);
        for closest in wall_scratch.of(item as usize) {
            let old =
                self.accepted_contacts.find(joined(), bodies.walls, &closest, wall_scratch.all());
            // SAFETY: guaranteed by the caller.
            unsafe { self.push_old(item, closest, old, packer, scratch) };
        }
    }

    /// Packs the contacts of the items of a block that may touch a mesh.
    ///
    /// # Safety
    /// As `evaluate`.
    unsafe fn pack_mesh(
        &self,
        block: &[u32],
        near_mesh: &NearMesh<'_>,
        packer: &mut Packer<'_>,
        wall_scratch: &mut WallScratch,
        scratch: &mut Scratch,
    ) {
        let NearMesh { mesh, near, interaction_range } = *near_mesh;
        let WallScratch { test, near: chosen, contacts, joints } = wall_scratch;
        chosen.clear();
        for (lane, &item) in block.iter().enumerate().filter(|(lane, _)| near >> lane & 1 == 1) {
            let its = self.items[item as usize].facets();
            let (facets, clearances) = (&self.facets[its.clone()], &self.clearances[its]);
            chosen.choose(mesh, lane, &test.near_mesh(lane, interaction_range), facets, clearances);
        }
        for (lane, &item) in block.iter().enumerate() {
            let first = packer.next_index();
            let is_near = near >> lane & 1 == 1;
            if is_near && is_joined(self.items, self.bodies.walls, item as usize) {
                // SAFETY: guaranteed by the caller.
                unsafe { self.push_joined(item, packer, joints, scratch) };
            } else if is_near {
                let its = &self.items[item as usize];
                let (near, facets) =
                    (test.near_mesh(lane, interaction_range), &self.facets[its.facets()]);
                chosen.contacts(mesh, lane, &near, facets, contacts);
                let wall = &self.bodies.walls[usize::from(its.wall)];
                match contacts.as_slice() {
                    [] => {}
                    [contact] => {
                        let closest = to_world(&contact.closest, wall);
                        let all = std::slice::from_ref(&closest);
                        // SAFETY: guaranteed by the caller.
                        unsafe { self.push(item, closest, all, packer, scratch) };
                    }
                    _ => {
                        let (all, count) = all_to_world(contacts, wall);
                        for closest in &all[..count] {
                            // SAFETY: guaranteed by the caller.
                            unsafe { self.push(item, *closest, &all[..count], packer, scratch) };
                        }
                    }
                }
            }
            // SAFETY: guaranteed by the caller.
            unsafe { self.set_range(item, [first, packer.next_index() - first]) };
        }
    }

    /// # Safety
    /// The item belongs to the calling part alone.
    #[inline(always)]
    unsafe fn set_range(&self, item: u32, range: ContactRange) {
        // SAFETY: guaranteed by the caller.
        let target = unsafe { self.trial.slice_mut(item as usize..item as usize + 1) };
        target[0] = range;
    }

    /// Packs one contact of an item; `all` are all that it has with this wall.
    ///
    /// # Safety
    /// As `evaluate`.
    #[inline(always)]
    unsafe fn push(
        &self,
        item: u32,
        closest: ClosestPoint,
        all: &[ClosestPoint],
        packer: &mut Packer<'_>,
        scratch: &mut Scratch,
    ) {
        let itself = std::iter::once(item as usize);
        let old = self.accepted_contacts.find(itself, self.bodies.walls, &closest, all);
        // SAFETY: guaranteed by the caller.
        unsafe { self.push_old(item, closest, old, packer, scratch) };
    }

    /// Packs one contact of an item that continues an accepted one.
    ///
    /// # Safety
    /// As `evaluate`.
    #[inline(always)]
    unsafe fn push_old(
        &self,
        item: u32,
        closest: ClosestPoint,
        old: OldContact,
        packer: &mut Packer<'_>,
        scratch: &mut Scratch,
    ) {
        let index = packer.next_index() as usize;
        // SAFETY: guaranteed by the caller.
        let target = unsafe { self.closest_points.slice_mut(index..index + 1) };
        target[0] = closest;
        let its = &self.items[item as usize];
        packer.push(Lane::new(its, self.bodies, closest, old, packer.moment_arm()), scratch);
    }
}
