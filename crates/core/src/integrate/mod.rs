//! Time integration.

/// Which integrator advances the state.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Integration {
    /// Velocity Verlet, the default.
    #[default]
    VelocityVerlet,
}
