//! A rank needs memory for its own particles and their ghosts only, also while a scene is built.

use esker::insert::{Pattern, SharedPattern};
use esker::prelude::*;
use esker::ranks::{Comm, run_on_ranks};
use esker::{Division, Ownership};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Counts the bytes in use by all ranks, and their maximum.
struct Counting;

static IN_USE: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

fn add(bytes: usize) {
    let now = IN_USE.fetch_add(bytes, Ordering::Relaxed) + bytes;
    MOST.fetch_max(now, Ordering::Relaxed);
}

// SAFETY: every request is passed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // the system remaps the pages of large blocks without copying
        if size > layout.size() {
            add(size - layout.size());
        } else {
            IN_USE.fetch_sub(layout.size() - size, Ordering::Relaxed);
        }
        // SAFETY: the caller's promise.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const RADIUS: f64 = 1e-3;
/// Distance of neighbours in diameters: particles touch within a few steps.
const SPACING: f64 = 1.0 + 1e-5;

/// A body-centred cubic lattice: each particle has eight neighbours, more than in a bed.
#[derive(Debug)]
struct BodyCentred(usize);

impl BodyCentred {
    fn side(&self) -> f64 {
        self.0 as f64 * 2.0 * RADIUS * SPACING * 2.0 / 3f64.sqrt()
    }
}

impl Pattern for BodyCentred {
    fn name(&self) -> &str {
        "body-centred cubic"
    }

    fn bounds(&self) -> (Vec3, Vec3) {
        (Vec3::ZERO, Vec3::splat(self.side()))
    }

    fn most_points(&self, _: f64) -> f64 {
        2.0 * (self.0 as f64).powi(3)
    }

    fn points(&self, radius: f64) -> Box<dyn Iterator<Item = Vec3> + '_> {
        let (count, cell) = (self.0, self.side() / self.0 as f64);
        let cells = (0..count * count * count).map(move |index| {
            let site = [index % count, index / count % count, index / count / count];
            Vec3::from_array(site.map(|one| one as f64))
        });
        let corners = [Vec3::ZERO, Vec3::splat(0.5)];
        let lift = Vec3::splat(radius);
        Box::new(cells.flat_map(move |at| corners.map(|corner| lift + cell * (at + corner))))
    }
}

/// A packing with 2 n³ particles that move at random, on a floor and in a periodic box.
fn scene(cells: usize) -> Scene {
    let mut scene = Scene { gravity: Vec3::Z * -9.81, ..Scene::new() };
    let material = Material::new().density(2500.0).young_modulus(1e7).poisson_ratio(0.3);
    let material = scene.add_material("grain", material);
    scene.contact = ContactModel::normal(normal::Hertz::default())
        .damping(damping::HertzDamping::default())
        .tangential(tangential::Mindlin::default());
    scene.set_pair(material, material, Pair::new().friction(0.5).restitution(0.5));
    let floor = Shape::HalfSpace { point: Vec3::ZERO, normal: Vec3::Z };
    scene.add_wall("floor", floor, material);
    let pattern = BodyCentred(cells);
    let side = pattern.side();
    let max = Vec3::new(side, side, side + 10.0 * RADIUS);
    let mut domain = Domain::new(Vec3::new(0.0, 0.0, -RADIUS), max);
    domain.periodic = [true, true, false];
    scene.domain = Some(domain);
    let placement = Placement::Pattern(SharedPattern(Arc::new(pattern)));
    let mut grains = Source::new("grains", material, Radius::Constant(RADIUS), placement);
    grains.random_velocity = 0.05;
    scene.particles.push(grains);
    scene
}

/// Advances ranks that were built together. Returns the maximum number of bytes in use, the number of particles, and
/// the mean number of ghosts of the last rank.
fn most_bytes(ranks: usize, cells: usize, steps: usize) -> (usize, u64, u64) {
    let before = IN_USE.load(Ordering::Relaxed);
    MOST.store(before, Ordering::Relaxed);
    let work = |comm: Arc<dyn Comm>| {
        let is_first = comm.rank() == 0;
        let simulation = scene(cells).build_on(comm, Ownership::Bisection);
        let mut simulation = simulation.expect("a valid scene");
        if !is_first {
            let Division { steps, ghosts, .. } = simulation.follow();
            return ghosts / steps.max(1);
        }
        (0..steps).for_each(|_| simulation.step().expect("a healthy step"));
        simulation.counts().present
    };
    let found = run_on_ranks(ranks, work).expect("no rank fails");
    assert_eq!(found[0], 2 * (cells as u64).pow(3));
    let ghosts = if ranks > 1 { found[ranks - 1] } else { 0 };
    (MOST.load(Ordering::Relaxed) - before, found[0], ghosts)
}

#[test]
fn two_ranks_together_need_little_more_memory_than_one() {
    let [one, two] = [1, 2].map(|ranks| most_bytes(ranks, 36, 40));
    let (bytes, particles, ghosts) = two;
    let each = |bytes: usize| bytes as f64 / particles as f64;
    println!("one rank: {:.0} bytes for each particle, two: {:.0}", each(one.0), each(bytes));
    assert!(ghosts > 0 && ghosts < particles / 4, "{ghosts} ghosts");
    // ghosts, the data of the scene that both ranks hold, and the groups of pairs with outer particles, which have their own
    // ring buffers of results
    let most = 1.15 * (1.0 + 2.0 * ghosts as f64 / particles as f64);
    let ratio = bytes as f64 / one.0 as f64;
    assert!(ratio < most, "{ratio:.2} times the memory of one rank, with {ghosts} ghosts");
}

#[test]
#[ignore = "takes 12 GiB and some minutes"]
fn ten_million_particles_on_two_ranks_fit_into_12_gib() {
    let (bytes, particles, ghosts) = most_bytes(2, 171, 12);
    let status = std::fs::read_to_string("/proc/self/status").expect("this is Linux");
    let most = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("it is there");
    println!(
        "{particles} particles, {ghosts} ghosts: {bytes} bytes requested, {most} used at most"
    );
    let kilobytes: u64 = most.trim().trim_end_matches(" kB").parse().expect("a number");
    assert!(kilobytes < 12 << 20, "{kilobytes} kB");
}
