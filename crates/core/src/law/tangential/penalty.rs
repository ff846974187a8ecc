//! Friction by a penalty on the slip velocity, without memory.
//!
//! `c = K_f A Δt`. Stick while `c |u| ≤ μ_s N`: `f = -c u`. Else slip: `f = -μ_d N u/|u|`.
//! B(36)–(43), (59), (60); "ELSEIF" there means else. N is the elastic force in B.
//!
//! The coefficient is proportional to the step by definition, so a loaded contact that sticks creeps
//! at `f/(K_f A Δt)` and results depend on the step; it is the one law that uses the length of the
//! whole step. Implicitly the stick force is that of the slip which it leaves at the end of the step:
//! `c_eff = c/(1 + x)`, `x = φ Δt c/m_t`, `m_t = 2/7 m*`, for one evaluation a step; iterated to the end
//! the literal force is that one (docs/laws/penalty.md). There is no spring:
//! all its work is lost. Checked by `tests/penalty_friction.rs`.

use super::FrictionLimit;
use super::SlipRule;
use super::friction::Friction;
use super::spring::EXCESS;
use crate::law::normal::Area;
use crate::law::{
    ContactStiffness, Contacts, Forces, History, HistoryColumn, Law, Model, PairContext, PairState,
    Step, WIDTH,
};
use crate::simd::multiversion;

/// Penalty on slip. Pair parameters: `friction`, or `static_friction` and `dynamic_friction`;
/// `friction_penalty`, K_f [N/m³].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Penalty {
    /// The contact area.
    pub area: Area,
    /// How the force of a contact that sticks is found.
    pub stick: Stick,
    /// The normal force N in the Coulomb limit; `elastic` is that of B.
    pub friction_limit: FrictionLimit,
}

/// How the force of a contact that sticks is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Stick {
    /// From the slip velocity as it is, as in B: needs short steps.
    #[default]
    Literal,
    /// From the slip velocity that it leaves: stable for any step.
    Implicit,
}

impl Model for Penalty {
    fn word(&self) -> &'static str {
        "penalty"
    }

    fn for_pair(&self, context: &mut PairContext<'_>) -> Box<dyn Law> {
        let rule = Rule {
            // nothing is stored that could remember a slip: every step is tested against the static limit
            friction: Friction::for_pair(self.friction_limit, SlipRule::C15, context),
            penalty: context.require("friction_penalty", f64::MIN_POSITIVE..=f64::MAX),
            area: self.area,
            implicit: if self.stick == Stick::Implicit { 1.0 } else { 0.0 },
        };
        Box::new(PenaltyLaw { rule, columns: [HistoryColumn::Scalar(EXCESS)] })
    }
}

#[derive(Debug)]
struct PenaltyLaw {
    rule: Rule,
    columns: [HistoryColumn; 1],
}

#[derive(Debug, Clone, Copy)]
struct Rule {
    friction: Friction,
    penalty: f64,
    area: Area,
    implicit: f64,
}

impl Law for PenaltyLaw {
    fn evaluate(
        &self,
        contacts: &Contacts,
        step: &Step,
        history: &mut History<'_>,
        forces: &mut Forces,
    ) {
        evaluate(&self.rule, contacts, step, forces);
        if let Some(excess) = history.new.first_mut() {
            *excess = forces.friction_excess;
        }
    }

    fn history(&self) -> &[HistoryColumn] {
        &self.columns
    }

    fn uses_rolling(&self) -> bool {
        false
    }

    /// The implicit force answers to the slip before it acts; an iteration shows it the slip after.
    fn needs_one_evaluation(&self) -> bool {
        self.rule.implicit > 0.0
    }

    /// The implicit force is never more than what stops the slip of its own contact.
    fn stiffness(&self, pair: &PairState, sum: &mut ContactStiffness) {
        if self.rule.implicit > 0.0 {
            return;
        }
        let overlap = pair.overlap.max(0.0);
        let square = self.rule.area.square_of(pair.radii, pair.effective_radius, overlap)[0];
        sum.slip_per_step += self.rule.penalty * std::f64::consts::PI * square;
    }

    fn is_tied_to_step(&self) -> bool {
        self.rule.implicit == 0.0
    }
}

multiversion! {
    fn evaluate(rule: &Rule, contacts: &Contacts, step: &Step, forces: &mut Forces) {
        let response = rule.implicit * step.end_velocity_share * step.dt;
        for c in 0..WIDTH {
            let [square, _] = rule.area.square(contacts, c, contacts.overlap[c].max(0.0));
            let literal = rule.penalty * std::f64::consts::PI * square * step.dt;
            let moving = 2.0 / 7.0 * contacts.effective_mass[c];
            let share = response * literal / moving.max(f64::MIN_POSITIVE);
            let viscosity = literal / (1.0 + share);
            let u = [contacts.slip_velocity[0][c], contacts.slip_velocity[1][c], contacts.slip_velocity[2][c]];
            let speed = (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]).sqrt();
            let pressure = rule.friction.pressure(forces, c);
            let excess = viscosity * speed - rule.friction.at_rest * pressure;
            let limit = rule.friction.in_slip * pressure / speed.max(f64::MIN_POSITIVE);
            let touching = contacts.overlap[c] > 0.0;
            let per_speed = if excess > 0.0 { limit } else { viscosity };
            let per_speed = if touching { per_speed } else { 0.0 };
            for axis in 0..3 {
                forces.tangential[axis][c] -= per_speed * u[axis];
            }
            forces.friction_excess[c] = if touching { excess } else { 0.0 };
            forces.tangential_power[c] += per_speed * speed * speed;
        }
    }
}
