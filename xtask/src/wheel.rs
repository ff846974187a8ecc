//! `cargo xtask wheel`: builds the Python package and tests it in a fresh virtual environment.

use crate::python::interpreter;
use crate::steps::{program, root, run, target};
use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The builder of the wheel.
const MATURIN: &str = "maturin==1.16.0";

/// Number of random calls of the interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Calls {
    /// Some thousand.
    Few,
    /// A hundred thousand, and ten thousand simulations built and dropped.
    Many,
}

/// Builds the wheel, installs it in a new environment and runs its tests. The program must be built.
pub fn wheel(calls: Calls) -> Result<()> {
    let wheel = build()?;
    let tests = target().join("python-test");
    if tests.exists() {
        std::fs::remove_dir_all(&tests)?;
    }
    let python = environment(&tests)?;
    let requirements = folder().join("tests").join("requirements.txt");
    let mut install = pip(&python);
    install.arg("--requirement").arg(requirements).arg(&wheel);
    run("packages for the tests of the wheel", &mut install)?;
    check_types(&python)?;
    let mut tests = Command::new(&python);
    tests.args(["-m", "pytest", "--quiet", "--durations=5", "tests"]).current_dir(folder());
    tests.env("ESKER_PROGRAM", program());
    if calls == Calls::Many {
        tests.env("ESKER_MANY_CALLS", "1");
    }
    run("tests of the Python package", &mut tests)
}

/// Builds the wheel without testing it.
pub fn build_alone() -> Result<()> {
    build().map(drop)
}

fn folder() -> PathBuf {
    root().join("crates").join("python")
}

/// The wheel: one for every CPython from 3.11.
fn build() -> Result<PathBuf> {
    let python = environment(&target().join("python-build"))?;
    run("maturin", pip(&python).arg(MATURIN))?;
    let wheels = target().join("wheels");
    if wheels.exists() {
        std::fs::remove_dir_all(&wheels)?;
    }
    let mut build = Command::new(&python);
    build.args(["-m", "maturin", "build", "--release", "--manifest-path"]);
    build.arg(folder().join("Cargo.toml")).arg("--out").arg(&wheels);
    build.arg("--interpreter").arg(&python).current_dir(root());
    build.env("CARGO_TARGET_DIR", target());
    run("wheel", &mut build)?;
    let mut found = std::fs::read_dir(&wheels)?.flatten().map(|entry| entry.path());
    let wheel = found.find(|path| path.extension().is_some_and(|end| end == "whl"));
    let wheel = wheel.context("maturin has written no wheel")?;
    let name = wheel.display().to_string();
    ensure!(name.contains("-cp311-abi3-"), "{name} is not for every CPython from 3.11");
    Ok(wheel)
}

/// The stubs against the module, the package and the examples against the stubs.
fn check_types(python: &Path) -> Result<()> {
    let mut mypy = Command::new(python);
    mypy.args(["-m", "mypy", "--strict", "--package", "esker"]).current_dir(target());
    run("types of the Python package", &mut mypy)?;
    let mut stubs = Command::new(python);
    stubs.args(["-m", "mypy.stubtest", "esker"]).current_dir(target());
    run("type stubs against the module", &mut stubs)
}

/// The interpreter of a virtual environment, which is made if it does not exist.
fn environment(folder: &Path) -> Result<PathBuf> {
    let python = folder.join("bin").join("python");
    if !python.exists() {
        let mut make = Command::new(interpreter()?);
        run("virtual environment", make.args(["-m", "venv"]).arg(folder))?;
    }
    Ok(python)
}

fn pip(python: &Path) -> Command {
    let mut command = Command::new(python);
    command.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
    command
}
