//! A run that is saved and restored continues as if it had never stopped.

use esker::prelude::*;
use esker::state::State;

/// Grains of two sizes rain into a periodic box with a rotating cylinder, with friction and rolling resistance; one
/// wall is removed, friction changes.
fn scene(threads: usize) -> Scene {
    let mut scene =
        Scene { seed: 5, gravity: Vec3::Z * -9.81, ledger: true, threads, ..Scene::new() };
    scene.contact = ContactModel::normal(normal::Hertz::default())
        .damping(damping::HertzDamping::default())
        .tangential(tangential::Mindlin::default())
        .rolling(rolling::ElasticPlastic::default());
    let material = Material::new().density(2500.0).young_modulus(1e8).poisson_ratio(0.25);
    let grain = scene.add_material("grain", material.clone());
    let steel = scene.add_material("steel", material.young_modulus(5e7));
    let pair = Pair::new().friction(0.5).damping_ratio(0.1).rolling_friction(0.2);
    scene.set_pair(grain, grain, pair.clone());
    scene.set_pair(grain, steel, pair);
    let mut domain = Domain::new(Vec3::new(0.0, 0.0, -0.05), Vec3::new(0.1, 0.1, 0.4));
    domain.periodic = [true, false, false];
    domain.outside = Outside::Delete;
    scene.domain = Some(domain);
    let plane = |point: Vec3, normal: Vec3| Shape::HalfSpace { point, normal };
    let oscillation =
        Motion::Oscillation { amplitude: Vec3::Z * 0.002, frequency: 20.0, phase: 0.3 };
    scene.add_moving_wall("floor", plane(Vec3::ZERO, Vec3::Z), steel, oscillation);
    scene.add_wall("front", plane(Vec3::ZERO, Vec3::Y), steel);
    scene.add_wall("back", plane(Vec3::Y * 0.1, -Vec3::Y), steel);
    let region = Region::Box { min: Vec3::new(0.0, 0.01, 0.03), max: Vec3::new(0.1, 0.09, 0.08) };
    scene.particles.push(Source {
        velocity: Vec3::Z * -0.5,
        random_velocity: 0.1,
        ..Source::new(
            "rain",
            grain,
            Radius::Uniform { min: 0.003, max: 0.006 },
            Placement::Stream { region, rate: 6000.0, count: Some(300), start: 0.0 },
        )
    });
    let friction = esker::stage::Change::SetPair {
        between: [grain, grain],
        parameter: "friction".into(),
        value: 0.2,
    };
    let changes = vec![esker::stage::Change::RemoveWall("back".into()), friction];
    scene.stages = vec![
        Stage {
            name: "fill".into(),
            end: End { after: Some(0.05), ..End::default() },
            ..Stage::default()
        },
        Stage { name: "flow".into(), end: End { after: Some(0.04), ..End::default() }, changes },
    ];
    scene
}

fn run(mut simulation: Simulation, steps: Option<u64>) -> Simulation {
    while !simulation.is_finished() && steps.is_none_or(|steps| simulation.steps() < steps) {
        simulation.step().expect("a healthy step");
    }
    simulation
}

#[test]
fn a_restored_run_gives_the_same_bits_at_any_moment_and_with_other_threads() {
    let whole = run(scene(1).build().expect("a valid scene"), None);
    let expected = whole.save();
    assert!(expected.particles.len() > 100, "some are deleted, most stay");
    assert!(whole.counts().deleted > 0);
    for (part, threads) in [(1, 2), (2, 3), (5, 1), (7, 2)] {
        let until = whole.steps() * part / 8;
        let saved: State = run(scene(1).build().expect("a valid scene"), Some(until)).save();
        let restored = Simulation::restore(scene(threads), saved).expect("its own state");
        let resumed = run(restored, None).save();
        assert_eq!(resumed.particles, expected.particles, "resumed at step {until}");
        assert_eq!(resumed, expected, "resumed at step {until}");
    }
}
