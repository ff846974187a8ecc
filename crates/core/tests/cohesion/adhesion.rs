//! `adhesion`: threshold, collapse, equilibrium, and the work of a persistent adhesion.

use super::*;
use esker::law::cohesion::Adhesion;

/// k at which the attraction exactly balances Hertz's force of two equal spheres: `8/3 E* r²`.
fn critical() -> f64 {
    8.0 / 3.0 * effective_modulus() * RADIUS * RADIUS
}

fn pair(coefficient: f64, exponent: f64, strain: f64) -> Pair {
    Pair::new()
        .adhesion_coefficient(coefficient)
        .adhesion_exponent(exponent)
        .adhesion_critical_strain(strain)
}

fn model(persistent: bool) -> ContactModel {
    hertz().cohesion(Adhesion { persistent })
}

#[test]
fn it_attracts_with_k_times_a_power_of_the_strain_above_the_critical_strain_only() {
    for exponent in [0.0, 1.0, 1.3, 1.5, 2.0] {
        for (strain, acts) in [(0.0199, false), (0.0201, true)] {
            let view = contact_of(two(
                model(false),
                pair(3.0, exponent, 0.02),
                -strain * 2.0 * RADIUS,
                0.0,
            ));
            let expected = if acts { 3.0 * strain.powf(exponent) } else { 0.0 };
            assert!((view.cohesion - expected).abs() <= 1e-12 * expected, "{exponent}");
            // at a wall the strain refers to one radius
            let view = contact_of(above_floor(
                model(false),
                pair(3.0, exponent, 0.02),
                -strain * RADIUS,
                0.0,
            ));
            assert!((view.cohesion - expected).abs() <= 1e-12 * expected, "{exponent} at a wall");
        }
    }
}

#[test]
fn a_scene_is_warned_of_an_adhesion_that_the_elastic_force_does_not_hold() {
    let warnings = |factor: f64| {
        let scene = two(model(false), pair(factor * critical(), 1.5, 0.001), 0.1, 0.0);
        scene.build().expect("a valid scene").warnings().to_vec()
    };
    assert!(warnings(0.99).is_empty(), "{:?}", warnings(0.99));
    let found = warnings(17.6);
    assert!(found.len() == 1 && found[0].contains("17.600 times"), "{found:?}");
}

#[test]
fn the_limit_of_the_published_jet_is_57_newton_for_its_mean_grain() {
    // C16-4.3: E = 1e7 Pa, ν = 0.25, r = 2 mm, two such spheres: 4/3 E/(1-ν²) r²
    let held = |coefficient: f64| {
        let mut scene = Scene::new();
        scene.contact = model(false);
        let grain = Material::new().density(2700.0).young_modulus(1e7).poisson_ratio(0.25);
        let grain = scene.add_material("grain", grain);
        scene.set_pair(grain, grain, pair(coefficient, 1.5, 0.04));
        scene.add_sphere(grain, Sphere::new(0.002, Vec3::ZERO));
        scene.build().expect("a valid scene").warnings().is_empty()
    };
    assert!(held(56.8) && !held(57.0));
}

#[test]
fn an_exponent_below_that_of_hertz_has_its_equilibrium_where_the_forces_balance() {
    // k ε = K δ^{3/2}
    let (coefficient, damping) = (200.0, 0.3);
    let length = 2.0 * RADIUS;
    let balance = (coefficient / length / hertz_stiffness(0.5 * RADIUS)).powi(2);
    let contact = damped().cohesion(Adhesion::default());
    let parameters = pair(coefficient, 1.0, 0.0).damping_ratio(damping);
    let mut simulation = two(contact, parameters, -0.5 * balance, 0.0).build().expect("valid");
    run_until(&mut simulation, 0.05);
    let overlap = simulation.contacts()[0].overlap;
    // the remaining oscillation after many damped periods
    assert_close(overlap, balance, 1e-6);
}

#[test]
fn a_persistent_adhesion_acts_until_the_surfaces_part_and_its_net_work_is_a_loss() {
    let (strain, exponent) = (0.002, 1.5);
    let coefficient = 0.6 * critical();
    let (speed, dt) = (0.3, 1e-7);
    let given = |persistent: bool| {
        let mut scene = two(model(persistent), pair(coefficient, exponent, strain), 1e-5, -speed);
        scene.step = StepSize::Fixed(dt);
        let mut simulation = scene.build().expect("a valid scene");
        // a contact lasts 4e-4 s at this speed
        let worst = run_closing(&mut simulation, 0.003);
        let energy = 0.5 * effective_mass() * parting_speed(&simulation).powi(2);
        assert_eq!(simulation.contacts().len(), 0, "they have parted");
        // the jump of the force times the displacement in a step
        let jump = coefficient * strain.powf(exponent) * speed * dt;
        assert!(worst < jump, "closes to {worst:e}, {jump:e}");
        (energy, simulation.energy().cohesion_loss)
    };
    let start = 0.5 * effective_mass() * speed * speed;
    let (energy, loss) = given(false);
    assert!((energy / start - 1.0).abs() < 2e-4 && loss == 0.0, "{energy} {start}");
    let (energy, loss) = given(true);
    // k (r₁+r₂) ε^{β+1}/(β+1) at the critical strain, which is exceeded by a thousandth at most
    let expected = coefficient * 2.0 * RADIUS * strain.powf(exponent + 1.0) / (exponent + 1.0);
    assert_close(loss, expected, 3e-3);
    assert_close(start - energy, loss, 3e-3);
}
