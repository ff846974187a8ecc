//! Runs without particles, after the last has left or before the first is inserted, continue to the end of their
//! stages.

mod support;

use std::path::Path;
use support::{err, esker, files, same_files};

/// Materials and laws of all scenes of this file.
const HEAD: &str = r#"
format = 1
gravity = [0, 0, -9.81]
[domain]
min = [-0.1, -0.1, -0.1]
max = [0.1, 0.1, 0.1]
outside = "delete"
[materials]
a = { density = 1000, young_modulus = 1e7, poisson_ratio = 0.3 }
[contact]
normal = "hertz"
damping = "hertz"
tangential = "mindlin"
pairs = [{ between = ["a", "a"], friction = 0.3, restitution = 0.5 }]
[outputs]
energy = { every = 0.01 }
checkpoint = { every = 0.05 }
"#;

const TWO: &str = r#"
[[particles]]
name = "p"
material = "a"
radius = 0.01
insert = { list = [{ position = [0, 0, 0.05] }, { position = [0.05, 0, 0.05] }] }
"#;

fn run(folder: &Path, scene: &str, more: &[&str]) -> serde_json::Value {
    std::fs::write(folder.join("scene.toml"), scene).expect("it can be written");
    let out = more.last().expect("the folder comes last");
    let mut arguments = vec!["run", "scene.toml", "--quiet"];
    arguments.extend(more);
    let output = esker(folder, &arguments);
    assert!(output.status.success(), "{}", err(&output));
    assert_eq!(err(&output), "");
    let text = std::fs::read_to_string(folder.join(out).join("summary.json")).expect("it is there");
    serde_json::from_str(&text).expect("JSON")
}

/// Time at which a ball that falls from 0.05 m leaves the domain [s].
fn leaves() -> f64 {
    (2.0 * 0.15f64 / 9.81).sqrt()
}

#[test]
fn a_run_goes_on_to_its_end_when_the_last_particle_has_left() {
    let folder = tempfile::tempdir().expect("a folder");
    let scene = format!("{HEAD}{TWO}[[stages]]\nname = \"s\"\nend = {{ after = 0.5 }}\n");
    let summary = run(folder.path(), &scene, &["--out", "run"]);
    assert_eq!(summary["ended"], "finished");
    assert_eq!(summary["particles"]["deleted"], 2);
    let step = summary["time_step"]["step"].as_f64().expect("a finite number");
    let time = summary["time"].as_f64().expect("a number");
    // a stage ends at the step nearest to its time
    assert!((time - 0.5).abs() <= step, "{time}");
    let table = std::fs::read_to_string(folder.path().join("run/energy.csv")).expect("there");
    assert_eq!(table.lines().count(), 52, "rows at 0, 0.01, …, 0.5 s below a header");
    assert!(folder.path().join("run/final.csv").is_file());
    assert!(folder.path().join("run/report.html").is_file());
}

#[test]
fn a_run_without_particles_is_resumed_to_the_same_bytes() {
    let folder = tempfile::tempdir().expect("a folder");
    let scene =
        |after: f64| format!("{HEAD}{TWO}[[stages]]\nname = \"s\"\nend = {{ after = {after} }}\n");
    run(folder.path(), &scene(0.5), &["--out", "whole"]);
    // the checkpoint of a run that ended without particles
    let gone = leaves() + 0.05;
    let early = run(folder.path(), &scene(gone), &["--out", "parts"]);
    assert_eq!(early["particles"]["present"], 0);
    let text = scene(0.5);
    std::fs::write(folder.path().join("scene.toml"), text).expect("it can be written");
    let arguments = ["run", "scene.toml", "--resume", "--force", "--quiet", "--out", "parts"];
    let output = esker(folder.path(), &arguments);
    assert!(output.status.success(), "{}", err(&output));
    let read = |run: &str| {
        let mut files = files(&folder.path().join(run));
        // it contains the row of the earlier end
        files.remove("energy.csv");
        files
    };
    same_files(&read("whole"), &read("parts"));
}

#[test]
fn a_stage_may_remove_all_particles() {
    let folder = tempfile::tempdir().expect("a folder");
    let stages = r#"
[[stages]]
name = "fall"
end = { after = 0.1 }
[[stages]]
name = "nothing"
remove_particles = ["p"]
end = { after = 0.05 }
[[stages]]
name = "again"
insert = [{ name = "q", material = "a", radius = 0.01, insert = { list = [{ position = [0, 0, 0] }] } }]
end = { after = 0.05 }
"#;
    let summary = run(folder.path(), &format!("{HEAD}{TWO}{stages}"), &["--out", "run"]);
    assert_eq!(summary["ended"], "finished");
    assert_eq!(
        (&summary["particles"]["inserted"], &summary["particles"]["present"]),
        (&3.into(), &1.into())
    );
}

#[test]
fn a_scene_may_start_without_particles_and_get_a_stream_later() {
    let folder = tempfile::tempdir().expect("a folder");
    let stages = r#"
[[stages]]
name = "nothing"
end = { after = 0.05 }
[[stages]]
name = "rain"
end = { after = 0.5 }
insert = [{ name = "q", material = "a", radius = 0.01, insert = { stream = { box = { min = [-0.05, -0.05, 0], max = [0.05, 0.05, 0.05] }, rate = 100, count = 20, start = 0.01 } } }]
"#;
    let summary = run(folder.path(), &format!("{HEAD}{stages}"), &["--out", "run"]);
    assert_eq!(summary["ended"], "finished");
    assert_eq!(summary["particles"]["inserted"], 20);
    assert_eq!(summary["particles"]["deleted"], 20);
}
