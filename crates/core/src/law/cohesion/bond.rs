//! Bond of compressed partners: it attracts, and it resists sliding and rolling.
//!
//! While `ε ≥ ε*`, with `ε = δ/(r₁ + r₂)`, at a wall `δ/r`: attraction `K_nb ε^p A`, and a tangential force `-K_rb A Δt
//! u` at the contact point, with its moment on both partners, in addition to friction and without the friction limit.
//! B(70)–(72). As printed the normal part repels, in contradiction to the text (docs/errata.md E10), and the moment of
//! the tangential part is not in the paper's sums (R10).
//!
//! A is the area of Hertz's contact, `π R* δ`, or that of the lens in which the bodies intersect, B(23)–(31), which is
//! twice as large for small overlaps. Like the penalty friction of the same paper, the tangential part depends on the
//! time step: under a constant shear force f the bond creeps at `f/(K_rb A Δt)`. Checked by `tests/cohesion/bond.rs`.

use super::{Power, hertz_overlap};
use crate::law::normal::Area;
use crate::law::{
    Column, ContactStiffness, Contacts, Encounter, Evaluate, Forces, History, Law, Model,
    PairContext, PairState, Step, WIDTH,
};
use crate::simd::multiversion;
use std::f64::consts::PI;

/// Bond by `bond_stiffness` K_nb [Pa], `bond_exponent` p, `bond_critical_strain` ε* and
/// `rotational_bond_stiffness` K_rb [N/m³] of the pair.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Bond {
    /// The area A.
    pub area: Area,
}

/// Parameters of a pair: `bond_stiffness`, `bond_exponent`, `bond_critical_strain`,
/// `rotational_bond_stiffness`.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::contact_after;
/// use esker::prelude::*;
///
/// let hertz = ContactModel::normal(Hertz::default());
/// let bond = hertz.clone().cohesion(cohesion::Bond::default());
/// let pair = Pair::new()
///     .bond_stiffness(1e5)
///     .bond_exponent(1.0)
///     .bond_critical_strain(0.001)
///     .rotational_bond_stiffness(1e8);
/// let apart = [Vec3::X * 0.1, Vec3::ZERO];
/// let bonded = contact_after(1e-4, bond, pair, apart);
/// assert!(bonded.closing_speed > contact_after(1e-4, hertz, Pair::new(), apart).closing_speed);
/// ```
impl Model for Bond {
    fn name(&self) -> &'static str {
        "bond"
    }

    fn for_pair(&self, context: &mut PairContext<'_>) -> Option<Box<dyn Law>> {
        let stiffness = context.require("bond_stiffness", 0.0..=f64::MAX);
        let exponent = context.require("bond_exponent", 0.0..=100.0);
        let critical_strain = context.require("bond_critical_strain", 0.0..=1.0);
        let rotational = context.require("rotational_bond_stiffness", 0.0..=f64::MAX);
        let (stiffness, exponent) = (stiffness?, exponent?);
        let (critical_strain, rotational) = (critical_strain?, rotational?);
        Some(Box::new(BondLaw {
            stiffness,
            critical_strain,
            rotational,
            area: self.area,
            power: Power::new(exponent),
            young: context.effective_young_modulus()?,
        }))
    }
}

#[derive(Debug)]
struct BondLaw {
    stiffness: f64,
    critical_strain: f64,
    rotational: f64,
    area: Area,
    power: Power,
    young: f64,
}

impl Evaluate for BondLaw {
    type History = ();

    fn evaluate(&self, contacts: &Contacts, step: &Step, _: History<'_, ()>, forces: &mut Forces) {
        let mut strain = [0.0; WIDTH];
        let mut area = [0.0; WIDTH];
        bonded(self, contacts, &mut strain, &mut area);
        let force = self.power.raise(&strain);
        hold(self, contacts, step.dt, &force, &area, forces);
        if step.ledger {
            self.add_energies(contacts, step.dt, &area, forces);
        }
    }
}

impl Law for BondLaw {
    /// Half a period of the attraction, or of the tangential part with the inertia of sliding, 2/7 m*, at the overlap
    /// of such an impact.
    fn contact_time(&self, encounter: &Encounter) -> Option<f64> {
        let length = encounter.radii[0] + encounter.radii[1];
        let overlap = hertz_overlap(self.young, encounter).max(self.critical_strain * length);
        let area = self.area.factor() * PI * encounter.effective_radius * overlap;
        let force = self.stiffness * self.power.of(overlap / length) * area;
        super::half_period(encounter, (self.power.exponent() + 1.0) * force / overlap)
    }

    /// d(K_nb ε^p A)/dδ of the attraction, and K_rb A of the tangential part.
    fn stiffness(&self, pair: &PairState, sum: &mut ContactStiffness) {
        let length = pair.radius_sum();
        let at = |overlap: f64| {
            if !(overlap > 0.0 && overlap / length >= self.critical_strain) {
                return [0.0; 2];
            }
            let [square, slope] = self.area.square_of(pair.effective_radius, pair.radii, overlap);
            let exponent = self.power.exponent();
            let stress = PI * self.stiffness * libm::pow(overlap / length, exponent);
            [stress * (exponent * square / overlap + slope), PI * self.rotational * square]
        };
        let [now, then] = [at(pair.present_overlap), at(pair.overlap)];
        sum.cohesion += now[0].max(then[0]);
        sum.slip_per_step += now[1].max(then[1]);
    }

    fn is_tied_to_step(&self) -> bool {
        self.rotational > 0.0
    }
}

multiversion! {
    /// Strain, and the area where the bond acts: zero elsewhere.
    fn bonded(law: &BondLaw, contacts: &Contacts, strain: &mut Column, area: &mut Column) {
        for c in 0..WIDTH {
            let overlap = contacts.overlap[c].max(0.0);
            strain[c] = overlap / (contacts.radius[0][c] + contacts.radius[1][c]);
            let holds = strain[c] >= law.critical_strain;
            area[c] = if holds { PI * law.area.square(contacts, c, overlap)[0] } else { 0.0 };
        }
    }
}

multiversion! {
    fn hold(law: &BondLaw, contacts: &Contacts, dt: f64, force: &Column, area: &Column, forces: &mut Forces) {
        for c in 0..WIDTH {
            forces.cohesion[c] += law.stiffness * force[c] * area[c];
            let viscosity = law.rotational * area[c] * dt;
            for axis in 0..3 {
                forces.tangential[axis][c] -= viscosity * contacts.slip_velocity[axis][c];
            }
        }
    }
}

/// Nodes and weights of Gauss's rule with five points on [0, 1].
const GAUSS: [(f64, f64); 5] = [
    (0.046_910_077_030_668_0, 0.118_463_442_528_094_54),
    (0.230_765_344_947_158_45, 0.239_314_335_249_683_24),
    (0.5, 0.284_444_444_444_444_45),
    (0.769_234_655_052_841_6, 0.239_314_335_249_683_24),
    (0.953_089_922_969_332, 0.118_463_442_528_094_54),
];

impl BondLaw {
    /// Records the potential of the attraction, measured from the critical strain, and the power of the slip against
    /// the tangential part.
    fn add_energies(&self, contacts: &Contacts, dt: f64, area: &Column, forces: &mut Forces) {
        let mut energy = [0.0; WIDTH];
        // with δ = δ* + (δ_now - δ*) x² the integrand is a polynomial of x for integer and half-integer exponents if
        // δ* = 0, and smooth otherwise
        for (node, weight) in GAUSS {
            let (mut strain, mut there) = ([0.0; WIDTH], [0.0; WIDTH]);
            for c in 0..WIDTH {
                let length = contacts.radius[0][c] + contacts.radius[1][c];
                let start = self.critical_strain * length;
                let span = (contacts.overlap[c] - start).max(0.0);
                let overlap = start + span * node * node;
                strain[c] = overlap / length;
                there[c] =
                    2.0 * PI * node * weight * span * self.area.square(contacts, c, overlap)[0];
            }
            let force = self.power.raise(&strain);
            for c in 0..WIDTH {
                energy[c] -= self.stiffness * force[c] * there[c];
            }
        }
        for c in 0..WIDTH {
            forces.cohesion_energy[c] += energy[c];
            let viscosity = self.rotational * area[c] * dt;
            for axis in 0..3 {
                let slip = contacts.slip_velocity[axis][c];
                forces.tangential_power[c] += viscosity * slip * slip;
            }
        }
    }
}
