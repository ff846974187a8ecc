use super::super::Side;
use super::*;
use crate::insert::Sphere;
use proptest::prelude::*;
use std::f64::consts::TAU;

fn vector(size: f64) -> impl Strategy<Value = Vec3> {
    (-size..size, -size..size, -size..size).prop_map(|(x, y, z)| Vec3::new(x, y, z))
}

/// Nearest of the points of a surface given by two parameters from zero to one.
fn nearest_sample(x: Vec3, steps: usize, surface: impl Fn(f64, f64) -> Vec3) -> f64 {
    let fraction = |step: usize| step as f64 / steps as f64;
    let distances = (0..=steps)
        .flat_map(|i| (0..=steps).map(move |j| (i, j)))
        .map(|(i, j)| surface(fraction(i), fraction(j)).distance(x));
    distances.fold(f64::INFINITY, f64::min)
}

/// The distance must be at most that of every sample, and smaller than the least one by at most the spacing of the
/// samples; the nearest point must lie on the surface.
fn check_against_samples(shape: &Shape, x: Vec3, size: f64, surface: impl Fn(f64, f64) -> Vec3) {
    let steps = 200;
    let Some(closest) = shape.closest_point(x) else { return };
    let nearest = nearest_sample(x, steps, surface);
    let spacing = size / steps as f64;
    assert!((closest.normal.length() - 1.0).abs() < 1e-12);
    assert!(closest.distance.abs() <= nearest + 1e-12, "{} beyond {nearest}", closest.distance);
    assert!(closest.distance.abs() >= nearest - spacing, "{} before {nearest}", closest.distance);
    let on_surface = x + closest.normal * closest.distance;
    let again = shape.closest_point(on_surface).map_or(0.0, |closest| closest.distance);
    assert!(again.abs() < 1e-9, "the nearest point is {again} off the surface");
}

fn on_circle(center: Vec3, axis: Vec3, radius: f64, fraction: f64) -> Vec3 {
    let (first, second) = axis.any_orthonormal_pair();
    center + (first * libm::cos(TAU * fraction) + second * libm::sin(TAU * fraction)) * radius
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn nearest_point_of_a_rectangle_is_nearest(x in vector(3.0), corner in vector(1.0), axis in vector(1.0)) {
        prop_assume!(axis.length() > 0.1);
        let (first, second) = axis.normalize().any_orthonormal_pair();
        let edges = [first * 1.5, second * 0.7];
        let shape = Shape::Rectangle { corner, edges };
        check_against_samples(&shape, x, 2.0, |s, t| corner + edges[0] * s + edges[1] * t);
    }

    #[test]
    fn nearest_point_of_a_disc_is_nearest(x in vector(3.0), center in vector(1.0), axis in vector(1.0)) {
        prop_assume!(axis.length() > 0.1);
        let normal = axis.normalize();
        let shape = Shape::Disc { center, normal, radius: 1.2 };
        check_against_samples(&shape, x, 10.0, |s, t| on_circle(center, normal, 1.2 * s, t));
    }

    #[test]
    fn nearest_point_of_a_cylinder_is_nearest(x in vector(3.0), start in vector(1.0), end in vector(1.0)) {
        prop_assume!(start.distance(end) > 0.1);
        let axis = (end - start).normalize();
        for side in [Side::Inside, Side::Outside] {
            let shape = Shape::Cylinder { start, end, radius: 0.8, side };
            let surface = |s: f64, t: f64| on_circle(start + (end - start) * s, axis, 0.8, t);
            check_against_samples(&shape, x, 9.0, surface);
        }
    }

    #[test]
    fn nearest_point_of_a_cone_is_nearest(
        x in vector(3.0),
        start in vector(1.0),
        end in vector(1.0),
        start_radius in 0.0_f64..1.0,
        tip in any::<bool>(),
    ) {
        prop_assume!(start.distance(end) > 0.1);
        let axis = (end - start).normalize();
        let start_radius = if tip { 0.0 } else { start_radius };
        for side in [Side::Inside, Side::Outside] {
            let shape = Shape::Cone { start, end, start_radius, end_radius: 0.9, side };
            let surface = |s: f64, t: f64| {
                let radius = start_radius + (0.9 - start_radius) * s;
                on_circle(start + (end - start) * s, axis, radius, t)
            };
            check_against_samples(&shape, x, 10.0, surface);
        }
    }

    #[test]
    fn nearest_point_of_a_sphere_is_nearest(x in vector(3.0), center in vector(1.0)) {
        for side in [Side::Inside, Side::Outside] {
            let shape = Shape::Sphere { center, radius: 1.1, side };
            let surface = |s: f64, t: f64| {
                let height = 1.1 * libm::cos(0.5 * TAU * s);
                on_circle(center + Vec3::Z * height, Vec3::Z, 1.1 * libm::sin(0.5 * TAU * s), t)
            };
            check_against_samples(&shape, x, 10.0, surface);
        }
    }

    #[test]
    fn bounds_hold_every_drawn_point(start in vector(1.0), end in vector(1.0), radius in 0.1_f64..2.0) {
        prop_assume!(start.distance(end) > 0.1);
        let normal = (end - start).normalize();
        let (side, center) = (Side::Inside, start);
        let shapes = [
            Shape::Disc { center, normal, radius },
            Shape::Cylinder { start, end, radius, side },
            Shape::Cone { start, end, start_radius: 0.3, end_radius: radius, side },
            Shape::Sphere { center, radius, side },
        ];
        for shape in shapes {
            let (min, max) = shape.bounds().unwrap();
            let (vertices, _) = shape.surface((min, max), 64);
            let slack = Vec3::splat(1e-12);
            prop_assert!(vertices.iter().all(|v| v.cmpge(min - slack).all() && v.cmple(max + slack).all()));
            let (low, high) = super::super::bounds::around(vertices).unwrap();
            // The distance of a circle of 64 segments from its box is at most 1 - cos(π/64).
            prop_assert!((low - min).length() < 0.02 * radius + 1e-12);
            prop_assert!((high - max).length() < 0.02 * radius + 1e-12);
        }
    }
}

#[test]
fn a_half_space_pushes_back_at_any_depth() {
    let floor = Shape::HalfSpace { point: Vec3::new(5.0, 5.0, 1.0), normal: Vec3::Z };
    for height in [2.0, 0.1, 0.0, -0.1, -7.0] {
        let closest = floor.closest_point(Vec3::new(0.3, 0.2, 1.0 + height)).unwrap();
        assert_eq!(closest.normal, -Vec3::Z);
        assert!((closest.distance - height).abs() < 1e-15);
        assert_eq!(floor.contact(Vec3::Z * (1.0 + height), 0.5, 0.0).is_some(), height < 0.5);
    }
}

#[test]
fn the_inside_of_a_cylinder_pushes_inward_from_both_sides_of_its_surface() {
    let (start, end, side) = (Vec3::ZERO, Vec3::Z, Side::Inside);
    let drum = Shape::Cylinder { start, end, radius: 1.0, side };
    for from_axis in [0.2, 0.9, 1.0, 1.1] {
        let closest = drum.closest_point(Vec3::new(0.0, from_axis, 0.5)).unwrap();
        assert_eq!(closest.normal, Vec3::Y);
        assert!((closest.distance - (1.0 - from_axis)).abs() < 1e-15);
    }
}

#[test]
fn a_particle_is_held_by_the_rim_and_let_go_beyond_it() {
    let (start, end, side) = (Vec3::ZERO, Vec3::Z, Side::Inside);
    let silo = Shape::Cylinder { start, end, radius: 1.0, side };
    let radius = 0.1;
    let above = Vec3::new(1.0, 0.0, 1.09);
    let closest = silo.contact(above, radius, 0.0).unwrap();
    assert!((closest.normal + Vec3::Z).length() < 1e-15);
    assert!((closest.distance - 0.09).abs() < 1e-15);
    let outside_the_rim = Vec3::new(1.099, 0.0, 1.0 - 1e-9);
    assert!(silo.contact(outside_the_rim, radius, 0.0).is_none());
    let pressed_through = Vec3::new(1.01, 0.0, 0.5);
    assert!(silo.contact(pressed_through, radius, 0.0).is_some());
}

#[test]
fn a_centred_particle_does_not_fall_through_an_outlet_smaller_than_itself() {
    let (start, end, side) = (Vec3::ZERO, Vec3::Z, Side::Inside);
    let hopper = Shape::Cone { start, end, start_radius: 0.3, end_radius: 1.3, side };
    // At height z on the axis the distance of the wall of a cone of 45° is (0.3 + z) / √2.
    let closest = hopper.closest_point(Vec3::Z * 0.5).unwrap();
    assert!((closest.distance - 0.8 / 2.0_f64.sqrt()).abs() < 1e-15);
    // Below the outlet the rim is nearest.
    let closest = hopper.closest_point(Vec3::Z * -0.4).unwrap();
    assert!((closest.distance - 0.5).abs() < 1e-15);
}

#[test]
fn there_is_no_nearest_point_on_the_axis_of_a_cylinder_nor_at_the_centre_of_a_sphere() {
    let side = Side::Inside;
    let drum = Shape::Cylinder { start: Vec3::ZERO, end: Vec3::Z, radius: 1.0, side };
    assert_eq!(drum.closest_point(Vec3::Z * 0.5), None);
    assert_eq!(Shape::Sphere { center: Vec3::X, radius: 1.0, side }.closest_point(Vec3::X), None);
}

#[test]
fn a_rectangle_is_felt_from_both_sides_and_at_its_edges() {
    let sheet = Shape::Rectangle { corner: Vec3::ZERO, edges: [Vec3::X, Vec3::Y] };
    let at = |x, y, z| sheet.closest_point(Vec3::new(x, y, z)).unwrap();
    assert_eq!(at(0.5, 0.5, 0.2), ClosestPoint { normal: -Vec3::Z, distance: 0.2 });
    assert_eq!(at(0.5, 0.5, -0.2), ClosestPoint { normal: Vec3::Z, distance: 0.2 });
    assert_eq!(at(1.5, 0.5, 0.0), ClosestPoint { normal: -Vec3::X, distance: 0.5 });
    assert!((at(-0.3, -0.4, 1.2).distance - 1.3).abs() < 1e-15);
}

#[test]
fn broken_parameters_give_no_touch_instead_of_nonsense() {
    let x = Vec3::new(0.1, 0.2, 0.3);
    let side = Side::Inside;
    let flat = Shape::Cylinder { start: Vec3::X, end: Vec3::X, radius: 1.0, side };
    assert_eq!(flat.closest_point(x), None);
    let line = Shape::Rectangle { corner: Vec3::ZERO, edges: [Vec3::X, Vec3::ZERO] };
    assert_eq!(line.closest_point(x), None);
    assert_eq!(flat.closest_point(Vec3::splat(f64::NAN)), None);
}

#[test]
fn bounds_of_particles_hold_them_whole() {
    let ball =
        |x| Sphere { position: Vec3::X * x, radius: 0.5, velocity: Vec3::ZERO, spin: Vec3::ZERO };
    let shape = Shape::Particles(vec![ball(0.0), ball(3.0)]);
    assert_eq!(shape.bounds(), Some((Vec3::splat(-0.5), Vec3::new(3.5, 0.5, 0.5))));
    assert_eq!(Shape::Particles(vec![]).bounds(), None);
    assert_eq!(Shape::HalfSpace { point: Vec3::ZERO, normal: Vec3::X }.bounds(), None);
}
