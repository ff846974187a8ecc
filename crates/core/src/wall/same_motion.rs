//! Comparison of the motions of walls.

use super::Motion;
use std::sync::Arc;

impl Motion {
    /// True if two motions are the same at all times. Functions are the same if both are one object, as for clones of a
    /// motion.
    pub fn is_same_as(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Still, Self::Still) => true,
            (Self::Velocity(one), Self::Velocity(other)) => one == other,
            (
                Self::Rotation { point, axis, rate },
                Self::Rotation { point: other_point, axis: other_axis, rate: other_rate },
            ) => (point, axis, rate) == (other_point, other_axis, other_rate),
            (
                Self::Oscillation { amplitude, frequency, phase },
                Self::Oscillation { amplitude: length, frequency: rate, phase: start },
            ) => (amplitude, frequency, phase) == (length, rate, start),
            (Self::Displacement(one), Self::Displacement(other)) => Arc::ptr_eq(one, other),
            (
                Self::Angle { point, axis, angle },
                Self::Angle { point: other_point, axis: other_axis, angle: other_angle },
            ) => (point, axis) == (other_point, other_axis) && Arc::ptr_eq(angle, other_angle),
            (
                Self::Table { times, displacements },
                Self::Table { times: other_times, displacements: others },
            ) => (times, displacements) == (other_times, others),
            (Self::Superposition(some), Self::Superposition(others)) => {
                some.len() == others.len()
                    && some.iter().zip(others).all(|(one, other)| one.is_same_as(other))
            }
            (Self::Prescribed(one), Self::Prescribed(other)) => {
                Arc::ptr_eq(one, other) || one.is_same_as(&**other)
            }
            _ => false,
        }
    }
}
