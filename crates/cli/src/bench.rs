//! `esker bench`: particle steps per second of standard scenes, and the cost of each law in a bed.

mod laws;
mod ranks;
mod scenes;
mod states;

use crate::arguments;
use crate::failure::{Failure, print};
use crate::ranks::Job;
use crate::threads;
use esker::Simulation;
use esker::measure::{ContactView, Partner};
use esker::simd::InstructionSet;
use ranks::{Leader, MeasuredRank};
pub use scenes::Which;
use scenes::stopped;
use serde::Serialize;
use states::State;
use std::time::{Duration, Instant};

/// Steps before the measurement, in which buffers reach their size and the skin is tuned.
const WARM_UP: u64 = 200;
/// Longest wait of a process of an MPI job for another one.
const MPI_TIMEOUT: Duration = Duration::from_secs(120);

/// Results of a measurement.
#[derive(Debug, Serialize)]
struct Measured {
    version: &'static str,
    scene: &'static str,
    state: String,
    particles: usize,
    ranks: usize,
    /// Threads of each rank.
    threads: usize,
    instruction_set: String,
    steps: u64,
    seconds: f64,
    /// Processor time of all threads, if the system reports it.
    busy_seconds: Option<f64>,
    particle_steps_per_second: f64,
    particle_steps_per_busy_second: Option<f64>,
    ns_per_contact: f64,
    contacts: usize,
    pairs_per_contact: f64,
    rebuilds: u64,
    bytes_per_particle: usize,
    /// Peak memory of the process divided by the number of particles.
    peak_bytes_per_particle: Option<usize>,
    /// Translational kinetic energy after the warm-up [J].
    kinetic_energy: f64,
    /// Fraction of the time in each pass.
    phase_fractions: Vec<(&'static str, f64)>,
    /// Particles, communication and time of each rank; empty on one rank.
    by_rank: Vec<MeasuredRank>,
}

/// Measures and prints the result.
pub fn bench(arguments: &arguments::Bench) -> Result<(), Failure> {
    if let Some(set) = arguments.instruction_set {
        use arguments::InstructionSet as Limit;
        esker::simd::limit_to(match set {
            Limit::Baseline => InstructionSet::Baseline,
            Limit::Avx2 => InstructionSet::Avx2,
            Limit::Avx512 => InstructionSet::Avx512,
        });
    }
    let job = Job::start(MPI_TIMEOUT, arguments.threads)?;
    if let Some(comm) = job.comm().filter(|_| job.follows()) {
        ranks::follow_job(arguments, comm);
        return Ok(());
    }
    let measured = lead(arguments, &job);
    if measured.is_err() {
        job.dismiss();
    }
    measured
}

/// Measures on the first rank, or on the only one.
fn lead(arguments: &arguments::Bench, job: &Job) -> Result<(), Failure> {
    let which = arguments.scene;
    // Checked before the expensive computation of a state.
    let laws = arguments.laws.as_deref().map(laws::chosen).transpose()?;
    let particles = arguments.particles.unwrap_or(which.particles()).clamp(100, 10_000_000);
    let (name, state) = match &arguments.state {
        Some(path) => (path.display().to_string(), State::read(path)?),
        None => ("computed by Esker".to_owned(), State::of(which, particles)?),
    };
    if let Some(path) = &arguments.write_state {
        write(path, &state.text())?;
        job.dismiss();
        return Ok(());
    }
    let ranks = job.ranks(arguments.ranks);
    match ranks {
        0 | 1 => threads::warn(arguments.threads, 1),
        _ => job.say_placement(arguments.threads, true),
    }
    if let Some(laws) = laws {
        if ranks > 1 {
            return Err(Failure::input("`--laws` measures on one rank"));
        }
        return laws::bench(&state, &name, laws, arguments);
    }
    let measured = match ranks {
        0 | 1 => {
            let mut simulation = which.build(&state, arguments.threads)?;
            drop(state);
            measure(&mut simulation, arguments, name, || {})?
        }
        _ => measure_ranks(Leader::start(which, state, arguments, job)?, arguments, name)?,
    };
    if let Some(path) = &arguments.json {
        write(path, &(serde_json::to_string_pretty(&measured).unwrap_or_default() + "\n"))?;
    }
    print(&measured.page())
}

fn write(path: &std::path::Path, text: &str) -> Result<(), Failure> {
    std::fs::write(path, text)
        .map_err(|error| Failure::input(format!("cannot write `{}`: {error}", path.display())))
}

/// Measures on several ranks, of which this is the first.
fn measure_ranks(
    mut leader: Leader,
    arguments: &arguments::Bench,
    state: String,
) -> Result<Measured, Failure> {
    let steps = arguments.steps.max(1);
    let counts = leader.counts();
    let mut measured = measure(&mut leader.simulation, arguments, state, || counts.reset())?;
    let reports = counts.reports();
    // numbers of the first rank are replaced by sums over all ranks
    let contacts = leader.simulation.snapshot().contacts;
    let of_particles = |contact: &&ContactView| {
        contact.overlap > 0.0 && matches!(contact.second, Partner::Particle(_))
    };
    measured.contacts = contacts.iter().filter(of_particles).count();
    let contact_steps = measured.contacts.max(1) as f64 * steps as f64;
    measured.ns_per_contact = measured.seconds * 1e9 / contact_steps;
    measured.ranks = reports.len();
    let busy: Option<f64> = reports.iter().map(|report| report.processor_time).sum();
    if let Some(busy) = busy {
        let work = measured.particles as f64 * steps as f64;
        measured.busy_seconds = Some(busy);
        measured.particle_steps_per_busy_second = Some(work / busy);
    }
    measured.by_rank = leader.end(reports, steps);
    Ok(measured)
}

fn measure(
    simulation: &mut Simulation,
    arguments: &arguments::Bench,
    state: String,
    begin: impl FnOnce(),
) -> Result<Measured, Failure> {
    let (which, steps) = (arguments.scene, arguments.steps.max(1));
    let threads = match arguments.threads {
        0 => threads::cores(),
        given => given,
    };
    advance(simulation, WARM_UP)?;
    let kinetic_energy = translation(simulation);
    let before = simulation.statistics().rebuilds;
    simulation.time_phases(seconds);
    let clock = Instant::now();
    let busy_before = busy_seconds();
    begin();
    advance(simulation, steps)?;
    let seconds = clock.elapsed().as_secs_f64();
    let busy = busy_seconds().zip(busy_before).map(|(after, before)| after - before);
    let particles = simulation.counts().present as usize;
    let (pairs, contacts) = simulation.pairs_and_contacts();
    let work = particles as f64 * steps as f64;
    let timed: f64 = simulation.phases().map(|(_, time)| time).sum();
    Ok(Measured {
        version: env!("CARGO_PKG_VERSION"),
        scene: which.name(),
        state,
        particles,
        ranks: 1,
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
        phase_fractions: simulation
            .phases()
            .map(|(phase, time)| (phase.name(), time / timed))
            .collect(),
        by_rank: Vec::new(),
    })
}

/// A clock for the passes [s].
fn seconds() -> f64 {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64()
}

/// Processor time of the threads of this process.
fn busy_seconds() -> Option<f64> {
    let tasks = std::fs::read_dir("/proc/self/task").ok()?;
    let nanoseconds = |task: std::io::Result<std::fs::DirEntry>| -> Option<f64> {
        let text = std::fs::read_to_string(task.ok()?.path().join("schedstat")).ok()?;
        text.split_whitespace().next()?.parse().ok()
    };
    tasks.map(nanoseconds).sum::<Option<f64>>().map(|sum| 1e-9 * sum)
}

/// Peak memory of this process.
fn peak_bytes() -> Option<usize> {
    esker_scene::run::peak_memory().map(|bytes| bytes as usize)
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
        let phase_fractions = self
            .phase_fractions
            .iter()
            .map(|(word, fraction)| format!("{word} {:.1} %", 100.0 * fraction));
        let rows = [
            ("scene", format!("{}, state {}", self.scene, self.state)),
            ("particles", self.particles.to_string()),
            ("ranks", self.ranks.to_string()),
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
            ("passes", phase_fractions.collect::<Vec<_>>().join(", ")),
        ];
        let rows: String =
            rows.iter().map(|(name, value)| format!("{name:<12} {value}\n")).collect();
        match self.by_rank.as_slice() {
            [] => rows,
            by_rank => rows + &ranks::table(by_rank, self.steps),
        }
    }
}
