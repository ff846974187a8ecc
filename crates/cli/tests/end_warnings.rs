//! Warnings at the end of a run: on stderr, in `summary.json` and in the report.

mod support;

use std::path::Path;
use support::{err, esker};

/// A ball falls on a floor; `top` contains additional lines of the scene.
fn ball(top: &str, spin: &str) -> String {
    format!(
        r#"
format = 1
{top}
gravity = [0, 0, -9.81]
[materials]
a = {{ density = 1000, young_modulus = 1e8, poisson_ratio = 0.3 }}
[contact]
normal = "hertz"
damping = "hertz"
tangential = "mindlin"
pairs = [{{ between = ["a", "a"], friction = 0.3, restitution = 0.5 }}]
[[particles]]
name = "ball"
material = "a"
radius = 0.01
spin = {spin}
insert = {{ list = [{{ position = [0, 0, 0.05] }}] }}
[[walls]]
name = "floor"
material = "a"
half-space = {{ point = [0, 0, 0], normal = [0, 0, 1] }}
[[stages]]
name = "fall"
end = {{ after = 0.12 }}
[outputs]
energy = {{ every = 0.01 }}
"#
    )
}

/// Runs a scene into the folder `run`; returns stderr, the warnings of the summary and the report.
fn run(folder: &Path, scene: &str) -> (String, Vec<String>, String) {
    std::fs::write(folder.join("scene.toml"), scene).expect("it can be written");
    let output = esker(folder, &["run", "scene.toml", "--out", "run", "--quiet"]);
    assert!(output.status.success(), "{}", err(&output));
    let text = std::fs::read_to_string(folder.join("run/summary.json")).expect("it is there");
    let summary: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let list = summary["warnings"].as_array().expect("a list");
    let warnings = list.iter().map(|one| one.as_str().expect("text").to_owned()).collect();
    let report = std::fs::read_to_string(folder.join("run/report.html")).expect("it is there");
    (err(&output), warnings, report)
}

/// Closure error at the end divided by the energy exchanged, from the columns of `energy.csv`.
fn closure(folder: &Path) -> f64 {
    let table = std::fs::read_to_string(folder.join("run/energy.csv")).expect("it is there");
    let header: Vec<&str> = table.lines().next().expect("a header").split(',').collect();
    let last: Vec<&str> = table.lines().last().expect("rows").split(',').collect();
    let number = |name: &str| {
        let column = header.iter().position(|one| *one == name).expect("the column");
        last[column].parse::<f64>().expect("a number")
    };
    let moving = number("kinetic") + number("rotational");
    let stored = number("elastic_normal") + number("elastic_tangential");
    let lost = number("damping_loss") + number("sliding_loss");
    let inserted = 1000.0 * 4.0 / 3.0 * std::f64::consts::PI * 1e-6 * 9.81 * 0.05;
    (moving + stored + number("potential") + lost - inserted) / (moving + stored + lost)
}

#[test]
fn a_ledger_that_does_not_close_is_a_warning_at_the_end_in_the_summary_and_in_the_report() {
    let folder = tempfile::tempdir().expect("a folder");
    let scene = ball("time.step = 2.4e-4\nhealth.step_limit = \"warn\"", "[0, 0, 0]");
    let (shown, warnings, report) = run(folder.path(), &scene);
    let found = closure(folder.path()).abs();
    assert!(found > 0.01, "the step is too short for this test: {found}");
    let message = format!("the energy ledger does not close: {:.1} %", 100.0 * found);
    assert!(shown.contains(&format!("warning: {message}")), "{shown}");
    assert!(warnings.iter().any(|one| one.starts_with(&message)), "{warnings:?}");
    assert!(report.contains(&message));
}

#[test]
fn a_step_beyond_the_limit_is_warned_about_at_the_start_and_again_at_the_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let scene = ball("time.step = 2.4e-4\nhealth.step_limit = \"warn\"", "[0, 0, 0]");
    // the initial overlap with the floor is 1 % of the radius, for which the step is too long
    let (shown, warnings, _) = run(folder.path(), &scene.replace("[0, 0, 0.05]", "[0, 0, 0.0099]"));
    assert_eq!(shown.matches("warning: the time step 2.4e-4 s is").count(), 2, "{shown}");
    assert_eq!(warnings.iter().filter(|one| one.starts_with("the time step")).count(), 1);
}

#[test]
fn contacts_that_become_too_stiff_for_the_step_are_warned_about_at_the_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let scene = ball("time.step = 2.4e-4\nhealth.step_limit = \"warn\"", "[0, 0, 0]");
    let (shown, warnings, _) = run(folder.path(), &scene);
    assert_eq!(shown.matches("warning: the time step 2.4e-4 s is").count(), 1, "{shown}");
    assert_eq!(warnings.iter().filter(|one| one.starts_with("the time step")).count(), 1);
}

#[test]
fn a_ledger_that_is_not_finite_is_a_warning_that_names_the_term() {
    let folder = tempfile::tempdir().expect("a folder");
    let (shown, warnings, report) = run(folder.path(), &ball("", "[1e200, 0, 0]"));
    let message = "the energy ledger is not finite (rotational = inf J";
    assert!(shown.contains(message), "{shown}");
    assert!(warnings.iter().any(|one| one.starts_with(message)), "{warnings:?}");
    assert!(report.contains(message));
}

#[test]
fn with_strict_a_warning_at_the_end_is_exit_1_and_the_run_is_complete() {
    let folder = tempfile::tempdir().expect("a folder");
    for (spin, code) in [("[0, 0, 0]", 0), ("[1e200, 0, 0]", 1)] {
        std::fs::write(folder.path().join("scene.toml"), ball("", spin)).expect("written");
        let output =
            esker(folder.path(), &["run", "scene.toml", "--out", "a", "--force", "--strict"]);
        assert_eq!(output.status.code(), Some(code), "{}", err(&output));
        assert!(folder.path().join("a/summary.json").is_file());
        assert!(folder.path().join("a/report.html").is_file());
    }
}

#[test]
fn a_run_without_doubts_ends_without_warnings() {
    let folder = tempfile::tempdir().expect("a folder");
    let (shown, warnings, _) = run(folder.path(), &ball("", "[0, 0, 0]"));
    assert!(closure(folder.path()).abs() < 0.01);
    assert_eq!((shown.as_str(), warnings.len()), ("", 0));
}

/// The ball with a stream into a box that has room for few of its particles.
fn rain() -> String {
    let stream = "[[particles]]\nname = \"rain\"\nmaterial = \"a\"\nradius = 0.01\n\
        insert = { stream = { box = { min = [0.1, 0, 0.02], max = [0.13, 0.03, 0.05] }, rate = 10000, count = 1000 } }\n\
        [[walls]]";
    ball("", "[0, 0, 0]").replacen("[[walls]]", stream, 1)
}

#[test]
fn a_stream_without_room_is_a_warning_with_requested_due_and_inserted() {
    let folder = tempfile::tempdir().expect("a folder");
    let (shown, warnings, report) = run(folder.path(), &rain());
    let text =
        std::fs::read_to_string(folder.path().join("run/summary.json")).expect("it is there");
    let summary: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let stream = &summary["open_streams"][0];
    // the ball was inserted before
    let inserted = summary["particles"]["inserted"].as_u64().expect("a number") - 1;
    assert_eq!((&stream["group"], &stream["inserted"]), (&"rain".into(), &inserted.into()));
    assert!(inserted < 1000);
    let message = format!("1000 requested, 1000 due, {inserted} inserted");
    assert!(shown.contains(&message), "{shown}");
    assert!(warnings.iter().any(|one| one.contains(&message)), "{warnings:?}");
    assert!(report.contains(&message));
}

#[test]
fn check_tells_in_advance_of_streams_stages_and_overlaps() {
    let folder = tempfile::tempdir().expect("a folder");
    let scene = rain()
        .replace("end = { after = 0.12 }", "end = { particles_reach = 5000, or_after = 0.12 }\n[[stages]]\nname = \"more\"\nend = { particles_fall_to = 0 }")
        .replace("position = [0, 0, 0.05]", "position = [0, 0, 0.0099]");
    std::fs::write(folder.path().join("scene.toml"), &scene).expect("it can be written");
    let output = esker(folder.path(), &["check", "scene.toml"]);
    assert!(output.status.success(), "{}", err(&output));
    assert!(err(&output).contains("the stage `more` cannot end"), "{}", err(&output));
    let shown = support::out(&output);
    assert!(
        shown.contains("largest overlap 1.00 % of the radius, particle 0 of `ball`"),
        "{shown}"
    );
    let scene = scene.replace("{ particles_fall_to = 0 }", "{ after = 0.01 }");
    std::fs::write(folder.path().join("scene.toml"), &scene).expect("it can be written");
    let output = esker(folder.path(), &["check", "scene.toml"]);
    assert!(err(&output).contains("the stream `rain` has room for at most"), "{}", err(&output));
    let output = esker(folder.path(), &["run", "scene.toml", "--out", "run"]);
    assert!(err(&output).contains("largest overlap at the start: 1.00 %"), "{}", err(&output));
}
