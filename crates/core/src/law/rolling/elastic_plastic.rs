//! Rolling resistance by a spring and dashpot with a plastic limit, which supports a static moment.
//!
//! `M_k ← T(M_k) - k_r Δθ_r`, limited to `M_max = μ_R R* N`; a dashpot `-C_r w_r` acts only below the limit. `k_r =
//! 2.25 k_n (μ_R R*)²`, `C_r = 2 η_r √(I_r k_r)`, `1/I_r = 1/(I₁+m₁R₁²) + 1/(I₂+m₂R₂²)`. Ai, Chen, Rotter & Ooi (2011),
//! model C.

use super::RollingMomentArm;
use crate::law::slots::{Contact, Elastic, InTable, Moment, Roll, RollingLaw, next_as};
use crate::law::{
    ContactStiffness, Contacts, Evaluate, Forces, History, Law, Model, PairContext, PairState,
    Step, Transport, WIDTH, dynamic,
};

/// Elastic–plastic rolling resistance, by `rolling_friction` and `rolling_damping_ratio` (default
/// 0.3) of the pair.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct ElasticPlastic {
    /// Moment arm of the normal force in the largest moment.
    #[cfg_attr(feature = "serde", serde(rename = "lever"))]
    pub moment_arm: RollingMomentArm,
    /// Transport of the stored moment with the tangent plane.
    pub transport: Transport,
}

/// Default of η_r, a common value.
const DEFAULT_DAMPING_RATIO: f64 = 0.3;

/// Parameters of a pair: `rolling_friction`, optionally `rolling_damping_ratio`.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::contact_after;
/// use esker::prelude::*;
///
/// let contact = ContactModel::normal(Hertz::default()).rolling(rolling::ElasticPlastic::default());
/// let spin = Vec3::Y * 10.0; // about an axis in the plane of contact
/// let contact = contact_after(1e-4, contact, Pair::new().rolling_friction(0.1), [Vec3::ZERO, spin]);
/// assert!(contact.moment.length() > 0.0);
/// ```
impl Model for ElasticPlastic {
    fn name(&self) -> &'static str {
        "elastic-plastic"
    }

    fn for_pair(&self, context: &mut PairContext<'_>) -> Option<Box<dyn Law>> {
        let rolling_friction = context.require("rolling_friction", 0.0..=f64::MAX);
        let damping_ratio = context
            .optional("rolling_damping_ratio", 0.0..=f64::MAX)
            .unwrap_or(DEFAULT_DAMPING_RATIO);
        let rolling_friction = rolling_friction?;
        let arms = self.moment_arm.per_effective_radius().map(|arm| rolling_friction * arm);
        Some(Box::new(ElasticPlasticLaw::new(arms, damping_ratio, self.transport)))
    }
}

/// Elastic–plastic rolling resistance between one pair of materials.
#[derive(Debug, Clone, Copy)]
pub struct ElasticPlasticLaw {
    /// μ_R times the moment arm as a multiple of R*: at a wall, and between particles.
    arms: [f64; 2],
    /// C_r as a multiple of √(I_r k_r) without the 7/5 in I_r.
    viscosity: f64,
    transport: Transport,
}

crate::history! {
    /// History of a contact with elastic–plastic rolling resistance.
    pub struct RollingHistory {
        /// Moment of the spring [N m].
        pub rolling_moment: [f64; 3],
    }
}

/// I + m R² of a full sphere as a multiple of m R².
const ROLLING_INERTIA: f64 = 1.4;

impl ElasticPlasticLaw {
    fn new(arms: [f64; 2], damping_ratio: f64, transport: Transport) -> Self {
        Self { arms, viscosity: 2.0 * damping_ratio * ROLLING_INERTIA.sqrt(), transport }
    }

    /// μ_R times the moment arm [m].
    #[inline(always)]
    fn arm(&self, effective_radius: f64, at_wall: bool) -> f64 {
        let arms = [effective_radius * self.arms[0], effective_radius * self.arms[1]];
        if at_wall { arms[0] } else { arms[1] }
    }

    /// Adds the energy of the spring and the power of the rolling against the whole moment.
    fn add_energies(
        &self,
        contacts: &Contacts,
        history: &History<'_, RollingHistory>,
        forces: &mut Forces,
    ) {
        for c in 0..WIDTH {
            let at_wall = contacts.radius[1][c] <= 0.0;
            let arm = self.arm(contacts.effective_radius[c], at_wall);
            let stiffness = (2.25 * forces.normal_stiffness[c] * arm * arm).max(f64::MIN_POSITIVE);
            let spring = history.new_value(c).rolling_moment;
            let square: f64 = spring.iter().map(|value| value * value).sum();
            forces.rolling_energy[c] += 0.5 * square / stiffness;
            for axis in 0..3 {
                forces.rolling_power[c] -=
                    forces.moment[axis][c] * contacts.rolling_velocity[axis][c];
            }
        }
    }
}

impl Law for ElasticPlasticLaw {
    fn stiffness(&self, pair: &PairState, sum: &mut ContactStiffness) {
        let arm = self.arm(pair.effective_radius, pair.radii[1] <= 0.0);
        let stiffness = 2.25 * sum.normal * arm * arm;
        let [inertia, lightness] = inertia(pair.radii, pair.inverse_masses);
        sum.roll += stiffness;
        sum.roll_dashpot += self.viscosity * (inertia * stiffness / lightness.max(LEAST)).sqrt();
    }
}

impl Evaluate for ElasticPlasticLaw {
    type History = RollingHistory;
    const USES_ROLLING: bool = true;

    fn evaluate(
        &self,
        contacts: &Contacts,
        step: &Step,
        mut history: History<'_, RollingHistory>,
        forces: &mut Forces,
    ) {
        dynamic::rolling(self, contacts, step, &mut history, forces);
        if step.ledger {
            self.add_energies(contacts, &history, forces);
        }
    }

    fn transport(&self) -> Transport {
        self.transport
    }
}

impl InTable for ElasticPlasticLaw {
    fn take(laws: &mut std::slice::Iter<'_, Box<dyn Law>>) -> Option<Self> {
        next_as(laws).copied()
    }
}

impl RollingLaw for ElasticPlasticLaw {
    type History = RollingHistory;

    #[inline(always)]
    fn moment(
        &self,
        contact: &Contact,
        elastic: &Elastic,
        repulsion: f64,
        roll: &Roll,
        old: RollingHistory,
    ) -> Moment<RollingHistory> {
        let input = Rolling {
            overlap: contact.overlap,
            arm: self.arm(contact.effective_radius, contact.at_wall),
            radii: contact.radii,
            inverse_masses: contact.inverse_masses,
            normal_stiffness: if elastic.stiffness > 0.0 { elastic.stiffness } else { 0.0 },
            normal_force: if repulsion > 0.0 { repulsion } else { 0.0 },
            moment: old.rolling_moment,
            roll: roll.angle,
        };
        input.trial(self.viscosity).moment(roll.velocity)
    }
}

/// Input of the law for one contact.
#[derive(Debug, Clone, Copy)]
struct Rolling {
    overlap: f64,
    /// μ_R times the moment arm of the normal force [m].
    arm: f64,
    /// The second is zero at a wall.
    radii: [f64; 2],
    inverse_masses: [f64; 2],
    /// Not negative.
    normal_stiffness: f64,
    /// The normal force that limits the moment [N].
    normal_force: f64,
    /// Of the accepted state, in the current tangent plane [N m].
    moment: [f64; 3],
    /// Since the accepted state [rad].
    roll: [f64; 3],
}

/// The moment of the spring before the limit is applied, and the factors of the limit.
#[derive(Debug, Clone, Copy)]
struct Trial {
    moment: [f64; 3],
    /// Fraction of the moment after the limit.
    shrink: f64,
    /// C_r, zero at the limit [N m s].
    viscosity: f64,
}

impl Rolling {
    /// First part, before its root. A contact below its limit needs √(I_r k_r), one beyond it M_max/|M|: one division
    /// and one root serve both.
    #[inline(always)]
    fn trial(&self, viscosity: f64) -> Trial {
        let arm = self.arm;
        let stiffness = 2.25 * self.normal_stiffness * arm * arm;
        let (before, roll) = (self.moment, self.roll);
        let moment = [
            before[0] - stiffness * roll[0],
            before[1] - stiffness * roll[1],
            before[2] - stiffness * roll[2],
        ];
        let size = moment[0] * moment[0] + moment[1] * moment[1] + moment[2] * moment[2];
        let largest = arm * self.normal_force;
        let limit = largest * largest;
        let is_elastic = size < limit;
        let [inertia, lightness] = inertia(self.radii, self.inverse_masses);
        // the sign distinguishes the cases: with a second `if is_elastic` the compiler would combine the branches and
        // generate two divisions and two roots
        let numerator = if is_elastic { inertia * stiffness } else { -limit };
        let divisor = if is_elastic { lightness } else { size };
        let quotient = numerator / if divisor > LEAST { divisor } else { LEAST };
        let root = quotient.abs().sqrt();
        let (shrink, viscosity) =
            if quotient.is_sign_negative() { (root, 0.0) } else { (1.0, viscosity * root) };
        let touching = self.overlap > 0.0;
        Trial {
            moment,
            shrink: if touching { shrink } else { 0.0 },
            viscosity: if touching { viscosity } else { 0.0 },
        }
    }
}

/// I_r as a fraction, without a factor. For solid spheres I + m R² is 7/5 m R², so I_r is `7/5 R₁² R₂² / (R₂²/m₁ +
/// R₁²/m₂)`; an immobile body does not contribute.
#[inline(always)]
fn inertia([first, second]: [f64; 2], [light, lighter]: [f64; 2]) -> [f64; 2] {
    let [own, other] = [first * first, if second > 0.0 { second * second } else { 1.0 }];
    [own * other, light * other + lighter * own]
}

impl Trial {
    /// Second part.
    #[inline(always)]
    fn moment(&self, velocity: [f64; 3]) -> Moment<RollingHistory> {
        let spring = |axis: usize| self.shrink * self.moment[axis];
        let with_dashpot = |axis: usize| spring(axis) - self.viscosity * velocity[axis];
        Moment {
            moment: [with_dashpot(0), with_dashpot(1), with_dashpot(2)],
            power: 0.0,
            history: RollingHistory { rolling_moment: [spring(0), spring(1), spring(2)] },
        }
    }
}

/// Values below which the square of a moment [N² m²] and the divisor of an inertia [m²/kg] count as zero.
const LEAST: f64 = 1e-290;

#[cfg(test)]
mod tests {
    use super::*;

    /// Two solid spheres, or one at a wall, that roll slowly.
    fn input(law: &ElasticPlasticLaw, masses: [f64; 2], radii: [f64; 2]) -> Rolling {
        let curvatures = radii.map(|radius| if radius > 0.0 { 1.0 / radius } else { 0.0 });
        Rolling {
            overlap: 1e-6,
            arm: law.arm(1.0 / (curvatures[0] + curvatures[1]), radii[1] == 0.0),
            radii,
            inverse_masses: masses.map(|mass| 1.0 / mass),
            normal_stiffness: 3e4,
            normal_force: 5.0,
            moment: [1e-6, 0.0, 0.0],
            roll: [0.0, 2e-5, 0.0],
        }
    }

    #[test]
    fn spring_and_dashpot_have_the_coefficients_of_the_formulas() {
        let law = ElasticPlasticLaw::new([0.1; 2], 0.3, Transport::Rotate);
        for (masses, radii) in
            [([2e-3, 7e-4], [4e-3, 2.5e-3]), ([2e-3, f64::INFINITY], [4e-3, 0.0])]
        {
            let input = input(&law, masses, radii);
            let result = input.trial(law.viscosity).moment([0.0, 0.0, 0.1]);
            let radius =
                if radii[1] > 0.0 { radii[0] * radii[1] / (radii[0] + radii[1]) } else { radii[0] };
            let stiffness = 2.25 * 3e4 * (0.1 * radius).powi(2);
            // I + m r² = 7/5 m r²; a wall does not contribute
            let inverse = |body: usize| {
                let whole = 1.4 * masses[body] * radii[body] * radii[body];
                if masses[body].is_finite() { 1.0 / whole } else { 0.0 }
            };
            let inertia = 1.0 / (inverse(0) + inverse(1));
            let viscosity = 2.0 * 0.3 * (inertia * stiffness).sqrt();
            let expected = [1e-6, -stiffness * 2e-5, -viscosity * 0.1];
            assert_eq!(result.history.rolling_moment[2], 0.0);
            for axis in 0..3 {
                let error = (result.moment[axis] - expected[axis]).abs();
                assert!(error < 1e-12 * viscosity, "{result:?}, expected {expected:?}");
            }
        }
    }
}
