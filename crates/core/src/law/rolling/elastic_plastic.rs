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
pub(crate) struct ElasticPlasticLaw {
    pub coefficients: Coefficients,
    columns: [HistoryColumn; 1],
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Coefficients {
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

vectorise! {
    fn evaluate(
        law: &Coefficients,
        contacts: &Contacts,
        old: &[Column; 3],
        new: &mut [Column; 3],
        forces: &mut Forces,
    ) {
        for c in 0..WIDTH {
            let rolled = lane(law, &Rolling {
                overlap: contacts.overlap[c],
                effective_radius: contacts.effective_radius[c],
                radii: [contacts.radius[0][c], contacts.radius[1][c]],
                inverse_masses: [contacts.inverse_mass[0][c], contacts.inverse_mass[1][c]],
                inverse_inertias: [contacts.inverse_inertia[0][c], contacts.inverse_inertia[1][c]],
                normal_stiffness: forces.normal_stiffness[c],
                pressure: pressure(forces, c),
                moment: [old[0][c], old[1][c], old[2][c]],
                roll: [contacts.roll[0][c], contacts.roll[1][c], contacts.roll[2][c]],
                velocity: [
                    contacts.rolling_velocity[0][c],
                    contacts.rolling_velocity[1][c],
                    contacts.rolling_velocity[2][c],
                ],
            });
            for axis in 0..3 {
                new[axis][c] = rolled.moment[axis];
                forces.couple[axis][c] += rolled.couple[axis];
            }
        }
    }
}

/// What the law is given for one contact.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rolling {
    pub overlap: f64,
    pub effective_radius: f64,
    pub radii: [f64; 2],
    pub inverse_masses: [f64; 2],
    pub inverse_inertias: [f64; 2],
    pub normal_stiffness: f64,
    /// The normal force that limits the moment [N].
    pub pressure: f64,
    /// Of the accepted state, in the present tangent plane [N m].
    pub moment: [f64; 3],
    /// Since the accepted state [rad].
    pub roll: [f64; 3],
    pub velocity: [f64; 3],
}

/// What the law gives for one contact.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rolled {
    pub moment: [f64; 3],
    /// With the part of the dashpot [N m].
    pub couple: [f64; 3],
}

/// The law for one contact.
#[inline(always)]
pub(crate) fn lane(law: &Coefficients, given: &Rolling) -> Rolled {
    let tried = given.tried(law);
    tried.rolled(law, given.overlap, given.velocity, given.settled(&tried))
}

/// The moment that a spring would have without a limit.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tried {
    pub moment: [f64; 3],
    pub size: f64,
    pub stiffness: f64,
    /// The limit [N m].
    pub largest: f64,
}

/// How much of a trial is left, and the critical damping.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Settled {
    pub shrink: f64,
    pub critical: f64,
}

impl Rolling {
    /// The first part of the law: up to the size of the trial moment.
    #[inline(always)]
    pub(crate) fn tried(&self, law: &Coefficients) -> Tried {
        let arm = law.rolling_friction * law.lever.arm_of(self.effective_radius, self.radii[1]);
        let stiffness = 2.25 * self.normal_stiffness * arm * arm;
        let (before, roll) = (self.moment, self.roll);
        let moment = [
            before[0] - stiffness * roll[0],
            before[1] - stiffness * roll[1],
            before[2] - stiffness * roll[2],
        ];
        let square = moment[0] * moment[0] + moment[1] * moment[1] + moment[2] * moment[2];
        Tried { moment, size: square.sqrt(), stiffness, largest: arm * self.pressure }
    }

    /// The second part: up to the root of the critical damping. With `1/(I + m R²) = a/b` of each
    /// body, I_r is `b₁b₂/(a₁b₂ + a₂b₁)`, and one division serves for it and for the return to the
    /// limit.
    #[inline(always)]
    pub(crate) fn settled(&self, tried: &Tried) -> Settled {
        let [[a, b], [c, d]] = [self.fraction(0), self.fraction(1)];
        let sum = at_least(a * d + c * b, LEAST);
        let divisor = at_least(tried.size, LEAST);
        let inverse = 1.0 / (divisor * sum);
        let inertia = (b * d) * (inverse * divisor);
        let shrink = if tried.is_elastic() { 1.0 } else { tried.largest * (inverse * sum) };
        Settled { shrink, critical: 2.0 * (tried.stiffness * inertia).sqrt() }
    }

    /// `1/(I + m R²)` as a fraction of the inverses; zero for a body that cannot move.
    #[inline(always)]
    fn fraction(&self, body: usize) -> [f64; 2] {
        let (mass, inertia) = (self.inverse_masses[body], self.inverse_inertias[body]);
        let divisor = mass + self.radii[body] * self.radii[body] * inertia;
        [mass * inertia, if divisor > 0.0 { divisor } else { 1.0 }]
    }
}

impl Tried {
    #[inline(always)]
    fn is_elastic(&self) -> bool {
        self.size < self.largest
    }

    /// The last part.
    #[inline(always)]
    pub(crate) fn rolled(
        &self,
        law: &Coefficients,
        overlap: f64,
        velocity: [f64; 3],
        settled: Settled,
    ) -> Rolled {
        let Settled { shrink, critical } = settled;
        let viscosity = if self.is_elastic() { law.damping_ratio * critical } else { 0.0 };
        let touching = overlap > 0.0;
        let spring = |axis: usize| if touching { shrink * self.moment[axis] } else { 0.0 };
        let viscous = |axis: usize| if touching { -viscosity * velocity[axis] } else { 0.0 };
        Rolled {
            moment: [spring(0), spring(1), spring(2)],
            couple: [spring(0) + viscous(0), spring(1) + viscous(1), spring(2) + viscous(2)],
        }
    }
}

/// Below this a moment or the inverse of an inertia counts as zero; the inverse of a product of two
/// is still a number.
const LEAST: f64 = 1e-150;

#[inline(always)]
fn at_least(value: f64, least: f64) -> f64 {
    if value > least { value } else { least }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Two solid spheres, or one at a wall, that roll slowly.
    fn given(masses: [f64; 2], radii: [f64; 2]) -> Rolling {
        let inverse_inertia = |body: usize| {
            let radius = if radii[body] > 0.0 { radii[body] } else { 1.0 };
            1.0 / (0.4 * masses[body] * radius * radius)
        };
        let curvatures = radii.map(|radius| if radius > 0.0 { 1.0 / radius } else { 0.0 });
        Rolling {
            overlap: 1e-6,
            effective_radius: 1.0 / (curvatures[0] + curvatures[1]),
            radii,
            inverse_masses: masses.map(|mass| 1.0 / mass),
            inverse_inertias: [inverse_inertia(0), inverse_inertia(1)],
            normal_stiffness: 3e4,
            pressure: 5.0,
            moment: [1e-6, 0.0, 0.0],
            roll: [0.0, 2e-5, 0.0],
            velocity: [0.0, 0.0, 0.1],
        }
    }

    #[test]
    fn spring_and_dashpot_have_the_coefficients_of_the_formulas() {
        let law = Coefficients {
            rolling_friction: 0.1,
            damping_ratio: 0.3,
            lever: RollingLever::EffectiveRadius,
        };
        for (masses, radii) in
            [([2e-3, 7e-4], [4e-3, 2.5e-3]), ([2e-3, f64::INFINITY], [4e-3, 0.0])]
        {
            let given = given(masses, radii);
            let Rolled { moment, couple } = lane(&law, &given);
            let stiffness = 2.25 * 3e4 * (0.1 * given.effective_radius).powi(2);
            // I + m r² = 7/5 m r²; a wall has no part in it
            let inverse = |body: usize| {
                let whole = 1.4 * masses[body] * radii[body] * radii[body];
                if masses[body].is_finite() { 1.0 / whole } else { 0.0 }
            };
            let inertia = 1.0 / (inverse(0) + inverse(1));
            let viscosity = 2.0 * 0.3 * (inertia * stiffness).sqrt();
            let expected = [1e-6, -stiffness * 2e-5, -viscosity * 0.1];
            assert_eq!(moment[2], 0.0);
            for axis in 0..3 {
                let error = (couple[axis] - expected[axis]).abs();
                assert!(error < 1e-12 * viscosity, "{couple:?}, expected {expected:?}");
            }
        }
    }
}
