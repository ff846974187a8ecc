//! Estimate of the run time from the speed of the first steps.

use crate::Loaded;
use crate::run::expected_particles;
use esker::Simulation;
use std::time::{Duration, Instant};

/// Longest measurement of the speed for `check`.
const MEASURED: Duration = Duration::from_millis(300);

/// Particle steps per second, measured over at most this time.
pub fn measured_speed(simulation: &mut Simulation, most: Duration) -> Option<f64> {
    let started = Instant::now();
    let mut work = 0.0;
    while started.elapsed() < most && !simulation.is_finished() {
        if simulation.step().is_err() {
            break;
        }
        work += simulation.particles().len() as f64;
    }
    (work > 0.0).then(|| work / started.elapsed().as_secs_f64())
}

/// Estimate of the run time, measured in the first steps.
pub fn run_time(loaded: &Loaded, simulation: &mut Simulation) -> String {
    let dt = simulation.dt();
    let threads = match loaded.scene.threads {
        1 => "one thread".to_owned(),
        count => format!("{count} threads"),
    };
    let particles =
        expected_particles(&loaded.scene).unwrap_or_default().max(simulation.particles().len());
    let Some(speed) = measured_speed(simulation, MEASURED) else {
        return "unknown: there are no particles at the start, or the first step fails".to_owned();
    };
    let found = format!(
        "by the {:.2} M particle-steps/s of the first steps on {threads}; a dense bed is slower",
        speed / 1e6
    );
    let waits = loaded.scene.stages.iter().any(|stage| {
        let end = &stage.end;
        end.kinetic_energy_below.is_some()
            || end.speed_below.is_some()
            || end.particles_reach.is_some()
            || end.particles_fall_to.is_some()
    });
    let time: Option<f64> = loaded.scene.stages.iter().map(|stage| stage.end.after).sum();
    match time {
        Some(time) => {
            let most = if waits { "at most " } else { "" };
            let seconds = time / dt * particles as f64 / speed;
            format!("{most}about {} {found}", long_time(seconds))
        }
        None => format!("unknown, since a stage has no `after` or `or_after`; {found}"),
    }
}

/// A time with a suitable unit.
pub fn long_time(seconds: f64) -> String {
    match seconds {
        s if s < 1.0 => "less than a second".to_owned(),
        s if s < 100.0 => format!("{s:.0} s"),
        s if s < 6000.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}
