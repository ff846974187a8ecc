//! `esker sweep`: repeated and reused runs after a kill, a changed file, a change of the program, or with more samples.

mod support;

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;
use support::sweep::{DRAG, HEAP, folder_with, number, rows, speed};
use support::{err, esker, out};

/// Starts a sweep, kills it once two runs have ended, and counts the runs that have ended then.
fn kill_after_two_runs(folder: &Path, arguments: &[&str]) -> usize {
    let killed = folder.join("killed");
    if killed.exists() {
        std::fs::remove_dir_all(&killed).expect("it can be removed");
    }
    let mut child = Command::new(env!("CARGO_BIN_EXE_esker"))
        .args(arguments)
        .args(["--out", "killed", "--jobs", "2"])
        .current_dir(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let ended = || {
        let entries = std::fs::read_dir(killed.join("runs")).into_iter().flatten().flatten();
        entries.filter(|entry| entry.path().extension().is_some_and(|end| end == "json")).count()
    };
    while ended() < 2 && child.try_wait().expect("its state can be queried").is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    assert!(ended() >= 2, "the sweep ended by itself");
    ended()
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
    // On a busy machine all runs may end before the kill; then it is repeated.
    let before =
        (0..10).map(|_| kill_after_two_runs(folder.path(), &arguments)).find(|ended| *ended < 6);
    let before = before.expect("every sweep ended before it was killed");
    let again = esker(folder.path(), &[&arguments[..], &["--out", "killed"]].concat());
    assert_eq!(again.status.code(), Some(0), "{}", err(&again));
    let told = err(&again);
    assert!(told.contains(&format!("{before} already finished")), "{told}");
    for file in ["results.csv", "effects.csv"] {
        let read = |which: &str| std::fs::read(folder.path().join(which).join(file)).expect(file);
        assert!(read("whole") == read("killed"), "{file} differs");
    }
    assert_eq!(out(&whole), out(&again));

    let changed = HEAP.replace("restitution = 0.5", "restitution = 0.6");
    std::fs::write(folder.path().join("scene.toml"), changed).expect("it can be written");
    let planned =
        esker(folder.path(), &[&arguments[..], &["--out", "killed", "--dry-run"]].concat());
    let told = err(&planned);
    assert!(told.contains("belong to another scene or program and are repeated"), "{told}");
    assert!(told.contains("0 already finished"), "{told}");
}

/// A square normal to x, in two triangles.
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

/// A ball moves towards a mesh: a near mesh reflects it, a distant one does not. Runs with the earlier mesh, or by
/// another program, are repeated.
#[test]
fn a_changed_mesh_and_another_program_are_noticed() {
    let wall = "[[walls]]\nname = \"plate\"\nmaterial = \"ice\"\nmesh = \"plate.stl\"\n[[stages]]";
    // Ice of this stiffness is deformed strongly by a ball at 2 m/s.
    let soft = DRAG.replacen("[materials]", "[health]\noverlap_limit = 0.5\n[materials]", 1);
    let folder = folder_with(&soft.replacen("[[stages]]", wall, 1));
    let mesh = folder.path().join("plate.stl");
    let arguments = ["sweep", "scene.toml", "--vary", "particles[0].radius=0.01,0.011"];
    let velocities = || -> Vec<f64> {
        let rows = rows(&folder.path().join("sweeps/scene/results.csv"));
        rows.iter().map(|row| number(row, "ball.velocity_x")).collect()
    };
    let again = "2 runs in sweeps/scene belong to another scene or program and are repeated";
    std::fs::write(&mesh, square_at(0.1)).expect("it can be written");
    let near = esker(folder.path(), &arguments);
    assert_eq!(near.status.code(), Some(0), "{}", err(&near));
    assert!(velocities().iter().all(|velocity| *velocity < 0.0), "{:?}", velocities());

    std::fs::write(&mesh, square_at(5.0)).expect("it can be written");
    let far = err(&esker(folder.path(), &arguments));
    assert!(far.contains(again) && far.contains("0 already finished"), "{far}");
    for (velocity, radius) in velocities().into_iter().zip([0.01, 0.011]) {
        // The step is 1e-4 s of 0.2 s; the error of velocity Verlet is less than its square.
        assert!((velocity / speed(0.01, radius) - 1.0).abs() < 1e-5, "{velocity}");
    }
    let same = err(&esker(folder.path(), &arguments));
    assert!(same.contains("2 already finished") && !same.contains("are repeated"), "{same}");

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
    assert!(told.contains(again) && told.contains("0 already finished"), "{told}");
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
    // With one parameter, B and A with its column are equal.
    assert!(with("4").contains("8 runs of 12 points, 0 already finished"));
    assert!(with("8").contains("16 runs of 24 points, 8 already finished"));
}
