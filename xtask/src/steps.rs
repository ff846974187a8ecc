//! `cargo xtask test`: consecutive steps, up to the first failure.

use crate::{dependencies, doc, guard, mpi, python, smoke, soak, view, wheel};
use anyhow::{Context, Result, ensure};
use std::path::PathBuf;
use std::process::Command;
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

/// Runs a part of the tests and records its duration.
fn part(
    minutes: &mut Vec<(&'static str, f64)>,
    name: &'static str,
    act: impl FnOnce() -> Result<()>,
) -> Result<()> {
    let clock = Instant::now();
    act()?;
    minutes.push((name, clock.elapsed().as_secs_f64() / 60.0));
    Ok(())
}

/// Everything that CI checks.
pub fn test(needs: Needs) -> Result<()> {
    let mut minutes = Vec::new();
    let has_system = needs == Needs::System;
    part(&mut minutes, "format, lints, dependencies", || {
        run("format", &mut cargo(&["fmt", "--all", "--check"]))?;
        let lint = ["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"];
        run("lints", &mut cargo(&lint))?;
        dependencies::dependencies()
    })?;
    part(&mut minutes, "tests, examples, doc tests", || {
        let mut tests = cargo(&["test", "--workspace"]);
        if has_system {
            tests.env("ESKER_PYTHON", python::with_vtk()?).env("ESKER_REQUIRE_VTK", "1");
        }
        run("tests and doc tests", &mut tests)?;
        run("examples", &mut cargo(&["build", "--workspace", "--examples"]))
    })?;
    if has_system {
        part(&mut minutes, "ranks under mpirun", mpi::mpi)?;
    }
    part(&mut minutes, "documentation", doc::documentation)?;
    part(&mut minutes, "release build", build_program)?;
    if has_system {
        part(&mut minutes, "instruction counts", || guard::guard(false))?;
    }
    if has_system {
        part(&mut minutes, "Python package", || wheel::wheel(wheel::Calls::Few))?;
    }
    part(&mut minutes, "end-to-end run", smoke::smoke)?;
    if has_system {
        part(&mut minutes, "viewer in the browser", || view::view(&[]))?;
    }
    part(&mut minutes, "published problems", reproduce)?;
    if has_system {
        part(&mut minutes, "short soak", || soak::soak(soak::Size::Short))?;
    }
    for (name, minutes) in &minutes {
        eprintln!("{minutes:6.1} min  {name}");
    }
    let total: f64 = minutes.iter().map(|(_, minutes)| minutes).sum();
    eprintln!("{total:6.1} min  all parts passed");
    Ok(())
}
