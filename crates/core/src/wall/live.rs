//! State of a wall during a run: its pose, and its loads.

use super::shape::form::Form;
use super::{Pose, Shape, Wall};
use crate::Vec3;
use crate::rotation::rotation_vector;

#[derive(Debug, Clone)]
pub(crate) struct LiveWall {
    pub wall: Wall,
    /// Its shape, prepared for contact detection.
    pub form: Form,
    /// Pose at the beginning of its current motion.
    pub base: Pose,
    /// Beginning of its current motion [s].
    pub since: f64,
    /// Its current pose.
    pub pose: Pose,
    /// Its pose at the last rebuild of the neighbour list.
    pub listed_pose: Pose,
    /// Its pose at the accepted state, and its mean spin since then [rad/s]; only for integrators whose increments
    /// follow from mean motions.
    pub accepted_pose: Pose,
    pub mean_spin: Vec3,
    /// Its group of joined walls (`joint.rs`); zero if it is joined to none.
    pub joint: u32,
    /// Largest distance of borders of joined walls that count as coincident [m].
    pub seam_width: f64,
    /// True if it is present: stages can remove walls.
    pub present: bool,
    /// Force of the particles on it [N].
    pub force: Vec3,
    /// Torque of the particles on it about the centre of its pose [N m].
    pub torque: Vec3,
    /// Power of the wall on the particles [W].
    pub power: f64,
    /// Work done on the particles [J].
    pub work: f64,
}

impl LiveWall {
    pub(crate) fn new(wall: Wall, time: f64) -> Self {
        let mut live = Self {
            form: Form::new(&wall.shape),
            wall,
            base: Pose::IDENTITY,
            since: time,
            pose: Pose::IDENTITY,
            listed_pose: Pose::IDENTITY,
            accepted_pose: Pose::IDENTITY,
            mean_spin: Vec3::ZERO,
            joint: 0,
            seam_width: 0.0,
            present: true,
            force: Vec3::ZERO,
            torque: Vec3::ZERO,
            power: 0.0,
            work: 0.0,
        };
        live.advance(time);
        live
    }

    /// Moves the wall to its pose at this time.
    pub(crate) fn advance(&mut self, time: f64) {
        if !self.wall.motion.is_still() {
            self.pose = self.pose_at(time);
        }
    }

    /// Pose of the wall at this time.
    pub(crate) fn pose_at(&self, time: f64) -> Pose {
        self.base.then(&self.wall.motion.pose(time - self.since))
    }

    /// Records the mean spin since the accepted state.
    pub(crate) fn update_mean_spin(&mut self, elapsed: f64) {
        let increment = self.pose.rotation * self.accepted_pose.rotation.conjugate();
        self.mean_spin = rotation_vector(increment) / elapsed;
    }

    /// Mean velocity since the accepted state of the material point that is now at `point` [m/s].
    pub(crate) fn mean_velocity_at(&self, point: Vec3, elapsed: f64) -> Vec3 {
        if self.wall.motion.is_still() {
            return Vec3::ZERO;
        }
        (point - self.accepted_pose.to_world(self.pose.to_local(point))) / elapsed
    }

    /// Starts another motion at the current pose.
    pub(crate) fn set_motion(&mut self, motion: super::Motion, time: f64) {
        self.base = self.pose.at_rest();
        self.since = time;
        self.wall.motion = motion;
        self.mean_spin = Vec3::ZERO;
        self.pose = self.base;
        self.advance(time);
    }

    /// Largest displacement of a point of the surface inside the box since the last rebuild of the neighbour list, for
    /// the wall at `pose` [m].
    pub(crate) fn displacement(&self, pose: &Pose, low: Vec3, high: Vec3) -> f64 {
        let farthest = match self.wall.shape.bounds() {
            Some(bounds) => pose.largest_shift(&self.listed_pose, bounds),
            // points of an infinite wall are included where particles can be
            None => {
                let half = 0.5 * (high - low);
                let center = self.listed_pose.to_local(0.5 * (low + high));
                // the box rotated back, and its bounding box
                let edges = [Vec3::X * half.x, Vec3::Y * half.y, Vec3::Z * half.z]
                    .map(|edge| (self.listed_pose.rotation.conjugate() * edge).abs());
                let around = edges[0] + edges[1] + edges[2];
                pose.largest_shift(&self.listed_pose, (center - around, center + around))
            }
        };
        let moved =
            |point: Vec3| (point - self.listed_pose.to_world(pose.to_local(point))).length();
        if self.is_rotation_invariant(pose) {
            moved(self.symmetry_center(pose)).min(farthest)
        } else {
            farthest
        }
    }

    /// True if the only motion is a rotation about the axis of symmetry of the surface.
    fn is_rotation_invariant(&self, pose: &Pose) -> bool {
        let axis = match self.wall.shape {
            Shape::Cylinder { start, end, .. } | Shape::Cone { start, end, .. } => {
                (end - start).normalize_or_zero()
            }
            Shape::Disc { normal, .. } => normal,
            Shape::Sphere { .. } => return true,
            _ => return false,
        };
        let now = pose.direction_to_world(axis);
        let before = self.listed_pose.direction_to_world(axis);
        (now - before).length() < 1e-12
    }

    fn symmetry_center(&self, pose: &Pose) -> Vec3 {
        let local = match self.wall.shape {
            Shape::Cylinder { start, .. } | Shape::Cone { start, .. } => start,
            Shape::Disc { center, .. } | Shape::Sphere { center, .. } => center,
            _ => Vec3::ZERO,
        };
        pose.to_world(local)
    }

    /// True if the wall consists of particles.
    pub(crate) fn is_made_of_particles(&self) -> bool {
        matches!(self.wall.shape, Shape::Particles(_))
    }
}
