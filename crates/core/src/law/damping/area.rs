//! Damping proportional to the contact area.
//!
//! `F = c_d A dδ/dt`, B(45)–(47), B(61), with the area `A = π a²` of the normal law: that of Hertz, or
//! the lens if this is an option of the power law.
//! The restitution depends on the speed, so there is no conversion. Checked by the impact on a wall without a spring,
//! which is `v sech²` in closed form (`tests/power_law.rs`).

use crate::law::slots::{Contact, DampingLaw, Elastic, InTable, next_as};
use crate::law::tensile_cutoff::{Floor, Released};
use crate::law::{
    ContactStiffness, Contacts, Encounter, Evaluate, Forces, History, Law, Model, Optional,
    PairContext, PairState, Step, TensileCutoff, dynamic,
};
use std::f64::consts::PI;

/// Damping proportional to the contact area, with `area_damping` c_d of the pair [N s/m³].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct AreaDamping {}

/// Parameter of a pair: `area_damping`.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::repulsion;
/// use esker::prelude::*;
///
/// let contact = ContactModel::normal(Hertz::default()).damping(AreaDamping::default());
/// let force = |velocity| repulsion(contact.clone(), Pair::new().area_damping(1e6), velocity);
/// assert!(force(Vec3::X * -0.1) > force(Vec3::ZERO)); // the grains approach each other
/// ```
impl Model for AreaDamping {
    fn name(&self) -> &'static str {
        "area"
    }

    fn for_pair(&self, context: &mut PairContext<'_>) -> Option<Box<dyn Law>> {
        let coefficient = context.require("area_damping", 0.0..=f64::MAX)?;
        let (tension, floor) = (context.tension, context.tension.floor());
        Some(Box::new(AreaDampingLaw { coefficient, tension, floor }))
    }
}

/// Damping in proportion to the contact area between one pair of materials.
#[derive(Debug, Clone, Copy)]
pub struct AreaDampingLaw {
    /// c_d [N s/m³].
    coefficient: f64,
    tension: TensileCutoff,
    floor: Floor,
}

impl Law for AreaDampingLaw {
    /// Without a spring it would stop the approach within an overlap of `√(2 m* v / (c_d dA/dδ))`; the contact time is
    /// the time to cover this distance. A lens has twice the area of Hertz, which is included.
    fn contact_time(&self, encounter: &Encounter) -> Option<f64> {
        let per_overlap = self.coefficient * 2.0 * PI * encounter.effective_radius;
        Some((2.0 * encounter.effective_mass / (per_overlap * encounter.speed)).sqrt())
    }

    fn stiffness(&self, _pair: &PairState, sum: &mut ContactStiffness) {
        sum.normal_dashpot += self.coefficient * PI * sum.contact_radius * sum.contact_radius;
    }
}

impl Evaluate for AreaDampingLaw {
    type History = Optional<Released>;

    fn evaluate(
        &self,
        contacts: &Contacts,
        step: &Step,
        history: History<'_, Optional<Released>>,
        forces: &mut Forces,
    ) {
        dynamic::damping(self, contacts, step, forces);
        self.tension.apply(contacts, step, history, forces);
    }

    fn presence(&self) -> bool {
        self.tension == TensileCutoff::Release
    }
}

impl InTable for AreaDampingLaw {
    fn take(laws: &mut std::slice::Iter<'_, Box<dyn Law>>) -> Option<Self> {
        next_as(laws).copied().filter(|law: &Self| law.tension != TensileCutoff::Release)
    }
}

impl DampingLaw for AreaDampingLaw {
    #[inline(always)]
    fn force(&self, contact: &Contact, elastic: &Elastic, _: f64) -> f64 {
        let area = PI * elastic.contact_radius * elastic.contact_radius;
        let damping = self.coefficient * area * contact.closing_speed;
        self.floor.limit(damping, elastic.force)
    }
}
