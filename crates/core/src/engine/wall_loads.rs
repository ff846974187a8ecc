//! Forces of particles on walls, and the work of walls.

use super::Engine;
use super::contacts::Results;
use crate::Vec3;
use crate::exact_sum::{ExactSum, ExactVectorSum};
use crate::ranks::sum_exactly;
use crate::wall::Shape;
use crate::wall::live::LiveWall;

/// Sums for one wall, independent of the order of its contacts.
#[derive(Debug, Clone, Default)]
pub(super) struct Sums {
    force: ExactVectorSum,
    torque: ExactVectorSum,
    power: ExactSum,
}

/// Load of a wall on one particle.
struct Load {
    /// Index of the wall.
    wall: usize,
    force: Vec3,
    moment: Vec3,
    /// Vector from the centre of the wall's pose to the point of application.
    arm: Vec3,
    /// Velocity of the wall at this point, and its spin.
    velocity: Vec3,
    spin: Vec3,
}

impl Load {
    /// Power of the wall on the particle [W].
    fn power(&self) -> f64 {
        self.force.dot(self.velocity) + self.moment.dot(self.spin)
    }
}

impl Sums {
    fn add(&mut self, load: &Load) {
        self.force.add(-load.force);
        self.torque.add(-(load.arm.cross(load.force) + load.moment));
        self.power.add(load.power());
    }

    fn all(&mut self) -> impl Iterator<Item = &mut ExactSum> {
        let vectors = [&mut self.force, &mut self.torque].into_iter();
        vectors.flat_map(|sum| &mut sum.components).chain([&mut self.power])
    }
}

impl Engine {
    /// Sums force, torque and power of every wall over all ranks, before contacts migrate to ranks that do not have
    /// their results.
    pub(crate) fn record_wall_loads(&mut self) {
        self.world.walls = self.walls_with_loads();
        self.contacts.results = Results::None;
    }

    /// Sums force, torque and power of every wall over the contacts of the accepted state, into a list of the same
    /// walls.
    fn sum_wall_loads_into(&self, walls: &mut [LiveWall]) {
        if self.contacts.results == Results::None {
            return;
        }
        let mut sums = vec![Sums::default(); walls.len()];
        self.for_each_load(walls, |_| true, |load| sums[load.wall].add(&load));
        if let Some(comm) = self.halo.active() {
            sum_exactly(comm, &mut sums.iter_mut().flat_map(Sums::all).collect::<Vec<_>>());
        }
        for (wall, sums) in walls.iter_mut().zip(sums) {
            wall.force = sums.force.value();
            wall.torque = sums.torque.value();
            wall.power = sums.power.value();
        }
    }

    /// Adds the work of moving walls in a step, by the trapezoidal rule as in the ledger. Walls at rest do no work.
    pub(crate) fn add_wall_work(&mut self, elapsed: f64) {
        if self.world.any_wall_moves() {
            self.add_half_of_wall_work(elapsed);
            self.sum_wall_power();
            self.add_half_of_wall_work(elapsed);
        }
    }

    /// Adds the work of walls in half a step at their current power.
    pub(super) fn add_half_of_wall_work(&mut self, elapsed: f64) {
        let half = 0.5 * elapsed;
        self.world.walls.iter_mut().for_each(|wall| wall.work += half * wall.power);
    }

    /// The walls, with force, torque and power of the accepted state.
    pub(crate) fn walls_with_loads(&self) -> Vec<LiveWall> {
        let mut walls = self.world.walls.clone();
        self.sum_wall_loads_into(&mut walls);
        walls
    }

    /// Sums only the power of every wall over the contacts of the accepted state.
    pub(crate) fn sum_wall_power(&mut self) {
        if self.contacts.results == Results::None {
            return;
        }
        self.world.walls.iter_mut().for_each(|wall| wall.power = 0.0);
        if !self.world.any_wall_moves() {
            return;
        }
        let mut walls = std::mem::take(&mut self.world.walls);
        let mut sums = std::mem::take(&mut self.workers.wall_sums);
        sums.resize_with(walls.len(), Sums::default);
        sums.iter_mut().for_each(|sums| sums.power = ExactSum::default());
        let moves = |wall: usize| !walls[wall].wall.motion.is_still();
        self.for_each_load(&walls, moves, |load| sums[load.wall].power.add(load.power()));
        if let Some(comm) = self.halo.active() {
            sum_exactly(comm, &mut sums.iter_mut().map(|sums| &mut sums.power).collect::<Vec<_>>());
        }
        for (wall, sums) in walls.iter_mut().zip(&sums) {
            wall.power = sums.power.value();
        }
        self.world.walls = walls;
        self.workers.wall_sums = sums;
    }

    /// Calls `with` for the load of each selected wall on each particle.
    fn for_each_load(
        &self,
        walls: &[LiveWall],
        is_wanted: impl Fn(usize) -> bool,
        mut with: impl FnMut(Load),
    ) {
        let contacts = &self.contacts.walls;
        let (ranges, closest_points) = match self.contacts.results {
            Results::None => return,
            Results::Trial => (&contacts.trial, &contacts.trial_points),
            Results::Accepted => (&contacts.accepted, &contacts.accepted_points),
        };
        for (item, &[first, count]) in contacts.items.iter().zip(ranges) {
            let wall = usize::from(item.wall);
            if count == 0 || !is_wanted(wall) {
                continue;
            }
            let pose = &walls[wall].pose;
            let center =
                Vec3::from_array(self.world.particles.records[item.particle as usize].position);
            for contact in first as usize..(first + count) as usize {
                let result = &contacts.state.results.as_slice()[contact];
                let force = Vec3::new(result[0], result[1], result[2]);
                let moment = contacts.state.results.moment_at_wall(contact);
                let point = center + result[3] * closest_points[contact].normal;
                let velocity = pose.velocity_at(point);
                let (arm, spin) = (point - pose.center, pose.spin);
                with(Load { wall, force, moment, arm, velocity, spin });
            }
        }
        self.for_each_driven_load(walls, is_wanted, with);
    }

    /// The loads on particles of a wall, with reversed sign.
    fn for_each_driven_load(
        &self,
        walls: &[LiveWall],
        is_wanted: impl Fn(usize) -> bool,
        mut with: impl FnMut(Load),
    ) {
        for slot in 0..self.world.particles.drivers.len() {
            let Some((wall, index)) = self.world.particles.driver(slot) else { continue };
            if !is_wanted(wall) {
                continue;
            }
            let pose = &walls[wall].pose;
            let load = &self.world.particles.loads[slot];
            // the position in the frame of the wall, which may be beyond a periodic boundary
            let center = match &walls[wall].wall.shape {
                Shape::Particles(spheres) => spheres.get(index),
                _ => None,
            };
            let Some(center) = center.map(|sphere| pose.to_world(sphere.position)) else {
                continue;
            };
            with(Load {
                wall,
                force: -load.force(),
                moment: -load.torque(),
                arm: center - pose.center,
                velocity: pose.velocity_at(center),
                spin: pose.spin,
            });
        }
    }
}
