//! Quantities measured at the end of every run.

use super::quantities::max_height;
use esker::Vec3;
use esker::measure::{ParticleView, Snapshot};
use serde::Serialize;

/// Quantities measured at the end of every run.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Measures {
    /// Mean number of touching partners of a particle, walls included.
    pub mean_coordination: f64,
    /// Fraction of the particles with at most one touching partner.
    pub rattlers: f64,
    /// Height of the highest point above the origin, against gravity [m]; none without particles.
    pub max_height: Option<f64>,
    /// Largest overlap as a fraction of the smaller radius.
    pub largest_overlap: f64,
}

impl Measures {
    /// Measures a snapshot; `up` points against gravity.
    pub(crate) fn of(snapshot: &Snapshot, up: Vec3) -> Self {
        let count = snapshot.particles.len().max(1) as f64;
        let coordination = |p: &ParticleView| f64::from(p.coordination);
        let loose = snapshot.particles.iter().filter(|p| p.coordination <= 1).count();
        let height = max_height(snapshot.particles.iter(), up);
        Self {
            mean_coordination: snapshot.particles.iter().map(coordination).sum::<f64>() / count,
            rattlers: loose as f64 / count,
            max_height: height.is_finite().then_some(height),
            largest_overlap: largest_overlap(snapshot),
        }
    }
}

fn largest_overlap(snapshot: &Snapshot) -> f64 {
    let radius = |id: esker::ParticleId| {
        let index = snapshot.particles.binary_search_by_key(&id, |particle| particle.id).ok()?;
        Some(snapshot.particles[index].radius)
    };
    let fraction = |contact: &esker::measure::ContactView| {
        let first = radius(contact.first)?;
        let smaller = match contact.second {
            esker::measure::Partner::Particle(id) => first.min(radius(id)?),
            esker::measure::Partner::Wall(_) => first,
        };
        Some(contact.overlap / smaller)
    };
    snapshot.contacts.iter().filter_map(fraction).fold(0.0, f64::max)
}
