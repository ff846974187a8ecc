//! The fused loop against the stages, on a bed that is shaken together.

use crate::law::Tension;
use crate::prelude::*;
use crate::random::{Draws, Purpose};
use crate::state::State;
use crate::wall::Mesh;

/// What the laws differ in from one test to the next.
#[derive(Clone, Copy)]
struct Laws {
    rolling: bool,
    tension: Tension,
    /// Dynamic friction as a fraction of the static one.
    in_slip: f64,
    slip_rule: tangential::SlipRule,
}

impl Default for Laws {
    fn default() -> Self {
        Self {
            rolling: false,
            tension: Tension::default(),
            in_slip: 1.0,
            slip_rule: tangential::SlipRule::default(),
        }
    }
}

/// Grains of mixed sizes with velocities and spins, close enough to touch, periodic along x.
fn scene(Laws { rolling, tension, in_slip, slip_rule }: Laws) -> Scene {
    let mut scene = Scene::new();
    scene.gravity = Vec3::new(0.5, 0.0, -9.81);
    scene.step = StepSize::Fixed(2e-6);
    scene.health.overlap_limit = 0.5;
    scene.contact = ContactModel::normal(normal::Hertz { tension })
        .damping(damping::HertzDamping::default())
        .tangential(tangential::Mindlin { slip_rule, ..tangential::Mindlin::default() });
    if rolling {
        scene.contact = scene.contact.rolling(rolling::ElasticPlastic::default());
    }
    let soft = Material::new().density(2500.0).young_modulus(1e7).poisson_ratio(0.25);
    let grain = scene.add_material("grain", soft.clone());
    let pebble = scene.add_material("pebble", soft.young_modulus(2e7));
    let pair = |friction: f64| {
        let pair = Pair::new()
            .with("static_friction", friction)
            .with("dynamic_friction", in_slip * friction)
            .restitution(0.4);
        if rolling { pair.rolling_friction(0.1) } else { pair }
    };
    scene.set_pair(grain, grain, pair(0.3));
    scene.set_pair(grain, pebble, pair(0.6));
    scene.set_pair(pebble, pebble, pair(0.3));
    scene.add_wall("floor", Shape::HalfSpace { point: Vec3::ZERO, normal: Vec3::Z }, grain);
    let side = |y: f64| {
        [[0.0, -0.01], [0.02, -0.01], [0.02, 0.04], [0.0, 0.04]].map(|[x, z]| Vec3::new(x, y, z))
    };
    let (mesh, _) =
        Mesh::new(side(-0.0008).to_vec(), vec![[0, 1, 2], [0, 2, 3]], 0.5).expect("it is a mesh");
    let shaken = Motion::Oscillation { amplitude: 1e-4 * Vec3::ONE, frequency: 300.0, phase: 0.5 };
    scene.add_moving_wall("plate", Shape::Mesh(mesh.into()), pebble, shaken);
    let center = Vec3::new(0.01, 0.0184, 0.01);
    let turning = Motion::Rotation { point: center, axis: Vec3::Y, rate: 30.0 };
    let lid = Shape::Disc { center, normal: Vec3::Y, radius: 0.03 };
    scene.add_moving_wall("lid", lid, grain, turning);
    let mut domain = Domain::new(Vec3::new(0.0, -0.01, -0.01), Vec3::new(0.02, 0.03, 0.05));
    domain.periodic = [true, false, false];
    scene.domain = Some(domain);
    for (name, material, high) in [("grains", grain, 0.0009), ("pebbles", pebble, 0.0105)] {
        let draws = Draws::new(7, Purpose::Test, material.into());
        let mut draw = 0;
        let mut list = Vec::new();
        for place in 0..500 {
            let [x, y, z] = [place % 10, place / 10 % 10, place / 100].map(f64::from);
            let mut number = || {
                draw += 1;
                2.0 * draws.uniform(draw) - 1.0
            };
            list.push(Sphere {
                position: Vec3::new(0.002 * x + 0.001, 0.00196 * y, 0.0019 * z + high),
                radius: 0.00095 + 0.00015 * number(),
                velocity: 0.3 * Vec3::new(number(), number(), number()),
                spin: 300.0 * Vec3::new(number(), number(), number()),
            });
        }
        let placement = Placement::List(list);
        scene.particles.push(Source {
            name: name.into(),
            material,
            placement,
            ..Source::default()
        });
    }
    scene
}

/// The states after some and after all steps.
fn run(laws: Laws, fused: bool) -> [State; 2] {
    let mut simulation = scene(laws).build().expect("the scene is right");
    assert!(simulation.engine.table().pairs.iter().all(|laws| laws.fused.is_some()));
    if !fused {
        simulation.engine.table_mut().pairs.iter_mut().for_each(|laws| laws.fused = None);
    }
    [100, 500].map(|steps| {
        for _ in 0..steps {
            simulation.step().expect("the bed is healthy");
        }
        simulation.save()
    })
}

/// Returns the state in the end.
fn assert_same_bits(laws: Laws) -> State {
    let ([early, fused], [staged_early, staged]) = (run(laws, true), run(laws, false));
    let excess = staged.history.iter().position(|name| name == "friction excess.0").unwrap();
    let slipping =
        |state: &State| state.contacts.iter().filter(|c| c.history[excess] > 0.0).count();
    let touching = staged.contacts.len();
    // it is a test of both branches of friction only if both occur
    assert!(slipping(&staged) > 50 && slipping(&staged) < touching - 50);
    for name in ["floor", "plate", "lid"] {
        let at_wall = staged_early.wall_memories().filter(|(_, wall, ..)| *wall == name).count();
        assert!(at_wall > 20, "{name} has {at_wall} contacts");
    }
    for (one, other) in [(&early, &staged_early), (&fused, &staged)] {
        assert!(one.wall_memories().eq(other.wall_memories()), "contacts with walls differ");
    }
    assert!(fused.particles == staged.particles, "the particles differ");
    assert!(fused.contacts == staged.contacts, "what contacts remember differs");
    fused
}

/// With tension and without.
fn assert_same_bits_at_any_tension(rolling: bool) {
    let [kept, clipped] = [Tension::Keep, Tension::Clip]
        .map(|tension| assert_same_bits(Laws { rolling, tension, ..Laws::default() }));
    // it is a test of the cut-off only if it acts
    assert!(kept.particles != clipped.particles, "nothing has been clipped");
}

#[test]
fn the_fused_loop_gives_the_bits_of_the_stages() {
    assert_same_bits_at_any_tension(false);
}

#[test]
fn the_fused_loop_with_rolling_gives_the_bits_of_the_stages() {
    assert_same_bits_at_any_tension(true);
}

#[test]
fn the_fused_loop_gives_the_bits_of_the_stages_where_static_and_dynamic_friction_differ() {
    for rolling in [false, true] {
        for slip_rule in [tangential::SlipRule::Hysteresis, tangential::SlipRule::C15] {
            assert_same_bits(Laws { rolling, in_slip: 0.7, slip_rule, ..Laws::default() });
        }
    }
}

#[test]
fn released_contacts_are_left_to_the_stages() {
    let laws = Laws { tension: Tension::Release, ..Laws::default() };
    let simulation = scene(laws).build().expect("the scene is right");
    assert!(simulation.engine.table().pairs.iter().all(|laws| laws.fused.is_none()));
}
