// Grains for examples of the documentation: E = 10 MPa, ν = 0.25, 2500 kg/m³, radius 10 mm.

use esker::measure::{ContactView, Snapshot};
use esker::prelude::*;

/// Radius of the grains [m].
pub const RADIUS: f64 = 0.01;
/// Overlap of two grains in contact [m].
pub const OVERLAP: f64 = 1e-4;

/// A scene with one material.
pub fn scene(contact: ContactModel, pair: Pair) -> (Scene, MaterialId) {
    let mut scene = Scene::new();
    scene.contact = contact;
    let material = Material::new().density(2500.0).young_modulus(1e7).poisson_ratio(0.25);
    let grain = scene.add_material("grain", material);
    scene.set_pair(grain, grain, pair);
    (scene, grain)
}

/// A simulation of some grains.
pub fn simulation(contact: ContactModel, pair: Pair, spheres: Vec<Sphere>) -> Simulation {
    let (mut scene, grain) = scene(contact, pair);
    scene.particles.push(Source::list("grains", grain, spheres));
    scene.build().expect("a valid scene")
}

/// Two grains in contact along x; the second one moves.
fn pair_of_grains(velocity: Vec3, spin: Vec3) -> Vec<Sphere> {
    let second = Vec3::X * (2.0 * RADIUS - OVERLAP);
    vec![Sphere::new(RADIUS, Vec3::ZERO), Sphere { velocity, spin, ..Sphere::new(RADIUS, second) }]
}

/// The repulsion of two grains in contact [N], if the second one has this velocity [m/s].
pub fn repulsion(contact: ContactModel, pair: Pair, velocity: Vec3) -> f64 {
    let simulation = simulation(contact, pair, pair_of_grains(velocity, Vec3::ZERO));
    -simulation.snapshot().particles[0].force.x
}

/// The contact of two grains after a time [s], if the second one starts with this velocity and spin.
pub fn contact_after(
    time: f64,
    contact: ContactModel,
    pair: Pair,
    [velocity, spin]: [Vec3; 2],
) -> ContactView {
    let mut simulation = simulation(contact, pair, pair_of_grains(velocity, spin));
    simulation.run_until(time).expect("a healthy run");
    simulation.contacts().remove(0)
}

/// Grains at rest under Hertz's law.
pub fn snapshot(spheres: Vec<Sphere>) -> Snapshot {
    simulation(ContactModel::normal(Hertz::default()), Pair::new(), spheres).snapshot()
}
