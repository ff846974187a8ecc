//! Common items of the physics tests: one material, a floor, and the closed forms of Hertz's contact.

// each test file is a separate crate and uses only some of these items
#![allow(dead_code)]

use esker::prelude::*;
use std::f64::consts::PI;

/// Density of the grains [kg/m³].
pub const DENSITY: f64 = 2500.0;
/// Young's modulus of grains and walls [Pa].
pub const YOUNG: f64 = 1e8;
/// Poisson's ratio of grains and walls.
pub const POISSON: f64 = 0.25;
/// Radius of the grains [m].
pub const RADIUS: f64 = 0.01;
/// Gravity [m/s²].
pub const G: f64 = 9.81;

/// Effective modulus of two bodies of the same material [Pa].
pub fn effective_modulus() -> f64 {
    YOUNG / (2.0 * (1.0 - POISSON * POISSON))
}

/// Mindlin's effective shear modulus of two bodies of the same material [Pa].
pub fn effective_shear_modulus() -> f64 {
    YOUNG / (2.0 * (1.0 + POISSON)) / (2.0 * (2.0 - POISSON))
}

/// Mass of a grain [kg].
pub fn mass(radius: f64) -> f64 {
    4.0 / 3.0 * PI * radius.powi(3) * DENSITY
}

/// `K` in `F = K δ^{3/2}` [N/m^{3/2}].
pub fn hertz_stiffness(effective_radius: f64) -> f64 {
    4.0 / 3.0 * effective_modulus() * effective_radius.sqrt()
}

/// Overlap at which Hertz's force has a given value [m].
pub fn overlap_under(force: f64, effective_radius: f64) -> f64 {
    (force / hertz_stiffness(effective_radius)).powf(2.0 / 3.0)
}

/// Largest overlap of an elastic impact [m].
pub fn largest_overlap(effective_mass: f64, effective_radius: f64, speed: f64) -> f64 {
    (1.25 * effective_mass * speed * speed / hertz_stiffness(effective_radius)).powf(0.4)
}

/// Duration of an elastic impact [s]: `2 ∫ dx/√(1 - x^{5/2})` = 2.943 275 times δ_max/v.
pub fn duration(effective_mass: f64, effective_radius: f64, speed: f64) -> f64 {
    2.943_275 * largest_overlap(effective_mass, effective_radius, speed) / speed
}

/// A scene with one material in a large domain.
pub fn scene(contact: ContactModel, pair: Pair) -> (Scene, MaterialId) {
    let mut scene = Scene::new();
    scene.contact = contact;
    scene.domain = Some(Domain::new(Vec3::splat(-100.0), Vec3::splat(100.0)));
    let material = Material::new().density(DENSITY).young_modulus(YOUNG).poisson_ratio(POISSON);
    let material = scene.add_material("grain", material);
    scene.set_pair(material, material, pair);
    (scene, material)
}

/// Hertz's normal law alone.
pub fn hertz() -> ContactModel {
    ContactModel::normal(normal::Hertz::default())
}

/// Hertz's law with its damping.
pub fn damped() -> ContactModel {
    hertz().damping(damping::HertzDamping::default())
}

/// Hertz's law with its damping and Mindlin's spring.
pub fn frictional() -> ContactModel {
    damped().tangential(tangential::Mindlin::default())
}

/// The half-space below z = 0.
pub fn floor() -> Shape {
    Shape::HalfSpace { point: Vec3::ZERO, normal: Vec3::Z }
}

/// A sphere of the usual radius.
pub fn sphere(position: Vec3, velocity: Vec3) -> Sphere {
    Sphere { velocity, ..Sphere::new(RADIUS, position) }
}

/// Advances until this time, to the nearest step.
pub fn run_until(simulation: &mut Simulation, time: f64) {
    while simulation.time() < time - 0.5 * simulation.dt() {
        simulation.step().expect("a healthy step");
    }
}

/// Position of a particle [m].
pub fn position(simulation: &Simulation, id: u64) -> Vec3 {
    simulation.particles().position(ParticleId::new(id as u32)).expect("a particle")
}

/// Velocity of a particle [m/s].
pub fn velocity(simulation: &Simulation, id: u64) -> Vec3 {
    simulation.particles().velocity(ParticleId::new(id as u32)).expect("a particle")
}

/// Spin of a particle [rad/s].
pub fn spin(simulation: &Simulation, id: u64) -> Vec3 {
    simulation.particles().spin(ParticleId::new(id as u32)).expect("a particle")
}

/// Fails unless two numbers agree to a fraction of the second.
#[track_caller]
pub fn assert_close(found: f64, expected: f64, tolerance: f64) {
    let error = (found / expected - 1.0).abs();
    assert!(error < tolerance, "found {found:e}, expected {expected:e}: off by {error:.2e}");
}

/// A deterministic sequence of pseudo-random numbers from 0 to 1.
pub struct Numbers(pub u64);

impl Numbers {
    /// The next number (splitmix64).
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// The next number between two bounds.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }

    /// A vector with components between -1 and 1.
    pub fn vector(&mut self) -> Vec3 {
        Vec3::new(self.between(-1.0, 1.0), self.between(-1.0, 1.0), self.between(-1.0, 1.0))
    }
}
