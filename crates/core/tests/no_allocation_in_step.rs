//! A step that does not rebuild the neighbour list allocates nothing.

use esker::integrate::{Integrator, Iteration, Rkf45, Theta, Tolerances};
use esker::prelude::*;
use esker::wall::{Mesh, SMOOTH_ANGLE};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Counts the memory requests of all threads while `COUNTING` is set.
struct Counting;

static COUNTING: AtomicBool = AtomicBool::new(false);
static REQUESTS: AtomicUsize = AtomicUsize::new(0);

fn count() {
    if COUNTING.load(Ordering::Relaxed) {
        REQUESTS.fetch_add(1, Ordering::Relaxed);
    }
}

// SAFETY: every request is passed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: the caller's promise.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// A loose bed on a meshed floor next to a rotating wall and an oscillating one, with a strip of driven particles, a
/// field and a stage that ends when the bed is at rest.
fn scene(threads: usize, ledger: bool, remembers: bool) -> Scene {
    let mut scene = Scene { gravity: Vec3::Z * -9.81, ledger, threads, ..Scene::new() };
    scene.health.overlap_limit = 0.5;
    scene.contact = ContactModel::normal(normal::Hertz::default())
        .damping(damping::HertzDamping::default())
        .tangential(tangential::Mindlin::default())
        .rolling(rolling::ElasticPlastic::default());
    let mut pair = Pair::new().friction(0.5).damping_ratio(0.2).rolling_friction(0.2);
    if remembers {
        let spring_pot =
            Fractional { order: Some(0.3), horizon: Some(1.0), ..Fractional::default() };
        scene.contact.normal = Some(Arc::new(spring_pot));
        scene.contact.damping = None;
        pair = pair.normal_stiffness(3e3).normal_viscosity(1.0);
    }
    let field = esker::field::StokesDrag { viscosity: 1e-3, medium_velocity: Vec3::X.into() };
    scene.fields.push(Arc::new(field));
    let material = Material::new().density(2500.0).young_modulus(1e6).poisson_ratio(0.25);
    let grain = scene.add_material("grain", material);
    scene.set_pair(grain, grain, pair);
    let mut domain = Domain::new(Vec3::new(-0.06, -0.05, -0.05), Vec3::new(0.06, 0.05, 0.2));
    domain.periodic = [false, true, false];
    scene.domain = Some(domain);
    let corner = |x: f64, y: f64| Vec3::new(0.1 * x, 0.1 * y, 0.0);
    let corners = vec![corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
    let (floor, _) =
        Mesh::new(corners, vec![[0, 1, 2], [0, 2, 3]], SMOOTH_ANGLE).expect("a square");
    scene.add_wall("floor", Shape::Mesh(Arc::new(floor)), grain);
    scene.add_wall("left", Shape::HalfSpace { point: Vec3::X * -0.05, normal: Vec3::X }, grain);
    let shaking = Motion::Oscillation { amplitude: Vec3::X * 1e-4, frequency: 30.0, phase: 0.0 };
    let right = Shape::HalfSpace { point: Vec3::X * 0.05, normal: -Vec3::X };
    scene.add_moving_wall("right", right, grain, shaking.clone());
    let start = Vec3::new(0.0, -0.1, 0.01);
    let roller =
        Shape::Cylinder { start, end: start + Vec3::Y * 0.2, radius: 0.01, side: Side::Outside };
    let rotation = Motion::Rotation { point: start, axis: Vec3::Y, rate: 2.0 };
    scene.add_moving_wall("roller", roller, grain, rotation);
    let strip = (0..10)
        .map(|index| Sphere::new(0.004, Vec3::new(0.03, -0.045 + 0.01 * f64::from(index), 0.002)));
    scene.add_moving_wall("strip", Shape::Particles(strip.collect()), grain, shaking);
    scene.particles.push(Source::new(
        "grains",
        grain,
        Radius::Uniform { min: 0.002, max: 0.003 },
        Placement::Random {
            region: Region::Box {
                min: Vec3::new(-0.05, -0.05, 0.025),
                max: Vec3::new(0.05, 0.05, 0.06),
            },
            amount: Amount::Count(500),
        },
    ));
    let end = End { kinetic_energy_below: Some(0.0), after: Some(1e3), ..End::default() };
    scene.stages = vec![Stage { name: "settle".into(), end, ..Stage::default() }];
    scene
}

/// Requests for memory in the steps that did not rebuild the neighbour list, and the number of these steps.
fn requests(integrator: Integrator, threads: usize, ledger: bool, remembers: bool) -> (usize, u64) {
    let mut verlet = scene(threads, ledger, remembers).build().expect("a valid scene");
    while verlet.time() < 0.1 {
        verlet.step().expect("a healthy step");
    }
    let scene = Scene { integrator, ..scene(threads, ledger, remembers) };
    let mut simulation = Simulation::restore(scene, verlet.save()).expect("its own state");
    (0..20).for_each(|_| simulation.step().expect("a healthy step"));
    let (mut requests, mut steps) = (0, 0);
    let mut touched = vec![false; simulation.wall_views().len()];
    for _ in 0..400 {
        let rebuilds = simulation.statistics().rebuilds;
        REQUESTS.store(0, Ordering::SeqCst);
        COUNTING.store(true, Ordering::SeqCst);
        let outcome = simulation.step();
        COUNTING.store(false, Ordering::SeqCst);
        outcome.expect("a healthy step");
        if simulation.statistics().rebuilds == rebuilds {
            requests += REQUESTS.load(Ordering::SeqCst);
            steps += 1;
        }
        for (touched, wall) in touched.iter_mut().zip(simulation.wall_views()) {
            *touched |= wall.force.length() > 0.0;
        }
    }
    // the test covers every kind of wall only if each is touched at some time
    assert!(touched.iter().all(|touched| *touched), "{touched:?}");
    (requests, steps)
}

/// Without the test harness: the counter sees all threads of the process, and the harness allocates when it
/// reports a test that takes more than a minute.
fn main() {
    let theta = |iteration| {
        let tolerances = Tolerances::all(1e-6);
        Integrator::Theta(Theta { iteration, tolerances, ..Theta::default() })
    };
    let rkf45 = Rkf45 { accept: true, ..Rkf45::default() };
    for (integrator, threads, ledger, remembers) in [
        (Integrator::VelocityVerlet, 1, false, false),
        (Integrator::VelocityVerlet, 1, true, false),
        (Integrator::VelocityVerlet, 2, false, false),
        (Integrator::VelocityVerlet, 2, true, false),
        (Integrator::VelocityVerlet, 2, true, true),
        (theta(Iteration::Jacobi), 2, true, false),
        (theta(Iteration::Jacobi), 2, false, true),
        (theta(Iteration::GaussSeidel), 1, true, false),
        (Integrator::Rkf45(rkf45), 2, true, false),
        (Integrator::Rkf45(rkf45), 2, false, true),
    ] {
        let (requests, steps) = requests(integrator, threads, ledger, remembers);
        let what = format!(
            "{}, {threads} threads, ledger {ledger}, memory {remembers}",
            integrator.name()
        );
        println!("{what}: {requests} requests in {steps} steps");
        assert!(steps > 100, "{what}: {steps} steps tell little");
        assert_eq!(requests, 0, "{what}: in {steps} steps");
    }
}
