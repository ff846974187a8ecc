//! `esker sweep`: designs, results, rankings, resumption and mistakes, on scenes whose answer is
//! known.

mod support;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;
use support::{err, esker, out};

/// A ball slowed down by linear drag: after the time T its speed is v exp(−c T/m).
const DRAG: &str = r#"
format = 1
title = "Drag"
seed = 7
[time]
step = 1e-4
[domain]
min = [-10, -10, -10]
max = [10, 10, 10]
[materials]
ice = { density = 900, young_modulus = 1e6, poisson_ratio = 0.3 }
[contact]
normal = "hertz"
pairs = [{ between = ["ice", "ice"] }]
[[fields]]
drag = { linear = { coefficient = 0.01 } }
[[particles]]
name = "ball"
material = "ice"
radius = 0.01
velocity = [2, 0, 0]
insert = { list = [{ position = [0, 0, 0] }] }
[[stages]]
name = "flight"
end = { after = 0.2 }
[outputs]
probes = [{ name = "ball", particle = 0, columns = ["velocity"], every = 0.1 }]
"#;

fn speed(coefficient: f64, radius: f64) -> f64 {
    let mass = 900.0 * 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3);
    2.0 * (-coefficient * 0.2 / mass).exp()
}

/// A handful of grains that fall into a heap: what comes out depends on the seed.
const HEAP: &str = r#"
format = 1
title = "Heap"
seed = 3
gravity = [0, 0, -9.81]
[domain]
min = [-1, -1, -0.1]
max = [1, 1, 1]
[materials]
grain = { density = 2500, young_modulus = 1e7, poisson_ratio = 0.25 }
[contact]
normal = "hertz"
damping = "hertz"
tangential = "mindlin"
pairs = [{ between = ["grain", "grain"], friction = 0.5, restitution = 0.5 }]
[[particles]]
name = "grains"
material = "grain"
radius = 0.01
insert = { count = 60, box = { min = [-0.05, -0.05, 0.02], max = [0.05, 0.05, 0.2] } }
[[walls]]
name = "floor"
material = "grain"
half-space = { point = [0, 0, 0], normal = [0, 0, 1] }
[[stages]]
name = "fall"
end = { after = 0.3 }
[outputs]
checkpoint = { every = 0.02 }
probes = [{ name = "heap", particles = "grains", columns = ["max_height"], every = 0.05 }]
"#;

fn folder_with(scene: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("scene.toml"), scene).expect("it can be written");
    folder
}

/// The rows of a table, by the names of the columns. No cell of these tests holds a comma.
fn rows(path: &Path) -> Vec<BTreeMap<String, String>> {
    let text = std::fs::read_to_string(path).expect("the table is there");
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().expect("a header").split(',').collect();
    let row = |line: &str| {
        header.iter().zip(line.split(',')).map(|(a, b)| ((*a).to_owned(), b.to_owned())).collect()
    };
    lines.map(row).collect()
}

fn number(row: &BTreeMap<String, String>, column: &str) -> f64 {
    row[column].parse().unwrap_or_else(|_| panic!("{column} of {row:?}"))
}

#[test]
fn a_grid_gives_every_combination_and_the_speed_of_theory() {
    let folder = folder_with(DRAG);
    let output = esker(
        folder.path(),
        &[
            "sweep",
            "scene.toml",
            "--vary",
            "fields[0].drag.linear.coefficient=0.001,0.005,0.02",
            "--vary",
            "particles[0].radius=0.01,0.02",
            "--collect",
            "velocity_x",
        ],
    );
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let runs = rows(&folder.path().join("sweeps/scene/results.csv"));
    assert_eq!(runs.len(), 6);
    for row in &runs {
        let coefficient = number(row, "fields[0].drag.linear.coefficient");
        let expected = speed(coefficient, number(row, "particles[0].radius"));
        // Velocity Verlet: an error of (c dt/m)²-order over 2000 steps.
        assert!((number(row, "ball.velocity_x") - expected).abs() < 1e-4, "{row:?}, {expected}");
    }
    let table: Vec<f64> = runs.iter().map(|row| number(row, "ball.velocity_x")).collect();
    let mean = table.iter().sum::<f64>() / 6.0;
    let spread: f64 = table.iter().map(|value| (value - mean).powi(2)).sum();
    let radius = [0, 1].map(|which| (table[which] + table[2 + which] + table[4 + which]) / 3.0);
    let share = radius.iter().map(|value| 3.0 * (value - mean).powi(2)).sum::<f64>() / spread;
    let effects = rows(&folder.path().join("sweeps/scene/effects.csv"));
    let found = effects
        .iter()
        .find(|row| row["parameter"] == "particles[0].radius" && row["measure"].contains("share"))
        .expect("it is ranked");
    assert!((number(found, "value") - share).abs() < 1e-9, "{found:?}, {share}");
    let page = std::fs::read_to_string(folder.path().join("sweeps/scene/report.html")).unwrap();
    assert_eq!(page.matches("<svg").count(), 2, "one plot for each parameter");
    assert!(out(&output).contains("ball.velocity_x"), "{}", out(&output));
}

/// First and total index of u and v on (0, 1)² by the midpoint rule.
fn quadrature(function: impl Fn(f64, f64) -> f64) -> [[f64; 2]; 2] {
    const CELLS: usize = 400;
    let at = |index: usize| (index as f64 + 0.5) / CELLS as f64;
    let table: Vec<Vec<f64>> =
        (0..CELLS).map(|i| (0..CELLS).map(|j| function(at(i), at(j))).collect()).collect();
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let variance = |values: &[f64]| {
        let center = mean(values);
        values.iter().map(|value| (value - center).powi(2)).sum::<f64>() / values.len() as f64
    };
    let all = variance(&table.concat());
    let rows: Vec<f64> = table.iter().map(|row| mean(row)).collect();
    let columns: Vec<f64> =
        (0..CELLS).map(|j| mean(&table.iter().map(|row| row[j]).collect::<Vec<_>>())).collect();
    let first = [variance(&rows) / all, variance(&columns) / all];
    [[first[0], 1.0 - first[1]], [first[1], 1.0 - first[0]]]
}

#[test]
fn the_indices_of_a_ball_in_drag_are_those_of_an_integral() {
    let folder = folder_with(DRAG);
    let output = esker(
        folder.path(),
        &[
            "sweep",
            "scene.toml",
            "--vary",
            "fields[0].drag.linear.coefficient=0.001..0.04",
            "--vary",
            "particles[0].radius=0.005..0.02 log",
            "--method",
            "sobol",
            "--samples",
            "64",
            "--collect",
            "velocity_x",
            "--quiet",
        ],
    );
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let exact = quadrature(|u, v| speed(0.001 + 0.039 * u, 0.005 * 4.0_f64.powf(v)));
    let effects = rows(&folder.path().join("sweeps/scene/effects.csv"));
    let keys = ["fields[0].drag.linear.coefficient", "particles[0].radius"];
    for (key, exact) in keys.iter().zip(exact) {
        for (measure, exact) in ["first order", "total order"].iter().zip(exact) {
            let row = effects
                .iter()
                .find(|row| row["parameter"] == *key && row["measure"] == *measure)
                .expect("every parameter is ranked");
            // 1/√64 = 0.125 would be the error of random rows; the step adds next to nothing.
            assert!((number(row, "value") - exact).abs() < 0.125, "{row:?}, not {exact}");
            let (low, high) = (number(row, "low"), number(row, "high"));
            assert!(low < exact && exact < high, "{row:?}, not {exact}");
        }
    }
}

#[test]
fn seeds_are_repeated_and_their_mean_and_deviation_are_given() {
    let folder = folder_with(HEAP);
    let arguments =
        ["sweep", "scene.toml", "--vary", "contact.pairs[*].friction=0.1,0.8", "--seeds", "3"];
    let output = esker(folder.path(), &arguments);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let place = folder.path().join("sweeps/scene");
    let runs = rows(&place.join("results.csv"));
    let seeds: Vec<&str> = runs.iter().map(|row| row["seed"].as_str()).collect();
    assert_eq!(seeds, ["3", "4", "5", "3", "4", "5"]);
    for (point, row) in rows(&place.join("points.csv")).iter().enumerate() {
        let values: Vec<f64> = runs[3 * point..3 * point + 3]
            .iter()
            .map(|run| number(run, "heap.max_height"))
            .collect();
        let mean = values.iter().sum::<f64>() / 3.0;
        let deviation =
            (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / 2.0).sqrt();
        assert!((number(row, "heap.max_height") - mean).abs() < 1e-12, "{row:?}");
        assert!((number(row, "heap.max_height deviation") - deviation).abs() < 1e-12, "{row:?}");
        assert!(deviation > 0.0, "another seed is another heap");
    }
    assert!(out(&output).contains("standard deviation between seeds"), "{}", out(&output));
}

#[test]
fn a_killed_sweep_goes_on_to_the_same_table_and_finished_runs_are_not_made_again() {
    let folder = folder_with(HEAP);
    let arguments = [
        "sweep",
        "scene.toml",
        "--vary",
        "contact.pairs[*].friction=0.1..0.9",
        "--vary",
        "materials.grain.young_modulus=1e7..1e8 log",
        "--method",
        "morris",
        "--samples",
        "2",
    ];
    let whole =
        esker(folder.path(), &[&arguments[..], &["--out", "whole", "--jobs", "1"]].concat());
    assert_eq!(whole.status.code(), Some(0), "{}", err(&whole));
    let mut child = Command::new(env!("CARGO_BIN_EXE_esker"))
        .args(arguments)
        .args(["--out", "killed", "--jobs", "2"])
        .current_dir(folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let place = folder.path().join("killed/runs");
    let ended = || {
        let entries = std::fs::read_dir(&place).into_iter().flatten().flatten();
        entries.filter(|entry| entry.path().extension().is_some_and(|end| end == "json")).count()
    };
    for _ in 0..4000 {
        if ended() >= 2 {
            break;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    let before = ended();
    assert!((2..6).contains(&before), "killed too late or too early: {before}");
    let again = esker(folder.path(), &[&arguments[..], &["--out", "killed"]].concat());
    assert_eq!(again.status.code(), Some(0), "{}", err(&again));
    let told = err(&again);
    assert!(told.contains(&format!("{before} made before")), "{told}");
    for file in ["results.csv", "effects.csv"] {
        let read = |which: &str| std::fs::read(folder.path().join(which).join(file)).expect(file);
        assert!(read("whole") == read("killed"), "{file} differs");
    }
    assert_eq!(out(&whole), out(&again));

    let changed = HEAP.replace("restitution = 0.5", "restitution = 0.6");
    std::fs::write(folder.path().join("scene.toml"), changed).expect("it can be written");
    let anew = esker(folder.path(), &[&arguments[..], &["--out", "killed", "--dry-run"]].concat());
    let told = err(&anew);
    assert!(told.contains("are of another scene or program and are made again"), "{told}");
    assert!(told.contains("0 made before"), "{told}");
}

/// A square across x, in two triangles.
fn square_at(x: f64) -> String {
    let facet = |[a, b, c]: [[f64; 2]; 3]| {
        let corner = |[y, z]: [f64; 2]| format!("vertex {x} {y} {z}\n");
        let corners = [a, b, c].map(corner).concat();
        format!("facet normal -1 0 0\nouter loop\n{corners}endloop\nendfacet\n")
    };
    let first = facet([[-0.1, -0.1], [-0.1, 0.1], [0.1, 0.1]]);
    let second = facet([[-0.1, -0.1], [0.1, 0.1], [0.1, -0.1]]);
    format!("solid square\n{first}{second}endsolid square\n")
}

/// A ball flies towards a mesh: it is thrown back by one on its way, and not by one far away. What
/// was made with the mesh as it was before, or by another program, is made again.
#[test]
fn a_changed_mesh_and_another_program_are_noticed() {
    let wall = "[[walls]]\nname = \"plate\"\nmaterial = \"ice\"\nmesh = \"plate.stl\"\n[[stages]]";
    // Ice as soft as this is pressed in far by a ball at 2 m/s.
    let soft = DRAG.replacen("[materials]", "[health]\noverlap_limit = 0.5\n[materials]", 1);
    let folder = folder_with(&soft.replacen("[[stages]]", wall, 1));
    let mesh = folder.path().join("plate.stl");
    let arguments = ["sweep", "scene.toml", "--vary", "particles[0].radius=0.01,0.011"];
    let velocities = || -> Vec<f64> {
        let rows = rows(&folder.path().join("sweeps/scene/results.csv"));
        rows.iter().map(|row| number(row, "ball.velocity_x")).collect()
    };
    let again = "2 runs in sweeps/scene are of another scene or program and are made again";
    std::fs::write(&mesh, square_at(0.1)).expect("it can be written");
    let near = esker(folder.path(), &arguments);
    assert_eq!(near.status.code(), Some(0), "{}", err(&near));
    assert!(velocities().iter().all(|velocity| *velocity < 0.0), "{:?}", velocities());

    std::fs::write(&mesh, square_at(5.0)).expect("it can be written");
    let far = err(&esker(folder.path(), &arguments));
    assert!(far.contains(again) && far.contains("0 made before"), "{far}");
    for (velocity, radius) in velocities().into_iter().zip([0.01, 0.011]) {
        // The step is 1e-4 s of 0.2 s; velocity Verlet errs by less than its square.
        assert!((velocity / speed(0.01, radius) - 1.0).abs() < 1e-5, "{velocity}");
    }
    let same = err(&esker(folder.path(), &arguments));
    assert!(same.contains("2 made before") && !same.contains("made again"), "{same}");

    let mut program = std::fs::read(env!("CARGO_BIN_EXE_esker")).expect("it can be read");
    program.push(0);
    let other = folder.path().join("other-esker");
    std::fs::copy(env!("CARGO_BIN_EXE_esker"), &other).expect("it keeps its permissions");
    std::fs::write(&other, program).expect("it can be written");
    let output = Command::new(&other)
        .args(arguments)
        .current_dir(folder.path())
        .output()
        .expect("the other program starts");
    let told = err(&output);
    assert!(told.contains(again) && told.contains("0 made before"), "{told}");
}

/// A law and what it needs change together.
#[test]
fn a_word_may_bring_the_parameters_that_its_law_needs() {
    let folder = folder_with(HEAP);
    let arguments = [
        "sweep",
        "scene.toml",
        "--vary",
        "contact.rolling=none,elastic-plastic with contact.pairs[*].rolling_friction=0.3",
        "--collect",
        "max_height",
    ];
    // `heap.max_height` and `measures.max_height` end alike.
    let output = esker(folder.path(), &arguments);
    assert!(err(&output).contains("may be any of"), "{}", err(&output));
    let output =
        esker(folder.path(), &[&arguments[..4], &["--collect", "measures.*,heap.*"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let rows = rows(&folder.path().join("sweeps/scene/results.csv"));
    let words: Vec<&str> = rows.iter().map(|row| row["contact.rolling"].as_str()).collect();
    assert_eq!(
        words,
        ["none", "elastic-plastic with contact.pairs[*].rolling_friction=0.3"],
        "{rows:?}"
    );
    for row in &rows {
        let scene = folder.path().join("sweeps/scene/runs").join(&row["run"]).join("run.toml");
        let scene = std::fs::read_to_string(scene).expect("the scene as it was run");
        let has_law = scene.contains("rolling = \"elastic-plastic\"");
        assert_eq!(has_law, row["contact.rolling"] != "none", "{scene}");
        assert_eq!(scene.contains("rolling_friction = 0.3"), has_law, "{scene}");
    }
    let page = std::fs::read_to_string(folder.path().join("sweeps/scene/report.html")).unwrap();
    for text in [">none</text>", ">elastic-plastic</text>", ">heap.max_height [m]</text>"] {
        assert!(page.contains(text), "{text} is missing");
    }
}

#[test]
fn more_samples_make_only_the_runs_that_are_new() {
    let folder = folder_with(DRAG);
    let with = |samples: &str| {
        let arguments = [
            "sweep",
            "scene.toml",
            "--vary",
            "particles[0].radius=0.005..0.02",
            "--method",
            "sobol",
            "--samples",
            samples,
        ];
        err(&esker(folder.path(), &arguments))
    };
    // With one parameter, B and A with its column are the same.
    assert!(with("4").contains("8 runs of 12 points, 0 made before"));
    assert!(with("8").contains("16 runs of 24 points, 8 made before"));
}

#[test]
fn runs_that_fail_are_listed_and_the_others_counted() {
    let folder = folder_with(HEAP);
    let arguments = [
        "sweep",
        "scene.toml",
        "--vary",
        "materials.grain.young_modulus=-1,2e3,1e7,5e7",
        "--collect",
        "heap.max_height",
        "--json",
        "sweep.json",
    ];
    let output = esker(folder.path(), &arguments);
    assert_eq!(output.status.code(), Some(1), "{}", err(&output));
    let text = std::fs::read_to_string(folder.path().join("sweep.json")).expect("it is written");
    let json: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
    assert_eq!((&json["runs"], &json["failed"]), (&4.into(), &2.into()), "{json}");
    assert_eq!(json["method"], "grid");
    let effect = &json["effects"][0];
    assert_eq!((&effect["result"], &effect["unit"]), (&"heap.max_height".into(), &"m".into()));
    // What one parameter explains alone is all there is.
    let share = &effect["parameters"][0]["share of the variance"]["value"];
    assert!((share.as_f64().expect("a number") - 1.0).abs() < 1e-12, "{effect}");
    let told = err(&output);
    assert!(told.contains("2 of 4 runs failed"), "{told}");
    assert!(told.contains("`young_modulus` is -1"), "{told}");
    let text = std::fs::read_to_string(folder.path().join("sweeps/scene/results.csv")).unwrap();
    let ended: Vec<&str> =
        text.lines().skip(1).map(|line| line.split(',').nth(2).expect("a cell")).collect();
    assert_eq!(ended, ["refused", "failed", "finished", "finished"], "{text}");
    assert!(
        text.contains("the overlap reached") && text.contains(",`young_modulus` is -1"),
        "{text}"
    );
    assert!(out(&output).contains("some runs lack a result"), "{}", out(&output));
}

#[test]
fn a_dry_run_lists_and_estimates_and_makes_nothing() {
    let folder = folder_with(HEAP);
    let arguments = [
        "sweep",
        "scene.toml",
        "--vary",
        "seed=1,2,3",
        "--vary",
        "time.safety=0.02,0.04",
        "--dry-run",
    ];
    let output = esker(folder.path(), &arguments);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let text = out(&output);
    assert_eq!(text.lines().count(), 6, "{text}");
    assert!(text.lines().nth(3).is_some_and(|line| line.ends_with("seed=2 time.safety=0.04")));
    assert!(err(&output).contains("particle-steps"), "{}", err(&output));
    assert!(!folder.path().join("sweeps").exists());
}

#[test]
fn mistakes_are_said_before_anything_runs() {
    let folder = folder_with(HEAP);
    let told = |arguments: &[&str]| {
        let output = esker(folder.path(), &[&["sweep", "scene.toml"], arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{}", err(&output));
        assert!(!folder.path().join("sweeps").exists());
        err(&output)
    };
    let friction = "contact.pairs[0].friction=0.1,0.2";
    assert!(told(&[]).contains("nothing varies"));
    let told_of = |key: &str, set: &str| told(&["--vary", &format!("{key}=1,2"), "--set", set]);
    let misspelt = told_of("contact.pairs[0].frictoin", "seed=1");
    assert!(misspelt.contains("did you mean `friction`?"), "{misspelt}");
    assert!(misspelt.contains("set by `--vary contact.pairs[0].frictoin=1`"), "{misspelt}");
    let misspelt = told_of("contact.pairs[0].friction", "time.safty=1");
    assert!(misspelt.contains("set by `--set time.safty=1`"), "{misspelt}");
    let list = told_of("contact.pair[0].friction", "seed=1");
    assert!(list.contains("no list `pair` there; did you mean `pairs`?"), "{list}");
    let list = told_of("contact.pair[*].friction", "seed=1");
    assert!(list.contains("no `pair` there; did you mean `pairs`?"), "{list}");
    let material = told_of("materials.grian.young_modulus", "seed=1");
    assert!(material.contains("no material `grian` there; did you mean `grain`?"), "{material}");
    assert!(told(&["--vary", "materials.grain.yuong_modulus=1e6,1e7"]).contains("did you mean"));
    assert!(told(&["--vary", "contact.pairs.*.friction=1,2"]).contains("`*` is not below a table"));
    assert!(
        told(&["--vary", friction, "--collect", "max_hieght"])
            .contains("did you mean `max_height`?")
    );
    assert!(told(&["--vary", "time.safety=0.01..0.05"]).contains("--method sobol"));
    assert!(told(&["--vary", friction, "--seeds", "0"]).contains("makes no runs"));
    assert!(told(&["--vary", "seed=1,2", "--seeds", "2"]).contains("both given"));
    assert!(told(&["--vary", friction, "--set", "nothing"]).contains("is not KEY=VALUE"));
}

/// The built-in heap, small: with little friction grains slide apart, with much of it they stand.
/// A radius of a grain and five degrees are more than another seed makes of a heap, and far less
/// than between the two.
#[test]
fn friction_makes_a_heap_higher_and_steeper_than_damping_does() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = esker(
        folder.path(),
        &[
            "sweep",
            "heap",
            "--set",
            "particles[0].insert.count=120",
            "--set",
            "particles[0].insert.cylinder.radius=0.055",
            "--set",
            "walls[1].cylinder.radius=0.055",
            "--set",
            "contact.pairs[*].rolling_friction=0.3",
            "--set",
            "stages[1].end.or_after=0.4",
            "--vary",
            "contact.pairs[*].friction=0.1,0.8",
            "--vary",
            "contact.pairs[*].damping_ratio=0.2,0.4",
            "--collect",
            "heap.crest,heap.angle",
            "--seeds",
            "2",
        ],
    );
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let effects = rows(&folder.path().join("sweeps/heap/effects.csv"));
    assert_eq!(effects[0]["result"], "measured.heap.crest");
    assert_eq!(effects[0]["parameter"], "contact.pairs[*].friction", "{effects:?}");
    let points = rows(&folder.path().join("sweeps/heap/points.csv"));
    let crest = |point: usize| number(&points[point], "measured.heap.crest");
    assert!(0.5 * (crest(2) + crest(3) - crest(0) - crest(1)) > 0.01, "{points:?}");
    for point in [2, 3] {
        assert!(number(&points[point], "measured.heap.angle") > 5.0, "{points:?}");
    }
}
