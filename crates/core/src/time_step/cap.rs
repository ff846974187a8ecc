//! Upper limits of the automatic step that are independent of the contacts: the Rayleigh time, the shortest contact of
//! a linear law, drag, gyration, oscillating walls and `step = { max }`.

use super::assumed::{encounter, rayleigh_time};
use super::control::Criterion;
use super::impact::steps_per_impact;
use super::rates::{RATE_FRACTION, STEPS_PER_PERIOD};
use crate::engine::Engine;
use crate::insert::Source;
use crate::scene::{Scene, StepSize};
use crate::simulation::Simulation;

/// The longest automatic step as a fraction of the Rayleigh time, for laws that stiffen with the overlap.
pub const RAYLEIGH_CAP: f64 = 0.35;

impl Simulation {
    /// The shortest cap and its criterion [s].
    pub(super) fn cap(&self) -> (f64, Criterion) {
        let advice = &self.advice;
        let maximum = match self.scene.step {
            StepSize::AtMost(max) => max,
            _ => f64::INFINITY,
        };
        let [rayleigh, contact] = self.control.contact_caps;
        let caps = [
            (rayleigh, Criterion::RayleighTime),
            (contact, Criterion::ContactTime),
            (RATE_FRACTION * advice.relaxation_time, Criterion::Drag),
            (RATE_FRACTION * advice.gyration_time, Criterion::Gyration),
            (advice.wall_period / STEPS_PER_PERIOD, Criterion::WallPeriod),
            (maximum, Criterion::Maximum),
        ];
        caps.into_iter().fold((f64::INFINITY, Criterion::RayleighTime), |shortest, cap| {
            if cap.0 < shortest.0 { cap } else { shortest }
        })
    }
}

/// The caps of the smallest particles: by the Rayleigh time, and by the contact time of laws that do
/// not stiffen [s].
pub(super) fn contact_caps(scene: &Scene, engine: &Engine, sources: &[&Source]) -> [f64; 2] {
    let smallest = smallest_radii(scene, engine, sources);
    let [mut rayleigh, mut contact] = [f64::INFINITY; 2];
    for pair in &engine.table().pairs {
        let [first, second] = pair.materials.map(|id| id.index());
        let stiffens = pair.laws.iter().any(|law| law.force_exponent() > 1.0);
        for (own, other) in [(first, second), (second, first)] {
            if !smallest[own].is_finite() {
                continue;
            }
            if stiffens {
                let time = rayleigh_time(&scene.materials[own].1, smallest[own]);
                rayleigh = time.map_or(rayleigh, |time| rayleigh.min(RAYLEIGH_CAP * time));
            } else {
                let encounter = encounter(scene, pair, [own, other], &smallest, 0.0);
                let times = pair.laws.iter().filter_map(|law| law.contact_time(&encounter));
                let time = times.fold(f64::INFINITY, f64::min);
                contact = contact.min(time / steps_per_impact(scene, pair));
            }
        }
    }
    [rayleigh, contact]
}

/// Smallest radius of the free particles of each material, of those present on all ranks, or of those to be inserted if
/// there are none; infinite if no free particle has this material [m].
pub(super) fn smallest_radii(scene: &Scene, engine: &Engine, sources: &[&Source]) -> Vec<f64> {
    let mut smallest = vec![f64::INFINITY; scene.materials.len()];
    let update = |smallest: &mut [f64], material: u16, radius: f64| {
        let least = &mut smallest[usize::from(material)];
        *least = least.min(radius);
    };
    let particles = engine.particles().records.iter().zip(&engine.particles().metadata);
    for (record, metadata) in particles.filter(|(record, _)| record.inverse_mass > 0.0) {
        update(&mut smallest, metadata.material, record.radius);
    }
    engine.smallest_of_each(&mut smallest);
    if smallest.iter().all(|radius| radius.is_infinite()) {
        for source in sources.iter().filter(|source| !source.fixed) {
            update(&mut smallest, source.material.number(), source.smallest_radius());
        }
    }
    smallest
}
