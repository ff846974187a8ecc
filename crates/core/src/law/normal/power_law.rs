//! A power of the strain times the contact area.
//!
//! `F = K ε^P A`, `ε = δ / (r₁ + r₂)`, at a wall `δ / r`; B(19), B(56), printed with "∝". The area is
//! that of Hertz, `A = π R* δ`, B(35), or that of the lens in which the spheres intersect,
//! B(23)–(31), as in the paper.
//!
//! With `P = ½`, the area of Hertz and `K = 4 E* √(r₁ + r₂) / (3 π √R*)` it is Hertz's law. Checked
//! by that, by the duration of impacts in closed form and by the ledger (`tests/power_law.rs`).

use super::Area;
use crate::law::{
    Column, ContactStiffness, Contacts, Encounter, Evaluate, Forces, History, Law, Model,
    PairContext, PairState, Step, TensileCutoff, WIDTH,
};
use crate::simd::multiversion;
use std::f64::consts::PI;

/// Power of the strain times the contact area, with `contact_modulus` K [Pa] and `strain_exponent` P
/// of the pair.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct PowerLaw {
    /// The contact area A.
    pub area: Area,
    /// Treatment of tensile forces at the end of a contact.
    pub tension: TensileCutoff,
}

/// Parameters of a pair: `contact_modulus`, `strain_exponent`.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::repulsion;
/// use esker::prelude::*;
///
/// let force = |modulus| {
///     let pair = Pair::new().contact_modulus(modulus).strain_exponent(0.5);
///     repulsion(ContactModel::normal(PowerLaw::default()), pair, Vec3::ZERO)
/// };
/// assert!((force(2e6) / force(1e6) - 2.0).abs() < 1e-9);
/// ```
impl Model for PowerLaw {
    fn name(&self) -> &'static str {
        "power-law"
    }

    fn for_pair(&self, context: &mut PairContext<'_>) -> Option<Box<dyn Law>> {
        context.tension = self.tension;
        let modulus = context.require("contact_modulus", f64::MIN_POSITIVE..=f64::MAX);
        let exponent = context.require("strain_exponent", 0.0..=10.0);
        Some(Box::new(PowerLawLaw { modulus: modulus?, exponent: exponent?, area: self.area }))
    }
}

#[derive(Debug)]
struct PowerLawLaw {
    modulus: f64,
    exponent: f64,
    area: Area,
}

impl Evaluate for PowerLawLaw {
    type History = ();

    fn evaluate(&self, contacts: &Contacts, step: &Step, _: History<'_, ()>, forces: &mut Forces) {
        let mut pressure = [0.0; WIDTH];
        strains(contacts, &mut pressure);
        raise(&mut pressure, self.exponent);
        pressure.iter_mut().for_each(|pressure| *pressure *= self.modulus);
        match self.area {
            Area::Hertz => on_hertz_area(self.exponent, &pressure, contacts, forces),
            Area::Lens => on_lens(self.exponent, &pressure, contacts, forces),
        }
        if step.ledger {
            self.add_energies(&pressure, contacts, forces);
        }
    }
}

impl Law for PowerLawLaw {
    fn force_exponent(&self) -> f64 {
        self.exponent + 1.0
    }

    /// Duration of an impact with `F = c δ^n`, n = P + 1, the limit of the law for small overlaps: `2 (δ/v) √π Γ(1 + q)
    /// / Γ(½ + q)`, q = 1/(n + 1), with `c δ^{n+1}/(n+1) = ½ m* v²`.
    fn contact_time(&self, encounter: &Encounter) -> Option<f64> {
        let power = 1.0 / (self.exponent + 2.0);
        let deepest = self.impact_overlap(encounter)?;
        let shape = PI.sqrt() * libm::tgamma(1.0 + power) / libm::tgamma(0.5 + power);
        Some(2.0 * deepest / encounter.speed * shape)
    }

    /// From `c δ^{n+1}/(n+1) = ½ m* v²`, n = P + 1.
    fn impact_overlap(&self, encounter: &Encounter) -> Option<f64> {
        let Encounter { effective_radius, effective_mass, speed, radius_sum, .. } = *encounter;
        let power = 1.0 / (self.exponent + 2.0);
        let coefficient = self.modulus * PI * self.area.factor() * effective_radius
            / libm::pow(radius_sum, self.exponent);
        let energy = 0.5 * effective_mass * speed * speed;
        Some(libm::pow(energy / (power * coefficient), power))
    }

    fn stiffness(&self, pair: &PairState, sum: &mut ContactStiffness) {
        let PairState { radii, effective_radius, overlap, .. } = *pair;
        if !(overlap > 0.0) {
            return;
        }
        let [square, slope] = self.area.square_of(effective_radius, radii, overlap);
        let pressed = PI * self.modulus * libm::pow(overlap / pair.radius_sum(), self.exponent);
        sum.contact_radius = square.sqrt();
        sum.elastic_force = pressed * square;
        sum.normal += pressed * (self.exponent * square / overlap + slope);
    }
}

impl PowerLawLaw {
    /// ∫F dδ. With the area of Hertz it is Fδ/(P + 2). With the lens, a² / x at the overlap δ x is linear in x for
    /// equal spheres and at walls, and nearly linear otherwise: approximated by the parabola through x = 0, ½ and 1,
    /// with a relative error of about 0.01 (δ/r)³.
    fn add_energies(&self, pressure: &Column, contacts: &Contacts, forces: &mut Forces) {
        for c in 0..WIDTH {
            let overlap = contacts.overlap[c].max(0.0);
            let at = |x: f64| self.area.square(contacts, c, x * overlap)[0] / x;
            let start = self.area.factor() * contacts.effective_radius[c] * overlap;
            let (middle, end) = (at(0.5), at(1.0));
            let slope = 4.0 * middle - 3.0 * start - end;
            let bend = 2.0 * (start + end) - 4.0 * middle;
            let power = self.exponent;
            let moment = start / (power + 2.0) + slope / (power + 3.0) + bend / (power + 4.0);
            forces.normal_energy[c] += PI * pressure[c] * overlap * moment;
        }
    }
}

multiversion! {
    fn strains(contacts: &Contacts, strains: &mut Column) {
        for c in 0..WIDTH {
            // the second radius is zero at a wall
            strains[c] = contacts.overlap[c].max(0.0) / (contacts.radius[0][c] + contacts.radius[1][c]);
        }
    }
}

/// Raises a column to a power; common exponents need no logarithm.
fn raise(column: &mut Column, exponent: f64) {
    if exponent == 0.5 {
        column.iter_mut().for_each(|value| *value = value.sqrt());
    } else if exponent == 1.5 {
        column.iter_mut().for_each(|value| *value *= value.sqrt());
    } else if exponent != 1.0 {
        column.iter_mut().for_each(|value| *value = libm::pow(*value, exponent));
    }
}

multiversion! {
    fn on_hertz_area(exponent: f64, pressure: &Column, contacts: &Contacts, forces: &mut Forces) {
        press(Area::Hertz, exponent, pressure, contacts, forces);
    }
}

multiversion! {
    fn on_lens(exponent: f64, pressure: &Column, contacts: &Contacts, forces: &mut Forces) {
        press(Area::Lens, exponent, pressure, contacts, forces);
    }
}

#[inline(always)]
fn press(area: Area, exponent: f64, pressure: &Column, contacts: &Contacts, forces: &mut Forces) {
    for c in 0..WIDTH {
        let overlap = contacts.overlap[c].max(0.0);
        let touching = if overlap > 0.0 { 1.0 } else { 0.0 };
        let [square, slope] = area.square(contacts, c, overlap);
        let pressed = touching * PI * pressure[c];
        forces.contact_radius[c] = square.sqrt();
        forces.elastic[c] = pressed * square;
        // d(ε^P A)/dδ = ε^P (P A/δ + dA/dδ)
        let ratio = square / overlap.max(f64::MIN_POSITIVE);
        forces.normal_stiffness[c] = pressed * (exponent * ratio + slope);
    }
}
