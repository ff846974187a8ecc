//! `bond`: threshold, areas, and the moment of its rotational part.

use super::*;
use esker::law::cohesion::Bond;
use esker::law::normal::Area;
use std::f64::consts::PI;

fn pair(rotational: f64) -> Pair {
    Pair::new()
        .bond_stiffness(2e6)
        .bond_exponent(0.5)
        .bond_critical_strain(0.01)
        .rotational_bond_stiffness(rotational)
}

#[test]
fn it_attracts_with_the_area_times_a_power_of_the_strain_above_the_critical_strain_only() {
    for area in [Area::Hertz, Area::Lens] {
        for strain in [0.0099, 0.0101, 0.03] {
            let overlap = strain * 2.0 * RADIUS;
            let model = hertz().cohesion(Bond { area });
            let view = contact_of(two(model, pair(0.0), -overlap, 0.0));
            let circle = match area {
                Area::Hertz => PI * 0.5 * RADIUS * overlap,
                // equal spheres: a² = rδ - δ²/4
                Area::Lens => PI * (RADIUS * overlap - 0.25 * overlap * overlap),
            };
            let expected = if strain > 0.01 { 2e6 * strain.sqrt() * circle } else { 0.0 };
            assert!((view.cohesion - expected).abs() <= 1e-10 * expected, "{area:?} {strain}");
            let normal = view.elastic - view.cohesion;
            assert!((view.force().x + normal).abs() < 1e-12 * view.elastic, "it attracts");
        }
    }
}

#[test]
fn its_rotational_part_is_a_viscous_force_in_proportion_to_the_step_and_acts_on_both_partners() {
    let rotational = 1e12;
    let spin = 20.0;
    let overlap = 0.02 * 2.0 * RADIUS;
    let mut scene = two(hertz().cohesion(Bond::default()), pair(rotational), -overlap, 0.0);
    scene.step = StepSize::Fixed(1e-7);
    let mut simulation = scene.build().expect("a valid scene");
    assert!(simulation.particles_mut().set_velocity(
        ParticleId::new(0),
        Vec3::ZERO,
        spin * Vec3::Z
    ));
    // no particle has moved: the forces are those of the given state
    simulation.step().expect("a healthy step");
    let area = PI * 0.5 * RADIUS * overlap;
    let moment_arm = RADIUS - 0.5 * overlap;
    // u = (l w) × n along y; f = -K A Δt u; the moment on both is l n × f
    let slip = moment_arm * spin;
    let force = -rotational * area * 1e-7 * slip;
    let [first, second] =
        [0, 1].map(ParticleId::new).map(|id| simulation.particles().load(id).expect("there"));
    // the spin changes by 1e-4 of its value within the step
    assert_close(first.force.y, force, 1e-3);
    assert_close(first.torque.z, moment_arm * force, 1e-3);
    assert_close(second.torque.z, moment_arm * force, 1e-3);
}

#[test]
fn it_brings_sliding_to_an_end_without_friction_and_the_ledger_closes() {
    // a sphere pressed on the floor by its own bond slides: after the slip has decayed it rolls with 5/7
    let mut scene = above_floor(
        damped().cohesion(Bond::default()),
        pair(5e11).damping_ratio(0.5),
        -0.02 * RADIUS,
        0.0,
    );
    // its weight keeps it on the floor
    scene.gravity = -3e4 * Vec3::Z;
    scene.health.overlap_limit = 0.5;
    // the slip decays within a few steps of the automatic length, and its power is integrated
    scene.step = StepSize::AtMost(2e-6);
    let mut simulation = scene.build().expect("a valid scene");
    run_until(&mut simulation, 0.01);
    let overlap = simulation.contacts()[0].overlap;
    assert!(overlap > 0.01 * RADIUS, "bonded: {overlap}");
    assert!(simulation.particles_mut().set_velocity(ParticleId::new(0), 0.1 * Vec3::X, Vec3::ZERO));
    let start = simulation.energy();
    run_until(&mut simulation, 0.02);
    let moment_arm = 1.0 - 0.5 * overlap / RADIUS;
    // angular momentum about the line of contact: v₀ → v (1 + 0.4/l²)
    assert_close(velocity(&simulation, 0).x, 0.1 / (1.0 + 0.4 / (moment_arm * moment_arm)), 1e-6);
    let end = simulation.energy();
    let lost = end.sliding_loss - start.sliding_loss;
    let before = 0.5 * mass(RADIUS) * 0.01;
    let after = (end.kinetic + end.rotational) / before;
    assert_close(lost, (1.0 - after) * before, 1e-3);
}
