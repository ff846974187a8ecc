//! Properties of every placement.

use super::*;
use crate::domain::Domain;
use std::f64::consts::PI;

fn unit_box() -> Region {
    Region::Box { min: Vec3::ZERO, max: Vec3::ONE }
}

fn unit_domain(periodic: [bool; 3]) -> Domain {
    Domain { periodic, ..Domain::new(Vec3::ZERO, Vec3::ONE) }
}

fn source(radius: Radius, placement: Placement) -> Source {
    Source::new("", MaterialId::new(0), radius, placement)
}

/// The largest overlap as a fraction of the smaller radius, from all pairs.
fn largest_overlap(spheres: &[Sphere], occupied: &[(Vec3, f64)], domain: &Domain) -> f64 {
    let mut largest: f64 = 0.0;
    let new = spheres.iter().map(|sphere| (sphere.position, sphere.radius));
    let all: Vec<(Vec3, f64)> = new.chain(occupied.iter().copied()).collect();
    for first in 0..spheres.len() {
        for second in first + 1..all.len() {
            let distance = domain.nearest_image(all[first].0 - all[second].0).length();
            let overlap = all[first].1 + all[second].1 - distance;
            largest = largest.max(overlap / all[first].1.min(all[second].1));
        }
    }
    largest
}

fn fraction(spheres: &[Sphere]) -> f64 {
    spheres.iter().map(|sphere| 4.0 / 3.0 * PI * sphere.radius.powi(3)).sum()
}

#[test]
fn random_particles_do_not_overlap_and_stay_inside() {
    let radius = Radius::LogNormal { median: 0.03, deviation: 0.4, truncate: 2.0 };
    let regions = [
        unit_box(),
        Region::Ball { center: Vec3::splat(0.5), radius: 0.5 },
        Region::Cylinder {
            start: Vec3::new(0.5, 0.5, 0.0),
            end: Vec3::new(0.5, 0.5, 1.0),
            radius: 0.5,
        },
    ];
    for region in regions {
        let placement = Placement::Random { region: region.clone(), amount: Amount::Fraction(0.2) };
        let occupied = [(Vec3::splat(0.5), 0.2), (Vec3::splat(2.0), 0.1)];
        let domain = unit_domain([false; 3]);
        let spheres = place(&source(radius.clone(), placement), 1, 10, &occupied, &domain).unwrap();
        assert!(largest_overlap(&spheres, &occupied, &domain) <= 0.0);
        assert!(spheres.iter().all(|sphere| region.holds(sphere.position, sphere.radius)));
        // within one particle of the requested number
        assert!((fraction(&spheres) - 0.2 * region.volume()).abs() < 4.2 * 0.07f64.powi(3));
    }
}

#[test]
fn periodic_images_do_not_overlap_and_ends_are_used() {
    let domain = unit_domain([true, true, false]);
    for placement in [
        Placement::Random { region: unit_box(), amount: Amount::Count(300) },
        Placement::Grow { region: unit_box(), amount: Amount::Count(900) },
    ] {
        let spheres =
            place(&source(Radius::Constant(0.05), placement), 3, 0, &[], &domain).unwrap();
        assert!(largest_overlap(&spheres, &[], &domain) <= 0.0);
        assert!(spheres.iter().any(|sphere| sphere.position.x < 0.05));
        assert!(spheres.iter().all(|s| s.position.z > 0.0499 && s.position.z < 0.9501));
        assert!(spheres.iter().all(|s| s.position.x >= 0.0 && s.position.x < 1.0));
    }
}

#[test]
fn a_region_across_the_periodic_border_sees_what_is_beyond() {
    let domain = unit_domain([true; 3]);
    let region = Region::Box { min: Vec3::splat(-0.3), max: Vec3::splat(0.3) };
    let occupied = [(Vec3::splat(0.85), 0.1)];
    for placement in [
        Placement::Random { region: region.clone(), amount: Amount::Count(60) },
        Placement::Grow { region: region.clone(), amount: Amount::Count(150) },
    ] {
        let made = source(Radius::Constant(0.04), placement);
        let spheres = place(&made, 3, 0, &occupied, &domain).unwrap();
        assert!(largest_overlap(&spheres, &occupied, &domain) <= 0.0);
    }
}

#[test]
fn a_full_region_says_how_many_fit() {
    let placement = Placement::Random { region: unit_box(), amount: Amount::Fraction(0.6) };
    let made = source(Radius::Constant(0.05), placement);
    let message = place(&made, 1, 0, &[], &unit_domain([false; 3])).unwrap_err();
    assert!(message.starts_with("only ") && message.contains("of 1146 particles fit"), "{message}");
    assert!(message.contains("dense"));
}

#[test]
fn what_does_not_fit_at_all_is_named() {
    for amount in [Amount::Count(1), Amount::Fraction(0.9)] {
        for placement in [
            Placement::Random { region: unit_box(), amount },
            Placement::Grow { region: unit_box(), amount },
        ] {
            let made = source(Radius::Constant(0.6), placement);
            let message = place(&made, 1, 0, &[], &unit_domain([false; 3])).unwrap_err();
            assert!(message.contains("radius 0.6 m does not fit"), "{message}");
        }
    }
}

#[test]
fn grown_packings_are_dense_and_without_overlap() {
    let mixes = [
        (Radius::Constant(0.04), 0.58, [true; 3]),
        (Radius::Uniform { min: 0.02, max: 0.06 }, 0.6, [true; 3]),
        (Radius::Constant(0.03), 0.56, [false; 3]),
        (Radius::Mix(vec![(0.08, 1.0), (0.015, 30.0)]), 0.5, [true, false, true]),
    ];
    for (radius, wanted, periodic) in mixes {
        let domain = unit_domain(periodic);
        let placement = Placement::Grow { region: unit_box(), amount: Amount::Fraction(wanted) };
        let spheres = place(&source(radius.clone(), placement), 5, 0, &[], &domain).unwrap();
        let overlap = largest_overlap(&spheres, &[], &domain);
        assert!(overlap < 1e-3, "{radius:?} {overlap}");
        assert!((fraction(&spheres) - wanted).abs() < 0.003);
    }
}

#[test]
fn grown_packings_fill_balls_and_cylinders_around_obstacles() {
    let regions = [
        Region::Ball { center: Vec3::splat(0.5), radius: 0.5 },
        Region::Cylinder {
            start: Vec3::new(0.5, 0.5, 0.0),
            end: Vec3::new(0.5, 0.5, 1.0),
            radius: 0.5,
        },
    ];
    for region in regions {
        let domain = unit_domain([false; 3]);
        let occupied = [(Vec3::splat(0.5), 0.2)];
        let placement = Placement::Grow { region: region.clone(), amount: Amount::Fraction(0.45) };
        let made = source(Radius::Constant(0.03), placement);
        let spheres = place(&made, 5, 0, &occupied, &domain).unwrap();
        assert!(largest_overlap(&spheres, &occupied, &domain) < 1e-3);
        assert!(spheres.iter().all(|s| region.holds(s.position, s.radius)));
    }
}

#[test]
fn growing_beyond_jamming_names_the_fraction_reached() {
    let placement = Placement::Grow { region: unit_box(), amount: Amount::Fraction(0.72) };
    // almost one size, with nearly the same jamming fraction; a fraction of 0.72 of exactly one size is refused
    // immediately
    let made = source(Radius::Uniform { min: 0.059, max: 0.061 }, placement);
    let message = place(&made, 5, 0, &[], &unit_domain([true; 3])).unwrap_err();
    let reached: f64 = message
        .strip_prefix("the particles jam at a fraction of ")
        .and_then(|rest| rest[..5].parse().ok())
        .expect(&message);
    assert!(reached > 0.6 && reached < 0.68, "{message}");
}

#[test]
fn a_flat_region_gives_a_packing_in_a_plane() {
    let flat = Region::Box { min: Vec3::ZERO, max: Vec3::new(1.0, 1.0, 0.0) };
    let placement = Placement::Grow { region: flat.clone(), amount: Amount::Count(200) };
    let domain = unit_domain([false; 3]);
    let spheres = place(&source(Radius::Constant(0.033), placement), 5, 0, &[], &domain).unwrap();
    assert!(largest_overlap(&spheres, &[], &domain) < 1e-3);
    assert!(spheres.iter().all(|s| s.position.z == 0.0));
    let placement = Placement::Grow { region: flat, amount: Amount::Fraction(0.1) };
    assert!(place(&source(Radius::Constant(0.03), placement), 5, 0, &[], &domain).is_err());
}

#[test]
fn the_same_seed_gives_the_same_bits_and_another_seed_others() {
    let placement = Placement::Grow { region: unit_box(), amount: Amount::Count(300) };
    let made = Source { random_velocity: 1.0, ..source(Radius::Constant(0.05), placement) };
    let domain = unit_domain([true; 3]);
    let once = place(&made, 5, 7, &[], &domain).unwrap();
    assert_eq!(once, place(&made, 5, 7, &[], &domain).unwrap());
    assert_ne!(once, place(&made, 6, 7, &[], &domain).unwrap());
    assert_ne!(once, place(&made, 5, 8, &[], &domain).unwrap());
}

#[test]
fn velocities_are_those_of_the_source_and_a_random_part() {
    let list =
        vec![Sphere { velocity: Vec3::X, spin: Vec3::Y, ..Sphere::new(0.1, Vec3::ZERO) }; 500];
    let made = Source {
        velocity: Vec3::Z,
        spin: Vec3::X,
        random_velocity: 0.5,
        ..source(Radius::Constant(f64::NAN), Placement::List(list))
    };
    let spheres = place(&made, 1, 0, &[], &unit_domain([false; 3])).unwrap();
    let random: Vec<Vec3> = spheres.iter().map(|s| s.velocity - Vec3::new(1.0, 0.0, 1.0)).collect();
    assert!(spheres.iter().all(|sphere| sphere.spin == Vec3::new(1.0, 1.0, 0.0)));
    assert!(random.iter().all(|part| part.abs().max_element() <= 0.5));
    let mean = random.iter().copied().sum::<Vec3>() / 500.0;
    // five standard errors of a uniform number of half width 0.5
    assert!(mean.abs().max_element() < 5.0 * 0.5 / (3.0 * 500.0f64).sqrt());
}

#[test]
fn a_list_with_wrong_numbers_is_refused() {
    let list = vec![Sphere::new(f64::NAN, Vec3::ZERO)];
    let made = source(Radius::Constant(1.0), Placement::List(list));
    assert!(place(&made, 1, 0, &[], &unit_domain([false; 3])).unwrap_err().contains("particle 0"));
}

#[test]
fn more_particles_than_memory_holds_are_refused_before_any_is_drawn() {
    let many = super::place::check_amount(1.9e8);
    // 228 GB, which few machines have
    if let Err(message) = many {
        assert!(message.starts_with("190000000 particles take about 228.0 GB"), "{message}");
    }
    assert!(super::place::check_amount(3e8).is_err());
    assert!(super::place::check_amount(1000.0).is_ok());
}

#[test]
fn where_no_particles_are_wanted_none_are_placed() {
    let region = || Region::Box { min: Vec3::ZERO, max: Vec3::ONE };
    for placement in [
        Placement::Random { region: region(), amount: Amount::Count(0) },
        Placement::Grow { region: region(), amount: Amount::Count(0) },
    ] {
        let made = source(Radius::Constant(0.1), placement);
        assert!(place(&made, 1, 0, &[], &unit_domain([false; 3])).unwrap().is_empty());
    }
}
