//! The output of `check`, the messages at the end of a run, and its files.

mod support;

use std::path::Path;
use support::{err, esker, out};

/// A ball falls on a floor of its own material.
const BALL: &str = r#"format = 1
gravity = [0, 0, -9.81]
[materials]
grain = { density = 1000, young_modulus = 3e5, poisson_ratio = 0.3 }
[contact]
normal = "hertz"
damping = "hertz"
tangential = "mindlin"
pairs = [{ between = ["grain", "grain"], friction = 0.3, restitution = 0.5 }]
[[particles]]
name = "balls"
material = "grain"
radius = 0.01
insert = { list = [{ position = [0, 0, 0.05] }] }
[[walls]]
name = "floor"
material = "grain"
half-space = { point = [0, 0, 0], normal = [0, 0, 1] }
[[stages]]
name = "fall"
end = { after = 0.12 }
"#;

fn folder_with(scene: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("a.toml"), scene).expect("written");
    folder
}

fn json(path: &Path) -> serde_json::Value {
    let text = std::fs::read_to_string(path).expect("it is there");
    serde_json::from_str(&text).expect("it is JSON")
}

#[test]
fn check_shows_every_option_what_sets_the_step_the_impact_and_the_run_time() {
    let folder = folder_with(BALL);
    let output = esker(folder.path(), &["check", "a.toml"]);
    let text = out(&output);
    assert!(output.status.success(), "{}", err(&output));
    // none of the options is in the file
    for option in ["normal hertz: tension = ", "tangential mindlin: ", "transport = rotate"] {
        assert!(text.contains(option), "`{option}` is not in {text}");
    }
    assert!(text.contains("lever half-overlap"), "{text}");
    assert!(text.contains("limited by: ") && text.contains("the papers' rule"), "{text}");
    assert!(text.contains("run time") && text.contains("particle-steps/s"), "{text}");
    assert!(text.contains("impact overlap"), "{text}");
    let warning = err(&output);
    assert!(warning.contains("more than `overlap_limit = 0.1`"), "{warning}");
    assert!(warning.contains("`young_modulus`"), "{warning}");
    let stiff = ["check", "a.toml", "--set", "materials.grain.young_modulus=1e7"];
    assert_eq!(err(&esker(folder.path(), &stiff)), "");
}

#[test]
fn a_failure_has_its_diagnosis_in_the_post_mortem_and_a_warning_its_count_in_the_summary() {
    let folder = folder_with(BALL);
    let failed = esker(folder.path(), &["run", "a.toml", "--out", "failed", "--quiet"]);
    assert_eq!(failed.status.code(), Some(1), "{}", err(&failed));
    let found = json(&folder.path().join("failed/postmortem.json"));
    assert_eq!(found["diagnosis"], "stiffness too low for the impact");
    let warned = ["run", "a.toml", "--out", "warned", "--set", "health.overlap=\"warn\""];
    let output = esker(folder.path(), &warned);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let overlaps = &json(&folder.path().join("warned/summary.json"))["overlaps"];
    let steps = overlaps["steps"].as_u64().expect("a count");
    assert!(steps > 0 && overlaps["largest"].as_f64() > Some(0.1), "{overlaps}");
    let text = format!("after {steps} of ");
    assert!(err(&output).contains(&text), "{}", err(&output));
    let page = std::fs::read_to_string(folder.path().join("warned/report.html")).expect("there");
    assert!(page.contains("Steps with an overlap beyond the limit"));
}

#[test]
fn a_run_without_outputs_leaves_a_checkpoint_of_its_end_to_go_on_from() {
    let folder = folder_with(&BALL.replace("3e5", "1e7"));
    let run = |more: &[&str]| {
        let output = esker(folder.path(), &[&["run", "a.toml", "--quiet"], more].concat());
        assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    };
    run(&["--out", "whole"]);
    assert!(folder.path().join("whole/checkpoint.esk").is_file());
    let probe = "probes = [{ name = \"p\", particle = 0, columns = [\"position\"] }]";
    let more = format!("{}[outputs]\nreport = false\n{probe}\n", BALL.replace("3e5", "1e7"));
    let from = "insert = { from = \"whole/checkpoint.esk\" }";
    let more = more.replace("insert = { list = [{ position = [0, 0, 0.05] }] }", from);
    std::fs::write(folder.path().join("a.toml"), more).expect("written");
    run(&["--out", "after"]);
    // it starts at the end of the other run
    let height = |file: &str, name: &str, row: usize| {
        let text = std::fs::read_to_string(folder.path().join(file)).expect("there");
        let cells = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
        let lines: Vec<Vec<String>> = text.lines().map(cells).collect();
        let column = lines[0].iter().position(|head| head == name).expect("the column");
        lines[row][column].parse::<f64>().expect("a number")
    };
    let first = height("after/probes/p.csv", "position_z", 1);
    assert_eq!(height("whole/final.csv", "position_z", 1), first);
    assert!(!folder.path().join("after/report.html").exists());
}

#[test]
fn frames_without_contacts_have_no_files_of_contacts() {
    let scene = BALL.replace("3e5", "1e7");
    let with = |contacts: bool| {
        let outputs = format!("[outputs]\nframes = {{ every = 0.05, contacts = {contacts} }}\n");
        let folder = folder_with(&format!("{scene}{outputs}"));
        let output = esker(folder.path(), &["run", "a.toml", "--out", "r", "--quiet"]);
        assert_eq!(output.status.code(), Some(0), "{}", err(&output));
        let has = folder.path().join("r/frames/contacts_000000.vtp").exists();
        let list = std::fs::read_to_string(folder.path().join("r/frames.pvd")).expect("there");
        // The floor does not move: one file is used by all frames.
        assert!(folder.path().join("r/frames/walls_000000.vtp").exists());
        assert!(!folder.path().join("r/frames/walls_000001.vtp").exists());
        (has, list.contains("contacts"), list.matches("<DataSet").count())
    };
    assert_eq!(with(true), (true, true, 9));
    assert_eq!(with(false), (false, false, 6));
}

#[test]
fn an_output_that_is_due_at_the_end_of_a_stage_is_written() {
    // 2.1 steps: the stage ends after the third, where the probe is due
    let scene = BALL
        .replace("end = { after = 0.12 }", "end = { after = 2.1e-5 }")
        .replace("[materials]", "[time]\nstep = 1e-5\n[materials]");
    let probe = "[outputs]\nprobes = [{ name = \"p\", particle = 0, columns = [\"speed\"], every = 2.1e-5 }]\n";
    let folder = folder_with(&format!("{scene}{probe}"));
    let output = esker(folder.path(), &["run", "a.toml", "--out", "r", "--quiet"]);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let table = std::fs::read_to_string(folder.path().join("r/probes/p.csv")).expect("there");
    let last = table.lines().last().expect("rows");
    let time: f64 = last.split(',').next().and_then(|text| text.parse().ok()).expect("a time");
    assert!((time - 3e-5).abs() < 1e-15, "{table}");
}

#[test]
fn a_sweep_of_one_parameter_shows_its_values_and_ranks_nothing() {
    let folder = folder_with(&BALL.replace("3e5", "1e7"));
    let vary = "materials.grain.density=1000,2000";
    let arguments =
        ["sweep", "a.toml", "--vary", vary, "--collect", "energy.potential", "--seeds", "2"];
    let output = esker(folder.path(), &arguments);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let text = out(&output);
    assert!(text.contains("1000") && text.contains("±") && !text.contains("fraction"), "{text}");
    let sweep = folder.path().join("sweeps/a");
    assert!(!sweep.join("effects.csv").exists());
    let mut names: Vec<String> = std::fs::read_dir(sweep.join("runs"))
        .expect("there")
        .map(|entry| entry.expect("listed").path())
        .filter(|path| path.is_dir())
        .filter_map(|path| Some(path.file_name()?.to_str()?.to_owned()))
        .collect();
    names.sort();
    assert_eq!(names.len(), 4);
    assert!(names[0].starts_with("density=1000_seed=0-"), "{names:?}");
    let page = std::fs::read_to_string(sweep.join("report.html")).expect("there");
    assert!(page.contains("mean ± standard deviation over seeds"), "bars over seeds");
    assert!(!page.contains("Effects on"), "nothing is ranked");
}
