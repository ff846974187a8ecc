//! Centre of mass, momentum and angular momentum of the free particles.

use super::{ExactSum, ExactVectorSum, Snapshot};
use crate::Vec3;
use crate::id::GroupId;

/// Moment of inertia of a solid sphere in units of its mass and radius squared.
const SOLID_SPHERE: f64 = 0.4;

/// Centre of mass of a group, or of all free particles, with unwrapped positions [m]; `None` without free particles.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::{snapshot, RADIUS};
/// use esker::prelude::*;
///
/// let now = snapshot(vec![Sphere::new(RADIUS, Vec3::ZERO), Sphere::new(RADIUS, Vec3::X)]);
/// assert_eq!(esker::measure::center_of_mass(&now, None), Some(Vec3::X * 0.5));
/// ```
pub fn center_of_mass(snapshot: &Snapshot, group: Option<GroupId>) -> Option<Vec3> {
    let mass: ExactSum = snapshot.free(group).map(|particle| particle.mass).collect();
    let moment: ExactVectorSum =
        snapshot.free(group).map(|particle| particle.mass * snapshot.unwrapped(particle)).collect();
    let mass = mass.value();
    (mass > 0.0).then(|| moment.value() / mass)
}

/// Mean of the unwrapped positions with equal weights [m]; `None` without particles.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::{snapshot, RADIUS};
/// use esker::prelude::*;
///
/// // a sphere of eight times the mass counts once
/// let now = snapshot(vec![Sphere::new(RADIUS, Vec3::ZERO), Sphere::new(2.0 * RADIUS, Vec3::X)]);
/// assert_eq!(esker::measure::mean_position(&now, None), Some(Vec3::X * 0.5));
/// ```
pub fn mean_position(snapshot: &Snapshot, group: Option<GroupId>) -> Option<Vec3> {
    let count = snapshot.selected(group).count();
    let sum: ExactVectorSum = snapshot.selected(group).map(|p| snapshot.unwrapped(p)).collect();
    (count > 0).then(|| sum.value() / count as f64)
}

/// Momentum [kg m/s].
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::{snapshot, RADIUS};
/// use esker::prelude::*;
///
/// let now = snapshot(vec![Sphere { velocity: Vec3::X, ..Sphere::new(RADIUS, Vec3::ZERO) }]);
/// assert_eq!(esker::measure::linear_momentum(&now, None), Vec3::X * now.particles[0].mass);
/// ```
pub fn linear_momentum(snapshot: &Snapshot, group: Option<GroupId>) -> Vec3 {
    let sum: ExactVectorSum =
        snapshot.free(group).map(|particle| particle.mass * particle.velocity).collect();
    sum.value()
}

/// Angular momentum about a point [m], orbital and spin, for solid spheres [kg m²/s]. Positions are unwrapped; in a
/// periodic domain it is not conserved.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::{snapshot, RADIUS};
/// use esker::prelude::*;
///
/// let now = snapshot(vec![Sphere { spin: Vec3::Z, ..Sphere::new(RADIUS, Vec3::ZERO) }]);
/// let inertia = 0.4 * now.particles[0].mass * RADIUS * RADIUS;
/// let found = esker::measure::angular_momentum(&now, None, Vec3::ZERO);
/// assert!((found.z / inertia - 1.0).abs() < 1e-12);
/// ```
pub fn angular_momentum(snapshot: &Snapshot, group: Option<GroupId>, about: Vec3) -> Vec3 {
    let mut sum = ExactVectorSum::default();
    for particle in snapshot.free(group) {
        let arm = snapshot.unwrapped(particle) - about;
        sum.add(particle.mass * arm.cross(particle.velocity));
        let inertia = SOLID_SPHERE * particle.mass * particle.radius * particle.radius;
        sum.add(inertia * particle.spin);
    }
    sum.value()
}

#[cfg(test)]
mod tests {
    use super::super::selection::testing::{particle, snapshot};
    use super::*;

    fn dumbbell() -> Snapshot {
        let mut heavy = particle(0, 0.1, 3.0, Vec3::new(0.0, 0.0, 0.0));
        let mut light = particle(1, 0.2, 1.0, Vec3::new(1.0, 0.0, 0.0));
        heavy.velocity = Vec3::new(0.0, 1.0, 0.0);
        light.velocity = Vec3::new(0.0, -3.0, 0.0);
        light.spin = Vec3::new(0.0, 0.0, 10.0);
        let fixed = particle(2, 0.1, f64::INFINITY, Vec3::splat(9.0));
        snapshot(vec![heavy, light, fixed])
    }

    #[test]
    fn center_of_mass_divides_the_distance_by_the_masses_and_ignores_what_is_fixed() {
        assert_eq!(center_of_mass(&dumbbell(), None), Some(Vec3::new(0.25, 0.0, 0.0)));
        assert_eq!(center_of_mass(&dumbbell(), Some(crate::id::GroupId::new(1))), None);
    }

    #[test]
    fn mean_position_counts_every_particle_alike() {
        let mean =
            mean_position(&dumbbell(), Some(crate::id::GroupId::new(0))).expect("three particles");
        assert!((mean - Vec3::new(10.0 / 3.0, 3.0, 3.0)).length() < 1e-12);
    }

    #[test]
    fn opposite_momenta_cancel_exactly() {
        assert_eq!(linear_momentum(&dumbbell(), None), Vec3::ZERO);
    }

    #[test]
    fn angular_momentum_is_that_of_motion_and_of_spin() {
        // orbital: 1 kg · 1 m · -3 m/s; spin: 0.4 · 1 kg · (0.2 m)² · 10 rad/s
        let expected = -3.0 + 0.16;
        let momentum = angular_momentum(&dumbbell(), None, Vec3::ZERO);
        assert!((momentum - Vec3::new(0.0, 0.0, expected)).length() < 1e-15);
        // without momentum it is independent of the point
        let elsewhere = angular_momentum(&dumbbell(), None, Vec3::new(5.0, -2.0, 1.0));
        assert!((momentum - elsewhere).length() < 1e-12);
    }
}
