//! Prescribed motion of a wall.

mod orbit;
mod prescribed;

pub use orbit::Orbit;
pub use prescribed::{AxisRotation, PrescribedMotion, is_equal};

use super::Pose;
use crate::{Quat, Vec3};
use std::f64::consts::TAU;
use std::sync::Arc;

/// Motion of a wall, as a function of the time since the motion began.
///
/// ```
/// use esker::prelude::*;
///
/// let lift = Motion::Velocity(Vec3::Z * 0.5);
/// assert_eq!(lift.pose(2.0).to_world(Vec3::ZERO), Vec3::Z);
/// assert!(Motion::default().is_still());
/// ```
#[derive(Clone, Default)]
pub enum Motion {
    /// At rest.
    #[default]
    Still,
    /// Constant velocity [m/s].
    Velocity(Vec3),
    /// Constant rate of rotation about a fixed axis.
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
    /// Displacement [m] and velocity [m/s] as a function of time [s]; the velocity must be the derivative of the
    /// displacement. Expressions of a scene file are converted to this.
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
    /// Superposed motions: rotations are applied first in the order given, then the
    /// translations are added. The axis of a rotation travels with the translations.
    Superposition(Vec<Motion>),
    /// Any other motion: a type of this crate, such as [`Orbit`], or of the user.
    Prescribed(Arc<dyn PrescribedMotion>),
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
            Self::Superposition(_) => "several motions together",
            Self::Prescribed(motion) => motion.name(),
        };
        f.write_str(word)
    }
}

/// Largest deviation of the length of a unit vector from one.
pub(super) const UNIT_TOLERANCE: f64 = 1e-6;

impl Motion {
    /// Pose and velocity of the wall a time `t` after the motion began [s].
    ///
    /// Every motion is a closed form of the time; nothing is accumulated, so there is no drift.
    pub fn pose(&self, t: f64) -> Pose {
        let mut parts = ComposedPose {
            rotation: Pose::IDENTITY,
            displacement: Vec3::ZERO,
            velocity: Vec3::ZERO,
        };
        self.add_to(&mut parts, t);
        parts.rotation.then(&Pose::moved(parts.displacement, parts.velocity))
    }

    /// True if the wall is at rest at all times.
    pub fn is_still(&self) -> bool {
        match self {
            Self::Still => true,
            Self::Velocity(velocity) => *velocity == Vec3::ZERO,
            Self::Rotation { rate, .. } => *rate == 0.0,
            Self::Oscillation { amplitude, frequency, .. } => {
                *amplitude == Vec3::ZERO || *frequency == 0.0
            }
            Self::Displacement(_) | Self::Angle { .. } => false,
            Self::Table { displacements, .. } => displacements.iter().all(|d| *d == Vec3::ZERO),
            Self::Superposition(motions) => motions.iter().all(Self::is_still),
            Self::Prescribed(motion) => motion.is_still(),
        }
    }

    /// Shortest period of an oscillation in it, infinite if there is none [s]. The period of a function
    /// of time is not known.
    pub fn shortest_period(&self) -> f64 {
        match self {
            Self::Oscillation { frequency, .. } if !self.is_still() => 1.0 / frequency.abs(),
            Self::Superposition(motions) => {
                motions.iter().map(Self::shortest_period).fold(f64::INFINITY, f64::min)
            }
            Self::Prescribed(motion) => motion.shortest_period(),
            _ => f64::INFINITY,
        }
    }

    /// Descriptions of invalid parameters; empty if there are none.
    pub fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        let mut require = |holds: bool, message: &str| {
            if !holds {
                problems.push(message.to_owned());
            }
        };
        match self {
            Self::Still => {}
            Self::Velocity(velocity) => {
                require(velocity.is_finite(), "the velocity must be finite")
            }
            Self::Rotation { point, axis, rate } => {
                require(point.is_finite(), "the point of the axis must be finite");
                require(is_unit(*axis), "the axis must be a unit vector");
                require(rate.is_finite(), "the rate of rotation must be finite");
            }
            Self::Oscillation { amplitude, frequency, phase } => {
                require(amplitude.is_finite(), "the amplitude must be finite");
                require(frequency.is_finite(), "the frequency must be finite");
                require(phase.is_finite(), "the phase must be finite");
            }
            Self::Displacement(function) => {
                let (displacement, velocity) = function(0.0);
                let finite = displacement.is_finite() && velocity.is_finite();
                require(finite, "displacement and velocity must be finite at the start");
            }
            Self::Angle { point, axis, angle } => {
                require(point.is_finite(), "the point of the axis must be finite");
                require(is_unit(*axis), "the axis must be a unit vector");
                let (value, rate) = angle(0.0);
                require(
                    value.is_finite() && rate.is_finite(),
                    "angle and rate must be finite at the start",
                );
            }
            Self::Table { times, displacements } => {
                problems.extend(problems_of_table(times, displacements));
            }
            Self::Superposition(motions) => {
                problems.extend(motions.iter().flat_map(Self::problems));
            }
            Self::Prescribed(motion) => problems.extend(motion.problems()),
        }
        problems
    }

    fn add_to(&self, parts: &mut ComposedPose, t: f64) {
        match self {
            Self::Still => {}
            Self::Velocity(velocity) => parts.displace(*velocity * t, *velocity),
            Self::Rotation { point, axis, rate } => parts.rotate(*point, *axis, rate * t, *rate),
            Self::Oscillation { amplitude, frequency, phase } => {
                let circular = TAU * frequency;
                let angle = circular * t + phase;
                parts.displace(
                    *amplitude * (libm::sin(angle) - libm::sin(*phase)),
                    *amplitude * (circular * libm::cos(angle)),
                );
            }
            Self::Displacement(function) => {
                let (displacement, velocity) = function(t);
                parts.displace(displacement, velocity);
            }
            Self::Angle { point, axis, angle } => {
                let (angle, rate) = angle(t);
                parts.rotate(*point, *axis, angle, rate);
            }
            Self::Table { times, displacements } => {
                let (displacement, velocity) = interpolate(times, displacements, t);
                parts.displace(displacement, velocity);
            }
            Self::Superposition(motions) => {
                motions.iter().for_each(|motion| motion.add_to(parts, t))
            }
            Self::Prescribed(motion) => {
                let (displacement, velocity) = motion.displacement(t);
                parts.displace(displacement, velocity);
                if let Some(AxisRotation { point, axis, angle, rate }) = motion.rotation(t) {
                    parts.rotate(point, axis, angle, rate);
                }
            }
        }
    }
}

/// Rotations and translations are collected separately, since translations are applied last, in whatever order they are
/// given.
struct ComposedPose {
    rotation: Pose,
    displacement: Vec3,
    velocity: Vec3,
}

impl ComposedPose {
    fn displace(&mut self, displacement: Vec3, velocity: Vec3) {
        self.displacement += displacement;
        self.velocity += velocity;
    }

    fn rotate(&mut self, point: Vec3, axis: Vec3, angle: f64, rate: f64) {
        let axis = axis.normalize_or_zero();
        if axis == Vec3::ZERO {
            return;
        }
        let rotation = quaternion_about(axis, angle);
        self.rotation = self.rotation.then(&Pose {
            rotation,
            translation: point - rotation * point,
            velocity: Vec3::ZERO,
            spin: axis * rate,
            center: point,
        });
    }
}

/// The rotation by `angle` [rad] about a unit vector, with the library of sines that has the same bits on every
/// platform.
fn quaternion_about(axis: Vec3, angle: f64) -> Quat {
    let (sine, cosine) = (libm::sin(0.5 * angle), libm::cos(0.5 * angle));
    Quat::from_xyzw(axis.x * sine, axis.y * sine, axis.z * sine, cosine)
}

fn problems_of_table(times: &[f64], displacements: &[Vec3]) -> Vec<String> {
    let requirements = [
        (!times.is_empty(), "the table must have at least one row"),
        (times.len() == displacements.len(), "the table must have one displacement for each time"),
        (times.iter().all(|t| t.is_finite()), "the times must be finite"),
        (times.windows(2).all(|pair| pair[0] < pair[1]), "the times must be strictly increasing"),
        (displacements.iter().all(|d| d.is_finite()), "the displacements must be finite"),
    ];
    let broken = requirements.iter().filter(|(holds, _)| !holds);
    broken.map(|(_, message)| (*message).to_owned()).collect()
}

/// Value and slope of a table at time `t`; at a row the slope is that of the following interval.
fn interpolate(times: &[f64], values: &[Vec3], t: f64) -> (Vec3, Vec3) {
    let rows = times.len().min(values.len());
    let (times, values) = (&times[..rows], &values[..rows]);
    let next = times.partition_point(|&row| row <= t);
    if next == 0 {
        return (values.first().copied().unwrap_or(Vec3::ZERO), Vec3::ZERO);
    }
    if next == rows {
        return (values[rows - 1], Vec3::ZERO);
    }
    let slope = (values[next] - values[next - 1]) / (times[next] - times[next - 1]);
    (values[next - 1] + slope * (t - times[next - 1]), slope)
}

pub(super) fn is_unit(vector: Vec3) -> bool {
    (vector.length() - 1.0).abs() <= UNIT_TOLERANCE
}

#[cfg(test)]
#[path = "motion_tests.rs"]
mod tests;
