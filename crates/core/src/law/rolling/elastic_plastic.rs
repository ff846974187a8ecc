//! Rolling resistance by a spring and dashpot with a plastic limit: carries a static moment.
//!
//! `M_k ← T(M_k) - k_r Δθ_r`, cut back to `M_max = μ_R R* N`; a dashpot `-C_r w_r` acts only below
//! the limit. `k_r = 2.25 k_n (μ_R R*)²`, `C_r = 2 η_r √(I_r k_r)`,
//! `1/I_r = 1/(I₁+m₁R₁²) + 1/(I₂+m₂R₂²)`. Ai, Chen, Rotter & Ooi (2011), model C.

use super::{RollingLever, pressure};
use crate::geometry::lane;
use crate::law::{
    Column, ContactStiffness, Contacts, Forces, History, HistoryColumn, Law, Model, PairContext,
    PairState, Step, Transport, WIDTH,
};
use crate::simd::multiversion;

/// Elastic–plastic rolling resistance, by `rolling_friction` and `rolling_damping_ratio` (0.3
/// where none is given) of the pair.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
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
        let coefficients = Coefficients::new(rolling_friction, damping_ratio, self.lever);
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
    /// μ_R times the arm as a multiple of R*: at a wall, and between particles.
    arms: [f64; 2],
    /// C_r as a multiple of √(I_r k_r) without the 7/5 in I_r.
    viscosity: f64,
}

/// I + m R² of a full sphere as a multiple of m R².
const ROLLING_INERTIA: f64 = 1.4;

impl Coefficients {
    fn new(rolling_friction: f64, damping_ratio: f64, lever: RollingLever) -> Self {
        Self {
            arms: [0.0, 1.0].map(|radius| rolling_friction * lever.arm_of(1.0, radius)),
            viscosity: 2.0 * damping_ratio * ROLLING_INERTIA.sqrt(),
        }
    }

    /// μ_R times the arm between particles [m].
    #[inline(always)]
    pub(crate) fn arm_between(&self, effective_radius: f64) -> f64 {
        effective_radius * self.arms[1]
    }

    /// μ_R times the arm at a wall [m].
    #[inline(always)]
    pub(crate) fn arm_at_wall(&self, effective_radius: f64) -> f64 {
        effective_radius * self.arms[0]
    }

    /// μ_R times the arm [m]. The radius of the second partner is zero at a wall.
    #[inline(always)]
    fn arm(&self, effective_radius: f64, second_radius: f64) -> f64 {
        let arms = [self.arm_at_wall(effective_radius), self.arm_between(effective_radius)];
        if second_radius > 0.0 { arms[1] } else { arms[0] }
    }

    #[inline(always)]
    fn stiffness(&self, contacts: &Contacts, forces: &Forces, c: usize) -> f64 {
        let arm = self.arm(contacts.effective_radius[c], contacts.radius[1][c]);
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

    fn stiffness(&self, pair: &PairState, sum: &mut ContactStiffness) {
        let law = &self.coefficients;
        let arm = law.arm(pair.effective_radius, pair.radii[1]);
        let stiffness = 2.25 * sum.normal * arm * arm;
        let [inertia, lightness] = inertia(pair.radii, pair.inverse_masses);
        sum.roll += stiffness;
        sum.roll_dashpot += law.viscosity * (inertia * stiffness / lightness.max(LEAST)).sqrt();
    }
}

multiversion! {
    fn evaluate(
        law: &Coefficients,
        contacts: &Contacts,
        old: &[Column; 3],
        new: &mut [Column; 3],
        forces: &mut Forces,
    ) {
        for c in 0..WIDTH {
            let velocity = [
                contacts.rolling_velocity[0][c],
                contacts.rolling_velocity[1][c],
                contacts.rolling_velocity[2][c],
            ];
            let rolled = roll(law, &Rolling {
                overlap: contacts.overlap[c],
                arm: law.arm(contacts.effective_radius[c], contacts.radius[1][c]),
                radii: [contacts.radius[0][c], contacts.radius[1][c]],
                inverse_masses: [contacts.inverse_mass[0][c], contacts.inverse_mass[1][c]],
                normal_stiffness: forces.normal_stiffness[c].max(0.0),
                pressure: pressure(forces, c),
                moment: [old[0][c], old[1][c], old[2][c]],
                roll: [contacts.roll[0][c], contacts.roll[1][c], contacts.roll[2][c]],
            }, velocity);
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
    /// μ_R times the arm of the normal force [m].
    pub arm: f64,
    /// The second is zero at a wall.
    pub radii: [f64; 2],
    pub inverse_masses: [f64; 2],
    /// Not negative.
    pub normal_stiffness: f64,
    /// The normal force that limits the moment [N].
    pub pressure: f64,
    /// Of the accepted state, in the present tangent plane [N m].
    pub moment: [f64; 3],
    /// Since the accepted state [rad].
    pub roll: [f64; 3],
}

/// What the law gives for one contact.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rolled {
    pub moment: [f64; 3],
    /// With the part of the dashpot [N m].
    pub couple: [f64; 3],
}

impl Rolled {
    /// The torque on the first partner, and that on the second reversed, from n × tangential force
    /// and the levers.
    #[inline(always)]
    pub(crate) fn sides(&self, torque: [f64; 3], moment_arms: [f64; 2]) -> [[f64; 3]; 2] {
        // sums from zero, as the stages make them: a zero must have the same sign
        let couple = [0.0 + self.couple[0], 0.0 + self.couple[1], 0.0 + self.couple[2]];
        lane::sides(torque, couple, moment_arms)
    }
}

/// The law for one contact, which rolls with this velocity [rad/s].
#[inline(always)]
pub(crate) fn roll(law: &Coefficients, given: &Rolling, velocity: [f64; 3]) -> Rolled {
    given.tried(law).rolled(velocity)
}

/// The moment that a spring would have without a limit, and what becomes of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Trial {
    pub moment: [f64; 3],
    /// The share of the moment that is left.
    pub shrink: f64,
    /// C_r, zero at the limit [N m s].
    pub viscosity: f64,
}

impl Rolling {
    /// The first part of the law: up to its root. A contact below its limit needs √(I_r k_r), one
    /// beyond it M_max/|M|: one division and one root serve for both.
    #[inline(always)]
    pub(crate) fn tried(&self, law: &Coefficients) -> Trial {
        let arm = self.arm;
        let stiffness = 2.25 * self.normal_stiffness * arm * arm;
        let (before, roll) = (self.moment, self.roll);
        let moment = [
            before[0] - stiffness * roll[0],
            before[1] - stiffness * roll[1],
            before[2] - stiffness * roll[2],
        ];
        let size = moment[0] * moment[0] + moment[1] * moment[1] + moment[2] * moment[2];
        let largest = arm * self.pressure;
        let limit = largest * largest;
        let is_elastic = size < limit;
        let [inertia, lightness] = inertia(self.radii, self.inverse_masses);
        // the sign tells which it is: the compiler would see through a second `if is_elastic`, and
        // have two divisions and two roots again
        let numerator = if is_elastic { inertia * stiffness } else { -limit };
        let divisor = if is_elastic { lightness } else { size };
        let quotient = numerator / if divisor > LEAST { divisor } else { LEAST };
        let root = quotient.abs().sqrt();
        let (shrink, viscosity) =
            if quotient.is_sign_negative() { (root, 0.0) } else { (1.0, law.viscosity * root) };
        let touching = self.overlap > 0.0;
        Trial {
            moment,
            shrink: if touching { shrink } else { 0.0 },
            viscosity: if touching { viscosity } else { 0.0 },
        }
    }
}

/// I_r as a fraction, without a factor. For full spheres I + m R² is 7/5 m R², so I_r is
/// `7/5 R₁² R₂² / (R₂²/m₁ + R₁²/m₂)`; a body that cannot move has no part in it.
#[inline(always)]
fn inertia([first, second]: [f64; 2], [light, lighter]: [f64; 2]) -> [f64; 2] {
    let [own, other] = [first * first, if second > 0.0 { second * second } else { 1.0 }];
    [own * other, light * other + lighter * own]
}

impl Trial {
    /// The second part.
    #[inline(always)]
    pub(crate) fn rolled(&self, velocity: [f64; 3]) -> Rolled {
        let spring = |axis: usize| self.shrink * self.moment[axis];
        let with_dashpot = |axis: usize| spring(axis) - self.viscosity * velocity[axis];
        Rolled {
            moment: [spring(0), spring(1), spring(2)],
            couple: [with_dashpot(0), with_dashpot(1), with_dashpot(2)],
        }
    }
}

/// Below this the square of a moment [N² m²] and what an inertia is divided by [m²/kg] count as zero.
const LEAST: f64 = 1e-290;

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
    fn given(law: &Coefficients, masses: [f64; 2], radii: [f64; 2]) -> Rolling {
        let curvatures = radii.map(|radius| if radius > 0.0 { 1.0 / radius } else { 0.0 });
        Rolling {
            overlap: 1e-6,
            arm: law.arm(1.0 / (curvatures[0] + curvatures[1]), radii[1]),
            radii,
            inverse_masses: masses.map(|mass| 1.0 / mass),
            normal_stiffness: 3e4,
            pressure: 5.0,
            moment: [1e-6, 0.0, 0.0],
            roll: [0.0, 2e-5, 0.0],
        }
    }

    #[test]
    fn spring_and_dashpot_have_the_coefficients_of_the_formulas() {
        let law = Coefficients::new(0.1, 0.3, RollingLever::EffectiveRadius);
        for (masses, radii) in
            [([2e-3, 7e-4], [4e-3, 2.5e-3]), ([2e-3, f64::INFINITY], [4e-3, 0.0])]
        {
            let given = given(&law, masses, radii);
            let Rolled { moment, couple } = roll(&law, &given, [0.0, 0.0, 0.1]);
            let radius =
                if radii[1] > 0.0 { radii[0] * radii[1] / (radii[0] + radii[1]) } else { radii[0] };
            let stiffness = 2.25 * 3e4 * (0.1 * radius).powi(2);
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
