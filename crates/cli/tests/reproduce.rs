//! `esker reproduce`: verdicts, reports, resumption, and the cases that take seconds.

mod support;

use esker_study::case::{Case, Papers, outdated, validation_page};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use support::{err, esker, out};

/// A ball dropped on a floor from 5 cm: the speed at the impact is √(2 g 0.05).
const SCENE: &str = r#"
format = 1
title = "Drop"
gravity = [0, 0, -9.81]
[time]
step = 1e-5
[materials]
rubber = { density = 1100, young_modulus = 2e7, poisson_ratio = 0.45 }
[contact]
normal = "hertz"
pairs = [{ between = ["rubber", "rubber"] }]
[[particles]]
name = "ball"
material = "rubber"
radius = 0.05
insert = { list = [{ position = [0, 0, 0.1] }] }
[[walls]]
name = "floor"
material = "rubber"
half-space = { point = [0, 0, 0], normal = [0, 0, 1] }
[[stages]]
name = "fall"
end = { after = 0.11 }
[outputs]
events = true
checkpoint = { every = 0.005 }
probes = [{ name = "ball", particle = 0, columns = ["position", "velocity"] }]
"#;

const CASE: &str = r#"
format = 1
paper = "galilei-1638"
section = "3"
title = "Fall"
[let]
g = 9.81
[[runs]]
name = "drop"
[[runs]]
name = "long"
set = ["stages[0].end.after=0.6"]
only = "full"
[[quantities]]
id = "impact_time"
name = "time of the impact"
unit = "s"
value = "event('drop', 'begin', 1)"
theory = "sqrt(2*0.05/g)"
theory_tolerance = 1e-6
published = 0.1
published_tolerance = "2 %"
reason = "interpolated inside a step"
[[plots]]
title = "Height"
x = "time [s]"
y = "height [m]"
lines = [{ name = "here", x = "drop.ball.time", y = "drop.ball.position_z" }]
theory = [{ name = "parabola", formula = "0.1 - 0.5*g*x^2", from = 0, to = 0.1 }]
points = [{ name = "published", x = [0.1], y = [0.05] }]
[[pictures]]
run = "drop"
times = [0.0, 0.1]
"#;

fn own_case(case: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let case_folder = folder.path().join("fall");
    std::fs::create_dir(&case_folder).expect("it can be made");
    for (name, text) in [("case.toml", case), ("scene.toml", SCENE), ("README.md", "A fall.\n")] {
        std::fs::write(case_folder.join(name), text).expect("it can be written");
    }
    folder
}

fn json(folder: &Path, file: &str) -> serde_json::Value {
    let text = std::fs::read_to_string(folder.join(file)).expect("it is there");
    serde_json::from_str(&text).expect("it is JSON")
}

#[test]
fn a_case_of_ones_own_is_run_compared_and_shown_and_not_run_twice() {
    let folder = own_case(CASE);
    let arguments = ["reproduce", "fall", "--json", "results.json", "--markdown", "page.md"];
    let output = esker(folder.path(), &arguments);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let text = out(&output);
    assert!(text.contains("time of the impact [s]") && text.contains("agrees"), "{text}");
    let row = &json(folder.path(), "results.json")[0]["rows"][0];
    let expected = f64::sqrt(0.1 / 9.81);
    let ours = row["ours"].as_f64().expect("a number");
    assert!((ours - expected).abs() < 1e-6, "{ours}");
    assert_eq!(row["verdict"], "agrees");
    let page = std::fs::read_to_string(folder.path().join("cases/fall/RESULTS.md")).unwrap();
    assert!(page.contains("| time of the impact [s] | 0.1 ± 0.002 |"), "{page}");
    assert!(page.contains("## Quick size") && !page.contains("## Full size"), "{page}");
    let summary = std::fs::read_to_string(folder.path().join("page.md")).expect("it is there");
    assert!(summary.contains("| [fall](cases/fall/RESULTS.md) |"), "{summary}");
    let report = std::fs::read_to_string(folder.path().join("reproduced/report.html")).unwrap();
    assert_eq!(report.matches("<svg").count(), 1);
    assert_eq!(report.matches("<img").count(), 2);
    assert!(report.contains("parabola") && report.contains("<circle"));

    assert!(!err(&output).contains("reused"));
    let again = esker(folder.path(), &arguments);
    assert!(err(&again).contains("drop") && err(&again).contains("reused"), "{}", err(&again));
    let changed = SCENE.replace("step = 1e-5", "step = 2e-5");
    std::fs::write(folder.path().join("fall/scene.toml"), changed).expect("it can be written");
    let repeated = esker(folder.path(), &arguments);
    assert!(!err(&repeated).contains("reused"), "{}", err(&repeated));
}

#[test]
fn a_row_that_fails_or_a_known_value_that_moves_is_exit_code_1() {
    let published = |text: &str| CASE.replace("published = 0.1\n", text);
    let failing = own_case(&published("published = 0.2\n"));
    let output = esker(failing.path(), &["reproduce", "fall"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(out(&output).contains("fails"), "{}", out(&output));
    assert!(err(&output).contains("1 comparison fails"), "{}", err(&output));

    let known = "published = 0.2\nknown = { ours = 0.10096, moves = 1e-4, cause = \"a test\" }\n";
    let told = own_case(&published(known));
    let output = esker(told.path(), &["reproduce", "fall"]);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    assert!(out(&output).contains("differs"), "{}", out(&output));
    assert!(out(&output).contains("cause: a test"), "{}", out(&output));

    let moved = own_case(&published(&known.replace("0.10096", "0.102")));
    let output = esker(moved.path(), &["reproduce", "fall"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(out(&output).contains("has changed"), "{}", out(&output));
}

/// Starts the case and kills it once its second run has a checkpoint; returns whether that run was unfinished.
fn kill_in_the_second_run(folder: &Path) -> bool {
    let mut child = Command::new(env!("CARGO_BIN_EXE_esker"))
        .args(["reproduce", "fall", "--jobs", "1"])
        .current_dir(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let checkpoint = folder.join("reproduced/fall/quick/long/checkpoint.esk");
    while !checkpoint.is_file() && child.try_wait().expect("its state can be queried").is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    assert!(checkpoint.is_file(), "the second run has saved nothing");
    !folder.join("reproduced/fall/quick/long.json").is_file()
}

#[test]
fn an_interrupted_run_goes_on_where_it_was() {
    // The duration of the run depends on the machine: it is extended until the kill comes before its end.
    for end in [0.6, 2.4, 9.6, 38.4] {
        let case = CASE.replace("only = \"full\"", "quick = []");
        let folder = own_case(&case.replace("after=0.6", &format!("after={end}")));
        if !kill_in_the_second_run(folder.path()) {
            continue;
        }
        let output = esker(folder.path(), &["reproduce", "fall"]);
        assert_eq!(output.status.code(), Some(0), "{}", err(&output));
        let told = err(&output);
        assert!(
            told.lines().any(|line| line.contains("drop:") && line.ends_with("reused")),
            "{told}"
        );
        let summary = json(folder.path(), "reproduced/fall/quick/long/summary.json");
        assert!(summary["resumed_at_step"].as_u64().is_some_and(|step| step > 0), "{summary}");
        assert!((summary["time"].as_f64().unwrap_or_default() - end).abs() < 1e-9, "{summary}");
        return;
    }
    panic!("every run ended before it was killed");
}

#[test]
fn the_page_holds_both_sizes_and_no_other_page_is_written_over() {
    let folder = own_case(CASE);
    let arguments = ["reproduce", "fall", "--markdown", "page.md"];
    let full = [&arguments[..], &["--full"]].concat();
    for arguments in [&arguments[..], &full, &arguments] {
        let output = esker(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    }
    let page = std::fs::read_to_string(folder.path().join("cases/fall/RESULTS.md")).unwrap();
    assert_eq!(page.matches("| time of the impact [s] |").count(), 2, "{page}");
    let (quick, full) = page.split_once("## Full size").expect("the quick size came last");
    assert!(quick.contains("## Quick size") && quick.contains(": 1 run, "), "{page}");
    assert!(full.contains(": 2 runs, "), "{page}");

    std::fs::write(folder.path().join("notes.md"), "# Notes\n").expect("it can be written");
    let output = esker(folder.path(), &["reproduce", "fall", "--markdown", "notes.md"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        err(&output).contains("`notes.md` is not a page of `esker reproduce`"),
        "{}",
        err(&output)
    );
    let notes = std::fs::read_to_string(folder.path().join("notes.md")).expect("it is there");
    assert_eq!(notes, "# Notes\n");
}

#[test]
fn mistakes_in_a_case_and_in_names_are_said() {
    let folder = own_case(&CASE.replace("'begin'", "'begin', oops"));
    let output = esker(folder.path(), &["reproduce", "fall"]);
    assert_eq!(output.status.code(), Some(2), "{}", err(&output));
    assert!(err(&output).contains("case `fall`"), "{}", err(&output));
    let output = esker(folder.path(), &["reproduce", "bandeira-inclin"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(err(&output).contains("did you mean `bandeira-incline`"), "{}", err(&output));
}

#[test]
fn every_entry_of_pictures_is_a_view_of_its_own() {
    let second = "[[pictures]]\nrun = \"drop\"\ntimes = [0.0, 0.1]\nfrom = [0, 0, 1]\n";
    let folder = own_case(&format!("{CASE}{second}"));
    let output = esker(folder.path(), &["reproduce", "fall"]);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let results = folder.path().join("reproduced/fall/quick/pictures");
    let taken = support::files(&results);
    let names: Vec<&str> = taken.keys().map(String::as_str).collect();
    assert_eq!(names, ["drop-0.png", "drop-1.png", "drop-view2-0.png", "drop-view2-1.png"]);
    assert!(taken["drop-0.png"] != taken["drop-view2-0.png"], "one camera for both");
    let report = std::fs::read_to_string(folder.path().join("reproduced/report.html")).unwrap();
    assert_eq!(report.matches("<img").count(), 4);
    assert!(report.contains("drop, t = 0.1 s, view 2"));
    // Another time beyond the end of the run does not show the picture of the first.
    let later = CASE.replace("times = [0.0, 0.1]", "times = [0.0, 0.3]");
    std::fs::write(folder.path().join("fall/case.toml"), later).expect("it can be written");
    let output = esker(folder.path(), &["reproduce", "fall"]);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let report = std::fs::read_to_string(folder.path().join("reproduced/report.html")).unwrap();
    assert_eq!(report.matches("<img").count(), 1);
}

#[test]
fn mistakes_in_pictures_are_said_with_their_place() {
    let wrong = [
        ("run = \"drip\"\ntimes = [0.0]", "there is no run `drip`"),
        (
            "run = \"drop\"\ntimes = [0.0]\nmin = [0, 0, 0]",
            "`min` and `max` must be given together",
        ),
        ("run = \"drop\"\ntimes = []", "`times` is empty"),
    ];
    for (entry, what) in wrong {
        let folder = own_case(&format!("{CASE}[[pictures]]\n{entry}\n"));
        let output = esker(folder.path(), &["reproduce", "fall"]);
        assert_eq!(output.status.code(), Some(2), "{}", err(&output));
        let expected = format!("case `fall`: entry 2 of `[[pictures]]`: {what}");
        assert!(err(&output).contains(&expected), "{}", err(&output));
    }
}

/// Stages of 2.04 steps of 1e-5 s take 3 steps each: a run of fifteen ends after the sum of their times.
#[test]
fn the_end_of_a_run_has_its_picture_though_stages_end_between_steps() {
    let folder = own_case(&CASE.replace("times = [0.0, 0.1]", "times = [0.000306]"));
    let stages = |count: usize| -> String {
        let stage =
            |index| format!("[[stages]]\nname = \"s{index}\"\nend = {{ after = 2.04e-5 }}\n");
        (0..count).map(stage).collect()
    };
    let (before, after) = SCENE.split_once("[[stages]]").expect("it has stages");
    let (_, after) = after.split_once("[outputs]").expect("it has outputs");
    let scene = format!("{before}{}[outputs]{after}", stages(15));
    std::fs::write(folder.path().join("fall/scene.toml"), scene).expect("it can be written");
    esker(folder.path(), &["reproduce", "fall"]);
    let results = folder.path().join("reproduced/fall/quick");
    let time = json(&results, "drop/summary.json")["time"].as_f64().expect("a time");
    assert!((time - 45e-5).abs() < 1e-12, "{time}");
    assert!(results.join("pictures/drop-0.png").is_file(), "no picture of the end");
}

/// Grains in front of the cut are omitted.
#[test]
fn a_cut_takes_away_what_is_before_it() {
    let whole = "run = \"drop\"\ntimes = [0.0]\nfrom = [0, -1, 0]\n";
    let entries = ["", "cut = [0, 0, 0]\n", "cut = [0, 0.2, 0]\n"]
        .map(|cut| format!("[[pictures]]\n{whole}{cut}"));
    let folder = own_case(&format!("{CASE}{}", entries.concat()));
    let output = esker(folder.path(), &["reproduce", "fall"]);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let taken = support::files(&folder.path().join("reproduced/fall/quick/pictures"));
    let [whole, through, behind] = [2, 3, 4].map(|view| &taken[&format!("drop-view{view}-0.png")]);
    assert!(whole == through, "the ball is in the plane");
    assert!(whole != behind, "the ball is before the plane");
}

/// The folders of all cases of the project.
fn cases() -> Vec<Case> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../cases");
    let mut folders: Vec<PathBuf> = std::fs::read_dir(root)
        .expect("it can be listed")
        .map(|entry| entry.expect("it can be listed").path())
        .filter(|path| path.is_dir())
        .collect();
    folders.sort();
    folders.iter().map(|folder| Case::open(folder).expect("the case is good")).collect()
}

#[test]
fn the_list_has_every_case_and_its_paper() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = out(&esker(folder.path(), &["reproduce", "--list"]));
    for case in cases() {
        // its line is below the heading of its paper
        let heading = text.find(&format!("({})\n", case.paper())).expect("a heading");
        let line = text[heading..].find(&format!("\n  {} ", case.name)).expect("a line");
        let next = text[heading + 1..].find("\n").map_or(text.len(), |end| heading + 1 + end);
        let others = text[next..heading + line].lines().filter(|line| !line.starts_with("  "));
        assert_eq!(others.collect::<String>(), "", "{}: {text}", case.name);
    }
}

#[test]
fn every_case_that_takes_seconds_comes_out_as_recorded() {
    let folder = tempfile::tempdir().expect("a folder");
    let tested: Vec<String> =
        cases().into_iter().filter(Case::tested).map(|case| case.name).collect();
    assert!(!tested.is_empty());
    let mut arguments = vec!["reproduce"];
    arguments.extend(tested.iter().map(String::as_str));
    let output = esker(folder.path(), &arguments);
    assert_eq!(output.status.code(), Some(0), "{}\n{}", out(&output), err(&output));
}

/// `esker reproduce` writes these pages; this test finds cases that have changed since, at either size: quantities,
/// claims, causes, published figures. With `ESKER_WRITE_PAGES` set, the summary is written from the pages of the cases.
#[test]
fn the_pages_of_validation_match_the_cases() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let papers = std::fs::read_to_string(root.join("cases/papers.toml")).expect("it is there");
    let papers = Papers::read(&papers).expect("the table is good");
    let summary = std::fs::read_to_string(root.join("VALIDATION.md")).expect("it is there");
    let mut pages = BTreeMap::new();
    for entry in std::fs::read_dir(root.join("cases")).expect("a folder") {
        let folder = entry.expect("an entry");
        if let Ok(page) = std::fs::read_to_string(folder.path().join("RESULTS.md")) {
            pages.insert(folder.file_name().to_string_lossy().into_owned(), page);
        }
    }
    if std::env::var_os("ESKER_WRITE_PAGES").is_some() {
        let page = validation_page(&papers, pages.values().map(String::as_str)).expect("pages");
        std::fs::write(root.join("VALIDATION.md"), page).expect("it can be written");
    }
    let found = outdated(&papers, &summary, &pages, &cases()).expect("pages of validation");
    assert!(
        found.is_empty(),
        "esker reproduce --all --markdown VALIDATION.md, and --full:\n{}",
        found.join("\n")
    );
}
