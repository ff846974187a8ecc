use super::*;
use proptest::prelude::*;

fn vector(size: f64) -> impl Strategy<Value = Vec3> {
    (-size..size, -size..size, -size..size).prop_map(|(x, y, z)| Vec3::new(x, y, z))
}

/// A mesh of separate triangles.
fn soup(triangles: &[[Vec3; 3]]) -> (Mesh, Vec<Defect>) {
    let vertices: Vec<Vec3> = triangles.iter().flatten().copied().collect();
    let indices = (0..triangles.len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    Mesh::new(vertices, indices, SMOOTH_ANGLE).unwrap()
}

fn refusal(vertices: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> String {
    Mesh::new(vertices, triangles, SMOOTH_ANGLE).unwrap_err()
}

/// The nearest of many points of a triangle, by barycentric coordinates.
fn nearest_sample(corners: [Vec3; 3], x: Vec3, steps: usize) -> f64 {
    let mut nearest = f64::INFINITY;
    for i in 0..=steps {
        for j in 0..=steps - i {
            let (a, b) = (i as f64 / steps as f64, j as f64 / steps as f64);
            let point = corners[0] * a + corners[1] * b + corners[2] * (1.0 - a - b);
            nearest = nearest.min(point.distance(x));
        }
    }
    nearest
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn nearest_point_of_a_triangle_is_nearest(corners in [vector(1.0), vector(1.0), vector(1.0)], x in vector(2.0)) {
        let Some(facet) = Facet::new(corners) else { return Ok(()) };
        let (steps, found) = (200, facet.nearest(x));
        let sampled = nearest_sample(corners, x, steps);
        let spacing = 4.0 / steps as f64;
        prop_assert!(found.closest.distance <= sampled + 1e-12);
        prop_assert!(found.closest.distance >= sampled - spacing);
        prop_assert!((x + found.closest.normal * found.closest.distance).distance(found.point) < 1e-12);
        prop_assert!(facet.nearest(found.point).closest.distance < 1e-12);
    }

    #[test]
    fn facets_near_a_point_are_those_of_a_full_search(
        triangles in prop::collection::vec((vector(1.0), vector(0.3), vector(0.3)), 1..60),
        x in vector(1.5),
        distance in 0.0_f64..0.8,
    ) {
        let triangles: Vec<_> = triangles.iter().map(|&(a, b, c)| [a, a + b, a + c]).collect();
        let (mesh, _) = soup(&triangles);
        let mut near = vec![7];
        mesh.facets_near(x, distance, &mut near);
        let all = (0..mesh.facets.len() as u32)
            .filter(|&facet| mesh.facets[facet as usize].nearest(x).closest.distance <= distance);
        let all: Vec<_> = all.collect();
        prop_assert_eq!(near, all.clone());
        let mut with_distances = vec![(7, 0.0)];
        mesh.distances_near(x, distance, &mut with_distances);
        let distance_of = |facet: u32| mesh.facets[facet as usize].nearest(x).closest.distance;
        let all: Vec<_> = all.iter().map(|&facet| (facet, distance_of(facet))).collect();
        prop_assert_eq!(with_distances, all);
    }

    /// Small facets, so that there are empty cells.
    #[test]
    fn a_cell_that_is_called_clear_is_clear(
        triangles in prop::collection::vec((vector(1.0), vector(0.05), vector(0.05)), 20..60),
        x in vector(1.0),
        distance in 0.0_f64..0.5,
    ) {
        let triangles: Vec<_> = triangles.iter().map(|&(a, b, c)| [a, a + b, a + c]).collect();
        let (mesh, _) = soup(&triangles);
        let distances = mesh.facets.iter().map(|facet| facet.nearest(x).closest.distance);
        let nearest = distances.fold(f64::INFINITY, f64::min);
        prop_assert!(!mesh.grid.is_clear(x, distance) || nearest > distance);
    }
}

#[test]
fn the_middle_of_a_large_room_is_clear() {
    let corner = |s: i32, t: i32| Vec3::new(0.1 * f64::from(s), 0.1 * f64::from(t), 0.0);
    let mut triangles = Vec::new();
    for (s, t) in (0..20).flat_map(|s| (0..20).map(move |t| (s, t))) {
        let triangle = [corner(s, t), corner(s + 1, t), corner(s, t + 1)];
        triangles.push(triangle);
        triangles.push(triangle.map(|point| point + Vec3::Z * 2.0));
    }
    let (mesh, _) = soup(&triangles);
    // a cell is about as large as a facet, and a margin of two cells is not known to be clear
    assert!(mesh.grid.is_clear(Vec3::ONE, 0.7));
    assert!(!mesh.grid.is_clear(Vec3::ONE, 1.01));
    assert!(!mesh.grid.is_clear(Vec3::ONE * 5.0, 0.1), "outside nothing is known");
}

#[test]
fn facets_of_very_different_sizes_are_found() {
    let mut triangles = vec![[Vec3::ZERO, Vec3::X * 100.0, Vec3::Y * 100.0]];
    triangles.extend((0..300).map(|i| {
        let at = Vec3::new(0.01 * f64::from(i), 0.0, 1.0);
        [at, at + Vec3::X * 0.005, at + Vec3::Y * 0.005]
    }));
    let (mesh, _) = soup(&triangles);
    let mut near = Vec::new();
    mesh.facets_near(Vec3::new(30.0, 30.0, 0.5), 0.6, &mut near);
    assert_eq!(near, [0]);
    mesh.facets_near(Vec3::new(0.0, 0.0, 0.9), 0.1, &mut near);
    assert_eq!(near, [1]);
    mesh.facets_near(Vec3::splat(f64::NAN), 1.0, &mut near);
    assert!(near.is_empty());
    mesh.facets_near(Vec3::ZERO, f64::INFINITY, &mut near);
    assert_eq!(near.len(), 301);
}

#[test]
fn equal_vertices_are_welded() {
    let (mesh, defects) =
        soup(&[[Vec3::ZERO, Vec3::X, Vec3::Y], [Vec3::X, Vec3::Y, Vec3::ONE * -0.0 + Vec3::Z]]);
    assert_eq!((mesh.vertices().len(), mesh.open_edges()), (4, 4));
    assert_eq!(mesh.triangles()[1][..2], mesh.triangles()[0][1..]);
    assert_eq!(mesh.bounds(), (Vec3::ZERO, Vec3::ONE));
    assert!(defects.is_empty());
}

#[test]
fn minus_zero_is_zero() {
    let (mesh, _) = soup(&[
        [Vec3::ZERO, Vec3::X, Vec3::Y],
        [Vec3::new(0.0, 1.0, -0.0), Vec3::new(1.0, -0.0, 0.0), Vec3::Z],
    ]);
    assert_eq!(mesh.vertices().len(), 4);
}

#[test]
fn degenerate_and_duplicate_facets_are_left_out_and_reported() {
    let (a, b, c, d) = (Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z);
    let (mesh, defects) =
        soup(&[[a, b, c], [a, b, b], [c, a, b], [a, b, b * 3.0], [b, c, d], [b, a, c]]);
    assert_eq!(
        defects,
        [
            Defect::Degenerate { facet: 1 },
            Defect::Duplicate { facet: 2, of: 0 },
            Defect::Degenerate { facet: 3 },
            Defect::Duplicate { facet: 5, of: 0 },
        ]
    );
    assert_eq!(mesh.triangles().len(), 2);
}

#[test]
fn what_is_not_a_mesh_is_refused() {
    let corners = vec![Vec3::ZERO, Vec3::X, Vec3::Y];
    assert_eq!(refusal(corners.clone(), vec![]), "the mesh has no facets");
    assert!(refusal(corners.clone(), vec![[0, 1, 3]]).contains("only 3"));
    assert!(refusal(corners.clone(), vec![[0, 1, 1]]).contains("area"));
    let broken = vec![Vec3::ZERO, Vec3::X, Vec3::new(0.0, f64::NAN, 0.0)];
    assert!(refusal(broken, vec![[0, 1, 2]]).contains("vertex 2"));
    let angle = Mesh::new(corners, vec![[0, 1, 2]], f64::NAN);
    assert!(angle.unwrap_err().contains("smooth angle"));
}

/// Two facets that share an edge with an angle [degrees].
fn bent(angle: f64, flip: bool) -> Mesh {
    let angle = angle.to_radians();
    let far = Vec3::new(-libm::cos(angle), 0.0, libm::sin(angle));
    let second = if flip { [0, 3, 1] } else { [1, 3, 0] };
    let vertices = vec![Vec3::ZERO, Vec3::Y, Vec3::X, far];
    Mesh::new(vertices, vec![[0, 1, 2], second], SMOOTH_ANGLE).unwrap().0
}

#[test]
fn facets_are_one_surface_if_they_bend_little_whatever_their_winding() {
    for flip in [false, true] {
        for (angle, count) in [(0.0, 1), (29.9, 1), (-29.9, 1), (30.1, 2), (-90.0, 2), (179.0, 2)] {
            let mesh = bent(angle, flip);
            assert_eq!(mesh.surface_of(1) + 1, count, "bent by {angle}°, flipped: {flip}");
        }
    }
}

#[test]
fn a_t_junction_does_not_part_a_surface() {
    let middle = Vec3::new(0.3, 0.0, 0.0);
    let (below, above) = (-Vec3::Y, Vec3::Y);
    let (mesh, _) = soup(&[
        [Vec3::ZERO, Vec3::X, below],
        [Vec3::ZERO, middle, above],
        [middle, Vec3::X, above],
        // Touches the first at a corner only, so that it is another surface.
        [Vec3::ZERO, -Vec3::X, -Vec3::X + Vec3::Y * 0.2],
    ]);
    let surfaces: Vec<u32> = (0..4).map(|facet| mesh.surface_of(facet)).collect();
    assert_eq!(surfaces, [0, 0, 0, 1]);
}

#[test]
fn three_facets_at_an_edge_are_allowed() {
    let (a, b) = (Vec3::ZERO, Vec3::Y);
    let (mesh, _) = soup(&[[a, b, Vec3::X], [a, b, -Vec3::X], [a, b, Vec3::Z]]);
    let surfaces: Vec<u32> = (0..3).map(|facet| mesh.surface_of(facet)).collect();
    assert_eq!((mesh.open_edges(), surfaces), (6, vec![0, 0, 1]));
    assert_eq!(mesh.branching_edges(), 1);
}

#[test]
fn small_facets_very_far_apart_are_found() {
    let far = Vec3::new(1e9, -1e9, 1e9);
    let triangle = [Vec3::ZERO, Vec3::X, Vec3::Y];
    let (mesh, _) = soup(&[triangle, triangle.map(|corner| corner + far)]);
    let mut near = Vec::new();
    mesh.facets_near(far, 0.5, &mut near);
    assert_eq!(near, [1]);
}
