//! The folder of a run and the scene as used in it.

use super::RunError;
use super::checkpoint::{checkpoint_path, previous_checkpoint_path};
use super::lock::{LOCK, Lock};
use crate::Loaded;
use crate::plain_file::{self, LONGEST_FILE};
use atomic_write_file::AtomicWriteFile;
use esker_draw::OutputError;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Outputs of a run at the top of its folder.
const FILES: [&str; 12] = [
    "run.toml",
    "energy.csv",
    "walls.csv",
    "events.csv",
    "contacts.csv",
    "final.csv",
    "summary.json",
    "postmortem.json",
    "report.html",
    "frames.pvd",
    "checkpoint.esk",
    "checkpoint.previous.esk",
];
/// Folders of a run.
const FOLDERS: [&str; 5] = ["frames", "probes", "measures", "contacts", "inputs"];
/// The line that ends the comments at the top of `run.toml`.
const MARK: &str = "# The scene as used:\n";

/// True if a folder holds a run.
pub fn holds_run(folder: &Path) -> bool {
    folder.join("run.toml").is_file()
}

/// A folder of this name under `parent` that holds no run yet: `name`, `name-2`, `name-3` …
pub fn fresh_folder(parent: &Path, name: &str) -> PathBuf {
    let plain = parent.join(name);
    if !plain.exists() {
        return plain;
    }
    (2_u64..)
        .map(|number| parent.join(format!("{name}-{number}")))
        .find(|path| !path.exists())
        .unwrap_or(plain)
}

/// True if a run has left a checkpoint, intact or not.
pub(super) fn has_checkpoint(folder: &Path) -> bool {
    checkpoint_path(folder).is_file() || previous_checkpoint_path(folder).is_file()
}

/// The newest folder of this name under `parent` with a checkpoint to resume.
pub fn folder_to_resume(parent: &Path, name: &str) -> Option<PathBuf> {
    let numbered = (2_u64..).map(|number| parent.join(format!("{name}-{number}")));
    std::iter::once(parent.join(name))
        .chain(numbered)
        .take_while(|folder| folder.exists())
        .filter(|folder| has_checkpoint(folder))
        .last()
}

/// Creates the folder and locks it. Existing files are kept unless `force` is given; then the files of an earlier run
/// are removed, and nothing else.
pub(super) fn prepare(folder: &Path, force: bool) -> Result<Lock, RunError> {
    fs::create_dir_all(folder).map_err(OutputError::system("create", folder))?;
    let lock = Lock::take(folder)?;
    let entries = fs::read_dir(folder).map_err(OutputError::system("read", folder))?;
    // Incomplete files of a run that failed before its first file was complete are not a run.
    let is_empty = entries.flatten().all(|entry| {
        let name = entry.file_name();
        name == LOCK || name.to_str().is_some_and(is_unfinished)
    });
    if !is_empty && !force {
        let what = if holds_run(folder) { "holds a run" } else { "is not empty" };
        return Err(RunError::Folder { path: folder.to_path_buf(), what });
    }
    clear(folder)?;
    Ok(lock)
}

/// Removes the files of an earlier run, and nothing else.
pub(super) fn clear(folder: &Path) -> Result<(), RunError> {
    sweep(folder)?;
    for name in FILES {
        let path = folder.join(name);
        if path.is_file() {
            fs::remove_file(&path).map_err(OutputError::system("remove", &path))?;
        }
    }
    for name in FOLDERS {
        let path = folder.join(name);
        if path.is_dir() {
            fs::remove_dir_all(&path).map_err(OutputError::system("remove", &path))?;
        }
    }
    Ok(())
}

/// True if a file is an incomplete file of a run: files are written as `.name.random` and renamed.
fn is_unfinished(name: &str) -> bool {
    let name = name.strip_prefix('.').and_then(|name| name.rsplit_once('.'));
    name.is_some_and(|(whole, _)| {
        FILES.contains(&whole) || whole.starts_with("contacts_") && whole.ends_with(".csv")
    })
}

/// Removes incomplete files of a killed run.
pub(super) fn sweep(folder: &Path) -> Result<(), OutputError> {
    for directory in [folder.to_path_buf(), folder.join("contacts")] {
        let Ok(entries) = fs::read_dir(&directory) else { continue };
        for entry in entries.flatten() {
            let ours = entry.file_name().to_str().is_some_and(is_unfinished);
            if ours {
                let path = entry.path();
                fs::remove_file(&path).map_err(OutputError::system("remove", &path))?;
            }
        }
    }
    Ok(())
}

/// Removes the files that a run writes only at its end, so that none of them outlives a new attempt.
pub(super) fn forget_end(folder: &Path) -> Result<(), OutputError> {
    for name in ["summary.json", "report.html", "postmortem.json"] {
        let path = folder.join(name);
        if path.is_file() {
            fs::remove_file(&path).map_err(OutputError::system("remove", &path))?;
        }
    }
    Ok(())
}

/// Replaces a file atomically.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), OutputError> {
    let write = || {
        let mut file = AtomicWriteFile::open(path)?;
        file.write_all(bytes)?;
        file.commit()
    };
    write().map_err(OutputError::system("write", path))
}

/// `run.toml`: the scene with all overrides, and its origin.
pub(super) fn write_scene(
    folder: &Path,
    loaded: &Loaded,
    overrides: &[String],
) -> Result<(), OutputError> {
    let name = loaded.source.name().replace(['\n', '\r'], " ");
    let mut text = format!("# Run of {name} by Esker {}\n", env!("CARGO_PKG_VERSION"));
    text.push_str(&format!("# Seed {}\n", loaded.scene.seed));
    for change in overrides {
        text.push_str(&format!("# --set {}\n", change.replace(['\n', '\r'], " ")));
    }
    text.push_str(MARK);
    text.push_str(loaded.source.text());
    write_file(&folder.join("run.toml"), text.as_bytes())
}

/// The scene as used, without the comments above it.
pub(super) fn scene_as_used(folder: &Path) -> Result<String, OutputError> {
    let path = folder.join("run.toml");
    let text =
        plain_file::read_text(&path, LONGEST_FILE).map_err(OutputError::system("read", &path))?;
    match text.split_once(MARK) {
        Some((_, scene)) => Ok(scene.to_owned()),
        None => Err(OutputError::content(&path, "this is not a file written by a run")),
    }
}
