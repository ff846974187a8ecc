//! Integrators.

use super::Entry;
use crate::read::time;
use crate::schema::time as schema;
use esker::integrate::Integrator;

/// Integrators by name.
pub(crate) const INTEGRATORS: &[Entry<Integrator>] = &[
    Entry::new("velocity-verlet", "Velocity Verlet", |_| Integrator::VelocityVerlet),
    Entry::new("symplectic-euler", "Symplectic Euler, first order", |_| {
        Integrator::SymplecticEuler
    }),
    Entry::table("newmark-pec", time::newmark, schema::newmark),
    Entry::table("theta", |options| Integrator::Theta(time::theta(options)), schema::theta),
    Entry::table("rkf45", |options| Integrator::Rkf45(time::rkf45(options)), schema::rkf45),
];
