//! Ranks write and read files without gathering all particles on one of them.

use esker_scene::run::{Run, RunOptions};
use std::alloc::{GlobalAlloc, Layout, System};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

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

/// Particles along an edge of the lattice.
const EDGE: usize = 56;

/// Outputs that all ranks write together.
const OUTPUTS: &str = "frames = { every = 2e-3, csv = true, contacts = false }\n\
    contacts = { every = 2e-3 }\ncheckpoint = { every = 2e-3 }\n";

/// A cubic lattice of particles that touch, on a floor.
fn scene(edge: usize, outputs: &str) -> String {
    let length = 0.1 * edge as f64 + 0.05;
    let end = length + 1.0;
    format!(
        "format = 1\nseed = 3\ngravity = [0, 0, -9.81]\n\
         [domain]\nmin = [-1, -1, -1]\nmax = [{end}, {end}, {end}]\n\
         [materials]\na = {{ density = 1000, young_modulus = 1e6, poisson_ratio = 0.3 }}\n\
         [contact]\nnormal = \"hertz\"\ntangential = \"mindlin\"\n\
         pairs = [{{ between = [\"a\", \"a\"], friction = 0.5 }}]\n\
         [[particles]]\nname = \"p\"\nmaterial = \"a\"\nradius = 0.05\nrandom_velocity = 0.1\n\
         insert = {{ lattice = {{ min = [0, 0, 0], max = [{length}, {length}, {length}], \
         spacing = [0.1, 0.1, 0.1] }} }}\n\
         [[walls]]\nname = \"floor\"\nmaterial = \"a\"\nhalf-space = {{ point = [0, 0, 0], normal = [0, 0, 1] }}\n\
         [[stages]]\nname = \"all\"\nend = {{ after = 3e-3 }}\n\
         [outputs]\nreport = false\n{outputs}"
    )
}

/// Runs the scene on two ranks with one thread each. Returns the largest number of bytes in use during the run.
fn most_bytes(edge: usize, folder: &Path, outputs: &str, light: bool, resume: bool) -> usize {
    let loaded = esker_scene::load_text("scene.toml", &scene(edge, outputs), folder);
    let loaded = loaded.unwrap_or_else(|errors| panic!("{errors}"));
    let before = IN_USE.load(Ordering::Relaxed);
    MOST.store(before, Ordering::Relaxed);
    let options = RunOptions {
        folder: folder.to_path_buf(),
        threads: 1,
        ranks: 2,
        light,
        resume,
        ..RunOptions::default()
    };
    let run = Run::open(loaded, &options).unwrap_or_else(|error| panic!("{error}"));
    let summary =
        run.finish(&AtomicBool::new(false), |_| {}).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(summary.particles.present as usize, edge.pow(3));
    assert!(summary.contacts > edge.pow(3), "{}", summary.contacts);
    MOST.load(Ordering::Relaxed) - before
}

#[test]
fn frames_tables_and_checkpoints_need_memory_for_few_rows_at_a_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let count = EDGE.pow(3);
    let steps = most_bytes(EDGE, &folder.path().join("steps"), "final = false\n", true, false);
    let all = folder.path().join("all");
    let written = most_bytes(EDGE, &all, OUTPUTS, false, false);
    let read = most_bytes(EDGE, &all, OUTPUTS, false, true);
    let each = |bytes: usize| bytes as f64 / count as f64;
    println!(
        "{count} particles on two ranks: {:.0} bytes for each particle in steps, {:.0} with output, {:.0} in a resume",
        each(steps),
        each(written),
        each(read)
    );
    // Two ranks have 4 sections of 4096 rows each at a time: particles, contacts, messages and text of some 3 kB for a
    // row. A gathered state takes as much for each of the particles, which are five times as many.
    let rows = 2 * 4 * 4096 * 3000;
    // as in the engine alone (`memory_of_ranks.rs` of the crate `esker`), with the census of contacts at the end
    assert!(each(steps) < 2000.0, "{steps} bytes in steps");
    assert!(written < steps + rows, "{written} bytes, {steps} without output");
    assert!(read < steps + rows, "{read} bytes, {steps} without output");
}

#[test]
#[ignore = "takes 12 GiB, 10 GB on the disk and many minutes"]
fn ten_million_particles_with_frames_and_checkpoints_fit_into_12_gib_on_two_ranks() {
    let folder = tempfile::tempdir().expect("a folder");
    let bytes = most_bytes(216, &folder.path().join("run"), OUTPUTS, false, false);
    let status = std::fs::read_to_string("/proc/self/status").expect("this is Linux");
    let most = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("it is there");
    println!("{} particles: {bytes} bytes requested, {most} used at most", 216_u64.pow(3));
    let kilobytes: u64 = most.trim().trim_end_matches(" kB").parse().expect("a number");
    assert!(kilobytes < 12 << 20, "{kilobytes} kB");
}
