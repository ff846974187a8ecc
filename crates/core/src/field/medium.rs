//! The velocity of a medium: constant, or a function of position and time.

use crate::Vec3;
use crate::parameters::{Parameters, VectorFunction};
use std::sync::Arc;

/// Velocity of a medium [m/s].
///
/// ```
/// use esker::prelude::*;
/// use esker::field::MediumVelocity;
///
/// let shear = MediumVelocity::from_fn(|position, _time| Vec3::X * position.z);
/// assert!(matches!(shear, MediumVelocity::Varying(..)));
/// ```
#[derive(Clone)]
pub enum MediumVelocity {
    /// Constant.
    Uniform(Vec3),
    /// A function of position [m] and time [s], and its text. It is called for every particle in every evaluation, by
    /// any thread.
    Varying(Arc<dyn Fn(Vec3, f64) -> Vec3 + Send + Sync>, Arc<str>),
}

impl MediumVelocity {
    /// Reads `medium_velocity`.
    pub(super) fn from_parameters(parameters: &mut dyn Parameters) -> Self {
        parameters.vector_function("medium_velocity", "Velocity of the medium [m/s]").into()
    }

    /// A velocity given by a function of position and time.
    pub fn from_fn(velocity: impl Fn(Vec3, f64) -> Vec3 + Send + Sync + 'static) -> Self {
        Self::Varying(Arc::new(velocity), "a function of position and time".into())
    }

    /// The velocity at a position and time.
    #[inline]
    pub fn at(&self, position: Vec3, time: f64) -> Vec3 {
        match self {
            Self::Uniform(velocity) => *velocity,
            Self::Varying(velocity, _) => velocity(position, time),
        }
    }
}

impl Default for MediumVelocity {
    fn default() -> Self {
        Self::Uniform(Vec3::ZERO)
    }
}

impl From<Vec3> for MediumVelocity {
    fn from(velocity: Vec3) -> Self {
        Self::Uniform(velocity)
    }
}

impl From<VectorFunction> for MediumVelocity {
    fn from(velocity: VectorFunction) -> Self {
        match velocity {
            VectorFunction::Constant(velocity) => Self::Uniform(velocity),
            VectorFunction::Varying(velocity, text) => Self::Varying(velocity, text),
        }
    }
}

impl std::fmt::Debug for MediumVelocity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{self}")
    }
}

impl std::fmt::Display for MediumVelocity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Uniform(velocity) => write!(f, "{velocity}"),
            Self::Varying(_, text) => write!(f, "{text}"),
        }
    }
}
