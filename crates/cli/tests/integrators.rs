//! Integrators that adapt their step, from the command line: outputs, resuming, counts, failures, and output of
//! rotations.

mod support;

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use support::*;

fn folder_with(scene: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("scene.toml"), scene).expect("it can be written");
    folder
}

fn summary(folder: &Path) -> serde_json::Value {
    let text = std::fs::read_to_string(folder.join("summary.json")).expect("it is there");
    serde_json::from_str(&text).expect("it is JSON")
}

/// Columns of a table by name.
fn table(path: &Path) -> std::collections::BTreeMap<String, Vec<f64>> {
    let text = std::fs::read_to_string(path).expect("it is there");
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().expect("a header").split(',').collect();
    let mut columns = std::collections::BTreeMap::<String, Vec<f64>>::new();
    for line in lines {
        for (name, text) in names.iter().zip(line.split(',')) {
            let column = columns.entry((*name).to_owned()).or_default();
            column.push(text.parse().unwrap_or(f64::NAN));
        }
    }
    columns
}

/// The small scene with an integrator and a shorter time.
fn small(integrator: &str) -> String {
    SMALL
        .replace("end = { after = 0.06 }", "end = { after = 0.02 }")
        .replace("[domain]", &format!("[time]\nintegrator = {integrator}\n\n[domain]"))
        .replace("checkpoint = { every = 0.02 }", "checkpoint = { every = 0.004 }")
}

const THETA: &str = r#"{ theta = { phi = 0.5, tolerance = 1e-5, desired_iterations = 5 } }"#;
const RKF45: &str = r#"{ rkf45 = { tolerance = 1e-6, on_no_convergence = "accept" } }"#;

#[test]
fn an_interrupted_run_with_adapted_steps_resumes_to_the_same_bytes() {
    for integrator in [THETA, RKF45] {
        let folder = folder_with(&small(integrator));
        let whole = esker(folder.path(), &["run", "scene.toml", "--out", "whole"]);
        assert!(whole.status.success(), "{}", err(&whole));
        let child = Command::new(env!("CARGO_BIN_EXE_esker"))
            .args(["run", "scene.toml", "--threads", "1", "--out", "parts"])
            .current_dir(folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let clock = Instant::now();
        while !folder.path().join("parts/checkpoint.esk").exists() {
            assert!(clock.elapsed() < Duration::from_secs(120), "no checkpoint");
            std::thread::sleep(Duration::from_millis(1));
        }
        let status = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(status.expect("kill is there").success());
        child.wait_with_output().expect("it ends");
        let resume = ["run", "scene.toml", "--resume", "--out", "parts", "--threads", "2"];
        let resumed = esker(folder.path(), &resume);
        assert!(resumed.status.success(), "{}", err(&resumed));
        let [whole, parts] = ["whole", "parts"].map(|name| folder.path().join(name));
        same_files(&files(&whole), &files(&parts));
        let counts = |folder: &Path| summary(folder)["step_counts"].clone();
        assert_eq!(counts(&whole), counts(&parts));
        assert!(counts(&whole)["shortest"].as_f64() < counts(&whole)["longest"].as_f64());
        assert!(counts(&whole)["evaluations"].as_u64() > summary(&whole)["steps"].as_u64());
    }
}

/// A ball that slides at first, then rolls along x, with marks that record its rotation.
const ROLLING: &str = r#"
format = 1
gravity = [0, 0, -9.81]
[domain]
min = [-0.1, -0.1, -0.1]
max = [0.1, 0.1, 0.1]
periodic = ["x"]
[materials]
ball = { density = 2500, young_modulus = 5e7, poisson_ratio = 0.25 }
[contact]
normal = "hertz"
damping = "hertz"
tangential = "mindlin"
pairs = [{ between = ["ball", "ball"], friction = 0.4, restitution = 0.5 }]
[[particles]]
name = "ball"
material = "ball"
radius = 0.01
insert = { list = [{ position = [0, 0, 0.00999], velocity = [0.7, 0, 0] }] }
[[walls]]
name = "floor"
material = "ball"
half-space = { point = [0, 0, 0], normal = [0, 0, 1] }
[[stages]]
name = "roll"
end = { after = 0.6 }
[outputs]
probes = [{ name = "ball", particle = 0, columns = ["unwrapped_position", "spin", "orientation", "rotation_vector", "rodrigues", "accumulated_angle", "mark"], mark = [0, 0, 0.01], axis = [0, 2, 0], every = 0.01 }]
"#;

#[test]
fn a_point_and_the_angle_of_a_rolling_ball_can_be_followed() {
    for time in [
        String::new(),
        r#"integrator = { theta = { phi = 0.5, iteration = "gauss-seidel" } }"#.to_owned(),
        "integrator = \"rkf45\"".to_owned(),
    ] {
        let folder = folder_with(&format!("{ROLLING}\n[time]\n{time}\n"));
        let run = esker(folder.path(), &["run", "scene.toml", "--out", "run"]);
        assert!(run.status.success(), "{}", err(&run));
        let found = table(&folder.path().join("run/probes/ball.csv"));
        let last = |name: &str| *found[name].last().expect("a row");
        // v = 5/7 of the initial speed while rolling; the angle follows from the distance, except for the sliding phase
        let speed = 5.0 / 7.0 * 0.7;
        assert!((last("spin_y") * 0.01 / speed - 1.0).abs() < 2e-3, "{}", last("spin_y"));
        let turns = last("accumulated_angle") / std::f64::consts::TAU;
        assert!(turns > 4.0 && turns < 5.0, "{turns}");
        // sliding takes 2/7 v₀/(μg) and covers 12/49 v₀²/(μg), with half of the final spin on average
        let sliding = 2.0 / 7.0 * 0.7 / (0.4 * 9.81);
        let angle = speed / 0.01 * (last("time") - 0.5 * sliding);
        assert!(
            (last("accumulated_angle") / angle - 1.0).abs() < 3e-3,
            "{} {angle}",
            last("accumulated_angle")
        );
        for row in 0..found["time"].len() {
            let at = |name: &str| found[name][row];
            // the mark rotates about the centre by the angle, in the plane of the motion
            let angle = at("accumulated_angle");
            let mark = [
                at("mark_x") - at("unwrapped_position_x"),
                at("mark_z") - at("unwrapped_position_z"),
            ];
            assert!((mark[0] - 0.01 * angle.sin()).abs() < 1e-9, "row {row}: {mark:?} {angle}");
            assert!((mark[1] - 0.01 * angle.cos()).abs() < 1e-9, "row {row}: {mark:?} {angle}");
            // vector and quaternion agree: |sin(θ/2)| and the vector below half a revolution
            let vector = at("rotation_vector_y");
            assert!(((0.5 * vector).sin().abs() - at("orientation_y").abs()).abs() < 1e-12);
            assert!(vector.abs() <= std::f64::consts::PI);
            // α = 2 tan(θ/2); its relative error grows in the same way towards half a revolution
            let (rodrigues, expected) = (at("rodrigues_y"), 2.0 * (0.5 * vector).tan());
            let error = 1e-12 * (1.0 + expected * expected);
            assert!((rodrigues - expected).abs() < error, "row {row}: {rodrigues} {expected}");
        }
        let end = table(&folder.path().join("run/final.csv"));
        let half = 0.5 * end["rotation_vector_y"][0].abs();
        assert!((half.sin() - end["orientation_y"][0].abs()).abs() < 1e-12);
        assert!((half.cos() - end["orientation_w"][0].abs()).abs() < 1e-12);
    }
}

#[test]
fn a_step_that_cannot_be_made_ends_the_run_with_the_particle_and_the_accepted_state() {
    let time = r#"[time]
integrator = { theta = { phi = 1.0, tolerance = 1e-9 } }
step = 2e-3
[health]
step_limit = "warn"
"#;
    let scene = ROLLING.replace("velocity = [0.7, 0, 0]", "velocity = [0.7, 0, -0.1]");
    let folder = folder_with(&format!("{scene}\n{time}"));
    let run = esker(folder.path(), &["run", "scene.toml", "--out", "run"]);
    assert_eq!(run.status.code(), Some(1), "{}", err(&run));
    let text = err(&run);
    assert!(text.contains("did not converge") && text.contains("particle 0"), "{text}");
    assert!(text.contains("on_no_convergence"), "{text}");
    let failure = std::fs::read_to_string(folder.path().join("run/postmortem.json"));
    assert!(failure.expect("it is there").contains("did not converge"));
    // the scene may accept the step
    let accepted =
        format!("{scene}\n{}", time.replace("1e-9", "1e-9, on_no_convergence = \"accept\""));
    std::fs::write(folder.path().join("scene.toml"), accepted).expect("it can be written");
    let run = esker(folder.path(), &["run", "scene.toml", "--out", "accepted"]);
    let counts = summary(&folder.path().join("accepted"))["step_counts"].clone();
    assert!(counts["unconverged"].as_u64().is_some_and(|count| count > 0), "{}", err(&run));
}

#[test]
fn check_names_the_integrator_and_the_bounds_of_its_step() {
    let time =
        "[time]\nintegrator = { theta = { phi = 0.5 } }\nstep = { max = 2e-5, min = 1e-6 }\n";
    let folder = folder_with(&format!("{ROLLING}\n{time}"));
    let text = out(&esker(folder.path(), &["check", "scene.toml"]));
    assert!(text.contains("theta") && text.contains("adapted down to 1.0000e-6 s"), "{text}");
}

#[test]
fn a_mark_needs_its_point_and_an_angle_its_axis() {
    for (missing, message) in [
        ("mark = [0, 0, 0.01], ", "the column `mark` needs `mark`"),
        ("axis = [0, 2, 0], ", "the column `accumulated_angle` needs `axis`"),
    ] {
        let folder = folder_with(&ROLLING.replace(missing, ""));
        let output = esker(folder.path(), &["check", "scene.toml"]);
        assert_eq!(output.status.code(), Some(2));
        let text = err(&output);
        assert!(text.contains(message) && text.contains("scene.toml:"), "{text}");
    }
}
