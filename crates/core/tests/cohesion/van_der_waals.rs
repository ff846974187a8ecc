//! `van-der-waals`: pull-off, works of separation, capture, cut-off.

use super::*;
use esker::law::cohesion::{CLOSEST_DISTANCE, Profile, VanDerWaals};
use std::f64::consts::PI;

const HAMAKER: f64 = 1e-19;
/// Radius of the small spheres [m].
const SMALL: f64 = 1e-7;

fn pair(asperity: f64) -> Pair {
    Pair::new().hamaker_constant(HAMAKER).asperity_radius(asperity)
}

/// Two small spheres with a given gap, the second with a velocity away from the first.
fn small(law: VanDerWaals, pair: Pair, radius: f64, gap: f64, speed: f64) -> Simulation {
    let (mut scene, material) = scene(hertz().cohesion(law), pair);
    scene.domain = Some(Domain::new(Vec3::splat(-1e-4), Vec3::splat(1e-4)));
    scene.ledger = true;
    let at = |x: f64, speed: f64| Sphere {
        velocity: speed * Vec3::X,
        ..Sphere::new(radius, Vec3::X * x)
    };
    scene.add_sphere(material, at(0.0, 0.0));
    scene.add_sphere(material, at(2.0 * radius + gap, speed));
    scene.build().expect("a valid scene")
}

fn attraction(law: VanDerWaals, asperity: f64, radius: f64, gap: f64) -> f64 {
    let simulation = small(law, pair(asperity), radius, gap, 0.0);
    simulation.contacts().first().map_or(0.0, |view| view.cohesion)
}

#[test]
fn smooth_spheres_have_derjaguins_pull_off_force() {
    let expected = HAMAKER * 0.5 * SMALL / (6.0 * CLOSEST_DISTANCE * CLOSEST_DISTANCE);
    let law = VanDerWaals::default();
    assert_close(attraction(law, 0.0, SMALL, 1e-18), expected, 1e-6);
    // asperities far larger than the bodies have no effect
    assert_close(attraction(law, 1e3, SMALL, 1e-18), expected, 1e-6);
    // the force decreases with the square of the distance
    let farther = attraction(law, 0.0, SMALL, CLOSEST_DISTANCE);
    assert_close(farther, 0.25 * expected, 1e-6);
    // in overlap it is constant
    assert_close(attraction(law, 0.0, SMALL, -0.01 * SMALL), expected, 1e-12);
}

#[test]
fn asperities_of_ten_nanometres_reduce_the_attraction_to_two_hundredths() {
    // R* = 0.5 µm; an independent evaluation of the formula of Rumpf: 2.1 % of the smooth force
    let radius = 1e-6;
    let law = VanDerWaals::default();
    let ratio = attraction(law, 1e-8, radius, 1e-18) / attraction(law, 0.0, radius, 1e-18);
    assert!((ratio - 0.021).abs() < 5e-4, "{ratio}");
}

#[test]
fn values_of_two_materials_combine_by_their_geometric_mean() {
    let mut scene = Scene::new();
    scene.contact = hertz().cohesion(VanDerWaals::default());
    let make = |hamaker: f64, asperity: f64| {
        let mut material =
            Material::new().density(DENSITY).young_modulus(YOUNG).poisson_ratio(POISSON);
        material.more.insert("hamaker_constant".into(), hamaker);
        material.more.insert("asperity_radius".into(), asperity);
        material
    };
    let first = scene.add_material("first", make(4e-19, 1e-9));
    let second = scene.add_material("second", make(1e-19, 4e-9));
    let ids = [first, second];
    for own in ids {
        for other in ids {
            scene.set_pair(own, other, Pair::new());
        }
    }
    let at = |x: f64| Sphere::new(SMALL, Vec3::X * x);
    scene.add_sphere(first, at(0.0));
    scene.add_sphere(second, at(2.0 * SMALL));
    let simulation = scene.build().expect("a valid scene");
    let found = simulation.contacts()[0].cohesion;
    // H = 2e-19, R = 2 nm
    let (hamaker, asperity, effective) = (2e-19, 2e-9, 0.5 * SMALL);
    let h = CLOSEST_DISTANCE;
    let expected = hamaker * effective / 6.0
        * (asperity / (asperity + effective) / (h * h) + 1.0 / ((h + asperity) * (h + asperity)));
    assert_close(found, expected, 1e-6);
}

#[test]
fn it_ends_where_a_thousandth_remains() {
    // smooth: h = h₀ √1000, g = 30.6 h₀ = 12.2 nm
    let law = VanDerWaals::default();
    let cutoff = CLOSEST_DISTANCE * (1000f64.sqrt() - 1.0);
    assert!(attraction(law, 0.0, SMALL, cutoff * (1.0 - 1e-6)) > 0.0);
    assert_eq!(attraction(law, 0.0, SMALL, cutoff * (1.0 + 1e-6)), 0.0);
    // the force at the cut-off can be subtracted everywhere
    let shifted = VanDerWaals { shifted: true, ..law };
    let contact = attraction(law, 0.0, SMALL, 1e-18);
    assert_close(attraction(shifted, 0.0, SMALL, 1e-18), 0.999 * contact, 1e-6);
    assert!(attraction(shifted, 0.0, SMALL, cutoff * (1.0 - 1e-6)) < 1e-8 * contact);
}

#[test]
fn a_constant_profile_is_the_force_at_contact_throughout_its_shell() {
    let law = VanDerWaals { profile: Profile::Constant, ..VanDerWaals::default() };
    let with_shell = |gap: f64| {
        let parameters = pair(0.0).van_der_waals_cutoff(5e-9);
        let simulation = small(law, parameters, SMALL, gap, 0.0);
        simulation.contacts().first().map_or(0.0, |view| view.cohesion)
    };
    let expected = HAMAKER * 0.5 * SMALL / (6.0 * CLOSEST_DISTANCE * CLOSEST_DISTANCE);
    assert_close(with_shell(4.9e-9), expected, 1e-12);
    assert_eq!(with_shell(5.1e-9), 0.0);
}

#[test]
fn the_work_of_separation_is_that_of_the_formula_and_decides_which_spheres_escape() {
    // H R*/6 (1/h₀ - 1/(h₀ + g_c)); the whole is H R*/(6 h₀)
    let far = CLOSEST_DISTANCE * 1000f64.sqrt();
    let work = HAMAKER * 0.5 * SMALL / 6.0 * (1.0 / CLOSEST_DISTANCE - 1.0 / far);
    let mass = 0.5 * DENSITY * 4.0 / 3.0 * PI * SMALL.powi(3);
    let escape = (2.0 * work / mass).sqrt();
    let law = VanDerWaals::default();
    let start = small(law, pair(0.0), SMALL, 1e-18, 0.0);
    assert_close(-start.energy().cohesion, work, 1e-6);
    for (factor, escapes) in [(0.97, false), (1.03, true)] {
        let mut simulation = small(law, pair(0.0), SMALL, 1e-18, factor * escape);
        let time = 3.0 * far / (0.2 * escape);
        let worst = run_closing(&mut simulation, time);
        let gap = position(&simulation, 1).x - position(&simulation, 0).x - 2.0 * SMALL;
        assert_eq!(gap > far, escapes, "{factor}: {gap:e}");
        // (ω Δt)²/8 = 3e-3 for a spring at a twentieth of half a period; this potential well is not a parabola
        assert!(worst < 1e-2 * work, "closes to {:e}", worst / work);
    }
}

#[test]
fn the_time_step_counts_the_stiffness_of_the_attraction_and_the_speed_that_it_causes() {
    let simulation = small(VanDerWaals::default(), pair(0.0), SMALL, 1e-8, 0.0);
    let contact = HAMAKER * 0.5 * SMALL / (6.0 * CLOSEST_DISTANCE * CLOSEST_DISTANCE);
    let mass = 0.5 * DENSITY * 4.0 / 3.0 * PI * SMALL.powi(3);
    let half_period = PI * (mass / (2.0 * contact / CLOSEST_DISTANCE)).sqrt();
    let advice = simulation.advice();
    assert!(advice.contact_time <= half_period * (1.0 + 1e-9), "{:e}", advice.contact_time);
    let without = {
        let (mut scene, material) = scene(hertz(), Pair::new());
        scene.domain = Some(Domain::new(Vec3::splat(-1e-4), Vec3::splat(1e-4)));
        scene.add_sphere(material, Sphere::new(SMALL, Vec3::ZERO));
        scene.build().expect("a valid scene").advice().contact_time
    };
    assert!(half_period < without, "the attraction decides in this scene");
}
