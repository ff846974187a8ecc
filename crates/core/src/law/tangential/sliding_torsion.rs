//! Coupled friction against sliding and torsion, after Leszczyński: the contact area slides and spins, and each motion
//! reduces the friction against the other.
//!
//! `T = -μ N F(λ) u/|u|`, `M = -μ N a 𝒯(λ) sgn ω_n`, `λ = |u|/(a |ω_n|)`: L(33)–(41), (48)–(54) with errata L-E18 to
//! L-E23, L-E29, L-E30; F and 𝒯 are in `contensou.rs` and `limit_curve.rs`. The coefficient decreases with the speed,
//! `μ = μ_d + (μ_s - μ_d) exp(-C |u|)`, L(39). a is the contact radius.
//!
//! Stick is elastic: `T* = T₀ - k_t Δs`, `M* = M₀ - ½ k_t a² Δθ`; if `(T*, M*)` is beyond the curve `(F, 𝒯)` times μ_s
//! N, or times μ N in a contact that slid at the accepted state (`SlipRule`), it is returned to the nearest point of
//! that of μ N, so that the ratio of dissipated slip to dissipated twist is λ. (Reduced by a common factor, it would
//! correspond to a λ that differs from that of the motion by up to a factor of two.) The viscous form has no history:
//! both forces times `w/√(w² + w_s²)` with `w² = |u|² + (a ω_n)²`; it creeps. A force that is kept while its stiffness
//! decreases gains energy on some paths; with `rescale` it decreases with the stiffness. Checked by
//! `tests/sliding_torsion.rs`.

mod chunk_friction;

use super::PressureShape;
use super::friction::Friction;
use super::limit_curve::Disc;
use super::{FrictionLimit, SlipRule, Stiffness};
use crate::law::normal::Area;
use crate::law::{
    ContactStiffness, Contacts, Evaluate, Forces, History, Law, Model, Optional, PairContext,
    PairState, Step, Transport, WIDTH,
};
use chunk_friction::{ChunkFriction, record_displacement};

/// Coupled sliding and torsion. Pair parameters: `friction`, or `static_friction`,
/// `dynamic_friction` and `friction_weakening` [s/m]; `smoothing_speed` [m/s] with viscous stick.
///
/// ```
/// use esker::law::tangential::{PressureShape, SlidingTorsion, TorsionStick};
/// use esker::prelude::*;
///
/// let law = SlidingTorsion {
///     stick: TorsionStick::Viscous, // needs `smoothing_speed` of the pair
///     pressure: PressureShape::Hertz,
///     ..SlidingTorsion::default()
/// };
/// let contact = ContactModel::normal(Hertz::default()).tangential(law);
/// assert_eq!(contact.tangential.unwrap().name(), "sliding-torsion");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct SlidingTorsion {
    /// Model of the sticking contact.
    pub stick: TorsionStick,
    /// Distribution of the pressure over the contact area.
    pub pressure: PressureShape,
    /// The contact area, for its radius; `lens` is that of L.
    pub area: Area,
    /// Stiffness of the sticking contact.
    pub stiffness: Stiffness,
    /// The normal force N in the Coulomb limit.
    pub friction_limit: FrictionLimit,
    /// Friction limit that is tested and stored if static and dynamic friction differ.
    pub slip_rule: SlipRule,
    /// Transport of the stored force with the tangent plane.
    pub transport: Transport,
    /// True if force and torque are reduced with their stiffness, so that no loading path gains
    /// energy.
    pub rescale: bool,
    /// True if elastic displacement and the slip beyond it are accumulated for output; does not
    /// change forces.
    pub record_sliding: bool,
}

/// Model of the sticking contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum TorsionStick {
    /// Elastically, up to the limit.
    #[default]
    Elastic,
    /// Viscous: friction decreases to zero with the speed.
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
                "`slip_rule` has no effect with viscous stick: no slip is stored",
                &format!("remove `slip_rule` or {viscous}"),
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
        let shear = self.stiffness.shear_modulus(context)?;
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
        /// Positive if the slip speed is above the smoothing speed, for output [N].
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
    /// Smoothing speed of viscous stick [m/s].
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
    /// True if a contact that slid at the accepted state is tested against the dynamic limit.
    slides_on: bool,
}

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
        let mut chunk = ChunkFriction::new(&self.rule, contacts, forces);
        let (viscous, elastic) = history.split();
        let (elastic, displacement) = elastic.split();
        if let (Some(smoothing), Some(mut history)) = (self.smoothing, viscous.present()) {
            chunk.viscous(&self.rule, smoothing, contacts, forces);
            for c in 0..WIDTH {
                history.set(c, ViscousHistory { friction_excess: forces.friction_excess[c] });
            }
        }
        if let Some(mut history) = elastic.present() {
            let slides_on = self.rule.friction.slides_on(step.elapsed);
            let rule = Rule { slides_on, ..self.rule };
            chunk.elastic(&rule, contacts, &mut history, forces);
            if let Some(displacement) = displacement.present() {
                record_displacement(contacts, &history, displacement);
            }
            if step.ledger {
                chunk.add_energies(&history, forces);
            }
        }
        chunk.add(contacts, step.ledger, forces);
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

    /// The springs of a contact that sticks. Viscous stick is limited by friction: if a step is too long for its slope
    /// at rest, slip alternates below `μ N Δt/m` and does not grow.
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

    fn states_dashpots(&self) -> bool {
        self.smoothing.is_none()
    }
}

impl Rule {
    #[inline(always)]
    fn stiffness(&self, forces: &Forces, c: usize) -> f64 {
        self.per_contact_radius * forces.contact_radius[c]
            + self.per_normal_stiffness * forces.normal_stiffness[c]
    }
}
