//! Force, torque and work of walls against theory.

mod common;

use common::*;
use esker::measure::WallView;
use esker::prelude::*;
use esker::stage::Change;

fn wall(simulation: &Simulation, name: &str) -> WallView {
    simulation.wall_views().into_iter().find(|wall| wall.name == name).expect("a wall")
}

#[test]
fn a_wall_that_presses_a_sphere_against_another_has_the_force_of_two_hertz_contacts_in_series() {
    check_press(true);
}

#[test]
fn the_work_of_a_wall_needs_no_ledger() {
    check_press(false);
}

fn check_press(ledger: bool) {
    let (mut scene, material) = scene(damped(), Pair::new().damping_ratio(0.2));
    scene.add_wall("anvil", floor(), material);
    let (speed, time) = (1e-3, 0.3);
    let shape = Shape::HalfSpace { point: 2.0 * RADIUS * Vec3::Z, normal: -Vec3::Z };
    scene.add_moving_wall("hammer", shape, material, Motion::Velocity(-speed * Vec3::Z));
    scene.add_sphere(material, sphere(Vec3::new(0.02, 0.03, RADIUS), Vec3::ZERO));
    scene.step = StepSize::Fixed(1e-5);
    scene.ledger = ledger;
    let mut simulation = scene.build().expect("a valid scene");
    run_until(&mut simulation, time);
    // each contact has half of the displacement
    let overlap = 0.5 * speed * simulation.time();
    let expected = hertz_stiffness(RADIUS) * overlap.powf(1.5);
    let (hammer, anvil) = (wall(&simulation, "hammer"), wall(&simulation, "anvil"));
    // both dashpots work at half the speed; the initial oscillation has decayed
    let damping = 2.0
        * 0.2
        * (mass(RADIUS) * 2.0 * effective_modulus()).sqrt()
        * (RADIUS * overlap).powf(0.25)
        * 0.5
        * speed;
    assert_close(hammer.force.z, expected + damping, 1e-6);
    assert_close(anvil.force.z, -(expected + damping), 1e-6);
    // about the origin, where the centre of the pose of an unmoved wall is
    let torque = Vec3::new(0.02, 0.03, 0.0).cross(anvil.force);
    assert!((anvil.torque - torque).length() < 1e-12 * torque.length());
    assert_eq!(anvil.work, 0.0);
    // ∫F ds with s = 2 δ: elastic as δ^{3/2}, damping as δ^{1/4}; the kinetic energy of the sphere
    // is 1e-6 of it
    assert_close(hammer.work, 0.8 * expected * overlap + 1.6 * damping * overlap, 1e-5);
}

#[test]
fn a_rotating_drum_holds_a_sphere_where_the_torque_of_gravity_balances_rolling_resistance() {
    let rolling = 0.1;
    let (drum_radius, rate) = (0.1, 3.0);
    let pair = Pair::new().damping_ratio(0.3).friction(0.5).rolling_friction(rolling);
    let contact = frictional().rolling(rolling::ConstantTorque::default());
    let (mut scene, material) = scene(contact, pair);
    scene.gravity = -G * Vec3::Z;
    let half = 0.05 * Vec3::Y;
    let shape =
        Shape::Cylinder { start: -half, end: half, radius: drum_radius, side: Side::Inside };
    let motion = Motion::Rotation { point: Vec3::ZERO, axis: Vec3::Y, rate };
    scene.add_moving_wall("drum", shape, material, motion);
    // near its steady position, rolling in place
    let angle = rolling.atan();
    let arm = drum_radius - RADIUS;
    let spin = rate * drum_radius / RADIUS * Vec3::Y;
    // the drum rotates from z to x, so that its lowest point moves to -x and takes the sphere along
    let start = arm * Vec3::new(-angle.sin(), 0.0, -angle.cos());
    scene.add_sphere(material, Sphere { spin, ..sphere(start, Vec3::ZERO) });
    scene.step = StepSize::Fixed(1e-5);
    scene.ledger = true;
    let mut simulation = scene.build().expect("a valid scene");
    // the pendulum has no damping but that of the contact's springs: average over it
    let weight = mass(RADIUS) * G;
    run_until(&mut simulation, 0.5);
    let (mut torque, mut offset, mut count) = (0.0, 0.0, 0.0);
    let mut contact_force = Vec3::ZERO;
    let work_before = wall(&simulation, "drum").work;
    let loss_before = simulation.energy().rolling_loss;
    // whole periods of a rolling pendulum: 2π √(7/5 arm/g)
    let period = std::f64::consts::TAU * (1.4 * arm / G).sqrt();
    let begin = simulation.time();
    while simulation.time() < begin + 4.0 * period {
        simulation.step().expect("a healthy step");
        let drum = wall(&simulation, "drum");
        torque += drum.torque.y;
        contact_force += drum.force;
        offset += position(&simulation, 0).x;
        count += 1.0;
    }
    // Steady on average: the torque on the drum is that of the weight of the sphere, exactly, since both follow from
    // the balance of angular momentum; the difference is an incomplete oscillation.
    assert_close(torque / count, offset / count * weight, 1e-4);
    assert_close(contact_force.z / count, -weight, 1e-3);
    // f l = μ_R r N, f = m g sin φ, N = m g cos φ
    assert_close((-offset / count / arm).asin().tan(), rolling, 5e-3);
    // and the work of the motor equals the dissipation of rolling
    let work = wall(&simulation, "drum").work - work_before;
    let lost = simulation.energy().rolling_loss - loss_before;
    let expected = rolling * RADIUS * weight * angle.cos() * rate * (drum_radius / RADIUS - 1.0);
    assert_close(work, lost, 5e-3);
    assert_close(work / (simulation.time() - begin), expected, 5e-3);
}

/// A hammer of particles and one of a surface each press a sphere; a stage stops them half way.
fn two_hammers(ledger: bool) -> Vec<f64> {
    let (mut scene, material) = scene(frictional(), Pair::new().damping_ratio(0.2).friction(0.3));
    scene.add_wall("anvil", floor(), material);
    let motion = Motion::Superposition(vec![
        Motion::Velocity(Vec3::new(2e-3, 0.0, -1e-3)),
        Motion::Rotation { point: Vec3::ZERO, axis: Vec3::Z, rate: 0.1 },
    ]);
    let shape = Shape::HalfSpace { point: 2.0 * RADIUS * Vec3::Z, normal: -Vec3::Z };
    scene.add_moving_wall("plate", shape, material, motion.clone());
    let pin = sphere(Vec3::new(0.5, 0.0, 3.0 * RADIUS), Vec3::ZERO);
    scene.add_moving_wall("pin", Shape::Particles(vec![pin]), material, motion);
    for x in [0.0, 0.5] {
        scene.add_sphere(material, sphere(Vec3::new(x, 0.0, RADIUS), Vec3::ZERO));
    }
    scene.step = StepSize::Fixed(1e-5);
    scene.ledger = ledger;
    let stage = |name: &str, changes| {
        let end = End { after: Some(0.05), ..End::default() };
        Stage { name: name.to_owned(), changes, end }
    };
    let stop = Change::SetMotion("plate".to_owned(), Motion::Still);
    scene.stages = vec![stage("press", Vec::new()), stage("hold", vec![stop])];
    let mut simulation = scene.build().expect("a valid scene");
    while !simulation.is_finished() {
        simulation.step().expect("a healthy step");
    }
    ["anvil", "plate", "pin"].map(|name| wall(&simulation, name).work).to_vec()
}

#[test]
fn the_work_of_walls_has_the_same_bits_with_and_without_the_ledger() {
    let found = two_hammers(false);
    assert_eq!(found, two_hammers(true));
    assert_eq!(found[0], 0.0, "a wall that stands still does no work");
    assert!(found[1] > 0.0 && found[2] > 0.0, "{found:?}");
}
