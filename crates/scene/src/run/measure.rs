//! Quantities measured at the end of every run.

use super::lazy_snapshot::LazySnapshot;
use super::quantities::{max_height, up};
use super::served::census;
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

/// Numbers of the final state.
#[derive(Debug, Clone)]
pub(super) struct EndCounts {
    /// Contacts, walls included.
    pub contacts: usize,
    /// Measures.
    pub measures: Measures,
}

impl EndCounts {
    /// Of the state after a step.
    pub(super) fn of(now: &LazySnapshot) -> Self {
        let up = up(now.simulation.gravity());
        if now.is_divided() {
            let census = census(now.simulation, up);
            let count = census.particles.max(1) as f64;
            let measures = Measures {
                mean_coordination: census.touching as f64 / count,
                rattlers: census.loose as f64 / count,
                max_height: census.highest.is_finite().then_some(census.highest),
                largest_overlap: census.largest_overlap,
            };
            return Self { contacts: census.contacts as usize, measures };
        }
        let snapshot = now.snapshot();
        let touching = snapshot.contacts.iter().filter(|contact| contact.overlap > 0.0);
        Self { contacts: touching.count(), measures: Measures::of(snapshot, up) }
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
