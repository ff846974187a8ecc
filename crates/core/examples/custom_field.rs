//! A field by a closure, and a loop that looks at all particles as columns: a whirl in a box of
//! grains, and how the grains take up its rotation.

use esker::prelude::*;

/// Rate of the whirl [rad/s], and of the grains' approach to it [1/s].
const WHIRL: f64 = 3.0;
const DRAG: f64 = 20.0;

fn main() -> Result<(), Error> {
    let mut simulation = scene().build()?;
    let mut columns = Columns::default();
    println!("time [s]  rate of rotation [rad/s]  kinetic energy [J]");
    for _ in 0..10 {
        let next = simulation.time() + 0.025;
        while simulation.time() < next {
            simulation.step()?;
        }
        // the columns are filled again, in order of id, without allocating
        simulation.particles().read_columns(&mut columns);
        println!(
            "{:8.3}  {:24.3}  {:18.3e}",
            simulation.time(),
            rate_of_rotation(&columns),
            simulation.kinetic_energy() + simulation.rotational_energy()
        );
    }
    Ok(())
}

fn scene() -> Scene {
    let mut scene = Scene { seed: 1, ..Scene::new() };
    scene.contact = ContactModel::normal(Hertz::default()).damping(HertzDamping::default());
    let material = Material::new().density(2500.0).young_modulus(1e7).poisson_ratio(0.3);
    let sand = scene.add_material("sand", material);
    scene.set_pair(sand, sand, Pair::new().restitution(0.7));
    // drag towards a medium that turns about z
    scene.fields.push(field::from_fn("whirl", |body: &Body, _time: f64| {
        let medium = WHIRL * Vec3::Z.cross(body.position);
        Load { force: body.mass * DRAG * (medium - body.velocity), torque: Vec3::ZERO }
    }));
    scene.particles.push(Source::new(
        "sand",
        sand,
        Radius::Uniform { min: 1e-3, max: 2e-3 },
        Placement::Random {
            region: Region::Ball { center: Vec3::ZERO, radius: 0.05 },
            amount: Amount::Count(500),
        },
    ));
    scene
}

/// Angular momentum about z over moment of inertia about z [rad/s].
fn rate_of_rotation(columns: &Columns) -> f64 {
    let (mut momentum, mut inertia) = (0.0, 0.0);
    for (&mass, (x, v)) in columns.mass.iter().zip(columns.position.iter().zip(&columns.velocity)) {
        momentum += mass * (x.x * v.y - x.y * v.x);
        inertia += mass * (x.x * x.x + x.y * x.y);
    }
    momentum / inertia
}

#[test]
fn the_grains_take_up_the_rotation_of_the_medium() -> Result<(), Error> {
    let mut simulation = scene().build()?;
    while simulation.time() < 0.1 {
        simulation.step()?;
    }
    // a free grain follows as 1 - exp(-20 t); they drift outwards a little
    let expected = WHIRL * (1.0 - (-DRAG * simulation.time()).exp());
    let found = rate_of_rotation(&simulation.particles().columns());
    assert!((found / expected - 1.0).abs() < 0.02, "{found} {expected}");
    Ok(())
}
