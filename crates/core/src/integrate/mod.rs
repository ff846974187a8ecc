//! Time integration. An integrator moves the state through trial states, asks the engine to
//! evaluate the forces there, and commits the step it accepts.

pub(crate) mod rotation;
mod velocity_verlet;

pub(crate) use velocity_verlet::velocity_verlet;

/// Which integrator advances the state.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Integration {
    /// Velocity Verlet, the default.
    #[default]
    VelocityVerlet,
}

/// What a step has seen on its way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// Every particle stays within the skin during the next step, and is finite.
    pub within_skin: bool,
    /// Every particle is inside the domain and finite.
    pub inside: bool,
}
