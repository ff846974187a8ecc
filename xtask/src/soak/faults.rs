//! File system errors at every operation of a small run: each ends the run with a message, and leaves a folder from
//! which the run continues to the same bytes.

use super::folders::{Files, esker, files, said, same, succeed};
use super::scenes::{TRAY, small};
use super::{Size, each};
use crate::steps::{root, run, target};
use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Mutex;

/// Numbers of errors on Linux.
const EIO: &str = "5";
const ENOSPC: &str = "28";
const ENOLCK: &str = "37";

/// Kind of an injected error.
#[derive(Debug, Clone, Copy)]
struct Mode {
    name: &'static str,
    variables: &'static [(&'static str, &'static str)],
}

const MODES: [Mode; 3] = [
    Mode { name: "full disk", variables: &[("FAULT_ERRNO", ENOSPC), ("FAULT_STAYS", "1")] },
    Mode { name: "one error", variables: &[("FAULT_ERRNO", EIO)] },
    Mode {
        name: "one error, named files",
        variables: &[("FAULT_ERRNO", EIO), ("FAULT_NAMED", "1")],
    },
];

/// Common data of all attempts.
struct Bench {
    library: PathBuf,
    folder: PathBuf,
    /// The files of a run without errors.
    whole: Files,
    /// How the attempts ended, for the report.
    counts: Mutex<Counts>,
}

#[derive(Debug, Default)]
struct Counts {
    injected: usize,
    tolerated: usize,
    resumed: usize,
    started_again: usize,
}

/// All operations; in short form each in one mode, else each in every mode.
pub fn faults(folder: &Path, size: Size) -> Result<()> {
    if !cfg!(target_os = "linux") {
        eprintln!("== soak: errors of the file system are injected on Linux only");
        return Ok(());
    }
    let folder = folder.canonicalize()?.join("faults");
    std::fs::create_dir_all(&folder)?;
    std::fs::write(folder.join("small.toml"), small())?;
    std::fs::write(folder.join("tray.stl"), TRAY)?;
    succeed(&mut esker(&folder, &["run", "small.toml", "--out", "whole"]))?;
    let whole = files(&folder.join("whole"))?;
    let bench = Bench { library: library()?, folder, whole, counts: Mutex::default() };
    bench.start(size)?;
    bench.resume(size)?;
    bench.locks()?;
    let counts = bench.counts.into_inner().unwrap_or_default();
    eprintln!("== soak: errors injected {counts:?}, every folder led to the same bytes");
    Ok(())
}

/// Compiles the library that injects errors.
fn library() -> Result<PathBuf> {
    let folder = target().join("faults");
    std::fs::create_dir_all(&folder)?;
    let library = folder.join("libfaults.so");
    let source = root().join("xtask/src/soak/faults.c");
    let mut command = Command::new(std::env::var_os("CC").unwrap_or_else(|| "cc".into()));
    command.args(["-shared", "-fPIC", "-O1", "-o"]).arg(&library).arg(source).arg("-ldl");
    run("library that injects errors", &mut command)?;
    Ok(library)
}

impl Bench {
    /// Runs with the error at operation `at` of the folder `out` (0 for none); returns the output, the number of
    /// operations, and the failed one.
    fn inject(
        &self,
        out: &str,
        more: &[&str],
        mode: Mode,
        at: usize,
    ) -> Result<(Output, usize, String)> {
        let log = self.folder.join(format!("{out}.log"));
        let mut arguments = vec!["run", "small.toml", "--out", out];
        arguments.extend(more);
        let output = esker(&self.folder, &arguments)
            .env("LD_PRELOAD", &self.library)
            .env("FAULT_UNDER", self.folder.join(out))
            .env("FAULT_AT", at.to_string())
            .env("FAULT_LOG", &log)
            .envs(mode.variables.iter().copied())
            .output()?;
        let text = std::fs::read_to_string(&log).context("the library was not loaded")?;
        let mut lines = text.lines();
        let count = lines.next().and_then(|line| line.parse().ok()).context("no count")?;
        Ok((output, count, lines.next().unwrap_or_default().to_owned()))
    }

    /// Errors in a run from its start.
    fn start(&self, size: Size) -> Result<()> {
        let (output, count, _) = self.inject("count", &[], MODES[0], 0)?;
        ensure!(output.status.success(), "without an error it fails: {}", said(&output));
        same(&self.whole, &files(&self.folder.join("count"))?)?;
        eprintln!("== soak: {count} operations on files, an error at each");
        each(count, |index| {
            let modes = if size == Size::Full { 0..MODES.len() } else { index % 3..index % 3 + 1 };
            for mode in modes {
                let out = format!("start-{}-{mode}", index + 1);
                self.attempt(&out, &[], MODES[mode], index + 1)?;
            }
            Ok(())
        })
    }

    /// Errors in a run that is resumed, from a folder left by a full disk.
    fn resume(&self, size: Size) -> Result<()> {
        let (_, count, _) = self.inject("half", &[], MODES[0], 0)?;
        std::fs::remove_dir_all(self.folder.join("half"))?;
        let (output, ..) = self.inject("half", &[], MODES[0], count * 7 / 10)?;
        ensure!(output.status.code() == Some(2), "{}", said(&output));
        let half = files(&self.folder.join("half"))?;
        ensure!(half.contains_key("checkpoint.esk"), "there is no checkpoint to go on from");
        write(&self.folder.join("again"), &half)?;
        let (output, count, _) = self.inject("again", &["--resume"], MODES[0], 0)?;
        ensure!(output.status.success(), "it cannot be resumed: {}", said(&output));
        let step = if size == Size::Full { 1 } else { 4 };
        eprintln!("== soak: {count} operations of a resumed run, an error at one of {step}");
        each(count.div_ceil(step), |index| {
            let at = index * step + 1;
            let out = format!("resume-{at}");
            write(&self.folder.join(&out), &half)?;
            self.attempt(&out, &["--resume"], MODES[index % 3], at)
        })
    }

    /// One error, and the following resume.
    fn attempt(&self, out: &str, more: &[&str], mode: Mode, at: usize) -> Result<()> {
        let (output, _, operation) = self.inject(out, more, mode, at)?;
        let name = mode.name;
        let outcome = self.judge(out, &output);
        outcome.with_context(|| format!("{name} at operation {at} of {out} ({operation})"))?;
        std::fs::remove_dir_all(self.folder.join(out))?;
        Ok(())
    }

    fn judge(&self, out: &str, output: &Output) -> Result<()> {
        let folder = self.folder.join(out);
        let message = said(output);
        ensure!(!message.contains("panicked"), "it panicked: {message}");
        let mut counts = Counts { injected: 1, ..Counts::default() };
        if output.status.success() {
            // Only the removal of unneeded files may fail silently.
            counts.tolerated = 1;
            same(&self.whole, &files(&folder)?)?;
        } else {
            ensure!(output.status.code() == Some(2), "{}: {message}", output.status);
            let named = message.contains("error: cannot ") && message.contains(&format!("`{out}"));
            ensure!(named, "the message names no file: {message}");
            let resume = esker(&self.folder, &["run", "small.toml", "--out", out, "--resume"]);
            let output = { resume }.output()?;
            match output.status.success() {
                true => counts.resumed = 1,
                false => {
                    let message = said(&output);
                    let nothing = ["is not there", "holds no run"];
                    ensure!(
                        nothing.iter().any(|word| message.contains(word)),
                        "resumed: {message}"
                    );
                    succeed(&mut esker(&self.folder, &["run", "small.toml", "--out", out]))?;
                    counts.started_again = 1;
                }
            }
            same(&self.whole, &files(&folder)?)?;
        }
        if let Ok(mut all) = self.counts.lock() {
            all.injected += counts.injected;
            all.tolerated += counts.tolerated;
            all.resumed += counts.resumed;
            all.started_again += counts.started_again;
        }
        Ok(())
    }

    /// A file system without locks: runs are possible, with a warning.
    fn locks(&self) -> Result<()> {
        let mode = Mode { name: "no locks", variables: &[("FAULT_FLOCK", ENOLCK)] };
        let (output, ..) = self.inject("locks", &[], mode, 0)?;
        let message = said(&output);
        ensure!(output.status.success(), "{message}");
        ensure!(message.contains("cannot lock the folder"), "{message}");
        same(&self.whole, &files(&self.folder.join("locks"))?)?;
        std::fs::write(self.folder.join("locks/run.lock"), "7 another-host")?;
        let (output, ..) = self.inject("locks", &["--resume"], mode, 0)?;
        let message = said(&output);
        ensure!(output.status.code() == Some(2), "{message}");
        ensure!(message.contains("locked by process 7 on `another-host`"), "{message}");
        ensure!(
            message.contains("help: if that run is not active, remove `run.lock`"),
            "{message}"
        );
        Ok(())
    }
}

/// Writes files into a new folder.
fn write(folder: &Path, files: &Files) -> Result<()> {
    for (name, bytes) in files {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap_or(folder))?;
        std::fs::write(path, bytes)?;
    }
    Ok(())
}
