//! A structured mutation fuzzer: after any mutation of a scene, a mesh, a table, a checkpoint, a run folder or a case
//! folder, reading it ends in a usable object or in a message, within limits of time and memory.
//!
//! The tests try inputs of a fixed seed for a few seconds each. `cargo xtask fuzz` continues for a given time, with
//! other seeds, guided by coverage. An input that causes a failure is saved in `tests/found/` and from then on tested
//! by `every_input_that_was_found_is_read_within_the_limits`.

mod coverage;
mod examine;
mod input;
mod limits;
mod mutate;
mod random;
mod seeds;

use input::{Input, Kind};
use random::Random;
use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Number of inputs of each kind in the tests, unless the time is up before.
const INPUTS: usize = 3000;
/// Time of each kind [s].
const SECONDS: f64 = 8.0;
/// Number of characters of a message by which faults are distinguished.
const FAULT: usize = 60;
/// Largest number of kept inputs that led to new code.
const MOST_KEPT: usize = 2000;

/// Memory and time are measured for the process: one kind at a time.
static TURN: Mutex<()> = Mutex::new(());

fn setting(name: &str) -> Option<f64> {
    std::env::var(name).ok()?.parse().ok()
}

/// Folder of the current input, so that it can be found if the process is ended.
fn present(kind: Kind) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzz").join(kind.name())
}

/// Tries one input; a fault of the program is the error.
fn attempt(kind: Kind, input: &Input) -> Result<(), String> {
    let folder = present(kind);
    input.write(&folder);
    let before = limits::held();
    limits::begin(&folder.display().to_string());
    let outcome = std::panic::catch_unwind(AssertUnwindSafe(|| examine::examine(kind, &folder)));
    let within = limits::end(before);
    match outcome {
        Ok(outcome) => outcome.and(within),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
            Err(format!("it panicked: {}", text.unwrap_or_default()))
        }
    }
}

/// Tries inputs of a kind until their number or time is reached.
fn fuzz(kind: Kind) {
    let _turn = TURN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let long = setting("ESKER_FUZZ_SECONDS");
    let time = Duration::from_secs_f64(long.unwrap_or(SECONDS));
    let most = if long.is_some() { usize::MAX } else { INPUTS };
    let mut random = Random(setting("ESKER_FUZZ_SEED").unwrap_or(18.0) as u64);
    let clock = Instant::now();
    let mut kept: Vec<Input> = Vec::new();
    let mut wrong = BTreeMap::new();
    let mut tried = 0;
    while tried < most && clock.elapsed() < time && wrong.len() < 20 {
        let input = match kept.is_empty() || random.once_in(2) {
            true => seeds::next(kind, &mut random),
            false => seeds::further(random.clone().pick(&kept), &mut random),
        };
        coverage::clear();
        match attempt(kind, &input) {
            // One input for each fault: messages that differ only in numbers are the same fault.
            Err(what) => {
                let letters = what.chars().filter(|c| !c.is_ascii_digit());
                let fault: String = letters.take(FAULT).collect();
                let found = || format!("{}: {what}", input.keep(kind).display());
                wrong.entry(fault).or_insert_with(found);
            }
            Ok(()) if coverage::is_new() && kept.len() < MOST_KEPT => kept.push(input),
            Ok(()) => {}
        }
        tried += 1;
    }
    let name = kind.name();
    println!(
        "{tried} inputs of kind {name} in {:.1} s, {} kept",
        clock.elapsed().as_secs_f64(),
        kept.len()
    );
    let wrong: Vec<String> = wrong.into_values().collect();
    assert!(wrong.is_empty(), "{name}:\n{}", wrong.join("\n"));
}

#[test]
fn changed_scenes_are_refused_with_a_line_or_make_steps() {
    fuzz(Kind::Scene);
}

#[test]
fn changed_meshes_are_refused_or_become_walls() {
    fuzz(Kind::Mesh);
}

#[test]
fn changed_tables_are_refused_or_become_particles_and_motions() {
    fuzz(Kind::Table);
}

#[test]
fn changed_checkpoints_are_refused_or_make_steps() {
    fuzz(Kind::Checkpoint);
}

#[test]
fn changed_run_folders_are_refused_or_resumed() {
    fuzz(Kind::Run);
}

#[test]
fn changed_case_folders_are_refused_or_judged() {
    fuzz(Kind::Case);
}

#[test]
fn changed_expressions_formulas_and_overrides_are_refused_or_read() {
    fuzz(Kind::Words);
}

#[test]
fn every_input_that_was_found_is_read_within_the_limits() {
    let _turn = TURN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let entries = std::fs::read_dir(input::found()).expect("it is in the repository");
    let mut folders: Vec<PathBuf> = entries
        .map(|entry| entry.expect("it can be listed").path())
        .filter(|path| path.is_dir())
        .collect();
    folders.sort();
    let mut wrong = Vec::new();
    for folder in &folders {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let kind = Kind::ALL.into_iter().find(|kind| name.starts_with(kind.name()));
        let kind = kind.unwrap_or_else(|| panic!("{name} begins with no kind"));
        if let Err(what) = attempt(kind, &Input::read(folder)) {
            wrong.push(format!("{name}: {what}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
