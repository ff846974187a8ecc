//! A scene with every feature, for tests of guarantees that must hold for any scene.

#![allow(dead_code, reason = "each test binary uses its own part of this")]

use esker::prelude::*;
use esker::search::SearchOptions;
use esker::stage::Change;
use esker::wall::{Mesh, SMOOTH_ANGLE};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Differences between two runs that must give the same bits.
#[derive(Debug, Clone, Copy)]
pub struct Variant {
    pub threads: usize,
    pub ledger: bool,
    pub search: SearchOptions,
    /// Number of steps from one snapshot to the next.
    pub snapshot_every: Option<u64>,
    /// Without bridges, and with this rule for tension: laws with a compiled kernel.
    pub dry: Option<damping::TensileCutoff>,
}

impl Default for Variant {
    fn default() -> Self {
        Self {
            threads: 1,
            ledger: true,
            search: SearchOptions::default(),
            snapshot_every: None,
            dry: None,
        }
    }
}

/// Period along y [m].
const PERIOD: f64 = 0.08;

/// Polydisperse grains and pebbles rain on a paddle, a roller, a ridge and a shaken rough strip in a trough
/// that is periodic along y; a gate goes, friction changes, and grains leave through the open end.
pub fn scene(variant: Variant) -> Scene {
    let mut scene = Scene {
        seed: 11,
        gravity: Vec3::new(0.3, 0.2, -9.81),
        ledger: variant.ledger,
        threads: variant.threads,
        search: variant.search,
        safety: Some(0.1),
        ..Scene::new()
    };
    // soft, so that steps are long and the tests short: the paddle compresses a grain now and then
    scene.health.overlap_limit = 0.9;
    let tension = variant.dry.unwrap_or_default();
    scene.contact = ContactModel::normal(normal::Hertz { tension })
        .damping(damping::HertzDamping::default())
        .tangential(tangential::Mindlin::default())
        .rolling(rolling::ElasticPlastic::default());
    if variant.dry.is_none() {
        // bridges act beyond contact
        scene.contact = scene.contact.cohesion(cohesion::LiquidBridge::default());
    }
    scene.fields.push(Arc::new(esker::field::StokesDrag {
        viscosity: 1e-3,
        medium_velocity: esker::field::MediumVelocity::from_fn(|position, time| {
            Vec3::new(2.0 * position.z, 0.4 - 3.0 * time, 0.0)
        }),
    }));
    let mut domain =
        Domain::new(Vec3::new(-0.06, -0.04, -0.02), Vec3::new(0.0505, PERIOD - 0.04, 0.2));
    domain.periodic = [false, true, false];
    domain.outside = Outside::Delete;
    scene.domain = Some(domain);
    let [grain, pebble, steel] = materials(&mut scene, variant.dry.is_some());
    add_walls(&mut scene, steel);
    add_particles(&mut scene, grain, pebble);
    let end = |after: f64| End { after: Some(after), ..End::default() };
    let friction =
        Change::SetPair { between: [pebble, grain], parameter: "friction".into(), value: 0.1 };
    scene.stages = vec![
        Stage { name: "fill".into(), end: end(0.035), ..Stage::default() },
        Stage {
            name: "flow".into(),
            end: end(0.035),
            changes: vec![Change::RemoveWall("gate".into()), friction],
        },
    ];
    scene
}

fn materials(scene: &mut Scene, dry: bool) -> [MaterialId; 3] {
    let soft = Material::new().density(2500.0).young_modulus(1e6).poisson_ratio(0.25);
    let grain = scene.add_material("grain", soft.clone());
    let pebble = scene.add_material("pebble", soft.clone().density(1800.0));
    let steel = scene.add_material("steel", soft.young_modulus(3e6));
    let mut pair = Pair::new().friction(0.5).damping_ratio(0.15).rolling_friction(0.2);
    if !dry {
        pair = pair.surface_tension(0.07).bridge_volume(1e-3);
    }
    scene.set_pair(grain, grain, pair.clone());
    scene.set_pair(grain, pebble, pair.clone().friction(0.4));
    scene.set_pair(pebble, pebble, pair.clone().rolling_friction(0.1));
    scene.set_pair(grain, steel, pair.clone().friction(0.3));
    scene.set_pair(pebble, steel, pair);
    [grain, pebble, steel]
}

fn add_walls(scene: &mut Scene, steel: MaterialId) {
    let plane = |point: Vec3, normal: Vec3| Shape::HalfSpace { point, normal };
    scene.add_wall("floor", plane(Vec3::ZERO, Vec3::Z), steel);
    scene.add_wall("left", plane(Vec3::X * -0.05, Vec3::X), steel);
    let gate = Shape::Rectangle {
        corner: Vec3::new(0.05, -0.05, 0.0),
        edges: [Vec3::Y * 0.1, Vec3::Z * 0.1],
    };
    scene.add_wall("gate", gate, steel);
    // a ridge whose slopes share an edge with each other and with the floor
    for (name, foot) in [("windward", 0.0355), ("lee", 0.0475)] {
        let crest = Vec3::new(0.0415 - foot, 0.0, 0.005);
        let edges = [crest, Vec3::Y * 0.12];
        let slope = Shape::Rectangle { corner: Vec3::new(foot, -0.06, 0.0), edges };
        scene.add_wall(name, slope, steel);
    }
    let rotation = |point: Vec3, rate: f64| Motion::Rotation { point, axis: Vec3::Y, rate };
    let center = Vec3::new(-0.02, 0.0, 0.03);
    scene.add_moving_wall("paddle", paddle(center), steel, rotation(center, 12.0));
    let start = Vec3::new(0.025, -0.06, 0.01);
    let roller =
        Shape::Cylinder { start, end: start + Vec3::Y * 0.12, radius: 0.008, side: Side::Outside };
    scene.add_moving_wall("roller", roller, steel, rotation(start, -20.0));
    // some of the strip lies outside the periodic box
    let strip = (0..11).map(|index| {
        Sphere::new(0.004, Vec3::new(-0.005, -0.039 + 0.0075 * f64::from(index), 0.003))
    });
    let shaking = Motion::Oscillation {
        amplitude: Vec3::new(0.003, 0.002, 0.0),
        frequency: 15.0,
        phase: 0.4,
    };
    scene.add_moving_wall("strip", Shape::Particles(strip.collect()), steel, shaking);
}

/// A plate along the period, cut into pieces so that a grain that crosses the boundary meets other facets than before.
/// Its ends are out of range: a wall has no periodic images.
fn paddle(center: Vec3) -> Shape {
    const PIECES: u32 = 10;
    let (half_width, half_length, half_thickness) = (0.018, 0.06, 0.0015);
    let mut vertices = Vec::new();
    let mut triangles = Vec::new();
    for cut in 0..=PIECES {
        let y = half_length * (2.0 * f64::from(cut) / f64::from(PIECES) - 1.0);
        for (x, z) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
            vertices.push(center + Vec3::new(x * half_width, y, z * half_thickness));
        }
        if cut > 0 {
            let (before, after) = (4 * (cut - 1), 4 * cut);
            for side in 0..4 {
                let next = (side + 1) % 4;
                triangles.push([before + side, before + next, after + next]);
                triangles.push([before + side, after + next, after + side]);
            }
        }
    }
    let (mesh, _) = Mesh::new(vertices, triangles, SMOOTH_ANGLE).expect("a tube of facets");
    Shape::Mesh(Arc::new(mesh))
}

fn add_particles(scene: &mut Scene, grain: MaterialId, pebble: MaterialId) {
    let region = |low: f64, high: f64| Region::Box {
        min: Vec3::new(-0.048, -0.04, low),
        max: Vec3::new(0.046, PERIOD - 0.04, high),
    };
    scene.particles.push(Source {
        velocity: Vec3::new(0.0, 0.5, -0.8),
        random_velocity: 0.2,
        ..Source::new(
            "grains",
            grain,
            Radius::LogNormal { median: 0.002, deviation: 0.3, truncate: 2.0 },
            Placement::Random { region: region(0.05, 0.085), amount: Amount::Count(550) },
        )
    });
    scene.particles.push(Source {
        velocity: Vec3::Z * -0.8,
        spin: Vec3::new(20.0, 0.0, 5.0),
        ..Source::new(
            "pebbles",
            pebble,
            Radius::Mix(vec![(0.003, 0.7), (0.006, 0.3)]),
            Placement::Random { region: region(0.085, 0.115), amount: Amount::Count(40) },
        )
    });
    scene.particles.push(Source {
        velocity: Vec3::Z * -1.0,
        random_velocity: 0.1,
        ..Source::new(
            "rain",
            grain,
            Radius::Uniform { min: 0.0015, max: 0.003 },
            Placement::Stream {
                region: region(0.12, 0.14),
                rate: 1500.0,
                count: Some(60),
                start: 0.005,
            },
        )
    });
}

/// The bits of all results of a run: for each particle id, image, position, velocity, spin, orientation, force and
/// torque; force and torque on each wall; time.
pub fn bits(simulation: &Simulation) -> Vec<u64> {
    let snapshot = simulation.snapshot();
    let mut bits = vec![simulation.time().to_bits(), simulation.steps()];
    let mut note = |values: &[f64]| bits.extend(values.iter().map(|value| value.to_bits()));
    for particle in &snapshot.particles {
        note(&[f64::from(particle.id.number())]);
        note(&particle.image.map(f64::from));
        for vector in
            [particle.position, particle.velocity, particle.spin, particle.force, particle.torque]
        {
            note(&vector.to_array());
        }
        note(&particle.orientation.to_array());
    }
    for wall in &snapshot.walls {
        note(&wall.force.to_array());
        note(&wall.torque.to_array());
    }
    bits
}

/// The bits of the energy ledger and of the work of the walls.
pub fn ledger_bits(simulation: &Simulation) -> Vec<u64> {
    let energy = simulation.energy();
    let energies = [
        energy.kinetic,
        energy.rotational,
        energy.potential,
        energy.elastic_normal,
        energy.elastic_tangential,
        energy.damping_loss,
        energy.sliding_loss,
        energy.rolling_loss,
        energy.field_work,
        energy.wall_work,
        energy.inserted,
        energy.closure_error,
    ];
    let work = simulation.wall_views().into_iter().map(|wall| wall.work);
    energies.into_iter().chain(work).map(f64::to_bits).collect()
}

/// Results of a run at a few times and at its end.
pub struct Trace {
    pub moments: Vec<Vec<u64>>,
    pub ledger: Vec<u64>,
    /// Names of the walls that have had a contact.
    pub touched: BTreeSet<String>,
    pub end: Simulation,
}

const MOMENTS: u64 = 8;

/// Runs the scene to its end.
pub fn run(variant: Variant) -> Trace {
    run_simulation(scene(variant).build().expect("a valid scene"), variant)
}

/// Runs a simulation of the scene to its end.
pub fn run_simulation(mut simulation: Simulation, variant: Variant) -> Trace {
    let every = (0.07 / simulation.dt()) as u64 / MOMENTS;
    let mut moments = Vec::new();
    let mut touched = BTreeSet::new();
    while !simulation.is_finished() {
        simulation.step().expect("a healthy step");
        if simulation.steps().is_multiple_of(10) {
            let walls = simulation.wall_views();
            let walls = walls.into_iter().filter(|wall| wall.force.length() > 0.0);
            touched.extend(walls.map(|wall| wall.name));
        }
        if simulation.steps().is_multiple_of(every) {
            moments.push(bits(&simulation));
        }
        if variant.snapshot_every.is_some_and(|every| simulation.steps().is_multiple_of(every)) {
            let snapshot = simulation.snapshot();
            assert_eq!(snapshot.particles.len() as u64, simulation.counts().present);
            simulation.energy();
            simulation.save();
        }
    }
    moments.push(bits(&simulation));
    Trace { moments, ledger: ledger_bits(&simulation), touched, end: simulation }
}

/// Fails with the first time at which two runs differ.
pub fn assert_same(found: &Trace, expected: &Trace, what: &str) {
    for (moment, (found, expected)) in found.moments.iter().zip(&expected.moments).enumerate() {
        let differing = found.iter().zip(expected).filter(|(a, b)| a != b).count();
        assert!(
            found == expected,
            "{what}: {differing} of {} values differ at moment {moment} of {MOMENTS}",
            expected.len()
        );
    }
    assert_eq!(found.moments.len(), expected.moments.len(), "{what}: numbers of moments");
}
