//! Prescribed motion of a wall.

use crate::{Quat, Vec3};
use std::sync::Arc;

/// Where a wall is and how it moves: a point `p` of the wall at the start is now at
/// `rotation * p + translation`, with velocity `velocity + spin × (x - center)`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// Rotation since the start.
    pub rotation: Quat,
    /// Translation, applied after the rotation [m].
    pub translation: Vec3,
    /// Velocity of the material point that is at `center` now [m/s].
    pub velocity: Vec3,
    /// Spin [rad/s].
    pub spin: Vec3,
    /// The point the spin turns about, where it is now [m].
    pub center: Vec3,
}

/// How a wall moves, as a function of the time since the motion began.
#[derive(Clone, Default)]
pub enum Motion {
    /// It does not.
    #[default]
    Still,
    /// Constant velocity [m/s].
    Velocity(Vec3),
    /// Constant rate of turning about a fixed axis.
    Rotation {
        /// A point of the axis [m].
        point: Vec3,
        /// Unit vector along the axis.
        axis: Vec3,
        /// Rate [rad/s].
        rate: f64,
    },
    /// Displacement `amplitude · sin(2π frequency t + phase) - amplitude · sin(phase)`.
    Oscillation {
        /// Amplitude and direction [m].
        amplitude: Vec3,
        /// Frequency [Hz].
        frequency: f64,
        /// Phase at the start [rad].
        phase: f64,
    },
    /// Displacement [m] and velocity [m/s] as a function of time [s]; the velocity must be the
    /// derivative of the displacement. Expressions of a scene file become this.
    Displacement(Arc<dyn Fn(f64) -> (Vec3, Vec3) + Send + Sync>),
    /// Angle [rad] and rate [rad/s] about a fixed axis as a function of time [s].
    Angle {
        /// A point of the axis [m].
        point: Vec3,
        /// Unit vector along the axis.
        axis: Vec3,
        /// The function.
        angle: Arc<dyn Fn(f64) -> (f64, f64) + Send + Sync>,
    },
    /// Displacement interpolated linearly in a table, at rest before and after it.
    Table {
        /// Times, strictly increasing [s].
        times: Vec<f64>,
        /// Displacements at these times [m].
        displacements: Vec<Vec3>,
    },
    /// Several motions at once: rotations are applied first in the order given, then the
    /// translations are added. The axis of a rotation travels with the translations.
    Together(Vec<Motion>),
}

impl std::fmt::Debug for Motion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let word = match self {
            Self::Still => "still",
            Self::Velocity(_) => "constant velocity",
            Self::Rotation { .. } => "rotation",
            Self::Oscillation { .. } => "oscillation",
            Self::Displacement(_) => "displacement as a function of time",
            Self::Angle { .. } => "angle as a function of time",
            Self::Table { .. } => "table of displacements",
            Self::Together(_) => "several motions together",
        };
        f.write_str(word)
    }
}
