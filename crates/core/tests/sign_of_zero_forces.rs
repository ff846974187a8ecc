//! The sign of a force that is zero does not depend on how many zeros were summed.

use esker::prelude::*;

#[test]
fn a_negative_zero_of_gravity_gives_a_positive_zero_of_the_force() -> Result<(), Error> {
    let gravity = Vec3::new(-0.0, 0.0, -9.81);
    let mut scene = Scene::new();
    scene.gravity = gravity;
    let material = Material::new().density(2500.0).young_modulus(1e7).poisson_ratio(0.25);
    let grain = scene.add_material("grain", material);
    scene.step = StepSize::Fixed(1e-5);
    let ball = scene.add_sphere(grain, Sphere::new(0.01, Vec3::ZERO));
    let mut simulation = scene.build()?;
    let sign = |simulation: &Simulation| {
        simulation.particles().load(ball).map(|load| load.force.x.to_bits())
    };
    assert_eq!(sign(&simulation), Some(0.0f64.to_bits()));
    simulation.step()?;
    simulation.set_gravity(gravity)?;
    assert_eq!(sign(&simulation), Some(0.0f64.to_bits()));
    Ok(())
}
