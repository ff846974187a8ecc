//! Parts of spheres compared with known volumes: halves, caps, lenses, rings, and sums of parts.

use super::*;

/// Rounding error of a few sums and angles.
const EXACT: f64 = 1e-14;
/// Accuracy of the integral along a cylinder.
const INTEGRATED: f64 = 1e-10;

fn ball(radius: f64) -> f64 {
    4.0 / 3.0 * PI * radius * radius * radius
}

/// A cap of a height: π h² (r − h/3).
fn cap(radius: f64, height: f64) -> f64 {
    PI * height * height * (radius - height / 3.0)
}

fn unit_box() -> Region {
    Region::Box { min: Vec3::ZERO, max: Vec3::ONE }
}

#[track_caller]
fn assert_fraction(found: f64, expected: f64, radius: f64, tolerance: f64) {
    let error = (found - expected) / ball(radius);
    assert!(error.abs() < tolerance, "{found} instead of {expected}: {error:e} of the sphere");
}

#[test]
fn a_sphere_in_the_middle_is_whole_and_one_outside_is_nothing() {
    for radius in [0.1, 0.5] {
        let found = volume_inside(&unit_box(), Vec3::splat(0.5), radius);
        assert_fraction(found, ball(radius), radius, EXACT);
    }
    assert_eq!(volume_inside(&unit_box(), Vec3::new(0.5, 0.5, 1.2), 0.2), 0.0);
    // Near a corner, closer to each face than its radius, but outside.
    assert_eq!(volume_inside(&unit_box(), Vec3::splat(1.15), 0.2), 0.0);
}

#[test]
fn faces_edges_and_corners_through_the_centre_leave_halves_quarters_and_eighths() {
    let cases = [
        (Vec3::new(0.5, 0.5, 0.0), 0.5),
        (Vec3::new(1.0, 0.5, 0.5), 0.5),
        (Vec3::new(0.5, 1.0, 0.0), 0.25),
        (Vec3::new(0.0, 0.5, 1.0), 0.25),
        (Vec3::ZERO, 0.125),
        (Vec3::new(1.0, 0.0, 1.0), 0.125),
    ];
    for (center, fraction) in cases {
        assert_fraction(volume_inside(&unit_box(), center, 0.3), fraction * ball(0.3), 0.3, EXACT);
    }
}

#[test]
fn one_face_cuts_off_a_cap() {
    for height in [1e-6, 0.05, 0.2, 0.39] {
        let above = Vec3::new(0.5, 0.5, 1.0 + 0.2 - height);
        assert_fraction(volume_inside(&unit_box(), above, 0.2), cap(0.2, height), 0.2, EXACT);
    }
}

/// Two planes through the central line, one displaced: compared with an integration over the discs along the edge,
/// whose error is below a millionth of the sphere.
#[test]
fn an_edge_and_a_corner_off_the_centre_are_those_of_a_plain_sum_over_discs() {
    let corners: [[f64; 3]; 4] =
        [[0.3, 0.4, -1.0], [-0.3, 0.4, -1.0], [0.2, 0.5, 0.6], [-0.2, 0.5, -0.6]];
    for [a, b, c] in corners {
        // The part of the unit ball beyond the planes, in columns along the last axis.
        let count = 1500;
        let (mut sum, step) = (0.0, 2.0 / f64::from(count));
        for i in 0..count {
            for j in 0..count {
                let x = -1.0 + step * (f64::from(i) + 0.5);
                let y = -1.0 + step * (f64::from(j) + 0.5);
                // The fraction of the column beyond the planes, exact along both.
                let wide =
                    |low: f64, middle: f64| ((middle + 0.5 * step - low) / step).clamp(0.0, 1.0);
                let square = 1.0 - x * x - y * y;
                if square > 0.0 {
                    let height = (square.sqrt() - c.max(-square.sqrt())).max(0.0);
                    sum += wide(a, x) * wide(b, y) * height * step * step;
                }
            }
        }
        let far = Region::Box { min: Vec3::new(a, b, c), max: Vec3::splat(9.0) };
        // The error of the midpoint rule is that of the square of the step except at the rim: below 3e-5.
        assert_fraction(volume_inside(&far, Vec3::ZERO, 1.0), sum, 1.0, 3e-5);
    }
}

/// The parts on all sides of intersecting planes add up to the sphere: every corner and edge, near and far side.
#[test]
fn the_parts_on_all_sides_of_three_planes_add_up_to_the_sphere() {
    for [a, b, c] in [[0.1, 0.2, 0.3], [-0.5, 0.4, 0.6], [0.9, -0.3, 0.2], [-0.7, -0.7, 0.05]] {
        let sides = |plane: f64| [(-2.0, plane), (plane, 2.0)];
        let mut sum = 0.0;
        for x in sides(a) {
            for y in sides(b) {
                for z in sides(c) {
                    let min = Vec3::new(x.0, y.0, z.0);
                    let max = Vec3::new(x.1, y.1, z.1);
                    sum += volume_inside(&Region::Box { min, max }, Vec3::ZERO, 1.0);
                }
            }
        }
        assert_fraction(sum, ball(1.0), 1.0, EXACT);
    }
}

#[test]
fn a_sphere_that_holds_the_box_fills_it() {
    let center = Vec3::new(0.4, 0.6, 0.5);
    assert_fraction(volume_inside(&unit_box(), center, 2.0), 1.0, 2.0, EXACT);
    // Slightly beyond the faces and not beyond the edges: the six caps are missing.
    let radius = 0.6;
    let expected = ball(radius) - 6.0 * cap(radius, 0.1);
    assert_fraction(volume_inside(&unit_box(), Vec3::splat(0.5), radius), expected, radius, EXACT);
    // A thin slab through the centre: π r² times the thickness, minus the curvature of its rim.
    let slab = Region::Box { min: Vec3::new(-3.0, -3.0, -0.01), max: Vec3::new(3.0, 3.0, 0.01) };
    let expected = 2.0 * PI * (0.01 - 0.01_f64.powi(3) / 3.0);
    assert_fraction(volume_inside(&slab, Vec3::ZERO, 1.0), expected, 1.0, EXACT);
}

/// If an edge just touches the sphere, the part is small and must not be noise: beyond two planes whose edge is at a
/// depth h, it is smaller than the cap of height h, and never negative.
#[test]
fn parts_at_the_verge_of_touching_are_small_and_not_negative() {
    for exponent in 1..16 {
        let depth = 10.0_f64.powi(-exponent);
        let plane = (1.0 - depth) / 2.0_f64.sqrt();
        let corner = Region::Box { min: Vec3::new(plane, plane, -9.0), max: Vec3::splat(9.0) };
        let found = volume_inside(&corner, Vec3::ZERO, 1.0);
        assert!((0.0..=cap(1.0, depth) + 1e-15).contains(&found), "{depth}: {found}");
    }
}

#[test]
fn a_ball_cuts_a_lens_from_a_sphere() {
    let region = Region::Ball { center: Vec3::ZERO, radius: 1.0 };
    assert_fraction(volume_inside(&region, Vec3::new(0.2, 0.1, 0.0), 0.3), ball(0.3), 0.3, EXACT);
    assert_fraction(volume_inside(&region, Vec3::new(0.2, 0.1, 0.0), 1.3), ball(1.0), 1.3, EXACT);
    assert_eq!(volume_inside(&region, 1.5 * Vec3::X, 0.4), 0.0);
    // Two caps that meet where both spheres do: x = (d² + R² − r²)/2d.
    let (distance, radius) = (0.9, 0.7);
    let plane = (distance * distance + 1.0 - radius * radius) / (2.0 * distance);
    let expected = cap(1.0, 1.0 - plane) + cap(radius, radius - (distance - plane));
    assert_fraction(volume_inside(&region, distance * Vec3::Y, radius), expected, radius, EXACT);
}

#[test]
fn a_cylinder_leaves_what_is_known_of_spheres_on_its_axis_and_in_its_middle() {
    let axis = Vec3::new(1.0, 2.0, 2.0) / 3.0;
    let cylinder = |radius: f64, length: f64| Region::Cylinder {
        start: -0.5 * length * axis,
        end: 0.5 * length * axis,
        radius,
    };
    let across = Vec3::new(2.0, 1.0, -2.0) / 3.0;
    let inside = volume_inside(&cylinder(2.0, 4.0), 0.7 * across + 0.2 * axis, 1.0);
    assert_fraction(inside, ball(1.0), 1.0, INTEGRATED);
    assert_eq!(volume_inside(&cylinder(0.5, 4.0), 1.6 * across, 1.0), 0.0);
    // A hole drilled through the middle leaves a ring π h³/6 of height h = 2 √(r² − R²).
    let height: f64 = 2.0 * (1.0_f64 - 0.36).sqrt();
    let expected = ball(1.0) - PI * height.powi(3) / 6.0;
    let drilled = volume_inside(&cylinder(0.6, 4.0), Vec3::ZERO, 1.0);
    assert_fraction(drilled, expected, 1.0, INTEGRATED);
    // The sphere is longer than the cylinder: only that is filled.
    let filled = volume_inside(&cylinder(0.3, 0.4), 0.1 * across, 1.0);
    assert_fraction(filled, PI * 0.09 * 0.4, 1.0, INTEGRATED);
    // An end of the cylinder cuts off a cap.
    let capped = volume_inside(&cylinder(3.0, 2.0), (1.0 + 0.4) * axis, 1.0);
    assert_fraction(capped, cap(1.0, 0.6), 1.0, INTEGRATED);
}

/// Viviani's solid: the unit ball within the cylinder of diameter 1 through its centre and its
/// surface has the volume 2π/3 − 8/9 (Viviani 1692).
#[test]
fn vivianis_solid_has_its_volume() {
    let region = Region::Cylinder {
        start: Vec3::new(0.5, 0.0, -2.0),
        end: Vec3::new(0.5, 0.0, 2.0),
        radius: 0.5,
    };
    let expected = 2.0 * PI / 3.0 - 8.0 / 9.0;
    assert_fraction(volume_inside(&region, Vec3::ZERO, 1.0), expected, 1.0, INTEGRATED);
}

/// A cylinder cut at any position: the parts add up to the whole, also if sphere and cylinder nearly touch.
#[test]
fn a_cylinder_cut_in_two_holds_as_much_as_before() {
    let part = |wall: f64, distance: f64, ends: [f64; 2]| {
        let [start, end] = ends.map(|center| center * Vec3::Y);
        volume_inside(&Region::Cylinder { start, end, radius: wall }, distance * Vec3::X, 1.0)
    };
    for wall in [0.1_f64, 0.3, 0.5, 0.999_999, 1.0, 1.000_001, 2.5] {
        for touching in [0.0_f64, 1e-6, 0.1, 0.9, 1.0 - 1e-6, 1.0, 1.0 + 1e-6, 1.1] {
            for distance in [wall + touching, (wall - touching).abs(), (touching - wall).max(0.0)] {
                let whole = part(wall, distance, [-2.0, 2.0]);
                for cut in [-0.83, -1e-3, 0.0, 0.4] {
                    let sum = part(wall, distance, [-2.0, cut]) + part(wall, distance, [cut, 2.0]);
                    assert_fraction(sum, whole, 1.0, INTEGRATED);
                }
            }
        }
    }
}

/// A wall so wide that it is nearly flat: half of a sphere centred on it is inside, minus at most r⁴ π/(8R) in first
/// order due to the curvature.
#[test]
fn a_wide_cylinder_cuts_a_sphere_on_its_wall_nearly_in_half() {
    let wall = 1e4;
    let region = Region::Cylinder {
        start: Vec3::new(0.0, 0.0, -9.0),
        end: Vec3::new(0.0, 0.0, 9.0),
        radius: wall,
    };
    let found = volume_inside(&region, wall * Vec3::X, 1.0);
    // Beside the flat wall the part ∫ y²/2R dA over the unit disc, π/(8R), is missing.
    assert_fraction(found, 0.5 * ball(1.0) - PI / (8.0 * wall), 1.0, 1e-8);
}
