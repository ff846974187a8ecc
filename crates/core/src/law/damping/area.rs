//! Damping in proportion to the contact area.
//!
//! `F = c_d A dδ/dt`, B(45)–(47), B(61), with the area `A = π a²` of the normal law: that of Hertz, or
//! the lens where the power law is told so.
//!
//! The restitution depends on the speed, so there is no map from one to the other. Checked by the
//! impact on a wall without a spring, which is `v sech²` in closed form (`tests/area_damping.rs`).

use crate::law::tension::Floor;
use crate::law::{
    ContactStiffness, Contacts, Encounter, Forces, History, HistoryColumn, Law, Model, PairContext,
    PairState, Step, Tension, WIDTH,
};
use crate::simd::multiversion;
use std::f64::consts::PI;

/// Damping in proportion to the contact area, with `area_damping` c_d of the pair [N s/m³].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct AreaDamping {}

impl Model for AreaDamping {
    fn word(&self) -> &'static str {
        "area"
    }

    fn for_pair(&self, context: &mut PairContext<'_>) -> Box<dyn Law> {
        let coefficient = context.require("area_damping", 0.0..=f64::MAX);
        Box::new(AreaDampingLaw { coefficient, tension: context.tension })
    }
}

#[derive(Debug)]
struct AreaDampingLaw {
    coefficient: f64,
    tension: Tension,
}

impl Law for AreaDampingLaw {
    fn evaluate(
        &self,
        contacts: &Contacts,
        step: &Step,
        history: &mut History<'_>,
        forces: &mut Forces,
    ) {
        evaluate(self.coefficient, self.tension.floor(), contacts, forces);
        self.tension.apply(contacts, step, history, forces);
    }

    fn history(&self) -> &[HistoryColumn] {
        self.tension.history()
    }

    fn uses_rolling(&self) -> bool {
        false
    }

    /// Alone it would stop the approach within an overlap of `√(2 m* v / (c_d dA/dδ))`: the time to
    /// go that far. A lens has twice the area of Hertz, and counts here.
    fn contact_time(&self, encounter: &Encounter) -> Option<f64> {
        let per_overlap = self.coefficient * 2.0 * PI * encounter.effective_radius;
        Some((2.0 * encounter.effective_mass / (per_overlap * encounter.speed)).sqrt())
    }

    fn stiffness(&self, _pair: &PairState, sum: &mut ContactStiffness) {
        sum.normal_dashpot += self.coefficient * PI * sum.contact_radius * sum.contact_radius;
    }
}

multiversion! {
    fn evaluate(coefficient: f64, floor: Floor, contacts: &Contacts, forces: &mut Forces) {
        for c in 0..WIDTH {
            let area = PI * forces.contact_radius[c] * forces.contact_radius[c];
            let damping = coefficient * area * contacts.closing_speed[c];
            forces.damping[c] = floor.limit(damping, forces.elastic[c]);
        }
    }
}
