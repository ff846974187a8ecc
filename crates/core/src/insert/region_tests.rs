//! Properties of regions.

use super::*;
use crate::domain::Domain;
use crate::random::{Draws, Purpose};

fn regions() -> Vec<Region> {
    vec![
        Region::Box { min: Vec3::new(-1.0, 0.0, 2.0), max: Vec3::new(1.0, 3.0, 3.0) },
        Region::Cylinder { start: Vec3::ZERO, end: Vec3::new(1.0, 2.0, 2.0), radius: 0.5 },
        Region::Ball { center: Vec3::new(4.0, 0.0, 0.0), radius: 1.5 },
    ]
}

fn uniform(id: u64) -> [f64; 3] {
    let draws = Draws::new(5, Purpose::Test, id);
    [draws.uniform(0), draws.uniform(1), draws.uniform(2)]
}

#[test]
fn random_points_are_held_and_within_bounds() {
    for region in regions() {
        let (low, high) = region.bounds();
        for id in 0..2000 {
            let point = region.random_point(0.3, uniform(id)).expect("0.3 fits");
            assert!(region.holds(point, 0.3), "{region:?} {point}");
            assert!(!region.holds(point, 1.6), "{region:?} {point}");
            assert!(point.cmpge(low + 0.299).all() && point.cmple(high - 0.299).all());
        }
    }
}

#[test]
fn volume_agrees_with_counting_random_points_of_the_bounds() {
    let count = 100_000;
    for region in regions() {
        let (low, high) = region.bounds();
        let inside = (0..count)
            .filter(|&id| region.holds(low + Vec3::from_array(uniform(id)) * (high - low), 0.0))
            .count();
        let fraction = inside as f64 / count as f64;
        let measured = fraction * (high - low).element_product();
        let error = 5.0 * (fraction * (1.0 - fraction) / count as f64).sqrt();
        let tolerance = error * (high - low).element_product() + 1e-9;
        assert!((measured - region.volume()).abs() < tolerance, "{region:?} {measured}");
    }
}

#[test]
fn random_points_are_uniform() {
    // the mean squared distance from the centre of a ball is 3/5 of its squared radius
    let ball = Region::Ball { center: Vec3::ZERO, radius: 1.0 };
    let count = 100_000;
    let points = (0..count).filter_map(|id| ball.random_point(0.0, uniform(id)));
    let mean = points.map(|point| point.length_squared()).sum::<f64>() / count as f64;
    assert!((mean - 0.6).abs() < 5.0 * 0.27 / (count as f64).sqrt());
    // and from the axis of a cylinder 1/2
    let pipe = Region::Cylinder { start: Vec3::ZERO, end: Vec3::X, radius: 1.0 };
    let points = (0..count).filter_map(|id| pipe.random_point(0.0, uniform(id)));
    let mean = points.map(|p| p.y * p.y + p.z * p.z).sum::<f64>() / count as f64;
    assert!((mean - 0.5).abs() < 5.0 * 0.29 / (count as f64).sqrt());
}

#[test]
fn a_sphere_that_just_fits_has_one_position() {
    for (region, center) in [
        (Region::Box { min: Vec3::ZERO, max: Vec3::splat(0.2) }, Vec3::splat(0.1)),
        (Region::Ball { center: Vec3::ONE, radius: 0.1 }, Vec3::ONE),
    ] {
        let point = region.random_point(0.1, [0.3, 0.6, 0.9]).expect("fits");
        assert!((point - center).length() < 1e-9);
        assert!(region.holds(center, 0.1));
        assert_eq!(region.random_point(0.100_001, [0.5; 3]), None);
    }
}

#[test]
fn a_flat_box_keeps_centres_in_its_plane() {
    let flat = Region::Box { min: Vec3::ZERO, max: Vec3::new(1.0, 1.0, 0.0) };
    let point = flat.random_point(0.1, [0.5; 3]).expect("fits");
    assert_eq!(point.z, 0.0);
    assert!(flat.holds(point, 0.1) && !flat.holds(point + Vec3::Z * 0.01, 0.1));
}

#[test]
fn a_box_that_spans_the_period_has_no_ends_there() {
    let mut domain = Domain::new(Vec3::ZERO, Vec3::ONE);
    domain.periodic[0] = true;
    let container = Container::new(&Region::Box { min: Vec3::ZERO, max: Vec3::ONE }, &domain);
    assert!(container.holds(Vec3::new(0.0, 0.5, 0.5), 0.1));
    assert!(!container.holds(Vec3::new(0.5, 0.0, 0.5), 0.1));
    let pipe = Region::Cylinder {
        start: Vec3::splat(0.5) - 0.5 * Vec3::X,
        end: Vec3::new(1.0, 0.5, 0.5),
        radius: 0.3,
    };
    let pipe = Container::new(&pipe, &domain);
    assert!(pipe.holds(Vec3::new(0.0, 0.5, 0.7), 0.1));
    assert!(!pipe.holds(Vec3::new(0.0, 0.5, 0.71), 0.1));
}

#[test]
fn wrong_numbers_are_named() {
    assert!(regions().iter().all(|region| region.problems().is_empty()));
    let wrong = [
        Region::Box { min: Vec3::ONE, max: Vec3::ZERO },
        Region::Box { min: Vec3::ZERO, max: Vec3::splat(f64::INFINITY) },
        Region::Cylinder { start: Vec3::ONE, end: Vec3::ONE, radius: 1.0 },
        Region::Ball { center: Vec3::ZERO, radius: f64::NAN },
        Region::Ball { center: Vec3::ZERO, radius: -1.0 },
    ];
    for region in wrong {
        assert!(!region.problems().is_empty(), "{region:?}");
    }
}
