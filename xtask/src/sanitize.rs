//! `cargo xtask sanitize`: the tests of the engine under AddressSanitizer, or under valgrind's memcheck if there is no
//! nightly toolchain. Takes long and is not part of `test`.

use crate::python::install;
use crate::steps::{cargo, run, target};
use anyhow::{Context, Result, ensure};
use std::process::Command;

/// Tests that execute all `unsafe` code: every instruction set, several threads, integrators that reject steps, changes
/// during a run.
const TESTS: [&str; 4] =
    ["same_bits_on_every_instruction_set", "same_bits", "rejected_steps", "library_use"];

/// Runs the tests under the best tool that is available.
pub fn sanitize() -> Result<()> {
    let nightly = Command::new("rustup").args(["run", "nightly", "rustc", "--version"]).output();
    if nightly.is_ok_and(|output| output.status.success()) { address() } else { memcheck() }
}

/// AddressSanitizer, which requires a nightly compiler. It runs all instruction sets of the machine, including AVX-512.
fn address() -> Result<()> {
    let host = "x86_64-unknown-linux-gnu";
    let mut command = Command::new("rustup");
    command.args(["run", "nightly", "cargo", "test", "--package", "esker", "--lib"]);
    command.args(TESTS.iter().flat_map(|test| ["--test", test]));
    command
        .args(["--target", host, "--target-dir"])
        .arg(target().join("sanitize"))
        .env("RUSTFLAGS", "-Zsanitizer=address")
        .env("ASAN_OPTIONS", "detect_leaks=0")
        .current_dir(crate::steps::root());
    run("tests of the engine under AddressSanitizer", &mut command)
}

/// Memcheck, which runs the AVX2 and the baseline path: it does not support AVX-512.
fn memcheck() -> Result<()> {
    if Command::new("valgrind").arg("--version").output().is_err() {
        install(&["valgrind"])?;
    }
    let mut build = cargo(&["test", "--package", "esker", "--no-run", "--message-format", "json"]);
    let output =
        build.args(["--lib"]).args(TESTS.iter().flat_map(|test| ["--test", test])).output();
    let output = output.context("cannot start cargo")?;
    ensure!(output.status.success(), "the tests cannot be built");
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let message: serde_json::Value = serde_json::from_str(line).unwrap_or_default();
        let Some(program) = message["executable"].as_str() else { continue };
        let mut command = Command::new("valgrind");
        command.args(["--error-exitcode=1", "--quiet", program, "--test-threads=1"]);
        run(&format!("memcheck of {program}"), &mut command)?;
    }
    Ok(())
}
