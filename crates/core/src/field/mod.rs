//! Fields: forces on single particles, independent of contacts.

mod drag;
mod gravity;
mod magnus;
mod medium;
mod reynolds_drag;
mod rotating_frame;
mod stokes;
mod uniform;
mod volumetric_drag;

pub use drag::LinearDrag;
pub use gravity::Gravity;
pub use magnus::Magnus;
pub use medium::MediumVelocity;
pub use reynolds_drag::ReynoldsDrag;
pub use rotating_frame::RotatingFrame;
pub use stokes::StokesDrag;
pub use uniform::{Electric, Magnetic, PressureGradient};
pub use volumetric_drag::VolumetricDrag;

use crate::Vec3;
use crate::id::ParticleId;

/// The state of a particle, as an argument of fields.
///
/// ```
/// use esker::prelude::*;
///
/// // a field that pulls every particle back to the origin
/// let spring = field::from_fn("spring", |body: &Body, _time| Load {
///     force: -3.0 * body.position,
///     torque: Vec3::ZERO,
/// });
/// let body = Body {
///     position: Vec3::X,
///     velocity: Vec3::ZERO,
///     spin: Vec3::ZERO,
///     radius: 1e-3,
///     mass: 1e-5,
///     charge: 0.0,
///     id: ParticleId::new(0),
/// };
/// assert_eq!(spring.load(&body, 0.0).force, Vec3::X * -3.0);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Body {
    /// Position [m].
    pub position: Vec3,
    /// Velocity [m/s].
    pub velocity: Vec3,
    /// Spin [rad/s].
    pub spin: Vec3,
    /// Radius [m].
    pub radius: f64,
    /// Mass [kg].
    pub mass: f64,
    /// Charge [C].
    pub charge: f64,
    /// Id.
    pub id: ParticleId,
}

/// A force and a torque.
///
/// ```
/// use esker::prelude::*;
///
/// let push = Load { force: Vec3::X, ..Load::default() };
/// assert_eq!(push.torque, Vec3::ZERO);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct Load {
    /// Force [N].
    pub force: Vec3,
    /// Torque about the centre [N m].
    pub torque: Vec3,
}

/// Rates at which a field changes the velocity of a particle.
///
/// ```
/// use esker::prelude::*;
/// use esker::field::Rates;
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
/// // a drag of 2e-4 N s/m on a particle of 1e-5 kg
/// let rates = Rates::of_drag(2e-4, &body);
/// assert!((rates.relaxation - 20.0).abs() < 1e-12);
/// assert_eq!(rates.gyration, 0.0);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Rates {
    /// Relaxation, 1/τ: the tangent of the drag force at the current relative velocity divided by
    /// the mass [1/s].
    pub relaxation: f64,
    /// Gyration, ω: the rate at which the velocity rotates [rad/s].
    pub gyration: f64,
}

impl Rates {
    /// Of drag with this tangent `dF/dv` [N s/m] on a particle.
    pub fn of_drag(tangent: f64, body: &Body) -> Self {
        Self { relaxation: (tangent / body.mass).abs(), gyration: 0.0 }
    }

    /// Of a force `k × v` with this |k| [N s/m] on a particle.
    pub fn of_gyration(factor: f64, body: &Body) -> Self {
        Self { relaxation: 0.0, gyration: (factor / body.mass).abs() }
    }

    /// The larger value of each.
    pub(crate) fn max(self, other: Self) -> Self {
        Self {
            relaxation: self.relaxation.max(other.relaxation),
            gyration: self.gyration.max(other.gyration),
        }
    }

    pub(crate) fn is_finite(&self) -> bool {
        self.relaxation.is_finite() && self.gyration.is_finite()
    }
}

/// A force on each particle as a function of its state and the time. A closure
/// `Fn(&Body, f64) -> Load` is a field too, through [`from_fn`].
///
/// ```
/// use esker::prelude::*;
///
/// /// Repels particles from the plane z = 0.
/// #[derive(Debug)]
/// struct Levitation {
///     stiffness: f64,
/// }
///
/// impl Field for Levitation {
///     fn name(&self) -> &str {
///         "levitation"
///     }
///
///     fn load(&self, body: &Body, _time: f64) -> Load {
///         let force = Vec3::Z * self.stiffness * (0.01 - body.position.z).max(0.0);
///         Load { force, torque: Vec3::ZERO }
///     }
/// }
/// # let body = Body {
/// #     position: Vec3::ZERO,
/// #     velocity: Vec3::X * 2.0,
/// #     spin: Vec3::ZERO,
/// #     radius: 1e-3,
/// #     mass: 1e-5,
/// #     charge: 1e-9,
/// #     id: ParticleId::new(0),
/// # };
///
/// let load = Levitation { stiffness: 5.0 }.load(&body, 0.0);
/// assert!((load.force.z - 0.05).abs() < 1e-15);
/// ```
pub trait Field: std::fmt::Debug + Send + Sync {
    /// The name by which stages refer to it.
    fn name(&self) -> &str;

    /// A one-line description, for `esker check`.
    fn describe(&self) -> String {
        self.name().to_owned()
    }

    /// Force and torque on a particle at this time [s].
    fn load(&self, body: &Body, time: f64) -> Load;

    /// True if the field is evaluated once for all particles, by [`Field::loads`].
    fn is_batch(&self) -> bool {
        false
    }

    /// Forces and torques on all free particles, given in order of id. Only called on the thread that
    /// advances the simulation, and only if [`Field::is_batch`].
    fn loads(&self, bodies: &[Body], time: f64, loads: &mut [Load]) {
        for (body, load) in bodies.iter().zip(loads) {
            *load = self.load(body, time);
        }
    }

    /// Potential energy of the particle in the field [J]; `None` for a non-conservative field.
    fn potential(&self, _body: &Body, _time: f64) -> Option<f64> {
        None
    }

    /// Rates at which the field changes a velocity, for the choice of the time step; zero, the default, does not limit
    /// the step. A force that depends on the velocity must provide them.
    fn rates(&self, _body: &Body, _time: f64) -> Rates {
        Rates::default()
    }

    /// The acceleration, if the field is a constant acceleration only.
    fn acceleration(&self) -> Option<Vec3> {
        None
    }
}

/// A field given by a closure.
///
/// ```
/// use esker::prelude::*;
///
/// let wind = field::from_fn("wind", |_body, time| Load { force: Vec3::X * time, ..Load::default() });
/// assert_eq!(wind.name(), "wind");
/// ```
pub fn from_fn(
    name: &str,
    load: impl Fn(&Body, f64) -> Load + Send + Sync + 'static,
) -> std::sync::Arc<dyn Field> {
    struct FromFn<F>(String, F);
    impl<F> std::fmt::Debug for FromFn<F> {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            write!(f, "field `{}`", self.0)
        }
    }
    impl<F: Fn(&Body, f64) -> Load + Send + Sync> Field for FromFn<F> {
        fn name(&self) -> &str {
            &self.0
        }
        fn load(&self, body: &Body, time: f64) -> Load {
            (self.1)(body, time)
        }
    }
    std::sync::Arc::new(FromFn(name.to_owned(), load))
}
