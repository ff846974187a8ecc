//! The work of the ranks is balanced wherever the particles are and go.

use esker::prelude::*;
use esker::ranks::run_on_ranks;
use esker::{Division, Ownership};

/// Radius of a grain [m].
const RADIUS: f64 = 0.002;

fn scene(seed: u64) -> (Scene, MaterialId) {
    let mut scene = Scene { seed, gravity: Vec3::Z * -9.81, threads: 1, ..Scene::new() };
    scene.health.overlap_limit = 0.9;
    scene.contact = ContactModel::normal(normal::Hertz::default())
        .damping(damping::HertzDamping::default())
        .tangential(tangential::Mindlin::default())
        .rolling(rolling::ElasticPlastic::default());
    let material = Material::new().density(2500.0).young_modulus(2e6).poisson_ratio(0.25);
    let grain = scene.add_material("grain", material);
    let pair = Pair::new().friction(0.5).damping_ratio(0.3).rolling_friction(0.2);
    scene.set_pair(grain, grain, pair);
    (scene, grain)
}

/// Grains of two sizes at random places of a box.
fn grains(scene: &mut Scene, grain: MaterialId, [min, max]: [Vec3; 2], count: usize) {
    let radius = Radius::Uniform { min: 0.8 * RADIUS, max: RADIUS };
    let placement =
        Placement::Random { region: Region::Box { min, max }, amount: Amount::Count(count) };
    scene.particles.push(Source::new(format!("grains {count}"), grain, radius, placement));
}

fn floor(scene: &mut Scene, grain: MaterialId) {
    scene.add_wall("floor", Shape::HalfSpace { point: Vec3::ZERO, normal: Vec3::Z }, grain);
}

/// A high column that collapses to a heap.
fn heap() -> Scene {
    let (mut scene, grain) = scene(1);
    floor(&mut scene, grain);
    let column = [Vec3::new(-0.015, -0.015, RADIUS), Vec3::new(0.015, 0.015, 0.15)];
    grains(&mut scene, grain, column, 1500);
    scene
}

/// A drum that turns by a half.
fn drum() -> Scene {
    let (mut scene, grain) = scene(2);
    let end = Vec3::Y * 0.02;
    let radius = 0.04;
    let side = Shape::Cylinder { start: -end, end, radius, side: Side::Inside };
    let turning = Motion::Rotation { point: Vec3::ZERO, axis: Vec3::Y, rate: 8.0 };
    scene.add_moving_wall("side", side, grain, turning.clone());
    for (name, center) in [("front", -end), ("back", end)] {
        let shape = Shape::Disc { center, normal: -center.normalize(), radius };
        scene.add_moving_wall(name, shape, grain, turning.clone());
    }
    let inside = [Vec3::new(-0.027, -0.019, -0.027), Vec3::new(0.027, 0.019, 0.027)];
    grains(&mut scene, grain, inside, 900);
    scene
}

/// A hopper that empties through a slot.
fn hopper() -> Scene {
    let (mut scene, grain) = scene(3);
    scene.domain = Some(Domain {
        outside: Outside::Delete,
        periodic: [false, true, false],
        ..Domain::new(Vec3::new(-0.05, -0.016, -0.05), Vec3::new(0.05, 0.016, 0.2))
    });
    for (name, sign) in [("left", -1.0), ("right", 1.0)] {
        let foot = Vec3::new(sign * 0.008, -0.05, 0.0);
        let edges = [Vec3::Y * 0.1, Vec3::new(sign * 0.022, 0.0, 0.022)];
        scene.add_wall(&format!("{name} slope"), Shape::Rectangle { corner: foot, edges }, grain);
        let corner = Vec3::new(sign * 0.03, -0.05, 0.022);
        let edges = [Vec3::Y * 0.1, Vec3::Z * 0.2];
        scene.add_wall(&format!("{name} side"), Shape::Rectangle { corner, edges }, grain);
    }
    let inside = [Vec3::new(-0.027, -0.016, 0.025), Vec3::new(0.027, 0.016, 0.12)];
    grains(&mut scene, grain, inside, 1500);
    scene
}

/// Most particles in one corner of a large domain, and a few everywhere.
fn full_corner() -> Scene {
    let (mut scene, grain) = scene(4);
    let (low, high) = (Vec3::ZERO, Vec3::new(0.4, 0.4, 0.2));
    scene.domain = Some(Domain::new(low, high));
    floor(&mut scene, grain);
    for (name, normal) in [("west", Vec3::X), ("south", Vec3::Y)] {
        scene.add_wall(name, Shape::HalfSpace { point: Vec3::ZERO, normal }, grain);
    }
    let margin = Vec3::splat(RADIUS);
    grains(&mut scene, grain, [low + margin, Vec3::new(0.04, 0.04, 0.06)], 1100);
    grains(&mut scene, grain, [low + margin, high - margin], 100);
    scene
}

/// Builds a scene.
type Make = fn() -> Scene;

/// A scene on several ranks until a time.
fn divided(make: Make, ranks: usize, end: f64) -> Vec<Division> {
    let results = run_on_ranks(ranks, |comm| {
        let is_first = comm.rank() == 0;
        let mut simulation = make().build_on(comm, Ownership::default()).expect("a valid scene");
        if !is_first {
            return simulation.follow();
        }
        while simulation.time() < end {
            simulation.step().expect("a healthy step");
        }
        simulation.division()
    });
    results.expect("no rank fails")
}

/// The largest of some numbers of the ranks divided by their mean.
fn largest_to_mean(numbers: impl Iterator<Item = f64> + Clone) -> f64 {
    let largest = numbers.clone().fold(0.0, f64::max);
    largest * numbers.clone().count() as f64 / numbers.sum::<f64>()
}

/// Work that a rank has done: its own particles, the pairs in its lists and their contacts, those with ghosts included,
/// with the costs relative to that of the test of a pair of `partition/mod.rs`.
fn work_done(division: &Division) -> f64 {
    let Division { steps, own, imbalance, .. } = division;
    let particles = *own as f64 / *steps as f64 * imbalance.count as f64;
    5.0 * particles + 7.0 * imbalance.pairs as f64 + 14.0 * imbalance.contacts as f64
}

#[test]
fn the_work_is_balanced_in_a_heap_a_drum_a_hopper_and_a_full_corner() {
    let scenes: [(&str, Make, f64); 4] = [
        ("heap", heap, 0.2),
        ("drum", drum, 0.25),
        ("hopper", hopper, 0.25),
        ("corner", full_corner, 0.15),
    ];
    for (name, make, end) in scenes {
        for ranks in [2, 3, 4, 8] {
            let found = divided(make, ranks, end);
            let imbalance = found[0].imbalance;
            let own = largest_to_mean(found.iter().map(|one| one.own as f64));
            let done = largest_to_mean(found.iter().map(work_done));
            let what = format!(
                "{name} on {ranks}: mean {:.4} of {} rebuilds with {} divisions; work done {done:.4}, own {own:.3}",
                imbalance.mean(),
                imbalance.count,
                imbalance.divisions,
            );
            println!("{what}");
            // the test moves particles among the ranks
            assert!(imbalance.divisions > 2 && imbalance.count > 100, "{what}");
            assert!(imbalance.mean() < 1.1 && done < 1.1, "{what}");
        }
    }
}

/// Five grains that fall on a floor and roll off its edge, one after the other, until none is left.
fn few() -> Scene {
    let (mut scene, grain) = scene(5);
    let edges = [Vec3::X * 0.02, Vec3::Y * 0.04];
    let corner = Vec3::new(-0.02, -0.02, 0.0);
    scene.add_wall("table", Shape::Rectangle { corner, edges }, grain);
    scene.domain = Some(Domain {
        outside: Outside::Delete,
        ..Domain::new(Vec3::new(-0.03, -0.03, -0.03), Vec3::new(0.03, 0.03, 0.03))
    });
    let ball = |index: u32| Sphere {
        velocity: Vec3::X * (0.6 + 0.1 * f64::from(index)),
        ..Sphere::new(RADIUS, Vec3::new(-0.012, 0.0041 * f64::from(index) - 0.01, 1.2 * RADIUS))
    };
    scene.particles.push(Source::list("balls", grain, (0..5).map(ball).collect()));
    scene
}

/// The bits of position and velocity of each particle after some steps, and the number of particles at the end.
fn trace(simulation: &mut Simulation) -> (Vec<u64>, usize) {
    let mut found = Vec::new();
    for _ in 0..160 {
        for _ in 0..25 {
            simulation.step().expect("a healthy step");
        }
        for particle in simulation.snapshot().particles {
            let numbers = [particle.position, particle.velocity].map(|vector| vector.to_array());
            found.extend(numbers.as_flattened().iter().map(|number| number.to_bits()));
        }
    }
    (found, simulation.counts().present as usize)
}

#[test]
fn ranks_may_be_empty_and_more_than_particles() {
    let (expected, left) = trace(&mut few().build().expect("a valid scene"));
    assert!(left == 0 && expected.len() > 200, "{left} left, {} numbers", expected.len());
    for ranks in [2, 4, 8] {
        let results = run_on_ranks(ranks, |comm| {
            let is_first = comm.rank() == 0;
            let simulation = few().build_on(comm, Ownership::default());
            let mut simulation = simulation.expect("a valid scene");
            if is_first {
                return Some(trace(&mut simulation));
            }
            simulation.follow();
            None
        });
        let found = results.expect("no rank fails").swap_remove(0);
        assert!(found == Some((expected.clone(), left)), "{ranks} ranks");
    }
}
