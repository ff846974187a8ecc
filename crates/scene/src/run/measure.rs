//! Measures of a state: numbers that sum up a packing or a heap.

use super::quantities::{max_height, members};
use crate::settings::Measure;
use esker::Vec3;
use esker::measure::{ParticleView, Snapshot};
use serde::Serialize;

/// Rings into which a heap is cut for its profile.
const RINGS: usize = 24;
/// Shares of the height of a heap between which its flank is taken as straight.
const FLANK: [f64; 2] = [0.2, 0.8];

/// What is measured at the end of every run, and what the scene asks for.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Measures {
    /// Touching partners of a particle, walls included, on average.
    pub mean_coordination: f64,
    /// Share of the particles with no or one touching partner.
    pub rattlers: f64,
    /// Height of the highest point above the origin, against gravity [m]; none without particles.
    pub max_height: Option<f64>,
    /// Largest overlap as a share of the smaller radius.
    pub largest_overlap: f64,
    /// Angles of repose that were asked for [°], by group (`all` for all particles).
    pub angles_of_repose: Vec<(String, Option<f64>)>,
}

impl Measures {
    /// Measures a snapshot; `up` points against gravity.
    pub(crate) fn of(snapshot: &Snapshot, asked: &[Measure], up: Vec3) -> Self {
        let count = snapshot.particles.len().max(1) as f64;
        let coordination = |p: &ParticleView| f64::from(p.coordination);
        let loose = snapshot.particles.iter().filter(|p| p.coordination <= 1).count();
        let height = max_height(snapshot.particles.iter(), up);
        Self {
            mean_coordination: snapshot.particles.iter().map(coordination).sum::<f64>() / count,
            rattlers: loose as f64 / count,
            max_height: height.is_finite().then_some(height),
            largest_overlap: largest_overlap(snapshot),
            angles_of_repose: asked
                .iter()
                .map(|Measure::AngleOfRepose { particles, up }| {
                    let name = particles.clone().unwrap_or_else(|| "all".to_owned());
                    (name, angle_of_repose(snapshot, particles.as_deref(), *up))
                })
                .collect(),
        }
    }
}

fn largest_overlap(snapshot: &Snapshot) -> f64 {
    let radius = |id: u64| {
        let index = snapshot.particles.binary_search_by_key(&id, |particle| particle.id).ok()?;
        Some(snapshot.particles[index].radius)
    };
    let share = |contact: &esker::measure::ContactView| {
        let first = radius(contact.first)?;
        let smaller = match contact.second {
            esker::measure::Partner::Particle(id) => first.min(radius(id)?),
            esker::measure::Partner::Wall(_) => first,
        };
        Some(contact.overlap / smaller)
    };
    snapshot.contacts.iter().filter_map(share).fold(0.0, f64::max)
}

/// Slope of the flank of a heap [°]: particles are put into rings around the mean of their
/// places; the highest point of each ring makes a profile, and a straight line is fitted to the
/// rings between 20 % and 80 % of the height. None where there is no flank.
fn angle_of_repose(snapshot: &Snapshot, group: Option<&str>, up: usize) -> Option<f64> {
    let members = members(snapshot, group);
    let count = members.clone().count();
    let [a, b] = [(up + 1) % 3, (up + 2) % 3];
    let sum = members.clone().fold(Vec3::ZERO, |sum, p| sum + p.position);
    let center = sum / count as f64;
    let distance = |p: &ParticleView| {
        let (x, y) = (p.position[a] - center[a], p.position[b] - center[b]);
        (x * x + y * y).sqrt()
    };
    let floor = members.clone().map(|p| p.position[up] - p.radius).fold(f64::INFINITY, f64::min);
    let reach = members.clone().map(distance).fold(0.0, f64::max);
    if !(count > RINGS && reach > 0.0 && floor.is_finite()) {
        return None;
    }
    let mut profile = [0.0_f64; RINGS];
    for particle in members {
        let ring = (distance(particle) / reach * RINGS as f64) as usize;
        let height = particle.position[up] + particle.radius - floor;
        let highest = &mut profile[ring.min(RINGS - 1)];
        *highest = highest.max(height);
    }
    let width = reach / RINGS as f64;
    let slope = flank_slope(&profile, width)?;
    Some(libm::atan(-slope).to_degrees())
}

/// Slope of the straight line through the rings of the flank.
fn flank_slope(profile: &[f64], width: f64) -> Option<f64> {
    let top = profile.iter().copied().fold(0.0, f64::max);
    let on_flank = |height: f64| (FLANK[0] * top..=FLANK[1] * top).contains(&height);
    let points: Vec<[f64; 2]> = profile
        .iter()
        .enumerate()
        .filter(|(_, height)| on_flank(**height))
        .map(|(ring, height)| [(ring as f64 + 0.5) * width, *height])
        .collect();
    if points.len() < 3 {
        return None;
    }
    let count = points.len() as f64;
    let mean = |axis: usize| points.iter().map(|point| point[axis]).sum::<f64>() / count;
    let (x, y) = (mean(0), mean(1));
    let spread: f64 = points.iter().map(|p| (p[0] - x) * (p[0] - x)).sum();
    let product: f64 = points.iter().map(|p| (p[0] - x) * (p[1] - y)).sum();
    Some(product / spread)
}

#[cfg(test)]
mod tests {
    use super::*;
    use esker::Quat;

    /// Small grains on the surface of a cone of 30° and inside it.
    #[test]
    fn a_cone_of_thirty_degrees_has_an_angle_of_repose_of_thirty_degrees() {
        let slope = 30.0_f64.to_radians().tan();
        let mut snapshot = Snapshot::default();
        for ring in 0..100 {
            for turn in 0..20 {
                let distance = 0.01 * f64::from(ring);
                let (sin, cos) = (f64::from(turn) * 0.314).sin_cos();
                let height = slope * (1.0 - distance);
                for share in [0.0, 0.5, 1.0] {
                    let position = Vec3::new(distance * cos, distance * sin, share * height);
                    snapshot.particles.push(grain(position));
                }
            }
        }
        let angle = angle_of_repose(&snapshot, None, 2).expect("a cone has a flank");
        // A ring is 4 % of the radius wide and takes its highest grain, all over the flank alike.
        assert!((angle - 30.0).abs() < 0.5, "{angle}");
    }

    fn grain(position: Vec3) -> ParticleView {
        ParticleView {
            id: 0,
            group: 0,
            material: 0,
            radius: 1e-4,
            mass: 1.0,
            charge: 0.0,
            position,
            image: [0; 3],
            velocity: Vec3::ZERO,
            spin: Vec3::ZERO,
            orientation: Quat::IDENTITY,
            force: Vec3::ZERO,
            torque: Vec3::ZERO,
            coordination: 0,
        }
    }
}
