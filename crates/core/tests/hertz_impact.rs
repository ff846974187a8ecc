//! Impact of a sphere on a wall and on a sphere against the closed form of Hertz's theory, and the
//! order of the integrator.

mod common;

use common::*;
use esker::prelude::*;

const SPEED: f64 = 1.0;

/// Results of an impact: largest overlap and force, duration, speed after.
struct Seen {
    overlap: f64,
    force: f64,
    duration: f64,
    speed: f64,
}

/// A sphere that touches a wall with `SPEED`.
fn against_wall(contact: ContactModel, pair: Pair, dt: f64) -> Simulation {
    from_gap(contact, pair, dt, 0.0)
}

/// A sphere that touches the wall after a gap [m].
fn from_gap(contact: ContactModel, pair: Pair, dt: f64, gap: f64) -> Simulation {
    let (mut scene, material) = scene(contact, pair);
    scene.add_wall("floor", floor(), material);
    scene.add_sphere(material, sphere(Vec3::Z * (RADIUS + gap), -SPEED * Vec3::Z));
    scene.step = StepSize::Fixed(dt);
    scene.build().expect("a valid scene")
}

fn impact_on_wall(dt: f64) -> Seen {
    let mut simulation = against_wall(hertz(), Pair::new(), dt);
    let (mut overlap, mut force) = (0.0f64, 0.0f64);
    loop {
        let before = position(&simulation, 0).z;
        simulation.step().expect("a healthy step");
        let height = position(&simulation, 0).z;
        overlap = overlap.max(RADIUS - height);
        force = force.max(simulation.particles().load(ParticleId::new(0)).unwrap().force.z);
        if height > RADIUS {
            let fraction = (RADIUS - before) / (height - before);
            let duration = simulation.time() - dt + fraction * dt;
            return Seen { overlap, force, duration, speed: velocity(&simulation, 0).z };
        }
    }
}

#[test]
fn overlap_force_and_duration_of_an_elastic_impact_are_those_of_hertz() {
    let time = duration(mass(RADIUS), RADIUS, SPEED);
    let overlap = largest_overlap(mass(RADIUS), RADIUS, SPEED);
    let force = hertz_stiffness(RADIUS) * overlap.powf(1.5);
    let found = impact_on_wall(time / 2000.0);
    // second order in 1/2000 of the duration: 2.5e-7 times a number of order one
    assert_close(found.overlap, overlap, 1e-6);
    assert_close(found.force, force, 1e-6);
    assert_close(found.speed, SPEED, 1e-6);
    // the end is interpolated within a step in which the force is not constant
    assert_close(found.duration, time, 1e-5);
}

#[test]
fn unequal_spheres_exchange_momentum_in_the_duration_of_their_effective_mass_and_radius() {
    let radii = [0.01, 0.017];
    let [first, second] = radii.map(mass);
    let effective_mass = first * second / (first + second);
    let effective_radius = radii[0] * radii[1] / (radii[0] + radii[1]);
    let time = duration(effective_mass, effective_radius, 2.0 * SPEED);
    let (mut scene, material) = scene(hertz(), Pair::new());
    let axis = Vec3::new(1.0, 2.0, -2.0) / 3.0;
    for (radius, sign) in radii.into_iter().zip([-1.0, 1.0]) {
        let position = sign * radius * axis;
        let velocity = -sign * SPEED * axis;
        scene.add_sphere(material, Sphere { velocity, ..Sphere::new(radius, position) });
    }
    let dt = time / 2000.0;
    scene.step = StepSize::Fixed(dt);
    let mut simulation = scene.build().expect("a valid scene");
    let (mut overlap, mut last_touch) = (0.0f64, 0.0);
    for _ in 0..2100 {
        simulation.step().expect("a healthy step");
        let gap = position(&simulation, 0).distance(position(&simulation, 1)) - radii[0] - radii[1];
        overlap = overlap.max(-gap);
        if gap < 0.0 {
            last_touch = simulation.time();
        }
    }
    // second order in 1/2000 of the duration; the duration itself to one step
    assert_close(overlap, largest_overlap(effective_mass, effective_radius, 2.0 * SPEED), 1e-6);
    assert_close(last_touch, time, 1e-3);
    // velocities after a central elastic collision: v₁' = v₁ - 2 m₂/(m₁+m₂) (v₁ - v₂)
    let after = [1.0 - 4.0 * second / (first + second), -1.0 + 4.0 * first / (first + second)];
    for (id, expected) in (0..).zip(after) {
        let along = velocity(&simulation, id).dot(axis);
        assert!((along - expected * SPEED).abs() < 1e-6, "{id}: {along} {expected}");
    }
}

/// Overlap and speed at a fraction of an impact by the Runge–Kutta method, in units of the impact: `x'' = -5/4
/// x^{3/2} - c x^{1/4} x'` with lengths in δ_max and times in δ_max/v.
fn reference(damping: f64, until: f64) -> [f64; 2] {
    // In s = t^{1/4} the solution is smooth, so that the method keeps its fourth order from the start: x = s⁴ y with
    // y(0) = 1 would also do, but this form needs no division.
    let steps = 20_000;
    let end = until.powf(0.25);
    let rate = |s: f64, [x, v]: [f64; 2]| {
        let per_s = 4.0 * s.powi(3);
        let x_root = x.max(0.0).sqrt();
        [per_s * v, -per_s * (1.25 * x.max(0.0) * x_root + damping * x_root.sqrt() * v)]
    };
    let h = end / f64::from(steps);
    let mut y = [0.0, 1.0];
    for step in 0..steps {
        let s = f64::from(step) * h;
        let add = |k: [f64; 2], weight: f64| [y[0] + weight * h * k[0], y[1] + weight * h * k[1]];
        let k1 = rate(s, y);
        let k2 = rate(s + 0.5 * h, add(k1, 0.5));
        let k3 = rate(s + 0.5 * h, add(k2, 0.5));
        let k4 = rate(s + h, add(k3, 1.0));
        for i in 0..2 {
            y[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
        }
    }
    y
}

/// The order at which the overlap in the middle of the loading converges as the step is halved.
fn observed_orders(damping_ratio: f64) -> Vec<f64> {
    let overlap = largest_overlap(mass(RADIUS), RADIUS, SPEED);
    // d = 2 ξ √(2 E* m) (r δ)^{1/4}, made dimensionless with m v/δ_max and δ_max^{1/4}
    let damping = 2.0 * damping_ratio * (2.0 * effective_modulus() * mass(RADIUS)).sqrt()
        / mass(RADIUS)
        * (RADIUS * overlap).powf(0.25)
        * overlap
        / SPEED;
    let until = 0.5;
    let errors: Vec<f64> = [50, 100, 200, 400, 800, 1600]
        .into_iter()
        .map(|steps| {
            let dt = until * overlap / SPEED / f64::from(steps);
            let contact = if damping_ratio > 0.0 { damped() } else { hertz() };
            let pair = if damping_ratio > 0.0 {
                Pair::new().damping_ratio(damping_ratio)
            } else {
                Pair::new()
            };
            // the weight of a dashpot jumps if the first evaluation is a whole step after first touch
            let mut simulation = from_gap(contact, pair, dt, 0.5 * SPEED * dt);
            let [expected, _] = reference(damping, until * (1.0 - 0.5 / f64::from(steps)));
            for _ in 0..steps {
                simulation.step().expect("a healthy step");
            }
            ((RADIUS - position(&simulation, 0).z) / overlap - expected).abs()
        })
        .collect();
    errors.windows(2).map(|pair| (pair[0] / pair[1]).log2()).collect()
}

#[test]
fn velocity_verlet_is_of_second_order_in_an_elastic_impact() {
    let orders = observed_orders(0.0);
    // the next term of the error is half an order higher (the force starts as t^{3/2}), so the
    // observed order approaches 2 from above
    assert!(orders.iter().all(|order| (1.9..2.2).contains(order)), "{orders:?}");
}

#[test]
fn damping_that_sets_in_as_a_fourth_root_limits_the_order_to_five_quarters() {
    // The error of the trapezoidal rule for a force that starts as t^{1/4} is Δt^{5/4} in the first step and is not
    // reduced later: a property of the law, for any integrator with fixed steps.
    let orders = observed_orders(0.2);
    let last = orders.last().unwrap();
    assert!((last - 1.25).abs() < 0.1, "{orders:?}");
}
