//! Incremental tangential force, with the elastic displacement stored in addition.
//!
//! Trial: `F* = T(F₀) - k_t(ξ) Δs`, `δ* = T(δ₀) + Δs`, `k_t(ξ) = k₀ + η (k_t - k₀)` with η 0, 1 or ½; `k_t = 8 f_G G*
//! √(R* δ)`. Stick while `|F*| ≤ μ_s N`, after a slip while `|F*| ≤ μ_d N` (`SlipRule`): `F = F*`, `δ_el = δ*`.
//! Otherwise `F = μ_d N t` with `t` along `F*`, `-δ*` or `-u`, and `δ_el` either conventionally `-F/k_t`, which jumps
//! at the onset of sliding, or as proposed `T(δ₀) - (F - T(F₀))/k_t(ξ)`, which does not. Z(18)–(43) with errata Z-E2,
//! Z-E3, Z-E5, Z-E6. The form that is not incremental, `F* = -k_t δ*` of Z(21), is for comparison.
//!
//! In 3D both stored vectors rotate with the tangent plane (not in Z). The first step of a contact
//! has no previous stiffness and uses the current one. A force that is kept while its stiffness
//! decreases gains energy on some paths; with `rescale` it decreases with the stiffness. Checked by
//! `tests/incremental_friction`, against the oblique impact and the oscillator of Z.

use super::friction::Friction;
use super::incremental_force::{IncrementalHistory, IncrementalSpring, Rule};
use super::spring::{Sliding, sum_sliding};
use super::{FrictionLimit, SlipRule};
use crate::law::slots::{InTable, next_as};
use crate::law::{
    ContactStiffness, Contacts, Evaluate, Forces, History, Law, Model, Optional, PairContext,
    PairState, Step, Transport, WIDTH, dynamic,
};

/// Incremental tangential force. Pair parameters: `friction`, or `static_friction` and
/// `dynamic_friction`.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::contact_after;
/// use esker::law::tangential::{Direction, ElasticDisplacement, Form, Incremental, StiffnessAt};
/// use esker::prelude::*;
///
/// let law = Incremental {
///     form: Form::Incremental,
///     stiffness_at: StiffnessAt::Mid,
///     elastic_displacement: ElasticDisplacement::Conventional,
///     direction: Direction::Displacement,
///     ..Incremental::default()
/// };
/// let contact = ContactModel::normal(Hertz::default()).tangential(law);
/// let contact = contact_after(1e-4, contact, Pair::new().friction(0.3), [Vec3::Y * 0.5, Vec3::ZERO]);
/// assert!(contact.tangential.length() <= 0.3 * contact.elastic * (1.0 + 1e-12));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Incremental {
    /// Integration of the force: incremental, or from the total displacement.
    pub form: Form,
    /// Time within the step at which the stiffness is evaluated.
    pub stiffness_at: StiffnessAt,
    /// Elastic displacement of a sliding contact.
    pub elastic_displacement: ElasticDisplacement,
    /// Direction of the force of a sliding contact.
    pub direction: Direction,
    /// f_G, the factor of Mindlin's stiffness: 1 for the tangent, 2/3 in Z(23).
    pub shear_factor: f64,
    /// The normal force N in the Coulomb limit.
    pub friction_limit: FrictionLimit,
    /// Friction limit that is tested and stored if static and dynamic friction differ.
    pub slip_rule: SlipRule,
    /// Transport of force and displacement with the tangent plane.
    pub transport: Transport,
    /// True if the force is reduced with its stiffness, so that no loading path gains energy.
    pub rescale: bool,
    /// True if the slip beyond the elastic displacement is accumulated for output; does not change
    /// forces.
    pub record_sliding: bool,
}

impl Default for Incremental {
    fn default() -> Self {
        Self {
            form: Form::default(),
            stiffness_at: StiffnessAt::default(),
            elastic_displacement: ElasticDisplacement::default(),
            direction: Direction::default(),
            shear_factor: 1.0,
            friction_limit: FrictionLimit::default(),
            slip_rule: SlipRule::default(),
            transport: Transport::default(),
            rescale: false,
            record_sliding: false,
        }
    }
}

/// Integration of the force: incremental, or from the total displacement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Form {
    /// Incremental, Z(33).
    #[default]
    Incremental,
    /// The current stiffness times the displacement, Z(21). For comparison.
    Total,
}

/// Time within the step at which the stiffness is evaluated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum StiffnessAt {
    /// At its start.
    Left,
    /// At its end.
    #[default]
    Right,
    /// The mean of both.
    Mid,
}

/// Elastic displacement of a sliding contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum ElasticDisplacement {
    /// The force divided by the current stiffness, Z(41): jumps at the onset of sliding.
    Conventional,
    /// Changes by the change of the force divided by the stiffness of the step, Z(43).
    #[default]
    Proposed,
}

/// Direction of the force of a sliding contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Direction {
    /// The trial force.
    #[default]
    TrialForce,
    /// Opposite to the trial displacement: jumps if force and displacement disagree.
    Displacement,
    /// Opposite to the slip velocity: alternates from step to step if the velocity is zero.
    Velocity,
}

/// Parameters of a pair: `friction`.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::contact_after;
/// use esker::prelude::*;
///
/// let contact = ContactModel::normal(Hertz::default()).tangential(tangential::Incremental::default());
/// let motion = [Vec3::Y * 0.5, Vec3::ZERO];
/// let contact = contact_after(1e-4, contact, Pair::new().friction(0.3), motion);
/// let ratio = contact.tangential.length() / contact.elastic;
/// assert!(ratio > 0.0 && ratio < 0.3 + 1e-9); // Coulomb's limit
/// ```
impl Model for Incremental {
    fn name(&self) -> &'static str {
        "incremental"
    }

    fn for_pair(&self, context: &mut PairContext<'_>) -> Option<Box<dyn Law>> {
        let friction = Friction::for_pair(self.friction_limit, self.slip_rule, context)?;
        if !(self.shear_factor > 0.0 && self.shear_factor.is_finite()) {
            let found = format!("`shear_factor` is {}", self.shear_factor);
            context.problem(found, Some("it must be positive: 1, or 2/3 as in Z".into()));
        }
        let shear = self.shear_factor * context.effective_shear_modulus()?;
        let rule = Rule {
            friction,
            per_contact_radius: 8.0 * shear,
            end_weight: match self.stiffness_at {
                StiffnessAt::Left => 0.0,
                StiffnessAt::Right => 1.0,
                StiffnessAt::Mid => 0.5,
            },
            is_total: self.form == Form::Total,
            is_conventional: self.form == Form::Total
                || self.elastic_displacement == ElasticDisplacement::Conventional,
            direction: self.direction,
            rescale: self.rescale,
            stored_coefficient: match friction.rule {
                SlipRule::C16 => friction.at_rest,
                SlipRule::Hysteresis | SlipRule::C15 => friction.in_slip,
            },
        };
        let (transport, record_sliding) = (self.transport, self.record_sliding);
        Some(Box::new(IncrementalLaw { rule, transport, record_sliding }))
    }
}

#[derive(Debug)]
struct IncrementalLaw {
    rule: Rule,
    transport: Transport,
    record_sliding: bool,
}

impl Rule {
    /// True if it has the options of the paper, which the constants of [`IncrementalSpring`] replace.
    fn is_plain(&self) -> bool {
        !self.is_total
            && !self.is_conventional
            && !self.rescale
            && self.direction == Direction::TrialForce
    }

    /// The applied force as a fraction of the stored one.
    fn acting_fraction(&self, slides: bool) -> f64 {
        let stored = self.stored_coefficient;
        if slides && stored > 0.0 { self.friction.in_slip / stored } else { 1.0 }
    }
}

impl Law for IncrementalLaw {
    fn tangential_stiffness(&self, forces: &Forces, lane: usize) -> f64 {
        self.rule.per_contact_radius * forces.contact_radius[lane]
    }

    fn stiffness(&self, _pair: &PairState, sum: &mut ContactStiffness) {
        sum.slip += self.rule.per_contact_radius * sum.contact_radius;
    }
}

impl Evaluate for IncrementalLaw {
    type History = (IncrementalHistory, Optional<Sliding>);

    fn evaluate(
        &self,
        contacts: &Contacts,
        step: &Step,
        history: History<'_, Self::History>,
        forces: &mut Forces,
    ) {
        let (mut history, sliding) = history.split();
        let rule = self.rule;
        if rule.is_plain() {
            let law = IncrementalSpring::<true> { rule };
            dynamic::tangential(&law, contacts, step, &mut history, forces);
        } else {
            let law = IncrementalSpring::<false> { rule };
            dynamic::tangential(&law, contacts, step, &mut history, forces);
        }
        if let Some(sliding) = sliding.present() {
            let springs = |c: usize| [history.old(c).spring, history.new_value(c).spring];
            sum_sliding(contacts, springs, sliding);
        }
        if step.ledger {
            rule.add_energies(contacts, &history, forces);
        }
    }

    fn presence(&self) -> ((), bool) {
        ((), self.record_sliding)
    }

    fn transport(&self) -> Transport {
        self.transport
    }
}

impl Rule {
    /// Adds the energy of a spring of the current stiffness under the stored force, and the power of the slip against
    /// the applied force; the difference is dissipated.
    fn add_energies(
        &self,
        contacts: &Contacts,
        history: &History<'_, IncrementalHistory>,
        forces: &mut Forces,
    ) {
        for c in 0..WIDTH {
            let new = history.new_value(c);
            let (force, stiffness) = (new.tangential_force, new.spring_stiffness);
            let square = force[0] * force[0] + force[1] * force[1] + force[2] * force[2];
            forces.tangential_energy[c] +=
                if stiffness > 0.0 { 0.5 * square / stiffness } else { 0.0 };
            let fraction = self.acting_fraction(new.friction_excess > 0.0);
            for axis in 0..3 {
                let acting = fraction * force[axis];
                forces.tangential_power[c] -= acting * contacts.slip_velocity[axis][c];
            }
        }
    }
}

impl InTable for IncrementalSpring {
    fn take(laws: &mut std::slice::Iter<'_, Box<dyn Law>>) -> Option<Self> {
        let IncrementalLaw { rule, record_sliding, .. } = next_as(laws)?;
        (rule.is_plain() && !record_sliding).then_some(Self { rule: *rule })
    }
}
