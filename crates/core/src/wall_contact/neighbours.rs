//! The list of particles near walls.

use crate::Vec3;
use crate::domain::Domain;
use crate::kernel::laws::LawTable;
use crate::law::WIDTH;
use crate::parallel::{DisjointSlices, Pool};
use crate::particles::{HotData, Metadata};
use crate::wall::Shape;
use crate::wall::live::LiveWall;
use crate::wall_contact::WallContacts;
use crate::wall_contact::WallNeighbour;
use crate::wall_contact::detect::WallTest;
use std::ops::Range;

/// The items found by one part.
#[derive(Debug, Default)]
pub(crate) struct Found {
    items: Vec<WallNeighbour>,
    facets: Vec<u32>,
    clearances: Vec<f32>,
    near: Vec<(u32, f64)>,
    images: Vec<Vec3>,
    test: WallTest,
}

/// Range beyond the interaction range up to which walls are listed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WallRange<'a> {
    /// Skin of moving walls [m].
    pub skin: f64,
    /// Skin of walls at rest, which updates of the time step need [m].
    pub still_skin: f64,
    /// Radius plus skin of each particle [m].
    pub extents: &'a [f64],
    pub domain: &'a Domain,
}

impl WallRange<'_> {
    /// Skin of a wall [m].
    fn skin_of(&self, wall: &LiveWall) -> f64 {
        if wall.wall.motion.is_still() { self.still_skin } else { self.skin }
    }

    /// Possible positions of a particle until the next rebuild, up to its skin: the current one, and its image beyond
    /// each periodic boundary that it may cross.
    fn images(&self, position: Vec3, skin: f64, images: &mut Vec<Vec3>) {
        images.clear();
        images.push(position);
        let period = self.domain.period();
        for axis in (0..3).filter(|&axis| self.domain.periodic[axis]) {
            let low = position[axis] - skin < self.domain.min[axis];
            let high = position[axis] + skin > self.domain.max[axis];
            for (is_near, shift) in [(low, period[axis]), (high, -period[axis])] {
                let accepted_contacts = if is_near { images.len() } else { 0 };
                for index in 0..accepted_contacts {
                    let mut image = images[index];
                    image[axis] += shift;
                    images.push(image);
                }
            }
        }
    }
}

impl WallContacts {
    /// Lists every particle within interaction range and skin of a wall.
    pub(crate) fn build(
        &mut self,
        records: &[HotData],
        metadata: &[Metadata],
        walls: &[LiveWall],
        table: &LawTable,
        range: &WallRange<'_>,
        pool: &mut Pool,
    ) {
        let mut found: Vec<Found> = Vec::new();
        found.resize_with(pool.threads(), Found::default);
        let slices = DisjointSlices::new(&mut found);
        let listing = Listing { records, metadata, walls, table, range };
        pool.split(records.len(), |part, slots| {
            // SAFETY: each part has its own element.
            let [found] = (unsafe { slices.slice_mut(part..part + 1) }) else { return };
            for start in slots.clone().step_by(WIDTH) {
                listing.find(start..slots.end.min(start + WIDTH), found);
            }
        });
        self.join(found, records.len());
        self.put_in_order(table.pairs.len());
        self.accepted.clear();
        self.accepted.resize(self.items.len(), [0, 0]);
        self.trial.clear();
        self.trial.resize(self.items.len(), [0, 0]);
    }

    /// Joins the items found by the parts, which are in order of particle and wall.
    fn join(&mut self, found: Vec<Found>, particles: usize) {
        self.items.clear();
        self.facets.clear();
        self.clearances.clear();
        for part in &found {
            let offset = self.facets.len() as u32;
            let moved = |item: &WallNeighbour| WallNeighbour {
                facets: item.facets.map(|at| at + offset),
                ..*item
            };
            self.items.extend(part.items.iter().map(moved));
            self.facets.extend_from_slice(&part.facets);
            self.clearances.extend_from_slice(&part.clearances);
        }
        self.starts.clear();
        for (index, item) in self.items.iter().enumerate() {
            self.starts.resize(item.particle as usize + 1, index as u32);
        }
        self.starts.resize(particles + 1, self.items.len() as u32);
    }

    /// Sorts the items in the order of evaluation.
    fn put_in_order(&mut self, pairs: usize) {
        let Self { items, order, groups, capacity_before, .. } = self;
        order.clear();
        order.extend(0..items.len() as u32);
        let key = |item: &u32| (items[*item as usize].pair, items[*item as usize].wall);
        // stable: the order of particles is preserved
        order.sort_by_key(key);
        groups.clear();
        for pair in 0..pairs {
            let start = groups.last().map_or(0, |(_, range): &(usize, Range<usize>)| range.end);
            let rest = &order[start..];
            let count = rest.partition_point(|item| usize::from(key(item).0) <= pair);
            if count > 0 {
                groups.push((pair, start..start + count));
            }
        }
        capacity_before.clear();
        let mut before = 0;
        for &item in order.iter() {
            capacity_before.push(before);
            before += items[item as usize].capacity();
        }
        capacity_before.push(before);
    }
}

/// Input of the list of particles near walls.
struct Listing<'a> {
    records: &'a [HotData],
    metadata: &'a [Metadata],
    walls: &'a [LiveWall],
    table: &'a LawTable,
    range: &'a WallRange<'a>,
}

impl Listing<'_> {
    /// Lists the walls near a chunk of particles.
    fn find(&self, slots: Range<usize>, found: &mut Found) {
        let first_item = found.items.len();
        let is_periodic = self.range.domain.periodic != [false; 3];
        let mut alone = 0;
        let mut free = 0;
        for (lane, slot) in slots.clone().enumerate() {
            let record = &self.records[slot];
            free |= u32::from(record.inverse_mass > 0.0) << lane;
            if is_periodic && record.inverse_mass > 0.0 {
                let skin = self.range.extents[slot] - record.radius;
                self.range.images(record.position.into(), skin, &mut found.images);
                if found.images.len() > 1 {
                    alone |= 1 << lane;
                    self.find_with_images(slot, found);
                }
            }
        }
        let together = free & !alone;
        for (index, wall) in self.walls.iter().enumerate() {
            if wall.present && !wall.is_made_of_particles() {
                self.find_at_wall(slots.clone(), together, index, wall, found);
            }
        }
        found.items[first_item..].sort_unstable_by_key(|item| (item.particle, item.wall));
    }

    /// The law of a particle and a wall, and the distance within which it is listed.
    fn limit(&self, slot: usize, wall: &LiveWall) -> Option<(usize, f64)> {
        let pair = self.table.index.of(self.metadata[slot].material, wall.wall.material.number());
        let range = self.table.index.range(pair)?;
        Some((pair, self.range.extents[slot] + range + self.range.skin_of(wall)))
    }

    /// Lists the particles of a chunk that are near one wall; `among` is the bit mask of the
    /// particles to test.
    fn find_at_wall(
        &self,
        slots: Range<usize>,
        among: u32,
        index: usize,
        wall: &LiveWall,
        found: &mut Found,
    ) {
        let mesh = match &wall.wall.shape {
            Shape::Mesh(mesh) => Some(mesh),
            _ => None,
        };
        let mut near = among;
        if mesh.is_none() {
            let interaction_range = self.table.interaction_range() + self.range.skin_of(wall);
            let extents = &self.range.extents[slots.clone()];
            near &=
                found.test.within(&self.records[slots.clone()], extents, wall, interaction_range);
        }
        while near > 0 {
            let lane = near.trailing_zeros() as usize;
            near &= near - 1;
            let slot = slots.start + lane;
            let Some((pair, limit)) = self.limit(slot, wall) else { continue };
            let first = found.facets.len();
            let is_near = match mesh {
                Some(mesh) => {
                    let local = wall.pose.to_local(self.records[slot].position.into());
                    mesh.distances_near(local, limit, &mut found.near);
                    found.facets.extend(found.near.iter().map(|(facet, _)| facet));
                    found.clearances.extend(found.near.iter().map(|(_, away)| lower(*away)));
                    !found.near.is_empty()
                }
                None => found.test.closest.distance[lane] < limit,
            };
            if is_near {
                found.push(slot, index, pair, first);
            }
        }
    }

    /// Lists the walls near a particle that may cross a periodic boundary, at each of its possible positions.
    fn find_with_images(&self, slot: usize, found: &mut Found) {
        for (index, wall) in self.walls.iter().enumerate() {
            if !wall.present || wall.is_made_of_particles() {
                continue;
            }
            let Some((pair, limit)) = self.limit(slot, wall) else { continue };
            let locals = found.images.iter().map(|position| wall.pose.to_local(*position));
            let first = found.facets.len();
            let mut is_near = false;
            for local in locals {
                is_near |= match &wall.wall.shape {
                    Shape::Mesh(mesh) => {
                        mesh.distances_near(local, limit, &mut found.near);
                        found.facets.extend(found.near.iter().map(|(facet, _)| facet));
                        !found.near.is_empty()
                    }
                    // not `contact`, which excludes particles behind a tube that may move around
                    // its rim
                    shape => {
                        shape.closest_point(local).is_some_and(|closest| closest.distance < limit)
                    }
                };
            }
            sort_from(&mut found.facets, first);
            // it may be at any of its positions, so there is no bound
            found.clearances.resize(found.facets.len(), f32::NEG_INFINITY);
            if is_near {
                found.push(slot, index, pair, first);
            }
        }
    }
}

impl Found {
    /// Lists a particle at a wall, with the facets from `first` on.
    fn push(&mut self, slot: usize, wall: usize, pair: usize, first: usize) {
        let clearances = &self.clearances[first..];
        self.items.push(WallNeighbour {
            particle: slot as u32,
            wall: wall as u16,
            pair: pair as u16,
            facets: [first as u32, self.facets.len() as u32],
            clearance: clearances.iter().copied().fold(f32::INFINITY, f32::min),
        });
    }
}

/// A distance rounded down to single precision.
pub(crate) fn lower(distance: f64) -> f32 {
    ((1.0 - 1e-6) * distance) as f32
}

/// Sorts the end of a list and removes duplicates there.
fn sort_from(values: &mut Vec<u32>, first: usize) {
    values[first..].sort_unstable();
    let mut kept = first;
    for index in first..values.len() {
        if index == first || values[index] != values[kept - 1] {
            values[kept] = values[index];
            kept += 1;
        }
    }
    values.truncate(kept);
}
