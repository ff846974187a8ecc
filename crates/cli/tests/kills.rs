//! A run that is repeatedly killed and resumed writes the same bytes as an uninterrupted one; obstacles to resuming are
//! reported.
#![cfg(unix)]

mod support;

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use support::busy::{BUSY, TRAY};
use support::{SMALL, err, esker, files, same_files};

const KILLS: usize = 20;

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in [("busy.toml", BUSY), ("small.toml", SMALL), ("tray.stl", TRAY)] {
        std::fs::write(folder.path().join(name), text).expect("it can be written");
    }
    folder
}

/// Starts a run whose output is discarded.
fn start(folder: &Path, arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_esker"))
        .args(arguments)
        .current_dir(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

/// Deterministic random numbers between 0 and 1 (splitmix64).
fn random(state: &mut u64) -> f64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (mixed ^ (mixed >> 31)) as f64 / u64::MAX as f64
}

/// True if a file is being written in the run folder: a frame, or a checkpoint.
fn is_writing(run: &Path, frame: bool) -> bool {
    let watched = if frame { run.join("frames") } else { run.to_path_buf() };
    std::fs::read_dir(watched).is_ok_and(|entries| {
        entries.flatten().any(|entry| {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if frame { name.ends_with(".unfinished") } else { name.starts_with(".checkpoint.esk.") }
        })
    })
}

/// Kills a run at twenty times, resumes it each time and lets it end. Returns whether the kills cover the run: most
/// before its end, spread over it, and some while a file was written. The times are fractions of the duration of an
/// uninterrupted run, which varies with the load of the machine.
fn kill_and_resume(folder: &Path, span: f64) -> bool {
    let run = folder.join("parts");
    let mut state = 7;
    let (mut killed, mut while_writing) = (0, 0);
    for round in 0..KILLS {
        let threads = (1 + round % 3).to_string();
        let mut arguments = vec!["run", "busy.toml", "--out", "parts", "--threads", &threads];
        if run.exists() {
            arguments.push("--resume");
        }
        let mut child = start(folder, &arguments);
        let delay = Duration::from_secs_f64(0.09 * span * random(&mut state));
        std::thread::sleep(delay);
        if round % 2 == 1 {
            // A frame or a checkpoint is interrupted while it is written, if one is due.
            let clock = Instant::now();
            while clock.elapsed().as_secs_f64() < 0.05 * span {
                if is_writing(&run, round % 4 == 1) {
                    while_writing += 1;
                    break;
                }
            }
        }
        if child.try_wait().expect("its state can be queried").is_none() {
            child.kill().expect("it can be killed");
            killed += 1;
        }
        let output = child.wait_with_output().expect("it has ended");
        let fine = output.status.code().is_none_or(|code| code == 0);
        assert!(fine, "round {round}: {}", err(&output));
    }
    let last = esker(folder, &["run", "busy.toml", "--out", "parts", "--resume"]);
    assert!(last.status.success(), "{}", err(&last));
    let summary = std::fs::read_to_string(run.join("summary.json")).expect("it is there");
    let summary: serde_json::Value = serde_json::from_str(&summary).expect("JSON");
    let (resumed, steps) = (summary["resumed_at_step"].as_u64(), summary["steps"].as_u64());
    println!(
        "{killed} kills, {while_writing} while a file was written; whole run {span:.1} s; \
         resumed for the last time at step {resumed:?} of {steps:?}"
    );
    while_writing > 0 && killed >= KILLS / 2 && resumed.map(|step| 5 * step) > steps
}

#[test]
fn a_run_killed_at_twenty_moments_and_resumed_leaves_the_bytes_of_one_that_never_stopped() {
    for _ in 0..4 {
        let folder = folder();
        let clock = Instant::now();
        let whole = esker(folder.path(), &["run", "busy.toml", "--out", "whole"]);
        assert!(whole.status.success(), "{}", err(&whole));
        let covers_the_run = kill_and_resume(folder.path(), clock.elapsed().as_secs_f64());
        same_files(&files(&folder.path().join("whole")), &files(&folder.path().join("parts")));
        if covers_the_run {
            return;
        }
    }
    panic!("in no attempt the kills were spread over the run and over files that were written");
}

#[test]
fn a_finished_run_can_be_resumed_and_stays_as_it_is() {
    let folder = folder();
    assert!(esker(folder.path(), &["run", "small.toml", "--out", "a"]).status.success());
    let before = files(&folder.path().join("a"));
    let again = esker(folder.path(), &["run", "small.toml", "--out", "a", "--resume"]);
    assert!(again.status.success(), "{}", err(&again));
    same_files(&before, &files(&folder.path().join("a")));
}

#[test]
fn a_changed_scene_is_refused_with_what_changed_and_taken_if_told() {
    let folder = folder();
    let run = |more: &[&str]| {
        let mut arguments = vec!["run", "small.toml", "--out", "a"];
        arguments.extend(more);
        esker(folder.path(), &arguments)
    };
    assert!(run(&["--set", "stages[1].end.after=0.02"]).status.success());
    let refused = run(&["--resume", "--set", "stages[1].end.after=0.03"]);
    assert_eq!(refused.status.code(), Some(2));
    let message = err(&refused);
    assert!(message.contains("`stages[1].end.after` was 0.02 and is 0.03"), "{message}");
    assert!(message.contains("help: `--force`"), "{message}");
    let forced = run(&["--resume", "--force", "--set", "stages[1].end.after=0.03"]);
    assert!(forced.status.success(), "{}", err(&forced));
    assert!(err(&forced).contains("warning: the scene has changed"), "{}", err(&forced));
    let scene = std::fs::read_to_string(folder.path().join("a/run.toml")).expect("it is there");
    assert!(scene.contains("# --set stages[1].end.after=0.03\n"), "{scene}");
}

#[test]
fn a_changed_mesh_is_refused_by_the_name_of_its_wall() {
    let folder = folder();
    let short = |more: &[&str]| {
        let mut arguments = vec!["run", "busy.toml", "--out", "a"];
        for stage in ["0", "1", "2"] {
            let set = format!("stages[{stage}].end.after=0.002");
            arguments.extend(["--set", set.leak()]);
        }
        arguments.extend(more);
        esker(folder.path(), &arguments)
    };
    let first = short(&[]);
    assert!(first.status.success(), "{}", err(&first));
    let longer = TRAY.replace("-0.1 0.1 0", "-0.11 0.1 0");
    std::fs::write(folder.path().join("tray.stl"), longer).expect("it can be written");
    let refused = short(&["--resume"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(err(&refused).contains("another scene: the mesh of wall `tray`"), "{}", err(&refused));
    let forced = short(&["--resume", "--force"]);
    assert!(forced.status.success(), "{}", err(&forced));
}

#[test]
fn a_changed_file_of_particles_is_refused_by_the_name_of_its_group() {
    let folder = folder();
    let grains = |x: f64| {
        let text = format!("# state\n{x} 0 0.02 0.01 0 0 0 0 0 0\n0.1 0 0.02 0.01 0 0 0 0 0 0\n");
        std::fs::write(folder.path().join("two.state"), text).expect("it can be written");
    };
    let run = |more: &[&str]| {
        let insert = "particles[0].insert={ state = \"two.state\" }";
        let mut arguments = vec!["run", "small.toml", "--out", "a", "--set", insert];
        arguments.extend(more);
        esker(folder.path(), &arguments)
    };
    grains(0.0);
    let first = run(&[]);
    assert!(first.status.success(), "{}", err(&first));
    grains(0.001);
    let refused = run(&["--resume"]);
    assert_eq!(refused.status.code(), Some(2));
    let message = err(&refused);
    assert!(message.contains("another scene: the particles of group `"), "{message}");
}

#[test]
fn a_folder_in_use_is_refused_and_one_left_by_a_killed_run_is_taken_over() {
    let folder = folder();
    let mut child = start(folder.path(), &["run", "busy.toml", "--out", "a", "--threads", "1"]);
    let clock = Instant::now();
    while !folder.path().join("a/run.toml").exists() {
        assert!(clock.elapsed() < Duration::from_secs(60), "the run does not start");
        std::thread::sleep(Duration::from_millis(1));
    }
    for more in ["--resume", "--force"] {
        let refused = esker(folder.path(), &["run", "busy.toml", "--out", "a", more]);
        assert_eq!(refused.status.code(), Some(2));
        let owner = format!("in use by another run (process {})", child.id());
        assert!(err(&refused).contains(&owner), "{}", err(&refused));
    }
    child.kill().expect("it can be killed");
    child.wait().expect("it has ended");
    assert!(folder.path().join("a/run.lock").exists());
    let short = ["--set", "stages[0].end.after=0.001", "--force", "--quiet"];
    let mut arguments = vec!["run", "small.toml", "--out", "a"];
    arguments.extend(short);
    let taken = esker(folder.path(), &arguments);
    assert!(taken.status.success(), "{}", err(&taken));
    assert!(!folder.path().join("a/run.lock").exists());
}

#[test]
fn a_full_disk_is_said_and_loses_no_finished_frame() {
    let folder = folder();
    assert!(esker(folder.path(), &["run", "small.toml", "--out", "whole"]).status.success());
    // No file may exceed 64 blocks; with the signal ignored, this is an error like a full disk.
    let script = "trap '' XFSZ; ulimit -f 64; exec \"$0\" run small.toml --out full --threads 1";
    let output = Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_esker")])
        .current_dir(folder.path())
        .output()
        .expect("sh is there");
    let message = err(&output);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains("error: cannot write `full/"), "{message}");
    assert!(
        message.contains("help: free disk space") && message.contains("`--resume`"),
        "{message}"
    );
    let (whole, full) = (files(&folder.path().join("whole")), files(&folder.path().join("full")));
    let listed = String::from_utf8(full["frames.pvd"].clone()).expect("text");
    let frames: Vec<&str> =
        listed.split("file=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert!(!frames.is_empty());
    assert!(frames.iter().all(|frame| whole[*frame] == full[*frame]));
    let resumed = esker(folder.path(), &["run", "small.toml", "--out", "full", "--resume"]);
    assert!(resumed.status.success(), "{}", err(&resumed));
    same_files(&whole, &files(&folder.path().join("full")));
}

#[test]
fn a_disk_that_is_full_before_the_first_checkpoint_has_its_own_help() {
    let folder = folder();
    let never = "outputs.checkpoint.every=9";
    let script = format!(
        "trap '' XFSZ; ulimit -f 64; exec \"$0\" run small.toml --out full --threads 1 --set {never}"
    );
    let output = Command::new("sh")
        .args(["-c", &script, env!("CARGO_BIN_EXE_esker")])
        .current_dir(folder.path())
        .output()
        .expect("sh is there");
    let message = err(&output);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains("there is no checkpoint yet"), "{message}");
    assert!(!message.contains("continue from the last checkpoint"), "{message}");
    let again = ["run", "small.toml", "--out", "full", "--resume", "--set", never];
    let resumed = esker(folder.path(), &again);
    assert!(resumed.status.success(), "{}", err(&resumed));
    assert!(err(&resumed).contains("starts from the beginning"), "{}", err(&resumed));
}

#[test]
fn a_folder_that_cannot_be_made_or_holds_no_run_is_named() {
    let folder = folder();
    let output = esker(folder.path(), &["run", "small.toml", "--out", "small.toml/below"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(err(&output).contains("cannot create `small.toml/below`"), "{}", err(&output));
    let output = esker(folder.path(), &["run", "small.toml", "--out", "nowhere", "--resume"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(err(&output).contains("the folder `nowhere` is not there"), "{}", err(&output));
    assert!(!folder.path().join("nowhere").exists());
}
