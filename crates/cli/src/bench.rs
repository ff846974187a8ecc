//! `esker bench`: particle-steps per second on a standard bed, and what each law costs there.

mod bed;
mod laws;

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
    if arguments.laws {
        return laws::bench(&text, &name, arguments);
    }
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
    advance(simulation, steps)?;
    let seconds = clock.elapsed().as_secs_f64();
    let particles = simulation.particles().len();
    let (candidates, contacts) = simulation.candidates_and_contacts();
    Ok(Measured {
        version: env!("CARGO_PKG_VERSION"),
        state,
        particles,
        threads,
        steps,
        seconds,
        particle_steps_per_second: particles as f64 * steps as f64 / seconds,
        ns_per_contact: seconds * 1e9 / (contacts.max(1) as f64 * steps as f64),
        contacts,
        candidates_per_contact: candidates as f64 / contacts.max(1) as f64,
        rebuilds: simulation.statistics().rebuilds - before,
        bytes_per_particle: simulation.bytes() / particles.max(1),
    })
}

fn advance(simulation: &mut Simulation, steps: u64) -> Result<(), Failure> {
    for _ in 0..steps {
        simulation.step().map_err(bed::stopped)?;
    }
    Ok(())
}

impl Measured {
    fn page(&self) -> String {
        let rows = [
            ("state", self.state.clone()),
            ("particles", self.particles.to_string()),
            ("threads", self.threads.to_string()),
            ("steps", format!("{} in {:.3} s", self.steps, self.seconds)),
            ("speed", format!("{:.3} M particle-steps/s", self.particle_steps_per_second / 1e6)),
            ("contacts", self.contacts.to_string()),
            ("a contact", format!("{:.1} ns a step, all work included", self.ns_per_contact)),
            ("candidates", format!("{:.3} for each contact", self.candidates_per_contact)),
            ("rebuilds", self.rebuilds.to_string()),
            ("memory", format!("{} B a particle", self.bytes_per_particle)),
        ];
        rows.iter().map(|(name, value)| format!("{name:<12} {value}\n")).collect()
    }
}
