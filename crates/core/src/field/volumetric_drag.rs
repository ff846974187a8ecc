//! Drag per volume, corrected for the voidage of a bed.

use super::drag::{density, force, viscosity};
use super::{Body, Field, Load, MediumVelocity, Rates};
use crate::Vec3;
use crate::parameters::{Described, Limits, Parameters};
use std::f64::consts::PI;

/// Drag per volume of the particle: `β V (u - v)`, `β = 18 η f(Re) ε^{-3.65} / d²`,
/// `f = 1 + 0.15 Re^{0.687}` (Schiller & Naumann), with the voidage ε of a bed (Di Felice). L(32).
///
/// The coupling is one-way: particles do not act on the medium.
///
/// ```
/// use esker::prelude::*;
/// use esker::field::{MediumVelocity, VolumetricDrag};
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
/// let field = VolumetricDrag {
///     density: 1.2,
///     viscosity: 1.8e-5,
///     voidage: 0.5,
///     medium_velocity: MediumVelocity::Uniform(Vec3::ZERO),
/// };
/// assert!(field.load(&body, 0.0).force.x < 0.0); // against the motion
/// ```
#[derive(Debug, Clone)]
pub struct VolumetricDrag {
    /// Density ρ of the medium [kg/m³].
    pub density: f64,
    /// Dynamic viscosity η of the medium [Pa s].
    pub viscosity: f64,
    /// Volume fraction ε of the medium; one for a single particle.
    pub voidage: f64,
    /// Velocity u of the medium [m/s].
    pub medium_velocity: MediumVelocity,
}

impl VolumetricDrag {
    /// Force divided by velocity, where `increase` is f(Re) [N s/m].
    fn coefficient(&self, body: &Body, increase: f64) -> f64 {
        let diameter = 2.0 * body.radius;
        let voidage_factor = libm::pow(self.voidage, -3.65);
        let volume = PI / 6.0 * diameter * diameter * diameter;
        let per_volume = 18.0 * self.viscosity * increase * voidage_factor / (diameter * diameter);
        per_volume * volume
    }

    /// Velocity of the medium relative to the particle [m/s], and 0.15 Re^0.687.
    fn relative(&self, body: &Body, time: f64) -> (Vec3, f64) {
        let relative = self.medium_velocity.at(body.position, time) - body.velocity;
        let diameter = 2.0 * body.radius;
        let reynolds = self.density * relative.length() * diameter / self.viscosity;
        (relative, 0.15 * libm::pow(reynolds, 0.687))
    }
}

impl Field for VolumetricDrag {
    fn name(&self) -> &str {
        "drag"
    }

    fn load(&self, body: &Body, time: f64) -> Load {
        let (relative, inertial) = self.relative(body, time);
        force(self.coefficient(body, 1.0 + inertial) * relative)
    }

    /// Along the relative velocity: `d(v Re^0.687)/dv = 1.687 Re^0.687`.
    fn rates(&self, body: &Body, time: f64) -> Rates {
        let (_, inertial) = self.relative(body, time);
        Rates::of_drag(self.coefficient(body, 1.0 + 1.687 * inertial), body)
    }

    fn describe(&self) -> String {
        format!(
            "volumetric drag in a medium of {} kg/m³ and {} Pa s that fills {} of the volume and moves \
             at {} m/s",
            self.density, self.viscosity, self.voidage, self.medium_velocity
        )
    }
}

impl Described for VolumetricDrag {
    const NAME: &'static str = "volumetric";
    const ABOUT: &'static str = "Drag of Schiller and Naumann, corrected for the voidage";

    fn from_parameters(parameters: &mut dyn Parameters) -> Self {
        let (density, viscosity) = (density(parameters), viscosity(parameters));
        let about = "Volume fraction of the medium, at most 1";
        let voidage = parameters.optional_number("voidage", about, Limits::Positive).unwrap_or(1.0);
        if voidage > 1.0 {
            let message = format!("`voidage` is {voidage}");
            parameters.problem("voidage", message, "a volume fraction, at most 1");
        }
        let medium_velocity = MediumVelocity::from_parameters(parameters);
        Self { density, viscosity, voidage, medium_velocity }
    }
}
