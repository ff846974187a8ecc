//! Contact kernels compared with the dynamic path, on a shaken bed.

use crate::law::TensileCutoff;
use crate::prelude::*;
use crate::random::{Draws, Purpose};
use crate::state::State;
use crate::wall::Mesh;

/// A contact model with the parameters of its pairs; friction is multiplied by one or two.
#[derive(Clone)]
struct Case {
    name: &'static str,
    contact: ContactModel,
    friction: [f64; 2],
    parameters: Vec<(&'static str, f64)>,
}

/// Hertz, its damping and Mindlin.
fn default_case() -> Case {
    Case {
        name: "default",
        contact: ContactModel::normal(normal::Hertz::default())
            .damping(damping::HertzDamping::default())
            .tangential(tangential::Mindlin::default()),
        friction: [0.3, 0.3],
        parameters: vec![("restitution", 0.4)],
    }
}

fn with_rolling(mut case: Case) -> Case {
    case.contact = case.contact.rolling(rolling::ElasticPlastic::default());
    case.parameters.push(("rolling_friction", 0.1));
    case
}

/// Grains of mixed sizes with velocities and spins, close enough to touch, periodic along x.
fn scene(case: &Case) -> Scene {
    let mut scene = Scene::new();
    scene.gravity = Vec3::new(0.5, 0.0, -9.81);
    scene.step = StepSize::Fixed(2e-6);
    scene.health.overlap_limit = 0.5;
    // bits are compared, whatever the time step
    scene.health.step_limit = crate::scene::StepLimit::Warn;
    scene.contact = case.contact.clone();
    let soft = Material::new().density(2500.0).young_modulus(1e7).poisson_ratio(0.25);
    let grain = scene.add_material("grain", soft.clone());
    let pebble = scene.add_material("pebble", soft.young_modulus(2e7));
    let pair = |factor: f64| {
        let [at_rest, in_slip] = case.friction.map(|friction| factor * friction);
        let pair = Pair::new().static_friction(at_rest).dynamic_friction(in_slip);
        case.parameters.iter().fold(pair, |pair, (name, value)| pair.with(name, *value))
    };
    scene.set_pair(grain, grain, pair(1.0));
    scene.set_pair(grain, pebble, pair(2.0));
    scene.set_pair(pebble, pebble, pair(1.0));
    scene.add_wall("floor", Shape::HalfSpace { point: Vec3::ZERO, normal: Vec3::Z }, grain);
    let side = |y: f64| {
        [[0.0, -0.01], [0.02, -0.01], [0.02, 0.04], [0.0, 0.04]].map(|[x, z]| Vec3::new(x, y, z))
    };
    let (mesh, _) =
        Mesh::new(side(-0.0008).to_vec(), vec![[0, 1, 2], [0, 2, 3]], 0.5).expect("it is a mesh");
    let shaken = Motion::Oscillation { amplitude: 1e-4 * Vec3::ONE, frequency: 300.0, phase: 0.5 };
    scene.add_moving_wall("plate", Shape::Mesh(mesh.into()), pebble, shaken);
    let center = Vec3::new(0.01, 0.0184, 0.01);
    let rotation = Motion::Rotation { point: center, axis: Vec3::Y, rate: 30.0 };
    let lid = Shape::Disc { center, normal: Vec3::Y, radius: 0.03 };
    scene.add_moving_wall("lid", lid, grain, rotation);
    let mut domain = Domain::new(Vec3::new(0.0, -0.01, -0.01), Vec3::new(0.02, 0.03, 0.05));
    domain.periodic = [true, false, false];
    scene.domain = Some(domain);
    for (name, material, high) in [("grains", grain, 0.0009), ("pebbles", pebble, 0.0105)] {
        let draws = Draws::new(7, Purpose::Test, material.into());
        let mut draw = 0;
        let mut list = Vec::new();
        for index in 0..500 {
            let [x, y, z] = [index % 10, index / 10 % 10, index / 100].map(f64::from);
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
        scene.particles.push(Source::list(name, material, list));
    }
    scene
}

/// The states after some and after all steps, by kernels or on the dynamic path.
fn run(case: &Case, by_kernel: bool, steps: [usize; 2]) -> [State; 2] {
    let mut simulation = scene(case).build().expect("the scene is right");
    let pairs = &mut simulation.engine.table_mut().pairs;
    assert!(pairs.iter().all(|pair| pair.kernel.is_some()), "{} has no kernel", case.name);
    if !by_kernel {
        pairs.iter_mut().for_each(|pair| pair.kernel = None);
    }
    steps.map(|steps| {
        for _ in 0..steps {
            simulation.step().expect("the bed is healthy");
        }
        simulation.save()
    })
}

/// Returns the last state.
fn assert_same_bits(case: &Case, steps: [usize; 2]) -> State {
    let ([early, last], [dynamic_early, dynamic]) =
        (run(case, true, steps), run(case, false, steps));
    let name = case.name;
    let excess = dynamic.history.iter().position(|name| name == "friction excess.0").unwrap();
    let slipping =
        |state: &State| state.contacts.iter().filter(|c| c.history[excess] > 0.0).count();
    let touching = dynamic.contacts.len();
    // both branches of friction are tested only if both occur
    assert!(slipping(&dynamic) > 50 && slipping(&dynamic) < touching - 50, "{name}");
    for wall in ["floor", "plate", "lid"] {
        let at_wall = dynamic_early.wall_memories().filter(|(_, name, ..)| *name == wall).count();
        assert!(at_wall > 10, "{name}: {wall} has {at_wall} contacts");
    }
    for (one, other) in [(&early, &dynamic_early), (&last, &dynamic)] {
        assert!(one.wall_memories().eq(other.wall_memories()), "{name}: wall contacts differ");
    }
    assert!(last.particles == dynamic.particles, "{name}: the particles differ");
    assert!(last.contacts == dynamic.contacts, "{name}: the histories differ");
    last
}

/// With and without tensile forces.
fn assert_same_bits_at_any_tension(case: &Case) {
    let [kept, clipped] = [TensileCutoff::Keep, TensileCutoff::Clip].map(|tension| {
        let mut case = case.clone();
        case.contact.normal = Some(std::sync::Arc::new(normal::Hertz { tension }));
        assert_same_bits(&case, [100, 500])
    });
    // the cut-off is tested only if it acts
    assert!(kept.particles != clipped.particles, "no force has been cut off");
}

#[test]
fn the_kernel_gives_the_bits_of_the_dynamic_path() {
    assert_same_bits_at_any_tension(&default_case());
}

#[test]
fn the_kernel_with_rolling_gives_the_bits_of_the_dynamic_path() {
    assert_same_bits_at_any_tension(&with_rolling(default_case()));
}

#[test]
fn the_kernel_gives_the_bits_of_the_dynamic_path_where_static_and_dynamic_friction_differ() {
    for case in [default_case(), with_rolling(default_case())] {
        for slip_rule in [tangential::SlipRule::Hysteresis, tangential::SlipRule::C15] {
            let mut case = Case { friction: [0.3, 0.21], ..case.clone() };
            let law = tangential::Mindlin { slip_rule, ..tangential::Mindlin::default() };
            case.contact = case.contact.tangential(law);
            assert_same_bits(&case, [100, 500]);
        }
    }
}

/// One case for each row of the table, and for each of the options that a kernel supports.
fn rows() -> Vec<Case> {
    let default = default_case();
    let case = |name, contact, parameters: &[(&'static str, f64)]| Case {
        name,
        contact,
        friction: [0.3, 0.3],
        parameters: parameters.to_vec(),
    };
    let hertz = || default.contact.clone();
    let linear = |law: tangential::SpringDashpot| {
        ContactModel::normal(normal::Linear::default())
            .damping(damping::LinearDamping::default())
            .tangential(law)
    };
    let exact = tangential::SpringDashpot::default;
    let ratio = || tangential::SpringDashpot {
        stiffness: tangential::Stiffness::Ratio(0.3),
        ..tangential::SpringDashpot::default()
    };
    let torque = rolling::ConstantTorque::default();
    let plastic = rolling::ElasticPlastic::default();
    let arm = rolling::Arm::default();
    let e = ("restitution", 0.4);
    let k = ("normal_stiffness", 1e4);
    let mu = ("rolling_friction", 0.1);
    let (a, v) = (("rolling_arm", 0.2), ("smoothing_speed", 1e-3));
    let p = ("friction_penalty", 1e11);
    let penalty = tangential::Penalty::default;
    let mut without_damping = hertz();
    without_damping.damping = None;
    let radius = ContactModel { moment_arm: crate::law::MomentArm::Radius, ..hertz() };
    let implicit = tangential::Penalty { stick: tangential::Stick::Implicit, ..penalty() };
    vec![
        case("hertz, radius", radius, &[e]),
        case("hertz, torque", hertz().rolling(torque), &[e, mu]),
        case("hertz, arm", hertz().rolling(arm), &[e, a, v]),
        case("hertz, penalty", hertz().tangential(penalty()), &[e, p]),
        case("hertz, implicit penalty", hertz().tangential(implicit), &[e, p]),
        case("hertz, incremental", hertz().tangential(tangential::Incremental::default()), &[e]),
        case(
            "hertz, area, penalty",
            hertz().damping(damping::AreaDamping {}).tangential(penalty()),
            &[p, ("area_damping", 1e6)],
        ),
        case("hertz without damping", without_damping, &[("tangential_damping_ratio", 0.1)]),
        case("linear", linear(exact()), &[e, k]),
        case("linear, plastic", linear(exact()).rolling(plastic), &[e, k, mu]),
        case("linear, torque", linear(exact()).rolling(torque), &[e, k, mu]),
        case("linear, arm", linear(exact()).rolling(arm), &[e, k, a, v]),
        case("linear, ratio", linear(ratio()), &[e, k]),
        case("linear, ratio, plastic", linear(ratio()).rolling(plastic), &[e, k, mu]),
    ]
}

#[test]
fn every_row_of_the_table_gives_the_bits_of_the_dynamic_path() {
    for case in rows() {
        assert_same_bits(&case, [100, 150]);
    }
}

#[test]
fn options_that_kernels_do_not_support_use_the_dynamic_path() {
    let hertz = || default_case().contact;
    let mindlin = tangential::Mindlin::default;
    let contacts = [
        ContactModel {
            normal: Some(std::sync::Arc::new(normal::Hertz { tension: TensileCutoff::Release })),
            ..hertz()
        },
        ContactModel { moment_arm: crate::law::MomentArm::Contact, ..hertz() },
        hertz().tangential(tangential::Mindlin { rescale: true, ..mindlin() }),
        hertz().tangential(tangential::Mindlin { record_sliding: true, ..mindlin() }),
        hertz()
            .tangential(tangential::Mindlin { slip_rule: tangential::SlipRule::C16, ..mindlin() }),
        hertz().tangential(tangential::Mindlin {
            transport: crate::law::Transport::Project,
            ..mindlin()
        }),
        hertz().tangential(tangential::RollingMapped::default()),
        hertz().tangential(tangential::Penalty { area: normal::Area::Lens, ..Default::default() }),
    ];
    for contact in contacts {
        let mut case = Case { contact, ..default_case() };
        if case.contact.tangential.as_ref().is_some_and(|law| law.name() == "penalty") {
            case.parameters.push(("friction_penalty", 1e11));
        }
        let simulation = scene(&case).build().expect("the scene is right");
        let pairs = &simulation.engine.table().pairs;
        assert!(pairs.iter().all(|pair| pair.kernel.is_none()), "{:?}", case.contact);
    }
}
