//! Liquid bridges: attraction beyond contact until the bridge breaks.
//!
//! `A = π γ R_h ρ₂ (ρ₁ + ρ₂)/ρ₁` with the toroid of `toroid.rs` between two spheres of the harmonic mean radius `R_h =
//! 2 r₁ r₂/(r₁ + r₂)`, twice the radius at a wall, at the half gap `Z = max(0, g)/(2 R_h)`; in overlap it is that of
//! touching spheres. L(5)–(8) after Muguruma, with docs/errata.md L-E4 to L-E7. The volume is Φ times that of the
//! smaller body. The bridge breaks at a gap of the cube root of its volume. The equation of the filling angle is solved
//! when the law is created; the attraction is interpolated in a table with a relative error of 10⁻⁵.
//!
//! A bridge forms when the surfaces touch and exists until it breaks; the energy released when it forms is dissipated,
//! and the same work is needed to separate the bodies. With `formation = "shell"`, as printed, it exists at any gap
//! below the rupture distance and is conservative. Checked by `tests/cohesion/liquid_bridge.rs`.

use super::toroid::{Points, Table, filling_angle, pull, rupture};
use crate::law::{
    Column, ContactStiffness, Contacts, Encounter, Evaluate, Forces, History, Law, Model, Optional,
    PairContext, PairState, Step, WIDTH,
};
use crate::simd::multiversion;
use std::f64::consts::PI;

/// Liquid bridges by `surface_tension` γ [N/m] and `bridge_volume` Φ, the volume of a bridge as a
/// fraction of the smaller body, of the pair.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct LiquidBridge {
    /// When a bridge forms.
    pub formation: Formation,
}

/// When a bridge forms.
///
/// ```
/// use esker::law::cohesion::{Formation, LiquidBridge};
/// use esker::prelude::*;
///
/// let bridge = LiquidBridge { formation: Formation::Shell };
/// let contact = ContactModel::normal(Hertz::default()).cohesion(bridge);
/// assert_eq!(contact.cohesion[0].name(), "liquid-bridge");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Formation {
    /// When the surfaces touch.
    #[default]
    Contact,
    /// Whenever the gap is below the rupture distance, as printed in L.
    Shell,
}

/// Gap as a fraction of the mean radius below which surfaces touch: the rounding error for partners placed in contact.
const TOUCH: f64 = 1e-9;

/// Half filling angle up to which bridges are usually considered pendular [°].
const WIDEST_PENDULAR: f64 = 45.0;

/// Range of volumes of the table.
const VOLUMES: std::ops::RangeInclusive<f64> = 1e-8..=0.3;

/// Parameters of a pair: `surface_tension`, `bridge_volume`.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::repulsion;
/// use esker::prelude::*;
///
/// let hertz = ContactModel::normal(Hertz::default());
/// let pair = Pair::new().surface_tension(0.07).bridge_volume(0.01);
/// let with = repulsion(hertz.clone().cohesion(cohesion::LiquidBridge::default()), pair, Vec3::ZERO);
/// let without = repulsion(hertz, Pair::new(), Vec3::ZERO);
/// assert!(with < without);
/// ```
impl Model for LiquidBridge {
    fn name(&self) -> &'static str {
        "liquid-bridge"
    }

    fn for_pair(&self, context: &mut PairContext<'_>) -> Option<Box<dyn Law>> {
        let surface_tension = context.require("surface_tension", 0.0..=f64::MAX);
        let given = context.require("bridge_volume", VOLUMES);
        let (surface_tension, given) = (surface_tension?, given?);
        // an out-of-range value has been reported
        let volume = given.max(*VOLUMES.start()).min(*VOLUMES.end());
        let angle = filling_angle(0.0, volume).to_degrees();
        if angle > WIDEST_PENDULAR {
            context.warn(&format!(
                "a `bridge_volume` of {volume} fills an angle of {angle:.0}° where equal bodies touch: \
                 beyond {WIDEST_PENDULAR}° bridges are no longer pendular, and merge in a bed"
            ));
        }
        // at a wall the volume is an eighth in units of R_h
        let steepest = slope_at_touch(volume).max(slope_at_touch(volume / 8.0));
        Some(Box::new(LiquidBridgeLaw {
            surface_tension,
            largest_stiffness: 0.5 * PI * surface_tension * steepest,
            table: Table::new(volume),
            formation: self.formation,
            // 2 Z_r R_h of two bodies as large as the smaller one, which determines the volume of the bridge
            rupture: 2.0 * rupture(volume),
            interaction_range: 2.0 * rupture(volume) * context.smaller_radius,
        }))
    }
}

#[derive(Debug)]
struct LiquidBridgeLaw {
    surface_tension: f64,
    /// Stiffness of touching surfaces: it depends on the radius only through the volume of the bridge [N/m].
    largest_stiffness: f64,
    table: Table,
    formation: Formation,
    /// Largest gap before it breaks, in radii of the smaller body.
    rupture: f64,
    interaction_range: f64,
}

/// An upper bound of the slope of the dimensionless attraction: the slope for touching surfaces, times 1.05 for the
/// errors of the finite difference and of the table.
fn slope_at_touch(volume: f64) -> f64 {
    let step = 0.01 * volume.sqrt();
    1.05 * (pull(0.0, volume) - pull(step, volume)).abs() / step
}

crate::history! {
    /// Stored if bridges form at contact.
    pub struct BridgeHistory {
        /// One if there is a bridge, else zero.
        pub bridge: f64,
    }
}

impl Evaluate for LiquidBridgeLaw {
    type History = Optional<BridgeHistory>;

    fn evaluate(
        &self,
        contacts: &Contacts,
        step: &Step,
        history: History<'_, Optional<BridgeHistory>>,
        forces: &mut Forces,
    ) {
        let mut history = history.present();
        let before: Column = match &history {
            Some(history) => std::array::from_fn(|c| history.old(c).bridge),
            None => [1.0; WIDTH],
        };
        let mut bridged = [0.0; WIDTH];
        draw(self, contacts, step.elapsed, &before, &mut bridged, forces);
        if step.ledger {
            let mut energy = [0.0; WIDTH];
            store(self, contacts, &mut energy);
            // an evaluation at the accepted state does not change the ledger: the energy released
            // is recorded by the step
            let looks = step.elapsed == 0.0 && self.formation == Formation::Contact;
            for c in 0..WIDTH {
                let own = energy[c] * if looks { bridged[c].min(before[c]) } else { bridged[c] };
                forces.cohesion_energy[c] += own;
                forces.cohesion_loss[c] -= (1.0 - before[c]) * own;
            }
        }
        if let Some(history) = &mut history {
            (0..WIDTH).for_each(|c| history.set(c, BridgeHistory { bridge: bridged[c] }));
        }
    }

    fn presence(&self) -> bool {
        self.formation == Formation::Contact
    }
}

impl Law for LiquidBridgeLaw {
    fn interaction_range(&self) -> f64 {
        self.interaction_range
    }

    fn work_of_separation(&self, encounter: &Encounter) -> f64 {
        let mean = 2.0 * encounter.effective_radius;
        let [first, second] = encounter.radii;
        let smaller = if second > 0.0 { first.min(second) } else { first };
        let point = self.table.point(smaller / mean, 0.0);
        2.0 * PI * self.surface_tension * mean * mean * self.table.work(&Points::all(&point))[0]
    }

    /// Half a period at the stiffness of touching surfaces.
    fn contact_time(&self, encounter: &Encounter) -> Option<f64> {
        super::half_period(encounter, self.largest_stiffness)
    }

    /// The stiffness of touching surfaces; in overlap the force is constant.
    fn stiffness(&self, pair: &PairState, sum: &mut ContactStiffness) {
        let gap = -pair.present_overlap;
        if gap >= 0.0 && gap < self.rupture * pair.smaller_radius() {
            sum.cohesion += self.largest_stiffness;
        }
    }

    fn stiffness_is_exact(&self) -> bool {
        false
    }
}

/// Twice the effective radius, and the radius of the smaller body in this unit.
#[inline(always)]
fn sizes(contacts: &Contacts, c: usize) -> [f64; 2] {
    let [first, second] = [contacts.radius[0][c], contacts.radius[1][c]];
    let smaller = if second > 0.0 { first.min(second) } else { first };
    let mean = 2.0 * contacts.effective_radius[c];
    [mean, smaller / mean]
}

multiversion! {
    /// Adds the attraction of every bridge; `bridged` is one if there is a bridge.
    fn draw(
        law: &LiquidBridgeLaw,
        contacts: &Contacts,
        elapsed: f64,
        before: &Column,
        bridged: &mut Column,
        forces: &mut Forces,
    ) {
        let mut points = Points::ZERO;
        for c in 0..WIDTH {
            let [mean, ratio] = sizes(contacts, c);
            let overlap = contacts.overlap[c];
            let half_gap = (-overlap).max(0.0) / (2.0 * mean);
            let point = law.table.point(ratio, half_gap);
            points.set(c, &point);
            // partners that touch at the start of a step and separate within it have touched
            let deepest = overlap.max(overlap - contacts.closing_speed[c] * elapsed);
            let formed = deepest >= -TOUCH * mean || before[c] > 0.0;
            bridged[c] = if formed && half_gap < point.rupture { 1.0 } else { 0.0 };
        }
        let pull = law.table.pull(&points);
        for c in 0..WIDTH {
            let unit = PI * law.surface_tension * 2.0 * contacts.effective_radius[c];
            forces.cohesion[c] += bridged[c] * unit * pull[c];
        }
    }
}

multiversion! {
    /// The potential of a bridge, zero at rupture; in overlap the force is constant.
    fn store(law: &LiquidBridgeLaw, contacts: &Contacts, energy: &mut Column) {
        let mut points = Points::ZERO;
        for c in 0..WIDTH {
            let [mean, ratio] = sizes(contacts, c);
            let half_gap = (-contacts.overlap[c]).max(0.0) / (2.0 * mean);
            points.set(c, &law.table.point(ratio, half_gap));
        }
        let (pull, work) = (law.table.pull(&points), law.table.work(&points));
        for c in 0..WIDTH {
            let mean = 2.0 * contacts.effective_radius[c];
            let pressed = pull[c] * contacts.overlap[c].max(0.0);
            energy[c] = -PI * law.surface_tension * mean * (2.0 * mean * work[c] + pressed);
        }
    }
}
