//! `esker bench`: particle-steps per second on a standard bed.

mod bed;

use crate::arguments;
use crate::failure::{Failure, print};
use esker::Simulation;
use serde::Serialize;
use std::time::Instant;

/// Steps before the clock starts: buffers reach their size, the skin its choice.
const WARM_UP: u64 = 200;

/// What was measured.
#[derive(Debug, Serialize)]
struct Measured {
    version: &'static str,
    state: String,
    particles: usize,
    threads: usize,
    steps: u64,
    seconds: f64,
    /// Time that all threads spent on a processor, where the system tells.
    busy_seconds: Option<f64>,
    particle_steps_per_second: f64,
    ns_per_contact: f64,
    contacts: usize,
    candidates_per_contact: f64,
    rebuilds: u64,
    bytes_per_particle: usize,
}

/// Measures and shows the result.
pub fn bench(arguments: &arguments::Bench) -> Result<(), Failure> {
    let (name, text) = match &arguments.state {
        Some(path) => {
            let text = std::fs::read_to_string(path).map_err(|error| {
                Failure::input(format!("cannot read `{}`: {error}", path.display()))
            })?;
            (path.display().to_string(), text)
        }
        None => {
            let count = arguments.particles.clamp(100, 10_000_000);
            (format!("built-in bed of {count}"), bed::settled(count)?)
        }
    };
    let mut simulation = bed::build(&text, &name, arguments.threads)?;
    let threads = match arguments.threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        given => given,
    };
    let measured = measure(&mut simulation, name, threads, arguments.steps.max(1))?;
    if let Some(path) = &arguments.json {
        let json = serde_json::to_string_pretty(&measured).unwrap_or_default() + "\n";
        std::fs::write(path, json).map_err(|error| {
            Failure::input(format!("cannot write `{}`: {error}", path.display()))
        })?;
    }
    print(&measured.page())
}

fn measure(
    simulation: &mut Simulation,
    state: String,
    threads: usize,
    steps: u64,
) -> Result<Measured, Failure> {
    advance(simulation, WARM_UP)?;
    let before = simulation.statistics().rebuilds;
    let clock = Instant::now();
    let busy_before = busy_seconds();
    advance(simulation, steps)?;
    let seconds = clock.elapsed().as_secs_f64();
    let busy = busy_seconds().zip(busy_before).map(|(after, before)| after - before);
    let particles = simulation.particles().len();
    let (candidates, contacts) = simulation.candidates_and_contacts();
    Ok(Measured {
        version: env!("CARGO_PKG_VERSION"),
        state,
        particles,
        threads,
        steps,
        seconds,
        busy_seconds: busy,
        particle_steps_per_second: particles as f64 * steps as f64 / seconds,
        ns_per_contact: seconds * 1e9 / (contacts.max(1) as f64 * steps as f64),
        contacts,
        candidates_per_contact: candidates as f64 / contacts.max(1) as f64,
        rebuilds: simulation.statistics().rebuilds - before,
        bytes_per_particle: simulation.bytes() / particles.max(1),
    })
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

fn advance(simulation: &mut Simulation, steps: u64) -> Result<(), Failure> {
    for _ in 0..steps {
        simulation.step().map_err(bed::stopped)?;
    }
    Ok(())
}

impl Measured {
    fn busy(&self) -> String {
        let Some(busy) = self.busy_seconds else { return "not told by this system".to_owned() };
        let rate = self.particles as f64 * self.steps as f64 / busy / 1e6;
        format!("{busy:.3} s, {rate:.3} M particle-steps/s of processor time")
    }

    fn page(&self) -> String {
        let rows = [
            ("state", self.state.clone()),
            ("particles", self.particles.to_string()),
            ("threads", self.threads.to_string()),
            ("steps", format!("{} in {:.3} s", self.steps, self.seconds)),
            ("speed", format!("{:.3} M particle-steps/s", self.particle_steps_per_second / 1e6)),
            ("busy", self.busy()),
            ("contacts", self.contacts.to_string()),
            ("a contact", format!("{:.1} ns a step, all work included", self.ns_per_contact)),
            ("candidates", format!("{:.3} for each contact", self.candidates_per_contact)),
            ("rebuilds", self.rebuilds.to_string()),
            ("memory", format!("{} B a particle", self.bytes_per_particle)),
        ];
        rows.iter().map(|(name, value)| format!("{name:<12} {value}\n")).collect()
    }
}
