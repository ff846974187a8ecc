//! Runs on several processes with a real `mpirun`: Open MPI is installed if it is missing.

use crate::python::install;
use crate::steps::{cargo, run};
use anyhow::{Result, ensure};
use std::process::{Command, Stdio};

/// Packages of Debian: the library with `mpicc`, the launcher, libclang for the bindings, and `ip` for the test of the
/// network.
const PACKAGES: [&str; 4] = ["libopenmpi-dev", "openmpi-bin", "libclang-dev", "iproute2"];

/// The tests with `mpirun`, built with the feature `mpi` and otherwise the features of `cargo test --workspace`, so
/// that only the program and the crate `mpi` are recompiled.
const TESTS: [&str; 4] = ["test", "--workspace", "--features", "esker-cli/mpi"];

/// True if a program can be started.
fn has(program: &str) -> bool {
    let mut command = Command::new(program);
    command
        .arg(if program == "ip" { "-Version" } else { "--version" })
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// True if the dynamic linker finds libclang, or the user has set its path.
fn has_libclang() -> bool {
    let known = Command::new("ldconfig").arg("-p").output();
    let known =
        known.map_or(String::new(), |out| String::from_utf8_lossy(&out.stdout).into_owned());
    known.contains("libclang") || std::env::var_os("LIBCLANG_PATH").is_some()
}

/// Installs missing parts of MPI.
pub fn prepare() -> Result<()> {
    if !(has("mpicc") && has("mpirun") && has("ip") && has_libclang()) {
        install(&PACKAGES)?;
    }
    ensure!(
        has("mpicc") && has("mpirun"),
        "Open MPI is installed, but `mpicc` or `mpirun` does not start"
    );
    Ok(())
}

/// The tests with `mpirun`, one after the other, since each starts several processes.
pub fn mpi() -> Result<()> {
    prepare()?;
    let mut tests = cargo(&TESTS);
    tests.args(["--test", "processes", "--test", "mpi", "--", "--test-threads", "1"]);
    run("ranks under mpirun", &mut tests)
}

/// A run on several network namespaces, one of which is disconnected. Needs root.
pub fn network() -> Result<()> {
    prepare()?;
    run(
        "ranks in network namespaces",
        cargo(&TESTS).args(["--test", "network", "--", "--nocapture"]),
    )
}
