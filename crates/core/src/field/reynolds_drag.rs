//! Drag with a coefficient that depends on the Reynolds number.

use super::drag::{density, force, viscosity};
use super::{Body, Field, Load, MediumVelocity, Rates};
use crate::Vec3;
use crate::parameters::{Described, Parameters};
use std::f64::consts::PI;

/// Drag with a coefficient that is a piecewise function of the Reynolds number: `-½ ρ C_D π r² |v - u| (v - u)`, `Re =
/// 2 r ρ |v - u| / η`. C16(6)–(12).
///
/// The function is not continuous everywhere: at Re = 3·10⁵, the drag crisis, C_D falls from 0.5 to 0.08.
///
/// ```
/// use esker::prelude::*;
/// use esker::field::{MediumVelocity, ReynoldsDrag};
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
/// let field = ReynoldsDrag {
///     density: 1.2,
///     viscosity: 1.8e-5,
///     medium_velocity: MediumVelocity::Uniform(body.velocity),
/// };
/// // no force at the velocity of the medium
/// assert_eq!(field.load(&body, 0.0).force, Vec3::ZERO);
/// ```
#[derive(Debug, Clone)]
pub struct ReynoldsDrag {
    /// Density ρ of the medium [kg/m³].
    pub density: f64,
    /// Dynamic viscosity η of the medium [Pa s].
    pub viscosity: f64,
    /// Velocity u of the medium [m/s].
    pub medium_velocity: MediumVelocity,
}

impl ReynoldsDrag {
    /// Reynolds number at this velocity relative to the medium [m/s].
    fn reynolds(&self, body: &Body, relative: Vec3) -> f64 {
        2.0 * body.radius * self.density * relative.length() / self.viscosity
    }

    /// Exponent of the Reynolds number to which drag coefficient times Reynolds number is proportional.
    fn exponent(reynolds: f64) -> f64 {
        if reynolds <= 1.0 {
            0.0
        } else if reynolds <= 400.0 {
            1.0 - 0.646
        } else if reynolds > 3e5 && reynolds <= 2e6 {
            1.4275
        } else {
            1.0
        }
    }

    /// Drag coefficient times Reynolds number, which is finite at rest. C16(8)–(12).
    pub(super) fn coefficient_times_reynolds(reynolds: f64) -> f64 {
        if reynolds <= 1.0 {
            24.0
        } else if reynolds <= 400.0 {
            24.0 * libm::pow(reynolds, 1.0 - 0.646)
        } else if reynolds <= 3e5 {
            0.5 * reynolds
        } else if reynolds <= 2e6 {
            0.000_366 * libm::pow(reynolds, 1.4275)
        } else {
            0.18 * reynolds
        }
    }
}

impl Field for ReynoldsDrag {
    fn name(&self) -> &str {
        "drag"
    }

    fn load(&self, body: &Body, time: f64) -> Load {
        let relative = self.medium_velocity.at(body.position, time) - body.velocity;
        let reynolds = self.reynolds(body, relative);
        // ½ ρ C_D π r² |v| = ¼ π r η · C_D Re
        let factor =
            0.25 * PI * body.radius * self.viscosity * Self::coefficient_times_reynolds(reynolds);
        force(factor * relative)
    }

    /// Along the relative velocity, where the tangent is largest; the jump of the drag crisis is neglected.
    fn rates(&self, body: &Body, time: f64) -> Rates {
        let relative = self.medium_velocity.at(body.position, time) - body.velocity;
        let reynolds = self.reynolds(body, relative);
        let factor =
            0.25 * PI * body.radius * self.viscosity * Self::coefficient_times_reynolds(reynolds);
        Rates::of_drag((1.0 + Self::exponent(reynolds)) * factor, body)
    }

    fn describe(&self) -> String {
        format!(
            "drag by Reynolds number in a medium of {} kg/m³ and {} Pa s that moves at {} m/s",
            self.density, self.viscosity, self.medium_velocity
        )
    }
}

impl Described for ReynoldsDrag {
    const NAME: &'static str = "reynolds";
    const ABOUT: &'static str =
        "Drag with a coefficient that is a piecewise function of the Reynolds number";

    fn from_parameters(parameters: &mut dyn Parameters) -> Self {
        Self {
            density: density(parameters),
            viscosity: viscosity(parameters),
            medium_velocity: MediumVelocity::from_parameters(parameters),
        }
    }
}
