//! The generalised trapezoidal rule on the problems of Bandeira & Zohdi (2018), 6.1 and 6.2, with their friction:
//! against the closed forms and the printed results.

mod common;

use common::{position, spin, velocity};
use esker::integrate::{Integrator, Iteration, Theta, Tolerances};
use esker::law::MomentArm;
use esker::law::tangential::{FrictionLimit, Penalty};
use esker::prelude::*;
use esker::scene::StepLimit;

fn theta(phi: f64, iteration: Iteration) -> Integrator {
    let tolerances = Tolerances::all(1e-10);
    Integrator::Theta(Theta {
        phi,
        iteration,
        tolerances,
        most_iterations: 100,
        ..Theta::default()
    })
}

/// A sphere on a plane through its contact point, with the friction of the paper.
fn start(
    young_modulus: f64,
    friction: f64,
    gravity: f64,
    normal: Vec3,
    sphere: Sphere,
) -> (Scene, MaterialId) {
    let penalty = Penalty { friction_limit: FrictionLimit::Elastic, ..Penalty::default() };
    let mut contact = ContactModel::normal(normal::Hertz::default()).tangential(penalty);
    contact.moment_arm = MomentArm::Radius;
    let mut scene = Scene { contact, gravity: -gravity * Vec3::Y, ..Scene::new() };
    let material = Material::new().density(5000.0).young_modulus(young_modulus).poisson_ratio(0.25);
    let material = scene.add_material("sphere", material);
    scene.set_pair(material, material, Pair::new().friction(friction).friction_penalty(1e15));
    let point = sphere.position - sphere.radius * normal;
    scene.add_wall("plane", Shape::HalfSpace { point, normal }, material);
    scene.add_sphere(material, sphere);
    scene.domain = Some(Domain::new(Vec3::splat(-100.0), Vec3::splat(100.0)));
    scene.health.step_limit = StepLimit::Warn;
    (scene, material)
}

/// Velocity along and across the wall, and spin, after the impact of 6.1.
fn oblique_impact(integrator: Integrator, dt: f64) -> [f64; 3] {
    let sphere = Sphere { velocity: Vec3::new(1.0, -1.0, 0.0), ..Sphere::new(0.05, Vec3::ZERO) };
    let (mut scene, _) = start(1e8, 0.05, 0.0, Vec3::Y, sphere);
    scene.integrator = integrator;
    scene.step = StepSize::Fixed(dt);
    let mut simulation = scene.build().expect("a valid scene");
    while simulation.time() < 8e-3 {
        simulation.step().expect("a healthy step");
    }
    let v = velocity(&simulation, 0);
    [v.x, v.y, spin(&simulation, 0).z]
}

#[test]
fn the_oblique_impact_has_the_published_result() {
    // printed for φ = 1: (0.9, 1), -5, which one frozen evaluation and the trapezoidal rule yield
    for integrator in [theta(1.0, Iteration::Frozen), theta(0.5, Iteration::Jacobi)] {
        let [along, across, spin] = oblique_impact(integrator, 1e-4);
        assert!((along - 0.9).abs() < 1e-4 && (across - 1.0).abs() < 1e-4, "{along} {across}");
        assert!((spin + 5.0).abs() < 5e-4, "{spin}");
    }
}

#[test]
fn the_euler_rules_converge_to_it_with_first_order() {
    for phi in [0.0, 1.0] {
        let mut errors = Vec::new();
        for dt in [1e-4, 1e-5, 1e-6] {
            let [along, across, spin] = oblique_impact(theta(phi, Iteration::Jacobi), dt);
            // impulses: sliding throughout, for every step
            assert!((1.0 - along - 0.05 * (1.0 + across)).abs() < 1e-6, "{along} {across}");
            assert!((spin + 2.5 * (1.0 - along) / 0.05).abs() < 1e-5, "{along} {spin}");
            errors.push((across - 1.0).abs());
        }
        for pair in errors.windows(2) {
            assert!((pair[0] / pair[1] - 10.0).abs() < 1.0, "φ = {phi}: {errors:?}");
        }
    }
}

/// Position, velocity and spin of the sphere of 6.2 after 3.002 s on the incline.
fn incline(integrator: Integrator) -> [f64; 5] {
    let sphere = Sphere {
        velocity: Vec3::new(-6.08, -4.56, 0.0),
        spin: Vec3::Z * 16.0,
        ..Sphere::new(0.25, Vec3::ZERO)
    };
    let (mut scene, _) = start(1e9, 0.2, 10.0, Vec3::new(-0.6, 0.8, 0.0), sphere);
    scene.integrator = integrator;
    scene.step = StepSize::Fixed(1e-3);
    let mut simulation = scene.build().expect("a valid scene");
    (0..3002).for_each(|_| simulation.step().expect("a healthy step"));
    let (x, v) = (position(&simulation, 0), velocity(&simulation, 0));
    [x.x, x.y, v.x, v.y, spin(&simulation, 0).z]
}

#[test]
fn one_frozen_evaluation_gives_every_printed_digit_of_the_incline() {
    let found = incline(theta(1.0, Iteration::Frozen));
    let printed = [-34.119, -25.589, -16.628, -12.525, 63.945];
    for (found, printed) in found.iter().zip(printed) {
        assert!((found - printed).abs() <= 0.5e-3, "{found} {printed}");
    }
}

#[test]
fn the_converged_rules_keep_the_impulses_of_the_incline() {
    // a sphere that always slips; its bounces affect v_n alone
    for phi in [0.5, 1.0] {
        let [x, y, vx, vy, w] = incline(theta(phi, Iteration::Jacobi));
        let along = -0.8 * vx - 0.6 * vy;
        let off = -0.6 * vx + 0.8 * vy;
        let way = -0.8 * x - 0.6 * y;
        // 7.6 t + ½ (g sin θ - μ g cos θ) t², t = 3.002 s
        assert!((way / (7.6 * 3.002 + 0.5 * 4.4 * 3.002 * 3.002) - 1.0).abs() < 2e-4, "{way}");
        // m v_n is the deficit of the normal impulse from m g cos θ t
        assert!((along - (7.6 + 4.4 * 3.002) + 0.2 * off).abs() < 1e-4 * along, "{along} {off}");
        let without_offset = 16.0 + 2.5 * 0.2 * 8.0 / 0.25 * 3.002;
        assert!((w - without_offset - 2.5 * 0.2 * off / 0.25).abs() < 1e-4 * w, "{w} {off}");
    }
}
