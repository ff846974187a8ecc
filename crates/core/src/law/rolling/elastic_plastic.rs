//! Rolling resistance by a spring and dashpot with a plastic limit: carries a static moment.
//!
//! `M_k ← T(M_k) - k_r Δθ_r`, cut back to `M_max = μ_R R* N`; a dashpot `-C_r w_r` acts only below
//! the limit. `k_r = 2.25 k_n (μ_R R*)²`, `C_r = 2 η_r √(I_r k_r)`,
//! `1/I_r = 1/(I₁+m₁R₁²) + 1/(I₂+m₂R₂²)`. Ai, Chen, Rotter & Ooi (2011), model C.

use super::{RollingLever, pressure};
use crate::law::{
    Column, Contacts, Forces, History, HistoryColumn, Law, Model, PairContext, Step, Transport,
    WIDTH,
};
use crate::simd::vectorise;

/// Elastic–plastic rolling resistance, by `rolling_friction` and `rolling_damping_ratio` (0.3
/// where none is given) of the pair.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Default,
    serde::Deserialize,
    serde::Serialize,
    schemars::JsonSchema,
)]
#[serde(default, deny_unknown_fields)]
pub struct ElasticPlastic {
    /// The arm of the normal force in the largest moment.
    pub lever: RollingLever,
    /// How the stored moment follows the tangent plane.
    pub transport: Transport,
}

/// η_r where a pair gives none: a value in usual use.
const DEFAULT_DAMPING_RATIO: f64 = 0.3;

impl Model for ElasticPlastic {
    fn word(&self) -> &'static str {
        "elastic-plastic"
    }

    fn for_pair(&self, context: &mut PairContext<'_>) -> Box<dyn Law> {
        let rolling_friction = context.require("rolling_friction", 0.0..=f64::MAX);
        let damping_ratio = context
            .optional("rolling_damping_ratio", 0.0..=f64::MAX)
            .unwrap_or(DEFAULT_DAMPING_RATIO);
        let columns = [HistoryColumn::Vector("rolling moment", self.transport)];
        let coefficients = Coefficients { rolling_friction, damping_ratio, lever: self.lever };
        Box::new(ElasticPlasticLaw { coefficients, columns })
    }
}

#[derive(Debug)]
struct ElasticPlasticLaw {
    coefficients: Coefficients,
    columns: [HistoryColumn; 1],
}

#[derive(Debug, Clone, Copy)]
struct Coefficients {
    rolling_friction: f64,
    damping_ratio: f64,
    lever: RollingLever,
}

impl Coefficients {
    #[inline(always)]
    fn stiffness(&self, contacts: &Contacts, forces: &Forces, c: usize) -> f64 {
        let arm = self.rolling_friction * self.lever.arm(contacts, c);
        2.25 * forces.normal_stiffness[c] * arm * arm
    }
}

impl Law for ElasticPlasticLaw {
    fn evaluate(
        &self,
        contacts: &Contacts,
        step: &Step,
        history: &mut History<'_>,
        forces: &mut Forces,
    ) {
        let Some((old, new)) = history.vector() else { return };
        evaluate(&self.coefficients, contacts, old, new, forces);
        if step.ledger {
            book(&self.coefficients, contacts, new, forces);
        }
    }

    fn history(&self) -> &[HistoryColumn] {
        &self.columns
    }
}

/// `1/(I + m R²)` from the inverses; zero for a body that cannot move.
#[inline(always)]
fn inverse_rolling_inertia(contacts: &Contacts, body: usize, c: usize) -> f64 {
    let mass = contacts.inverse_mass[body][c];
    let inertia = contacts.inverse_inertia[body][c];
    let radius = contacts.radius[body][c];
    mass * inertia / (mass + radius * radius * inertia).max(f64::MIN_POSITIVE)
}

vectorise! {
    fn evaluate(
        law: &Coefficients,
        contacts: &Contacts,
        old: &[Column; 3],
        new: &mut [Column; 3],
        forces: &mut Forces,
    ) {
        for c in 0..WIDTH {
            let stiffness = law.stiffness(contacts, forces, c);
            let largest = law.rolling_friction * law.lever.arm(contacts, c) * pressure(forces, c);
            let trial = [
                old[0][c] - stiffness * contacts.roll[0][c],
                old[1][c] - stiffness * contacts.roll[1][c],
                old[2][c] - stiffness * contacts.roll[2][c],
            ];
            let size = (trial[0] * trial[0] + trial[1] * trial[1] + trial[2] * trial[2]).sqrt();
            let elastic = size < largest;
            let shrink = if elastic { 1.0 } else { largest / size.max(f64::MIN_POSITIVE) };
            let inverse_inertia = inverse_rolling_inertia(contacts, 0, c) + inverse_rolling_inertia(contacts, 1, c);
            let critical = 2.0 * (stiffness / inverse_inertia.max(f64::MIN_POSITIVE)).sqrt();
            let viscosity = if elastic { law.damping_ratio * critical } else { 0.0 };
            let touching = contacts.overlap[c] > 0.0;
            for axis in 0..3 {
                let spring = if touching { shrink * trial[axis] } else { 0.0 };
                let viscous = if touching { -viscosity * contacts.rolling_velocity[axis][c] } else { 0.0 };
                new[axis][c] = spring;
                forces.couple[axis][c] += spring + viscous;
            }
        }
    }
}

/// Books what the spring holds and the power of the rolling against the whole couple.
fn book(law: &Coefficients, contacts: &Contacts, moment: &[Column; 3], forces: &mut Forces) {
    for c in 0..WIDTH {
        let stiffness = law.stiffness(contacts, forces, c).max(f64::MIN_POSITIVE);
        let square: f64 = (0..3).map(|axis| moment[axis][c] * moment[axis][c]).sum();
        forces.rolling_energy[c] += 0.5 * square / stiffness;
        for axis in 0..3 {
            forces.rolling_power[c] -= forces.couple[axis][c] * contacts.rolling_velocity[axis][c];
        }
    }
}
