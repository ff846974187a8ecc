//! `cargo xtask test`: all checks of CI, stopping at the first that fails.

use crate::{dependencies, doc, guard, mpi, python, smoke, soak, view, wheel};
use anyhow::{Context, Result, ensure};
use std::fs::File;
use std::path::PathBuf;
use std::process::{Child, Command};
use std::time::Instant;

/// Root of the workspace.
pub fn root() -> PathBuf {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    here.parent().map(PathBuf::from).unwrap_or(here)
}

/// Build folder.
pub fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// The program, built for release.
pub fn program() -> PathBuf {
    target().join("release").join("esker")
}

/// A command of cargo in the root of the workspace.
pub fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(root());
    command
}

/// Runs a command and prints its duration.
pub fn run(name: &str, command: &mut Command) -> Result<()> {
    eprintln!("== {name}");
    let clock = Instant::now();
    let status = command.status().with_context(|| format!("cannot start: {name}"))?;
    ensure!(status.success(), "failed: {name} ({status})");
    eprintln!("== {name}: {:.0} s", clock.elapsed().as_secs_f64());
    Ok(())
}

/// Builds the program for release.
pub fn build_program() -> Result<()> {
    run("release build", &mut cargo(&["build", "--release", "--package", "esker-cli"]))
}

/// Runs the published problems at their quick size; fails if a comparison fails.
fn reproduce() -> Result<()> {
    let out = target().join("reproduced");
    // runs of an earlier program would not be reused
    if out.exists() {
        std::fs::remove_dir_all(&out)?;
    }
    let mut command = Command::new(program());
    command.args(["reproduce", "--all", "--quiet", "--out"]).arg(&out).current_dir(root());
    run("published problems, quick size", &mut command)
}

/// Requirements of the tests other than Rust.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    /// Packages of a Debian system, installed as root: valgrind, Python with VTK, a C compiler, Open MPI.
    System,
    /// None: for other systems, without the checks that need packages.
    Portable,
}

/// Durations of the parts [min].
#[derive(Debug, Default)]
struct Durations(Vec<(&'static str, f64)>);

impl Durations {
    /// Runs a part of the tests and records its duration.
    fn part(&mut self, name: &'static str, act: impl FnOnce() -> Result<()>) -> Result<()> {
        let clock = Instant::now();
        act()?;
        self.0.push((name, clock.elapsed().as_secs_f64() / 60.0));
        Ok(())
    }

    fn print(&self) {
        for (name, minutes) in &self.0 {
            eprintln!("{minutes:6.1} min  {name}");
        }
    }
}

/// All checks of CI. Builds for release and checks without time limits run at low priority beside the lints and tests,
/// because these use two cores only in part.
pub fn test(needs: Needs) -> Result<()> {
    let clock = Instant::now();
    let mut durations = Durations::default();
    let has_system = needs == Needs::System;
    if has_system {
        // before the checks in the background start: two installations at a time fail
        guard::prepare()?;
        python::interpreter()?;
    }
    let background = Background::start(needs)?;
    durations.part("format, lints, dependencies", || {
        run("format", &mut cargo(&["fmt", "--all", "--check"]))?;
        let lint = ["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"];
        run("lints", &mut cargo(&lint))?;
        dependencies::dependencies()
    })?;
    durations.part("tests, examples, doc tests", || {
        let mut tests = cargo(&["test", "--workspace"]);
        if has_system {
            tests.env("ESKER_PYTHON", python::with_vtk()?).env("ESKER_REQUIRE_VTK", "1");
        }
        run("tests and doc tests", &mut tests)?;
        run("examples", &mut cargo(&["build", "--workspace", "--examples"]))
    })?;
    durations.part("documentation", doc::documentation)?;
    durations.part("rest of the builds and checks in the background", || background.finish())?;
    if has_system {
        durations.part("ranks under mpirun", mpi::mpi)?;
        durations.part("Python package", || wheel::wheel(wheel::Calls::Few))?;
    }
    durations.part("end-to-end run", smoke::smoke)?;
    if has_system {
        durations.part("viewer in the browser", || view::view(&[]))?;
        durations.part("short soak", || soak::soak(soak::Size::Short))?;
    }
    durations.print();
    eprintln!("{:6.1} min  all parts passed", clock.elapsed().as_secs_f64() / 60.0);
    Ok(())
}

/// The checks that run beside the tests: release builds, instruction counts, published problems.
pub fn test_in_background(needs: Needs) -> Result<()> {
    let mut durations = Durations::default();
    durations.part("in the background: release build", build_program)?;
    if needs == Needs::System {
        durations.part("in the background: instruction counts", || guard::guard(false))?;
        durations.part("in the background: build of the Python package", wheel::build_alone)?;
    }
    durations.part("in the background: published problems", reproduce)?;
    durations.print();
    Ok(())
}

/// This program as a second process, which runs `test_in_background` with its output in a file.
struct Background {
    process: Child,
    log: PathBuf,
}

impl Background {
    fn start(needs: Needs) -> Result<Self> {
        let log = target().join("test-in-background.log");
        let output =
            File::create(&log).with_context(|| format!("cannot write {}", log.display()))?;
        let program = std::env::current_exe()?;
        let mut command = match needs {
            Needs::System => {
                let mut nice = Command::new("nice");
                nice.args(["-n", "10"]).arg(program);
                nice
            }
            Needs::Portable => Command::new(program),
        };
        command.args(["test", "--background"]);
        if needs == Needs::Portable {
            command.arg("--portable");
        }
        let process = command
            .stdout(output.try_clone()?)
            .stderr(output)
            .spawn()
            .context("cannot start the checks in the background")?;
        Ok(Self { process, log })
    }

    /// Waits for the end, prints the output, and fails if a check failed.
    fn finish(mut self) -> Result<()> {
        let status = self.process.wait()?;
        eprint!("{}", std::fs::read_to_string(&self.log)?);
        ensure!(status.success(), "failed: checks in the background ({status})");
        Ok(())
    }
}

impl Drop for Background {
    /// If a check in the foreground fails, those in the background end.
    fn drop(&mut self) {
        if matches!(self.process.try_wait(), Ok(None)) {
            let _ = self.process.kill();
            let _ = self.process.wait();
        }
    }
}
