//! Integrators: one line each. Those with options have a file with options and schema.

mod newmark;
mod rkf45;
mod theta;

use super::Entry;
use crate::schema::build::words;
use crate::text::table::Table;
use crate::text::value::Value;
use esker::integrate::Integrator;
use serde_json::Value as Schema;

/// Integrators by name.
pub(crate) const INTEGRATORS: &[Entry<Integrator>] = &[
    Entry::new("velocity-verlet", "Velocity Verlet", |_| Integrator::VelocityVerlet),
    Entry::new("symplectic-euler", "Symplectic Euler, first order", |_| {
        Integrator::SymplecticEuler
    }),
    newmark::NEWMARK,
    theta::THETA,
    rkf45::RKF45,
];

/// True if a step of minimum length is accepted without convergence.
fn accepts(options: &Table<'_>, check: impl Fn(&Value<'_>)) -> bool {
    let Some(value) = options.optional("on_no_convergence") else { return false };
    check(&value);
    value.word(&["error", "accept"]) == Some("accept")
}

fn no_convergence() -> Schema {
    words("Action if the shortest step does not converge", &["error", "accept"])
}

/// A number of iterations or corrections, at most a hundred.
fn count(value: &Value<'_>, least: u64) -> Option<u32> {
    let count = value.count()?;
    if (least..=100).contains(&count) {
        return Some(count as u32);
    }
    value.report(format!("`{}` is {count}", value.key()), format!("between {least} and 100"));
    None
}
