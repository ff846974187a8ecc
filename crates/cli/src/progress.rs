//! Progress of a run: a bar on a terminal, otherwise a line every few seconds.

use crate::failure::say;
use esker::Simulation;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::path::Path;
use std::time::{Duration, Instant};

/// Time between two updates of the bar.
const BAR: Duration = Duration::from_millis(120);
/// Time between two lines without a terminal.
const LINES: Duration = Duration::from_secs(5);
/// Number of divisions of the bar.
const LENGTH: u64 = 1000;

/// Progress of a run.
#[derive(Debug)]
pub struct Progress {
    bar: Option<ProgressBar>,
    quiet: bool,
    started: Instant,
    /// Completed fraction of the run at the start.
    from: f64,
    last: Instant,
    /// Particle steps since the last update.
    work: f64,
}

impl Progress {
    /// Nothing is shown before [`Progress::begin`].
    pub fn new(quiet: bool) -> Self {
        let bar = (!quiet && std::io::stderr().is_terminal()).then(|| {
            let bar = ProgressBar::with_draw_target(Some(LENGTH), ProgressDrawTarget::stderr());
            if let Ok(style) = ProgressStyle::with_template("{bar:24.cyan/dim} {msg}") {
                bar.set_style(style.progress_chars("━━─"));
            }
            bar
        });
        let now = Instant::now();
        Self { bar, quiet, started: now, from: 0.0, last: now, work: 0.0 }
    }

    /// Announces the run.
    pub fn begin(&mut self, simulation: &Simulation, folder: &Path) {
        if !self.quiet {
            let (dt, limit) = (simulation.dt(), simulation.advice().limit);
            let fraction = match limit.is_finite() {
                true => format!(" ({:.2} of the limit)", dt / limit),
                false => String::new(),
            };
            say(format_args!(
                "{} particles, time step {dt:.3e} s{fraction}, writing to {}\n",
                simulation.counts().present,
                folder.display()
            ));
        }
        // on several ranks this would gather all particles on the first one
        if !self.quiet
            && simulation.steps() == 0
            && !simulation.is_divided()
            && let Some(overlap) = simulation.largest_overlap()
        {
            say(format_args!("largest overlap at the start: {overlap}\n"));
        }
        self.from = simulation.progress().unwrap_or(0.0);
        self.started = Instant::now();
        self.last = self.started;
    }

    /// Called after each step.
    pub fn show(&mut self, simulation: &Simulation) {
        if self.quiet {
            return;
        }
        self.work += simulation.counts().present as f64;
        let since = self.last.elapsed();
        if since < if self.bar.is_some() { BAR } else { LINES } {
            return;
        }
        let speed = self.work / since.as_secs_f64();
        self.last = Instant::now();
        self.work = 0.0;
        let text = self.text(simulation, speed);
        match &self.bar {
            Some(bar) => {
                let fraction = simulation.progress().unwrap_or(0.0);
                bar.set_position((fraction * LENGTH as f64) as u64);
                bar.set_message(text);
            }
            None => say(format_args!("{text}\n")),
        }
    }

    fn text(&self, simulation: &Simulation, speed: f64) -> String {
        let mut text = format!("t = {:.4} s", simulation.time());
        if let Some(fraction) = simulation.progress() {
            text.push_str(&format!(" ({:.0} %)", 100.0 * fraction));
        }
        text.push_str(&format!(
            ", {}, {:.2} M particle-steps/s, kinetic {:.2e} J",
            simulation.stage(),
            speed / 1e6,
            simulation.kinetic_energy()
        ));
        if let Some(left) = self.time_left(simulation) {
            text.push_str(&format!(", {left} left"));
        }
        text
    }

    fn time_left(&self, simulation: &Simulation) -> Option<String> {
        let fraction = simulation.progress()?;
        let done = fraction - self.from;
        if done < 1e-3 {
            return None;
        }
        let seconds = (self.started.elapsed().as_secs_f64() * (1.0 - fraction) / done) as u64;
        Some(match seconds {
            0..60 => format!("{seconds} s"),
            60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
            _ => format!("{} h {} min", seconds / 3600, seconds % 3600 / 60),
        })
    }

    /// Removes the bar.
    pub fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
