//! Features for batch systems: a time limit, checkpoints on request, the previous checkpoint if the latest is damaged,
//! and an exit code for warnings.
#![cfg(unix)]

mod support;

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use support::busy::{BUSY, TRAY};
use support::{SMALL, err, esker, files, same_files};

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in [("busy.toml", BUSY), ("small.toml", SMALL), ("tray.stl", TRAY)] {
        std::fs::write(folder.path().join(name), text).expect("it can be written");
    }
    folder
}

#[test]
fn a_run_that_is_saved_at_its_limit_of_time_and_resumed_leaves_the_bytes_of_one_that_never_stopped()
{
    let folder = folder();
    let clock = Instant::now();
    let whole = esker(folder.path(), &["run", "busy.toml", "--out", "whole"]);
    assert!(whole.status.success(), "{}", err(&whole));
    let limit = format!("{:.3}s", 0.2 * clock.elapsed().as_secs_f64());
    let mut jobs = vec!["run", "busy.toml", "--out", "parts", "--max-time", &limit];
    let mut out_of_time = 0;
    loop {
        let job = esker(folder.path(), &jobs);
        if job.status.success() {
            break;
        }
        assert_eq!(job.status.code(), Some(124), "{}", err(&job));
        assert!(err(&job).contains("out of time: "), "{}", err(&job));
        assert!(err(&job).contains("--resume --out parts"), "{}", err(&job));
        let summary = std::fs::read_to_string(folder.path().join("parts/summary.json"));
        assert!(summary.expect("it is there").contains("\"ended\": \"out of time\""));
        if out_of_time == 0 {
            jobs.push("--resume");
        }
        out_of_time += 1;
        assert!(out_of_time < 1000, "the run does not get on");
    }
    // A fifth of the time limit is reached at least twice, at any load of the machine.
    assert!(out_of_time >= 2, "{out_of_time}");
    same_files(&files(&folder.path().join("whole")), &files(&folder.path().join("parts")));
}

#[test]
fn the_shortest_limit_of_time_leaves_one_step_to_each_job() {
    let folder = folder();
    let mut steps = Vec::new();
    for more in [None, Some("--resume"), Some("--resume")] {
        let mut job = vec!["run", "small.toml", "--out", "a", "--max-time", "0.000001"];
        job.extend(more);
        let job = esker(folder.path(), &job);
        assert_eq!(job.status.code(), Some(124), "{}", err(&job));
        let summary = std::fs::read_to_string(folder.path().join("a/summary.json")).expect("there");
        let summary: serde_json::Value = serde_json::from_str(&summary).expect("JSON");
        steps.push(summary["steps"].as_u64().expect("a number"));
    }
    assert_eq!(steps, [1, 2, 3]);
    let wrong = esker(folder.path(), &["run", "small.toml", "--max-time", "1:30"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(err(&wrong).contains("`23h30m`"), "{}", err(&wrong));
}

/// The step of a checkpoint as printed by `esker info`.
fn saved_step(folder: &Path, checkpoint: &str) -> Option<u64> {
    let output = esker(folder, &["info", checkpoint]);
    let text = String::from_utf8(output.stdout).expect("text");
    text.lines().find(|line| line.starts_with("time"))?.split("step ").nth(1)?.parse().ok()
}

/// Starts a run and signals it until it has saved twice; returns the steps of its two checkpoints at its end, or none
/// if it ended before.
fn save_by_signals(folder: &Path) -> Option<[u64; 2]> {
    if folder.join("saved").exists() {
        std::fs::remove_dir_all(folder.join("saved")).expect("it can be removed");
    }
    let mut child = Command::new(env!("CARGO_BIN_EXE_esker"))
        .args(["run", "busy.toml", "--out", "saved", "--threads", "1", "--quiet"])
        .current_dir(folder)
        .stdout(Stdio::null())
        .spawn()
        .expect("the program starts");
    // The run handles signals once its folder exists; they are sent until both files exist.
    let previous = folder.join("saved/checkpoint.previous.esk");
    while !previous.exists() && child.try_wait().expect("its state can be queried").is_none() {
        if folder.join("saved/run.toml").exists() {
            let id = child.id().to_string();
            Command::new("kill").args(["-USR1", &id]).status().expect("it can be sent");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(child.wait().expect("it has ended").success());
    previous.exists().then(|| {
        ["saved/checkpoint.previous.esk", "saved/checkpoint.esk"]
            .map(|name| saved_step(folder, name).expect("a step"))
    })
}

#[test]
fn sigusr1_saves_a_checkpoint_while_the_run_goes_on_and_changes_no_bit() {
    let folder = folder();
    let scene = BUSY.replace("checkpoint = { every = 0.003 }\n", "");
    assert_ne!(scene, BUSY);
    std::fs::write(folder.path().join("busy.toml"), scene).expect("it can be written");
    let whole = esker(folder.path(), &["run", "busy.toml", "--out", "whole"]);
    assert!(whole.status.success(), "{}", err(&whole));
    // On a busy machine the run may end before both signals; then it is repeated.
    let steps = (0..10).find_map(|_| save_by_signals(folder.path())).expect("two signals in time");
    assert!(0 < steps[0] && steps[0] < steps[1], "{steps:?}");
    // the run without signals has a checkpoint of its end only
    let [whole, saved] = ["whole", "saved"].map(|name| {
        let mut all = files(&folder.path().join(name));
        all.retain(|name, _| !name.ends_with(".esk"));
        all
    });
    same_files(&whole, &saved);
}

#[test]
fn a_damaged_checkpoint_is_warned_of_and_the_one_before_leads_to_the_same_bytes() {
    let folder = folder();
    assert!(esker(folder.path(), &["run", "small.toml", "--out", "whole"]).status.success());
    for (round, damage) in ["byte", "cut", "zeros", "gone"].into_iter().enumerate() {
        let name = format!("run{round}");
        let stop = ["run", "small.toml", "--out", &name];
        assert!(esker(folder.path(), &stop).status.success());
        let path = folder.path().join(&name).join("checkpoint.esk");
        let mut bytes = std::fs::read(&path).expect("it is there");
        let middle = bytes.len() / 2;
        match damage {
            "byte" => bytes[middle] ^= 1,
            "cut" => bytes.truncate(middle),
            _ => bytes.fill(0),
        }
        match damage {
            "gone" => std::fs::remove_file(&path).expect("it can be removed"),
            _ => std::fs::write(&path, bytes).expect("it can be written"),
        }
        let mut resume = stop.to_vec();
        resume.push("--resume");
        let resumed = esker(folder.path(), &resume);
        assert!(resumed.status.success(), "{damage}: {}", err(&resumed));
        assert!(err(&resumed).contains("warning: "), "{damage}: {}", err(&resumed));
        assert!(err(&resumed).contains("the previous checkpoint is used"), "{}", err(&resumed));
        same_files(&files(&folder.path().join("whole")), &files(&folder.path().join(&name)));
    }
}

/// Too long for the first impact on the moving floor, but accepted with a warning.
const STEP: [&str; 4] = ["--set", "time.step=3e-4", "--set", "health.step_limit=\"warn\""];

#[test]
fn strict_keeps_a_scene_with_warnings_from_starting_and_leaves_no_folder() {
    let folder = folder();
    let mut check = vec!["check", "small.toml"];
    check.extend(STEP);
    assert!(esker(folder.path(), &check).status.success());
    check.push("--strict");
    assert_eq!(esker(folder.path(), &check).status.code(), Some(1));
    let mut run = vec!["run", "small.toml", "--out", "a", "--strict"];
    assert!(esker(folder.path(), &["check", "small.toml", "--strict"]).status.success());
    run.extend(STEP);
    let refused = esker(folder.path(), &run);
    assert_eq!(refused.status.code(), Some(1), "{}", err(&refused));
    assert!(err(&refused).contains("warning: "), "{}", err(&refused));
    assert!(err(&refused).contains("error: 1 warning with `--strict`"), "{}", err(&refused));
    assert!(!folder.path().join("a").exists());
}
