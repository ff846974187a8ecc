//! `cargo xtask test`: one step after the other, stopping at the first that fails.

use crate::{dependencies, guard, python, smoke, soak};
use anyhow::{Context, Result, ensure};
use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

/// Root of the workspace.
pub fn root() -> PathBuf {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    here.parent().map(PathBuf::from).unwrap_or(here)
}

/// Folder of everything that is built.
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

/// Runs a command and says how long it took.
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

/// Runs the published problems at their quick size; fails if a comparison does.
fn reproduce() -> Result<()> {
    let out = target().join("reproduced");
    // runs of an earlier program would not be used anyway
    if out.exists() {
        std::fs::remove_dir_all(&out)?;
    }
    let mut command = Command::new(program());
    command.args(["reproduce", "--all", "--quiet", "--out"]).arg(&out).current_dir(root());
    run("published problems, quick size", &mut command)
}

/// Everything that CI checks.
pub fn test() -> Result<()> {
    let clock = Instant::now();
    run("format", &mut cargo(&["fmt", "--all", "--check"]))?;
    let lint = ["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"];
    run("lints", &mut cargo(&lint))?;
    dependencies::dependencies()?;
    let python = python::with_vtk()?;
    run(
        "tests, examples and doc tests",
        cargo(&["test", "--workspace"]).env("ESKER_PYTHON", &python).env("ESKER_REQUIRE_VTK", "1"),
    )?;
    run("examples", &mut cargo(&["build", "--workspace", "--examples"]))?;
    // Units in brackets, such as [m], look like links that lead nowhere.
    let flags = "-D warnings -A rustdoc::broken_intra_doc_links";
    let libraries = ["doc", "--no-deps", "--lib", "--package", "esker", "--package", "esker-scene"];
    run("documentation", cargo(&libraries).env("RUSTDOCFLAGS", flags))?;
    build_program()?;
    guard::guard(false)?;
    smoke::smoke()?;
    reproduce()?;
    soak::soak(soak::Size::Short)?;
    eprintln!("all good after {:.0} s", clock.elapsed().as_secs_f64());
    Ok(())
}
