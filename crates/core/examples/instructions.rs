//! Steps of a small bed, to be counted under callgrind: `cargo xtask guard`.
//!
//! Usage: `instructions CASE`, where CASE is one of the words in [`CASES`].

use esker::prelude::*;
use esker::simd::{InstructionSet, limit_to};

/// Cases: combinations of laws, or other work of a step.
const CASES: [&str; 12] = [
    "default",
    "linear",
    "rolling",
    "materials",
    "torque",
    "penalty",
    "incremental",
    "radius",
    "ledger",
    "dynamic",
    "automatic",
    "update",
];
const STEPS: usize = 40;
const SIDE: u32 = 10;

fn main() {
    let case = std::env::args().nth(1).unwrap_or_default();
    if !CASES.contains(&case.as_str()) {
        eprintln!("usage: instructions CASE, one of {CASES:?}");
        std::process::exit(2);
    }
    // callgrind cannot run AVX-512, nor all of AVX2
    limit_to(InstructionSet::Baseline);
    let mut simulation = scene(&case).build().expect("the scene is right");
    // the update of the automatic step is due at step 64: it is among the steps that are counted in `update`
    for _ in 0..if case == "update" { 40 } else { 20 } {
        simulation.step().expect("a healthy step");
    }
    // without an update, no rebuild is due within the counted steps of an automatic step; the other cases have one
    counted_steps(&mut simulation, case == "automatic");
    println!("{}", simulation.particles().len() * STEPS);
}

/// The part that callgrind counts, by this name.
#[unsafe(no_mangle)]
#[inline(never)]
pub extern "Rust" fn counted_steps(simulation: &mut Simulation, rebuilds: bool) {
    if rebuilds {
        simulation.rebuild_neighbour_list();
    }
    for _ in 0..STEPS {
        simulation.step().expect("a healthy step");
    }
}

/// A thousand grains on a lattice, overlapping a little, with velocities and spins.
fn scene(case: &str) -> Scene {
    let mut scene = Scene::new();
    scene.gravity = Vec3::new(0.0, 0.0, -9.81);
    let is_automatic = ["automatic", "update"].contains(&case);
    scene.step = if is_automatic { StepSize::AtMost(2e-6) } else { StepSize::Fixed(2e-6) };
    scene.ledger = case == "ledger";
    scene.contact = match case {
        "linear" => ContactModel::normal(normal::Linear::default())
            .damping(damping::LinearDamping::default())
            .tangential(tangential::SpringDashpot::default()),
        "rolling" | "materials" => laws().rolling(rolling::ElasticPlastic::default()),
        "torque" => laws().rolling(rolling::ConstantTorque::default()),
        "penalty" => laws().tangential(tangential::Penalty::default()),
        "incremental" => laws().tangential(tangential::Incremental::default()),
        "radius" => ContactModel { moment_arm: esker::law::MomentArm::Radius, ..laws() },
        // no kernel supports this moment arm
        "dynamic" => ContactModel { moment_arm: esker::law::MomentArm::Contact, ..laws() },
        _ => laws(),
    };
    let soft = Material::new().density(2500.0).young_modulus(1e7).poisson_ratio(0.25);
    let pair = Pair::new().friction(0.4).damping_ratio(0.2);
    let pair = match case {
        "linear" => pair.normal_stiffness(1e4),
        "rolling" | "materials" | "torque" => pair.rolling_friction(0.1),
        "penalty" => pair.friction_penalty(1e12),
        _ => pair,
    };
    let kinds = if case == "materials" { 3 } else { 1 };
    let kinds: Vec<MaterialId> =
        (0..kinds).map(|kind| scene.add_material(&format!("grain {kind}"), soft.clone())).collect();
    for (index, &first) in kinds.iter().enumerate() {
        kinds[index..].iter().for_each(|&second| scene.set_pair(first, second, pair.clone()));
    }
    scene.add_wall("floor", Shape::HalfSpace { point: Vec3::ZERO, normal: Vec3::Z }, kinds[0]);
    let width = 0.00198 * f64::from(SIDE);
    let mut domain = Domain::new(Vec3::new(0.0, 0.0, -0.01), Vec3::new(width, width, 0.05));
    domain.periodic = [true, true, false];
    scene.domain = Some(domain);
    for (index, &material) in kinds.iter().enumerate() {
        let mine = (0..SIDE.pow(3)).filter(|site| *site as usize % kinds.len() == index);
        let name = format!("grains {index}");
        scene.particles.push(Source::list(name, material, mine.map(grain).collect()));
    }
    scene
}

fn laws() -> ContactModel {
    ContactModel::normal(normal::Hertz::default())
        .damping(damping::HertzDamping::default())
        .tangential(tangential::Mindlin::default())
}

fn grain(index: u32) -> Sphere {
    let number = |draw: u32| f64::from((index * 7 + draw * 13) % 101) / 50.0 - 1.0;
    let site = [index % SIDE, index / SIDE % SIDE, index / (SIDE * SIDE)].map(f64::from);
    Sphere {
        position: 0.00198 * (Vec3::from_array(site) + 0.5),
        radius: 0.001,
        velocity: 0.05 * Vec3::new(number(1), number(2), number(3)),
        spin: 50.0 * Vec3::new(number(4), number(5), number(6)),
    }
}
