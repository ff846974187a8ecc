//! Adhesion of partners that have been compressed beyond a critical strain.
//!
//! Attraction `k ε^β` while `ε ≥ ε_c`, with the strain `ε = δ/(r₁ + r₂)`, at a wall `δ/r`. C16(16)–(19). The unit of k
//! is the newton, though the paper's example lists N/m; its value there exceeds the limit up to which the elastic force
//! balances the attraction by a factor of 18, so that the contact collapses (docs/errata.md E11). With β = 3/2 and
//! Hertz's law this limit is `4/3 E* √R* (r₁+r₂)^{3/2}`; a scene beyond it gets a warning.
//!
//! As printed, the law has no history: the attraction ends at ε_c, where it began, and is conservative. With
//! `persistent` it acts until the surfaces separate, and the energy released when it begins is dissipated. Checked by
//! `tests/cohesion/adhesion.rs`.

use super::{Power, hertz_overlap};
use crate::law::{
    Column, ContactStiffness, Contacts, Encounter, Evaluate, Forces, History, Law, Model, Optional,
    PairContext, PairState, Step, WIDTH,
};
use crate::simd::multiversion;

/// Adhesion by `adhesion_coefficient` k [N], `adhesion_exponent` β and `adhesion_critical_strain`
/// ε_c of the pair.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Adhesion {
    /// True if the attraction persists, once the critical strain was reached, until the surfaces
    /// separate.
    pub persistent: bool,
}

/// Parameters of a pair: `adhesion_coefficient`, `adhesion_exponent`, `adhesion_critical_strain`.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::repulsion;
/// use esker::prelude::*;
///
/// let hertz = ContactModel::normal(Hertz::default());
/// let pair = Pair::new()
///     .adhesion_coefficient(1e-3)
///     .adhesion_exponent(1.0)
///     .adhesion_critical_strain(0.001);
/// let with = repulsion(hertz.clone().cohesion(cohesion::Adhesion::default()), pair, Vec3::ZERO);
/// let without = repulsion(hertz, Pair::new(), Vec3::ZERO);
/// assert!(with < without);
/// ```
impl Model for Adhesion {
    fn name(&self) -> &'static str {
        "adhesion"
    }

    fn for_pair(&self, context: &mut PairContext<'_>) -> Option<Box<dyn Law>> {
        let coefficient = context.require("adhesion_coefficient", 0.0..=f64::MAX);
        let exponent = context.require("adhesion_exponent", 0.0..=100.0);
        let critical_strain = context.require("adhesion_critical_strain", 0.0..=1.0);
        let (coefficient, exponent, critical_strain) = (coefficient?, exponent?, critical_strain?);
        let power = Power::new(exponent);
        // the stored energy is measured from the strain at which the attraction ends
        let start = if self.persistent { 0.0 } else { critical_strain };
        Some(Box::new(AdhesionLaw {
            numbers: Numbers {
                coefficient,
                critical_strain,
                exponent,
                stored_at_start: Power::new(exponent + 1.0).of(start),
            },
            power,
            persistent: self.persistent,
            young: context.effective_young_modulus()?,
        }))
    }
}

#[derive(Debug)]
struct AdhesionLaw {
    numbers: Numbers,
    power: Power,
    persistent: bool,
    young: f64,
}

#[derive(Debug, Clone, Copy)]
struct Numbers {
    coefficient: f64,
    critical_strain: f64,
    exponent: f64,
    /// ε^{β+1} at the end of the attraction.
    stored_at_start: f64,
}

crate::history! {
    /// Stored with `persistent`.
    pub struct AdhesionHistory {
        /// One while the contact adheres, else zero.
        pub adhesion: f64,
    }
}

impl Evaluate for AdhesionLaw {
    type History = Optional<AdhesionHistory>;

    fn evaluate(
        &self,
        contacts: &Contacts,
        step: &Step,
        history: History<'_, Optional<AdhesionHistory>>,
        forces: &mut Forces,
    ) {
        let mut history = history.present();
        let mut strain = [0.0; WIDTH];
        strains(contacts, &mut strain);
        let force = self.power.raise(&strain);
        let held: Column = match &history {
            Some(history) => std::array::from_fn(|c| history.old(c).adhesion),
            None => [0.0; WIDTH],
        };
        let mut holds = [0.0; WIDTH];
        hold(&self.numbers, contacts, &strain, &held, &mut holds);
        attract(&self.numbers, &force, &holds, forces);
        if step.ledger {
            // an evaluation at the accepted state does not change the ledger: the energy released
            // is recorded by the step
            let energy_terms = if step.elapsed > 0.0 || !self.persistent { &holds } else { &held };
            self.add_energies(contacts, [&strain, &force], [&held, energy_terms], forces);
        }
        if let Some(history) = &mut history {
            (0..WIDTH).for_each(|c| history.set(c, AdhesionHistory { adhesion: holds[c] }));
        }
    }

    fn presence(&self) -> bool {
        self.persistent
    }
}

impl Law for AdhesionLaw {
    /// Half a period at its (negative) stiffness at the overlap of such an impact.
    fn contact_time(&self, encounter: &Encounter) -> Option<f64> {
        let length = encounter.radii[0] + encounter.radii[1];
        let strain = hertz_overlap(self.young, encounter) / length;
        let strain = strain.max(self.numbers.critical_strain);
        let stiffness = self.numbers.exponent * self.numbers.coefficient * self.power.of(strain)
            / (strain * length);
        super::half_period(encounter, stiffness)
    }

    /// β k ε^{β-1}/(r₁ + r₂), if the attraction may act.
    fn stiffness(&self, pair: &PairState, sum: &mut ContactStiffness) {
        let Numbers { coefficient, critical_strain, exponent, .. } = self.numbers;
        let length = pair.radius_sum();
        let least = if self.persistent { 0.0 } else { critical_strain };
        let at = |overlap: f64| {
            let strain = overlap / length;
            if strain > 0.0 && strain >= least {
                exponent * coefficient * libm::pow(strain, exponent - 1.0) / length
            } else {
                0.0
            }
        };
        sum.cohesion += at(pair.present_overlap).max(at(pair.overlap));
    }
}

impl AdhesionLaw {
    /// Records the potential `-k (r₁+r₂) ε^{β+1}/(β+1)` of contacts in `energy_terms`, measured from the end of the
    /// attraction, and as loss the energy released by new attractions.
    fn add_energies(
        &self,
        contacts: &Contacts,
        [strain, force]: [&Column; 2],
        [held, energy_terms]: [&Column; 2],
        forces: &mut Forces,
    ) {
        let per_length = self.numbers.coefficient / (self.numbers.exponent + 1.0);
        for c in 0..WIDTH {
            let length = contacts.radius[0][c] + contacts.radius[1][c];
            let above = strain[c] * force[c] - self.numbers.stored_at_start;
            let energy = -energy_terms[c] * per_length * length * above;
            forces.cohesion_energy[c] += energy;
            if self.persistent {
                forces.cohesion_loss[c] -= (1.0 - held[c]) * energy;
            }
        }
    }
}

multiversion! {
    fn strains(contacts: &Contacts, strain: &mut Column) {
        for c in 0..WIDTH {
            let length = contacts.radius[0][c] + contacts.radius[1][c];
            strain[c] = contacts.overlap[c].max(0.0) / length;
        }
    }
}

multiversion! {
    /// One where the attraction acts, zero elsewhere.
    fn hold(law: &Numbers, contacts: &Contacts, strain: &Column, held: &Column, holds: &mut Column) {
        for c in 0..WIDTH {
            let reached = strain[c] >= law.critical_strain || held[c] > 0.0;
            holds[c] = if reached && contacts.overlap[c] > 0.0 { 1.0 } else { 0.0 };
        }
    }
}

multiversion! {
    fn attract(law: &Numbers, force: &Column, holds: &Column, forces: &mut Forces) {
        for c in 0..WIDTH {
            forces.cohesion[c] += holds[c] * law.coefficient * force[c];
        }
    }
}
