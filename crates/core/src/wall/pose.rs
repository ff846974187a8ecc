//! Pose and motion of a wall at one time.

use crate::{Quat, Vec3};

/// Pose and motion of a wall: a point `p` of the wall in its initial position is now at `rotation * p + translation`,
/// with velocity `velocity + spin × (x - center)`.
///
/// ```
/// use esker::prelude::*;
/// use esker::wall::Pose;
///
/// let pose = Pose::moved(Vec3::X, Vec3::ZERO);
/// assert_eq!(pose.to_world(Vec3::Y), Vec3::new(1.0, 1.0, 0.0));
/// assert_eq!(pose.to_local(pose.to_world(Vec3::Y)), Vec3::Y);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Pose {
    /// Rotation since the start.
    pub rotation: Quat,
    /// Translation, applied after the rotation [m].
    pub translation: Vec3,
    /// Velocity of the material point that is now at `center` [m/s].
    pub velocity: Vec3,
    /// Spin [rad/s].
    pub spin: Vec3,
    /// The centre of rotation at its current position [m].
    pub center: Vec3,
}

impl Pose {
    /// The initial pose, at rest. It transforms points without rounding.
    pub const IDENTITY: Self = Self {
        rotation: Quat::IDENTITY,
        translation: Vec3::ZERO,
        velocity: Vec3::ZERO,
        spin: Vec3::ZERO,
        center: Vec3::ZERO,
    };

    /// The pose of a wall that has been displaced [m] without rotation, and moves with a velocity [m/s].
    pub fn moved(translation: Vec3, velocity: Vec3) -> Self {
        Self { translation, velocity, ..Self::IDENTITY }
    }

    /// Current position of a point of the wall, given in the initial position [m].
    pub fn to_world(&self, p: Vec3) -> Vec3 {
        self.rotation * p + self.translation
    }

    /// Position of a point in the frame of the wall, that is, in its initial position [m].
    pub fn to_local(&self, x: Vec3) -> Vec3 {
        self.rotation.conjugate() * (x - self.translation)
    }

    /// A direction fixed to the wall, rotated with it.
    pub fn direction_to_world(&self, direction: Vec3) -> Vec3 {
        self.rotation * direction
    }

    /// Velocity of the material point of the wall that is now at `x` [m/s].
    pub fn velocity_at(&self, x: Vec3) -> Vec3 {
        self.velocity + self.spin.cross(x - self.center)
    }

    /// The same pose at rest, from which the motion of the next stage starts.
    pub fn at_rest(&self) -> Self {
        Self { velocity: Vec3::ZERO, spin: Vec3::ZERO, center: Vec3::ZERO, ..*self }
    }

    /// This pose followed by another whose rotation and translation are given in the world:
    /// `later(self(p))`, and the velocities that belong to it.
    ///
    /// A wall that an earlier stage has moved to `base` and that starts another motion has the pose
    /// `base.at_rest().then(&motion.pose(t))`.
    pub fn then(&self, later: &Self) -> Self {
        let carried_spin = later.rotation * self.spin;
        let carried_center = later.to_world(self.center);
        let carried_velocity = later.rotation * self.velocity;
        // One of the two centres is sufficient; keeping the one with a spin avoids rounding.
        let center = if later.spin == Vec3::ZERO { carried_center } else { later.center };
        Self {
            rotation: later.rotation * self.rotation,
            translation: later.to_world(self.translation),
            velocity: later.velocity_at(center)
                + carried_velocity
                + carried_spin.cross(center - carried_center),
            spin: later.spin + carried_spin,
            center,
        }
    }

    /// Largest speed of a point of the wall, for a wall inside a box given in the initial position [m/s].
    pub fn largest_speed(&self, bounds: (Vec3, Vec3)) -> f64 {
        // Velocity is an affine function of position, so its length is largest at a corner.
        largest_at_corner(bounds, |corner| self.velocity_at(self.to_world(corner)))
    }

    /// Largest distance between a point of the wall in this pose and the same point in another pose, for a wall inside
    /// a box given in the initial position [m].
    pub fn largest_shift(&self, other: &Self, bounds: (Vec3, Vec3)) -> f64 {
        largest_at_corner(bounds, |corner| self.to_world(corner) - other.to_world(corner))
    }
}

fn largest_at_corner((min, max): (Vec3, Vec3), vector: impl Fn(Vec3) -> Vec3) -> f64 {
    let choose = |corner: usize, bit: usize, low: f64, high: f64| {
        if corner >> bit & 1 == 0 { low } else { high }
    };
    (0..8)
        .map(|corner| {
            vector(Vec3::new(
                choose(corner, 0, min.x, max.x),
                choose(corner, 1, min.y, max.y),
                choose(corner, 2, min.z, max.z),
            ))
            .length()
        })
        .fold(0.0, f64::max)
}
