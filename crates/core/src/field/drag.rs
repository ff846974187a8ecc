//! Drag of a medium on a sphere by laws other than Stokes'.

use super::{Body, Field, Load, MediumVelocity, Rates};
use crate::Vec3;
use crate::parameters::{Described, Limits, Parameters};
use std::f64::consts::PI;

/// Drag proportional to the relative velocity: `-c (v - u)`. C15(15).
///
/// ```
/// use esker::prelude::*;
/// use esker::field::{LinearDrag, MediumVelocity};
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
/// let field = LinearDrag { coefficient: 0.1, medium_velocity: MediumVelocity::Uniform(Vec3::ZERO) };
/// assert_eq!(field.load(&body, 0.0).force, Vec3::X * -0.2);
/// ```
#[derive(Debug, Clone)]
pub struct LinearDrag {
    /// c [N s/m].
    pub coefficient: f64,
    /// Velocity u of the medium [m/s].
    pub medium_velocity: MediumVelocity,
}

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

/// Force on a spinning particle in a moving medium (Magnus): `S w × (v - u)`. Remarks in C15 and C16.
///
/// ```
/// use esker::prelude::*;
/// use esker::field::{Magnus, MediumVelocity};
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
/// let field = Magnus { coefficient: 1.0, medium_velocity: MediumVelocity::Uniform(Vec3::ZERO) };
/// // without spin there is no lift
/// assert_eq!(field.load(&body, 0.0).force, Vec3::ZERO);
/// ```
#[derive(Debug, Clone)]
pub struct Magnus {
    /// S [kg].
    pub coefficient: f64,
    /// Velocity u of the medium [m/s].
    pub medium_velocity: MediumVelocity,
}

/// A force without a torque.
pub(super) fn force(force: Vec3) -> Load {
    Load { force, torque: Vec3::ZERO }
}

impl Field for LinearDrag {
    fn name(&self) -> &str {
        "drag"
    }

    fn load(&self, body: &Body, time: f64) -> Load {
        force(self.coefficient * (self.medium_velocity.at(body.position, time) - body.velocity))
    }

    fn rates(&self, body: &Body, _time: f64) -> Rates {
        Rates::of_drag(self.coefficient, body)
    }

    fn describe(&self) -> String {
        format!(
            "linear drag with {} N s/m; the medium moves at {} m/s",
            self.coefficient, self.medium_velocity
        )
    }
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
    fn coefficient_times_reynolds(reynolds: f64) -> f64 {
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

impl Field for Magnus {
    fn name(&self) -> &str {
        "magnus"
    }

    fn load(&self, body: &Body, time: f64) -> Load {
        let relative = body.velocity - self.medium_velocity.at(body.position, time);
        force(self.coefficient * body.spin.cross(relative))
    }

    fn rates(&self, body: &Body, _time: f64) -> Rates {
        Rates::of_gyration(self.coefficient * body.spin.length(), body)
    }

    fn describe(&self) -> String {
        format!(
            "Magnus force with {} kg; the medium moves at {} m/s",
            self.coefficient, self.medium_velocity
        )
    }
}

fn density(parameters: &mut dyn Parameters) -> f64 {
    parameters.number("density", "Density of the medium [kg/m³]", Limits::Positive)
}

fn viscosity(parameters: &mut dyn Parameters) -> f64 {
    parameters.number("viscosity", "Dynamic viscosity of the medium [Pa s]", Limits::Positive)
}

impl Described for LinearDrag {
    const NAME: &'static str = "linear";
    const ABOUT: &'static str = "Drag proportional to the relative velocity";

    fn from_parameters(parameters: &mut dyn Parameters) -> Self {
        let about = "Force per relative speed [N s/m]";
        Self {
            coefficient: parameters.number("coefficient", about, Limits::Positive),
            medium_velocity: MediumVelocity::from_parameters(parameters),
        }
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

impl Described for Magnus {
    const NAME: &'static str = "magnus";
    const ABOUT: &'static str = "Magnus force";

    fn from_parameters(parameters: &mut dyn Parameters) -> Self {
        Self {
            coefficient: parameters.number("coefficient", "S in S w × v [kg]", Limits::Any),
            medium_velocity: MediumVelocity::from_parameters(parameters),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::StokesDrag;

    fn body(velocity: Vec3) -> Body {
        Body {
            position: Vec3::ZERO,
            velocity,
            spin: Vec3::Z,
            radius: 0.001,
            mass: 1e-5,
            charge: 0.0,
            id: crate::id::ParticleId::new(0),
        }
    }

    #[test]
    fn all_drags_are_stokes_drag_for_a_slow_particle() {
        let (density, viscosity) = (1.2, 1.8e-5);
        let medium_velocity = || MediumVelocity::from(Vec3::X);
        let slow = body(Vec3::X * (1.0 + 1e-7));
        let stokes =
            StokesDrag { viscosity, medium_velocity: medium_velocity() }.load(&slow, 0.0).force;
        let reynolds = ReynoldsDrag { density, viscosity, medium_velocity: medium_velocity() };
        let reynolds = reynolds.load(&slow, 0.0).force;
        let volumetric =
            VolumetricDrag { density, viscosity, voidage: 1.0, medium_velocity: medium_velocity() };
        assert!((reynolds.x / stokes.x - 1.0).abs() < 1e-12);
        // Re = 1.3e-5 adds 0.15 Re^0.687 = 7e-5
        assert!((volumetric.load(&slow, 0.0).force.x / stokes.x - 1.0).abs() < 1e-4);
    }

    #[test]
    fn drag_coefficients_meet_where_the_paper_says_they_do() {
        let coefficient =
            |reynolds: f64| ReynoldsDrag::coefficient_times_reynolds(reynolds) / reynolds;
        // values at the joints, computed by hand from the printed pieces
        for (reynolds, below, above) in
            [(1.0, 24.0, 24.0), (400.0, 0.5004, 0.5), (3e5, 0.5, 0.0803), (2e6, 0.1808, 0.18)]
        {
            assert!((coefficient(reynolds) - below).abs() < 6e-5, "{reynolds}");
            assert!((coefficient(reynolds * (1.0 + 1e-12)) - above).abs() < 6e-5, "{reynolds}");
        }
    }

    #[test]
    fn a_body_at_rest_in_its_medium_feels_no_drag() {
        let field =
            ReynoldsDrag { density: 1.2, viscosity: 1.8e-5, medium_velocity: Vec3::X.into() };
        assert_eq!(field.load(&body(Vec3::X), 0.0).force, Vec3::ZERO);
    }

    #[test]
    fn a_crowded_particle_is_dragged_more() {
        let drag = |voidage: f64| {
            let (density, viscosity) = (1.2, 1.8e-5);
            let medium_velocity = MediumVelocity::default();
            let field = VolumetricDrag { density, viscosity, voidage, medium_velocity };
            field.load(&body(Vec3::X), 0.0).force.x
        };
        assert!((drag(0.4) / drag(1.0) / 0.4f64.powf(-3.65) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_particle_that_spins_about_z_and_moves_along_x_is_pushed_along_y() {
        let magnus = Magnus { coefficient: 2.0, medium_velocity: MediumVelocity::default() };
        assert_eq!(magnus.load(&body(3.0 * Vec3::X), 0.0).force, 6.0 * Vec3::Y);
        // a medium with the same velocity removes the force
        let along = Magnus { medium_velocity: (3.0 * Vec3::X).into(), ..magnus };
        assert_eq!(along.load(&body(3.0 * Vec3::X), 0.0).force, Vec3::ZERO);
    }

    #[test]
    fn a_medium_that_varies_is_taken_where_and_when_the_particle_is() {
        let shear = |position: Vec3, time: f64| Vec3::new(2.0 * position.y + time, 0.0, 0.0);
        let drag = LinearDrag { coefficient: 3.0, medium_velocity: MediumVelocity::from_fn(shear) };
        let body = Body { position: Vec3::Y * 0.5, ..body(Vec3::ZERO) };
        assert_eq!(drag.load(&body, 4.0).force, 15.0 * Vec3::X);
    }
}
