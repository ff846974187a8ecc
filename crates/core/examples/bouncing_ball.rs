//! The smallest program: a glass ball falls on a floor, bounces and comes to rest.

use esker::prelude::*;

fn main() -> Result<(), Error> {
    let height = rest_height()?;
    println!("the ball rests at z = {:.6} mm", 1e3 * height);
    Ok(())
}

/// Height of the ball's centre after half a second [m].
fn rest_height() -> Result<f64, Error> {
    let mut scene = Scene::new();
    scene.gravity = Vec3::new(0.0, 0.0, -9.81);
    scene.contact = ContactModel::normal(Hertz::default())
        .damping(HertzDamping::default())
        .tangential(Mindlin::default())
        .rolling(ConstantTorque::default());

    let glass = Material::new().density(2500.0).young_modulus(5.0e7).poisson_ratio(0.24);
    let glass = scene.add_material("glass", glass);
    let pair = Pair::new().damping_ratio(0.3).friction(0.4).rolling_friction(0.01);
    scene.set_pair(glass, glass, pair);

    scene.add_wall("floor", Shape::HalfSpace { point: Vec3::ZERO, normal: Vec3::Z }, glass);
    let ball = Sphere::new(2.5e-3, Vec3::Z * 0.02);
    let ball = scene.add_sphere(glass, ball);

    let mut simulation = scene.build()?; // every check of the input happens here
    simulation.run_until(0.5)?; // fails only if the run has become unphysical
    Ok(simulation.particles()[ball].position.z)
}

#[test]
fn the_ball_rests_where_its_weight_is_carried() -> Result<(), Error> {
    // m g = 4/3 E* √R δ^{3/2}
    let effective_young_modulus = 5.0e7 / (2.0 * (1.0 - 0.24f64.powi(2)));
    let radius = 2.5e-3f64;
    let weight = 9.81 * 2500.0 * 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3);
    let stiffness = 4.0 / 3.0 * effective_young_modulus * radius.sqrt();
    let overlap = (weight / stiffness).powf(2.0 / 3.0);
    let found = radius - rest_height()?;
    // what is left of the last bounce
    assert!((found / overlap - 1.0).abs() < 1e-3, "{found} {overlap}");
    Ok(())
}
