//! The list of particles near walls.

use super::walls::Item;
use super::{LawTable, WallContacts};
use crate::Vec3;
use crate::domain::Domain;
use crate::parallel::{Pool, Shares};
use crate::particles::{Description, Record};
use crate::wall::Shape;
use crate::wall::live::LiveWall;

/// What one part has found.
#[derive(Debug, Default)]
pub(crate) struct Found {
    items: Vec<Item>,
    facets: Vec<u32>,
    near: Vec<u32>,
    places: Vec<Vec3>,
}

/// How far beyond reach walls are listed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WallRange<'a> {
    /// How far a moving wall may go before the next listing [m].
    pub allowance: f64,
    /// Radius of each particle and how far it may go [m].
    pub extents: &'a [f64],
    pub domain: &'a Domain,
}

impl WallRange<'_> {
    /// Where a particle may be before the next listing, up to its allowance: where it is, and on the
    /// other side of each periodic boundary that it may cross.
    fn places(&self, position: Vec3, allowance: f64, places: &mut Vec<Vec3>) {
        places.clear();
        places.push(position);
        let period = self.domain.period();
        for axis in (0..3).filter(|&axis| self.domain.periodic[axis]) {
            let low = position[axis] - allowance < self.domain.min[axis];
            let high = position[axis] + allowance > self.domain.max[axis];
            for (is_near, shift) in [(low, period[axis]), (high, -period[axis])] {
                let known = if is_near { places.len() } else { 0 };
                for place in 0..known {
                    let mut image = places[place];
                    image[axis] += shift;
                    places.push(image);
                }
            }
        }
    }
}

impl WallContacts {
    /// Lists every particle within reach and skin of a wall.
    pub(crate) fn build(
        &mut self,
        records: &[Record],
        descriptions: &[Description],
        walls: &[LiveWall],
        table: &LawTable,
        range: &WallRange<'_>,
        pool: &mut Pool,
    ) {
        let mut found: Vec<Found> = Vec::new();
        found.resize_with(pool.threads(), Found::default);
        let shares = Shares::new(&mut found);
        pool.split(records.len(), |part, slots| {
            // SAFETY: each part has its own element.
            let [found] = (unsafe { shares.piece(part..part + 1) }) else { return };
            for slot in slots.filter(|&slot| records[slot].inverse_mass > 0.0) {
                find_walls(slot, &records[slot], &descriptions[slot], walls, table, range, found);
            }
        });
        self.join(found, table.pairs.len());
        self.link(records.len());
        self.accepted.clear();
        self.accepted.resize(self.items.len(), [0, 0]);
        self.trial.clear();
        self.trial.resize(self.items.len(), [0, 0]);
    }

    /// Joins what the parts have found, grouped by pair of materials.
    fn join(&mut self, found: Vec<Found>, pairs: usize) {
        self.items.clear();
        self.facets.clear();
        self.groups.clear();
        let mut offsets = Vec::with_capacity(found.len());
        for part in &found {
            offsets.push(self.facets.len() as u32);
            self.facets.extend_from_slice(&part.facets);
        }
        let mut capacity = 0;
        for pair in 0..pairs {
            let start = self.items.len();
            for (part, offset) in found.iter().zip(&offsets) {
                for item in part.items.iter().filter(|item| usize::from(item.pair) == pair) {
                    let mut item = *item;
                    item.facets = item.facets.map(|facet| facet + offset);
                    item.capacity_before = capacity;
                    capacity += item.capacity();
                    self.items.push(item);
                }
            }
            if self.items.len() > start {
                self.groups.push((pair, start..self.items.len()));
            }
        }
    }

    /// Chains the items of each particle in order of wall.
    fn link(&mut self, particles: usize) {
        self.heads.clear();
        self.heads.resize(particles, 0);
        let mut order: Vec<u32> = (0..self.items.len() as u32).collect();
        order.sort_by_key(|&index| std::cmp::Reverse(self.items[index as usize].wall));
        for index in order {
            let item = &mut self.items[index as usize];
            item.next = self.heads[item.particle as usize];
            self.heads[item.particle as usize] = index + 1;
        }
    }
}

fn find_walls(
    slot: usize,
    record: &Record,
    description: &Description,
    walls: &[LiveWall],
    table: &LawTable,
    range: &WallRange<'_>,
    found: &mut Found,
) {
    let extent = range.extents[slot];
    range.places(record.position.into(), extent - record.radius, &mut found.places);
    for (index, wall) in walls.iter().enumerate() {
        if !wall.present || wall.is_made_of_particles() {
            continue;
        }
        let pair = table.pair(description.material, wall.wall.material.0);
        let Some(laws) = table.pairs.get(pair) else { continue };
        let allowance = if wall.wall.motion.is_still() { 0.0 } else { range.allowance };
        let limit = extent + laws.reach + allowance;
        let locals = found.places.iter().map(|place| wall.pose.to_local(*place));
        let first = found.facets.len() as u32;
        let mut is_near = false;
        for local in locals {
            is_near |= match &wall.wall.shape {
                Shape::Mesh(mesh) => {
                    mesh.facets_near(local, limit, &mut found.near);
                    found.facets.extend_from_slice(&found.near);
                    !found.near.is_empty()
                }
                // not `contact`, which leaves out those behind a tube that may come round its rim
                shape => shape.touch(local).is_some_and(|touch| touch.distance < limit),
            };
        }
        if found.places.len() > 1 {
            sort_from(&mut found.facets, first as usize);
        }
        if is_near {
            found.items.push(Item {
                particle: slot as u32,
                wall: index as u16,
                pair: pair as u16,
                facets: [first, found.facets.len() as u32],
                next: 0,
                capacity_before: 0,
            });
        }
    }
}

/// Sorts the end of a list and leaves each value there once.
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
