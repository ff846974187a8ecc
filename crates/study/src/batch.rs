//! Concurrent runs: each has its own folder and continues from its checkpoint; a run that the same program has finished
//! with the same input is not repeated.

use esker::Simulation;
use esker_draw::OutputError;
use esker_scene::plain_file::{self, LONGEST_FILE};
use esker_scene::run::{self, Ended, Run, RunError, RunOptions};
use esker_scene::{Diagnostics, Loaded};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The outcome of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunResult {
    /// Its name.
    pub name: String,
    /// Its folder.
    pub folder: PathBuf,
    /// Overrides of the scene, `KEY=VALUE`.
    pub changes: Vec<String>,
    /// How the run ended.
    pub ended: String,
    /// Reason if it was stopped as unphysical.
    pub failure: Option<String>,
    /// Particles at the end.
    pub particles: u64,
    /// Simulated time [s].
    pub time: f64,
    /// Steps.
    pub steps: u64,
    /// Wall-clock time [s].
    pub wall_time: f64,
    /// Processor time, if known [s].
    #[serde(default)]
    pub processor_time: Option<f64>,
    /// The date of its end, such as `2026-11-16`.
    #[serde(default)]
    pub day: String,
    /// True if an earlier result of the same program was reused.
    pub reused: bool,
}

/// The outcome of an attempt to make a run.
#[derive(Debug, Clone, PartialEq)]
pub enum Attempt {
    /// The run has ended, finished or stopped as unphysical.
    Made(RunResult),
    /// The user interrupted it; the next attempt continues from the checkpoint.
    Interrupted,
}

/// A run to be made.
#[derive(Debug, Clone, Copy)]
pub struct RunSpecification<'a> {
    /// Name of the run and of its folder.
    pub name: &'a str,
    /// The parent folder.
    pub parent: &'a Path,
    /// Hash of everything that the run depends on: a result with another stamp is not reused.
    pub stamp: &'a str,
    /// Overrides of the scene, `KEY=VALUE`.
    pub changes: &'a [String],
    /// Number of threads; 0 selects a suitable number.
    pub threads: usize,
    /// True if only numerical results are needed: no frames, no contact lists, no report.
    pub light: bool,
}

/// Hash of everything that a run depends on. `sums` caches checksums of files.
pub fn stamp(
    program: &str,
    light: bool,
    loaded: &Loaded,
    changes: &[String],
    sums: &mut BTreeMap<PathBuf, u32>,
) -> String {
    let mut lines = vec![
        program.to_owned(),
        if light { "numbers" } else { "everything" }.to_owned(),
        format!("{:08x} scene", crc32fast::hash(loaded.source.text().as_bytes())),
    ];
    for path in &loaded.files {
        let sum = *sums.entry(path.clone()).or_insert_with(|| {
            // An unreadable file is an error when the run is made.
            crc32fast::hash(&plain_file::read(path, LONGEST_FILE).unwrap_or_default())
        });
        lines.push(format!("{sum:08x} {}", path.display()));
    }
    for (name, list) in loaded.provided() {
        lines.push(format!("{:08x} {name}", list.checksum()));
    }
    lines.extend(changes.iter().cloned());
    lines.join("\n")
}

/// Observes a run in progress.
pub trait Watcher {
    /// Before the start; `goes_on` if the run may continue an earlier attempt.
    fn begin(&mut self, loaded: &Loaded, goes_on: bool) -> Result<(), RunError>;
    /// At the start and after each step.
    fn look(&mut self, simulation: &Simulation) -> Result<(), OutputError>;
}

/// Observes nothing.
impl Watcher for () {
    fn begin(&mut self, _: &Loaded, _: bool) -> Result<(), RunError> {
        Ok(())
    }

    fn look(&mut self, _: &Simulation) -> Result<(), OutputError> {
        Ok(())
    }
}

impl RunSpecification<'_> {
    fn folder(&self) -> PathBuf {
        self.parent.join(self.name)
    }

    fn file(&self, ending: &str) -> PathBuf {
        self.parent.join(format!("{}.{ending}", self.name))
    }

    /// True if an earlier attempt has left files, and whether it was made from the same input by the same program.
    pub fn earlier(&self) -> Option<bool> {
        let found = plain_file::read_text(&self.file("stamp"), LONGEST_FILE).ok()?;
        Some(found == self.stamp)
    }

    /// The result of an earlier attempt, if it can be reused.
    pub fn finished(&self) -> Option<RunResult> {
        if self.earlier() != Some(true) {
            return None;
        }
        let text = plain_file::read_text(&self.file("json"), LONGEST_FILE).ok()?;
        let result: RunResult = serde_json::from_str(&text).ok()?;
        let folder = self.folder();
        let there = run::holds_run(&folder) && folder.join("summary.json").is_file();
        there.then_some(RunResult { reused: true, folder, ..result })
    }

    /// Makes or continues the run, or returns the finished result.
    pub fn make(
        &self,
        load: impl FnOnce() -> Result<Loaded, Diagnostics>,
        interrupt: &AtomicBool,
        watcher: &mut impl Watcher,
    ) -> Result<Attempt, RunError> {
        if let Some(result) = self.finished() {
            return Ok(Attempt::Made(result));
        }
        let same = self.earlier() == Some(true);
        fs::create_dir_all(self.parent).map_err(OutputError::system("create", self.parent))?;
        let loaded = load().map_err(|diagnostics| RunError::Scene(Box::new(diagnostics)))?;
        watcher.begin(&loaded, same)?;
        let options = |resume: bool| RunOptions {
            folder: self.folder(),
            threads: self.threads,
            resume,
            force: !resume,
            overrides: self.changes.to_vec(),
            light: self.light,
            strict: false,
            viewer: None,
            ranks: 1,
            comm: None,
            cores: 0,
        };
        let resumed = if same { Run::open(loaded.clone(), &options(true)).ok() } else { None };
        let opened = match resumed {
            Some(run) => run,
            None => Run::open(loaded, &options(false))?,
        };
        run::write_file(&self.file("stamp"), self.stamp.as_bytes())?;
        watcher.look(opened.simulation())?;
        let mut trouble = None;
        let summary = opened.finish(interrupt, |simulation| {
            if let Err(error) = watcher.look(simulation) {
                trouble.get_or_insert(error);
            }
        })?;
        if let Some(error) = trouble {
            return Err(error.into());
        }
        if matches!(summary.ended, Ended::Interrupted | Ended::OutOfTime) {
            return Ok(Attempt::Interrupted);
        }
        let result = RunResult {
            name: self.name.to_owned(),
            folder: self.folder(),
            changes: self.changes.to_vec(),
            ended: summary.ended.name().to_owned(),
            failure: summary.failure.clone(),
            particles: summary.particles.present,
            time: summary.time,
            steps: summary.steps,
            wall_time: summary.wall_time,
            processor_time: summary.processor_time,
            day: run::today(),
            reused: false,
        };
        let text = serde_json::to_string_pretty(&result).unwrap_or_default();
        run::write_file(&self.file("json"), text.as_bytes())?;
        Ok(Attempt::Made(result))
    }
}

/// Takes a folder for the output of a command: a new one, an empty one, or one that the same command has marked as its
/// own.
pub fn take_folder(folder: &Path, command: &'static str) -> Result<(), RunError> {
    check_folder(folder, command)?;
    fs::create_dir_all(folder).map_err(OutputError::system("create", folder))?;
    let text =
        format!("This folder belongs to `esker {command}`; the same command continues in it.\n");
    Ok(run::write_file(&folder.join(mark(command)), text.as_bytes())?)
}

/// True if a command may take a folder; writes nothing.
pub fn check_folder(folder: &Path, command: &'static str) -> Result<(), RunError> {
    if folder.join(mark(command)).is_file() {
        return Ok(());
    }
    let empty = match fs::read_dir(folder) {
        Ok(mut entries) => entries.next().is_none(),
        Err(error) if error.kind() == ErrorKind::NotFound => true,
        Err(error) => return Err(OutputError::system("read", folder)(error).into()),
    };
    if empty {
        return Ok(());
    }
    let what = if run::holds_run(folder) { "a run" } else { "other files" };
    Err(RunError::NotOurs { path: folder.to_path_buf(), what, command })
}

/// The file that marks a folder as one of a command.
fn mark(command: &str) -> String {
    format!("esker-{command}.txt")
}

/// Executes the tasks from index 0, `jobs` of them concurrently (0 selects one per core), started in this order. Tasks
/// not started before the interrupt have no result.
pub fn side_by_side<T: Send>(
    count: usize,
    jobs: usize,
    interrupt: &AtomicBool,
    work: impl Fn(usize) -> T + Sync,
) -> Vec<Option<T>> {
    let jobs = match jobs {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        jobs => jobs,
    };
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<Option<T>>> = Mutex::new((0..count).map(|_| None).collect());
    let worker = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= count || interrupt.load(Ordering::Relaxed) {
                return;
            }
            let outcome = work(index);
            if let Ok(mut done) = done.lock() {
                done[index] = Some(outcome);
            }
        }
    };
    std::thread::scope(|scope| {
        (0..jobs.clamp(1, count.max(1))).for_each(|_| {
            scope.spawn(worker);
        });
    });
    done.into_inner().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_work_is_done_once_and_comes_back_in_order() {
        let interrupt = AtomicBool::new(false);
        let counted = AtomicUsize::new(0);
        let done = side_by_side(100, 3, &interrupt, |index| {
            counted.fetch_add(1, Ordering::Relaxed);
            2 * index
        });
        assert_eq!(counted.into_inner(), 100);
        assert!(done.iter().enumerate().all(|(index, value)| *value == Some(2 * index)));
    }

    #[test]
    fn nothing_begins_after_an_interrupt() {
        let interrupt = AtomicBool::new(false);
        let done = side_by_side(10, 1, &interrupt, |index| {
            interrupt.store(index == 3, Ordering::Relaxed);
        });
        assert_eq!(done.iter().flatten().count(), 4);
    }
}
