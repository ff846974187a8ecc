//! Files and arguments that would make the program hang, fill the memory or overwrite other files.
#![cfg(unix)]

mod support;

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};
use support::{SMALL, err};

/// Far more than a refusal takes, far less than a hang.
const PATIENCE: Duration = Duration::from_secs(60);

/// The program, which must end within a minute.
fn esker(folder: &Path, arguments: &[&str]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_esker"))
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let clock = Instant::now();
    while child.try_wait().expect("it can be waited for").is_none() {
        if clock.elapsed() > PATIENCE {
            child.kill().expect("it can be killed");
            panic!("esker {} hangs", arguments.join(" "));
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    child.wait_with_output().expect("it has ended")
}

fn refused(folder: &Path, arguments: &[&str]) -> String {
    let output = esker(folder, arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", err(&output));
    err(&output)
}

fn pipe(path: &Path) {
    let made = Command::new("mkfifo").arg(path).status().expect("mkfifo is there");
    assert!(made.success());
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("small.toml"), SMALL).expect("it can be written");
    folder
}

/// A scene whose particles or floor come from a file.
fn scene_with(particles: &str, floor: &str) -> String {
    format!(
        "format = 1\n[materials]\na = {{ density = 1000, young_modulus = 1e8, poisson_ratio = 0.3 }}\n\
         [contact]\nnormal = \"hertz\"\npairs = [{{ between = [\"a\", \"a\"] }}]\n\
         [[particles]]\nname = \"p\"\nmaterial = \"a\"\nradius = 0.01\ninsert = {{ {particles} }}\n\
         [[walls]]\nname = \"floor\"\nmaterial = \"a\"\n{floor}\n\
         [[stages]]\nname = \"s\"\nend = {{ after = 0.1 }}\n"
    )
}

#[test]
fn a_pipe_or_a_device_is_refused_wherever_a_file_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    for name in ["pipe.stl", "pipe.obj", "pipe.csv", "pipe.esk", "pipe.toml", "pipe"] {
        pipe(&at(name));
    }
    let list = "list = [{ position = [0, 0, 0.05] }]";
    let plane = "half-space = { point = [0, 0, 0], normal = [0, 0, 1] }";
    for (particles, floor) in [
        (list, "mesh = \"pipe.stl\""),
        (list, "mesh = { file = \"pipe.obj\" }"),
        (list, "particles = { radius = 1, csv = \"pipe.csv\" }"),
        (list, &format!("{plane}\nmotion = {{ table = \"pipe.csv\" }}")),
        ("csv = \"pipe.csv\"", plane),
        ("csv = { file = \"pipe.csv\" }", plane),
        ("state = \"pipe\"", plane),
        ("from = \"pipe.esk\"", plane),
    ] {
        std::fs::write(at("scene.toml"), scene_with(particles, floor)).expect("written");
        let message = refused(folder.path(), &["check", "scene.toml"]);
        assert!(message.contains("a named pipe"), "{message}");
        assert!(message.contains("--> scene.toml:"), "{message}");
    }
    let device = scene_with("csv = \"/dev/zero\"", plane);
    std::fs::write(at("device.toml"), device).expect("written");
    let message = refused(folder.path(), &["check", "device.toml"]);
    assert!(message.contains("it is a device; only regular files are read"), "{message}");
    for arguments in [
        ["check", "pipe.toml"].as_slice(),
        &["run", "pipe.toml"],
        &["sweep", "pipe.toml", "--vary", "seed=1,2"],
        &["info", "pipe.esk"],
        &["bench", "--state", "pipe"],
    ] {
        let message = refused(folder.path(), arguments);
        assert!(message.contains("a named pipe"), "{arguments:?}: {message}");
    }
    let compare = ["reproduce", "--all", "--markdown", "pipe"];
    assert!(refused(folder.path(), &compare).contains("a named pipe"));
    let message = refused(folder.path(), &["info", "/dev/zero"]);
    assert!(message.contains("it is a device"), "{message}");
}

#[test]
fn a_pipe_in_the_folder_of_a_case_or_of_a_run_is_refused() {
    let folder = folder();
    let case = folder.path().join("case");
    std::fs::create_dir(&case).expect("a folder");
    std::fs::write(case.join("case.toml"), "format = 1\n").expect("written");
    pipe(&case.join("data.csv"));
    let message = refused(folder.path(), &["reproduce", "case"]);
    assert!(message.contains("`data.csv`: it is a named pipe"), "{message}");

    let run = folder.path().join("run");
    std::fs::create_dir(&run).expect("a folder");
    std::fs::write(run.join("run.toml"), "# The scene as used:\n").expect("written");
    pipe(&run.join("summary.json"));
    assert!(esker(folder.path(), &["info", "run"]).status.success());
}

#[test]
fn more_threads_than_a_machine_has_are_refused_with_the_bound() {
    let folder = folder();
    for arguments in [
        ["run", "small.toml", "--threads", "20000"].as_slice(),
        &["sweep", "small.toml", "--vary", "seed=1,2", "--threads", "20000"],
        &["sweep", "small.toml", "--vary", "seed=1,2", "--jobs", "20000"],
        &["reproduce", "--threads", "20000"],
        &["bench", "--threads", "20000"],
        &["run", "small.toml", "--threads", "99999999999999999999"],
    ] {
        let message = refused(folder.path(), arguments);
        let said = message.contains("at most 1024") || message.contains("not a whole number");
        assert!(said && message.starts_with("error: invalid value"), "{message}");
    }
}

#[test]
fn a_range_of_more_values_than_runs_are_allowed_is_refused_at_once() {
    let folder = folder();
    let vary = "time.safety=0.01..0.02 in 4000000000";
    let message = refused(folder.path(), &["sweep", "small.toml", "--vary", vary]);
    assert!(message.contains("a sweep has at most 1000000 runs"), "{message}");
}

#[test]
fn a_sweep_and_a_comparison_write_only_into_folders_of_their_own() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    std::fs::create_dir(at("run")).expect("a folder");
    std::fs::write(at("run/run.toml"), "").expect("written");
    std::fs::write(at("run/report.html"), "mine").expect("written");
    std::fs::create_dir(at("other")).expect("a folder");
    std::fs::write(at("other/report.html"), "mine").expect("written");
    std::fs::write(at("file"), "mine").expect("written");
    let small = ["--set", "stages[0].end.after=1e-4", "--set", "stages[1].end.after=1e-4"];
    let sweep = |out: &str| {
        let mut arguments = vec!["sweep", "small.toml", "--vary", "seed=1,2", "--out", out];
        arguments.extend(small);
        esker(folder.path(), &arguments)
    };
    for out in ["run", "other"] {
        let what = if out == "run" { "contains a run" } else { "contains other files" };
        for (output, command) in [
            (sweep(out), "sweep"),
            (esker(folder.path(), &["reproduce", "--all", "--out", out]), "reproduce"),
        ] {
            assert_eq!(output.status.code(), Some(2), "{}", err(&output));
            let told = err(&output);
            let whose = format!("{what}, and was not written by an earlier `esker {command}`");
            assert!(told.contains(&whose) && told.contains("with `--out`"), "{told}");
        }
        let report = std::fs::read_to_string(at(out).join("report.html")).expect("there");
        assert_eq!(report, "mine");
        assert_eq!(
            std::fs::read_dir(at(out)).expect("there").count(),
            if out == "run" { 2 } else { 1 }
        );
    }
    assert_eq!(sweep("file").status.code(), Some(2));
    std::fs::create_dir(at("empty")).expect("a folder");
    for out in ["new", "empty", "new"] {
        let output = sweep(out);
        assert_eq!(output.status.code(), Some(0), "{out}: {}", err(&output));
    }
}

#[test]
fn control_characters_of_the_input_never_reach_the_terminal() {
    let folder = folder();
    let write = |text: String| std::fs::write(folder.path().join("a.toml"), text).expect("written");
    let shown = |arguments: &[&str]| {
        let output = esker(folder.path(), arguments);
        for text in [&output.stdout, &output.stderr] {
            let text = String::from_utf8_lossy(text);
            let control = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
            assert!(!text.contains(control), "{arguments:?}: {text:?}");
        }
        support::out(&output) + &err(&output)
    };
    let title = "title = \"clear\\u001b[2J\\u0007\"";
    write(SMALL.replace("title = \"Small\"", title));
    assert!(shown(&["check", "a.toml"]).contains("clear\\u{1b}[2J\\u{7}"));
    write(format!("{SMALL}\n[\"k\\u001b[2J\"]\n"));
    assert!(shown(&["check", "a.toml"]).contains("unknown key `k\\u{1b}[2J`"));
    write(SMALL.replace("name = \"gate\"", "name = \"\\u001b[2Jgate\""));
    assert!(shown(&["check", "a.toml"]).contains("it contains the control character U+001B"));
    write(SMALL.replace("name = \"gate\"", "name = \"\u{1b}[2J\""));
    assert!(shown(&["check", "a.toml"]).contains("this is not TOML"));
    shown(&["check", "\u{1b}[2J.toml"]);
    shown(&["check", "small.toml", "--set", "\u{1b}[2J=3"]);
    shown(&["check", "small.toml", "--\u{1b}[2J"]);
    shown(&["sweep", "small.toml", "--vary", "seed=\u{1b}[2J"]);
    shown(&["info", "\u{1b}[2J"]);
}
