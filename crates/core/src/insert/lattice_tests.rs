//! Points of lattices.

use super::super::{Radius, Sphere, place};
use super::*;
use crate::MaterialId;

fn lattice(count: Option<usize>, jitter: f64, spacing: f64) -> Source {
    Source::new(
        "",
        MaterialId::new(0),
        Radius::Constant(0.05),
        Placement::Lattice {
            min: Vec3::ZERO,
            max: Vec3::ONE,
            spacing: Vec3::splat(spacing),
            count,
            jitter,
        },
    )
}

fn place_in(source: &Source, occupied: &[(Vec3, f64)]) -> Result<Vec<Sphere>, String> {
    place(source, 1, 0, occupied, &Domain::new(Vec3::ZERO, Vec3::ONE))
}

#[test]
fn ten_diameters_hold_a_thousand_touching_particles_from_low_to_high() {
    let spheres = place_in(&lattice(None, 0.0, 0.1), &[]).unwrap();
    assert_eq!(spheres.len(), 1000);
    assert!((spheres[0].position - Vec3::splat(0.05)).length() < 1e-12);
    assert!((spheres[1].position - Vec3::new(0.15, 0.05, 0.05)).length() < 1e-12);
    assert!((spheres[10].position - Vec3::new(0.05, 0.15, 0.05)).length() < 1e-12);
    assert!((spheres[100].position - Vec3::new(0.05, 0.05, 0.15)).length() < 1e-12);
}

#[test]
fn the_count_is_kept_or_refused() {
    assert_eq!(place_in(&lattice(Some(77), 0.0, 0.1), &[]).unwrap().len(), 77);
    let message = place_in(&lattice(Some(1001), 0.0, 0.1), &[]).unwrap_err();
    assert!(message.starts_with("only 1000 of 1001 particles fit"), "{message}");
}

#[test]
fn points_that_are_taken_stay_empty() {
    let occupied = [(Vec3::splat(0.05), 0.04)];
    let spheres = place_in(&lattice(None, 0.0, 0.1), &occupied).unwrap();
    assert_eq!(spheres.len(), 999);
    assert!((spheres[0].position - Vec3::new(0.15, 0.05, 0.05)).length() < 1e-12);
}

#[test]
fn jitter_moves_particles_within_bounds_and_without_overlap() {
    let spheres = place_in(&lattice(None, 0.02, 0.12), &[]).unwrap();
    assert!(spheres.len() > 300);
    for (index, sphere) in spheres.iter().enumerate() {
        let position = sphere.position;
        assert!(position.min_element() >= 0.05 && position.max_element() <= 0.95);
        for other in &spheres[..index] {
            assert!((other.position - position).length() >= 0.1 * (1.0 - 1e-9));
        }
    }
}

#[test]
fn a_lattice_closer_than_a_diameter_is_refused() {
    assert!(place_in(&lattice(None, 0.0, 0.09), &[]).unwrap_err().contains("spacing 0.09"));
}

#[test]
fn a_lattice_repeats_with_the_domain() {
    let mut domain = Domain::new(Vec3::ZERO, Vec3::ONE);
    domain.periodic = [true; 3];
    let spheres = place(&lattice(None, 0.0, 0.125), 1, 0, &[], &domain).unwrap();
    assert_eq!(spheres.len(), 512);
}

#[test]
fn a_flat_box_holds_one_layer() {
    let mut flat = lattice(None, 0.01, 0.2);
    if let Placement::Lattice { max, .. } = &mut flat.placement {
        max.z = 0.0;
    }
    let spheres = place_in(&flat, &[]).unwrap();
    assert_eq!(spheres.len(), 25);
    assert!(spheres.iter().all(|sphere| sphere.position.z == 0.0));
}
