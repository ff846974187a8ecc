//! What particles do to walls, and what walls do to the particles that are part of them.

use crate::Vec3;
use crate::engine::{Engine, Results};
use crate::measure::{ExactSum, ExactVectorSum};
use crate::wall::Shape;
use crate::wall::live::LiveWall;

/// Sums for one wall that do not depend on the order of its contacts.
#[derive(Default)]
struct Sums {
    force: ExactVectorSum,
    torque: ExactVectorSum,
    power: ExactSum,
}

impl Sums {
    /// Adds a force and couple of a wall on a particle, at a point whose lever from the wall's
    /// centre is given.
    fn add(&mut self, force: Vec3, couple: Vec3, lever: Vec3, velocity: Vec3, spin: Vec3) {
        self.force.add(-force);
        self.torque.add(-(lever.cross(force) + couple));
        self.power.add(force.dot(velocity) + couple.dot(spin));
    }
}

impl Engine {
    /// Sums force, torque and power of every wall over the contacts of the accepted state.
    pub(crate) fn sum_wall_loads_into(&self, walls: &mut [LiveWall]) {
        if self.results == Results::None {
            return;
        }
        let mut sums: Vec<Sums> = walls.iter().map(|_| Sums::default()).collect();
        self.sum_surfaces(walls, &mut sums);
        self.sum_wall_particles(walls, &mut sums);
        for (wall, sums) in walls.iter_mut().zip(sums) {
            wall.force = sums.force.value();
            wall.torque = sums.torque.value();
            wall.power = sums.power.value();
        }
    }

    fn sum_surfaces(&self, walls: &[LiveWall], sums: &mut [Sums]) {
        let contacts = &self.wall_contacts;
        let (rows, normals) = match self.results {
            Results::None => return,
            Results::Trial => (&contacts.trial, &contacts.trial_normals),
            Results::Accepted => (&contacts.accepted, &contacts.accepted_normals),
        };
        for (item, &[first, count]) in contacts.items.iter().zip(rows) {
            let pose = &walls[usize::from(item.wall)].pose;
            let center = Vec3::from_array(self.particles.records[item.particle as usize].position);
            for row in first as usize..(first + count) as usize {
                let result = &contacts.rows.results[row];
                let force = Vec3::new(result[0], result[1], result[2]);
                let couple = contacts
                    .rows
                    .couples
                    .get(row)
                    .map_or(Vec3::ZERO, |couple| Vec3::from_array(*couple));
                let point = center + result[3] * normals[row];
                sums[usize::from(item.wall)].add(
                    force,
                    couple,
                    point - pose.center,
                    pose.velocity_at(point),
                    pose.spin,
                );
            }
        }
    }

    /// Particles that are part of a wall pass on what acts on them.
    fn sum_wall_particles(&self, walls: &[LiveWall], sums: &mut [Sums]) {
        for (slot, description) in self.particles.descriptions.iter().enumerate() {
            let Some(wall) = usize::from(description.driver).checked_sub(1) else { continue };
            let pose = &walls[wall].pose;
            let load = &self.particles.loads[slot];
            let center = Vec3::from_array(self.particles.records[slot].position);
            // the load is what the grains do to the wall; `add` takes the opposite
            let lever = center - pose.center;
            sums[wall].add(-load.force, -load.torque, lever, pose.velocity_at(center), pose.spin);
        }
    }

    /// Puts the particles that are part of moving walls where their wall is.
    pub(crate) fn drive_particles(&mut self) {
        for (record, description) in
            self.particles.records.iter_mut().zip(&self.particles.descriptions)
        {
            let Some(wall) = usize::from(description.driver).checked_sub(1) else { continue };
            let wall = &self.walls[wall];
            let Shape::Particles(spheres) = &wall.wall.shape else { continue };
            let Some(sphere) = spheres.get(description.place as usize) else { continue };
            let position = wall.pose.to_world(sphere.position);
            record.position = position.to_array();
            record.velocity = wall.pose.velocity_at(position).to_array();
            record.spin = wall.pose.spin.to_array();
        }
    }
}
