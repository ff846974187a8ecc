//! The bodies: particles and walls in their domain.

use crate::chunk::Images;
use crate::domain::Domain;
use crate::particles::{MeanMotion, Particles, wrap};
use crate::wall::joint::join_walls;
use crate::wall::live::LiveWall;
use crate::wall::{Motion, Shape};

/// Particles and walls in their domain.
#[derive(Debug)]
pub(crate) struct World {
    pub(super) particles: Particles,
    pub(super) walls: Vec<LiveWall>,
    /// Whether joints between walls are up to date; false after a change of walls or of their motions.
    joints_known: bool,
    pub(super) domain: Domain,
}

impl World {
    pub(crate) fn new(domain: Domain, accumulate_angles: bool) -> Self {
        let particles = Particles::new(accumulate_angles);
        Self { particles, walls: Vec::new(), joints_known: false, domain }
    }

    /// Periodic images.
    pub(super) fn images(&self) -> Images {
        Images::new(self.domain.period())
    }

    /// Index of the present wall of this name.
    pub(super) fn present_wall(&self, name: &str) -> Option<usize> {
        self.walls.iter().position(|wall| wall.present && wall.wall.name == name)
    }

    /// Adds a wall.
    pub(super) fn add_wall(&mut self, wall: LiveWall) {
        self.walls.push(wall);
        self.joints_known = false;
    }

    /// Removes a wall; indices of other walls are unchanged.
    pub(super) fn remove_wall(&mut self, index: usize) {
        self.walls[index].present = false;
        self.joints_known = false;
    }

    /// Sets a new motion of a wall, which starts at its current pose.
    pub(super) fn set_motion(&mut self, index: usize, motion: Motion, time: f64) {
        self.walls[index].set_motion(motion, time);
        self.joints_known = false;
        // particles of a wall that is now at rest must not keep their velocity
        self.drive_particles();
    }

    /// The walls, to be restored from a saved state.
    pub(super) fn walls_to_restore(&mut self) -> &mut Vec<LiveWall> {
        self.joints_known = false;
        &mut self.walls
    }

    /// Finds the joints between walls if they are out of date.
    pub(super) fn join_walls(&mut self) {
        if !self.joints_known {
            join_walls(&mut self.walls);
            self.joints_known = true;
        }
    }

    /// True if a wall moves.
    pub(super) fn any_wall_moves(&self) -> bool {
        self.walls.iter().any(|wall| wall.present && !wall.wall.motion.is_still())
    }

    /// Moves walls, and the particles that they drive, to their poses at this time.
    pub(super) fn advance_walls(&mut self, time: f64) {
        let mut drives = false;
        for wall in self.walls.iter_mut().filter(|wall| !wall.wall.motion.is_still()) {
            wall.advance(time);
            drives |= wall.is_made_of_particles();
        }
        if drives {
            self.drive_particles();
        }
    }

    /// Records the mean motion of walls, and of the particles that they drive, since the accepted state, for
    /// integrators that provide mean motions; `motions` is empty for all others.
    pub(super) fn update_wall_motions(&mut self, elapsed: f64, motions: &mut [MeanMotion]) {
        if motions.is_empty() || elapsed == 0.0 {
            return;
        }
        let mut drives = false;
        for wall in self.walls.iter_mut().filter(|wall| !wall.wall.motion.is_still()) {
            wall.update_mean_spin(elapsed);
            drives |= wall.is_made_of_particles();
        }
        if drives {
            self.update_driven_motions(elapsed, motions);
        }
    }

    /// Records the mean motion of particles that belong to moving walls.
    fn update_driven_motions(&self, elapsed: f64, motions: &mut [MeanMotion]) {
        for (slot, motion) in motions.iter_mut().enumerate() {
            let Some((wall, index)) = self.particles.driver(slot) else { continue };
            let wall = &self.walls[wall];
            let Shape::Particles(spheres) = &wall.wall.shape else { continue };
            let Some(sphere) = spheres.get(index) else { continue };
            let now = wall.pose.to_world(sphere.position);
            let velocity = wall.mean_velocity_at(now, elapsed);
            motion.velocity = [velocity.x, velocity.y, velocity.z, 0.0];
            motion.spin = [wall.mean_spin.x, wall.mean_spin.y, wall.mean_spin.z, 0.0];
        }
    }

    /// Moves the particles that belong to walls to the pose of their wall.
    pub(super) fn drive_particles(&mut self) {
        let Self { particles, walls, domain, .. } = self;
        for slot in 0..particles.drivers.len() {
            let Some((wall, index)) = particles.driver(slot) else { continue };
            let (record, metadata) = (&mut particles.records[slot], &mut particles.metadata[slot]);
            let wall = &walls[wall];
            let Shape::Particles(spheres) = &wall.wall.shape else { continue };
            let Some(sphere) = spheres.get(index) else { continue };
            let position = wall.pose.to_world(sphere.position);
            record.position = position.to_array();
            record.velocity = wall.pose.velocity_at(position).to_array();
            record.spin = wall.pose.spin.to_array();
            // the pose of a wall is not periodic, so the images of its particles are found each time
            let (listed, before) = (record.listed_position, metadata.image);
            metadata.image = [0; 3];
            wrap(domain, record, metadata);
            for axis in 0..3 {
                let crossed = f64::from(metadata.image[axis] - before[axis]);
                record.listed_position[axis] = listed[axis] - crossed * domain.period()[axis];
            }
        }
    }
}
