//! Linear spring: `F = k δ`. Not in the papers; the field's simplest law.
//!
//! The contact radius that other laws ask for is that of Hertz, `√(R* δ)`. Checked by the period
//! of an oscillator and by the restitution of a damped impact in closed form.

use crate::law::{
    ContactStiffness, Contacts, Encounter, Forces, History, Law, Model, PairContext, PairState,
    Step, Tension, WIDTH,
};
use crate::simd::multiversion;

/// A linear spring with the stiffness `normal_stiffness` of the pair [N/m].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Linear {
    /// What becomes of an attraction by damping at the end of a contact.
    pub tension: Tension,
}

impl Model for Linear {
    fn word(&self) -> &'static str {
        "linear"
    }

    fn for_pair(&self, context: &mut PairContext<'_>) -> Box<dyn Law> {
        context.tension = self.tension;
        Box::new(LinearLaw {
            stiffness: context.require("normal_stiffness", f64::MIN_POSITIVE..=f64::MAX),
        })
    }
}

#[derive(Debug)]
struct LinearLaw {
    stiffness: f64,
}

impl Law for LinearLaw {
    fn evaluate(
        &self,
        contacts: &Contacts,
        step: &Step,
        _history: &mut History<'_>,
        forces: &mut Forces,
    ) {
        evaluate(self.stiffness, contacts, forces);
        if step.ledger {
            for c in 0..WIDTH {
                forces.normal_energy[c] += 0.5 * forces.elastic[c] * contacts.overlap[c];
            }
        }
    }

    fn uses_rolling(&self) -> bool {
        false
    }

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

multiversion! {
    fn evaluate(stiffness: f64, contacts: &Contacts, forces: &mut Forces) {
        for c in 0..WIDTH {
            let overlap = contacts.overlap[c].max(0.0);
            forces.contact_radius[c] = (contacts.effective_radius[c] * overlap).sqrt();
            forces.normal_stiffness[c] = if overlap > 0.0 { stiffness } else { 0.0 };
            forces.elastic[c] = stiffness * overlap;
        }
    }
}
