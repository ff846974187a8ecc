//! Attraction. Any number of these laws act together; each adds to `Forces::cohesion`.

mod adhesion;
mod bond;
mod liquid_bridge;
mod mie;
mod power;
mod toroid;
mod van_der_waals;

pub use adhesion::Adhesion;
pub use bond::Bond;
pub use liquid_bridge::{Formation, LiquidBridge};
pub use mie::{Mie, Truncation};
pub use van_der_waals::{CLOSEST_DISTANCE, Profile, VanDerWaals};

use crate::law::Encounter;
use power::Power;

/// Largest overlap of an elastic impact of Hertzian bodies, `(15 m* v² / (16 E* √R*))^{2/5}` [m].
fn hertz_overlap(effective_young_modulus: f64, encounter: &Encounter) -> f64 {
    let Encounter { effective_radius, effective_mass, speed, .. } = *encounter;
    let energy = 15.0 / 16.0 * effective_mass * speed * speed;
    libm::pow(energy / (effective_young_modulus * effective_radius.sqrt()), 0.4)
}

/// `π √(m*/k)`: half a period at this stiffness, whether stable or not [s].
fn half_period(encounter: &Encounter, stiffness: f64) -> Option<f64> {
    (stiffness > 0.0).then(|| std::f64::consts::PI * (encounter.effective_mass / stiffness).sqrt())
}
