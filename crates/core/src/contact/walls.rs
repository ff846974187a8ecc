//! Contacts with walls: which particles are near which wall, and their evaluation in chunks.

use super::rows::{Columns, FIRST_ROW, RowShares};
use super::{Chunk, PairLaws, Rows, Scratch};
use crate::Vec3;
use crate::geometry::{Partners, Shift};
use crate::law::{Lever, WIDTH};
use crate::parallel::{Pool, Shares, share};
use crate::particles::Record;
use crate::wall::live::LiveWall;
use crate::wall::{MeshContacts, Shape, Touch};
use std::ops::Range;

/// A particle near a wall.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Item {
    pub particle: u32,
    pub wall: u16,
    /// Index of the pair of materials in the law table.
    pub pair: u16,
    /// Facets of a mesh that are near, in `facets`.
    pub facets: [u32; 2],
    /// The next item of the same particle plus one, or zero.
    pub next: u32,
    /// Contacts that items before this one can have, at most.
    pub capacity_before: u32,
}

impl Item {
    /// How many contacts this item can have.
    pub(crate) fn capacity(&self) -> u32 {
        (self.facets[1] - self.facets[0]).clamp(1, MAX_MESH_CONTACTS)
    }
}

/// Contacts that one particle can have with one mesh.
const MAX_MESH_CONTACTS: u32 = crate::wall::MESH_CONTACTS as u32;

/// Rows of an item: the first one and how many.
pub(crate) type ItemRows = [u32; 2];

/// All contacts with walls.
#[derive(Debug, Default)]
pub(crate) struct WallContacts {
    pub items: Vec<Item>,
    pub facets: Vec<u32>,
    pub groups: Vec<(usize, Range<usize>)>,
    /// First item of each particle plus one, or zero.
    pub heads: Vec<u32>,
    pub accepted: Vec<ItemRows>,
    pub trial: Vec<ItemRows>,
    /// Place of each contact by row, to recognise it in the next step and to turn its history.
    pub accepted_touches: Vec<Touch>,
    pub trial_touches: Vec<Touch>,
    pub rows: Rows,
}

/// Contacts of one wall whose normals differ by less than this are one contact that has moved.
const SAME_CONTACT_COSINE: f64 = 0.866;

impl WallContacts {
    pub(crate) fn commit(&mut self) {
        self.rows.commit();
        std::mem::swap(&mut self.accepted, &mut self.trial);
        std::mem::swap(&mut self.accepted_touches, &mut self.trial_touches);
    }

    /// Bytes in use beside those of rows.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<Item>() * self.items.capacity()
            + 4 * (self.facets.capacity() + self.heads.capacity())
            + size_of::<ItemRows>() * (self.accepted.capacity() + self.trial.capacity())
            + 2 * size_of::<Vec3>() * self.items.len()
    }

    /// The item of a particle and a wall.
    pub(crate) fn item_of(&self, slot: usize, wall: u16) -> Option<usize> {
        let mut place = *self.heads.get(slot)?;
        while place > 0 {
            let item = &self.items[place as usize - 1];
            if item.wall == wall {
                return Some(place as usize - 1);
            }
            place = item.next;
        }
        None
    }

    /// The contacts of the accepted state.
    pub(super) fn known(&self) -> Known<'_> {
        Known { rows: &self.accepted, touches: &self.accepted_touches }
    }

    /// Evaluates every contact with a wall.
    pub(crate) fn evaluate(
        &mut self,
        chunk: &Chunk<'_>,
        records: &[Record],
        walls: &[LiveWall],
        scratch: &mut [Scratch],
        pool: &mut Pool,
    ) {
        let parts = pool.threads();
        let capacity =
            self.items.last().map_or(0, |item| item.capacity_before + item.capacity()) as usize;
        self.rows.reserve(capacity + self.groups.len() * parts * WIDTH, chunk.table.extras);
        let length = self.rows.results.len();
        self.accepted_touches.resize(length, Touch::NONE);
        self.trial_touches.resize(length, Touch::NONE);
        let (accepted, output) = RowShares::new(&mut self.rows, chunk.table.extras);
        let trial = Shares::new(&mut self.trial);
        let places = Shares::new(&mut self.trial_touches);
        let scratch = Shares::new(scratch);
        let (items, facets, groups) = (&self.items, &self.facets, &self.groups);
        let known = Known { rows: &self.accepted, touches: &self.accepted_touches };
        pool.run(|part| {
            // SAFETY: each part has its own scratch.
            let [scratch] = (unsafe { scratch.piece(part..part + 1) }) else { return };
            let mut gaps = 0;
            for (pair, group) in groups {
                let own = share(group.len(), part, parts);
                let own = group.start + own.start..group.start + own.end;
                let before = items.get(own.start).map_or(0, |item| item.capacity_before as usize);
                let first_row = FIRST_ROW + before + gaps + part * WIDTH;
                gaps += parts * WIDTH;
                let laws = &chunk.table.pairs[*pair];
                let bodies = Bodies { records, walls };
                let mut packer = Packer::new(chunk, laws, bodies, accepted, first_row);
                // SAFETY: each part has its own items.
                let trial = unsafe { trial.piece(own.clone()) };
                for (index, rows) in own.zip(trial) {
                    let item = &items[index];
                    let near = &facets[item.facets[0] as usize..item.facets[1] as usize];
                    let start = packer.next_row();
                    touches(item, near, records, walls, laws.reach, |touch, all| {
                        let row = packer.next_row() as usize;
                        // SAFETY: parts have rows of their own, with a gap for the last chunk.
                        let place = unsafe { places.piece(row..row + 1) };
                        place[0] = touch;
                        let old = known.find(index, &touch, all);
                        let wall = &walls[usize::from(item.wall)];
                        packer.push(
                            Lane::new(item, records, wall, touch, old, chunk.table.lever),
                            scratch,
                            |row, scratch| {
                                // SAFETY: as above.
                                unsafe { output.store(row, scratch) }
                            },
                        );
                    });
                    *rows = [start, packer.next_row() - start];
                }
                packer.finish(scratch, |row, scratch| {
                    // SAFETY: as above.
                    unsafe { output.store(row, scratch) }
                });
            }
        });
    }
}

/// Contacts of the accepted state.
pub(super) struct Known<'a> {
    rows: &'a [ItemRows],
    touches: &'a [Touch],
}

impl Known<'_> {
    /// The accepted contact of an item that this one continues, its row and normal; row 0 if the
    /// contact is new. Seen from the centre it is the nearest to it of those in about the same
    /// direction; one that is nearer to another contact of `all` is that one's: a bridge on one face
    /// must not come with a neighbouring face that is merely near.
    pub(super) fn find(&self, item: usize, touch: &Touch, all: &[Touch]) -> (u32, Vec3) {
        let [first, count] = self.rows[item];
        let mut best = (0, touch.normal);
        let mut nearest = f64::INFINITY;
        for row in first..first + count {
            let old = &self.touches[row as usize];
            let away = old.away_from(touch);
            if old.normal.dot(touch.normal) > SAME_CONTACT_COSINE && away < nearest {
                nearest = away;
                best = (row, old.normal);
            }
        }
        if best.0 > 0 && all.len() > 1 {
            let old = &self.touches[best.0 as usize];
            if all.iter().any(|other| old.away_from(other) < nearest) {
                return (0, touch.normal);
            }
        }
        best
    }
}

/// Calls `found` for each point of the wall within reach of the particle, in world axes, with all of
/// them.
#[inline]
pub(crate) fn touches(
    item: &Item,
    facets: &[u32],
    records: &[Record],
    walls: &[LiveWall],
    reach: f64,
    mut found: impl FnMut(Touch, &[Touch]),
) {
    let record = &records[item.particle as usize];
    let wall = &walls[item.wall as usize];
    let limit = record.radius + reach;
    let local = wall.pose.to_local(record.position.into());
    let turned = |touch: &Touch| Touch {
        normal: wall.pose.direction_to_world(touch.normal),
        distance: touch.distance,
    };
    if let Shape::Mesh(mesh) = &wall.wall.shape {
        let mut contacts = MeshContacts::default();
        mesh.contacts(local, limit, facets, &mut contacts);
        let mut all = [Touch::NONE; crate::wall::MESH_CONTACTS];
        let count = contacts.as_slice().len();
        for (touch, contact) in all.iter_mut().zip(contacts.as_slice()) {
            *touch = turned(&contact.touch);
        }
        all[..count].iter().for_each(|touch| found(*touch, &all[..count]));
    } else if let Some(touch) = wall.wall.shape.contact(local, record.radius, reach) {
        let touch = turned(&touch);
        found(touch, std::slice::from_ref(&touch));
    }
}

/// One contact waiting for its chunk.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Lane {
    particle: u32,
    wall: u16,
    /// The wall's material point where the force acts [m].
    point: Vec3,
    normal: Vec3,
    old_normal: Vec3,
    distance: f64,
    wall_velocity: Vec3,
    wall_spin: Vec3,
    old_row: u32,
}

impl Lane {
    pub(super) fn new(
        item: &Item,
        records: &[Record],
        wall: &LiveWall,
        touch: Touch,
        (old_row, old_normal): (u32, Vec3),
        lever: Lever,
    ) -> Self {
        let record = &records[item.particle as usize];
        // The wall's material point where the force acts, which is not quite the nearest point of
        // its surface: otherwise a turning wall would do work that nobody receives.
        let arm = lever.at_wall(record.radius, touch.distance);
        let point = Vec3::from_array(record.position) + arm * touch.normal;
        Self {
            particle: item.particle,
            wall: item.wall,
            point,
            normal: touch.normal,
            old_normal,
            distance: touch.distance,
            wall_velocity: wall.pose.velocity_at(point),
            wall_spin: wall.pose.spin,
            old_row,
        }
    }
}

/// What touches.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bodies<'a> {
    pub records: &'a [Record],
    pub walls: &'a [LiveWall],
}

/// Fills chunks with contacts and evaluates them when they are full.
pub(super) struct Packer<'a> {
    chunk: &'a Chunk<'a>,
    laws: &'a PairLaws,
    bodies: Bodies<'a>,
    accepted: &'a Columns,
    lanes: [Lane; WIDTH],
    count: usize,
    row: usize,
}

impl<'a> Packer<'a> {
    pub(super) fn new(
        chunk: &'a Chunk<'a>,
        laws: &'a PairLaws,
        bodies: Bodies<'a>,
        accepted: &'a Columns,
        row: usize,
    ) -> Self {
        Self { chunk, laws, bodies, accepted, lanes: [Lane::default(); WIDTH], count: 0, row }
    }

    /// The row of the next contact.
    fn next_row(&self) -> u32 {
        (self.row + self.count) as u32
    }

    pub(super) fn push(
        &mut self,
        lane: Lane,
        scratch: &mut Scratch,
        store: impl Fn(usize, &Scratch),
    ) {
        self.lanes[self.count] = lane;
        self.count += 1;
        if self.count == WIDTH {
            self.evaluate(scratch);
            store(self.row, scratch);
            self.row += WIDTH;
            self.count = 0;
        }
    }

    pub(super) fn finish(&mut self, scratch: &mut Scratch, store: impl Fn(usize, &Scratch)) {
        if self.count > 0 {
            let last = self.lanes[self.count - 1];
            self.lanes[self.count..].fill(last);
            self.evaluate(scratch);
            store(self.row, scratch);
        }
    }

    fn evaluate(&self, scratch: &mut Scratch) {
        let mut rows = [0; WIDTH];
        for (index, lane) in self.lanes.iter().enumerate() {
            load(lane, &self.bodies.records[lane.particle as usize], index, scratch);
            rows[index] = lane.old_row;
        }
        scratch.slots = rows;
        if let Some(anchorage) = &self.chunk.table.layout.anchorage {
            for (index, lane) in self.lanes.iter().enumerate() {
                self.load_points(lane, anchorage.start, index, &mut scratch.shift);
            }
        }
        if !self.chunk.motions.is_empty() {
            self.load_motions(&mut scratch.partners);
        }
        self.chunk.evaluate(self.laws, self.accepted, &rows, scratch);
    }

    /// Loads where the wall's accepted material point is now, seen from the centre of the particle,
    /// and the present one in axes of the wall.
    fn load_points(&self, lane: &Lane, anchor: usize, index: usize, shift: &mut Shift) {
        let pose = &self.bodies.walls[usize::from(lane.wall)].pose;
        let center = self.bodies.records[lane.particle as usize].position;
        let stored = |axis: usize| self.accepted.column(anchor + axis)[lane.old_row as usize];
        let accepted = pose.to_world(Vec3::new(stored(0), stored(1), stored(2))).to_array();
        let present = pose.to_local(lane.point).to_array();
        for axis in 0..3 {
            let difference = accepted[axis] - center[axis];
            shift.wall_point[axis][index] = self.chunk.images.nearest(axis, difference);
            shift.wall_anchor[axis][index] = present[axis];
        }
    }
}

impl Packer<'_> {
    /// Loads the mean motion of particles and of the points of walls that they touch.
    fn load_motions(&self, partners: &mut Partners) {
        let elapsed = self.chunk.step.elapsed;
        for (index, lane) in self.lanes.iter().enumerate() {
            let motion = &self.chunk.motions[lane.particle as usize];
            let wall = &self.bodies.walls[usize::from(lane.wall)];
            let wall_velocity = wall.mean_velocity_at(lane.point, elapsed);
            for axis in 0..3 {
                partners.mean_velocity[axis][index] = motion.velocity[axis] - wall_velocity[axis];
                partners.mean_spin[0][axis][index] = motion.spin[axis];
                partners.mean_spin[1][axis][index] = wall.mean_spin[axis];
            }
        }
    }
}

fn load(lane: &Lane, record: &Record, index: usize, scratch: &mut Scratch) {
    let (partners, contacts) = (&mut scratch.partners, &mut scratch.contacts);
    for axis in 0..3 {
        contacts.normal[axis][index] = lane.normal[axis];
        contacts.turn[axis][index] = lane.normal[axis] - lane.old_normal[axis];
        partners.velocity[axis][index] = record.velocity[axis] - lane.wall_velocity[axis];
        partners.spin[1][axis][index] = lane.wall_spin[axis];
    }
    contacts.distance[index] = lane.distance;
    for axis in 0..3 {
        partners.spin[0][axis][index] = record.spin[axis];
    }
    contacts.radius[0][index] = record.radius;
    contacts.inverse_mass[0][index] = record.inverse_mass;
    contacts.inverse_inertia[0][index] = record.inverse_inertia;
    contacts.radius[1][index] = 0.0;
    contacts.inverse_mass[1][index] = 0.0;
    contacts.inverse_inertia[1][index] = 0.0;
}
