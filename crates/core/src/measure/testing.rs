//! Contacts for the tests of measures.

use super::{ContactView, ParticleView, Partner};
use crate::Vec3;

/// A contact of two particles that repel each other.
pub(super) fn contact(
    first: &ParticleView,
    second: &ParticleView,
    overlap: f64,
    force: f64,
) -> ContactView {
    let partner = Partner::Particle(second.id);
    ContactView { second: partner, ..with(first, second.position, overlap, force) }
}

/// A contact with the first wall at a point.
pub(super) fn with(first: &ParticleView, point: Vec3, overlap: f64, force: f64) -> ContactView {
    ContactView {
        first: first.id,
        second: Partner::Wall(crate::id::WallId::new(0)),
        first_position: first.position,
        second_position: point,
        normal: (point - first.position).normalize_or_zero(),
        overlap,
        closing_speed: 0.0,
        elastic: force,
        damping: 0.0,
        cohesion: 0.0,
        tangential: Vec3::ZERO,
        moment: Vec3::ZERO,
        slip_velocity: Vec3::ZERO,
        normal_stiffness: 1.0,
        tangential_stiffness: 0.0,
        contact_radius: 0.0,
        elastic_displacement: Vec3::ZERO,
        sliding_displacement: None,
        sliding: false,
        friction_excess: 0.0,
        slip_mobility: 0.0,
    }
}
