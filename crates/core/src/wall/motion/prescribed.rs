//! Motions other than the built-in ones: types that compute displacement and rotation at any time.

use crate::Vec3;
use std::any::Any;
use std::fmt::Debug;

/// A rotation about an axis at one time.
///
/// ```
/// use esker::prelude::*;
/// use esker::wall::{AxisRotation, PrescribedMotion, is_equal};
///
/// /// Swings about the y axis.
/// #[derive(Debug, PartialEq)]
/// struct Swing {
///     amplitude: f64,
///     frequency: f64,
/// }
///
/// impl PrescribedMotion for Swing {
///     fn name(&self) -> &str {
///         "swing"
///     }
///
///     fn displacement(&self, _t: f64) -> (Vec3, Vec3) {
///         (Vec3::ZERO, Vec3::ZERO)
///     }
///
///     fn rotation(&self, t: f64) -> Option<AxisRotation> {
///         let (sine, cosine) = (self.frequency * t).sin_cos();
///         Some(AxisRotation {
///             point: Vec3::ZERO,
///             axis: Vec3::Y,
///             angle: self.amplitude * sine,
///             rate: self.amplitude * self.frequency * cosine,
///         })
///     }
///
///     fn is_same_as(&self, other: &dyn PrescribedMotion) -> bool {
///         is_equal(self, other)
///     }
/// }
///
/// let swing = Swing { amplitude: 0.1, frequency: 2.0 };
/// assert_eq!(swing.rotation(0.0).unwrap().rate, 0.2);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AxisRotation {
    /// A point of the axis [m].
    pub point: Vec3,
    /// Direction of the axis.
    pub axis: Vec3,
    /// Angle since the start of the motion [rad].
    pub angle: f64,
    /// Rate [rad/s].
    pub rate: f64,
}

/// A motion as a closed form of the time since it began. Nothing is accumulated, so there is no drift.
///
/// ```
/// use esker::prelude::*;
/// use esker::wall::{PrescribedMotion, is_equal};
///
/// /// Moves along x with a constant acceleration.
/// #[derive(Debug, PartialEq)]
/// struct Accelerated(f64);
///
/// impl PrescribedMotion for Accelerated {
///     fn name(&self) -> &str {
///         "accelerated"
///     }
///
///     fn displacement(&self, t: f64) -> (Vec3, Vec3) {
///         (Vec3::X * 0.5 * self.0 * t * t, Vec3::X * self.0 * t)
///     }
///
///     fn is_same_as(&self, other: &dyn PrescribedMotion) -> bool {
///         is_equal(self, other)
///     }
/// }
///
/// assert_eq!(Accelerated(2.0).displacement(3.0).0, Vec3::X * 9.0);
/// assert!(Accelerated(2.0).is_same_as(&Accelerated(2.0)));
/// ```
pub trait PrescribedMotion: Any + Debug + Send + Sync {
    /// A short description.
    fn name(&self) -> &str;

    /// Displacement [m] and velocity [m/s], its derivative, at time `t` [s]. Zero displacement at `t = 0`.
    fn displacement(&self, t: f64) -> (Vec3, Vec3);

    /// The rotation at time `t` [s], if it rotates.
    fn rotation(&self, _t: f64) -> Option<AxisRotation> {
        None
    }

    /// True if it never moves.
    fn is_still(&self) -> bool {
        false
    }

    /// Its period, which limits the time step; infinite if it has none [s].
    fn shortest_period(&self) -> f64 {
        f64::INFINITY
    }

    /// Invalid parameters, one sentence each.
    fn problems(&self) -> Vec<String> {
        Vec::new()
    }

    /// True if another motion is the same at all times. Walls with the same motion act as one surface.
    fn is_same_as(&self, other: &dyn PrescribedMotion) -> bool;
}

/// True if `other` is of the same type and equal.
pub fn is_equal<M: PrescribedMotion + PartialEq>(one: &M, other: &dyn PrescribedMotion) -> bool {
    (other as &dyn Any).downcast_ref::<M>() == Some(one)
}
