use super::contact::MeshContact;
use super::*;
use crate::Quat;
use crate::wall::ClosestPoint;
use proptest::prelude::*;
use std::f64::consts::{PI, TAU};

pub(super) fn build(vertices: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Mesh {
    Mesh::new(vertices, triangles, SMOOTH_ANGLE).unwrap().0
}

pub(super) fn contacts(mesh: &Mesh, x: Vec3, cutoff: f64) -> Vec<MeshContact> {
    let mut near = Vec::new();
    // Neighbour lists hold more facets than those within the range.
    mesh.facets_near(x, 1.3 * cutoff, &mut near);
    let mut found = MeshContacts::default();
    mesh.contacts(x, cutoff, &near, &mut found);
    found.as_slice().to_vec()
}

/// Deterministic random numbers from zero to one.
pub(super) struct Dice(pub u64);

impl Dice {
    pub fn roll(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((bits ^ (bits >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub fn below(&mut self, count: usize) -> usize {
        (self.roll() * count as f64) as usize % count
    }
}

/// The square from (0, 0) to (1, 1) cut into at least `count` triangles of random shape and winding, down to slivers of
/// zero width. An edge is cut in both its facets, or, for T-junctions, in one.
/// in one.
fn cut_square(count: usize, t_junctions: bool, seed: u64) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let mut dice = Dice(seed);
    if count == 1 {
        let vertices = vec![Vec3::new(-1.0, -1.0, 0.0), Vec3::X * 4.0, Vec3::Y * 4.0];
        return (vertices, vec![[0, 1, 2]]);
    }
    let mut vertices = vec![Vec3::ZERO, Vec3::X, Vec3::new(1.0, 1.0, 0.0), Vec3::Y];
    let mut triangles = vec![[0_u32, 1, 2], [0, 2, 3]];
    while triangles.len() < count {
        let chosen = triangles[dice.below(triangles.len())];
        let new = vertices.len() as u32;
        let [a, b, c] = chosen.map(|corner| vertices[corner as usize]);
        if dice.roll() < 0.5 {
            let (s, t) = (dice.roll(), dice.roll());
            let (s, t) = if s + t > 1.0 { (1.0 - s, 1.0 - t) } else { (s, t) };
            vertices.push(a + (b - a) * s + (c - a) * t);
            let at = triangles.iter().position(|other| *other == chosen).unwrap();
            triangles[at] = [chosen[0], chosen[1], new];
            triangles.push([chosen[1], chosen[2], new]);
            triangles.push([chosen[2], chosen[0], new]);
        } else {
            vertices.push(a + (b - a) * dice.roll());
            let edge = [chosen[0], chosen[1]];
            for at in 0..triangles.len() {
                let whole = triangles[at];
                let is_cut = edge.iter().all(|corner| whole.contains(corner));
                if is_cut && (!t_junctions || whole == chosen) {
                    triangles[at] =
                        whole.map(|corner| if corner == edge[0] { new } else { corner });
                    triangles
                        .push(whole.map(|corner| if corner == edge[1] { new } else { corner }));
                }
            }
        }
    }
    for triangle in &mut triangles {
        if dice.roll() < 0.5 {
            triangle.swap(1, 2);
        }
    }
    (vertices, triangles)
}

/// Projections on the square: anywhere, at vertices, on edges, and as close to them as rounding allows.
fn feet(vertices: &[Vec3], triangles: &[[u32; 3]], count: usize) -> Vec<Vec3> {
    let mut dice = Dice(99);
    let mut feet = Vec::new();
    while feet.len() < count {
        let triangle = triangles[dice.below(triangles.len())];
        let [a, b, _] = triangle.map(|corner| vertices[corner as usize]);
        let nudge = Vec3::new(dice.roll() - 0.5, dice.roll() - 0.5, 0.0)
            * libm::pow(10.0, -16.0 * dice.roll());
        let foot = match dice.below(5) {
            0 => a,
            1 => a + (b - a) * dice.roll(),
            2 => a + nudge,
            3 => a + (b - a) * dice.roll() + nudge,
            _ => Vec3::new(dice.roll(), dice.roll(), 0.0),
        };
        if foot.x.min(foot.y) > 0.001 && foot.x.max(foot.y) < 0.999 {
            feet.push(foot);
        }
    }
    feet
}

/// Compares spheres at a flat mesh with the half-space.
fn check_flat(count: usize, t_junctions: bool, seed: u64, positions: usize, tolerance: f64) {
    let mut dice = Dice(1);
    let (vertices, triangles) = cut_square(count, t_junctions, seed);
    let mesh = build(vertices.clone(), triangles.clone());
    for foot in feet(&vertices, &triangles, positions) {
        let cutoff = 0.01 + 0.2 * dice.roll();
        // From first touch to an overlap of a fifth of the interaction range, from either side.
        let height = cutoff * (1.0 - 0.2 * libm::pow(10.0, -8.0 * dice.roll()));
        let side = if dice.roll() < 0.5 { -1.0 } else { 1.0 };
        let found = contacts(&mesh, foot + Vec3::Z * (side * height), cutoff);
        assert_eq!(found.len(), 1, "{count} triangles, foot {foot}: {found:?}");
        let ClosestPoint { normal, distance } = found[0].closest;
        assert!((distance - height).abs() <= 1e-14, "{distance} instead of {height}");
        assert!((normal + Vec3::Z * side).length() <= tolerance, "normal {normal}");
        assert_eq!(found[0].surface, 0);
    }
}

#[test]
fn a_flat_mesh_is_a_half_space_for_any_triangulation() {
    for (count, seed) in [(1, 0), (2, 0), (200, 3), (200, 30)] {
        check_flat(count, false, seed, 10_000, 1e-14);
    }
}

#[test]
fn a_flat_mesh_with_t_junctions_is_a_half_space() {
    for seed in [4, 40] {
        check_flat(200, true, seed, 10_000, 1e-14);
    }
}

#[test]
fn slivers_of_no_width_that_had_to_be_left_out_leave_no_hole() {
    for (t_junctions, seed) in [(false, 5), (true, 6), (true, 60)] {
        // Among bundles of slivers with a width of 1e-10 the contact may be on any of their edges.
        check_flat(2000, t_junctions, seed, 1000, 1e-7);
    }
}

#[test]
fn a_tilted_flat_mesh_gives_one_contact_at_the_distance_of_the_plane() {
    let rotation = Quat::from_xyzw(0.1, -0.5, 0.3, 0.8).normalize();
    let offset = Vec3::new(3.0, -7.0, 11.0);
    let moved = |p: Vec3| rotation * p + offset;
    for (t_junctions, seed) in [(false, 7), (true, 8)] {
        let (vertices, triangles) = cut_square(500, t_junctions, seed);
        let mesh = build(vertices.iter().map(|v| moved(*v)).collect(), triangles.clone());
        for foot in feet(&vertices, &triangles, 3000) {
            let (cutoff, height) = (0.1, 0.097);
            let found = contacts(&mesh, moved(foot + Vec3::Z * height), cutoff);
            assert_eq!(found.len(), 1, "foot {foot}: {found:?}");
            // Coordinates near ten have a rounding error of 2e-15.
            assert!((found[0].closest.distance - height).abs() < 2e-14);
            // The normals of the thinnest triangles, with a width of 1e-11, are accurate to four digits.
            assert!((found[0].closest.normal + rotation * Vec3::Z).length() < 1e-4);
        }
    }
}

#[test]
fn a_mesh_rounded_to_single_precision_has_no_double_contacts_at_its_seams() {
    let rotation = Quat::from_xyzw(0.1, -0.5, 0.3, 0.8).normalize();
    let round = |p: Vec3| (rotation * p).as_vec3().as_dvec3();
    let (vertices, triangles) = cut_square(40, true, 12);
    let mesh = build(vertices.iter().map(|v| round(*v)).collect(), triangles.clone());
    for foot in feet(&vertices, &triangles, 3000) {
        let found = contacts(&mesh, rotation * (foot + Vec3::Z * 0.097), 0.1);
        assert_eq!(found.len(), 1, "foot {foot}: {found:?}");
        assert!((found[0].closest.distance - 0.097).abs() < 3e-7);
    }
}

#[test]
fn a_sphere_over_facets_a_twentieth_of_its_size_has_one_contact() {
    let n = 100_u32;
    let at = |i: u32, j: u32| Vec3::new(f64::from(i), f64::from(j), 0.0) * 0.05;
    let vertices: Vec<Vec3> = (0..=n).flat_map(|j| (0..=n).map(move |i| at(i, j))).collect();
    let mut triangles = Vec::new();
    for j in 0..n {
        for i in 0..n {
            let [a, b, c, d] =
                [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)].map(|(i, j)| j * (n + 1) + i);
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    let mesh = build(vertices.clone(), triangles);
    let mut dice = Dice(5);
    for trial in 0..1000 {
        let anywhere = Vec3::new(dice.roll(), dice.roll(), 0.0) * 2.0 + Vec3::new(1.5, 1.5, 0.0);
        let foot = if trial % 2 == 0 { anywhere } else { at(40 + trial % 20, 30 + trial % 30) };
        let found = contacts(&mesh, foot + Vec3::Z * 0.9, 1.0);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].closest, ClosestPoint { normal: -Vec3::Z, distance: 0.9 });
    }
}

/// A closed drum along z, with these numbers of segments and belts, of radius and length one before it is
/// stretched.
fn drum(segments: u32, belts: u32, stretch: Vec3) -> Mesh {
    let mut vertices = vec![Vec3::ZERO, Vec3::Z];
    for belt in 0..=belts {
        for segment in 0..segments {
            let angle = TAU * f64::from(segment) / f64::from(segments);
            let height = f64::from(belt) / f64::from(belts);
            vertices.push(Vec3::new(libm::cos(angle), libm::sin(angle), height));
        }
    }
    vertices.iter_mut().for_each(|vertex| *vertex *= stretch);
    let at = |belt: u32, segment: u32| 2 + belt * segments + segment % segments;
    let mut triangles = Vec::new();
    for segment in 0..segments {
        triangles.push([0, at(0, segment), at(0, segment + 1)]);
        triangles.push([1, at(belts, segment), at(belts, segment + 1)]);
        for belt in 0..belts {
            let (a, b) = (at(belt, segment), at(belt, segment + 1));
            let (c, d) = (at(belt + 1, segment + 1), at(belt + 1, segment));
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    build(vertices, triangles)
}

/// How many flats of a regular prism around the unit circle hold the foot of a centre at this
/// distance and angle from the axis, and are within the interaction range. Flats are taken wider by a margin.
fn flats_touched(segments: u32, from_axis: f64, angle: f64, cutoff: f64, margin: f64) -> usize {
    let half = PI / f64::from(segments);
    let is_touched = |segment: u32| {
        let off = angle - half * f64::from(2 * segment + 1);
        let (along, across) = (from_axis * libm::cos(off), from_axis * libm::sin(off));
        along > 0.0 && across.abs() <= libm::sin(half) + margin && libm::cos(half) - along < cutoff
    };
    (0..segments).filter(|segment| is_touched(*segment)).count()
}

#[test]
fn a_drum_of_64_segments_gives_a_contact_for_each_flat_and_one_for_its_cap() {
    for belts in [1, 7] {
        let mesh = drum(64, belts, Vec3::ONE);
        let flattening = 1.0 - libm::cos(PI / 64.0);
        let mut dice = Dice(3);
        let mut doubles = 0;
        for trial in 0..2000 {
            // Half of the positions are exactly over an edge of the barrel.
            let fraction = if trial % 2 == 0 { dice.roll() } else { dice.below(64) as f64 / 64.0 };
            let radial = Vec3::new(libm::cos(TAU * fraction), libm::sin(TAU * fraction), 0.0);
            let radius = if trial % 3 == 0 { 0.4 } else { 0.1 };
            let from_axis = 1.0 - 0.98 * radius;
            let x = radial * from_axis;
            // The second contact of a bend of 0.1 rad counts when it is farther off the first
            // flat than the rounding of the file, 1.2e-7: some 2e-6 behind the edge.
            let least = flats_touched(64, from_axis, TAU * fraction, radius, -1e-5);
            let most = flats_touched(64, from_axis, TAU * fraction, radius, 1e-5);
            let found = contacts(&mesh, x + Vec3::Z * 0.5, radius);
            assert!((least..=most).contains(&found.len()), "{least} to {most}: {found:?}");
            doubles += usize::from(found.len() == 2);
            let nearest = found.iter().map(|contact| contact.closest.distance);
            let off = 0.98 * radius - nearest.fold(f64::INFINITY, f64::min);
            assert!((-1e-15..=flattening).contains(&off), "off the cylinder by {off}");
            let found = contacts(&mesh, x + Vec3::Z * (0.97 * radius), radius);
            assert!((least + 1..=most + 1).contains(&found.len()), "{found:?}");
            let cap = found.iter().find(|contact| contact.closest.normal == -Vec3::Z).unwrap();
            assert!((cap.closest.distance - 0.97 * radius).abs() < 1e-15);
        }
        assert!(doubles > 1000, "over each edge there are two");
    }
}

#[test]
fn opposite_sides_of_an_oval_tube_give_contacts_of_one_surface() {
    let mesh = drum(64, 3, Vec3::new(1.0, 2.0, 10.0));
    let found = contacts(&mesh, Vec3::Z * 5.0, 1.001);
    // the edges at x = ±1 are concave: two each
    assert_eq!(found.len(), 4);
    for side in [-1.0, 1.0] {
        assert_eq!(found.iter().filter(|c| c.closest.normal.x * side > 0.99).count(), 2);
    }
    assert!(found.iter().all(|contact| contact.surface == found[0].surface));
}

#[test]
fn when_there_are_too_many_contacts_the_nearest_stay() {
    // Separate small facets all around, each a little farther than the last.
    let mut vertices = Vec::new();
    for i in 0..40 {
        let angle = TAU * f64::from(i) / 40.0;
        let out = Vec3::new(libm::cos(angle), libm::sin(angle), 0.0);
        let center = out * (0.5 + 0.01 * f64::from(40 - i));
        let across = out.cross(Vec3::Z);
        vertices.extend([
            center + across * 0.01,
            center - across * 0.01 + Vec3::Z * 0.01,
            center - Vec3::Z * 0.01,
        ]);
    }
    let mesh = build(vertices, (0..40).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect());
    let facets: Vec<u32> = contacts(&mesh, Vec3::ZERO, 1.0).iter().map(|c| c.facet).collect();
    assert_eq!(facets, (24..40).collect::<Vec<_>>());
}

fn vector(size: f64) -> impl Strategy<Value = Vec3> {
    (-size..size, -size..size, -size..size).prop_map(|(x, y, z)| Vec3::new(x, y, z))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn the_nearest_point_of_all_facets_is_always_a_contact(
        corners in prop::collection::vec(vector(1.0), 4..12),
        chosen in prop::collection::vec((0_usize..12, 0_usize..12, 0_usize..12), 1..30),
        x in vector(1.2),
        over in 0_usize..24,
        cutoff in 0.1_f64..0.8,
    ) {
        let index = |i: usize| (i % corners.len()) as u32;
        let triangles = chosen.iter().map(|&(a, b, c)| [index(a), index(b), index(c)]).collect();
        let Ok((mesh, _)) = Mesh::new(corners.clone(), triangles, SMOOTH_ANGLE) else { return Ok(()) };
        // Sometimes exactly at a vertex, where every direction is a nearest one.
        let x = corners.get(over).copied().unwrap_or(x);
        let distances = mesh.facets.iter().map(|facet| facet.nearest(x).closest.distance);
        let nearest = distances.fold(f64::INFINITY, f64::min);
        let found = contacts(&mesh, x, cutoff);
        let first = found.iter().map(|c| c.closest.distance).fold(f64::INFINITY, f64::min);
        if nearest < cutoff {
            prop_assert!((first - nearest).abs() <= 1e-6 * cutoff, "{} instead of {}", first, nearest);
        } else {
            prop_assert!(found.is_empty());
        }
        prop_assert!(found.iter().all(|c| (c.closest.normal.length() - 1.0).abs() < 1e-12));
    }
}

#[test]
fn facets_that_do_not_exist_and_centres_that_are_not_finite_are_harmless() {
    let mesh = build(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]]);
    let mut found = MeshContacts::default();
    mesh.contacts(Vec3::new(0.2, 0.2, 0.1), 0.5, &[0, 9], &mut found);
    assert_eq!(found.as_slice().len(), 1);
    mesh.contacts(Vec3::splat(f64::NAN), 0.5, &[0], &mut found);
    assert!(found.as_slice().is_empty());
}
