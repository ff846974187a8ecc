//! Runs of a small scene: their files, which depend on the scene only.

mod support;

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;
use support::{SMALL, err, esker, files, out, same_files};

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("small.toml"), SMALL).expect("it can be written");
    folder
}

fn json(path: &Path) -> serde_json::Value {
    let text = std::fs::read_to_string(path).expect("the file is there");
    serde_json::from_str(&text).expect("JSON")
}

fn rows(path: &Path) -> usize {
    std::fs::read_to_string(path).expect("the file is there").lines().count() - 1
}

#[test]
fn a_run_leaves_a_consistent_folder() {
    let folder = folder();
    let output = esker(folder.path(), &["run", "small.toml", "--set", "seed=5"]);
    assert!(output.status.success(), "{}", err(&output));
    assert_eq!(out(&output), "runs/small\n");
    let run = folder.path().join("runs/small");
    let summary = json(&run.join("summary.json"));
    assert_eq!(summary["ended"], "finished");
    assert_eq!(summary["seed"], 5);
    let counts = &summary["particles"];
    assert_eq!(counts["inserted"], 60);
    let present = counts["present"].as_u64().expect("a number");
    assert_eq!(present + counts["deleted"].as_u64().expect("a number"), 60);
    assert_eq!(rows(&run.join("final.csv")) as u64, present);
    // Both stages end at or after their time: the run may end some steps after the output of 0.12 s.
    // Energies and measures then have one more row, at the end.
    let block = std::fs::read_to_string(run.join("probes/block.csv")).expect("it is there");
    let last = block.lines().last().and_then(|row| row.split(',').next()?.parse::<f64>().ok());
    let at_end = usize::from(summary["time"].as_f64() > last);
    // From 0 to 0.12 s every 0.004 s and every 0.01 s.
    assert_eq!(rows(&run.join("energy.csv")), 31 + at_end);
    assert_eq!(rows(&run.join("probes/block.csv")), 13);
    // Every 0.005 s; only the start and the end.
    assert_eq!(rows(&run.join("measures/out.csv")), 25 + at_end);
    assert_eq!(rows(&run.join("measures/angle_of_repose.csv")), 2);
    let steps = summary["steps"].as_u64().expect("a number");
    assert_eq!(rows(&run.join("probes/one.csv")) as u64, steps + 1);
    let error = summary["relative_closure_error"].as_f64().expect("a number");
    assert!(error.abs() < 0.02, "the ledger is off by {error}");
    let collection = std::fs::read_to_string(run.join("frames.pvd")).expect("it is there");
    assert_eq!(collection.matches("particles_").count(), 7);
    let scene = std::fs::read_to_string(run.join("run.toml")).expect("it is there");
    assert!(scene.contains("# --set seed=5\n") && scene.contains("\nseed = 5\n"), "{scene}");
    let report = std::fs::read_to_string(run.join("report.html")).expect("it is there");
    assert!(report.contains("data:image/png;base64,") && report.contains("<svg"));
    for table in ["walls.csv", "events.csv", "contacts.csv", "contacts/contacts_000002.csv"] {
        assert!(rows(&run.join(table)) > 0, "{table}");
    }
}

#[test]
fn the_scene_as_used_can_be_run_again_and_gives_the_same() {
    let folder = folder();
    let first = ["run", "small.toml", "--out", "a", "--set", "stages[1].end.after=0.02"];
    assert!(esker(folder.path(), &first).status.success());
    assert!(esker(folder.path(), &["run", "a/run.toml", "--out", "b"]).status.success());
    let read = |run: &str| std::fs::read(folder.path().join(run).join("final.csv")).expect("there");
    assert!(read("a") == read("b"));
}

#[test]
fn a_second_run_takes_another_folder_and_a_given_folder_is_not_overwritten() {
    let folder = folder();
    let short = ["--set", "stages[0].end.after=0.001", "--set", "stages[1].end.after=0.001"];
    let run = |more: &[&str]| {
        let mut arguments = vec!["run", "small.toml"];
        arguments.extend(short);
        arguments.extend(more);
        esker(folder.path(), &arguments)
    };
    assert_eq!(out(&run(&[])), "runs/small\n");
    assert_eq!(out(&run(&[])), "runs/small-2\n");
    let refused = run(&["--out", "runs/small"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(err(&refused).contains("holds a run") && err(&refused).contains("help: "));
    assert!(run(&["--out", "runs/small", "--force"]).status.success());
}

#[test]
fn the_number_of_threads_changes_no_byte_and_neither_does_output() {
    let folder = folder();
    // Shorter than in other tests, since more threads than cores wait for each other.
    let short = SMALL.replace("end = { after = 0.06 }", "end = { after = 0.025 }");
    std::fs::write(folder.path().join("small.toml"), &short).expect("it can be written");
    for (name, threads) in [("one", "1"), ("two", "2"), ("three", "3")] {
        let arguments = ["run", "small.toml", "--out", name, "--threads", threads];
        assert!(esker(folder.path(), &arguments).status.success());
    }
    let silent = short.split("[outputs]").next().expect("it has outputs");
    std::fs::write(folder.path().join("silent.toml"), silent).expect("it can be written");
    assert!(esker(folder.path(), &["run", "silent.toml", "--out", "silent"]).status.success());
    let one = files(&folder.path().join("one"));
    for other in ["two", "three"] {
        same_files(&one, &files(&folder.path().join(other)));
    }
    assert!(one["final.csv"] == files(&folder.path().join("silent"))["final.csv"]);
}

/// Starts a run, signals it by a shell command when its first checkpoint exists, and waits for its end. A run that
/// ended before the signal is repeated.
fn interrupted(folder: &Path, out: &str, signal: &str) -> std::process::Output {
    for _ in 0..10 {
        let mut child = Command::new(env!("CARGO_BIN_EXE_esker"))
            .args(["run", "small.toml", "--threads", "1", "--out", out])
            .current_dir(folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let checkpoint = folder.join(out).join("checkpoint.esk");
        while !checkpoint.exists() && child.try_wait().expect("its state can be queried").is_none()
        {
            std::thread::sleep(Duration::from_millis(1));
        }
        let status = Command::new("sh").args(["-c", signal, &child.id().to_string()]).status();
        let signalled = status.expect("a shell is there").success();
        let output = child.wait_with_output().expect("it ends");
        if signalled && output.status.code() != Some(0) {
            return output;
        }
        std::fs::remove_dir_all(folder.join(out)).expect("it can be removed");
    }
    panic!("every run ended before the signal");
}

#[test]
fn a_run_that_a_signal_ended_has_saved_and_exits_with_128_and_its_number() {
    let folder = folder();
    // POSIX: 2 is SIGINT, 15 is SIGTERM
    for (signal, code) in [("INT", 130), ("TERM", 143)] {
        let output = interrupted(folder.path(), signal, &format!("kill -{signal} $0"));
        assert_eq!(output.status.code(), Some(code), "{}", err(&output));
        assert!(!err(&output).contains("error"), "{}", err(&output));
        let summary = json(&folder.path().join(signal).join("summary.json"));
        assert_eq!(summary["ended"], "interrupted");
        let resume = ["run", "small.toml", "--out", signal, "--resume"];
        assert!(esker(folder.path(), &resume).status.success());
    }
}

#[test]
fn an_interrupted_run_ends_cleanly_and_resumes_to_the_same_bytes() {
    let folder = folder();
    assert!(esker(folder.path(), &["run", "small.toml", "--out", "whole"]).status.success());
    // as a program that signals the process and its group
    let output = interrupted(folder.path(), "parts", "kill -INT $0 && kill -TERM $0");
    assert_eq!(output.status.code(), Some(130), "{}", err(&output));
    assert!(err(&output).contains("interrupted"), "{}", err(&output));
    let summary = json(&folder.path().join("parts/summary.json"));
    assert_eq!(summary["ended"], "interrupted");
    assert!(esker(folder.path(), &["info", "parts"]).status.success());
    assert!(esker(folder.path(), &["info", "parts/checkpoint.esk"]).status.success());

    let changed = ["run", "small.toml", "--out", "parts", "--resume", "--set", "seed=99"];
    let refused = esker(folder.path(), &changed);
    assert_eq!(refused.status.code(), Some(2));
    assert!(err(&refused).contains("another scene"), "{}", err(&refused));

    let resumed = esker(folder.path(), &["run", "small.toml", "--out", "parts", "--resume"]);
    assert!(resumed.status.success(), "{}", err(&resumed));
    assert_eq!(json(&folder.path().join("parts/summary.json"))["ended"], "finished");
    same_files(&files(&folder.path().join("whole")), &files(&folder.path().join("parts")));
}

#[test]
fn a_run_that_becomes_unphysical_exits_with_one_and_writes_the_frame_of_the_failure() {
    let folder = folder();
    let soft = ["run", "small.toml", "--out", "soft", "--set", "materials.grain.young_modulus=2e4"];
    let output = esker(folder.path(), &soft);
    assert_eq!(output.status.code(), Some(1), "{}", err(&output));
    assert!(err(&output).contains("error: the overlap reached"), "{}", err(&output));
    let summary = json(&folder.path().join("soft/summary.json"));
    assert_eq!(summary["ended"], "failed");
    let collection = std::fs::read_to_string(folder.path().join("soft/frames.pvd")).expect("there");
    let time = summary["time"].as_f64().expect("a number");
    assert!(collection.contains(&format!("timestep=\"{time:?}\"")), "{collection}");
    let dead = json(&folder.path().join("soft/postmortem.json"));
    let id = dead["id"].as_u64().expect("a number");
    assert!(err(&output).contains(&format!("particle {id} at")) && err(&output).contains(" m/s"));
    assert_eq!(dead["particle"]["id"], id);
    let touches = dead["contacts"].as_array().expect("a list");
    assert!(touches.iter().any(|contact| contact["overlap"].as_f64() > Some(0.0)), "{dead}");
    let limit = 4.0 * dead["particle"]["radius"].as_f64().expect("a number");
    let near = dead["neighbours"].as_array().expect("a list");
    assert!(near.iter().all(|other| other["distance"].as_f64() <= Some(limit)), "{dead}");
    let counts = &summary["particles"];
    let number = |name: &str| counts[name].as_u64().expect("a number");
    assert_eq!(number("inserted"), number("deleted") + number("present"));
}

#[test]
fn a_ledger_that_does_not_close_stops_the_run_if_the_scene_sets_a_limit() {
    let folder = folder();
    let run = |limit: &str, out: &str| {
        let set = format!("health.energy_error={limit}");
        esker(folder.path(), &["run", "small.toml", "--out", out, "--set", &set])
    };
    let fine = run("0.1", "fine");
    assert!(fine.status.success(), "{}", err(&fine));
    let strict = run("1e-9", "strict");
    assert_eq!(strict.status.code(), Some(1), "{}", err(&strict));
    let message = err(&strict);
    assert!(message.contains("error: the closure error of the energy ledger is "), "{message}");
    assert!(message.contains(" s is 0.") && message.contains("; try "), "{message}");
    assert!(folder.path().join("strict/postmortem.json").is_file());
}

#[test]
fn piped_output_has_no_escape_codes() {
    let folder = folder();
    let output = esker(folder.path(), &["run", "small.toml"]);
    assert!(!output.stderr.contains(&0x1b) && !output.stdout.contains(&0x1b));
    let output = esker(folder.path(), &["run", "small.toml", "--set", "seed=x"]);
    assert!(!output.stderr.contains(&0x1b));
}

#[test]
fn a_quiet_run_says_nothing_but_its_folder() {
    let folder = folder();
    let output = esker(folder.path(), &["run", "small.toml", "--quiet", "--out", "q"]);
    assert_eq!((out(&output).as_str(), err(&output).as_str()), ("q\n", ""));
}

#[test]
fn a_group_can_come_from_a_checkpoint_of_another_run() {
    let folder = folder();
    assert!(esker(folder.path(), &["run", "small.toml", "--out", "first"]).status.success());
    let start = SMALL.find("insert = { count").expect("it is there");
    let end = start + SMALL[start..].find('\n').expect("a line ends");
    let from = "insert = { from = \"first/checkpoint.esk\" }";
    let second = format!("{}{from}{}", &SMALL[..start], &SMALL[end..]);
    // The grains have passed the position of the removed gate.
    let second = second.replace("corner = [0.06,", "corner = [0.19,");
    std::fs::write(folder.path().join("second.toml"), second).expect("it can be written");
    let output = esker(folder.path(), &["check", "second.toml"]);
    assert!(output.status.success(), "{}", err(&output));
    // Both groups keep their names, which exist in the second scene too.
    let text = std::fs::read_to_string(folder.path().join("first/final.csv")).expect("it is there");
    for group in ["block", "rain"] {
        let count = text.lines().filter(|line| line.split(',').any(|cell| cell == group)).count();
        assert!(
            count > 0 && out(&output).contains(&format!("{group}: {count}")),
            "{}",
            out(&output)
        );
    }
}

/// The cells of the first row whose columns begin with this, as written.
fn cells(path: &Path, beginning: &str) -> Vec<String> {
    let text = std::fs::read_to_string(path).expect("it is there");
    let mut lines = text.lines().map(|line| line.split(','));
    let (header, row) = (lines.next().expect("a header"), lines.next().expect("a row"));
    let found = header.zip(row).filter(|(name, _)| name.starts_with(beginning));
    found.map(|(_, cell)| cell.to_owned()).collect()
}

#[test]
fn particles_of_an_earlier_run_keep_their_orientation() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    assert!(esker(folder.path(), &["run", "small.toml", "--out", "first"]).status.success());
    let start = SMALL.find("insert = { count").expect("it is there");
    let end = start + SMALL[start..].find('\n').expect("a line ends");
    let before = cells(&at("first/final.csv"), "orientation_");
    assert_eq!(before.len(), 4);
    assert_ne!(before, ["1", "0", "0", "0"], "it has rotated");
    for (name, insert) in [
        ("checkpoint", "insert = { from = \"first/checkpoint.esk\" }"),
        ("table", "insert = { csv = \"first/final.csv\" }"),
    ] {
        let scene = format!("{}{insert}{}", &SMALL[..start], &SMALL[end..]);
        let scene = scene
            .replace("corner = [0.06,", "corner = [0.19,")
            .replace("after = 0.06", "after = 1e-4");
        std::fs::write(at("next.toml"), scene).expect("it can be written");
        let output = esker(folder.path(), &["run", "next.toml", "--out", name]);
        assert!(output.status.success(), "{}", err(&output));
        assert_eq!(cells(&at(name).join("probes/one.csv"), "orientation_"), before);
    }
}

#[test]
fn groups_of_one_checkpoint_come_apart_and_what_has_no_name_here_goes_with_the_first() {
    let folder = folder();
    assert!(esker(folder.path(), &["run", "small.toml", "--out", "first"]).status.success());
    let groups = |names: [&str; 2]| {
        let start = SMALL.find("[[particles]]").expect("it is there");
        let end = SMALL.find("[[walls]]").expect("it is there");
        let group = |name: &str| {
            format!(
                "[[particles]]\nname = \"{name}\"\nmaterial = \"grain\"\n\
                 insert = {{ from = \"first/checkpoint.esk\" }}\n"
            )
        };
        let text =
            format!("{}{}{}{}", &SMALL[..start], group(names[0]), group(names[1]), &SMALL[end..]);
        let text = text
            .replace("corner = [0.06,", "corner = [0.19,")
            .replace("particles = \"block\"", "particles = \"all\"");
        std::fs::write(folder.path().join("second.toml"), text).expect("it can be written");
        let output = esker(folder.path(), &["check", "second.toml"]);
        assert!(output.status.success(), "{}", err(&output));
        out(&output)
    };
    let text = std::fs::read_to_string(folder.path().join("first/final.csv")).expect("it is there");
    let count =
        |group: &str| text.lines().filter(|line| line.split(',').any(|cell| cell == group)).count();
    let (block, rain) = (count("block"), count("rain"));
    assert!(block > 0 && rain > 0);
    let both = groups(["rain", "block"]);
    assert!(
        both.contains(&format!("block: {block}")) && both.contains(&format!("rain: {rain}")),
        "{both}"
    );
    let other = groups(["rest", "rain"]);
    assert!(
        other.contains(&format!("rest: {block}")) && other.contains(&format!("rain: {rain}")),
        "{other}"
    );
}
