//! Listing the candidates anew: particles are sorted by place, pairs and walls are listed, and
//! contacts keep their history. Nothing here changes a result.

use crate::Vec3;
use crate::contact::carry::{carry_pairs, carry_walls};
use crate::contact::list::{Label, Surroundings};
use crate::contact::wall_list::WallRange;
use crate::engine::Engine;
use crate::particles::{NOWHERE, Record, Total};
use crate::phases::Phase;
use crate::search::{Hierarchy, finder};
use crate::wall::live::LiveWall;

/// Share of the mean radius that the skin starts with, and its bounds.
const SKIN: f64 = 0.1;
const SMALLEST_SKIN: f64 = 0.02;
const LARGEST_SKIN: f64 = 0.6;
/// The same where there are fewer candidates than this for each particle.
const LARGEST_DILUTE_SKIN: f64 = 2.0;
const DILUTE: f64 = 2.0;
/// Share of the mean radius by which a wall may be farther than reach and still be listed.
const WALL_SKIN: f64 = 0.3;
/// Steps between rebuilds below which the skin grows, and above which it shrinks. Measured: the
/// cost of a step is flat in between.
const OFTEN: u64 = 30;
const SELDOM: u64 = 400;
/// Skin as a multiple of the longest way of a particle in one step; two would do if speeds did not
/// change.
const SKIN_PER_STRIDE: f64 = 6.0;

impl Engine {
    /// Lists the candidates from the present state. `keep` says which slots stay.
    pub(crate) fn rebuild(&mut self, keep: impl Fn(usize) -> bool) {
        self.phases.end(Phase::Other);
        self.choose_skin();
        let margin = self.table.reach() + self.skin;
        let mut order: Vec<u32> =
            (0..self.particles.len() as u32).filter(|&slot| keep(slot as usize)).collect();
        let hierarchy = Hierarchy::new(
            &self.particles.records,
            &mut order,
            &self.domain,
            margin,
            &mut self.pool,
        );
        let mut new_slot = vec![NOWHERE; self.particles.len()];
        for (slot, &old) in order.iter().enumerate() {
            new_slot[old as usize] = slot as u32;
        }
        self.reorder(&order);
        let finder =
            finder(self.search.method, hierarchy, &self.particles.records, &self.domain, margin);
        let old_pairs = std::mem::take(&mut self.candidates.pairs);
        let old_rows = std::mem::take(&mut self.candidates.accepted);
        let labels: Vec<Label> = self.particles.descriptions.iter().map(Label::new).collect();
        let surroundings = Surroundings {
            records: &self.particles.records,
            labels: &labels,
            domain: &self.domain,
            laws: &self.table,
            skin: self.skin,
            reach: self.table.reach(),
            largest_radius: self
                .particles
                .records
                .iter()
                .map(|record| record.radius)
                .fold(0.0, f64::max),
        };
        self.candidates.build(&finder, &surroundings, &mut self.pool);
        let (candidates, memories) = (&mut self.candidates, &mut self.memories);
        carry_pairs(&old_pairs, &old_rows, &new_slot, candidates, memories, &mut self.pool);
        self.list_walls(&new_slot);
        self.statistics.rebuilds += 1;
        self.statistics.steps_since_rebuild = 0;
        self.phases.end(Phase::Search);
    }

    /// Lists particles near walls; `new_slot` says where each slot of the old list has gone.
    fn list_walls(&mut self, new_slot: &[u32]) {
        let old_items = std::mem::take(&mut self.wall_contacts.items);
        let old_rows = std::mem::take(&mut self.wall_contacts.accepted);
        self.wall_contacts.build(
            &self.particles.records,
            &self.particles.descriptions,
            &self.walls,
            &self.table,
            &WallRange { skin: self.wall_skin, travel: 0.5 * self.skin, domain: &self.domain },
            &mut self.pool,
        );
        carry_walls(&old_items, &old_rows, new_slot, &mut self.wall_contacts);
        for wall in &mut self.walls {
            wall.listed_pose = wall.pose;
        }
    }

    fn reorder(&mut self, order: &[u32]) {
        self.particles.reorder(order, &mut self.pool);
        if self.ledger {
            self.works = order
                .iter()
                .map(|&old| self.works.get(old as usize).copied().unwrap_or_default())
                .collect();
            self.books = order
                .iter()
                .map(|&old| self.books.get(old as usize).copied().unwrap_or_default())
                .collect();
            self.field_power = order
                .iter()
                .map(|&old| self.field_power.get(old as usize).copied().unwrap_or_default())
                .collect();
        }
        for record in &mut self.particles.records {
            record.listed_position = record.position;
        }
    }

    /// The skin follows the motion: rebuilt often, it grows; seldom, it shrinks.
    fn choose_skin(&mut self) {
        let count = self.particles.len().max(1) as f64;
        let mean = self.particles.records.iter().map(|record| record.radius).sum::<f64>() / count;
        let steps = self.statistics.steps_since_rebuild;
        self.skin = match self.search.skin {
            Some(given) => given,
            None if self.skin == 0.0 => SKIN * mean,
            None if steps > 0 && steps < OFTEN => {
                // where particles are far apart a wide skin has few more candidates
                let is_dilute = (self.candidates.pairs.len() as f64) < DILUTE * count;
                let largest = if is_dilute { LARGEST_DILUTE_SKIN } else { LARGEST_SKIN };
                let growth = (OFTEN as f64 / steps as f64).clamp(1.25, 2.0);
                (growth * self.skin).min(largest * mean).max(self.skin)
            }
            None if steps > SELDOM => (0.8 * self.skin).max(SMALLEST_SKIN * mean),
            None => self.skin,
        };
        // a step must not lead out of a list that has just been made
        let driven = self.largest_wall_stride(LiveWall::is_made_of_particles);
        let strides = SKIN_PER_STRIDE * self.largest_stride().max(driven);
        self.skin = self.skin.max(strides).max(self.skin_needed);
        if self.skin == 0.0 {
            // an empty scene has no radius to go by
            self.skin = f64::MIN_POSITIVE;
        }
        self.wall_skin = self.skin.max(WALL_SKIN * mean)
            + SKIN_PER_STRIDE * self.largest_wall_stride(|wall| !wall.is_made_of_particles());
    }

    /// Whether a wall will have moved beyond what its candidates allow at this time.
    pub(crate) fn walls_leave_skin(&mut self, time: f64) -> bool {
        let (low, high) = (self.domain.min, self.domain.max);
        let allowed = [self.wall_skin - 0.5 * self.skin, 0.5 * self.skin];
        self.walls.iter().filter(|wall| wall.present && !wall.wall.motion.is_still()).any(|wall| {
            let displacement = wall.displacement(&wall.pose_at(time), low, high);
            displacement > allowed[usize::from(wall.is_made_of_particles())]
        })
    }

    /// Whether every particle stays within the skin during the next step, as far as the present
    /// forces tell.
    pub(crate) fn stays_within_skin(&self) -> bool {
        let limit = 0.25 * self.skin * self.skin;
        self.particles.records.iter().zip(&self.particles.loads).all(|(record, load)| {
            let away = Vec3::from_array(record.position) - Vec3::from_array(record.listed_position);
            (away + self.stride(record, load)).length_squared() <= limit
        })
    }

    /// Way of a particle in the next step, at most [m].
    fn stride(&self, record: &Record, load: &Total) -> Vec3 {
        let change = self.dt * record.inverse_mass * load.force();
        self.dt * (Vec3::from_array(record.velocity) + change)
    }

    /// Largest distance that a particle goes in the next step [m].
    fn largest_stride(&self) -> f64 {
        let both = self.particles.records.iter().zip(&self.particles.loads);
        let squares = both.map(|(record, load)| self.stride(record, load).length_squared());
        squares.fold(0.0, f64::max).sqrt()
    }

    /// Largest distance that a point of such a wall inside the domain goes in the next step [m].
    fn largest_wall_stride(&self, is_meant: impl Fn(&LiveWall) -> bool) -> f64 {
        let moving = self.walls.iter().filter(|wall| wall.present && !wall.wall.motion.is_still());
        let stride = |wall: &LiveWall| {
            let now = LiveWall { listed_pose: wall.pose, ..wall.clone() };
            now.displacement(&wall.pose_at(self.time + self.dt), self.domain.min, self.domain.max)
        };
        moving.filter(|wall| is_meant(wall)).map(stride).fold(0.0, f64::max)
    }
}
