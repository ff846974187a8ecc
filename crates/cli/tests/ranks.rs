//! `--ranks`: the particles of a run are divided among ranks within the process. All files have the same
//! bytes for any number of ranks and threads.

mod support;

use std::path::Path;
use support::busy::{BUSY, TRAY};
use support::{BLOCKS, SMALL, err, esker, files, same_files};

fn folder(scene: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in [("scene.toml", scene), ("tray.stl", TRAY)] {
        std::fs::write(folder.path().join(name), text).expect("it can be written");
    }
    folder
}

/// Runs the scene on ranks with threads, into a folder of this name.
fn run(folder: &Path, out: &str, ranks: &str, threads: &str, more: &[&str]) {
    let arguments = ["run", "scene.toml", "--ranks", ranks, "--threads", threads, "--out", out];
    let output = esker(folder, &[&arguments, more].concat());
    assert!(output.status.success(), "{ranks} ranks: {}", err(&output));
}

#[test]
fn all_files_are_the_same_for_any_number_of_ranks_and_threads() {
    let folder = folder(SMALL);
    run(folder.path(), "one", "1", "1", &[]);
    let one = files(&folder.path().join("one"));
    for ranks in ["1", "2", "3", "4", "8"] {
        for threads in ["1", "2"] {
            let out = format!("{ranks}x{threads}");
            run(folder.path(), &out, ranks, threads, &[]);
            same_files(&one, &files(&folder.path().join(out)));
        }
    }
}

/// Number of rebuilds of the neighbour list in the summary of a run.
fn rebuilds(run: &Path) -> u64 {
    json(&run.join("summary.json"))["rebuilds"].as_u64().expect("a number")
}

#[test]
fn rebuilds_of_the_neighbour_list_are_counted_as_on_one_rank() {
    let folder = folder(SMALL);
    let shorter = "--set=stages[1].end.after=0.03";
    for ranks in ["1", "2", "3"] {
        run(folder.path(), ranks, ranks, "1", &[shorter]);
    }
    let one = rebuilds(&folder.path().join("1"));
    // insertions alone rebuild the list some twenty times
    assert!(one > 20, "{one}");
    let found = ["2", "3"].map(|ranks| rebuilds(&folder.path().join(ranks)));
    assert_eq!(found, [one; 2]);
    // the same for the part after a resume
    for ranks in ["1", "2", "3"] {
        run(folder.path(), ranks, ranks, "1", &["--resume", "--force"]);
    }
    let one = rebuilds(&folder.path().join("1"));
    assert!(one > 1, "{one}");
    let found = ["2", "3"].map(|ranks| rebuilds(&folder.path().join(ranks)));
    assert_eq!(found, [one; 2]);
}

fn json(path: &Path) -> serde_json::Value {
    let text = std::fs::read_to_string(path).expect("a file");
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn files_of_several_blocks_are_written_by_all_ranks_with_the_same_bytes() {
    let folder = folder(BLOCKS);
    run(folder.path(), "one", "1", "1", &[]);
    let one = files(&folder.path().join("one"));
    for name in ["frames/contacts_000002.vtp", "frames/particles_000002.csv", "contacts.csv"] {
        assert!(one[name].len() > 100_000, "{name}");
    }
    let expected = json(&folder.path().join("one/summary.json"));
    assert!(expected["contacts"].as_u64().is_some_and(|count| count > 8192), "{expected}");
    for (ranks, threads) in [("2", "2"), ("3", "1"), ("8", "1")] {
        run(folder.path(), ranks, ranks, threads, &[]);
        same_files(&one, &files(&folder.path().join(ranks)));
        let found = json(&folder.path().join(ranks).join("summary.json"));
        for key in ["measures", "contacts", "energy", "particles", "rebuilds"] {
            assert_eq!(found[key], expected[key], "{ranks} ranks: {key}");
        }
    }
}

#[test]
fn a_busy_run_is_the_same_on_ranks() {
    let folder = folder(BUSY);
    run(folder.path(), "one", "1", "2", &[]);
    run(folder.path(), "three", "3", "1", &[]);
    same_files(&files(&folder.path().join("one")), &files(&folder.path().join("three")));
}

/// Runs in parts on changing numbers of ranks, the first six with a time limit; returns the number of interruptions.
fn run_in_parts(folder: &Path, limit: &str) -> usize {
    let mut saved = 0;
    for (part, (ranks, threads)) in
        [("3", "1"), ("2", "1"), ("1", "2"), ("4", "1")].into_iter().cycle().enumerate()
    {
        let limit = if part < 6 { limit } else { "600" };
        let mut arguments = vec!["run", "scene.toml", "--out", "parts", "--max-time", limit];
        arguments.extend(["--ranks", ranks, "--threads", threads]);
        arguments.extend((part > 0).then_some("--resume"));
        let output = esker(folder, &arguments);
        match output.status.code() {
            Some(0) => break,
            Some(124) => saved += 1,
            _ => panic!("{ranks} ranks: {}", err(&output)),
        }
    }
    saved
}

#[test]
fn a_run_saved_on_some_ranks_goes_on_with_any_other_number() {
    let folder = folder(SMALL);
    run(folder.path(), "whole", "1", "1", &[]);
    // The progress within a limit depends on the machine: shorter limits until there are enough interruptions.
    for limit in ["0.3", "0.1", "0.03", "0.01", "0.001"] {
        let saved = run_in_parts(folder.path(), limit);
        // the files equal those of an uninterrupted run, wherever it was interrupted
        same_files(&files(&folder.path().join("whole")), &files(&folder.path().join("parts")));
        if saved > 2 {
            return;
        }
        std::fs::remove_dir_all(folder.path().join("parts")).expect("it can be removed");
    }
    panic!("no limit of time cut the run often enough");
}

#[test]
fn what_does_not_run_on_ranks_is_refused_before_anything_is_written() {
    let scene = SMALL.replace(
        "[domain]",
        "[time]\nintegrator = { theta = { phi = 0.5, iteration = 'gauss-seidel' } }\n\n[domain]",
    );
    let folder = folder(&scene);
    let output = esker(folder.path(), &["run", "scene.toml", "--ranks", "2", "--out", "refused"]);
    assert_eq!(output.status.code(), Some(2), "{}", err(&output));
    let text = err(&output);
    assert!(
        text.contains("Gauss–Seidel iterations update the particles one after the other"),
        "{text}"
    );
    assert!(!folder.path().join("refused").exists());
}

#[test]
fn a_step_that_fails_gives_the_same_message_and_files() {
    // such a large overlap is unphysical
    let soft = SMALL.replace("young_modulus = 5e7", "young_modulus = 5e3");
    let folder = folder(&soft);
    let fail = |out: &str, ranks: &str| {
        let arguments = ["run", "scene.toml", "--ranks", ranks, "--out", out];
        let output = esker(folder.path(), &arguments);
        assert_eq!(output.status.code(), Some(1), "{ranks} ranks: {}", err(&output));
        let text = err(&output);
        text.lines().find(|line| line.starts_with("error")).expect("an error").to_owned()
    };
    assert_eq!(fail("one", "1"), fail("three", "3"));
    same_files(&files(&folder.path().join("one")), &files(&folder.path().join("three")));
}

/// `esker bench` on ranks: its result as JSON.
fn bench(folder: &Path, ranks: &str) -> serde_json::Value {
    let arguments =
        ["bench", "--particles", "2000", "--steps", "100", "--ranks", ranks, "--json", ranks];
    let output = esker(folder, &arguments);
    assert!(output.status.success(), "{}", err(&output));
    let text = std::fs::read_to_string(folder.join(ranks)).expect("it was written");
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn the_benchmark_counts_particles_ghosts_and_bytes_of_each_rank() {
    let folder = tempfile::tempdir().expect("a folder");
    let (one, four) = (bench(folder.path(), "1"), bench(folder.path(), "4"));
    for same in ["kinetic_energy", "contacts", "particles"] {
        assert_eq!(one[same], four[same], "{same}");
    }
    let by_rank = four["by_rank"].as_array().expect("a list");
    assert_eq!(by_rank.len(), 4);
    let sum = |name: &str| by_rank.iter().map(|rank| rank[name].as_f64().expect(name)).sum::<f64>();
    assert!((sum("particles") - 2000.0).abs() < 1.0, "{four}");
    // position, velocity and spin of each ghost, once in each step of this integrator; the set of ghosts changes
    // slightly from one rebuild to the next
    assert!((sum("bytes") / (72.0 * sum("ghosts")) - 1.0).abs() < 0.05, "{four}");
    let time = |rank: &serde_json::Value| {
        ["work", "halo", "agreement", "other"]
            .map(|name| rank[name].as_f64().expect(name))
            .iter()
            .sum::<f64>()
    };
    let seconds = four["seconds"].as_f64().expect("a number");
    assert!(by_rank.iter().all(|rank| (time(rank) / seconds - 1.0).abs() < 0.5), "{four}");
}

#[test]
fn the_summary_has_the_communication_of_each_rank_and_the_processor_time_of_all() {
    let folder = folder(SMALL);
    run(folder.path(), "three", "3", "1", &[]);
    let text =
        std::fs::read_to_string(folder.path().join("three/summary.json")).expect("a summary");
    let summary: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let ranks = summary["ranks"].as_array().expect("a list");
    assert_eq!(ranks.len(), 3);
    // each rank takes part in the exchange of every step
    let steps = summary["steps"].as_u64().expect("a number");
    for rank in ranks {
        assert!(
            rank["communication"]["agreements"].as_u64().is_some_and(|count| count >= steps),
            "{text}"
        );
    }
    assert!(summary["processor_time"].as_f64().is_some_and(|time| time > 0.0), "{text}");
}
