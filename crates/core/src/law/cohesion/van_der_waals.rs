//! Van der Waals attraction of smooth or rough spheres.
//!
//! `A = (H R*/6) [ R/((R + R*) h²) + 1/(h + R)² ]`, `h = h₀ + max(0, g)`, with the gap g of the surfaces, the closest
//! distance h₀ = 0.4 nm of touching surfaces, Hamaker's constant H and the radius R of asperities (Rumpf; Rabinovich).
//! Smooth spheres, R = 0, and asperities as large as the bodies both give Derjaguin's `H R*/(6 h²)`; in between the
//! attraction has a deep minimum. In overlap it has its value for touching surfaces. L(4) is the same at contact, but
//! there the force is constant throughout the shell, and R* is that of the shells (docs/errata.md L-E3).
//!
//! It ends at a cut-off: where it has decreased to a thousandth, or at `van_der_waals_cutoff`. Checked by
//! `tests/cohesion/van_der_waals.rs`.

use crate::law::{
    Column, ContactStiffness, Contacts, Encounter, Evaluate, Forces, History, Law, Model,
    PairContext, PairState, Step, WIDTH,
};
use crate::notation::Setting;
use crate::simd::multiversion;

/// Van der Waals attraction by `hamaker_constant` H [J] and `asperity_radius` R [m] of the pair, or
/// the geometric means of those of the materials, and, if given, `van_der_waals_cutoff` [m], a gap.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct VanDerWaals {
    /// Dependence of the attraction on the gap.
    pub profile: Profile,
    /// Closest distance h₀ of touching surfaces [m].
    pub closest_distance: f64,
    /// True if the force at the cut-off is subtracted everywhere, so that the force is continuous.
    pub shifted: bool,
}

impl Default for VanDerWaals {
    fn default() -> Self {
        Self { profile: Profile::Distance, closest_distance: CLOSEST_DISTANCE, shifted: false }
    }
}

/// 0.4 nm, as in L.
pub const CLOSEST_DISTANCE: f64 = 0.4e-9;

/// Attraction at the default cut-off as a fraction of that at contact.
pub const FRACTION_AT_CUTOFF: f64 = 1e-3;

/// How the attraction depends on the gap.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::simulation;
/// use esker::law::cohesion::{Profile, VanDerWaals};
/// use esker::prelude::*;
///
/// let attraction = |gap: f64| {
///     let law = VanDerWaals { profile: Profile::Constant, ..VanDerWaals::default() };
///     let contact = ContactModel::normal(Hertz::default()).cohesion(law);
///     let pair = Pair::new().hamaker_constant(6.5e-20).asperity_radius(0.0).van_der_waals_cutoff(1e-8);
///     let grains = [0.0, 0.02 + gap].map(|x| Sphere::new(0.01, Vec3::X * x));
///     simulation(contact, pair, grains.to_vec()).contacts()[0].cohesion
/// };
/// assert!((attraction(1e-9) / attraction(9e-9) - 1.0).abs() < 1e-12); // up to the cut-off
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Profile {
    /// The attraction decreases with the gap.
    #[default]
    Distance,
    /// The value at contact up to the cut-off, as in L; `van_der_waals_cutoff` must be given.
    Constant,
}

/// Parameters of a pair: `hamaker_constant`, `asperity_radius`, optionally `van_der_waals_cutoff`.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::repulsion;
/// use esker::prelude::*;
///
/// let hertz = ContactModel::normal(Hertz::default());
/// let pair = Pair::new().hamaker_constant(6.5e-20).asperity_radius(0.0);
/// let with = repulsion(hertz.clone().cohesion(cohesion::VanDerWaals::default()), pair, Vec3::ZERO);
/// let without = repulsion(hertz, Pair::new(), Vec3::ZERO);
/// assert!(with < without);
/// ```
impl Model for VanDerWaals {
    fn name(&self) -> &'static str {
        "van-der-waals"
    }

    fn for_pair(&self, context: &mut PairContext<'_>) -> Option<Box<dyn Law>> {
        let hamaker = context.of_pair_or_materials("hamaker_constant", 0.0..=f64::MAX);
        let asperity = context.of_pair_or_materials("asperity_radius", 0.0..=f64::MAX);
        let given = context.optional("van_der_waals_cutoff", 0.0..=f64::MAX);
        if !(self.closest_distance > 0.0 && self.closest_distance.is_finite()) {
            let message = format!(
                "`closest_distance` of the law `van-der-waals` is {}",
                self.closest_distance
            );
            context.problem(
                message,
                Some("it must be positive: at zero distance the force is infinite".into()),
            );
        }
        if self.profile == Profile::Constant && given.is_none() {
            let cutoff = Setting::Parameter("van_der_waals_cutoff".into());
            let addition = context.notation.name(&cutoff);
            context.lacks("`van_der_waals_cutoff` for its constant profile", &addition);
        }
        if self.profile == Profile::Constant && self.shifted {
            context.problem(
                "`shifted` reduces the constant profile of `van-der-waals` to zero",
                Some("leave out one of them".into()),
            );
        }
        let numbers = Numbers {
            hamaker: hamaker?,
            asperity: asperity?,
            closest: self.closest_distance,
            cutoff: 0.0,
            falls: if self.profile == Profile::Distance { 1.0 } else { 0.0 },
            shift: if self.shifted { 1.0 } else { 0.0 },
        };
        // the second term, which decreases more slowly, has the largest weight for the largest bodies
        let cutoff =
            given.unwrap_or_else(|| numbers.gap_of_fraction(context.radii[1], FRACTION_AT_CUTOFF));
        Some(Box::new(VanDerWaalsLaw(Numbers { cutoff, ..numbers })))
    }
}

#[derive(Debug)]
struct VanDerWaalsLaw(Numbers);

#[derive(Debug, Clone, Copy)]
struct Numbers {
    hamaker: f64,
    asperity: f64,
    closest: f64,
    /// Gap at the cut-off [m].
    cutoff: f64,
    /// One if the force depends on the gap, zero if it is that at contact.
    falls: f64,
    /// One if the force at the cut-off is subtracted.
    shift: f64,
}

impl Numbers {
    /// Weight of the first term; for smooth bodies, R = 0, only the second remains.
    #[inline(always)]
    fn first_weight(&self, effective_radius: f64) -> f64 {
        self.asperity / (self.asperity + effective_radius)
    }

    /// `A`, before any truncation [N].
    #[inline(always)]
    fn attraction(&self, effective_radius: f64, gap: f64) -> f64 {
        let h = self.closest + self.falls * gap;
        let rough = h + self.asperity;
        self.hamaker * effective_radius / 6.0
            * (self.first_weight(effective_radius) / (h * h) + 1.0 / (rough * rough))
    }

    /// `|dA/dg|` [N/m].
    fn slope(&self, effective_radius: f64, gap: f64) -> f64 {
        let h = self.closest + gap;
        let rough = h + self.asperity;
        let weight = self.first_weight(effective_radius);
        self.falls * self.hamaker * effective_radius / 3.0
            * (weight / (h * h * h) + 1.0 / (rough * rough * rough))
    }

    /// `∫ A` from one gap to a larger one [J].
    #[inline(always)]
    fn work(&self, effective_radius: f64, from: f64, to: f64) -> f64 {
        let [near, far] = [self.closest + self.falls * from, self.closest + self.falls * to];
        let [near_rough, far_rough] = [near + self.asperity, far + self.asperity];
        // 1/a - 1/b = (b - a)/ab, where b - a is also correct for a constant force
        let span = to - from;
        self.hamaker * effective_radius / 6.0
            * span
            * (self.first_weight(effective_radius) / (near * far) + 1.0 / (near_rough * far_rough))
    }

    /// The gap at which the attraction is this fraction of that at contact [m].
    fn gap_of_fraction(&self, effective_radius: f64, fraction: f64) -> f64 {
        let here = |gap: f64| {
            let (h, rough) = (self.closest + gap, self.closest + gap + self.asperity);
            self.first_weight(effective_radius) / (h * h) + 1.0 / (rough * rough)
        };
        let wanted = fraction * here(0.0);
        let mut low = 0.0;
        let mut high = self.closest;
        while here(high) > wanted && high < f64::MAX / 4.0 {
            high *= 2.0;
        }
        for _ in 0..80 {
            let middle = 0.5 * (low + high);
            *(if here(middle) > wanted { &mut low } else { &mut high }) = middle;
        }
        high
    }
}

impl Evaluate for VanDerWaalsLaw {
    type History = ();

    fn evaluate(&self, contacts: &Contacts, step: &Step, _: History<'_, ()>, forces: &mut Forces) {
        attract(&self.0, contacts, forces);
        if step.ledger {
            store(&self.0, contacts, &mut forces.cohesion_energy);
        }
    }
}

impl Law for VanDerWaalsLaw {
    fn interaction_range(&self) -> f64 {
        self.0.cutoff
    }

    fn work_of_separation(&self, encounter: &Encounter) -> f64 {
        let law = &self.0;
        let all = law.work(encounter.effective_radius, 0.0, law.cutoff);
        all - law.shift * law.attraction(encounter.effective_radius, law.cutoff) * law.cutoff
    }

    /// Half a period at the stiffness of touching surfaces, which is the largest.
    fn contact_time(&self, encounter: &Encounter) -> Option<f64> {
        super::half_period(encounter, self.0.slope(encounter.effective_radius, 0.0))
    }

    /// At the smallest gap until the next update; in overlap the force is constant.
    fn stiffness(&self, pair: &PairState, sum: &mut ContactStiffness) {
        let gap = (-pair.overlap).max(0.0);
        if pair.present_overlap <= 0.0 && gap < self.0.cutoff {
            sum.cohesion += self.0.slope(pair.effective_radius, gap);
        }
    }
}

multiversion! {
    fn attract(law: &Numbers, contacts: &Contacts, forces: &mut Forces) {
        for c in 0..WIDTH {
            let radius = contacts.effective_radius[c];
            let gap = (-contacts.overlap[c]).max(0.0);
            let force = law.attraction(radius, gap) - law.shift * law.attraction(radius, law.cutoff);
            forces.cohesion[c] += if gap < law.cutoff || contacts.overlap[c] >= 0.0 { force } else { 0.0 };
        }
    }
}

multiversion! {
    /// The potential, zero at the cut-off; in overlap the force is constant.
    fn store(law: &Numbers, contacts: &Contacts, energy: &mut Column) {
        for c in 0..WIDTH {
            let radius = contacts.effective_radius[c];
            let gap = (-contacts.overlap[c]).max(0.0).min(law.cutoff);
            let overlap = contacts.overlap[c].max(0.0);
            let at_cutoff = law.shift * law.attraction(radius, law.cutoff);
            let to_cutoff = law.work(radius, gap, law.cutoff) - at_cutoff * (law.cutoff - gap);
            energy[c] -= to_cutoff + (law.attraction(radius, 0.0) - at_cutoff) * overlap;
        }
    }
}
