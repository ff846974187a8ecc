//! Contacts with edges, corners and seams of a mesh.

use super::contact_tests::{Dice, build, contacts};
use super::*;
use crate::wall::ClosestPoint;

/// A strip of facets along y, bent along a line in the plane of x and z.
fn strip(profile: &[Vec3], length: f64, pieces: u32) -> Mesh {
    let rows = profile.len() as u32;
    let step = Vec3::Y * (length / f64::from(pieces));
    let row = |j: u32| profile.iter().map(move |p| *p + step * f64::from(j));
    let vertices = (0..=pieces).flat_map(row).collect();
    let mut triangles = Vec::new();
    for j in 0..pieces {
        for i in 0..rows - 1 {
            let (a, d) = (j * rows + i, (j + 1) * rows + i);
            triangles.extend([[a, a + 1, d + 1], [d, a, d + 1]]);
        }
    }
    build(vertices, triangles)
}

/// Two slopes that meet in a line along y, each going down (or up) at an angle.
fn ridge(slope: f64, pieces: u32) -> Mesh {
    let side = |x: f64| Vec3::new(x, 0.0, -libm::tan(slope));
    strip(&[side(-1.0), Vec3::ZERO, side(1.0)], 2.0, pieces)
}

#[test]
fn a_convex_edge_gives_one_contact_with_the_edge() {
    for pieces in [1, 2, 16] {
        for slope in [0.3, 1.2] {
            let mesh = ridge(slope, pieces);
            // Between the normals of the slopes the edge is the nearest.
            for fraction in [-0.9, 0.0, 0.2, 0.9] {
                let direction =
                    Vec3::new(libm::sin(slope * fraction), 0.0, libm::cos(slope * fraction));
                for y in [0.0, 0.1, 1.0, 1.25, 2.0] {
                    let found = contacts(&mesh, Vec3::Y * y + direction * 0.19, 0.2);
                    assert_eq!(found.len(), 1, "{pieces} pieces, {slope}, {fraction}, {y}");
                    assert!((found[0].closest.distance - 0.19).abs() < 1e-15);
                    assert!((found[0].closest.normal + direction).length() < 1e-14);
                    assert_ne!(found[0].feature, Feature::Face);
                    assert_eq!(found[0].surface, 0);
                }
            }
        }
    }
}

#[test]
fn a_concave_edge_gives_two_contacts() {
    for pieces in [1, 2, 16] {
        for slope in [0.01_f64, 0.1, 0.24, 0.4, 0.9, 1.3] {
            let mesh = ridge(-slope, pieces);
            // At height h over the edge both slopes are h cos(slope) away.
            let height = 0.095 / libm::cos(slope);
            for y in [0.5, 1.0, 1.13] {
                let found = contacts(&mesh, Vec3::new(0.0, y, height), 0.1);
                assert_eq!(found.len(), 2, "{pieces} pieces, slope {slope}: {found:?}");
                for (contact, side) in found.iter().zip([-1.0, 1.0]) {
                    let normal = Vec3::new(side * libm::sin(slope), 0.0, -libm::cos(slope));
                    assert!((contact.closest.distance - 0.095).abs() < 1e-15);
                    assert!((contact.closest.normal - normal).length() < 1e-14);
                }
            }
        }
    }
}

#[test]
fn a_sharp_edge_beside_the_foot_adds_no_contact() {
    // A step with its edge at x = 0: a flat top, cut in facets narrower than the sphere's dent,
    // and a side. The edge is within range but not beside the facet that holds the foot.
    let top: Vec<Vec3> = (0..=20).map(|i| Vec3::X * (-0.05 * f64::from(20 - i))).collect();
    let profile: Vec<Vec3> = top.into_iter().chain([-Vec3::Z]).collect();
    let mesh = strip(&profile, 2.0, 20);
    let mut dice = Dice(17);
    for _ in 0..2000 {
        let x = Vec3::new(-0.5 * dice.roll(), 0.6 + 0.8 * dice.roll(), 0.85);
        let found = contacts(&mesh, x, 1.0);
        assert_eq!(found.len(), 1, "{x}: {found:?}");
        assert_eq!(found[0].closest, ClosestPoint { normal: -Vec3::Z, distance: 0.85 });
    }
}

#[test]
fn the_corner_of_a_box_gives_one_contact_from_outside_and_three_from_inside() {
    let vertices: Vec<Vec3> = (0..8)
        .map(|i| Vec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2 & 1)))
        .collect();
    let quads =
        [[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]];
    let triangles = quads.iter().flat_map(|q| [[q[0], q[1], q[2]], [q[0], q[2], q[3]]]).collect();
    let mesh = build(vertices, triangles);
    assert_eq!(mesh.open_edges(), 0);
    for offset in [Vec3::ONE, Vec3::new(1.0, 2.0, 0.5)] {
        let found = contacts(&mesh, Vec3::ONE + offset.normalize() * 0.09, 0.1);
        assert_eq!(found.len(), 1);
        assert!((found[0].closest.normal + offset.normalize()).length() < 1e-14);
        assert!(matches!(found[0].feature, Feature::Vertex(_)));
    }
    let found = contacts(&mesh, Vec3::splat(0.09), 0.1);
    assert_eq!(found.len(), 3);
    assert!(found.iter().all(|contact| (contact.closest.distance - 0.09).abs() < 1e-15));
}

/// Facets that share no vertices: two triangles for each rectangle.
fn rectangles(rectangles: &[(Vec3, Vec3, Vec3)]) -> Mesh {
    let corners = |&(at, first, second): &(Vec3, Vec3, Vec3)| {
        [at, at + first, at + first + second, at, at + first + second, at + second]
    };
    let vertices: Vec<Vec3> = rectangles.iter().flat_map(corners).collect();
    let triangles = (0..vertices.len() as u32 / 3).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    build(vertices, triangles)
}

#[test]
fn a_sheet_that_stands_on_a_floor_without_sharing_vertices_makes_a_corner() {
    let floor = (Vec3::ZERO, Vec3::X * 3.0, Vec3::Y * 3.0);
    let sheet = (Vec3::new(1.1, 0.7, 0.0), Vec3::Y, Vec3::Z);
    let mesh = rectangles(&[floor, sheet]);
    for y in [0.8, 1.2, 1.6, 1.0999] {
        let found = contacts(&mesh, Vec3::new(1.1 + 0.09, y, 0.095), 0.1);
        assert_eq!(found.len(), 2, "{found:?}");
        let closest_points = found.iter().map(|c| (c.closest.normal, c.closest.distance));
        for ((normal, distance), expected) in
            closest_points.zip([(-Vec3::Z, 0.095), (-Vec3::X, 0.09)])
        {
            assert!(
                (normal - expected.0).length() < 1e-15 && (distance - expected.1).abs() < 1e-15
            );
        }
    }
    // Beside the end of the sheet: the floor, and the edge of the sheet, not its foot as well.
    let found = contacts(&mesh, Vec3::new(1.1, 0.7 - 0.08, 0.095), 0.1);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!((found[1].closest.normal - Vec3::Y).length() < 1e-15);
}

#[test]
fn sides_of_two_bodies_in_one_plane_give_one_contact_at_their_seam() {
    // The front faces of two boxes on each other, with their tops; the seam is at z = 1.
    let box_at = |z: f64, length: f64| {
        let at = Vec3::Z * z;
        [
            (at, Vec3::X * length, Vec3::Z),
            (at + Vec3::Z, Vec3::X * length, Vec3::Y),
            (at, Vec3::X * length, Vec3::Y),
        ]
    };
    let mesh = rectangles(&[box_at(0.0, 3.0), box_at(1.0, 2.0)].concat());
    let mut dice = Dice(8);
    for trial in 0..1000 {
        let off = if trial % 3 == 0 { 0.0 } else { 0.04 * (dice.roll() - 0.5) };
        let found = contacts(&mesh, Vec3::new(0.1 + 1.7 * dice.roll(), -0.095, 1.0 + off), 0.1);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!((found[0].closest.distance - 0.095).abs() < 1e-15);
    }
}
