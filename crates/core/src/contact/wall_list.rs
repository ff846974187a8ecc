//! The list of particles near walls.

use super::walls::Item;
use super::{LawTable, WallContacts};
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
}

impl WallContacts {
    /// Lists every particle within reach and `skin` of a wall.
    pub(crate) fn build(
        &mut self,
        records: &[Record],
        descriptions: &[Description],
        walls: &[LiveWall],
        table: &LawTable,
        skin: f64,
        pool: &mut Pool,
    ) {
        let mut found: Vec<Found> = Vec::new();
        found.resize_with(pool.threads(), Found::default);
        let shares = Shares::new(&mut found);
        pool.split(records.len(), |part, range| {
            // SAFETY: each part has its own element.
            let [found] = (unsafe { shares.piece(part..part + 1) }) else { return };
            for slot in range.filter(|&slot| records[slot].inverse_mass > 0.0) {
                find_walls(slot, &records[slot], &descriptions[slot], walls, table, skin, found);
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
    skin: f64,
    found: &mut Found,
) {
    for (index, wall) in walls.iter().enumerate() {
        if !wall.present || wall.is_made_of_particles() {
            continue;
        }
        let pair = table.pair(description.material, wall.wall.material.0);
        let Some(laws) = table.pairs.get(pair) else { continue };
        let limit = record.radius + laws.reach + skin;
        let local = wall.pose.to_local(record.position.into());
        let first = found.facets.len() as u32;
        let is_near = match &wall.wall.shape {
            Shape::Mesh(mesh) => {
                mesh.facets_near(local, limit, &mut found.near);
                found.facets.extend_from_slice(&found.near);
                !found.near.is_empty()
            }
            // not `contact`, which leaves out those behind a tube that may come round its rim
            shape => shape.touch(local).is_some_and(|touch| touch.distance < limit),
        };
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
