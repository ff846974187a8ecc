//! Friction by a penalty on the slip velocity, without history.
//!
//! `c = K_f A Δt`. Stick while `c |u| ≤ μ_s N`: `f = -c u`. Else slip: `f = -μ_d N u/|u|`.
//! B(36)–(43), (59), (60); "ELSEIF" there means else. N is the elastic force in B.
//!
//! The coefficient is proportional to the step by definition, so a loaded contact that sticks creeps at `f/(K_f A Δt)`
//! and results depend on the step; it is the only law that uses the length of the whole step. In the implicit form, the
//! stick force is that of the slip remaining at the end of the step: `c_eff = c/(1 + x)`, `x = φ Δt c/m_t`, `m_t = 2/7
//! m*`, for one evaluation per step; the literal force with converged iterations has the same solution
//! (docs/laws/penalty.md). There is no spring: all its work is dissipated. Checked by `tests/penalty_friction.rs`.

use super::FrictionLimit;
use super::SlipRule;
use super::friction::Friction;
use crate::law::normal::Area;
use crate::law::slots::{
    Contact, Elastic, InTable, NormalForces, Slip, Tangential, TangentialLaw, next_as,
};
use crate::law::{
    ContactStiffness, Contacts, Evaluate, Forces, History, Law, Model, PairContext, PairState,
    Step, dynamic,
};

/// Penalty on slip. Pair parameters: `friction`, or `static_friction` and `dynamic_friction`;
/// `friction_penalty`, K_f [N/m³].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Penalty {
    /// The contact area.
    pub area: Area,
    /// Force of a sticking contact.
    pub stick: Stick,
    /// The normal force N in the Coulomb limit; B uses `elastic`.
    pub friction_limit: FrictionLimit,
}

/// Force of a sticking contact.
///
/// ```
/// use esker::law::tangential::{Penalty, Stick};
/// use esker::prelude::*;
///
/// let penalty = Penalty { stick: Stick::Implicit, ..Penalty::default() };
/// let contact = ContactModel::normal(Hertz::default()).tangential(penalty);
/// assert_eq!(contact.tangential.unwrap().name(), "penalty");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Stick {
    /// From the current slip velocity, as in B: needs short time steps.
    #[default]
    Literal,
    /// From the slip velocity at the end of the step: stable for any time step.
    Implicit,
}

/// Parameters of a pair: `friction`, `friction_penalty`.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::contact_after;
/// use esker::prelude::*;
///
/// let contact = ContactModel::normal(Hertz::default()).tangential(tangential::Penalty::default());
/// let motion = [Vec3::Y * 0.5, Vec3::ZERO];
/// let contact = contact_after(1e-4, contact, Pair::new().friction(0.3).friction_penalty(1e9), motion);
/// let ratio = contact.tangential.length() / contact.elastic;
/// assert!(ratio > 0.0 && ratio < 0.3 + 1e-9); // Coulomb's limit
/// ```
impl Model for Penalty {
    fn name(&self) -> &'static str {
        "penalty"
    }

    fn for_pair(&self, context: &mut PairContext<'_>) -> Option<Box<dyn Law>> {
        // without stored slip, every step is tested against the static limit
        let friction = Friction::for_pair(self.friction_limit, SlipRule::C15, context);
        let penalty = context.require("friction_penalty", f64::MIN_POSITIVE..=f64::MAX);
        let rule = Rule {
            friction: friction?,
            penalty: penalty?,
            implicit: if self.stick == Stick::Implicit { 1.0 } else { 0.0 },
        };
        Some(Box::new(PenaltyLaw { rule, area: self.area }))
    }
}

#[derive(Debug)]
struct PenaltyLaw {
    rule: Rule,
    area: Area,
}

#[derive(Debug, Clone, Copy)]
struct Rule {
    friction: Friction,
    penalty: f64,
    implicit: f64,
}

impl Law for PenaltyLaw {
    /// The implicit force is derived from the slip before the force acts; an iteration evaluates it afterwards.
    fn needs_one_evaluation(&self) -> bool {
        self.rule.implicit > 0.0
    }

    /// The implicit force never exceeds that which stops the slip of its own contact.
    fn stiffness(&self, pair: &PairState, sum: &mut ContactStiffness) {
        if self.rule.implicit > 0.0 {
            return;
        }
        let overlap = pair.overlap.max(0.0);
        let [square, _] = self.area.square_of(pair.effective_radius, pair.radii, overlap);
        sum.slip_per_step += self.rule.penalty * std::f64::consts::PI * square;
    }

    fn states_dashpots(&self) -> bool {
        self.rule.implicit == 0.0
    }

    fn is_tied_to_step(&self) -> bool {
        self.rule.implicit == 0.0
    }
}

impl Evaluate for PenaltyLaw {
    type History = PenaltyHistory;

    fn evaluate(
        &self,
        contacts: &Contacts,
        step: &Step,
        mut history: History<'_, PenaltyHistory>,
        forces: &mut Forces,
    ) {
        let rule = self.rule;
        match self.area {
            Area::Hertz => {
                let law = PenaltyFriction::<false> { rule };
                dynamic::tangential(&law, contacts, step, &mut history, forces);
            }
            Area::Lens => {
                let law = PenaltyFriction::<true> { rule };
                dynamic::tangential(&law, contacts, step, &mut history, forces);
            }
        }
    }
}

crate::history! {
    /// History of a contact with penalty friction.
    pub struct PenaltyHistory {
        /// Force of a contact that sticks minus its limit, for output [N].
        pub friction_excess: f64,
    }
}

crate::record! {
    /// Slip speed, and the normal force in the friction limit.
    pub struct PenaltyTrial {
        speed: f64,
        normal_force: f64,
    }
}

/// The law with the contact area of Hertz, or of the lens.
#[derive(Debug, Clone, Copy)]
pub struct PenaltyFriction<const LENS: bool = false> {
    rule: Rule,
}

impl InTable for PenaltyFriction {
    fn take(laws: &mut std::slice::Iter<'_, Box<dyn Law>>) -> Option<Self> {
        let law: &PenaltyLaw = next_as(laws)?;
        (law.area == Area::Hertz).then_some(Self { rule: law.rule })
    }
}

impl<const LENS: bool> TangentialLaw for PenaltyFriction<LENS> {
    type History = PenaltyHistory;
    /// Force per slip speed of a contact that sticks [N s/m].
    type Prepared = f64;
    type Trial = PenaltyTrial;

    #[inline(always)]
    fn reads_history(&self, _: usize) -> bool {
        false
    }

    #[inline(always)]
    fn prepare(&self, contact: &Contact, _: &Elastic, _: &Slip, _: PenaltyHistory) -> f64 {
        let Step { dt, end_velocity_weight, .. } = contact.step;
        let response = self.rule.implicit * end_velocity_weight * dt;
        let overlap = contact.overlap.max(0.0);
        let area = if LENS { Area::Lens } else { Area::Hertz };
        let [square, _] = area.square_of(contact.effective_radius, contact.radii, overlap);
        let literal = self.rule.penalty * std::f64::consts::PI * square * dt;
        let moving = 2.0 / 7.0 * contact.effective_mass;
        let ratio = response * literal / moving.max(f64::MIN_POSITIVE);
        literal / (1.0 + ratio)
    }

    #[inline(always)]
    fn trial(&self, _: &Contact, normal: &NormalForces, slip: &Slip, _: f64) -> PenaltyTrial {
        let u = slip.velocity;
        PenaltyTrial {
            speed: (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]).sqrt(),
            normal_force: self.rule.friction.normal_force(normal),
        }
    }

    #[inline(always)]
    fn return_map(
        &self,
        contact: &Contact,
        slip: &Slip,
        viscosity: f64,
        trial: PenaltyTrial,
        _: PenaltyHistory,
    ) -> Tangential<PenaltyHistory> {
        let PenaltyTrial { speed, normal_force } = trial;
        let friction = &self.rule.friction;
        let u = slip.velocity;
        let excess = viscosity * speed - friction.at_rest * normal_force;
        let limit = friction.in_slip * normal_force / speed.max(f64::MIN_POSITIVE);
        let touching = contact.overlap > 0.0;
        let per_speed = if excess > 0.0 { limit } else { viscosity };
        let per_speed = if touching { per_speed } else { 0.0 };
        let friction_excess = if touching { excess } else { 0.0 };
        Tangential {
            force: [-(per_speed * u[0]), -(per_speed * u[1]), -(per_speed * u[2])],
            excess: friction_excess,
            power: per_speed * speed * speed,
            history: PenaltyHistory { friction_excess },
        }
    }
}
