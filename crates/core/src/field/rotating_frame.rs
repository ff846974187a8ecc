//! Inertial forces in a frame of reference that rotates at a constant rate about a fixed axis: `-m ω × (ω × r) - 2 m ω
//! × v`, the centrifugal and the Coriolis force (Landau & Lifshitz, Mechanics, § 39). Walls at rest in the scene rotate
//! with the frame: a centrifuge, or a fast mill in its own frame.
//!
//! The spin of a particle is that in the rotating frame: a sphere that does not rotate in an inertial frame
//! has the spin -ω, and no torque acts on it. Test: a free particle moves along a straight line in the
//! inertial frame.

use super::drag::force;
use super::{Body, Field, Load, Rates};
use crate::Vec3;
use crate::parameters::{Described, Limits, Parameters};

/// A rotating frame of reference.
///
/// ```
/// use esker::prelude::*;
/// use esker::field::RotatingFrame;
///
/// # let body = Body {
/// #     position: Vec3::ZERO,
/// #     velocity: Vec3::X * 2.0,
/// #     spin: Vec3::ZERO,
/// #     radius: 1e-3,
/// #     mass: 1e-5,
/// #     charge: 1e-9,
/// #     id: ParticleId::new(0),
/// # };
/// let field = RotatingFrame { point: Vec3::ZERO, angular_velocity: Vec3::Z };
/// // Coriolis force -2 m Ω × v
/// assert!((field.load(&body, 0.0).force.y + 4e-5).abs() < 1e-18);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RotatingFrame {
    /// A point of the axis [m].
    pub point: Vec3,
    /// Angular velocity ω of the frame [rad/s].
    pub angular_velocity: Vec3,
}

impl Field for RotatingFrame {
    fn name(&self) -> &str {
        Self::NAME
    }

    fn describe(&self) -> String {
        format!("a frame that rotates at {} rad/s about {} m", self.angular_velocity, self.point)
    }

    fn load(&self, body: &Body, _time: f64) -> Load {
        let rate = self.angular_velocity;
        let centrifugal = -rate.cross(rate.cross(body.position - self.point));
        force(body.mass * (centrifugal - 2.0 * rate.cross(body.velocity)))
    }

    /// Potential of the centrifugal force; the Coriolis force does no work.
    fn potential(&self, body: &Body, _time: f64) -> Option<f64> {
        let speed = self.angular_velocity.cross(body.position - self.point);
        Some(-0.5 * body.mass * speed.length_squared())
    }

    fn rates(&self, body: &Body, _time: f64) -> Rates {
        Rates::of_gyration(2.0 * body.mass * self.angular_velocity.length(), body)
    }
}

impl Described for RotatingFrame {
    const NAME: &'static str = "rotating-frame";
    const ABOUT: &'static str = "Centrifugal and Coriolis force of a rotating frame of reference";

    fn from_parameters(parameters: &mut dyn Parameters) -> Self {
        let point = parameters.vector("point", "A point of the axis [m]");
        let axis = parameters.direction("axis", "Direction of the axis");
        let rate = parameters.number("rate", "Angular velocity of the frame [rad/s]", Limits::Any);
        Self { point, angular_velocity: rate * axis }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A straight line in the inertial frame, transformed to the rotating one: position, velocity and acceleration by
    /// central differences.
    #[test]
    fn the_acceleration_is_that_of_a_straight_line_in_the_inertial_frame() {
        let frame = RotatingFrame { point: Vec3::X, angular_velocity: Vec3::Z * 1.7 };
        let seen = |t: f64| {
            let inertial = Vec3::new(0.3 + 0.4 * t, -0.2 + 1.1 * t, 0.5 * t) - frame.point;
            let (sine, cosine) = (libm::sin(-1.7 * t), libm::cos(-1.7 * t));
            let (x, y) = (inertial.x, inertial.y);
            Vec3::new(cosine * x - sine * y, sine * x + cosine * y, inertial.z) + frame.point
        };
        let (t, h) = (0.6, 1e-4);
        let velocity = (seen(t + h) - seen(t - h)) / (2.0 * h);
        let acceleration = (seen(t + h) - 2.0 * seen(t) + seen(t - h)) / (h * h);
        let body = Body {
            position: seen(t),
            velocity,
            spin: Vec3::ZERO,
            radius: 1e-3,
            mass: 2.0,
            charge: 0.0,
            id: crate::id::ParticleId::new(0),
        };
        let force = frame.load(&body, t).force;
        // Rounding of the second difference: 1e-16/h² = 1e-8, relative to 5.
        assert!((force / body.mass - acceleration).length() < 1e-6, "{force} {acceleration}");
    }

    #[test]
    fn the_potential_belongs_to_the_centrifugal_force() {
        let frame = RotatingFrame { point: Vec3::Y, angular_velocity: Vec3::new(0.3, -2.0, 0.9) };
        let body = |position| Body {
            position,
            velocity: Vec3::ZERO,
            spin: Vec3::ZERO,
            radius: 1e-3,
            mass: 0.7,
            charge: 0.0,
            id: crate::id::ParticleId::new(0),
        };
        let position = Vec3::new(0.4, 0.1, -0.3);
        let force = frame.load(&body(position), 0.0).force;
        for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
            let potential = |h: f64| frame.potential(&body(position + h * axis), 0.0).unwrap();
            let slope = (potential(1e-4) - potential(-1e-4)) / 2e-4;
            // Exact for a quadratic potential except for rounding errors.
            assert!((force.dot(axis) + slope).abs() < 1e-10);
        }
    }
}
