//! Linear spring: `F = k δ`. Not in the papers; the simplest law of the field.
//!
//! The contact radius that other laws use is that of Hertz, `√(R* δ)`. Checked by the period
//! of an oscillator and by the restitution of a damped impact in closed form.

use super::hertz::contact_radius;
use crate::law::slots::{Contact, Elastic, InTable, NormalLaw, next_as};
use crate::law::{
    ContactStiffness, Contacts, Encounter, Evaluate, Forces, History, Law, Model, PairContext,
    PairState, Step, TensileCutoff, WIDTH, dynamic,
};

/// A linear spring with the stiffness `normal_stiffness` of the pair [N/m].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Linear {
    /// Treatment of tensile forces at the end of a contact.
    pub tension: TensileCutoff,
}

/// Parameter of a pair: `normal_stiffness`.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::{repulsion, OVERLAP};
/// use esker::prelude::*;
///
/// let pair = Pair::new().normal_stiffness(2e4);
/// let force = repulsion(ContactModel::normal(Linear::default()), pair, Vec3::ZERO);
/// assert!((force / (2e4 * OVERLAP) - 1.0).abs() < 1e-9);
/// ```
impl Model for Linear {
    fn name(&self) -> &'static str {
        "linear"
    }

    fn for_pair(&self, context: &mut PairContext<'_>) -> Option<Box<dyn Law>> {
        context.tension = self.tension;
        let stiffness = context.require("normal_stiffness", f64::MIN_POSITIVE..=f64::MAX)?;
        Some(Box::new(LinearLaw { stiffness }))
    }
}

/// A linear spring between one pair of materials.
#[derive(Debug, Clone, Copy)]
pub struct LinearLaw {
    /// k [N/m].
    stiffness: f64,
}

impl Law for LinearLaw {
    fn contact_time(&self, encounter: &Encounter) -> Option<f64> {
        Some(std::f64::consts::PI * (encounter.effective_mass / self.stiffness).sqrt())
    }

    /// `v √(m*/k)`.
    fn impact_overlap(&self, encounter: &Encounter) -> Option<f64> {
        Some(encounter.speed * (encounter.effective_mass / self.stiffness).sqrt())
    }

    fn stiffness(&self, pair: &PairState, sum: &mut ContactStiffness) {
        if pair.overlap > 0.0 {
            sum.contact_radius = (pair.effective_radius * pair.overlap).sqrt();
            sum.elastic_force = self.stiffness * pair.overlap;
            sum.normal += self.stiffness;
        }
    }

    fn deepest_overlap(&self, encounter: &Encounter, overlap: f64) -> Option<f64> {
        let Encounter { effective_mass, speed, .. } = *encounter;
        let overlap = overlap.max(0.0);
        Some((overlap * overlap + effective_mass * speed * speed / self.stiffness).sqrt())
    }
}

impl Evaluate for LinearLaw {
    type History = ();

    fn evaluate(&self, contacts: &Contacts, step: &Step, _: History<'_, ()>, forces: &mut Forces) {
        dynamic::normal(self, contacts, step, forces);
        if step.ledger {
            for c in 0..WIDTH {
                forces.normal_energy[c] += 0.5 * forces.elastic[c] * contacts.overlap[c];
            }
        }
    }
}

impl InTable for LinearLaw {
    fn take(laws: &mut std::slice::Iter<'_, Box<dyn Law>>) -> Option<Self> {
        next_as(laws).copied()
    }
}

impl NormalLaw for LinearLaw {
    #[inline(always)]
    fn contact_radius(&self, contact: &Contact) -> f64 {
        contact_radius(contact)
    }

    #[inline(always)]
    fn force(&self, contact: &Contact, contact_radius: f64) -> Elastic {
        let overlap = if contact.overlap > 0.0 { contact.overlap } else { 0.0 };
        let stiffness = if overlap > 0.0 { self.stiffness } else { 0.0 };
        Elastic { contact_radius, stiffness, force: self.stiffness * overlap }
    }
}
