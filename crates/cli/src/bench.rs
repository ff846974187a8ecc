//! `esker bench`: particle-steps per second on standard scenes, and what each law costs in a bed.

mod laws;
mod scenes;
mod states;

use crate::arguments;
use crate::failure::{Failure, print};
use crate::threads;
use esker::Simulation;
use esker::simd::InstructionSet;
pub use scenes::Which;
use scenes::stopped;
use serde::Serialize;
use states::State;
use std::time::Instant;

/// Steps before the clock starts: buffers reach their size, the skin its choice.
const WARM_UP: u64 = 200;

/// What was measured.
#[derive(Debug, Serialize)]
struct Measured {
    version: &'static str,
    scene: &'static str,
    state: String,
    particles: usize,
    threads: usize,
    instruction_set: String,
    steps: u64,
    seconds: f64,
    /// Time that all threads spent on a processor, where the system tells.
    busy_seconds: Option<f64>,
    particle_steps_per_second: f64,
    particle_steps_per_busy_second: Option<f64>,
    ns_per_contact: f64,
    contacts: usize,
    pairs_per_contact: f64,
    rebuilds: u64,
    bytes_per_particle: usize,
    /// Most memory that the process has held, over the number of particles.
    peak_bytes_per_particle: Option<usize>,
    /// Of translation, after the steps of the warm-up [J].
    kinetic_energy: f64,
    /// Fraction of each phase in the time.
    shares: Vec<(&'static str, f64)>,
}

/// Measures and shows the result.
pub fn bench(arguments: &arguments::Bench) -> Result<(), Failure> {
    let which = arguments.scene;
    if let Some(set) = arguments.instruction_set {
        use arguments::InstructionSet as Limit;
        esker::simd::limit_to(match set {
            Limit::Baseline => InstructionSet::Baseline,
            Limit::Avx2 => InstructionSet::Avx2,
            Limit::Avx512 => InstructionSet::Avx512,
        });
    }
    // Before the work of making a state.
    let laws = arguments.laws.as_deref().map(laws::chosen).transpose()?;
    let particles = arguments.particles.unwrap_or(which.particles()).clamp(100, 10_000_000);
    let (name, state) = match &arguments.state {
        Some(path) => (path.display().to_string(), State::read(path)?),
        None => ("computed by Esker".to_owned(), State::of(which, particles)?),
    };
    if let Some(path) = &arguments.write_state {
        return write(path, &state.text());
    }
    threads::warn(arguments.threads, 1);
    if let Some(laws) = laws {
        return laws::bench(&state, &name, laws, arguments);
    }
    let mut simulation = which.build(&state, arguments.threads)?;
    drop(state);
    let threads = match arguments.threads {
        0 => threads::cores(),
        given => given,
    };
    let measured = measure(&mut simulation, which, name, threads, arguments.steps.max(1))?;
    if let Some(path) = &arguments.json {
        write(path, &(serde_json::to_string_pretty(&measured).unwrap_or_default() + "\n"))?;
    }
    print(&measured.page())
}

fn write(path: &std::path::Path, text: &str) -> Result<(), Failure> {
    std::fs::write(path, text)
        .map_err(|error| Failure::input(format!("cannot write `{}`: {error}", path.display())))
}

fn measure(
    simulation: &mut Simulation,
    which: Which,
    state: String,
    threads: usize,
    steps: u64,
) -> Result<Measured, Failure> {
    advance(simulation, WARM_UP)?;
    let kinetic_energy = translation(simulation);
    let before = simulation.statistics().rebuilds;
    simulation.time_phases(seconds);
    let clock = Instant::now();
    let busy_before = busy_seconds();
    advance(simulation, steps)?;
    let seconds = clock.elapsed().as_secs_f64();
    let busy = busy_seconds().zip(busy_before).map(|(after, before)| after - before);
    let particles = simulation.particles().len();
    let (pairs, contacts) = simulation.pairs_and_contacts();
    let work = particles as f64 * steps as f64;
    let timed: f64 = simulation.phases().map(|(_, time)| time).sum();
    Ok(Measured {
        version: env!("CARGO_PKG_VERSION"),
        scene: which.name(),
        state,
        particles,
        threads,
        instruction_set: format!("{:?}", esker::simd::instruction_set()),
        steps,
        seconds,
        busy_seconds: busy,
        particle_steps_per_second: work / seconds,
        particle_steps_per_busy_second: busy.map(|busy| work / busy),
        ns_per_contact: seconds * 1e9 / (contacts.max(1) as f64 * steps as f64),
        contacts,
        pairs_per_contact: pairs as f64 / contacts.max(1) as f64,
        rebuilds: simulation.statistics().rebuilds - before,
        bytes_per_particle: simulation.bytes() / particles.max(1),
        peak_bytes_per_particle: peak_bytes().map(|bytes| bytes / particles.max(1)),
        kinetic_energy,
        shares: simulation.phases().map(|(phase, time)| (phase.name(), time / timed)).collect(),
    })
}

/// A clock for the phases [s].
fn seconds() -> f64 {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64()
}

/// Time that the threads of this process have spent on a processor.
fn busy_seconds() -> Option<f64> {
    let tasks = std::fs::read_dir("/proc/self/task").ok()?;
    let nanoseconds = |task: std::io::Result<std::fs::DirEntry>| -> Option<f64> {
        let text = std::fs::read_to_string(task.ok()?.path().join("schedstat")).ok()?;
        text.split_whitespace().next()?.parse().ok()
    };
    tasks.map(nanoseconds).sum::<Option<f64>>().map(|sum| 1e-9 * sum)
}

/// Most memory that this process has held.
fn peak_bytes() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(1024 * line.split_whitespace().next()?.parse::<usize>().ok()?)
}

fn translation(simulation: &Simulation) -> f64 {
    let particles = simulation.snapshot().particles;
    particles.iter().map(|particle| 0.5 * particle.mass * particle.velocity.length_squared()).sum()
}

fn advance(simulation: &mut Simulation, steps: u64) -> Result<(), Failure> {
    for _ in 0..steps {
        simulation.step().map_err(stopped)?;
    }
    Ok(())
}

impl Measured {
    fn page(&self) -> String {
        let unknown = || "not available on this system".to_owned();
        let million = |rate: f64| format!("{:.3} M particle-steps/s", rate / 1e6);
        let busy = self.particle_steps_per_busy_second.map(|rate| million(rate) + " of one core");
        let peak = self.peak_bytes_per_particle.map(|bytes| format!("{bytes} B per particle"));
        let shares =
            self.shares.iter().map(|(word, share)| format!("{word} {:.1} %", 100.0 * share));
        let rows = [
            ("scene", format!("{}, state {}", self.scene, self.state)),
            ("particles", self.particles.to_string()),
            ("threads", format!("{}, {}", self.threads, self.instruction_set)),
            ("steps", format!("{} in {:.3} s", self.steps, self.seconds)),
            ("speed", million(self.particle_steps_per_second)),
            ("processor", busy.unwrap_or_else(unknown)),
            ("contacts", self.contacts.to_string()),
            ("per contact", format!("{:.1} ns per step, all passes included", self.ns_per_contact)),
            ("pairs", format!("{:.3} in the neighbour list per contact", self.pairs_per_contact)),
            ("rebuilds", self.rebuilds.to_string()),
            ("memory", format!("{} B per particle", self.bytes_per_particle)),
            ("peak", peak.unwrap_or_else(unknown)),
            (
                "energy",
                format!("{:.6e} J (translational) after {WARM_UP} steps", self.kinetic_energy),
            ),
            ("passes", shares.collect::<Vec<_>>().join(", ")),
        ];
        rows.iter().map(|(name, value)| format!("{name:<12} {value}\n")).collect()
    }
}
