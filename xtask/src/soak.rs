//! Long runs: memory stays bounded and constant, the ledger closed, counts correct; and runs that are stopped or meet
//! file system errors, which lose nothing.

mod faults;
mod folders;
mod kills;
mod scenes;

use crate::mpi;
use crate::steps::{build_program, cargo, program, run};
use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Length of the runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Size {
    /// For releases.
    Full,
    /// For CI.
    Short,
}

/// Largest memory of a run in kB: 4 GiB.
const MOST_MEMORY: u64 = 4 << 20;
/// Largest growth of the memory of a steady run after its first third, in kB.
const MOST_GAIN: u64 = 8 << 10;
/// Largest closure error as a fraction of the energy exchanged. The steps of the integrator leave an error of second
/// order; ten million of them must not accumulate to more.
const MOST_UNACCOUNTED: f64 = 0.01;

/// All long runs.
pub fn soak(size: Size) -> Result<()> {
    build_program()?;
    let folder = tempfile::tempdir()?;
    kills::kills(folder.path(), size)?;
    faults::faults(folder.path(), size)?;
    if size == Size::Full {
        // the short form is one of the tests
        let test = ["test", "--release", "--package", "esker", "--test", "bouncing_stack"];
        let mut command = cargo(&test);
        run("a million steps of a stack, each integrator", command.args(["--", "--ignored"]))?;
        mpi::network()?;
    }
    many_particles(folder.path(), size)?;
    many_steps(folder.path(), size)
}

/// Only runs that are stopped or meet file system errors.
pub fn faults_alone(size: Size) -> Result<()> {
    build_program()?;
    let folder = tempfile::tempdir()?;
    kills::kills(folder.path(), size)?;
    faults::faults(folder.path(), size)
}

/// Executes the tasks from index 0 on all cores; the first error ends it.
fn each(count: usize, work: impl Fn(usize) -> Result<()> + Sync) -> Result<()> {
    let next = AtomicUsize::new(0);
    let first: Mutex<Option<anyhow::Error>> = Mutex::default();
    let worker = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= count {
                return;
            }
            if let Err(error) = work(index) {
                next.store(count, Ordering::Relaxed);
                if let Ok(mut first) = first.lock() {
                    first.get_or_insert(error);
                }
            }
        }
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        (0..cores).for_each(|_| {
            scope.spawn(worker);
        });
    });
    first.into_inner().unwrap_or_default().map_or(Ok(()), Err)
}

/// A block of particles falls and settles; it is stopped, resumed and ends with all of them.
fn many_particles(folder: &Path, size: Size) -> Result<()> {
    // the few particles settle for longer, so that the interrupt comes before the end
    let (side, time) = if size == Size::Full { (100, 0.01) } else { (20, 0.3) };
    let count = side * side * side;
    eprintln!("== soak: {count} particles, saved and resumed");
    let width = f64::from(side) * 0.0105;
    let scene = format!(
        "{MATERIALS}\
         [domain]\nmin = [0, 0, -0.1]\nmax = [{width}, {width}, {top}]\nperiodic = [\"x\", \"y\"]\n\
         [[particles]]\nname = \"grains\"\nmaterial = \"grain\"\nradius = 0.005\n\
         insert = {{ lattice = {{ min = [0.00525, 0.00525, 0.0053], max = [{width}, {width}, {top}], \
         spacing = 0.0105, count = {count}, jitter = 0.0002 }} }}\n\
         [[walls]]\nname = \"floor\"\nmaterial = \"grain\"\n\
         half-space = {{ point = [0, 0, 0], normal = [0, 0, 1] }}\n\
         [[stages]]\nname = \"settle\"\nend = {{ after = {time} }}\n\
         [outputs]\nfinal = true\ncheckpoint = {{ every = 0.002 }}\n",
        top = 2.0 * width,
    );
    std::fs::write(folder.join("many.toml"), scene)?;
    let mut first = start(folder, &["run", "many.toml", "--quiet", "--out", "many"])?;
    let checkpoint = folder.join("many/checkpoint.esk");
    let most = watch(&mut first, |_| checkpoint.exists())?;
    interrupt(&first)?;
    let ended = first.wait()?;
    ensure!(ended.code() == Some(130), "the interrupted run did not end cleanly: {ended}");
    let mut second = start(folder, &["run", "many.toml", "--quiet", "--out", "many", "--resume"])?;
    let most = most.max(watch(&mut second, |_| false)?);
    ensure!(second.wait()?.success(), "the resumed run failed");
    let summary = summary(&folder.join("many"))?;
    ensure!(summary["ended"] == "finished", "it ended as {}", summary["ended"]);
    ensure!(summary["resumed_at_step"].is_u64(), "it was not resumed");
    ensure!(summary["particles"]["present"] == count, "{} are left", summary["particles"]);
    ensure!(most < MOST_MEMORY, "it took {} MB", most >> 10);
    eprintln!("== soak: at most {} MB", most >> 10);
    Ok(())
}

/// A few particles on a shaking floor, for many steps.
fn many_steps(folder: &Path, size: Size) -> Result<()> {
    let steps: u64 = if size == Size::Full { 10_000_000 } else { 200_000 };
    eprintln!("== soak: {steps} steps of a small scene");
    let time = steps as f64 * 1e-5;
    let scene = format!(
        "{MATERIALS}\
         [time]\nstep = 1e-5\n\
         [domain]\nmin = [0, 0, -0.1]\nmax = [0.06, 0.06, 1.0]\nperiodic = [\"x\", \"y\"]\n\
         [[particles]]\nname = \"grains\"\nmaterial = \"grain\"\nradius = 0.005\n\
         insert = {{ count = 60, box = {{ min = [0, 0, 0.01], max = [0.06, 0.06, 0.1] }} }}\n\
         [[walls]]\nname = \"floor\"\nmaterial = \"grain\"\n\
         half-space = {{ point = [0, 0, 0], normal = [0, 0, 1] }}\n\
         motion = {{ oscillation = {{ amplitude = [0, 0, 0.002], frequency = 20 }} }}\n\
         [[stages]]\nname = \"shake\"\nend = {{ after = {time} }}\n\
         [outputs]\nenergy = {{ every = {every} }}\n",
        every = time / 100.0,
    );
    std::fs::write(folder.join("steps.toml"), scene)?;
    let mut child = start(folder, &["run", "steps.toml", "--quiet", "--out", "steps"])?;
    let table = folder.join("steps/energy.csv");
    // The first third and the rest, excluding the report at the end, which draws pictures.
    let mut early = 0;
    let mut late = 0;
    watch(&mut child, |memory| {
        match std::fs::read_to_string(&table).map_or(0, |text| text.lines().count()) {
            0..35 => early = early.max(memory),
            35..100 => late = late.max(memory),
            _ => {}
        }
        false
    })?;
    ensure!(child.wait()?.success(), "the run failed");
    let summary = summary(&folder.join("steps"))?;
    let made = summary["steps"].as_u64().unwrap_or(0);
    ensure!(made.abs_diff(steps) <= 1, "{made} steps were made");
    let counts = &summary["particles"];
    ensure!(counts["inserted"] == 60 && counts["present"] == 60, "the counts are {counts}");
    let error = summary["relative_closure_error"].as_f64().unwrap_or(f64::NAN);
    ensure!(error.abs() < MOST_UNACCOUNTED, "the ledger is off by {error:e}");
    ensure!(late < early + MOST_GAIN, "{early} kB grew to {late} kB");
    eprintln!("== soak: ledger closed to {error:.1e}, {early} kB early, {late} kB later");
    Ok(())
}

/// Laws and materials of both runs.
const MATERIALS: &str = "format = 1\ngravity = [0, 0, -9.81]\n\
    [materials]\ngrain = { density = 2500, young_modulus = 1e7, poisson_ratio = 0.25 }\n\
    [contact]\nnormal = \"hertz\"\ndamping = \"hertz\"\ntangential = \"mindlin\"\n\
    pairs = [{ between = [\"grain\", \"grain\"], friction = 0.4, restitution = 0.6 }]\n";

fn start(folder: &Path, arguments: &[&str]) -> Result<Child> {
    Command::new(program())
        .args(arguments)
        .current_dir(folder)
        .stdout(Stdio::null())
        .spawn()
        .context("cannot start the program")
}

/// Waits until the process ends or `enough` returns true; returns its peak memory, in kB.
fn watch(child: &mut Child, mut enough: impl FnMut(u64) -> bool) -> Result<u64> {
    let mut most = 0;
    while child.try_wait()?.is_none() {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id()));
        let status = status.unwrap_or_default();
        most = most.max(field(&status, "VmHWM:"));
        if enough(field(&status, "VmRSS:")) {
            break;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    Ok(most)
}

fn field(status: &str, name: &str) -> u64 {
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    line.and_then(|rest| rest.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

/// Interrupts a child process, as Ctrl-C does.
fn interrupt(child: &Child) -> Result<()> {
    let status = Command::new("kill").args(["-INT", &child.id().to_string()]).status()?;
    if status.success() { Ok(()) } else { bail!("cannot interrupt the run") }
}

fn summary(folder: &Path) -> Result<Value> {
    let text = std::fs::read_to_string(folder.join("summary.json"))?;
    Ok(serde_json::from_str(&text)?)
}
