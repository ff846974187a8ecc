//! Spring and dashpot with a Coulomb limit; the spring is stored and follows the tangent plane.
//!
//! Trial: `s = T(s₀) + Δs`, `f = -(k_t s + d_t u)`, `k_t = 8 G* √(R* δ)`, `d_t = 2 ξ_t √(m* k_t)`.
//! Stick while `|f| ≤ μ_s N`, else `f ← μ_d N f/|f|` and the spring is cut back to
//! `-(f/|f|) min(|f|/k_t, |s|)`. The cap keeps a young contact, whose `1/k_t` diverges, from
//! storing energy that it never received. C15(25)–(38), C16(25)–(39)
//! with the signs of errata E4, E7 and Mindlin's stiffness (E8).
//!
//! A stiffness that depends on the load gains or loses energy on some paths; the ledger books it
//! as sliding loss. Checked by slip-to-roll, inclines and an oblique impact (`tests/friction.rs`).

use crate::law::damping::ratio_of_hertzian_contact;
use crate::law::normal::impact_duration;
use crate::law::{
    Column, Contacts, Encounter, Forces, History, HistoryColumn, Law, Model, PairContext, Step,
    Transport, WIDTH,
};
use crate::simd::vectorise;

/// Name of the history column of the spring: the elastic displacement.
pub(crate) const SPRING: &str = "spring";

/// Name of the history column of how far the trial force was beyond the limit [N]: positive in slip.
/// Remembered for output, since without a dashpot the force itself does not tell.
pub(crate) const EXCESS: &str = "friction excess";

/// Name of the history column of the slip beyond the spring.
pub(crate) const SLIDING: &str = "sliding displacement";

/// Tangential spring with Coulomb limit. Pair parameters: `friction`, or `static_friction` and
/// `dynamic_friction`; `tangential_damping_ratio`, which is that of the normal damping where none
/// is given.
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
pub struct Mindlin {
    /// Stiffness of the spring.
    pub stiffness: Stiffness,
    /// The normal force N in the Coulomb limit.
    pub friction_limit: FrictionLimit,
    /// How the stored spring follows the tangent plane.
    pub transport: Transport,
    /// Whether the slip beyond the spring is summed up, for output: it changes no force.
    pub record_sliding: bool,
}

/// Stiffness of the tangential spring.
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
#[serde(rename_all = "kebab-case")]
pub enum Stiffness {
    /// Mindlin's: 8 G* a with 1/G* = (2-ν₁)/G₁ + (2-ν₂)/G₂.
    #[default]
    Exact,
    /// As printed in C15 and C16: 1/G* = 1/G₁ + 1/G₂.
    Printed,
    /// This multiple of the normal stiffness.
    Ratio(f64),
}

/// The normal force in the Coulomb limit; an attraction never counts as pressure.
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
pub enum FrictionLimit {
    /// Elastic and damping force.
    #[default]
    Total,
    /// Elastic force only, as in B.
    Elastic,
    /// Elastic and damping force and the cohesion.
    WithCohesion,
}

impl Model for Mindlin {
    fn word(&self) -> &'static str {
        "mindlin"
    }

    fn for_pair(&self, context: &mut PairContext<'_>) -> Box<dyn Law> {
        let [static_friction, dynamic_friction] = friction(context);
        let shear = match self.stiffness {
            Stiffness::Printed => {
                let part = |m: &crate::material::Material| 1.0 / m.shear_modulus();
                1.0 / (part(context.materials[0]) + part(context.materials[1]))
            }
            _ => context.effective_shear_modulus(),
        };
        let young = context.effective_young_modulus();
        let (per_contact_radius, per_normal_stiffness) = match self.stiffness {
            Stiffness::Ratio(ratio) => (0.0, ratio),
            _ => (8.0 * shear, 0.0),
        };
        let spring = HistoryColumn::Vector(SPRING, self.transport);
        let mut columns = vec![spring, HistoryColumn::Scalar(EXCESS)];
        if self.record_sliding {
            columns.push(HistoryColumn::Vector(SLIDING, self.transport));
        }
        Box::new(MindlinLaw {
            coefficients: Coefficients {
                per_contact_radius,
                per_normal_stiffness,
                damping_ratio: damping_ratio(context),
                static_friction,
                dynamic_friction,
                damping_counts: if self.friction_limit == FrictionLimit::Elastic {
                    0.0
                } else {
                    1.0
                },
                cohesion_counts: if self.friction_limit == FrictionLimit::WithCohesion {
                    1.0
                } else {
                    0.0
                },
            },
            young,
            stiffness_ratio: match self.stiffness {
                Stiffness::Ratio(ratio) => ratio,
                _ => 4.0 * shear / young,
            },
            columns,
        })
    }
}

/// Static and dynamic coefficient of friction of a pair.
fn friction(context: &mut PairContext<'_>) -> [f64; 2] {
    let range = 0.0..=f64::MAX;
    if let Some(both) = context.optional("friction", range.clone()) {
        for name in ["static_friction", "dynamic_friction"] {
            if context.optional(name, range.clone()).is_some() {
                context.problem(format!("both `friction` and `{name}` are given"), None);
            }
        }
        return [both, both];
    }
    match (
        context.optional("static_friction", range.clone()),
        context.optional("dynamic_friction", range.clone()),
    ) {
        (Some(static_friction), Some(dynamic_friction)) => {
            if dynamic_friction > static_friction {
                context.problem("`dynamic_friction` is larger than `static_friction`", None);
            }
            [static_friction, dynamic_friction]
        }
        (None, None) => [context.require("friction", range); 2],
        (Some(_), None) => [context.require("dynamic_friction", range); 2],
        (None, Some(_)) => [context.require("static_friction", range); 2],
    }
}

fn damping_ratio(context: &mut PairContext<'_>) -> f64 {
    let given = context.optional("tangential_damping_ratio", 0.0..=f64::MAX);
    let normal = context.optional("damping_ratio", 0.0..=f64::MAX);
    let restitution = context.optional("restitution", f64::MIN_POSITIVE..=1.0);
    given
        .or(normal)
        .or(restitution.map(ratio_of_hertzian_contact))
        .or(context.damping_ratio)
        .unwrap_or(0.0)
}

#[derive(Debug)]
pub(crate) struct MindlinLaw {
    pub coefficients: Coefficients,
    young: f64,
    stiffness_ratio: f64,
    columns: Vec<HistoryColumn>,
}

/// The law's numbers for a pair of materials.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Coefficients {
    /// Stiffness of the spring for each metre of contact radius, and for each unit of the normal
    /// stiffness.
    pub per_contact_radius: f64,
    pub per_normal_stiffness: f64,
    pub damping_ratio: f64,
    pub static_friction: f64,
    pub dynamic_friction: f64,
    /// One where the damping force, and where the cohesion, count in the Coulomb limit; else zero.
    pub damping_counts: f64,
    pub cohesion_counts: f64,
}

impl Coefficients {
    /// Of the spring [N/m].
    fn stiffness(&self, forces: &Forces, lane: usize) -> f64 {
        self.per_contact_radius * forces.contact_radius[lane]
            + self.per_normal_stiffness * forces.normal_stiffness[lane]
    }
}

impl Law for MindlinLaw {
    fn evaluate(
        &self,
        contacts: &Contacts,
        step: &Step,
        history: &mut History<'_>,
        forces: &mut Forces,
    ) {
        let (Some((old, slid_before)), Some((new, slid))) =
            (history.old.split_first_chunk::<4>(), history.new.split_first_chunk_mut::<4>())
        else {
            return;
        };
        evaluate(&self.coefficients, contacts, old, new, forces);
        new[3] = forces.friction_excess;
        for (axis, (before, slid)) in slid_before.iter().zip(slid).enumerate() {
            sum_sliding(contacts, axis, [&old[axis], &new[axis], before], slid);
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

    /// Half a period of the spring against the inertia of sliding, 2/7 m*, as a share of the
    /// normal impact.
    fn contact_time(&self, encounter: &Encounter) -> Option<f64> {
        let normal = impact_duration(self.young, encounter);
        Some(normal * (2.0 / 7.0 / self.stiffness_ratio).sqrt())
    }
}

vectorise! {
    fn evaluate(law: &Coefficients, contacts: &Contacts, old: &[Column; 4], new: &mut [Column; 4], forces: &mut Forces) {
        for c in 0..WIDTH {
            let sheared = lane(law, &Shear {
                overlap: contacts.overlap[c],
                effective_mass: contacts.effective_mass[c],
                stiffness: law.per_contact_radius * forces.contact_radius[c]
                    + law.per_normal_stiffness * forces.normal_stiffness[c],
                pressure: forces.elastic[c]
                    + law.damping_counts * forces.damping[c]
                    + law.cohesion_counts * forces.cohesion[c],
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
    pub effective_mass: f64,
    /// Of the spring [N/m].
    pub stiffness: f64,
    /// The normal force in the Coulomb limit; negative counts as zero [N].
    pub pressure: f64,
    /// The trial spring [m].
    pub spring: [f64; 3],
    pub slip_velocity: [f64; 3],
}

/// What the law gives for one contact.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sheared {
    pub spring: [f64; 3],
    pub force: [f64; 3],
    /// How far the trial force is beyond the static limit [N].
    pub excess: f64,
}

/// The law for one contact.
#[inline(always)]
pub(crate) fn lane(law: &Coefficients, given: &Shear) -> Sheared {
    let Shear { overlap, effective_mass, stiffness, pressure, spring, slip_velocity } = *given;
    let dashpot = 2.0 * law.damping_ratio * (effective_mass * stiffness).sqrt();
    let trial = [
        -(stiffness * spring[0] + dashpot * slip_velocity[0]),
        -(stiffness * spring[1] + dashpot * slip_velocity[1]),
        -(stiffness * spring[2] + dashpot * slip_velocity[2]),
    ];
    let trial_size = (trial[0] * trial[0] + trial[1] * trial[1] + trial[2] * trial[2]).sqrt();
    let pressure = if pressure > 0.0 { pressure } else { 0.0 };
    let limit = law.dynamic_friction * pressure;
    let excess = trial_size - law.static_friction * pressure;
    let slips = excess > 0.0;
    let touching = overlap > 0.0;
    let inverse_size = 1.0 / positive(trial_size);
    // force = trial · shrink; in slip the spring points against the force
    let shrink = if slips { limit * inverse_size } else { 1.0 };
    let spring_size =
        (spring[0] * spring[0] + spring[1] * spring[1] + spring[2] * spring[2]).sqrt();
    let longest = limit / positive(stiffness);
    let cut = if longest < spring_size { longest } else { spring_size } * inverse_size;
    let held = |axis: usize| if slips { -cut * trial[axis] } else { spring[axis] };
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

/// The number, or the smallest one that can be divided by.
#[inline(always)]
fn positive(value: f64) -> f64 {
    if value > f64::MIN_POSITIVE { value } else { f64::MIN_POSITIVE }
}

/// The slip that the spring has not taken up, along one axis, since the contact began.
fn sum_sliding(
    contacts: &Contacts,
    axis: usize,
    [spring_before, spring, before]: [&Column; 3],
    slid: &mut Column,
) {
    for c in 0..WIDTH {
        let beyond = spring_before[c] + contacts.slip[axis][c] - spring[c];
        slid[c] = if contacts.overlap[c] > 0.0 { before[c] + beyond } else { 0.0 };
    }
}

/// Books what the spring holds and the power of the slip against the whole force; what is not held
/// is lost.
fn book(law: &Coefficients, contacts: &Contacts, spring: &[Column; 4], forces: &mut Forces) {
    for c in 0..WIDTH {
        let stiffness = law.stiffness(forces, c);
        let square: f64 = (0..3).map(|axis| spring[axis][c] * spring[axis][c]).sum();
        forces.tangential_energy[c] += 0.5 * stiffness * square;
        for axis in 0..3 {
            forces.tangential_power[c] -=
                forces.tangential[axis][c] * contacts.slip_velocity[axis][c];
        }
    }
}
