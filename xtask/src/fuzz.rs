//! `cargo xtask fuzz`: runs the fuzzer of `crates/study/tests/fuzz` for a given time, guided by coverage, with another
//! seed in each round, in a process with limited memory.
//!
//! Coverage comes from the profiler of the stable compiler (`-C instrument-coverage`), whose counters the test program
//! reads after each input; cargo-fuzz would need a nightly compiler.

use crate::steps::{cargo, root, target};
use anyhow::{Context, Result, bail, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// Memory of the process, in kB: that of one input, with room for code, stacks and the corpus.
const MEMORY: u64 = 6 << 20;
/// Time of one kind in each round [s].
const ROUND: f64 = 60.0;
/// Kinds of input: tests of the program, run one by one.
const KINDS: [(&str, &str); 7] = [
    ("scene", "changed_scenes"),
    ("mesh", "changed_meshes"),
    ("table", "changed_tables"),
    ("checkpoint", "changed_checkpoints"),
    ("run", "changed_run_folders"),
    ("case", "changed_case_folders"),
    ("words", "changed_expressions"),
];

/// Reads `--minutes N`, `--seed N` and names of kinds, and runs.
pub fn fuzz(words: &[&str]) -> Result<()> {
    let (mut minutes, mut seed, mut only) = (10.0, 1_u64, Vec::new());
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        match *word {
            "--minutes" => minutes = rest.next().context("--minutes needs a number")?.parse()?,
            "--seed" => seed = rest.next().context("--seed needs a number")?.parse()?,
            kind if KINDS.iter().any(|(name, _)| *name == kind) => only.push(kind),
            other => bail!("`{other}` is no option and no kind: {:?}", KINDS.map(|kind| kind.0)),
        }
    }
    let program = build()?;
    let clock = Instant::now();
    let time = Duration::from_secs_f64(60.0 * minutes);
    let mut found = Vec::new();
    while clock.elapsed() < time {
        for (kind, test) in KINDS {
            let left = time.saturating_sub(clock.elapsed()).as_secs_f64();
            if left < 1.0 || !(only.is_empty() || only.contains(&kind)) {
                continue;
            }
            if let Some(what) = round(&program, kind, test, ROUND.min(left), seed)? {
                eprintln!("== fuzz: {what}");
                found.push(what);
            }
        }
        seed += 1;
    }
    ensure!(
        found.is_empty(),
        "found, and kept under crates/study/tests/found:\n{}",
        found.join("\n")
    );
    eprintln!("== fuzz: nothing found; the next seed is {seed}");
    Ok(())
}

/// Builds the test program with counters in the crates of this workspace; cargo keeps it separate from the usual build.
fn build() -> Result<PathBuf> {
    let folder = target().join("fuzz");
    std::fs::create_dir_all(&folder)?;
    let wrapper = folder.join("instrument.sh");
    std::fs::write(
        &wrapper,
        "#!/bin/sh\nexec \"$@\" -C instrument-coverage --cfg coverage_guided\n",
    )?;
    let mut permissions = std::fs::metadata(&wrapper)?.permissions();
    executable(&mut permissions);
    std::fs::set_permissions(&wrapper, permissions)?;
    eprintln!("== fuzz: build with counters");
    let list =
        ["test", "--package", "esker-study", "--test", "fuzz", "--no-run", "--message-format=json"];
    let output = cargo(&list)
        .env("RUSTC_WORKSPACE_WRAPPER", &wrapper)
        .stderr(std::process::Stdio::inherit())
        .output()?;
    ensure!(output.status.success(), "the build failed");
    let text = String::from_utf8_lossy(&output.stdout);
    let mut programs = text.lines().filter_map(|line| {
        let message: serde_json::Value = serde_json::from_str(line).ok()?;
        Some(PathBuf::from(message["executable"].as_str()?))
    });
    programs.next_back().context("no program was built")
}

#[cfg(unix)]
fn executable(permissions: &mut std::fs::Permissions) {
    use std::os::unix::fs::PermissionsExt;
    permissions.set_mode(0o755);
}

#[cfg(not(unix))]
fn executable(_: &mut std::fs::Permissions) {}

/// Fuzzes one kind for some seconds; returns the failure, if any.
fn round(
    program: &Path,
    kind: &str,
    test: &str,
    seconds: f64,
    seed: u64,
) -> Result<Option<String>> {
    // The program saves inputs that cause a panic; if it is ended, its current input remains.
    let script = format!("ulimit -v {MEMORY}; exec \"$0\" \"$@\"");
    let status = Command::new("sh")
        .args(["-c", &script])
        .arg(program)
        .args(["--nocapture", "--test-threads=1", test])
        .env("ESKER_FUZZ_SECONDS", seconds.to_string())
        .env("ESKER_FUZZ_SEED", seed.to_string())
        .env("LLVM_PROFILE_FILE", "/dev/null")
        .current_dir(root().join("crates/study"))
        .status()?;
    match status.code() {
        Some(0) => Ok(None),
        Some(101) => Ok(Some(format!("{kind}, seed {seed}: see the messages above"))),
        _ => {
            let present = target().join("tmp/fuzz").join(kind);
            let kept = root().join("crates/study/tests/found").join(format!("{kind}-ended-{seed}"));
            copy(&present, &kept)?;
            Ok(Some(format!("{kind}, seed {seed}: {status}, input in {}", kept.display())))
        }
    }
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        match entry.file_type()?.is_dir() {
            true => copy(&entry.path(), &target)?,
            false => drop(std::fs::copy(entry.path(), target)?),
        }
    }
    Ok(())
}
