//! Basis of the time step, for `check` and the summary of a run.

use super::control::{Criterion, StepRecord};
use crate::scene::StepSize;
use crate::simulation::Simulation;

/// Basis of the current time step.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::{simulation, RADIUS};
/// use esker::prelude::*;
///
/// # let grains = vec![Sphere { velocity: Vec3::X, ..Sphere::new(RADIUS, Vec3::ZERO) }];
/// let simulation = simulation(ContactModel::normal(Hertz::default()), Pair::new(), grains);
/// let choice = simulation.step_choice();
/// assert!(choice.criterion.is_some() && choice.impact.is_none());
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct StepChoice {
    /// Criterion of an automatic step; none for a given one.
    pub criterion: Option<Criterion>,
    /// Stability bound of the contacts at the last pass; infinite without contacts [s].
    pub bound: f64,
    /// Description of the particle that determines the bound, and of its contacts.
    pub bound_by: Option<String>,
    /// The impact that needs the shortest step.
    pub impact: Option<ComingImpact>,
    /// Number of particles with accurate slip: velocity Verlet computes the slip of their contacts with the smaller error
    /// of docs/time-step.md.
    pub accurate_slip: usize,
}

/// An impending or current impact.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::{simulation, RADIUS};
/// use esker::prelude::*;
/// use esker::time_step::ComingImpact;
///
/// let grains = [-1.0, 1.0].map(|side| Sphere {
///     velocity: Vec3::X * -side,
///     ..Sphere::new(RADIUS, Vec3::X * 1.01 * RADIUS * side)
/// });
/// let simulation = simulation(ContactModel::normal(Hertz::default()), Pair::new(), grains.to_vec());
/// let impact: ComingImpact = simulation.step_choice().impact.unwrap();
/// assert!((impact.speed - 2.0).abs() < 1e-6 && impact.steps > 1.0);
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ComingImpact {
    /// Names of the partners.
    pub between: [String; 2],
    /// Speed of the approach [m/s].
    pub speed: f64,
    /// Duration of the elastic impact [s].
    pub contact_time: f64,
    /// Number of steps within it.
    pub steps: f64,
}

impl Simulation {
    /// The criterion of an automatic step; none for a given one.
    pub fn step_criterion(&self) -> Option<Criterion> {
        let is_chosen =
            matches!(self.scene.step, StepSize::Auto | StepSize::AtMost(_) | StepSize::AutoOnce)
                && self.scene.integrator.shortest_fraction().is_none();
        is_chosen.then_some(self.control.criterion)
    }

    /// Basis of the current time step.
    pub fn step_choice(&self) -> StepChoice {
        let control = &self.control;
        let accurate_slip = if self.engine.corrects_slip() {
            let whole = self.whole();
            whole.engine.particles().accurate_slip.iter().filter(|accurate| **accurate).count()
        } else {
            0
        };
        StepChoice {
            accurate_slip,
            criterion: self.step_criterion(),
            bound: control.bound,
            bound_by: control.bound_by.map(|id| self.whole().describe_contacts(id)),
            impact: control.impact.map(|impact| ComingImpact {
                between: [
                    format!("particle {}", impact.first),
                    self.engine.partner_name(impact.second),
                ],
                speed: impact.speed,
                contact_time: impact.contact_time,
                steps: impact.steps(self.clock.dt),
            }),
        }
    }

    /// Record of the choices of the automatic step.
    pub fn step_record(&self) -> StepRecord {
        self.control.record
    }
}
