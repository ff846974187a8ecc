//! Rebuild of the neighbour list: particles are sorted by cell, pairs and particles near walls are
//! listed, and contact history is carried over. Results do not depend on it.

use super::Engine;
use super::carry_over::{OldPairs, carry_pairs, carry_walls};
use crate::Vec3;
use crate::neighbour::cell_neighbours::padded;
use crate::neighbour::list::{Label, ListInput};
use crate::parallel::DisjointSlices;
use crate::particles::{NO_SLOT, Particles};
use crate::partition::Partition;
use crate::phases::Phase;
use crate::search::skin::{MotionSums, Predicted, Rule, inverse};
use crate::search::{Hierarchy, Layers, finder};
use crate::wall::live::LiveWall;
use crate::wall_contact::neighbours::WallRange;
use std::sync::atomic::{AtomicBool, Ordering};

/// Smallest skin of a moving wall as a fraction of the mean radius.
const LEAST_WALL_SKIN: f64 = 0.05;
/// Smallest skin of a wall as a multiple of its displacement in the next step.
const LEAST_WALL_DISPLACEMENTS: f64 = 6.0;

/// Skins chosen at a rebuild.
pub(super) struct SkinChoice {
    pub rule: Rule,
    /// Smallest skin of particles that belong to a wall [m].
    pub driven: f64,
    /// Largest skin [m].
    pub largest: f64,
}

impl Engine {
    /// Rebuilds the neighbour list from the current state; `keep` selects the slots that
    /// remain.
    pub(crate) fn rebuild(&mut self, keep: impl Fn(usize) -> bool) {
        self.count_rebuild();
        self.rebuild_uncounted(keep);
    }

    /// Counts a rebuild; the count is independent of the number of ranks.
    pub(crate) fn count_rebuild(&mut self) {
        self.neighbours.statistics.rebuilds += 1;
    }

    /// As `rebuild`, for rebuilds that do not occur on one rank.
    pub(crate) fn rebuild_uncounted(&mut self, keep: impl Fn(usize) -> bool) {
        let all = 0..self.world.particles.len() as u32;
        let kept: Vec<u32> = all.filter(|&slot| keep(slot as usize)).collect();
        if self.halo.is_split {
            self.rebuild_split(&kept, |_| ());
        } else {
            self.rebuild_joined(kept);
        }
    }

    /// Lists the pairs of all particles. `order` contains the slots that remain.
    fn rebuild_joined(&mut self, mut order: Vec<u32>) {
        self.workers.phases.end(Phase::Other);
        self.world.join_walls();
        let touching = self.neighbours.contacts();
        let SkinChoice { rule, driven, largest } = self.choose_skins(touching);
        let gap = self.table.interaction_range() + largest;
        let hierarchy = Hierarchy::new(
            &self.world.particles.records,
            &mut order,
            &self.world.domain,
            gap,
            largest,
            if touching > self.world.particles.len() { Layers::Folded } else { Layers::Straight },
            &mut self.workers.pool,
        );
        let mut new_slot = vec![NO_SLOT; self.world.particles.len()];
        for (slot, &old) in order.iter().enumerate() {
            new_slot[old as usize] = slot as u32;
        }
        self.reorder(&order);
        let extents = self.set_skins(&rule, driven);
        let finder = finder(
            self.neighbours.search.method,
            hierarchy,
            &self.world.particles.records,
            &self.world.domain,
            gap,
        );
        let old_pairs = std::mem::take(&mut self.neighbours.list.pairs);
        let old_indices = std::mem::take(&mut self.neighbours.list.accepted);
        let labels = self.labels();
        let surroundings = ListInput {
            records: &self.world.particles.records,
            labels: &labels,
            domain: &self.world.domain,
            laws: &self.table.index,
            extents: &extents,
            interaction_range: self.table.interaction_range(),
        };
        self.neighbours.list.build(&finder, &surroundings, &mut self.workers.pool);
        let pairs = self.neighbours.list.pairs.len();
        self.neighbours.touched.resize(self.world.particles.len(), pairs, touching);
        // removed partners are not listed
        let now = |&[first, second]: &[u32; 2]| match new_slot[second as usize] {
            NO_SLOT => (NO_SLOT, 0),
            slot => (new_slot[first as usize], labels[slot as usize].number),
        };
        carry_pairs(
            OldPairs { pairs: &old_pairs, history_indices: &old_indices },
            now,
            &mut self.neighbours.list,
            &mut self.contacts.stored,
            &mut self.workers.pool,
        );
        self.neighbours.partition = Partition::new(&self.neighbours.list, &mut self.workers.pool);
        self.list_walls(&new_slot, &extents);
        self.end_rebuild();
    }

    /// The end of a rebuild.
    pub(super) fn end_rebuild(&mut self) {
        self.neighbours.statistics.steps_since_rebuild = 0;
        self.workers.phases.end(Phase::Search);
    }

    /// Lists particles near walls; `new_slot` maps slots of the old list to new slots.
    pub(super) fn list_walls(&mut self, new_slot: &[u32], extents: &[f64]) {
        let old_items = std::mem::take(&mut self.contacts.walls.items);
        let old_indices = std::mem::take(&mut self.contacts.walls.accepted);
        self.contacts.walls.build(
            &self.world.particles.records,
            &self.world.particles.metadata,
            &self.world.walls,
            &self.table,
            &WallRange {
                skin: self.neighbours.wall_skins[0],
                still_skin: self.neighbours.still_skin,
                extents,
                domain: &self.world.domain,
            },
            &mut self.workers.pool,
        );
        carry_walls(&old_items, &old_indices, new_slot, &mut self.contacts.walls);
        for wall in &mut self.world.walls {
            wall.listed_pose = wall.pose;
        }
    }

    pub(super) fn labels(&mut self) -> Vec<Label> {
        let Particles { records, metadata, .. } = &self.world.particles;
        let mut labels = vec![Label::NONE; records.len()];
        let slices = DisjointSlices::new(&mut labels);
        self.workers.pool.split(records.len(), |_, range| {
            // SAFETY: the ranges of `split` are disjoint.
            let labels = unsafe { slices.slice_mut(range.clone()) };
            let all = metadata[range.clone()].iter().zip(&records[range]);
            for (label, (metadata, record)) in labels.iter_mut().zip(all) {
                *label = Label::new(metadata, record);
            }
        });
        labels
    }

    pub(super) fn reorder(&mut self, order: &[u32]) {
        self.world.particles.reorder(order, &mut self.workers.pool);
        if let Some(ledger) = &mut self.ledger {
            ledger.reorder(order);
        }
    }

    /// Reorders everything but the records of the particles.
    pub(super) fn reorder_columns(&mut self, order: &[u32]) {
        self.world.particles.reorder_columns(order, &mut self.workers.pool);
        if let Some(ledger) = &mut self.ledger {
            ledger.reorder(order);
        }
    }

    /// Chooses the skins of particles and walls.
    pub(super) fn choose_skins(&mut self, touching: usize) -> SkinChoice {
        let in_vain = self.pairs_without_contact(touching);
        let [count, in_vain] = self.halo.sum_counts([self.world.particles.len(), in_vain]);
        let steps = self.neighbours.statistics.steps_since_rebuild;
        self.neighbours.skins.tune(count, in_vain, steps);
        let (predicted, pool) = (self.predicted(), &mut self.workers.pool);
        let Particles { records, loads, .. } = &self.world.particles;
        let unit = self.neighbours.skins.unit;
        let sums = MotionSums::new(records, loads, predicted, unit, pool);
        let motion = self.halo.agree_on_motion(sums, unit);
        let mut rule =
            self.neighbours.skins.rule(&motion, self.neighbours.search.skin.map(|skin| 0.5 * skin));
        // an empty scene has no mean radius
        rule.raise(self.neighbours.skin_needed.max(f64::MIN_POSITIVE));
        let displacement = self.largest_wall_displacement(|wall| !wall.is_made_of_particles());
        let wall = (LEAST_WALL_SKIN * motion.mean_radius)
            .max(LEAST_WALL_DISPLACEMENTS * displacement)
            .max(rule.skin(displacement))
            .max(self.neighbours.horizon.wall_skin());
        let driven = rule.skin(self.largest_wall_displacement(LiveWall::is_made_of_particles));
        self.neighbours.wall_skins = [wall, driven];
        self.neighbours.still_skin = self.neighbours.horizon.wall_skin();
        let largest =
            rule.skin(motion.largest_displacement).max(self.neighbours.horizon.largest_skin());
        let any_driven = self.world.walls.iter().any(LiveWall::is_made_of_particles)
            || !self.world.particles.drivers.is_empty();
        SkinChoice { rule, driven, largest: if any_driven { largest.max(driven) } else { largest } }
    }

    /// Number of listed pairs that are not in contact, each counted on one rank only; `touching` is the number in
    /// contact on this rank.
    fn pairs_without_contact(&self, touching: usize) -> usize {
        let list = &self.neighbours.list;
        if !self.halo.is_split {
            return list.pairs.len() - touching;
        }
        let own = self.listed() as u32;
        let both = list.pairs.iter().zip(&list.accepted);
        both.filter(|(pair, index)| **index == 0 && pair[0] < own).count()
    }

    /// Sets the skin of each particle from its displacement. Returns the extents, radius plus
    /// skin.
    pub(super) fn set_skins(&mut self, rule: &Rule, driven: f64) -> Vec<f64> {
        let predicted = self.predicted();
        let Particles { records, loads, drivers, .. } = &mut self.world.particles;
        let (count, horizon) = (records.len(), self.neighbours.horizon);
        let mut extents = vec![0.0; padded(count)];
        self.neighbours.skins.inverse.resize(count, 0.0);
        let inverses = DisjointSlices::new(&mut self.neighbours.skins.inverse);
        let (all, lengths) = (DisjointSlices::new(records), DisjointSlices::new(&mut extents));
        self.workers.pool.split(count, |_, range| {
            // SAFETY: the ranges of `split` are disjoint.
            let (records, inverses, extents) = unsafe {
                (
                    all.slice_mut(range.clone()),
                    inverses.slice_mut(range.clone()),
                    lengths.slice_mut(range.clone()),
                )
            };
            for (index, slot) in range.enumerate() {
                let record = &mut records[index];
                let mut skin = rule.skin(predicted.displacement(record, &loads[slot]).length());
                skin = skin.max(horizon.skin(record).min(horizon.largest_skin()));
                if drivers.get(slot).is_some_and(|driver| driver.wall > 0) {
                    skin = skin.max(driven);
                }
                record.listed_position = record.position;
                inverses[index] = inverse(skin);
                extents[index] = record.radius + skin;
            }
        });
        extents
    }

    /// Displacements that the integrator predicts for the next step.
    fn predicted(&self) -> Predicted {
        Predicted { dt: self.dt, fraction: self.neighbours.predicted_fraction }
    }

    /// True if a wall will be displaced beyond its skin at this time.
    pub(crate) fn walls_leave_skin(&mut self, time: f64) -> bool {
        let (low, high) = (self.world.domain.min, self.world.domain.max);
        self.world.walls.iter().filter(|wall| wall.present && !wall.wall.motion.is_still()).any(
            |wall| {
                let displacement = wall.displacement(&wall.pose_at(time), low, high);
                displacement > self.neighbours.wall_skins[usize::from(wall.is_made_of_particles())]
            },
        )
    }

    /// True if every particle stays within its skin during the next step, predicted from the current forces.
    pub(crate) fn stays_within_skin(&mut self) -> bool {
        let predicted = self.predicted();
        let (skins, pool) = (&self.neighbours.skins, &mut self.workers.pool);
        let Particles { records, loads, .. } = &self.world.particles;
        let stays = AtomicBool::new(true);
        pool.split(records.len(), |_, range| {
            let moving = records[range.clone()].iter().zip(&loads[range.clone()]);
            let ways = moving.map(|(record, load)| {
                let listed = Vec3::from_array(record.listed_position);
                Vec3::from_array(record.position) - listed + predicted.displacement(record, load)
            });
            if !skins.used(range.start, ways).all(|used| used <= 1.0) {
                stays.store(false, Ordering::Relaxed);
            }
        });
        !self.any(!stays.into_inner())
    }

    /// Largest displacement in the next step of a point of a selected wall inside the domain [m].
    fn largest_wall_displacement(&self, is_meant: impl Fn(&LiveWall) -> bool) -> f64 {
        let moving =
            self.world.walls.iter().filter(|wall| wall.present && !wall.wall.motion.is_still());
        let displacement = |wall: &LiveWall| {
            let now = LiveWall { listed_pose: wall.pose, ..wall.clone() };
            now.displacement(
                &wall.pose_at(self.time() + self.dt()),
                self.world.domain.min,
                self.world.domain.max,
            )
        };
        moving.filter(|wall| is_meant(wall)).map(displacement).fold(0.0, f64::max)
    }
}
