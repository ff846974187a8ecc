//! Conservation laws of an undamped or isolated system: momentum, angular momentum, energy.

mod common;

use common::*;
use esker::law::MomentArm;
use esker::prelude::*;

const SPEED: f64 = 0.5;

/// A gas of spheres of different sizes in a periodic box, without contacts at the start.
fn gas(contact: ContactModel, pair: Pair, steps_per_contact: f64) -> Simulation {
    let (mut scene, material) = scene(contact, pair);
    let box_size = 0.16;
    let mut domain = Domain::new(Vec3::ZERO, Vec3::splat(box_size));
    domain.periodic = [true; 3];
    scene.domain = Some(domain);
    let mut numbers = Numbers(1);
    let side = 5;
    for index in 0..side * side * side {
        let cell = [index % side, index / side % side, index / side / side].map(f64::from);
        let position = (Vec3::from_array(cell) + 0.5) * (box_size / f64::from(side));
        let radius = numbers.between(0.7, 1.3) * RADIUS;
        let velocity = SPEED * numbers.vector();
        let spin = 20.0 * numbers.vector();
        scene.add_sphere(material, Sphere { position, radius, velocity, spin });
    }
    scene.step = StepSize::Fixed(
        duration(0.5 * mass(0.7 * RADIUS), 0.35 * RADIUS, 2.0 * SPEED) / steps_per_contact,
    );
    scene.ledger = true;
    scene.build().expect("a valid scene")
}

/// Sum of momenta, and the sum of their magnitudes.
fn momentum(simulation: &Simulation) -> (Vec3, f64) {
    let snapshot = simulation.snapshot();
    snapshot.particles.iter().fold((Vec3::ZERO, 0.0), |(sum, size), particle| {
        let own = particle.mass * particle.velocity;
        (sum + own, size + own.length())
    })
}

/// Angular momentum about the origin, and the sum of the magnitudes of its terms.
fn angular_momentum(simulation: &Simulation) -> (Vec3, f64) {
    let snapshot = simulation.snapshot();
    snapshot.particles.iter().fold((Vec3::ZERO, 0.0), |(sum, size), particle| {
        let orbital = particle.mass * particle.position.cross(particle.velocity);
        let own = 0.4 * particle.mass * particle.radius.powi(2) * particle.spin;
        (sum + orbital + own, size + orbital.length() + own.length())
    })
}

#[test]
fn a_gas_conserves_its_momentum_to_rounding_for_all_laws() {
    let contact = frictional().rolling(rolling::ElasticPlastic::default());
    let pair = Pair::new().damping_ratio(0.1).friction(0.5).rolling_friction(0.1);
    let mut simulation = gas(contact, pair, 30.0);
    let (before, size) = momentum(&simulation);
    let kinetic = simulation.kinetic_energy() + simulation.rotational_energy();
    for _ in 0..4000 {
        simulation.step().expect("a healthy step");
    }
    // many collisions have occurred
    assert!((simulation.kinetic_energy() + simulation.rotational_energy()) < 0.8 * kinetic);
    let (after, _) = momentum(&simulation);
    // 4000 roundings of each velocity, in random directions: √4000 · 1e-16 of the size
    assert!((after - before).length() < 1e-14 * size, "{:e}", (after - before).length() / size);
}

#[test]
fn an_elastic_gas_conserves_its_energy_to_second_order_in_the_step() {
    let errors: Vec<f64> = [50.0, 100.0, 200.0]
        .into_iter()
        .map(|steps| {
            let mut simulation = gas(hertz(), Pair::new(), steps);
            let start = simulation.energy().present();
            let mut worst = 0.0f64;
            for _ in 0..100 * steps as usize {
                simulation.step().expect("a healthy step");
                worst = worst.max((simulation.energy().present() / start - 1.0).abs());
            }
            worst
        })
        .collect();
    // Within a contact the error of the energy is (ω Δt)²/8 = (π/50)²/8 of the contact's energy at most, and after the
    // contact it is of higher order; few of the particles are in contact at a time.
    assert!(errors[0] < 5e-4, "{errors:?}");
    // Second order; chaos makes the runs differ, hence the wide margin.
    assert!(errors[0] > 2.5 * errors[1] && errors[1] > 2.5 * errors[2], "{errors:?}");
}

/// A cloud of spheres that collapses under its initial velocities and flies apart.
fn change_of_angular_momentum(moment_arm: MomentArm) -> (f64, u64) {
    let mut contact = frictional().rolling(rolling::ElasticPlastic::default());
    contact.moment_arm = moment_arm;
    let pair = Pair::new().damping_ratio(0.1).friction(0.5).rolling_friction(0.1);
    let (mut scene, material) = scene(contact, pair);
    let mut numbers = Numbers(7);
    for index in 0..64 {
        let cell = [index % 4, index / 4 % 4, index / 16].map(|index| f64::from(index) - 1.5);
        let position = 2.7 * RADIUS * Vec3::from_array(cell);
        let radius = numbers.between(0.6, 1.3) * RADIUS;
        let velocity = -SPEED * position.normalize() + 0.3 * SPEED * numbers.vector();
        let spin = 50.0 * numbers.vector();
        scene.add_sphere(material, Sphere { position, radius, velocity, spin });
    }
    scene.step = StepSize::Fixed(5e-6);
    let mut simulation = scene.build().expect("a valid scene");
    let (before, size) = angular_momentum(&simulation);
    let mut touched = 0;
    for _ in 0..10_000 {
        simulation.step().expect("a healthy step");
        touched += simulation.pairs_and_contacts().1 as u64;
    }
    let (after, _) = angular_momentum(&simulation);
    ((after - before).length() / size, touched)
}

#[test]
fn a_free_cluster_conserves_its_angular_momentum_to_rounding_with_the_default_moment_arms() {
    let (change, touched) = change_of_angular_momentum(MomentArm::HalfOverlap);
    assert!(touched > 10_000);
    // 10⁴ roundings of 1e-16, at worst all in one direction
    assert!(change < 1e-12, "{change:e}");
}

#[test]
fn a_free_cluster_conserves_its_angular_momentum_to_rounding_with_moment_arms_to_the_lens() {
    let (change, _) = change_of_angular_momentum(MomentArm::Contact);
    // as above
    assert!(change < 1e-12, "{change:e}");
}

#[test]
fn moment_arms_as_long_as_the_radius_do_not_conserve_angular_momentum() {
    // They cause a spurious moment δ n × f_t; δ/R is about 1 % here.
    let (change, _) = change_of_angular_momentum(MomentArm::Radius);
    assert!(change > 1e-6, "{change:e}");
}
