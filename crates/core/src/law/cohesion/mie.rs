//! Near-field forces of Mie: an attraction and a repulsion by powers of the distance.
//!
//! Attraction `κ₁ d^{-λ₁} - κ₂ d^{-λ₂}` with the distance d of the centres, at a wall of the centre from the wall.
//! C15(16)–(18), C16(13)–(15). The terms balance at `d₀ = (κ₂/κ₁)^{1/(λ₂-λ₁)}`, stably if λ₂ > λ₁.
//! In the papers its range is infinite; here it ends at `mie_cutoff`. With the potential
//! `V = κ₁ d^{1-λ₁}/(1-λ₁) - κ₂ d^{1-λ₂}/(1-λ₂)` (a logarithm for λ = 1) and its value V_c at the cut-off,
//! the smooth truncation has the potential `(V - V_c) S(d)`, where S goes from one at a fraction of the
//! cut-off to zero at it, `1 - 10x³ + 15x⁴ - 6x⁵`: force and stiffness are continuous, the law is
//! conservative, and the force below this fraction is unchanged. Checked by
//! `tests/cohesion/mie.rs`.

use super::Power;
use crate::law::{
    Column, ContactStiffness, Contacts, Encounter, Evaluate, Forces, History, Law, Model,
    PairContext, PairState, Step, WIDTH,
};
use crate::simd::multiversion;

/// Mie's near-field force by `mie_attraction` κ₁ [N m^λ₁], `mie_attraction_exponent` λ₁,
/// `mie_repulsion` κ₂ [N m^λ₂], `mie_repulsion_exponent` λ₂ and `mie_cutoff` [m], a distance of
/// centres, of the pair.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Mie {
    /// Truncation of the force at the cut-off.
    pub truncation: Truncation,
}

/// How a force ends at its cut-off.
///
/// ```
/// use esker::law::cohesion::{Mie, Truncation};
/// use esker::prelude::*;
///
/// let near_field = Mie { truncation: Truncation::Sharp };
/// let contact = ContactModel::normal(Hertz::default()).cohesion(near_field);
/// assert_eq!(contact.cohesion[0].name(), "mie");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Truncation {
    /// Smoothly over the last tenth of the distance.
    #[default]
    Smooth,
    /// At once.
    Sharp,
}

/// Fraction of the cut-off at which the smooth truncation begins.
pub const SMOOTH_FROM: f64 = 0.9;

/// Distances below this fraction of the sum of the radii are replaced by it, which keeps numbers finite for bodies
/// whose overlap stops the run.
const NEAREST: f64 = 1e-2;

/// Parameters of a pair: `mie_attraction`, `mie_attraction_exponent`, `mie_repulsion`, `mie_repulsion_exponent`, `mie_cutoff`.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::repulsion;
/// use esker::prelude::*;
///
/// let hertz = ContactModel::normal(Hertz::default());
/// let pair = Pair::new()
///     .mie_attraction(1e-6)
///     .mie_attraction_exponent(2.0)
///     .mie_repulsion(0.0)
///     .mie_repulsion_exponent(4.0)
///     .mie_cutoff(0.05);
/// let with = repulsion(hertz.clone().cohesion(cohesion::Mie::default()), pair, Vec3::ZERO);
/// let without = repulsion(hertz, Pair::new(), Vec3::ZERO);
/// assert!(with < without);
/// ```
impl Model for Mie {
    fn name(&self) -> &'static str {
        "mie"
    }

    fn for_pair(&self, context: &mut PairContext<'_>) -> Option<Box<dyn Law>> {
        let attraction = context.require("mie_attraction", 0.0..=f64::MAX);
        let repulsion = context.require("mie_repulsion", 0.0..=f64::MAX);
        let exponents = ["mie_attraction_exponent", "mie_repulsion_exponent"]
            .map(|name| context.require(name, 0.0..=24.0));
        let cutoff = context.require("mie_cutoff", f64::MIN_POSITIVE..=f64::MAX);
        let (attraction, repulsion, cutoff) = (attraction?, repulsion?, cutoff?);
        let exponents = [exponents[0]?, exponents[1]?];
        if attraction > 0.0 && repulsion > 0.0 && exponents[1] <= exponents[0] {
            context.problem(
                format!(
                    "`mie_repulsion_exponent` is {}, not above `mie_attraction_exponent`, {}",
                    exponents[1], exponents[0]
                ),
                Some("the repulsion must grow faster than the attraction at short distance".into()),
            );
        }
        let start = match self.truncation {
            Truncation::Smooth => SMOOTH_FROM * cutoff,
            Truncation::Sharp => cutoff,
        };
        let terms = [Term::new(attraction, exponents[0]), Term::new(-repulsion, exponents[1])];
        let at_cutoff = terms.map(|term| term.potential_at(cutoff)).iter().sum();
        // at a wall the distance is that of one centre
        let interaction_range = (cutoff - context.radii[0]).max(0.0);
        Some(Box::new(MieLaw {
            terms,
            switch: Switch { cutoff, start, at_cutoff },
            interaction_range,
        }))
    }
}

#[derive(Debug)]
struct MieLaw {
    terms: [Term; 2],
    switch: Switch,
    interaction_range: f64,
}

/// `κ d^{-λ}`, attractive for a positive κ.
#[derive(Debug, Clone, Copy)]
struct Term {
    strength: f64,
    exponent: f64,
    power: Power,
}

#[derive(Debug, Clone, Copy)]
struct Switch {
    cutoff: f64,
    start: f64,
    /// Potential at the cut-off [J].
    at_cutoff: f64,
}

impl Term {
    fn new(strength: f64, exponent: f64) -> Self {
        Self { strength, exponent, power: Power::new(exponent) }
    }

    /// The force at given distances.
    fn force(&self, distance: &Column) -> Column {
        let mut force = self.power.raise(distance);
        for value in &mut force {
            *value = self.strength / *value;
        }
        force
    }

    /// The potential from the force.
    fn potential(&self, distance: &Column, force: &Column) -> Column {
        let mut potential = [0.0; WIDTH];
        if self.exponent == 1.0 {
            for c in 0..WIDTH {
                potential[c] = self.strength * libm::log(distance[c]);
            }
        } else {
            let factor = 1.0 / (1.0 - self.exponent);
            for c in 0..WIDTH {
                potential[c] = factor * distance[c] * force[c];
            }
        }
        potential
    }

    fn potential_at(&self, distance: f64) -> f64 {
        let distance = [distance; WIDTH];
        self.potential(&distance, &self.force(&distance))[0]
    }

    fn force_at(&self, distance: f64) -> f64 {
        self.force(&[distance; WIDTH])[0]
    }
}

impl Evaluate for MieLaw {
    type History = ();

    fn evaluate(&self, contacts: &Contacts, step: &Step, _: History<'_, ()>, forces: &mut Forces) {
        let mut distance = [0.0; WIDTH];
        keep_apart(contacts, &mut distance);
        let [first, second] = self.terms.map(|term| term.force(&distance));
        // without a smooth truncation the potential is not needed for the force
        let smooth = self.switch.start < self.switch.cutoff;
        let zero = [0.0; WIDTH];
        let [one, other] = if smooth || step.ledger {
            [
                self.terms[0].potential(&distance, &first),
                self.terms[1].potential(&distance, &second),
            ]
        } else {
            [zero; 2]
        };
        let mut energy = zero;
        let total = Sums { force: add(&first, &second), potential: add(&one, &other) };
        truncate(&self.switch, &distance, &total, &mut energy, forces);
        if step.ledger {
            forces.cohesion_energy.iter_mut().zip(energy).for_each(|(sum, own)| *sum += own);
        }
    }
}

impl Law for MieLaw {
    fn interaction_range(&self) -> f64 {
        self.interaction_range
    }

    fn work_of_separation(&self, encounter: &Encounter) -> f64 {
        let touching = encounter.radii[0] + encounter.radii[1];
        (-self.energy_at(self.equilibrium().max(touching))).max(0.0)
    }

    /// Half a period at its largest stiffness: at the turning point of such an encounter, or at the overlap limit of
    /// the scene if there is none, or at its equilibrium.
    fn contact_time(&self, encounter: &Encounter) -> Option<f64> {
        let touching = encounter.radii[0] + encounter.radii[1];
        let energy = 0.5 * encounter.effective_mass * encounter.speed * encounter.speed;
        let nearest = self.turning_distance(energy).max(0.9 * touching);
        let equilibrium = self.equilibrium();
        let stiffness = |distance: f64| {
            let slope = |term: &Term| -term.exponent * term.force_at(distance) / distance;
            if distance < self.switch.cutoff {
                self.terms.iter().map(slope).sum::<f64>().abs()
            } else {
                0.0
            }
        };
        let stiffest = stiffness(nearest).max(stiffness(equilibrium.max(nearest)));
        super::half_period(encounter, stiffest)
    }

    fn stiffness(&self, pair: &PairState, sum: &mut ContactStiffness) {
        let length = pair.radius_sum();
        let at = |overlap: f64| self.slope_at((length - overlap).max(NEAREST * length)).abs();
        sum.cohesion += at(pair.present_overlap).max(at(pair.overlap));
    }
}

impl MieLaw {
    /// d₀ [m]; zero without an attraction and a repulsion.
    fn equilibrium(&self) -> f64 {
        let [attraction, repulsion] = &self.terms;
        if attraction.strength > 0.0 && repulsion.strength < 0.0 {
            let exponent = 1.0 / (repulsion.exponent - attraction.exponent);
            libm::pow(-repulsion.strength / attraction.strength, exponent)
        } else {
            0.0
        }
    }

    /// Derivative of the truncated attraction with respect to the distance, `F' S + 2 F S' + (V - V_c) S''` [N/m].
    fn slope_at(&self, distance: f64) -> f64 {
        let Switch { cutoff, start, at_cutoff } = self.switch;
        if distance >= cutoff {
            return 0.0;
        }
        let (mut force, mut slope, mut potential) = (0.0, 0.0, -at_cutoff);
        for term in &self.terms {
            let own = term.strength * libm::pow(distance, -term.exponent);
            force += own;
            slope -= term.exponent * own / distance;
            potential += if term.exponent == 1.0 {
                term.strength * libm::log(distance)
            } else {
                distance * own / (1.0 - term.exponent)
            };
        }
        if distance <= start {
            return slope;
        }
        let inverse_width = 1.0 / (cutoff - start);
        let x = (distance - start) * inverse_width;
        let fraction = 1.0 - x * x * x * (10.0 + x * (6.0 * x - 15.0));
        let first = -30.0 * x * x * (1.0 - x) * (1.0 - x) * inverse_width;
        let second = -60.0 * x * (1.0 - x) * (1.0 - 2.0 * x) * inverse_width * inverse_width;
        slope * fraction + 2.0 * force * first + potential * second
    }

    fn energy_at(&self, distance: f64) -> f64 {
        if distance >= self.switch.cutoff {
            return 0.0;
        }
        self.terms.iter().map(|term| term.potential_at(distance)).sum::<f64>()
            - self.switch.at_cutoff
    }

    /// Turning point of a pair that approaches with this energy; zero if there is none.
    fn turning_distance(&self, energy: f64) -> f64 {
        if self.terms[1].strength == 0.0 {
            return 0.0;
        }
        let [mut low, mut high] = [1e-6 * self.switch.cutoff, self.switch.cutoff];
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            *(if self.energy_at(middle) > energy { &mut low } else { &mut high }) = middle;
        }
        low
    }
}

fn add(first: &Column, second: &Column) -> Column {
    std::array::from_fn(|c| first[c] + second[c])
}

struct Sums {
    force: Column,
    potential: Column,
}

multiversion! {
    fn keep_apart(contacts: &Contacts, distance: &mut Column) {
        for c in 0..WIDTH {
            let nearest = NEAREST * (contacts.radius[0][c] + contacts.radius[1][c]);
            distance[c] = contacts.distance[c].max(nearest);
        }
    }
}

multiversion! {
    fn truncate(switch: &Switch, distance: &Column, sums: &Sums, energy: &mut Column, forces: &mut Forces) {
        let inverse_width = 1.0 / (switch.cutoff - switch.start).max(f64::MIN_POSITIVE);
        for c in 0..WIDTH {
            let x = ((distance[c] - switch.start).max(0.0) * inverse_width).min(1.0);
            let smooth_step = 1.0 - x * x * x * (10.0 + x * (6.0 * x - 15.0));
            let slope = -30.0 * x * x * (1.0 - x) * (1.0 - x);
            // without a smooth truncation its width may be zero
            let slope = if x > 0.0 && x < 1.0 { slope * inverse_width } else { 0.0 };
            let inside = distance[c] < switch.cutoff;
            let above = sums.potential[c] - switch.at_cutoff;
            energy[c] = if inside { above * smooth_step } else { 0.0 };
            forces.cohesion[c] += if inside { sums.force[c] * smooth_step + above * slope } else { 0.0 };
        }
    }
}
