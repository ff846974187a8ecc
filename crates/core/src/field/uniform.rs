//! Uniform fields: electric field, magnetic field, and pressure gradient.

use super::drag::force;
use super::{Body, Field, Load, Rates};
use crate::Vec3;
use crate::parameters::{Described, ITSELF, Parameters};
use std::f64::consts::PI;

/// Uniform electric field: `q E`. B(74), C16(5).
///
/// ```
/// use esker::prelude::*;
/// use esker::field::Electric;
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
/// let field = Electric(Vec3::Y * 1e6);
/// assert!((field.load(&body, 0.0).force.y - 1e-3).abs() < 1e-15); // q E
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Electric(
    /// Field strength E [V/m].
    pub Vec3,
);

/// Uniform magnetic field: `q v × B`. B(74), C16(5). It does no work.
///
/// ```
/// use esker::prelude::*;
/// use esker::field::Magnetic;
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
/// let field = Magnetic(Vec3::Z);
/// // q v × B is normal to the velocity
/// assert!((field.load(&body, 0.0).force.y + 2e-9).abs() < 1e-20);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Magnetic(
    /// Flux density B [T].
    pub Vec3,
);

/// Uniform gradient of the pressure of a medium: `-V ∇p`, `V = π d³/6`. L(31), which prints
/// the volume as an area.
///
/// ```
/// use esker::prelude::*;
/// use esker::field::PressureGradient;
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
/// let field = PressureGradient(Vec3::Z * -1e4);
/// assert!(field.load(&body, 0.0).force.z > 0.0); // towards the lower pressure
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PressureGradient(
    /// ∇p [Pa/m].
    pub Vec3,
);

impl Field for Electric {
    fn name(&self) -> &str {
        "electric"
    }

    fn describe(&self) -> String {
        format!("electric field of {} V/m", self.0)
    }

    fn load(&self, body: &Body, _time: f64) -> Load {
        force(body.charge * self.0)
    }

    fn potential(&self, body: &Body, _time: f64) -> Option<f64> {
        Some(-body.charge * self.0.dot(body.position))
    }
}

impl Field for Magnetic {
    fn name(&self) -> &str {
        "magnetic"
    }

    fn describe(&self) -> String {
        format!("magnetic field of {} T", self.0)
    }

    fn load(&self, body: &Body, _time: f64) -> Load {
        force(body.charge * body.velocity.cross(self.0))
    }

    fn rates(&self, body: &Body, _time: f64) -> Rates {
        Rates::of_gyration(body.charge * self.0.length(), body)
    }

    /// The magnetic force does no work.
    fn potential(&self, _body: &Body, _time: f64) -> Option<f64> {
        Some(0.0)
    }
}

impl Field for PressureGradient {
    fn name(&self) -> &str {
        "pressure-gradient"
    }

    fn describe(&self) -> String {
        format!("pressure gradient of {} Pa/m", self.0)
    }

    fn load(&self, body: &Body, _time: f64) -> Load {
        force(-volume(body) * self.0)
    }

    fn potential(&self, body: &Body, _time: f64) -> Option<f64> {
        Some(volume(body) * self.0.dot(body.position))
    }
}

/// Volume of a sphere [m³].
fn volume(body: &Body) -> f64 {
    4.0 / 3.0 * PI * body.radius * body.radius * body.radius
}

impl Described for Electric {
    const NAME: &'static str = "electric";
    const ABOUT: &'static str = "Uniform electric field";

    fn from_parameters(parameters: &mut dyn Parameters) -> Self {
        Self(parameters.vector(ITSELF, "Electric field [V/m]"))
    }
}

impl Described for Magnetic {
    const NAME: &'static str = "magnetic";
    const ABOUT: &'static str = "Uniform magnetic field";

    fn from_parameters(parameters: &mut dyn Parameters) -> Self {
        Self(parameters.vector(ITSELF, "Magnetic flux density [T]"))
    }
}

impl Described for PressureGradient {
    const NAME: &'static str = "pressure-gradient";
    const ABOUT: &'static str = "Uniform pressure gradient of a medium";

    fn from_parameters(parameters: &mut dyn Parameters) -> Self {
        Self(parameters.vector(ITSELF, "Gradient of pressure [Pa/m]"))
    }
}
