//! `cargo xtask guard`: instructions per particle and step, counted by callgrind and compared with recorded counts, so
//! that a loss of speed is noticed. Counted on the baseline instruction set, since callgrind supports neither AVX-512
//! nor all of AVX2.

use crate::python::install;
use crate::steps::{cargo, root, run, target};
use anyhow::{Context, Result, bail, ensure};
use std::collections::BTreeMap;
use std::process::Command;

/// Counted cases of the example.
const CASES: [&str; 12] = [
    "default",
    "linear",
    "rolling",
    "materials",
    "torque",
    "penalty",
    "incremental",
    "radius",
    "ledger",
    "dynamic",
    "automatic",
    "update",
];

/// Number of steps counted in each case.
const STEPS: f64 = 40.0;

/// Largest cost of an update of the automatic time step, in force evaluations, with the rebuild of the neighbour list that
/// it causes: the list holds the pairs that can meet before the next update, and no more. Measured: 4.0, of which 2.0 for
/// the rebuild (docs/dev/time-step.md).
const MOST_EVALUATIONS: f64 = 4.2;

/// Fraction of a step that the force evaluation of the case `default` takes.
const EVALUATION: f64 = 0.9;

/// Fraction by which a count may grow before the guard fails. A change of compiler changes counts by one or two
/// percent.
const MARGIN: f64 = 0.05;

/// Installs valgrind if it is missing.
pub fn prepare() -> Result<()> {
    if Command::new("valgrind").arg("--version").output().is_err() {
        install(&["valgrind"])?;
    }
    Ok(())
}

/// Counts, and compares with the record or writes it.
pub fn guard(record: bool) -> Result<()> {
    prepare()?;
    let example = ["build", "--release", "--package", "esker", "--example", "instructions"];
    run("release build of the guard", &mut cargo(&example))?;
    let mut found = BTreeMap::new();
    for case in CASES {
        found.insert(case.to_owned(), count(case)?);
    }
    let path = root().join("xtask").join("instructions.json");
    if record {
        let text = serde_json::to_string_pretty(&found)? + "\n";
        return std::fs::write(&path, text).context("cannot write the record");
    }
    let text = std::fs::read_to_string(&path).context("there is no record: guard --record")?;
    let expected: BTreeMap<String, f64> = serde_json::from_str(&text)?;
    check_update(found["update"] - found["automatic"], found["default"])?;
    let mut worse = Vec::new();
    for (case, count) in &found {
        let before = expected.get(case).copied().unwrap_or(f64::NAN);
        let change = count / before - 1.0;
        eprintln!(
            "{case:<12} {count:8.1} instructions a particle and step, {:+.1} %",
            100.0 * change
        );
        if !(change <= MARGIN) {
            worse.push(case.as_str());
        }
    }
    if !worse.is_empty() {
        bail!(
            "{} cost more than {:.0} % more instructions than on record; if that is meant, \
             `cargo xtask guard --record`",
            worse.join(", "),
            100.0 * MARGIN
        );
    }
    Ok(())
}

/// The case `automatic` is the case `default` with an automatic step of the same length, and the case `update` the same
/// with one update.
fn check_update(difference: f64, step: f64) -> Result<()> {
    let evaluations = STEPS * difference / (EVALUATION * step);
    eprintln!("an update of the time step costs {evaluations:.2} force evaluations");
    ensure!(
        evaluations < MOST_EVALUATIONS,
        "an update of the time step costs {evaluations:.2} force evaluations; at most \
         {MOST_EVALUATIONS} are allowed"
    );
    Ok(())
}

/// Instructions per particle and step.
fn count(case: &str) -> Result<f64> {
    let program = target().join("release").join("examples").join("instructions");
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--toggle-collect=counted_steps"])
        .arg(format!("--callgrind-out-file={}", target().join("callgrind.out").display()))
        .arg(&program)
        .arg(case)
        .output()
        .context("cannot start valgrind")?;
    let log = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "callgrind failed on {case}:\n{log}");
    let collected = log.lines().find_map(|line| line.split_once("Collected :"));
    let instructions: f64 =
        collected.context("callgrind reports no count")?.1.trim().parse().context("its count")?;
    let work: f64 = String::from_utf8_lossy(&output.stdout).trim().parse().context("the work")?;
    Ok((10.0 * instructions / work).round() / 10.0)
}
