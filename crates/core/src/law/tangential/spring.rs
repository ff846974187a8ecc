//! Spring and dashpot with a Coulomb limit; the spring is stored and follows the tangent plane. One
//! law with one return map; `mindlin`, `spring-dashpot` and `rolling-mapped` are settings of it.
//!
//! Trial: `s = T(s₀) + Δs`, `f = -(k_t s + d_t u)`, `k_t = 8 G* √(R* δ)`, `d_t = 2 ξ_t √(m* k_t)`.
//! A contact that stuck at the accepted state sticks while `|f| ≤ μ_s N`, one that slid sticks again
//! where `|f| ≤ μ_d N` (`SlipRule`); else `f ← μ_d N f/|f|` and the spring is cut back to
//! `-(f/|f|) min(|f|/k_t, |s|)`. The cap keeps a young contact, whose `1/k_t` diverges, from
//! storing energy that it never received. C15(25)–(38), C16(25)–(39)
//! with the signs of errata E4, E7 and Mindlin's stiffness (E8). The excess of the trial force over
//! its limit, which is stored for output in any case, tells whether a contact slid.
//!
//! A stiffness that depends on the load gains or loses energy on some paths; the ledger books it
//! as sliding loss. With `rescale` the spring gives way as it grows stiffer, `s ← s k_before/k_now`,
//! and no path gains. Checked by slip-to-roll, inclines and an oblique impact (`tests/friction.rs`).

use super::friction::Friction;
use super::returns::{keep_static_limit, return_with_dashpot};
use super::{FrictionLimit, SlipRule};
use crate::law::damping::hertz::root;
use crate::law::{
    Column, ContactStiffness, Contacts, Forces, History, HistoryColumn, Law, Mapping, PairContext,
    PairState, Step, Transport, WIDTH,
};
use crate::simd::multiversion;

/// Name of the history column of the spring: the elastic displacement.
pub(crate) const SPRING: &str = "spring";

/// Name of the history column of how far the trial force was beyond the limit [N]: positive in slip.
/// Remembered since without a dashpot the force itself does not tell, for output and for the limit of
/// the next step where static and dynamic friction differ.
pub(crate) const EXCESS: &str = "friction excess";

/// Name of the history column of the stiffness of the spring [N/m], where a law asks for the last.
pub(super) const SPRING_STIFFNESS: &str = "spring stiffness";

/// Name of the history column of the slip beyond the spring.
pub(crate) const SLIDING: &str = "sliding displacement";

/// Stiffness of the tangential spring.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Stiffness {
    /// Mindlin's: 8 G* a with 1/G* = (2-ν₁)/G₁ + (2-ν₂)/G₂.
    #[default]
    Exact,
    /// As printed in C15 and C16: 1/G* = 1/G₁ + 1/G₂.
    Printed,
    /// This multiple of the normal stiffness.
    Ratio(f64),
}

/// What the spring is cut back to in slip.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Return {
    /// What carries the limit, or what it is where that is less: `-(f/|f|) min(|f|/k_t, |s|)`.
    #[default]
    Spring,
    /// What carries the limit together with the dashpot, `-(f + d_t u)/k_t`, as other codes have it:
    /// winds the spring backwards at first touch. For comparison only.
    WithDashpot,
}

/// What the laws of this family differ in.
#[derive(Debug, Clone, Copy)]
pub(super) struct Settings {
    pub stiffness: Stiffness,
    pub friction_limit: FrictionLimit,
    pub slip_rule: SlipRule,
    pub transport: Transport,
    pub return_rule: Return,
    pub rescale: bool,
    pub record_sliding: bool,
    pub mapping: Option<Mapping>,
}

/// Makes the law of a pair.
pub(super) fn law(
    settings: &Settings,
    damping_ratio: f64,
    context: &mut PairContext<'_>,
) -> impl Law + 'static {
    let friction = Friction::for_pair(settings.friction_limit, settings.slip_rule, context);
    if settings.slip_rule == SlipRule::C16 && settings.return_rule == Return::WithDashpot {
        // the only one of the family that has both options
        context.problem_at(
            "contact.tangential.spring-dashpot.slip_rule",
            "`slip_rule = \"c16\"` and `return = \"with-dashpot\"` both say what is left of the spring in slip",
            "leave one of them out: `c16` keeps the static limit in the spring",
        );
    }
    settings.stiffness.check(context);
    let shear = settings.stiffness.shear_modulus(context);
    let (per_contact_radius, per_normal_stiffness) = match settings.stiffness {
        Stiffness::Ratio(ratio) => (0.0, ratio),
        _ => (8.0 * shear, 0.0),
    };
    let stiffness_ratio = match settings.stiffness {
        Stiffness::Ratio(ratio) => Some(ratio),
        _ => context.stiffness_per_radius.map(|normal| per_contact_radius / normal),
    };
    let mut columns =
        vec![HistoryColumn::Vector(SPRING, settings.transport), HistoryColumn::Scalar(EXCESS)];
    if settings.rescale {
        columns.push(HistoryColumn::Scalar(SPRING_STIFFNESS));
    }
    if settings.record_sliding {
        columns.push(HistoryColumn::Vector(SLIDING, settings.transport));
    }
    SpringLaw {
        coefficients: Coefficients {
            per_contact_radius,
            per_normal_stiffness,
            damping_ratio,
            per_root: stiffness_ratio.map(|ratio| 2.0 * damping_ratio * ratio.sqrt()),
            friction,
        },
        return_rule: settings.return_rule,
        rescale: settings.rescale,
        mapping: settings.mapping,
        columns,
    }
}

impl Stiffness {
    /// Notes a ratio that is none.
    pub(super) fn check(self, context: &mut PairContext<'_>) {
        if let Self::Ratio(ratio) = self
            && !(ratio > 0.0 && ratio.is_finite())
        {
            let help = "a share of the normal stiffness: 2/7 to 1 is usual";
            context.problem(format!("the ratio of stiffnesses is {ratio}"), Some(help.into()));
        }
    }

    /// G* [Pa].
    pub(super) fn shear_modulus(self, context: &PairContext<'_>) -> f64 {
        match self {
            Self::Printed => {
                let part =
                    |material: &crate::material::Material| 1.0 / material.elastic().shear_modulus();
                1.0 / (part(context.materials[0]) + part(context.materials[1]))
            }
            _ => context.effective_shear_modulus(),
        }
    }
}

#[derive(Debug)]
pub(crate) struct SpringLaw {
    pub coefficients: Coefficients,
    pub return_rule: Return,
    rescale: bool,
    mapping: Option<Mapping>,
    columns: Vec<HistoryColumn>,
}

/// The numbers of the law for a pair of materials.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Coefficients {
    per_contact_radius: f64,
    per_normal_stiffness: f64,
    damping_ratio: f64,
    /// The coefficient of the dashpot as a multiple of √(m* k) of the normal law, where the two
    /// stiffnesses have a ratio: one root serves both.
    per_root: Option<f64>,
    pub friction: Friction,
}

impl Coefficients {
    /// Of the spring [N/m].
    #[inline(always)]
    pub(super) fn stiffness(&self, forces: &Forces, lane: usize) -> f64 {
        self.stiffness_of(forces.contact_radius[lane], forces.normal_stiffness[lane])
    }

    /// Of the spring, from contact radius and normal stiffness [N/m].
    #[inline(always)]
    pub(crate) fn stiffness_of(&self, contact_radius: f64, normal_stiffness: f64) -> f64 {
        self.per_contact_radius * contact_radius + self.per_normal_stiffness * normal_stiffness
    }

    /// Of the dashpot [N s/m].
    #[inline(always)]
    pub(super) fn dashpot(&self, contacts: &Contacts, forces: &Forces, lane: usize) -> f64 {
        let mass = contacts.effective_mass[lane];
        match self.per_root {
            Some(per_root) => per_root * root(mass, forces.normal_stiffness[lane]),
            None => 2.0 * self.damping_ratio * root(mass, self.stiffness(forces, lane)),
        }
    }

    /// As a multiple of √(m* k) of the normal law, where it is one.
    pub(crate) fn dashpot_per_root(&self) -> Option<f64> {
        self.per_root
    }
}

impl Law for SpringLaw {
    fn evaluate(
        &self,
        contacts: &Contacts,
        step: &Step,
        history: &mut History<'_>,
        forces: &mut Forces,
    ) {
        let (Some((old, more_before)), Some((new, more))) =
            (history.old.split_first_chunk::<4>(), history.new.split_first_chunk_mut::<4>())
        else {
            return;
        };
        if !self.rescale {
            self.evaluate_spring(contacts, step, old, new, forces);
            sum_sliding(contacts, old, new, more_before, more);
        } else if let (Some((before, slid_before)), Some((now, slid))) =
            (more_before.split_first(), more.split_first_mut())
        {
            let mut softened = *old;
            soften(&self.coefficients, forces, before, &mut softened, now);
            self.evaluate_spring(contacts, step, &softened, new, forces);
            sum_sliding(contacts, &softened, new, slid_before, slid);
        }
        if step.ledger {
            book(&self.coefficients, contacts, new, forces);
        }
    }

    fn tangential_stiffness(&self, forces: &Forces, lane: usize) -> f64 {
        self.coefficients.stiffness(forces, lane)
    }

    fn history(&self) -> &[HistoryColumn] {
        &self.columns
    }

    fn uses_rolling(&self) -> bool {
        false
    }

    fn mapping(&self) -> Option<Mapping> {
        self.mapping
    }

    fn stiffness(&self, pair: &PairState, sum: &mut ContactStiffness) {
        let law = &self.coefficients;
        let stiffness = law.stiffness_of(sum.contact_radius, sum.normal);
        sum.slip += stiffness;
        sum.slip_dashpot += match law.per_root {
            Some(per_root) => per_root * root(pair.effective_mass, sum.normal),
            None => 2.0 * law.damping_ratio * root(pair.effective_mass, stiffness),
        };
    }
}

impl SpringLaw {
    fn evaluate_spring(
        &self,
        contacts: &Contacts,
        step: &Step,
        old: &[Column; 4],
        new: &mut [Column; 4],
        forces: &mut Forces,
    ) {
        let law = &self.coefficients;
        let slides_on = law.friction.slides_on(step.elapsed);
        evaluate(law, slides_on, contacts, old, new, forces);
        if self.return_rule == Return::WithDashpot {
            return_with_dashpot(law, contacts, old, new, forces);
        } else if law.friction.rule == SlipRule::C16 {
            keep_static_limit(law, contacts, old, new, forces);
        }
        new[3] = forces.friction_excess;
    }
}

/// Where the stiffness has grown since the accepted state, the spring gives way so that its force
/// does not grow with it.
fn soften(
    law: &Coefficients,
    forces: &Forces,
    before: &Column,
    spring: &mut [Column; 4],
    now: &mut Column,
) {
    for c in 0..WIDTH {
        let stiffness = law.stiffness(forces, c);
        let share = if stiffness > before[c] { before[c] / stiffness } else { 1.0 };
        now[c] = stiffness;
        for axis in spring.iter_mut().take(3) {
            axis[c] *= share;
        }
    }
}

multiversion! {
    fn evaluate(law: &Coefficients, slides_on: bool, contacts: &Contacts, old: &[Column; 4], new: &mut [Column; 4], forces: &mut Forces) {
        for c in 0..WIDTH {
            let sheared = lane(law, &Shear {
                overlap: contacts.overlap[c],
                stiffness: law.stiffness(forces, c),
                dashpot: law.dashpot(contacts, forces, c),
                pressure: law.friction.pressure(forces, c),
                tested: law.friction.tested(old[3][c], slides_on),
                spring: [
                    old[0][c] + contacts.slip[0][c],
                    old[1][c] + contacts.slip[1][c],
                    old[2][c] + contacts.slip[2][c],
                ],
                slip_velocity: [
                    contacts.slip_velocity[0][c],
                    contacts.slip_velocity[1][c],
                    contacts.slip_velocity[2][c],
                ],
            });
            for axis in 0..3 {
                new[axis][c] = sheared.spring[axis];
                forces.tangential[axis][c] += sheared.force[axis];
            }
            forces.friction_excess[c] = sheared.excess;
        }
    }
}

/// What the law is given for one contact.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shear {
    pub overlap: f64,
    /// Of the spring [N/m].
    pub stiffness: f64,
    /// Of the dashpot [N s/m].
    pub dashpot: f64,
    /// N of the Coulomb limit [N].
    pub pressure: f64,
    /// Coefficient of friction that the trial force is tested against.
    pub tested: f64,
    /// The trial spring [m].
    pub spring: [f64; 3],
    pub slip_velocity: [f64; 3],
}

/// What the law gives for one contact.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sheared {
    pub spring: [f64; 3],
    pub force: [f64; 3],
    /// How far the trial force is beyond the limit that it is tested against [N].
    pub excess: f64,
}

/// The law for one contact.
#[inline(always)]
pub(crate) fn lane(law: &Coefficients, given: &Shear) -> Sheared {
    given.returned(law, &given.tried())
}

/// The force that a spring and a dashpot would have without a limit.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Trial {
    pub force: [f64; 3],
    /// Sizes of the force and of the trial spring.
    pub size: f64,
    pub spring_size: f64,
}

impl Shear {
    /// The first half of the law: up to its roots.
    #[inline(always)]
    pub(crate) fn tried(&self) -> Trial {
        let Self { stiffness, dashpot, spring, slip_velocity, .. } = *self;
        let trial = [
            -(stiffness * spring[0] + dashpot * slip_velocity[0]),
            -(stiffness * spring[1] + dashpot * slip_velocity[1]),
            -(stiffness * spring[2] + dashpot * slip_velocity[2]),
        ];
        let square = |v: [f64; 3]| v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        Trial { force: trial, size: square(trial).sqrt(), spring_size: square(spring).sqrt() }
    }

    /// The second half: back to the limit.
    #[inline(always)]
    pub(crate) fn returned(&self, law: &Coefficients, tried: &Trial) -> Sheared {
        let Self { overlap, stiffness, pressure, tested, spring, .. } = *self;
        let Trial { force: trial, size: trial_size, spring_size } = *tried;
        let limit = law.friction.in_slip * pressure;
        let excess = trial_size - tested * pressure;
        let slips = excess > 0.0;
        let touching = overlap > 0.0;
        // force = trial · shrink; in slip the spring points against the force, and carries the limit or
        // what it did; one division for both
        let inverse = 1.0 / positive(stiffness * trial_size);
        let carried = stiffness * spring_size;
        let shrink = if slips { limit * stiffness * inverse } else { 1.0 };
        let cut = -(if limit < carried { limit } else { carried } * inverse);
        let held = |axis: usize| if slips { cut * trial[axis] } else { spring[axis] };
        let if_touching = |value: f64| if touching { value } else { 0.0 };
        Sheared {
            spring: [if_touching(held(0)), if_touching(held(1)), if_touching(held(2))],
            force: [
                if_touching(shrink * trial[0]),
                if_touching(shrink * trial[1]),
                if_touching(shrink * trial[2]),
            ],
            excess: if_touching(excess),
        }
    }
}

/// The number, or the smallest one that can be divided by.
#[inline(always)]
fn positive(value: f64) -> f64 {
    if value > f64::MIN_POSITIVE { value } else { f64::MIN_POSITIVE }
}

/// The slip that the spring has not taken up since the contact began, where it is recorded.
pub(super) fn sum_sliding(
    contacts: &Contacts,
    spring_before: &[Column],
    spring: &[Column],
    before: &[Column],
    slid: &mut [Column],
) {
    for (axis, (before, slid)) in before.iter().zip(slid).enumerate() {
        for c in 0..WIDTH {
            let beyond = spring_before[axis][c] + contacts.slip[axis][c] - spring[axis][c];
            slid[c] = if contacts.overlap[c] > 0.0 { before[c] + beyond } else { 0.0 };
        }
    }
}

/// Books what the spring holds and the power of the slip against the whole force; what is not held
/// is lost.
fn book(law: &Coefficients, contacts: &Contacts, spring: &[Column; 4], forces: &mut Forces) {
    for c in 0..WIDTH {
        let stiffness = law.stiffness(forces, c);
        let square: f64 = (0..3).map(|axis| spring[axis][c] * spring[axis][c]).sum();
        forces.tangential_energy[c] += 0.5 * stiffness * square;
        let power = |axis: usize| forces.tangential[axis][c] * contacts.slip_velocity[axis][c];
        // a bond's share is in the force already
        forces.tangential_power[c] = -(power(0) + power(1) + power(2));
    }
}
