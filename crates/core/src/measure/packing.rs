//! Structure of a packing: coordination, packing fraction, height.

use super::sphere_part::volume_inside;
use super::{ExactSum, ParticleView, Snapshot};
use crate::Vec3;
use crate::id::GroupId;
use crate::insert::Region;

/// Mean number of touching partners of the free particles; `None` without free particles.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::{snapshot, RADIUS};
/// use esker::prelude::*;
///
/// let touching = vec![Sphere::new(RADIUS, Vec3::ZERO), Sphere::new(RADIUS, Vec3::X * 1.99 * RADIUS)];
/// assert_eq!(esker::measure::coordination(&snapshot(touching), None), Some(1.0));
/// ```
pub fn coordination(snapshot: &Snapshot, group: Option<GroupId>) -> Option<f64> {
    let count = snapshot.free(group).count();
    let partners: ExactSum = snapshot.free(group).map(|p| f64::from(p.coordination)).collect();
    (count > 0).then(|| partners.value() / count as f64)
}

/// The highest point of any particle in the direction of a unit vector [m]; `None` without
/// particles.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::{snapshot, RADIUS};
/// use esker::prelude::*;
///
/// let now = snapshot(vec![Sphere::new(RADIUS, Vec3::Z)]);
/// assert_eq!(esker::measure::max_height(&now, None, Vec3::Z), Some(1.0 + RADIUS));
/// ```
pub fn max_height(snapshot: &Snapshot, group: Option<GroupId>, up: Vec3) -> Option<f64> {
    snapshot
        .selected(group)
        .map(|particle| particle.position.dot(up) + particle.radius)
        .max_by(f64::total_cmp)
}

/// Volume fraction of the particles in a region, including periodic images; overlaps count
/// twice. `None` for a region without volume.
///
/// A sphere cut by the boundary counts with its volume inside: exactly in a box or a ball, to 1e-10 of the sphere in a
/// cylinder.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::{snapshot, RADIUS};
/// use esker::prelude::*;
/// use esker::measure::packing_fraction;
///
/// let now = snapshot(vec![Sphere::new(RADIUS, Vec3::ZERO)]);
/// let region = Region::Box { min: Vec3::splat(-0.02), max: Vec3::splat(0.02) };
/// let fraction = packing_fraction(&now, None, &region).unwrap();
/// let expected = std::f64::consts::PI / 6.0 / 8.0; // a sphere in a cube of twice its diameter
/// assert!((fraction / expected - 1.0).abs() < 1e-9);
/// ```
pub fn packing_fraction(
    snapshot: &Snapshot,
    group: Option<GroupId>,
    region: &Region,
) -> Option<f64> {
    filled_fraction(snapshot, snapshot.selected(group), region)
}

/// The same for selected particles.
pub(super) fn filled_fraction<'a>(
    snapshot: &Snapshot,
    particles: impl Iterator<Item = &'a ParticleView>,
    region: &Region,
) -> Option<f64> {
    let volume = region.volume();
    if !(volume.is_finite() && volume > 0.0) {
        return None;
    }
    let mut filled = ExactSum::new();
    for particle in particles {
        for shift in shifts(snapshot, particle, region) {
            filled.add(volume_inside(region, particle.position + shift, particle.radius));
        }
    }
    Some(filled.value() / volume)
}

/// The periods by which a particle must be moved to be near the region.
fn shifts(snapshot: &Snapshot, particle: &ParticleView, region: &Region) -> Vec<Vec3> {
    let (low, high) = region.bounds();
    let period = snapshot.domain().period();
    let mut shifts = vec![Vec3::ZERO];
    for axis in 0..3 {
        let first = low[axis] - particle.radius - particle.position[axis];
        let last = high[axis] + particle.radius - particle.position[axis];
        let times = if period[axis] > 0.0 {
            (first / period[axis]).ceil() as i64..=(last / period[axis]).floor() as i64
        } else if first <= 0.0 && last >= 0.0 {
            0..=0
        } else {
            return Vec::new();
        };
        let along = |shift: Vec3, time: i64| {
            let mut shift = shift;
            shift[axis] = time as f64 * period[axis];
            shift
        };
        shifts =
            times.flat_map(|time| shifts.iter().map(move |&shift| along(shift, time))).collect();
    }
    shifts
}

#[cfg(test)]
mod tests {
    use super::super::selection::testing::{particle, snapshot};
    use super::*;
    use std::f64::consts::PI;

    fn unit_box() -> Region {
        Region::Box { min: Vec3::ZERO, max: Vec3::ONE }
    }

    fn ball(radius: f64) -> f64 {
        4.0 / 3.0 * PI * radius * radius * radius
    }

    #[test]
    fn coordination_is_the_mean_over_free_particles() {
        let mut particles: Vec<ParticleView> =
            (0..4).map(|id| particle(id, 0.1, 1.0, Vec3::ZERO)).collect();
        for (particle, partners) in particles.iter_mut().zip([3, 4, 6, 12]) {
            particle.coordination = partners;
        }
        particles[3].mass = f64::INFINITY;
        assert_eq!(coordination(&snapshot(particles), None), Some(13.0 / 3.0));
        assert_eq!(coordination(&snapshot(vec![]), None), None);
    }

    #[test]
    fn height_is_that_of_the_highest_surface() {
        let low = particle(0, 0.3, 1.0, Vec3::new(0.0, 0.0, 0.5));
        let high = particle(1, 0.1, 1.0, Vec3::new(0.0, 0.0, 0.6));
        let snapshot = snapshot(vec![low, high]);
        assert_eq!(max_height(&snapshot, None, Vec3::Z), Some(0.8));
        assert_eq!(max_height(&snapshot, None, Vec3::NEG_Z), Some(-0.2));
        assert_eq!(max_height(&snapshot, Some(crate::id::GroupId::new(1)), Vec3::Z), None);
    }

    #[test]
    fn spheres_inside_count_whole_and_spheres_outside_not() {
        let inside = particle(0, 0.1, 1.0, Vec3::splat(0.5));
        let outside = particle(1, 0.1, 1.0, Vec3::splat(1.2));
        let fraction = packing_fraction(&snapshot(vec![inside, outside]), None, &unit_box());
        assert!((fraction.expect("a volume") - ball(0.1)).abs() < 1e-15);
    }

    #[test]
    fn spheres_on_a_face_an_edge_and_a_corner_count_by_their_parts() {
        let cases = [(Vec3::new(0.5, 0.5, 0.0), 0.5), (Vec3::new(0.5, 1.0, 0.0), 0.25)];
        for (position, expected) in cases.into_iter().chain([(Vec3::ZERO, 0.125)]) {
            let one = snapshot(vec![particle(0, 0.1, 1.0, position)]);
            let fraction = packing_fraction(&one, None, &unit_box()).expect("a volume");
            assert!((fraction / ball(0.1) - expected).abs() < 1e-14, "{}", fraction / ball(0.1));
        }
        // a cap of height h of a sphere of radius r has the volume π h² (r - h/3)
        let capped = snapshot(vec![particle(0, 0.1, 1.0, Vec3::new(0.5, 0.5, -0.05))]);
        let fraction = packing_fraction(&capped, None, &unit_box()).expect("a volume");
        let cap = PI * 0.05 * 0.05 * (0.1 - 0.05 / 3.0);
        assert!(((fraction - cap) / ball(0.1)).abs() < 1e-14);
    }

    #[test]
    fn a_region_of_one_period_holds_every_particle_once() {
        let mut corner = snapshot(vec![particle(0, 0.2, 1.0, Vec3::splat(0.01))]);
        corner.periodic = [true; 3];
        let fraction = packing_fraction(&corner, None, &unit_box()).expect("a volume");
        assert!((fraction / ball(0.2) - 1.0).abs() < 1e-14);
    }

    #[test]
    fn the_order_of_particles_changes_no_bit() {
        let particles: Vec<ParticleView> = (0..50)
            .map(|id| particle(id, 0.01 + 0.001 * id as f64, 1.0, Vec3::splat(0.02 * id as f64)))
            .collect();
        let reversed = particles.iter().rev().copied().collect();
        let forth = packing_fraction(&snapshot(particles), None, &unit_box());
        assert_eq!(forth, packing_fraction(&snapshot(reversed), None, &unit_box()));
    }

    #[test]
    fn a_region_without_volume_has_no_fraction() {
        let flat = Region::Box { min: Vec3::ZERO, max: Vec3::new(1.0, 1.0, 0.0) };
        assert_eq!(packing_fraction(&snapshot(vec![]), None, &flat), None);
    }
}
