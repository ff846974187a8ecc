//! Edges of walls: convex and concave.

mod common;

use common::*;
use esker::prelude::*;
use esker::wall::{Mesh, SMOOTH_ANGLE};
use std::sync::Arc;

/// Stiffer than usual, so that overlaps are 1e-4 of the radius.
const STIFF: f64 = 1e9;

fn mesh(vertices: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Shape {
    let (mesh, defects) = Mesh::new(vertices, triangles, SMOOTH_ANGLE).expect("a mesh");
    assert!(defects.is_empty());
    Shape::Mesh(Arc::new(mesh))
}

/// The top and the front of a table whose edge is the y axis, as triangles.
fn table() -> Shape {
    let corner = |x: f64, y: f64, z: f64| Vec3::new(x, y, z);
    mesh(
        vec![
            corner(-0.2, -0.1, 0.0),
            corner(0.0, -0.1, 0.0),
            corner(0.0, 0.1, 0.0),
            corner(-0.2, 0.1, 0.0),
            corner(0.0, -0.1, -0.2),
            corner(0.0, 0.1, -0.2),
        ],
        vec![[0, 1, 2], [0, 2, 3], [1, 4, 5], [1, 5, 2]],
    )
}

/// A sphere that slides over the edge without friction, from 5 mm before it.
fn over_the_edge(shape: Shape, speed: f64) -> Simulation {
    let (mut scene, material) = scene(damped(), Pair::new().damping_ratio(0.1));
    scene.materials[0].1.young_modulus = Some(STIFF);
    scene.gravity = -G * Vec3::Z;
    scene.add_wall("table", shape, material);
    let overlap = overlap_under(mass(RADIUS) * G, RADIUS) * (YOUNG / STIFF).powf(2.0 / 3.0);
    let start = Vec3::new(-0.005, 0.01, RADIUS - overlap);
    scene.add_sphere(material, sphere(start, speed * Vec3::X));
    scene.step = StepSize::Fixed(4e-6);
    scene.build().expect("a valid scene")
}

#[test]
fn a_sphere_slides_round_a_table_edge_on_a_circle_and_leaves_it_at_the_theoretical_point() {
    let speed = 0.15;
    let weight = mass(RADIUS) * G;
    let mut simulation = over_the_edge(table(), speed);
    let square = |cosine: f64| speed * speed + 2.0 * G * RADIUS * (1.0 - cosine);
    let left = loop {
        simulation.step().expect("a healthy step");
        let center = position(&simulation, 0);
        if center.x <= 0.0 {
            continue;
        }
        let cosine = center.x.atan2(center.z).cos();
        let contacts = simulation.contacts();
        let [contact] = contacts[..] else { break cosine };
        // Energy, with a radius that is less by the overlap (1e-4) and a contact that oscillates slightly when the
        // plane becomes an edge.
        assert_close(velocity(&simulation, 0).length_squared(), square(cosine), 1e-3);
        // N = m g cos θ - m v²/r; the oscillation, 20 % of the weight at first, decays in some milliseconds
        let expected = weight * cosine - mass(RADIUS) * square(cosine) / RADIUS;
        if cosine < 0.99 && expected > 0.1 * weight {
            let error = (contact.elastic + contact.damping - expected) / weight;
            assert!(error.abs() < 0.01, "{cosine}: {error}");
        }
    };
    assert_eq!(position(&simulation, 0).y, 0.01);
    // N = 0 where v² = g r cos θ
    let expected = (speed * speed / (G * RADIUS) + 2.0) / 3.0;
    // A Hertzian contact under a load that decreases as m c (t₀ - t) becomes so soft that it cannot follow for the last
    // τ, ω(τ) τ = 1: 3/2 (K/m)^{2/3} c^{1/3} τ^{7/3} = 1, and opens late by that time, here half a millisecond.
    let rate = (square(expected)).sqrt() / RADIUS;
    let sine = (1.0 - expected * expected).sqrt();
    let fall = 3.0 * G * sine * rate;
    let stiffness = hertz_stiffness(RADIUS) * STIFF / YOUNG / mass(RADIUS);
    let late = (1.5 * stiffness.powf(2.0 / 3.0) * fall.cbrt()).powf(-3.0 / 7.0);
    assert!(left < expected && left > expected - 2.0 * sine * rate * late, "{left} {expected}");
}

#[test]
fn a_sphere_faster_than_root_g_r_flies_off_a_table_at_its_edge() {
    let speed = 1.1 * (G * RADIUS).sqrt();
    let mut simulation = over_the_edge(table(), speed);
    let time = 0.005 / speed;
    run_until(&mut simulation, time + 0.02);
    let fallen = simulation.time() - time;
    // the contact opens with the energy of its overlap, a speed of √(g δ) ≈ 3e-3 m/s at most
    let expected = RADIUS - 0.5 * G * fallen * fallen;
    assert!((position(&simulation, 0).z - expected).abs() < 3e-3 * fallen);
    assert_close(velocity(&simulation, 0).x, speed, 1e-4);
}

#[test]
fn the_edge_of_a_meshed_table_acts_like_that_of_a_rectangle() {
    let edges = [Vec3::new(-0.2, 0.0, 0.0), Vec3::new(0.0, 0.2, 0.0)];
    let rectangle = Shape::Rectangle { corner: Vec3::new(0.0, -0.1, 0.0), edges };
    let mut analytic = over_the_edge(rectangle, 0.15);
    let mut meshed = over_the_edge(table(), 0.15);
    run_until(&mut analytic, 0.15);
    run_until(&mut meshed, 0.15);
    assert!(position(&analytic, 0).z < -RADIUS, "it has fallen off");
    // rounding, propagated for 0.1 s
    assert!(position(&analytic, 0).distance(position(&meshed, 0)) < 1e-10 * RADIUS);
}

/// A V groove along the y axis, at these angles to the horizontal.
fn groove(left: f64, right: f64) -> Shape {
    let [a, b] =
        [Vec3::new(-left.cos(), 0.0, left.sin()), Vec3::new(right.cos(), 0.0, right.sin())];
    let y = 0.1 * Vec3::Y;
    mesh(
        vec![-y, y, 0.1 * a - y, 0.1 * a + y, 0.1 * b - y, 0.1 * b + y],
        vec![[0, 1, 2], [1, 3, 2], [0, 4, 1], [1, 4, 5]],
    )
}

#[test]
fn a_sphere_rests_in_a_meshed_groove_on_two_contacts_with_the_forces_of_statics() {
    let (left, right) = (30f64.to_radians(), 50f64.to_radians());
    let (mut scene, material) = scene(damped(), Pair::new().damping_ratio(0.5));
    scene.gravity = -G * Vec3::Z;
    scene.add_wall("groove", groove(left, right), material);
    let normals =
        [Vec3::new(left.sin(), 0.0, left.cos()), Vec3::new(-right.sin(), 0.0, right.cos())];
    // the position of the centre that touches both: n₁·x = n₂·x = r
    let determinant = normals[0].x * normals[1].z - normals[0].z * normals[1].x;
    let x = RADIUS * (normals[1].z - normals[0].z) / determinant;
    let z = RADIUS * (normals[0].x - normals[1].x) / determinant;
    scene.add_sphere(material, sphere(Vec3::new(x, 0.0, z), Vec3::ZERO));
    scene.step = StepSize::Fixed(1e-5);
    let mut simulation = scene.build().expect("a valid scene");
    run_until(&mut simulation, 0.5);
    let contacts = simulation.contacts();
    assert_eq!(contacts.len(), 2);
    let weight = mass(RADIUS) * G;
    for (normal, opposite) in normals.into_iter().zip([right, left]) {
        let contact = contacts.iter().find(|contact| contact.normal.dot(normal) < -0.9).unwrap();
        // Lami's theorem; decay of the oscillation
        let expected = weight * opposite.sin() / (left + right).sin();
        assert_close(contact.elastic, expected, 1e-9);
    }
    let force = simulation.wall_views()[0].force;
    assert!(force.distance(-weight * Vec3::Z) < 1e-9 * weight);
}

#[test]
fn a_sphere_rolls_along_an_inclined_groove_on_its_two_contacts() {
    // The contacts, at 45° to the vertical, have the moment arm a = l/√2 from the axis across the groove about which
    // the sphere rotates: v' = g sin θ / (1 + 2/5 (r/a)²).
    let angle = 0.1f64;
    let quarter = std::f64::consts::FRAC_PI_4;
    let (mut scene, material) = scene(frictional(), Pair::new().damping_ratio(0.3).friction(0.5));
    scene.gravity = G * Vec3::new(0.0, angle.sin(), -angle.cos());
    scene.add_wall("groove", groove(quarter, quarter), material);
    let weight = mass(RADIUS) * G * angle.cos();
    let overlap = overlap_under(weight / 2f64.sqrt(), RADIUS);
    let height = (RADIUS - overlap) * 2f64.sqrt();
    scene.add_sphere(material, sphere(Vec3::new(0.0, -0.09, height), Vec3::ZERO));
    scene.step = StepSize::Fixed(1e-5);
    let mut simulation = scene.build().expect("a valid scene");
    run_until(&mut simulation, 0.2);
    let arm = (RADIUS - 0.5 * overlap) / 2f64.sqrt();
    let expected = G * angle.sin() / (1.0 + 0.4 * (RADIUS / arm).powi(2));
    // The contacts spin about their normals, which rotates their springs by half of that angle and must be compensated
    // by a slip of s w/2 with s = f/k_t: 1e-7 m at 10 1/s, 1e-5 of the speed.
    assert_close(velocity(&simulation, 0).y, expected * simulation.time(), 1e-5);
    assert_eq!(simulation.contacts().len(), 2);
}

/// State of a sphere one second after its release above the lowest line of a wall.
fn settled(shape: Shape, height: f64, friction: bool) -> Simulation {
    let rolls = frictional().rolling(rolling::ElasticPlastic::default());
    let pair = Pair::new().damping_ratio(0.3);
    let (mut scene, material) = if friction {
        scene(rolls, pair.friction(0.5).rolling_friction(0.1))
    } else {
        scene(damped(), pair)
    };
    scene.gravity = -G * Vec3::Z;
    scene.add_wall("wall", shape, material);
    scene.add_sphere(material, sphere(Vec3::new(0.0, 0.003, height), Vec3::ZERO));
    scene.step = StepSize::Fixed(1e-5);
    let mut simulation = scene.build().expect("a valid scene");
    run_until(&mut simulation, 1.0);
    simulation
}

/// Checks that a sphere rests on two facets of this slope [rad].
fn check_rest(what: &str, shape: &Shape, height: f64, slope: f64) {
    let weight = mass(RADIUS) * G;
    for friction in [false, true] {
        let simulation = settled(shape.clone(), height, friction);
        // rest of a vibration that loses a third in each period: rounding
        let speed = velocity(&simulation, 0).length();
        assert!(speed < 1e-12, "{what}: {speed}");
        let contacts = simulation.contacts();
        assert_eq!(contacts.len(), 2, "{what}");
        for contact in &contacts {
            assert_close(contact.normal.x.abs(), slope.sin(), 1e-9);
            if !friction {
                assert_close(contact.elastic, weight / (2.0 * slope.cos()), 1e-9);
            }
        }
        // With friction the springs of the last bounce carry a part; together the contacts carry the weight.
        let force = simulation.wall_views()[0].force;
        assert!(force.distance(-weight * Vec3::Z) < 1e-9 * weight, "{what}: {force}");
    }
}

#[test]
fn a_sphere_rests_in_a_groove_of_slight_slopes_on_two_contacts() {
    for degrees in [14.0_f64, 5.0, 1.0] {
        let slope = degrees.to_radians();
        let height = 1.02 * RADIUS / slope.cos();
        check_rest(&format!("{degrees}°"), &groove(slope, slope), height, slope);
    }
}

/// The lateral surface of a prism along y in a circle, with an edge as its lowest line.
fn prism(segments: u32, radius: f64) -> Shape {
    let mut vertices = Vec::new();
    let mut triangles = Vec::new();
    for k in 0..segments {
        let angle = std::f64::consts::TAU * f64::from(k) / f64::from(segments);
        let rim = radius * Vec3::new(angle.sin(), 0.0, -angle.cos());
        vertices.extend([rim - 0.1 * Vec3::Y, rim + 0.1 * Vec3::Y]);
        let (a, b) = (2 * k, 2 * ((k + 1) % segments));
        triangles.extend([[a, b, a + 1], [a + 1, b, b + 1]]);
    }
    mesh(vertices, triangles)
}

#[test]
fn a_sphere_rests_on_the_lowest_line_of_a_meshed_cylinder() {
    for segments in [24, 64, 200] {
        let radius = 5.0 * RADIUS;
        let slope = std::f64::consts::PI / f64::from(segments);
        // each facet is at its apothem from the axis, and the sphere touches both
        let height = -(radius * slope.cos() - 1.02 * RADIUS) / slope.cos();
        check_rest(&format!("{segments} segments"), &prism(segments, radius), height, slope);
    }
}

/// Time in which a sphere that rolls on a wall like a cylinder passes the lowest line ten times, from 0.4 rad at rest,
/// and the ratio of the last largest height to the first.
fn swing(shape: Shape, arm: f64) -> (f64, f64) {
    let (mut scene, material) = scene(frictional(), Pair::new().damping_ratio(0.3).friction(0.8));
    scene.materials[0].1.young_modulus = Some(STIFF);
    scene.gravity = -G * Vec3::Z;
    scene.add_wall("wall", shape, material);
    let start = arm * Vec3::new(0.4_f64.sin(), 0.0, -0.4_f64.cos());
    scene.add_sphere(material, sphere(start, Vec3::ZERO));
    scene.step = StepSize::Fixed(4e-6);
    let mut simulation = scene.build().expect("a valid scene");
    let (mut passes, mut last, mut largest) = (0, start.x, 0.0_f64);
    loop {
        simulation.step().expect("a healthy step");
        let x = position(&simulation, 0).x;
        if x * last < 0.0 {
            passes += 1;
            if passes == 10 {
                break;
            }
            largest = 0.0;
        }
        largest = largest.max(x.abs());
        last = x;
    }
    (simulation.time(), (1.0 - (1.0 - (largest / arm).powi(2)).sqrt()) / (1.0 - 0.4_f64.cos()))
}

#[test]
fn a_sphere_that_rolls_in_a_meshed_cylinder_oscillates_as_in_the_cylinder() {
    let radius = 5.0 * RADIUS;
    let arm = radius - RADIUS;
    let half = 0.1 * Vec3::Y;
    let smooth = Shape::Cylinder { start: -half, end: half, radius, side: Side::Inside };
    let (expected, height) = swing(smooth, arm);
    // 9.5 half-periods of √(7/5 a/g), 1 % longer at 0.4 rad; it slips a little at the start
    let period = std::f64::consts::TAU * (1.4 * arm / G).sqrt() * (1.0 + 0.4 * 0.4 / 16.0);
    assert_close(expected, 4.75 * period, 1e-3);
    assert_close(height, 1.0, 1e-3);
    for segments in [64, 256] {
        let bend = std::f64::consts::TAU / f64::from(segments);
        let (time, height) = swing(prism(segments, radius), arm);
        // A sphere that rolls over a concave bend keeps its angular momentum about the next contact, and so loses 5/7
        // bend² of its kinetic energy, which is 2/3 of the total on average along the path, 18 times 0.4 rad: in all
        // 3.4 times the bend. The vibration of a contact that becomes two and then one again dissipates the same at
        // most.
        let loss = 5.0 / 7.0 * 2.0 / 3.0 * 18.0 * 0.4 * bend;
        assert!(height < 1.0 && height > (-2.0 * loss).exp(), "{segments} segments: {height}");
        // smaller oscillations are shorter by the correction of the pendulum for its amplitude
        assert_close(time, expected, 0.4 * 0.4 / 16.0 * (1.0 - height) + 1e-3);
    }
}
