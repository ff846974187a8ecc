//! Friction against sliding and torsion together, after Leszczyński: the contact area slides and spins,
//! and each takes from what friction has for the other.
//!
//! `T = -μ N F(λ) u/|u|`, `M = -μ N a 𝒯(λ) sgn ω_n`, `λ = |u|/(a |ω_n|)`: L(33)–(41), (48)–(54) with
//! errata L-E18 to L-E23, L-E29, L-E30; F and 𝒯 are in `contensou.rs` and `limit_curve.rs`. The
//! coefficient weakens with the speed, `μ = μ_d + (μ_s - μ_d) exp(-C |u|)`, L(39). a is the contact radius.
//!
//! Stick is elastic: `T* = T₀ - k_t Δs`, `M* = M₀ - ½ k_t a² Δθ`; where `(T*, M*)` is beyond the curve
//! `(F, 𝒯)` times μ_s N, or times μ N in a contact that slid at the accepted state (`SlipRule`), they
//! are brought back to the nearest point of that of μ N, so that the slip and
//! the twist that are lost are in the ratio λ. (Cut back in one ratio, they would be those of another
//! λ than the motion's, by up to a factor of two.) The viscous form has no
//! memory: both forces times `w/√(w² + w_s²)` with `w² = |u|² + (a ω_n)²`; it creeps. A force that is
//! kept while its stiffness falls gains energy on some paths; with `rescale` it falls along. Checked by
//! `tests/sliding_torsion.rs`.

use super::PressureShape;
use super::friction::Friction;
use super::limit_curve::{Disc, LANES, nearest};
use super::{FrictionLimit, SlipRule, Stiffness};
use crate::law::normal::Area;
use crate::law::{
    Column, ContactStiffness, Contacts, Evaluate, Forces, History, Law, Model, Optional,
    PairContext, PairState, Record, Step, Transport, WIDTH,
};
use crate::simd::multiversion;

/// Sliding and torsion together. Pair parameters: `friction`, or `static_friction`,
/// `dynamic_friction` and `friction_weakening` [s/m]; `smoothing_speed` [m/s] where stick is viscous.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
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
    /// When a contact slides on and when it sticks, where static and dynamic friction differ.
    pub slip_rule: SlipRule,
    /// How the stored force follows the tangent plane.
    pub transport: Transport,
    /// Whether force and torque fall with their stiffness, so that no path gains energy.
    pub rescale: bool,
    /// Whether elastic displacement and the slip beyond it are summed up, for output: it changes no
    /// force.
    pub record_sliding: bool,
}

/// How a contact sticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum TorsionStick {
    /// Elastically, up to the limit.
    #[default]
    Elastic,
    /// Not at all: friction falls to zero with the speed.
    Viscous,
}

/// Parameters of a pair: `friction`.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::contact_after;
/// use esker::prelude::*;
///
/// let contact = ContactModel::normal(Hertz::default()).tangential(tangential::SlidingTorsion::default());
/// let motion = [Vec3::Y * 0.5, Vec3::ZERO];
/// let contact = contact_after(1e-4, contact, Pair::new().friction(0.3), motion);
/// let ratio = contact.tangential.length() / contact.elastic;
/// assert!(ratio > 0.0 && ratio < 0.3 + 1e-9); // Coulomb's limit
/// ```
impl Model for SlidingTorsion {
    fn name(&self) -> &'static str {
        "sliding-torsion"
    }

    fn for_pair(&self, context: &mut PairContext<'_>) -> Option<Box<dyn Law>> {
        let friction = Friction::for_pair(self.friction_limit, self.slip_rule, context);
        let weakening = match friction {
            Some(friction) if friction.at_rest > friction.in_slip => {
                context.require("friction_weakening", 0.0..=f64::MAX)
            }
            _ => Some(0.0),
        };
        if self.stick == TorsionStick::Viscous && self.slip_rule != SlipRule::default() {
            let viscous = context.choice("stick", "Viscous");
            context.problem_at(
                "contact.tangential.sliding-torsion.slip_rule",
                "`slip_rule` has no meaning where stick is viscous: no slip is stored",
                &format!("leave out `slip_rule` or {viscous}"),
            );
        }
        let smoothing = match self.stick {
            TorsionStick::Viscous => {
                context.require("smoothing_speed", f64::MIN_POSITIVE..=f64::MAX).map(Some)
            }
            TorsionStick::Elastic => Some(None),
        };
        self.stiffness.check(context);
        let (friction, weakening, smoothing) = (friction?, weakening?, smoothing?);
        let shear = self.stiffness.shear_modulus(context);
        let (per_contact_radius, per_normal_stiffness) = match self.stiffness {
            Stiffness::Ratio(ratio) => (0.0, ratio),
            _ => (8.0 * shear, 0.0),
        };
        Some(Box::new(SlidingTorsionLaw {
            rule: Rule {
                friction,
                weakening,
                disc: Disc::new(self.pressure),
                area: self.area,
                per_contact_radius,
                per_normal_stiffness,
                rescale: self.rescale,
                slides_on: false,
            },
            smoothing,
            transport: self.transport,
            record_sliding: self.record_sliding,
        }))
    }
}

crate::history! {
    /// History of a contact that sticks elastically.
    pub struct TorsionHistory {
        /// Force of the spring [N].
        pub tangential_force: [f64; 3],
        /// Torque of the torsion spring [N m].
        pub torsion_torque: f64,
        /// Trial force minus its limit [N].
        pub friction_excess: f64,
        /// k_t at the accepted state [N/m].
        pub spring_stiffness: f64,
    }
}

crate::history! {
    /// History of a contact with viscous stick.
    pub struct ViscousHistory {
        /// Positive where the slip speed is above the smoothing speed, for output [N].
        pub friction_excess: f64,
    }
}

crate::history! {
    /// Stored with `record_sliding`.
    pub struct TorsionDisplacement {
        /// Elastic displacement [m].
        pub spring: [f64; 3],
        /// Slip beyond it since the contact began [m].
        pub sliding_displacement: [f64; 3],
    }
}

#[derive(Debug)]
struct SlidingTorsionLaw {
    rule: Rule,
    /// Speed of smoothing where stick is viscous [m/s].
    smoothing: Option<f64>,
    transport: Transport,
    record_sliding: bool,
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
    /// Whether a contact that slid at the accepted state is tested against the limit in slip.
    slides_on: bool,
}

/// Limit, as a fraction of the trial force, below which it counts as zero in the search for the nearest
/// point.
const AFAR: f64 = 1e-9;

impl Evaluate for SlidingTorsionLaw {
    type History =
        (Optional<ViscousHistory>, (Optional<TorsionHistory>, Optional<TorsionDisplacement>));
    const USES_ROLLING: bool = true;

    fn evaluate(
        &self,
        contacts: &Contacts,
        step: &Step,
        history: History<'_, Self::History>,
        forces: &mut Forces,
    ) {
        let mut motion = Motion::new(&self.rule, contacts, forces);
        let (viscous, elastic) = history.split();
        let (elastic, displacement) = elastic.split();
        if let (Some(smoothing), Some(mut history)) = (self.smoothing, viscous.present()) {
            motion.viscous(&self.rule, smoothing, contacts, forces);
            for c in 0..WIDTH {
                history.set(c, ViscousHistory { friction_excess: forces.friction_excess[c] });
            }
        }
        if let Some(mut history) = elastic.present() {
            let slides_on = self.rule.friction.slides_on(step.elapsed);
            let rule = Rule { slides_on, ..self.rule };
            motion.elastic(&rule, contacts, &mut history, forces);
            if let Some(displacement) = displacement.present() {
                record_displacement(contacts, &history, displacement);
            }
            if step.ledger {
                motion.add_energies(&history, forces);
            }
        }
        motion.add(contacts, step.ledger, forces);
    }

    fn presence(&self) -> (bool, (bool, bool)) {
        let is_elastic = self.smoothing.is_none();
        (!is_elastic, (is_elastic, is_elastic && self.record_sliding))
    }

    fn transport(&self) -> Transport {
        self.transport
    }
}

impl Law for SlidingTorsionLaw {
    fn tangential_stiffness(&self, forces: &Forces, lane: usize) -> f64 {
        if self.smoothing.is_some() { 0.0 } else { self.rule.stiffness(forces, lane) }
    }

    /// The springs of a contact that sticks. Viscous stick is limited by friction: where a step is too
    /// long for its slope at rest, slip alternates below `μ N Δt/m` and does not grow.
    fn stiffness(&self, pair: &PairState, sum: &mut ContactStiffness) {
        if self.smoothing.is_some() {
            return;
        }
        let rule = &self.rule;
        let overlap = pair.overlap.max(0.0);
        let square = rule.area.square_of(pair.effective_radius, pair.radii, overlap)[0];
        let stiffness =
            rule.per_contact_radius * sum.contact_radius + rule.per_normal_stiffness * sum.normal;
        sum.slip += stiffness;
        sum.twist += 0.5 * stiffness * square;
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
        fill(rule, contacts, forces, &mut motion);
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
        history: &mut History<'_, TorsionHistory>,
        forces: &mut Forces,
    ) {
        let mut trial = Trial::ZERO;
        let (old, new) = history.columns();
        try_elastic(rule, self, contacts, old, forces, &mut trial);
        let mut slips = [0; WIDTH];
        let mut count = 0;
        for c in 0..WIDTH {
            slips[count] = c;
            count += usize::from(trial.excess[c] > 0.0);
        }
        for lanes in slips[..count].chunks(LANES) {
            self.bring_back(rule, lanes, &mut trial);
        }
        keep(self, &trial, new);
        if rule.friction.rule == SlipRule::C16 {
            for &c in &slips[..count] {
                self.act(c, self.coefficient[c] / positive(rule.friction.at_rest));
            }
        }
        forces.friction_excess = trial.excess;
    }

    /// Reduces what acts to a fraction of what is stored.
    fn act(&mut self, c: usize, fraction: f64) {
        for axis in 0..3 {
            self.force[axis][c] *= fraction;
        }
        self.torque[c] *= fraction;
    }

    /// Limit that contacts are brought back to [N].
    fn stored_limit(&self, rule: &Rule, c: usize) -> f64 {
        let coefficient = match rule.friction.rule {
            SlipRule::C16 => rule.friction.at_rest,
            SlipRule::Hysteresis | SlipRule::C15 => self.coefficient[c],
        };
        coefficient * self.pressure[c]
    }

    /// Where contacts slip, brings their stored force and torque back to the nearest point of the
    /// limit in slip.
    fn bring_back(&self, rule: &Rule, lanes: &[usize], trial: &mut Trial) {
        let (mut force, mut torque, mut place) = ([0.0; LANES], [0.0; LANES], [0.5; LANES]);
        for (lane, &c) in lanes.iter().enumerate() {
            let rim = trial.torque[c].abs() / positive(self.radius[c]);
            // from afar the nearest point depends on the direction alone: nothing is divided by zero
            let least = AFAR * (trial.size[c] + rim);
            let most = self.stored_limit(rule, c).max(least);
            force[lane] = trial.size[c] / most;
            torque[lane] = rim / most;
            place[lane] = trial.place[c];
        }
        let [force, torque] = nearest(rule.disc, &force, &torque, &mut place);
        for (lane, &c) in lanes.iter().enumerate() {
            let most = self.stored_limit(rule, c);
            trial.along[c] = most * force[lane] / positive(trial.size[c]);
            let turning = most * self.radius[c] * torque[lane];
            trial.torque[c] = turning.copysign(trial.torque[c]);
        }
    }

    /// Adds the energies of springs of the present stiffness under force and torque.
    fn add_energies(&self, history: &History<'_, TorsionHistory>, forces: &mut Forces) {
        for c in 0..WIDTH {
            let new = history.new_value(c);
            let stiffness = new.spring_stiffness;
            let torsion = 0.5 * stiffness * self.radius[c] * self.radius[c];
            let force: f64 = new.tangential_force.iter().map(|value| value * value).sum();
            if torsion > 0.0 {
                forces.tangential_energy[c] += 0.5 * force / stiffness;
                forces.rolling_energy[c] += 0.5 * new.torsion_torque * new.torsion_torque / torsion;
            }
        }
    }

    /// Adds force and moment, and the powers of slip and twist against them.
    fn add(&self, contacts: &Contacts, ledger: bool, forces: &mut Forces) {
        for c in 0..WIDTH {
            for axis in 0..3 {
                forces.tangential[axis][c] += self.force[axis][c];
                forces.moment[axis][c] += self.torque[c] * contacts.normal[axis][c];
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

/// Force and torque of springs that give way to nothing, and how far they are beyond their limit.
struct Trial {
    force: [Column; 3],
    torque: Column,
    /// Of the force.
    size: Column,
    /// Fraction of the force that is left.
    along: Column,
    excess: Column,
    /// `λ/(1+λ)` of the limit in the direction of both.
    place: Column,
    stiffness: Column,
}

impl Trial {
    const ZERO: Self = {
        const ZERO: Column = [0.0; WIDTH];
        Self {
            force: [ZERO; 3],
            torque: ZERO,
            size: ZERO,
            along: [1.0; WIDTH],
            excess: ZERO,
            place: ZERO,
            stiffness: ZERO,
        }
    };
}

/// The number, or the smallest one that can be divided by.
#[inline(always)]
fn positive(value: f64) -> f64 {
    if value > f64::MIN_POSITIVE { value } else { f64::MIN_POSITIVE }
}

multiversion! {
    fn fill(rule: &Rule, contacts: &Contacts, forces: &Forces, motion: &mut Motion) {
        for c in 0..WIDTH {
            let overlap = contacts.overlap[c];
            let touching = overlap > 0.0;
            let [square, _] = rule.area.square(contacts, c, if touching { overlap } else { 0.0 });
            let u = [0, 1, 2].map(|axis| contacts.slip_velocity[axis][c]);
            motion.radius[c] = square.sqrt();
            motion.speed[c] = (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]).sqrt();
            motion.pressure[c] = if touching { rule.friction.normal_force_of_lane(forces, c) } else { 0.0 };
        }
    }
}

multiversion! {
    /// The trial of every contact. One that does not touch has no limit, no force and no excess.
    fn try_elastic(rule: &Rule, motion: &Motion, contacts: &Contacts, old: &[Column], forces: &Forces, trial: &mut Trial) {
        let old = &old[..TorsionHistory::COUNT];
        let mut turning = [0.0; WIDTH];
        for c in 0..WIDTH {
            let touching = contacts.overlap[c] > 0.0;
            let stiffness = if touching { rule.stiffness(forces, c) } else { 0.0 };
            let before = TorsionHistory::load(old, 0, c);
            let falls = rule.rescale && stiffness < before.spring_stiffness;
            let fall = if falls { stiffness / before.spring_stiffness } else { 1.0 };
            let fall = if touching { fall } else { 0.0 };
            let radius = motion.radius[c];
            let torsion = 0.5 * stiffness * radius * radius;
            let mut square = 0.0;
            for axis in 0..3 {
                let part = fall * before.tangential_force[axis] - stiffness * contacts.slip[axis][c];
                trial.force[axis][c] = part;
                square += part * part;
            }
            trial.torque[c] = fall * before.torsion_torque - torsion * contacts.twist[c];
            trial.size[c] = square.sqrt();
            trial.stiffness[c] = stiffness;
            turning[c] = trial.torque[c].abs() / positive(radius * rule.disc.torque_at_rest);
        }
        let mut limit = [0.0; WIDTH];
        for c in 0..WIDTH {
            [limit[c], trial.place[c]] = rule.disc.limit(trial.size[c], turning[c]);
        }
        for c in 0..WIDTH {
            let both = (trial.size[c] * trial.size[c] + turning[c] * turning[c]).sqrt();
            let slid = rule.slides_on & (TorsionHistory::load(old, 0, c).friction_excess > 0.0);
            let tested = if slid { motion.coefficient[c] } else { rule.friction.at_rest };
            trial.excess[c] = both - tested * motion.pressure[c] * limit[c];
        }
    }
}

multiversion! {
    fn keep(motion: &mut Motion, trial: &Trial, new: &mut [Column]) {
        let new = &mut new[..TorsionHistory::COUNT];
        for c in 0..WIDTH {
            let mut tangential_force = [0.0; 3];
            for axis in 0..3 {
                tangential_force[axis] = trial.along[c] * trial.force[axis][c];
                motion.force[axis][c] = tangential_force[axis];
            }
            motion.torque[c] = trial.torque[c];
            TorsionHistory {
                tangential_force,
                torsion_torque: trial.torque[c],
                friction_excess: trial.excess[c],
                spring_stiffness: trial.stiffness[c],
            }
            .store(new, 0, c);
        }
    }
}

/// Updates the elastic displacement, by the change of the force over the stiffness, and the slip beyond
/// it.
fn record_displacement(
    contacts: &Contacts,
    history: &History<'_, TorsionHistory>,
    mut displacement: History<'_, TorsionDisplacement>,
) {
    for c in 0..WIDTH {
        let (old, new, before) = (history.old(c), history.new_value(c), displacement.old(c));
        let stiffness = new.spring_stiffness;
        let mut after = TorsionDisplacement::default();
        for axis in 0..3 {
            let change = (new.tangential_force[axis] - old.tangential_force[axis])
                / stiffness.max(f64::MIN_POSITIVE);
            after.spring[axis] = if stiffness > 0.0 { before.spring[axis] - change } else { 0.0 };
            let beyond = before.spring[axis] + contacts.slip[axis][c] - after.spring[axis];
            after.sliding_displacement[axis] = if contacts.overlap[c] > 0.0 {
                before.sliding_displacement[axis] + beyond
            } else {
                0.0
            };
        }
        displacement.set(c, after);
    }
}
