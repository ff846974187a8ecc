//! Tangential force built up in increments, with the elastic displacement kept beside it.
//!
//! Trial: `F* = T(F₀) - k_t(ξ) Δs`, `δ* = T(δ₀) + Δs`, `k_t(ξ) = k₀ + η (k_t - k₀)` with η 0, 1 or ½;
//! `k_t = 8 f_G G* √(R* δ)`. Stick while `|F*| ≤ μ_s N`, after a slip while `|F*| ≤ μ_d N` (`SlipRule`):
//! `F = F*`, `δ_el = δ*`. Else `F = μ_d N t` with
//! `t` along `F*`, `-δ*` or `-u`, and `δ_el` either conventionally `-F/k_t`, which jumps as sliding
//! begins, or as proposed `T(δ₀) - (F - T(F₀))/k_t(ξ)`, which does not. Z(18)–(43) with errata Z-E2,
//! Z-E3, Z-E5, Z-E6. The form that is not incremental, `F* = -k_t δ*` of Z(21), is for comparison.
//!
//! In 3D both stored vectors turn with the tangent plane (not in Z). The first step of a contact has
//! no earlier stiffness and takes the present one. A force that is kept while its stiffness falls
//! gains energy on some paths; with `rescale` it falls along. Checked by
//! `tests/incremental_friction.rs`, against the oblique impact and the oscillator of Z.

use super::friction::Friction;
use super::spring::{EXCESS, SLIDING, SPRING, SPRING_STIFFNESS, sum_sliding};
use super::{FrictionLimit, SlipRule};
use crate::law::{
    Column, ContactStiffness, Contacts, Forces, History, HistoryColumn, Law, Model, PairContext,
    PairState, Step, Transport, WIDTH,
};
use crate::simd::multiversion;

/// Tangential force in increments. Pair parameters: `friction`, or `static_friction` and
/// `dynamic_friction`.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Incremental {
    /// Whether the force grows by increments or follows from the displacement.
    pub form: Form,
    /// When in the step the stiffness is taken.
    pub stiffness_at: StiffnessAt,
    /// How the elastic displacement goes on while the contact slides.
    pub elastic_displacement: ElasticDisplacement,
    /// Along what the force acts while the contact slides.
    pub direction: Direction,
    /// f_G, the factor of Mindlin's stiffness: 1 for the tangent, 2/3 in Z(23).
    pub shear_factor: f64,
    /// The normal force N in the Coulomb limit.
    pub friction_limit: FrictionLimit,
    /// When a contact slides on and when it sticks, where static and dynamic friction differ.
    pub slip_rule: SlipRule,
    /// How force and displacement follow the tangent plane.
    pub transport: Transport,
    /// Whether the force falls with its stiffness, so that no path gains energy.
    pub rescale: bool,
    /// Whether the slip beyond the elastic displacement is summed up, for output: it changes no
    /// force.
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

/// Whether the force grows by increments or follows from the displacement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Form {
    /// By increments, Z(33).
    #[default]
    Incremental,
    /// The present stiffness times the displacement, Z(21). For comparison.
    Total,
}

/// When in the step the stiffness is taken.
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

/// How the elastic displacement goes on while the contact slides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum ElasticDisplacement {
    /// The force over the present stiffness, Z(41): jumps as sliding begins.
    Conventional,
    /// By the change of the force over the stiffness of the step, Z(43).
    #[default]
    Proposed,
}

/// Along what the force acts while the contact slides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Direction {
    /// The trial force.
    #[default]
    TrialForce,
    /// Against the trial displacement: jumps where the two disagree.
    Displacement,
    /// Against the slip velocity: flips from step to step where that is zero.
    Velocity,
}

impl Model for Incremental {
    fn word(&self) -> &'static str {
        "incremental"
    }

    fn for_pair(&self, context: &mut PairContext<'_>) -> Box<dyn Law> {
        let friction = Friction::for_pair(self.friction_limit, self.slip_rule, context);
        if !(self.shear_factor > 0.0 && self.shear_factor.is_finite()) {
            let found = format!("`shear_factor` is {}", self.shear_factor);
            context.problem(found, Some("it is a positive number: 1, or 2/3 as in Z".into()));
        }
        let shear = self.shear_factor * context.effective_shear_modulus();
        let mut columns = vec![
            HistoryColumn::Vector("tangential force", self.transport),
            HistoryColumn::Vector(SPRING, self.transport),
            HistoryColumn::Scalar(EXCESS),
            HistoryColumn::Scalar(SPRING_STIFFNESS),
        ];
        if self.record_sliding {
            columns.push(HistoryColumn::Vector(SLIDING, self.transport));
        }
        let rule = Rule {
            friction,
            per_contact_radius: 8.0 * shear,
            share_of_end: match self.stiffness_at {
                StiffnessAt::Left => 0.0,
                StiffnessAt::Right => 1.0,
                StiffnessAt::Mid => 0.5,
            },
            is_total: self.form == Form::Total,
            is_conventional: self.form == Form::Total
                || self.elastic_displacement == ElasticDisplacement::Conventional,
            direction: self.direction,
            rescale: self.rescale,
            slides_on: false,
        };
        Box::new(IncrementalLaw { rule, columns })
    }
}

#[derive(Debug)]
struct IncrementalLaw {
    rule: Rule,
    columns: Vec<HistoryColumn>,
}

#[derive(Debug, Clone, Copy)]
struct Rule {
    friction: Friction,
    per_contact_radius: f64,
    share_of_end: f64,
    is_total: bool,
    is_conventional: bool,
    direction: Direction,
    rescale: bool,
    /// Whether a contact that slid at the accepted state is tested against the limit in slip.
    slides_on: bool,
}

impl Rule {
    /// Coefficient of the force that is stored in slip.
    #[inline(always)]
    fn stored_coefficient(&self) -> f64 {
        match self.friction.rule {
            SlipRule::C16 => self.friction.at_rest,
            SlipRule::Hysteresis | SlipRule::C15 => self.friction.in_slip,
        }
    }

    /// The force that acts as a fraction of the one that is stored.
    fn acting_fraction(&self, slides: bool) -> f64 {
        let stored = self.stored_coefficient();
        if slides && stored > 0.0 { self.friction.in_slip / stored } else { 1.0 }
    }
}

impl Law for IncrementalLaw {
    fn evaluate(
        &self,
        contacts: &Contacts,
        step: &Step,
        history: &mut History<'_>,
        forces: &mut Forces,
    ) {
        let (Some((old, slid_before)), Some((new, slid))) =
            (history.old.split_first_chunk::<8>(), history.new.split_first_chunk_mut::<8>())
        else {
            return;
        };
        // no time has passed: what was decided at the accepted state stands
        let direction =
            if step.elapsed > 0.0 { self.rule.direction } else { Direction::TrialForce };
        let slides_on = self.rule.friction.slides_on(step.elapsed);
        let rule = Rule { direction, slides_on, ..self.rule };
        evaluate(&rule, contacts, old, new, forces);
        sum_sliding(contacts, &old[3..6], &new[3..6], slid_before, slid);
        if step.ledger {
            book(&rule, contacts, new, forces);
        }
    }

    fn history(&self) -> &[HistoryColumn] {
        &self.columns
    }

    fn uses_rolling(&self) -> bool {
        false
    }

    fn tangential_stiffness(&self, forces: &Forces, lane: usize) -> f64 {
        self.rule.per_contact_radius * forces.contact_radius[lane]
    }

    fn stiffness(&self, _pair: &PairState, sum: &mut ContactStiffness) {
        sum.slip += self.rule.per_contact_radius * sum.contact_radius;
    }
}

#[inline(always)]
fn length(v: [f64; 3]) -> f64 {
    (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt()
}

multiversion! {
    fn evaluate(rule: &Rule, contacts: &Contacts, old: &[Column; 8], new: &mut [Column; 8], forces: &mut Forces) {
        for c in 0..WIDTH {
            let stiffness = rule.per_contact_radius * forces.contact_radius[c];
            let before = old[7][c];
            let within = before + rule.share_of_end * (stiffness - before);
            let within = if before > 0.0 && within > 0.0 { within } else { stiffness };
            let fall = if rule.rescale && stiffness < before { stiffness / before } else { 1.0 };
            let mut force_before = [0.0; 3];
            let mut displaced = [0.0; 3];
            let mut trial = [0.0; 3];
            let mut against = [0.0; 3];
            for axis in 0..3 {
                let slip = contacts.slip[axis][c];
                force_before[axis] = fall * old[axis][c];
                displaced[axis] = old[3 + axis][c] + slip;
                let grown = force_before[axis] - within * slip;
                trial[axis] = if rule.is_total { -stiffness * displaced[axis] } else { grown };
                against[axis] = match rule.direction {
                    Direction::TrialForce => trial[axis],
                    Direction::Displacement => -displaced[axis],
                    Direction::Velocity => -contacts.slip_velocity[axis][c],
                };
            }
            let size = length(trial);
            let along = length(against);
            let chosen = along > 0.0;
            let pressure = rule.friction.pressure(forces, c);
            let limit = rule.friction.in_slip * pressure;
            let excess = size - rule.friction.tested(old[6][c], rule.slides_on) * pressure;
            let slides = excess > 0.0;
            let touching = contacts.overlap[c] > 0.0;
            let norm = (if chosen { along } else { size }).max(f64::MIN_POSITIVE);
            let acting = limit / norm;
            let stored = rule.stored_coefficient() * pressure / norm;
            for axis in 0..3 {
                let direction = if chosen { against[axis] } else { trial[axis] };
                let acts = if slides { acting * direction } else { trial[axis] };
                let force = if slides { stored * direction } else { trial[axis] };
                let conventional = -force / stiffness.max(f64::MIN_POSITIVE);
                let proposed = old[3 + axis][c] - (force - force_before[axis]) / within.max(f64::MIN_POSITIVE);
                let sliding = if rule.is_conventional { conventional } else { proposed };
                let elastic = if slides { sliding } else { displaced[axis] };
                new[axis][c] = if touching { force } else { 0.0 };
                new[3 + axis][c] = if touching { elastic } else { 0.0 };
                forces.tangential[axis][c] += if touching { acts } else { 0.0 };
            }
            forces.friction_excess[c] = if touching { excess } else { 0.0 };
            new[6][c] = forces.friction_excess[c];
            new[7][c] = if touching { stiffness } else { 0.0 };
        }
    }
}

/// Books what a spring of the present stiffness holds under the stored force, and the power of the slip
/// against the force that acts; what is not held is lost.
fn book(rule: &Rule, contacts: &Contacts, new: &[Column; 8], forces: &mut Forces) {
    for c in 0..WIDTH {
        let force = [new[0][c], new[1][c], new[2][c]];
        let square = force[0] * force[0] + force[1] * force[1] + force[2] * force[2];
        let stiffness = new[7][c];
        forces.tangential_energy[c] += if stiffness > 0.0 { 0.5 * square / stiffness } else { 0.0 };
        let fraction = rule.acting_fraction(new[6][c] > 0.0);
        for axis in 0..3 {
            let acting = fraction * force[axis];
            forces.tangential_power[c] -= acting * contacts.slip_velocity[axis][c];
        }
    }
}
