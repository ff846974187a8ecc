//! Elastic contact of two smooth spheres.
//!
//! `F = 4/3 E* √R* δ^{3/2}` — Hertz; B(32), B(62), C16(20), C15(19), Z(14). Campello prints the
//! force with a positive sign for a negative overlap (docs/errata.md E3); here it repels.
//!
//! Valid for δ ≪ R* and no plasticity. Checked by the peak force, overlap and duration of an
//! impact in closed form (`tests/hertz_impact.rs`).

use crate::law::slots::{Contact, Elastic, InTable, NormalLaw, next_as};
use crate::law::{
    ContactStiffness, Contacts, Encounter, Evaluate, Forces, History, Law, Model, PairContext,
    PairState, Step, TensileCutoff, WIDTH, dynamic,
};

/// Hertz's law.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Hertz {
    /// Treatment of tensile forces at the end of a contact.
    pub tension: TensileCutoff,
}

/// Needs no parameters of pairs.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::{repulsion, OVERLAP, RADIUS};
/// use esker::prelude::*;
///
/// let force = repulsion(ContactModel::normal(Hertz::default()), Pair::new(), Vec3::ZERO);
/// let modulus = 1e7 / (2.0 * (1.0 - 0.25_f64.powi(2))); // E* of two equal materials
/// let expected = 4.0 / 3.0 * modulus * (0.5 * RADIUS).sqrt() * OVERLAP.powf(1.5);
/// assert!((force / expected - 1.0).abs() < 1e-9);
/// ```
impl Model for Hertz {
    fn name(&self) -> &'static str {
        "hertz"
    }

    fn for_pair(&self, context: &mut PairContext<'_>) -> Option<Box<dyn Law>> {
        context.tension = self.tension;
        let effective_young_modulus = context.effective_young_modulus()?;
        context.stiffness_per_radius = Some(2.0 * effective_young_modulus);
        Some(Box::new(HertzLaw { effective_young_modulus }))
    }
}

/// Hertz's law for one pair of materials.
#[derive(Debug, Clone, Copy)]
pub struct HertzLaw {
    /// E* [Pa].
    effective_young_modulus: f64,
}

impl Law for HertzLaw {
    fn force_exponent(&self) -> f64 {
        1.5
    }

    fn contact_time(&self, encounter: &Encounter) -> Option<f64> {
        Some(impact_duration(self.effective_young_modulus, encounter))
    }

    /// Compares the fifth powers, without a power function.
    fn lasts_longer(&self, encounter: &Encounter, time: f64) -> bool {
        let Encounter { effective_radius, effective_mass, speed, .. } = *encounter;
        let relative = time / DURATION_FACTOR;
        let square = relative * relative;
        let modulus = self.effective_young_modulus;
        let limit = square * square * relative * effective_radius * modulus * modulus * speed;
        effective_mass * effective_mass > (1.0 + 1e-9) * limit
    }

    /// `(15/16 m* v² / (E* √R*))^{2/5}`: the kinetic energy is stored, 2/5 F δ = ½ m* v².
    fn impact_overlap(&self, encounter: &Encounter) -> Option<f64> {
        let Encounter { effective_radius, effective_mass, speed, .. } = *encounter;
        let stiffness = self.effective_young_modulus * effective_radius.sqrt();
        Some(libm::pow(0.9375 * effective_mass * speed * speed / stiffness, 0.4))
    }

    fn stiffness(&self, pair: &PairState, sum: &mut ContactStiffness) {
        let overlap = pair.overlap.max(0.0);
        let contact_radius = (pair.effective_radius * overlap).sqrt();
        let stiffness = 2.0 * self.effective_young_modulus * contact_radius;
        sum.contact_radius = contact_radius;
        sum.elastic_force = 2.0 / 3.0 * stiffness * overlap;
        sum.normal += stiffness;
    }

    /// The root of `δ^{5/2} = δ₀^{5/2} + 15/16 m* v²/(E* √R*)`; if it is near δ₀, by two steps of Newton's method,
    /// which start above the root of this convex function and remain above it.
    fn deepest_overlap(&self, encounter: &Encounter, overlap: f64) -> Option<f64> {
        let Encounter { effective_radius, effective_mass, speed, .. } = *encounter;
        if !(overlap > 0.0) {
            return self.impact_overlap(encounter);
        }
        let stiffness = self.effective_young_modulus * effective_radius.sqrt();
        let added = 0.9375 * effective_mass * speed * speed / stiffness;
        let power = |overlap: f64| overlap * overlap.sqrt();
        let stored = overlap * power(overlap);
        let target = stored + added;
        if added > 4.0 * stored {
            return Some(libm::pow(target, 0.4));
        }
        let mut deepest = overlap + 0.4 * added / power(overlap);
        for _ in 0..2 {
            let slope = power(deepest);
            deepest -= 0.4 * (deepest - target / slope);
        }
        Some(deepest)
    }
}

impl Evaluate for HertzLaw {
    type History = ();

    fn evaluate(&self, contacts: &Contacts, step: &Step, _: History<'_, ()>, forces: &mut Forces) {
        dynamic::normal(self, contacts, step, forces);
        if step.ledger {
            for c in 0..WIDTH {
                // ∫F dδ = 2/5 F δ
                forces.normal_energy[c] += 0.4 * forces.elastic[c] * contacts.overlap[c];
            }
        }
    }
}

impl InTable for HertzLaw {
    fn take(laws: &mut std::slice::Iter<'_, Box<dyn Law>>) -> Option<Self> {
        next_as(laws).copied()
    }
}

impl NormalLaw for HertzLaw {
    #[inline(always)]
    fn contact_radius(&self, contact: &Contact) -> f64 {
        contact_radius(contact)
    }

    #[inline(always)]
    fn force(&self, contact: &Contact, contact_radius: f64) -> Elastic {
        let overlap = if contact.overlap > 0.0 { contact.overlap } else { 0.0 };
        let stiffness = 2.0 * self.effective_young_modulus * contact_radius;
        Elastic { contact_radius, stiffness, force: 2.0 / 3.0 * stiffness * overlap }
    }
}

/// Radius of Hertz's contact area, √(R* δ) [m].
#[inline(always)]
pub(super) fn contact_radius(contact: &Contact) -> f64 {
    let overlap = if contact.overlap > 0.0 { contact.overlap } else { 0.0 };
    (contact.effective_radius * overlap).sqrt()
}

/// Coefficient of the duration of an impact, 2.9433 (15/16)^{2/5}.
const DURATION_FACTOR: f64 = 2.868_265;

/// Duration of an elastic impact, `2.87 (m*² / (R* E*² v))^{1/5}` [s]; C15(50), C16(51).
fn impact_duration(effective_young_modulus: f64, encounter: &Encounter) -> f64 {
    let Encounter { effective_radius, effective_mass, speed, .. } = *encounter;
    let argument = effective_mass * effective_mass
        / (effective_radius * effective_young_modulus * effective_young_modulus * speed);
    DURATION_FACTOR * libm::pow(argument, 0.2)
}
