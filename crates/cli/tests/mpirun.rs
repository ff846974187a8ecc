//! A program without MPI: under `mpirun`, several copies of it would write into one folder.

#![cfg(not(feature = "mpi"))]

mod support;

use std::process::{Command, Output};
use support::{SMALL, err};

/// Runs the program with an environment variable of a launcher.
fn launched(name: &str, size: &str, arguments: &[&str]) -> (Output, usize) {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("small.toml"), SMALL).expect("it can be written");
    let output = Command::new(env!("CARGO_BIN_EXE_esker"))
        .args(arguments)
        .current_dir(folder.path())
        .env(name, size)
        .output()
        .expect("the program starts");
    let entries = std::fs::read_dir(folder.path()).expect("the folder is there");
    (output, entries.count())
}

#[test]
fn one_of_several_processes_refuses_to_run_and_writes_nothing() {
    for name in ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE"] {
        for arguments in [&["run", "small.toml"][..], &["sweep", "small.toml"], &[]] {
            let (output, files) = launched(name, "4", arguments);
            let text = err(&output);
            assert_eq!(output.status.code(), Some(2), "{arguments:?}: {text}");
            assert!(text.contains(name) && text.contains("4 processes"), "{text}");
            assert!(text.contains("without MPI") && text.contains("help:"), "{text}");
            assert_eq!(files, 1, "only the scene is there");
        }
    }
}

#[test]
fn a_single_process_of_a_launcher_runs() {
    let (output, files) = launched("OMPI_COMM_WORLD_SIZE", "1", &["run", "small.toml"]);
    assert!(output.status.success(), "{}", err(&output));
    assert!(files > 1);
}

#[test]
fn commands_that_only_read_are_allowed() {
    let (output, files) = launched("PMI_SIZE", "2", &["check", "small.toml"]);
    assert!(output.status.success(), "{}", err(&output));
    assert_eq!(files, 1);
}
