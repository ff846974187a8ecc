//! What particles do to walls, and what walls do to the particles that are part of them.

use crate::Vec3;
use crate::engine::{Engine, Results};
use crate::exact_sum::{ExactSum, ExactVectorSum};
use crate::particles::wrap;
use crate::wall::Shape;
use crate::wall::live::LiveWall;

/// Sums for one wall that do not depend on the order of its contacts.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sums {
    force: ExactVectorSum,
    torque: ExactVectorSum,
    power: ExactSum,
}

/// What a wall does to one particle.
struct Load {
    /// Place of the wall in the list of walls.
    wall: usize,
    force: Vec3,
    couple: Vec3,
    /// From the centre of the wall's pose to the point where the force acts.
    arm: Vec3,
    /// Velocity of the wall at this point, and its spin.
    velocity: Vec3,
    spin: Vec3,
}

impl Load {
    /// Power of the wall on the particle [W].
    fn power(&self) -> f64 {
        self.force.dot(self.velocity) + self.couple.dot(self.spin)
    }
}

impl Sums {
    fn add(&mut self, load: &Load) {
        self.force.add(-load.force);
        self.torque.add(-(load.arm.cross(load.force) + load.couple));
        self.power.add(load.power());
    }
}

impl Engine {
    /// Sums force, torque and power of every wall over the contacts of the accepted state.
    pub(crate) fn sum_wall_loads(&mut self) {
        let mut walls = std::mem::take(&mut self.walls);
        let mut sums = std::mem::take(&mut self.wall_sums);
        self.sum_wall_loads_into(&mut walls, &mut sums);
        self.walls = walls;
        self.wall_sums = sums;
    }

    /// As `sum_wall_loads`, into a list of the same walls; `sums` is room to work in, kept from
    /// step to step so that none allocates.
    pub(crate) fn sum_wall_loads_into(&self, walls: &mut [LiveWall], sums: &mut Vec<Sums>) {
        if self.results == Results::None {
            return;
        }
        sums.resize_with(walls.len(), Sums::default);
        sums.iter_mut().for_each(|sums| *sums = Sums::default());
        self.for_each_load(walls, |_| true, |load| sums[load.wall].add(&load));
        for (wall, sums) in walls.iter_mut().zip(sums) {
            wall.force = sums.force.value();
            wall.torque = sums.torque.value();
            wall.power = sums.power.value();
        }
    }

    /// Adds the work of moving walls in a step, by the trapezoidal rule as the ledger does. Walls
    /// that stand still do none.
    pub(crate) fn add_wall_work(&mut self, elapsed: f64) {
        if self.any_wall_moves() {
            let half = 0.5 * elapsed;
            self.walls.iter_mut().for_each(|wall| wall.work += half * wall.power);
            self.sum_wall_power();
            self.walls.iter_mut().for_each(|wall| wall.work += half * wall.power);
        }
    }

    fn any_wall_moves(&self) -> bool {
        self.walls.iter().any(|wall| wall.present && !wall.wall.motion.is_still())
    }

    /// Sums the power of every wall over the contacts of the accepted state, and nothing else.
    pub(crate) fn sum_wall_power(&mut self) {
        if self.results == Results::None {
            return;
        }
        self.walls.iter_mut().for_each(|wall| wall.power = 0.0);
        if !self.any_wall_moves() {
            return;
        }
        let mut walls = std::mem::take(&mut self.walls);
        let mut sums = std::mem::take(&mut self.wall_sums);
        sums.resize_with(walls.len(), Sums::default);
        sums.iter_mut().for_each(|sums| sums.power = ExactSum::default());
        let moves = |wall: usize| !walls[wall].wall.motion.is_still();
        self.for_each_load(&walls, moves, |load| sums[load.wall].power.add(load.power()));
        for (wall, sums) in walls.iter_mut().zip(&sums) {
            wall.power = sums.power.value();
        }
        self.walls = walls;
        self.wall_sums = sums;
    }

    /// Calls with what each wanted wall does to each particle.
    fn for_each_load(
        &self,
        walls: &[LiveWall],
        is_wanted: impl Fn(usize) -> bool,
        mut with: impl FnMut(Load),
    ) {
        let contacts = &self.wall_contacts;
        let (rows, touches) = match self.results {
            Results::None => return,
            Results::Trial => (&contacts.trial, &contacts.trial_touches),
            Results::Accepted => (&contacts.accepted, &contacts.accepted_touches),
        };
        for (item, &[first, count]) in contacts.items.iter().zip(rows) {
            let wall = usize::from(item.wall);
            if count == 0 || !is_wanted(wall) {
                continue;
            }
            let pose = &walls[wall].pose;
            let center = Vec3::from_array(self.particles.records[item.particle as usize].position);
            for row in first as usize..(first + count) as usize {
                let result = &contacts.rows.results.rows()[row];
                let force = Vec3::new(result[0], result[1], result[2]);
                let couple = contacts.rows.results.moment_at_wall(row);
                let point = center + result[3] * touches[row].normal;
                let velocity = pose.velocity_at(point);
                let (arm, spin) = (point - pose.center, pose.spin);
                with(Load { wall, force, couple, arm, velocity, spin });
            }
        }
        self.for_each_driven_load(walls, is_wanted, with);
    }

    /// Particles that are part of a wall pass on what acts on them.
    fn for_each_driven_load(
        &self,
        walls: &[LiveWall],
        is_wanted: impl Fn(usize) -> bool,
        mut with: impl FnMut(Load),
    ) {
        for slot in 0..self.particles.drivers.len() {
            let Some((wall, place)) = self.particles.driver(slot) else { continue };
            if !is_wanted(wall) {
                continue;
            }
            let pose = &walls[wall].pose;
            let load = &self.particles.loads[slot];
            // where the wall has it, which may be beyond a periodic boundary
            let center = match &walls[wall].wall.shape {
                Shape::Particles(spheres) => spheres.get(place),
                _ => None,
            };
            let Some(center) = center.map(|sphere| pose.to_world(sphere.position)) else {
                continue;
            };
            // what acts on the particle of the wall is what the wall does to grains, reversed
            with(Load {
                wall,
                force: -load.force(),
                couple: -load.torque(),
                arm: center - pose.center,
                velocity: pose.velocity_at(center),
                spin: pose.spin,
            });
        }
    }

    /// Notes the mean motion of particles that are part of moving walls.
    pub(crate) fn note_driven_motions(&mut self, elapsed: f64) {
        let Self { particles, walls, motions, .. } = self;
        for (slot, motion) in motions.iter_mut().enumerate() {
            let Some((wall, place)) = particles.driver(slot) else { continue };
            let wall = &walls[wall];
            let Shape::Particles(spheres) = &wall.wall.shape else { continue };
            let Some(sphere) = spheres.get(place) else { continue };
            let now = wall.pose.to_world(sphere.position);
            let velocity = wall.mean_velocity_at(now, elapsed);
            motion.velocity = [velocity.x, velocity.y, velocity.z, 0.0];
            motion.spin = [wall.mean_spin.x, wall.mean_spin.y, wall.mean_spin.z, 0.0];
        }
    }

    /// Puts the particles that are part of moving walls where their wall is.
    pub(crate) fn drive_particles(&mut self) {
        let Self { particles, walls, domain, .. } = self;
        for slot in 0..particles.drivers.len() {
            let Some((wall, place)) = particles.driver(slot) else { continue };
            let (record, description) =
                (&mut particles.records[slot], &mut particles.descriptions[slot]);
            let wall = &walls[wall];
            let Shape::Particles(spheres) = &wall.wall.shape else { continue };
            let Some(sphere) = spheres.get(place) else { continue };
            let position = wall.pose.to_world(sphere.position);
            record.position = position.to_array();
            record.velocity = wall.pose.velocity_at(position).to_array();
            record.spin = wall.pose.spin.to_array();
            // a wall knows nothing of periods: its particles are wrapped anew each time
            let (listed, before) = (record.listed_position, description.image);
            description.image = [0; 3];
            wrap(domain, record, description);
            for axis in 0..3 {
                let crossed = f64::from(description.image[axis] - before[axis]);
                record.listed_position[axis] = listed[axis] - crossed * domain.period()[axis];
            }
        }
    }
}
