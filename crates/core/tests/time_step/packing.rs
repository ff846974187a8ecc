//! Packings whose contacts are all compressed, and the growth of their motion.

use crate::common::*;
use esker::prelude::*;
use esker::scene::{OverlapPolicy, StepLimit};

/// Kinetic energy of a packing at rest, and of one without friction whose smallest spheres are loose [J].
const AT_REST: f64 = 1e-20;
const NEARLY_AT_REST: f64 = 1e-8;

/// Spheres in a periodic cube.
#[derive(Clone)]
pub(crate) struct Packing {
    pub spheres: Vec<(Vec3, f64)>,
    pub edge: f64,
}

/// A face-centred cubic crystal of 108 spheres whose contacts overlap by a fraction of the radius.
pub(crate) fn crystal(overlap: f64) -> Packing {
    const CELLS: usize = 3;
    let cell = (2.0 - overlap) * RADIUS * 2.0f64.sqrt();
    let sites = [[0.25, 0.25, 0.25], [0.75, 0.75, 0.25], [0.75, 0.25, 0.75], [0.25, 0.75, 0.75]];
    let mut spheres = Vec::new();
    for index in 0..CELLS * CELLS * CELLS {
        let corner = [index % CELLS, index / CELLS % CELLS, index / CELLS / CELLS];
        let corner = Vec3::from_array(corner.map(|index| index as f64));
        spheres.extend(sites.map(|site| (cell * (corner + Vec3::from_array(site)), RADIUS)));
    }
    Packing { spheres, edge: CELLS as f64 * cell }
}

/// A random packing of spheres between two sizes: grown to a dense state, compressed, and relaxed with
/// strong damping until it is at rest.
pub(crate) fn random(count: usize, ratio: f64) -> Packing {
    let (mut scene, material) = scene(damped(), Pair::new().restitution(0.05));
    let [min, max] = [RADIUS / ratio, RADIUS];
    let mean_cube = (max.powi(4) - min.powi(4)) / (4.0 * (max - min).max(1e-9 * max));
    let mean_cube = if ratio > 1.0 { mean_cube } else { RADIUS.powi(3) };
    let volume = count as f64 * 4.0 / 3.0 * std::f64::consts::PI * mean_cube;
    let edge = (volume / 0.58).cbrt();
    let mut domain = Domain::new(Vec3::ZERO, Vec3::splat(edge));
    domain.periodic = [true; 3];
    scene.domain = Some(domain);
    scene.seed = 7;
    scene.particles.push(Source::new(
        "grains",
        material,
        if ratio > 1.0 { Radius::Uniform { min, max } } else { Radius::Constant(RADIUS) },
        Placement::Grow {
            region: Region::Box { min: Vec3::ZERO, max: Vec3::splat(edge) },
            amount: Amount::Count(count),
        },
    ));
    let grown = scene.build().expect("a dense start");
    let spheres = grown.snapshot().particles;
    // 0.66 by volume: every sphere is pressed by its neighbours
    let shrink = (0.58f64 / 0.66).cbrt();
    let mut packing = Packing {
        spheres: spheres.iter().map(|view| (shrink * view.position, view.radius)).collect(),
        edge: shrink * edge,
    };
    let mut scene = packing.scene(damped(), Pair::new().restitution(0.5), 0.0);
    scene.step = StepSize::Auto;
    let mut simulation = scene.build().expect("a valid scene");
    let mut energy = f64::INFINITY;
    while energy > AT_REST && simulation.steps() < 200_000 {
        (0..1000).for_each(|_| simulation.step().expect("a healthy step"));
        energy = simulation.kinetic_energy();
    }
    assert!(energy < NEARLY_AT_REST, "{energy:e} J are left");
    let relaxed = simulation.snapshot();
    packing.spheres = relaxed.particles.iter().map(|view| (view.position, view.radius)).collect();
    packing
}

impl Packing {
    /// The packing at rest except for velocities and spins of this size [m/s].
    pub(crate) fn scene(&self, contact: ContactModel, pair: Pair, speed: f64) -> Scene {
        let (mut scene, material) = scene(contact, pair);
        let mut domain = Domain::new(Vec3::ZERO, Vec3::splat(self.edge));
        domain.periodic = [true; 3];
        scene.domain = Some(domain);
        let mut numbers = Numbers(3);
        for &(position, radius) in &self.spheres {
            let velocity = speed * numbers.vector();
            let spin = speed / radius * numbers.vector();
            scene.add_sphere(material, Sphere { position, radius, velocity, spin });
        }
        scene.health.step_limit = StepLimit::Warn;
        scene.health.overlap = OverlapPolicy::Warn;
        scene.health.overlap_limit = 0.9;
        scene
    }
}

/// The stability bound of a scene in its initial state [s].
pub(crate) fn bound(scene: &Scene) -> f64 {
    let mut scene = scene.clone();
    scene.step = StepSize::Fixed(1e-9);
    scene.build().expect("a valid scene").step_choice().bound
}

/// Largest kinetic energy and energy of rotation in some steps of a constant length;
/// infinite if the run fails [J].
pub(crate) fn motion(scene: &Scene, dt: f64, steps: usize) -> [f64; 2] {
    let mut scene = scene.clone();
    scene.step = StepSize::Fixed(dt);
    let mut simulation = scene.build().expect("a valid scene");
    let energies =
        |simulation: &Simulation| [simulation.kinetic_energy(), simulation.rotational_energy()];
    let mut most: [f64; 2] = energies(&simulation);
    for _ in 0..steps {
        if simulation.step().is_err() {
            return [f64::INFINITY; 2];
        }
        let now = energies(&simulation);
        most = [most[0].max(now[0]), most[1].max(now[1])];
    }
    most
}
