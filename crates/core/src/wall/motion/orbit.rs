//! Circular translation: every point of the wall moves along a circle without rotation of the wall, as in an orbital
//! shaker or a gyratory screen. With r the vector from the centre of the circle to the initial position, a the axis and
//! ω = 2π f: `d(t) = (cos ωt - 1) r + sin ωt a × r`.

use super::prescribed::{PrescribedMotion, is_equal};
use super::{Motion, is_unit};
use crate::Vec3;
use crate::parameters::{Described, Limits, Parameters};
use std::f64::consts::TAU;
use std::sync::Arc;

/// Largest deviation of the radius from a right angle to the axis, as a cosine.
const RIGHT_ANGLE_TOLERANCE: f64 = 1e-6;

/// Circular translation.
///
/// ```
/// use esker::prelude::*;
/// use esker::wall::{Orbit, PrescribedMotion};
/// use std::sync::Arc;
///
/// let orbit = Orbit { radius: Vec3::X * 0.1, axis: Vec3::Z, frequency: 2.0 };
/// let (displacement, _) = orbit.displacement(0.25); // half a revolution
/// assert!((displacement - Vec3::X * -0.2).length() < 1e-12);
/// let motion = Motion::Prescribed(Arc::new(orbit));
/// # drop(motion);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Orbit {
    /// From the centre of the circle to the initial position [m].
    pub radius: Vec3,
    /// Unit vector along the axis; the motion is counterclockwise about it.
    pub axis: Vec3,
    /// Revolutions per second [Hz].
    pub frequency: f64,
}

impl PrescribedMotion for Orbit {
    fn name(&self) -> &str {
        Self::NAME
    }

    fn displacement(&self, t: f64) -> (Vec3, Vec3) {
        let circular = TAU * self.frequency;
        let (sine, cosine) = (libm::sin(circular * t), libm::cos(circular * t));
        let sideways = self.axis.cross(self.radius);
        let displacement = self.radius * (cosine - 1.0) + sideways * sine;
        (displacement, (sideways * cosine - self.radius * sine) * circular)
    }

    fn is_still(&self) -> bool {
        self.radius == Vec3::ZERO || self.frequency == 0.0
    }

    fn shortest_period(&self) -> f64 {
        if self.is_still() { f64::INFINITY } else { 1.0 / self.frequency.abs() }
    }

    fn problems(&self) -> Vec<String> {
        let cosine = self.radius.normalize_or_zero().dot(self.axis);
        let requirements = [
            (self.radius.is_finite(), "the radius must be finite"),
            (is_unit(self.axis), "the axis must be a unit vector"),
            (self.frequency.is_finite(), "the frequency must be finite"),
            (
                cosine.abs() <= RIGHT_ANGLE_TOLERANCE,
                "the radius of an orbit must be at right angles to its axis",
            ),
        ];
        let broken = requirements.iter().filter(|(holds, _)| !holds);
        broken.map(|(_, message)| (*message).to_owned()).collect()
    }

    fn is_same_as(&self, other: &dyn PrescribedMotion) -> bool {
        is_equal(self, other)
    }
}

impl From<Orbit> for Motion {
    fn from(orbit: Orbit) -> Self {
        Self::Prescribed(Arc::new(orbit))
    }
}

impl Described for Orbit {
    const NAME: &'static str = "orbit";
    const ABOUT: &'static str = "Translation along a circle without rotation";

    fn from_parameters(parameters: &mut dyn Parameters) -> Self {
        let about = "From the centre of the circle to the initial position [m]";
        Self {
            radius: parameters.vector("radius", about),
            axis: parameters.direction("axis", "Axis of the circle"),
            frequency: parameters.number("frequency", "Revolutions per second [Hz]", Limits::Any),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shaker() -> Orbit {
        Orbit { radius: Vec3::new(0.02, 0.0, 0.0), axis: Vec3::Z, frequency: 3.0 }
    }

    #[test]
    fn every_point_stays_on_its_circle_and_comes_back_after_a_period() {
        let orbit = shaker();
        let center = -orbit.radius;
        for step in 0..=12 {
            let t = f64::from(step) / 36.0;
            let (displacement, velocity) = orbit.displacement(t);
            assert!((displacement.distance(center) - 0.02).abs() < 1e-15);
            assert!((velocity.length() - TAU * 3.0 * 0.02).abs() < 1e-14);
        }
        assert!(orbit.displacement(1.0 / 3.0).0.length() < 1e-15);
        let quarter = orbit.displacement(1.0 / 12.0).0;
        assert!((quarter - Vec3::new(-0.02, 0.02, 0.0)).length() < 1e-15, "{quarter}");
    }

    #[test]
    fn the_wall_does_not_rotate() {
        let pose = Motion::from(shaker()).pose(0.1);
        assert_eq!(pose.rotation, crate::Quat::IDENTITY);
        assert_eq!(pose.spin, Vec3::ZERO);
    }

    #[test]
    fn equal_orbits_are_the_same_motion_and_others_are_not() {
        let faster = Orbit { frequency: 4.0, ..shaker() };
        assert!(Motion::from(shaker()).is_same_as(&shaker().into()));
        assert!(!Motion::from(shaker()).is_same_as(&faster.into()));
        assert!(!Motion::from(shaker()).is_same_as(&Motion::Still));
        assert_eq!(Motion::from(faster).shortest_period(), 0.25);
    }

    #[test]
    fn a_radius_along_the_axis_is_refused() {
        let askew = Orbit { radius: Vec3::new(0.02, 0.0, 0.01), ..shaker() };
        assert!(askew.problems()[0].contains("right angles"));
        assert!(shaker().problems().is_empty());
    }
}
