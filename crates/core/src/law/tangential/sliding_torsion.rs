//! Friction against sliding and torsion together, after Leszczyński: the contact area slides and spins,
//! and each takes from what friction has for the other.
//!
//! `T = -μ N F(λ) u/|u|`, `M = -μ N a 𝒯(λ) sgn ω_n`, `λ = |u|/(a |ω_n|)`: L(33)–(41), (48)–(54) with
//! errata L-E18 to L-E23, L-E29, L-E30; F and 𝒯 are in `contensou.rs`. The coefficient weakens with the
//! speed, `μ = μ_d + (μ_s - μ_d) exp(-C |u|)`, L(39). a is the contact radius.
//!
//! Stick is elastic: `T* = T₀ - k_t Δs`, `M* = M₀ - ½ k_t a² Δθ`; where `(T*, M*)` is beyond the curve
//! `(F, 𝒯)` times μ_s N they are brought back to the nearest point of that of μ N, so that the slip and
//! the twist that are lost are in the ratio λ. (Cut back in one ratio, they would be those of another
//! λ than the motion's, by up to a factor of two.) The viscous form has no
//! memory: both forces times `w/√(w² + w_s²)` with `w² = |u|² + (a ω_n)²`; it creeps. A force that is
//! kept while its stiffness falls gains energy on some paths; with `rescale` it falls along. Checked by
//! `tests/sliding_torsion.rs`.

use super::contensou::{Disc, PressureShape};
use super::friction::{Friction, Impact, longest_sticking_step};
use super::spring::{EXCESS, SLIDING, SPRING, SPRING_STIFFNESS, sum_sliding};
use super::{FrictionLimit, Stiffness};
use crate::law::normal::Area;
use crate::law::{
    Column, Contacts, Encounter, Forces, History, HistoryColumn, Law, Model, PairContext, Step,
    Transport, WIDTH,
};

/// Sliding and torsion together. Pair parameters: `friction`, or `static_friction`,
/// `dynamic_friction` and `friction_weakening` [s/m]; `smoothing_speed` [m/s] where stick is viscous.
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
pub struct SlidingTorsion {
    /// How a contact sticks.
    pub stick: TorsionStick,
    /// How the pressure is spread over the contact area.
    pub pressure: PressureShape,
    /// The contact area, for its radius; `lens` is that of L.
    pub area: Area,
    /// Stiffness of the contact that sticks.
    pub stiffness: Stiffness,
    /// The normal force N in the Coulomb limit.
    pub friction_limit: FrictionLimit,
    /// How the stored force follows the tangent plane.
    pub transport: Transport,
    /// Whether force and torque fall with their stiffness, so that no path gains energy.
    pub rescale: bool,
    /// Whether elastic displacement and the slip beyond it are summed up, for output: it changes no
    /// force.
    pub record_sliding: bool,
}

/// How a contact sticks.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Default,
    serde::Deserialize,
    serde::Serialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum TorsionStick {
    /// Elastically, up to the limit.
    #[default]
    Elastic,
    /// Not at all: friction falls to zero with the speed.
    Viscous,
}

impl Model for SlidingTorsion {
    fn word(&self) -> &'static str {
        "sliding-torsion"
    }

    fn for_pair(&self, context: &mut PairContext<'_>) -> Box<dyn Law> {
        let friction = Friction::for_pair(self.friction_limit, context);
        let weakening = if friction.at_rest > friction.in_slip {
            context.require("friction_weakening", 0.0..=f64::MAX)
        } else {
            0.0
        };
        let smoothing = match self.stick {
            TorsionStick::Viscous => {
                Some(context.require("smoothing_speed", f64::MIN_POSITIVE..=f64::MAX))
            }
            TorsionStick::Elastic => None,
        };
        self.stiffness.check(context);
        let shear = self.stiffness.shear_modulus(context);
        let (per_contact_radius, per_normal_stiffness) = match self.stiffness {
            Stiffness::Ratio(ratio) => (0.0, ratio),
            _ => (8.0 * shear, 0.0),
        };
        Box::new(SlidingTorsionLaw {
            rule: Rule {
                friction,
                weakening,
                disc: Disc::new(self.pressure),
                area: self.area,
                per_contact_radius,
                per_normal_stiffness,
                rescale: self.rescale,
            },
            smoothing,
            impact: Impact::for_pair(context),
            columns: self.columns(),
        })
    }
}

impl SlidingTorsion {
    fn columns(&self) -> Vec<HistoryColumn> {
        if self.stick == TorsionStick::Viscous {
            return vec![HistoryColumn::Scalar(EXCESS)];
        }
        let mut columns = vec![
            HistoryColumn::Vector("tangential force", self.transport),
            HistoryColumn::Scalar("torsion torque"),
            HistoryColumn::Scalar(EXCESS),
            HistoryColumn::Scalar(SPRING_STIFFNESS),
        ];
        if self.record_sliding {
            columns.push(HistoryColumn::Vector(SPRING, self.transport));
            columns.push(HistoryColumn::Vector(SLIDING, self.transport));
        }
        columns
    }
}

#[derive(Debug)]
struct SlidingTorsionLaw {
    rule: Rule,
    /// Speed of smoothing where stick is viscous [m/s].
    smoothing: Option<f64>,
    impact: Impact,
    columns: Vec<HistoryColumn>,
}

#[derive(Debug, Clone, Copy)]
struct Rule {
    friction: Friction,
    weakening: f64,
    disc: &'static Disc,
    area: Area,
    per_contact_radius: f64,
    per_normal_stiffness: f64,
    rescale: bool,
}

/// Memory of the elastic form: force, torque, excess and stiffness.
const ELASTIC: usize = 6;

impl Law for SlidingTorsionLaw {
    fn evaluate(
        &self,
        contacts: &Contacts,
        step: &Step,
        history: &mut History<'_>,
        forces: &mut Forces,
    ) {
        let mut motion = Motion::new(&self.rule, contacts, forces);
        if let Some(smoothing) = self.smoothing {
            motion.viscous(&self.rule, smoothing, contacts, forces);
            if let Some(excess) = history.new.first_mut() {
                *excess = forces.friction_excess;
            }
        } else if let (Some((old, more_before)), Some((new, more))) = (
            history.old.split_first_chunk::<ELASTIC>(),
            history.new.split_first_chunk_mut::<ELASTIC>(),
        ) {
            motion.elastic(&self.rule, contacts, old, new, forces);
            if more_before.len() == 6 {
                record(contacts, old, new, more_before, more);
            }
            if step.ledger {
                motion.book_stored(new, forces);
            }
        }
        motion.add(contacts, step.ledger, forces);
    }

    fn history(&self) -> &[HistoryColumn] {
        &self.columns
    }

    fn tangential_stiffness(&self, forces: &Forces, lane: usize) -> f64 {
        if self.smoothing.is_some() { 0.0 } else { self.rule.stiffness(forces, lane) }
    }

    /// Half a period of the contact that sticks against the inertia of sliding, 2/7 m*.
    fn contact_time(&self, encounter: &Encounter) -> Option<f64> {
        let rate = self.largest_stiffness(encounter)? / (2.0 / 7.0 * encounter.effective_mass);
        Some(std::f64::consts::PI / rate.sqrt())
    }

    fn longest_step(&self, encounter: &Encounter) -> Option<f64> {
        Some(longest_sticking_step(self.largest_stiffness(encounter)?, 0.0, encounter))
    }
}

impl SlidingTorsionLaw {
    /// At the turn of an impact [N/m].
    fn largest_stiffness(&self, encounter: &Encounter) -> Option<f64> {
        let by_radius = self.rule.per_contact_radius * self.impact.contact_radius(encounter);
        let by_normal = self.rule.per_normal_stiffness * self.impact.stiffness(encounter);
        self.smoothing.is_none().then_some(by_radius + by_normal)
    }
}

impl Rule {
    #[inline(always)]
    fn stiffness(&self, forces: &Forces, c: usize) -> f64 {
        self.per_contact_radius * forces.contact_radius[c]
            + self.per_normal_stiffness * forces.normal_stiffness[c]
    }
}

/// What both forms of a chunk share: sizes, limits, and what is found.
struct Motion {
    radius: Column,
    speed: Column,
    /// N [N].
    pressure: Column,
    /// μ at the speed of slip.
    coefficient: Column,
    force: [Column; 3],
    torque: Column,
}

impl Motion {
    fn new(rule: &Rule, contacts: &Contacts, forces: &Forces) -> Self {
        const ZERO: Column = [0.0; WIDTH];
        let mut motion = Self {
            radius: ZERO,
            speed: ZERO,
            pressure: ZERO,
            coefficient: [rule.friction.in_slip; WIDTH],
            force: [ZERO; 3],
            torque: ZERO,
        };
        for c in 0..WIDTH {
            let [square, _] = rule.area.square(contacts, c, contacts.overlap[c].max(0.0));
            let u = [0, 1, 2].map(|axis| contacts.slip_velocity[axis][c]);
            motion.radius[c] = square.sqrt();
            motion.speed[c] = (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]).sqrt();
            let touching = contacts.overlap[c] > 0.0;
            motion.pressure[c] = if touching { rule.friction.pressure(forces, c) } else { 0.0 };
        }
        if rule.weakening > 0.0 {
            let more = rule.friction.at_rest - rule.friction.in_slip;
            for c in 0..WIDTH {
                motion.coefficient[c] += more * libm::exp(-rule.weakening * motion.speed[c]);
            }
        }
        motion
    }

    /// Friction that falls to zero with the speed.
    fn viscous(&mut self, rule: &Rule, smoothing: f64, contacts: &Contacts, forces: &mut Forces) {
        for c in 0..WIDTH {
            let radius = self.radius[c];
            let rim = radius * contacts.twist_velocity[c];
            let [sliding, spinning] = rule.disc.coefficients(self.speed[c], rim.abs());
            let square = self.speed[c] * self.speed[c] + rim * rim;
            let per_speed =
                self.coefficient[c] * self.pressure[c] / (square + smoothing * smoothing).sqrt();
            for axis in 0..3 {
                self.force[axis][c] = -per_speed * sliding * contacts.slip_velocity[axis][c];
            }
            self.torque[c] = -per_speed * spinning * radius * rim;
            forces.friction_excess[c] =
                self.pressure[c] * (square.sqrt() - smoothing) / (square.sqrt() + smoothing);
        }
    }

    /// Friction with a contact that sticks elastically.
    fn elastic(
        &mut self,
        rule: &Rule,
        contacts: &Contacts,
        old: &[Column; ELASTIC],
        new: &mut [Column; ELASTIC],
        forces: &mut Forces,
    ) {
        for c in 0..WIDTH {
            let stiffness = rule.stiffness(forces, c);
            let before = old[5][c];
            let fall = if rule.rescale && stiffness < before { stiffness / before } else { 1.0 };
            let radius = self.radius[c];
            let trial =
                [0, 1, 2].map(|axis| fall * old[axis][c] - stiffness * contacts.slip[axis][c]);
            let torsion = 0.5 * stiffness * radius * radius;
            let torque = fall * old[3][c] - torsion * contacts.twist[c];
            let size = (trial[0] * trial[0] + trial[1] * trial[1] + trial[2] * trial[2]).sqrt();
            let arm = (radius * rule.disc.torque_at_rest).max(f64::MIN_POSITIVE);
            let turning = torque.abs() / arm;
            let limit = self.pressure[c] * rule.disc.limit(size, turning);
            let both = (size * size + turning * turning).sqrt();
            let excess = both - rule.friction.at_rest * limit;
            let slides = excess > 0.0;
            let most = self.coefficient[c] * self.pressure[c];
            let [along, about] = if slides && most > 0.0 {
                let [force, turn] = rule
                    .disc
                    .nearest(size / most, torque.abs() / (most * radius).max(f64::MIN_POSITIVE));
                [
                    most * force / size.max(f64::MIN_POSITIVE),
                    (most * radius * turn).copysign(torque),
                ]
            } else if slides {
                [0.0, 0.0]
            } else {
                [1.0, torque]
            };
            let touching = contacts.overlap[c] > 0.0;
            for axis in 0..3 {
                self.force[axis][c] = if touching { along * trial[axis] } else { 0.0 };
                new[axis][c] = self.force[axis][c];
            }
            self.torque[c] = if touching { about } else { 0.0 };
            forces.friction_excess[c] = if touching { excess } else { 0.0 };
            new[3][c] = self.torque[c];
            new[4][c] = forces.friction_excess[c];
            new[5][c] = if touching { stiffness } else { 0.0 };
        }
    }

    /// Books what springs of the present stiffness hold under force and torque.
    fn book_stored(&self, new: &[Column; ELASTIC], forces: &mut Forces) {
        for c in 0..WIDTH {
            let stiffness = new[5][c];
            let torsion = 0.5 * stiffness * self.radius[c] * self.radius[c];
            let force: f64 = (0..3).map(|axis| self.force[axis][c] * self.force[axis][c]).sum();
            if torsion > 0.0 {
                forces.tangential_energy[c] += 0.5 * force / stiffness;
                forces.rolling_energy[c] += 0.5 * self.torque[c] * self.torque[c] / torsion;
            }
        }
    }

    /// Adds force and couple, and the powers of slip and twist against them.
    fn add(&self, contacts: &Contacts, ledger: bool, forces: &mut Forces) {
        for c in 0..WIDTH {
            for axis in 0..3 {
                forces.tangential[axis][c] += self.force[axis][c];
                forces.couple[axis][c] += self.torque[c] * contacts.normal[axis][c];
            }
            if ledger {
                for axis in 0..3 {
                    forces.tangential_power[c] -=
                        self.force[axis][c] * contacts.slip_velocity[axis][c];
                }
                forces.rolling_power[c] -= self.torque[c] * contacts.twist_velocity[c];
            }
        }
    }
}

/// Goes on with the elastic displacement, by the change of the force over the stiffness, and with the
/// slip beyond it.
fn record(
    contacts: &Contacts,
    old: &[Column; ELASTIC],
    new: &[Column; ELASTIC],
    before: &[Column],
    now: &mut [Column],
) {
    let (spring, slid) = now.split_at_mut(3);
    for (axis, spring) in spring.iter_mut().enumerate() {
        for c in 0..WIDTH {
            let change = (new[axis][c] - old[axis][c]) / new[5][c].max(f64::MIN_POSITIVE);
            spring[c] = if new[5][c] > 0.0 { before[axis][c] - change } else { 0.0 };
        }
    }
    sum_sliding(contacts, &before[..3], spring, &before[3..], slid);
}
