//! Spring and dashpot with a Coulomb limit; the spring is stored and follows the tangent plane. One
//! law with one return map; `mindlin`, `spring-dashpot` and `rolling-mapped` are settings of it.
//!
//! Trial: `s = T(s₀) + Δs`, `f = -(k_t s + d_t u)`, `k_t = 8 G* √(R* δ)`, `d_t = 2 ξ_t √(m* k_t)`. A contact that stuck
//! at the accepted state sticks while `|f| ≤ μ_s N`; one that slid sticks again if `|f| ≤ μ_d N` (`SlipRule`);
//! otherwise `f ← μ_d N f/|f|` and the spring is reduced to `-(f/|f|) min(|f|/k_t, |s|)`. The bound |s| prevents a new
//! contact, whose `1/k_t` diverges, from storing energy that it never received. C15(25)–(38), C16(25)–(39) with the
//! signs of errata E4, E7 and Mindlin's stiffness (E8). The excess of the trial force over its limit, which is stored
//! for output in any case, indicates whether a contact slid.
//!
//! A stiffness that depends on the load gains or loses energy on some paths; the ledger records it as sliding loss.
//! With `rescale` the spring is shortened as its stiffness grows, `s ← s k_before/k_now`, and no path gains energy.
//! Checked by slip-to-roll, inclines and an oblique impact (`tests/friction.rs`).

use super::friction::Friction;
use super::returns::{keep_static_limit, return_with_dashpot};
use super::spring_force::{Coefficients, Spring, SpringHistory, SpringOwnRoot};
use super::{FrictionLimit, SlipRule};
use crate::law::slots::{InTable, critical_root, next_as};
use crate::law::{
    Column, ContactStiffness, Contacts, Evaluate, Forces, History, Law, Mapping, Optional,
    PairContext, PairState, Record, Step, Transport, WIDTH, dynamic,
};
use crate::material::Material;

/// Name of the history field of the elastic displacement.
pub(crate) const SPRING: &str = "spring";

/// Name of the history field of the trial force minus its limit.
pub(crate) const EXCESS: &str = "friction excess";

/// Name of the history field of the slip beyond the spring.
pub(crate) const SLIDING: &str = "sliding displacement";

crate::history! {
    /// Stored with `rescale`.
    pub struct SpringStiffness {
        /// Stiffness of the spring at the accepted state [N/m].
        pub spring_stiffness: f64,
    }
}

crate::history! {
    /// Stored with `record_sliding`.
    pub struct Sliding {
        /// Slip beyond the spring since the contact began [m].
        pub sliding_displacement: [f64; 3],
    }
}

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

/// Length of the spring in slip.
///
/// ```
/// use esker::law::tangential::{Return, SpringDashpot};
/// use esker::prelude::*;
///
/// let tangential = SpringDashpot { return_rule: Return::WithDashpot, ..SpringDashpot::default() };
/// let contact = ContactModel::normal(Hertz::default()).tangential(tangential);
/// assert_eq!(contact.tangential.unwrap().name(), "spring-dashpot");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Return {
    /// The length that carries the friction limit, at most the present length: `-(f/|f|)
    /// min(|f|/k_t, |s|)`.
    #[default]
    Spring,
    /// The length that carries the friction limit together with the dashpot, `-(f + d_t u)/k_t`, as
    /// in other codes: reverses the spring at the beginning of a contact. For comparison only.
    WithDashpot,
}

/// Differences between the laws of this family.
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

/// Creates the law of a pair.
pub(super) fn law(
    settings: &Settings,
    damping_ratio: f64,
    context: &mut PairContext<'_>,
) -> Option<impl Law + 'static + use<>> {
    let friction = Friction::for_pair(settings.friction_limit, settings.slip_rule, context);
    if settings.slip_rule == SlipRule::C16 && settings.return_rule == Return::WithDashpot {
        // the only one of the family that has both options
        let rule = context.choice("slip_rule", "C16");
        let returned = context.choice("return_rule", "WithDashpot");
        context.problem_at(
            "contact.tangential.spring-dashpot.slip_rule",
            format!("{rule} and {returned} both determine the spring in slip"),
            "remove one of them: `c16` keeps the static limit in the spring",
        );
    }
    settings.stiffness.check(context);
    let friction = friction?;
    let shear = settings.stiffness.shear_modulus(context)?;
    let (per_contact_radius, per_normal_stiffness) = match settings.stiffness {
        Stiffness::Ratio(ratio) => (0.0, ratio),
        _ => (8.0 * shear, 0.0),
    };
    let stiffness_ratio = match settings.stiffness {
        Stiffness::Ratio(ratio) => Some(ratio),
        _ => context.stiffness_per_radius.map(|normal| per_contact_radius / normal),
    };
    Some(SpringLaw {
        coefficients: Coefficients {
            per_contact_radius,
            per_normal_stiffness,
            damping_ratio,
            per_root: stiffness_ratio.map(|ratio| 2.0 * damping_ratio * ratio.sqrt()),
            friction,
        },
        settings: *settings,
    })
}

impl Stiffness {
    /// Reports an invalid ratio.
    pub(super) fn check(self, context: &mut PairContext<'_>) {
        if let Self::Ratio(ratio) = self
            && !(ratio > 0.0 && ratio.is_finite())
        {
            let help = "a fraction of the normal stiffness: 2/7 to 1 is usual";
            context.problem(format!("the ratio of stiffnesses is {ratio}"), Some(help.into()));
        }
    }

    /// G* [Pa].
    pub(super) fn shear_modulus(self, context: &PairContext<'_>) -> Option<f64> {
        match self {
            Self::Printed => {
                let [first, second] = context.materials.map(Material::elastic);
                Some(1.0 / (1.0 / first?.shear_modulus() + 1.0 / second?.shear_modulus()))
            }
            _ => context.effective_shear_modulus(),
        }
    }
}

#[derive(Debug)]
struct SpringLaw {
    coefficients: Coefficients,
    settings: Settings,
}

impl Law for SpringLaw {
    fn tangential_stiffness(&self, forces: &Forces, lane: usize) -> f64 {
        self.coefficients.stiffness(forces, lane)
    }

    fn mapping(&self) -> Option<Mapping> {
        self.settings.mapping
    }

    fn stiffness(&self, pair: &PairState, sum: &mut ContactStiffness) {
        let law = &self.coefficients;
        let stiffness = law.stiffness_of(sum.contact_radius, sum.normal);
        sum.slip += stiffness;
        sum.slip_dashpot += match law.per_root {
            Some(per_root) => per_root * critical_root(pair.effective_mass, sum.normal),
            None => 2.0 * law.damping_ratio * critical_root(pair.effective_mass, stiffness),
        };
    }
}

impl SpringLaw {
    /// Springs of a chunk with given accepted history.
    fn evaluate_spring(
        &self,
        contacts: &Contacts,
        step: &Step,
        history: &mut History<'_, SpringHistory>,
        forces: &mut Forces,
    ) {
        let law = self.coefficients;
        match law.per_root {
            Some(per_root) => {
                dynamic::tangential(&Spring { law, per_root }, contacts, step, history, forces);
            }
            None => dynamic::tangential(&SpringOwnRoot { law }, contacts, step, history, forces),
        }
        if self.settings.return_rule == Return::WithDashpot {
            return_with_dashpot(&law, contacts, history, forces);
        } else if law.friction.rule == SlipRule::C16 {
            keep_static_limit(&law, contacts, history, forces);
        }
    }
}

impl Evaluate for SpringLaw {
    type History = (SpringHistory, (Optional<SpringStiffness>, Optional<Sliding>));

    fn evaluate(
        &self,
        contacts: &Contacts,
        step: &Step,
        history: History<'_, Self::History>,
        forces: &mut Forces,
    ) {
        let (mut history, optional) = history.split();
        let (stiffness, sliding) = optional.split();
        let mut softened = [[0.0; WIDTH]; 4];
        if let Some(mut stiffness) = stiffness.present() {
            soften(&self.coefficients, forces, &history, &mut stiffness, &mut softened);
            history = history.with_old(&softened);
        }
        self.evaluate_spring(contacts, step, &mut history, forces);
        if let Some(sliding) = sliding.present() {
            let springs = |c: usize| [history.old(c).spring, history.new_value(c).spring];
            sum_sliding(contacts, springs, sliding);
        }
        if step.ledger {
            add_energies(&self.coefficients, contacts, &history, forces);
        }
    }

    fn presence(&self) -> ((), (bool, bool)) {
        ((), (self.settings.rescale, self.settings.record_sliding))
    }

    fn transport(&self) -> Transport {
        self.settings.transport
    }
}

/// If the stiffness has grown since the accepted state, the spring is shortened so that its force does not grow.
fn soften(
    law: &Coefficients,
    forces: &Forces,
    history: &History<'_, SpringHistory>,
    stiffness: &mut History<'_, SpringStiffness>,
    softened: &mut [Column; 4],
) {
    for c in 0..WIDTH {
        let present = law.stiffness(forces, c);
        let before = stiffness.old(c).spring_stiffness;
        let fraction = if present > before { before / present } else { 1.0 };
        stiffness.set(c, SpringStiffness { spring_stiffness: present });
        let old = history.old(c);
        let spring = [fraction * old.spring[0], fraction * old.spring[1], fraction * old.spring[2]];
        SpringHistory { spring, ..old }.store(softened, 0, c);
    }
}

/// Adds the slip beyond the spring since the contact began. `springs` returns the elastic displacement of a lane in the
/// accepted and in the current state.
pub(super) fn sum_sliding(
    contacts: &Contacts,
    springs: impl Fn(usize) -> [[f64; 3]; 2],
    mut sliding: History<'_, Sliding>,
) {
    for c in 0..WIDTH {
        let [before, now] = springs(c);
        let old = sliding.old(c).sliding_displacement;
        let sliding_displacement = std::array::from_fn(|axis| {
            let beyond = before[axis] + contacts.slip[axis][c] - now[axis];
            if contacts.overlap[c] > 0.0 { old[axis] + beyond } else { 0.0 }
        });
        sliding.set(c, Sliding { sliding_displacement });
    }
}

/// Adds the energy of the spring and the power of the slip against the whole force; the difference is
/// dissipated.
fn add_energies(
    law: &Coefficients,
    contacts: &Contacts,
    history: &History<'_, SpringHistory>,
    forces: &mut Forces,
) {
    for c in 0..WIDTH {
        let stiffness = law.stiffness(forces, c);
        let square: f64 = history.new_value(c).spring.iter().map(|value| value * value).sum();
        forces.tangential_energy[c] += 0.5 * stiffness * square;
        let power = |axis: usize| forces.tangential[axis][c] * contacts.slip_velocity[axis][c];
        // the part of a bond is in the force already
        forces.tangential_power[c] = -(power(0) + power(1) + power(2));
    }
}

/// The coefficients of the next law, if it has no options that a kernel does not support.
fn next_plain(laws: &mut std::slice::Iter<'_, Box<dyn Law>>) -> Option<Coefficients> {
    let SpringLaw { coefficients, settings, .. } = next_as(laws)?;
    let is_plain = settings.return_rule == Return::Spring
        && settings.slip_rule != SlipRule::C16
        && settings.mapping.is_none()
        && !settings.rescale
        && !settings.record_sliding;
    is_plain.then_some(*coefficients)
}

impl InTable for Spring {
    fn take(laws: &mut std::slice::Iter<'_, Box<dyn Law>>) -> Option<Self> {
        let law = next_plain(laws)?;
        Some(Self { law, per_root: law.per_root? })
    }
}

impl InTable for SpringOwnRoot {
    fn take(laws: &mut std::slice::Iter<'_, Box<dyn Law>>) -> Option<Self> {
        let law = next_plain(laws)?;
        law.per_root.is_none().then_some(Self { law })
    }
}
