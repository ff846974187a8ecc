//! Run folders: their files, and whether two runs have left the same bytes.

use anyhow::{Context, Result, ensure};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};

use crate::steps::program;

/// Files below a folder with their contents, by relative name.
pub type Files = BTreeMap<String, Vec<u8>>;

/// All files of a run folder except the lock, which a killed run may leave.
pub fn files(folder: &Path) -> Result<Files> {
    let mut found = Files::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(&next)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder)?.display().to_string();
                found.insert(name, std::fs::read(&path)?);
            }
        }
    }
    found.remove("run.lock");
    Ok(found)
}

/// Fails unless both have the same files and bytes; files that contain wall-clock times, such as checkpoints, need only
/// exist. The number of checkpoints depends on the times at which a run was stopped.
pub fn same(one: &Files, other: &Files) -> Result<()> {
    let names = |files: &Files| {
        let kept = files.keys().filter(|name| !name.ends_with(".esk"));
        kept.cloned().collect::<Vec<_>>()
    };
    ensure!(names(one) == names(other), "files differ: {:?} and {:?}", names(one), names(other));
    for name in names(one) {
        let timed = ["summary.json", "report.html"].contains(&name.as_str());
        ensure!(timed || one[&name] == other[&name], "{name} differs");
    }
    Ok(())
}

/// The program in a folder, with one thread and no progress.
pub fn esker(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(program());
    command.args(arguments).args(["--threads", "1", "--quiet"]).current_dir(folder);
    command
}

/// Output of a command on stderr, for messages.
pub fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Runs a command that must succeed.
pub fn succeed(command: &mut Command) -> Result<Output> {
    let output = command.output().context("cannot start the program")?;
    ensure!(output.status.success(), "{}: {}", output.status, said(&output));
    Ok(output)
}
