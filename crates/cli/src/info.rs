//! `esker info`: contents of a run folder or a checkpoint.

use crate::failure::{Failure, print};
use esker_scene::plain_file::{self, LONGEST_FILE};
use esker_scene::run::{Checkpoint, checkpoint_path, holds_run};
use serde_json::Value;
use std::fmt::Write;
use std::path::Path;

/// Prints the contents.
pub fn info(path: &Path) -> Result<(), Failure> {
    let text = if path.is_dir() { folder(path)? } else { checkpoint(path)? };
    print(&text)
}

fn checkpoint(path: &Path) -> Result<String, Failure> {
    if path.extension().is_some_and(|ending| ending == "toml") {
        let help = format!("`esker check {}` summarises a scene", path.display());
        let message = "a scene file is neither a run folder nor a checkpoint";
        return Err(Failure::input(message).help(help));
    }
    let Checkpoint { positions, state } = Checkpoint::read(path)?;
    let mut text = String::new();
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "{name:<16} {value}");
    };
    line("checkpoint of", format!("Esker {}", positions.version));
    line("time", format!("{} s, step {}", state.time(), state.steps()));
    line("particles", state.particles.len().to_string());
    line("groups", state.groups.join(", "));
    line("materials", state.materials.join(", "));
    line("contacts", format!("{} between particles", state.contacts.len()));
    line(
        "history",
        if state.history.is_empty() { "none".into() } else { state.history.join(", ") },
    );
    line("wall clock", format!("{:.1} s so far", positions.wall_time));
    line("frames", positions.frames.to_string());
    for (table, bytes) in &positions.tables {
        line("table", format!("{table}, {bytes} bytes"));
    }
    Ok(text)
}

fn folder(path: &Path) -> Result<String, Failure> {
    if !holds_run(path) {
        let message = format!("the folder `{}` is not a run folder", path.display());
        return Err(Failure::input(message).help("a run folder contains a file run.toml"));
    }
    let mut text = format!("{:<16} {}\n", "run", path.display());
    match plain_file::read_text(&path.join("summary.json"), LONGEST_FILE) {
        Ok(json) => summary(&json, &mut text)?,
        Err(_) => text.push_str("the run has not ended: there is no summary.json\n"),
    }
    let newest = checkpoint_path(path);
    if newest.is_file() {
        let (Checkpoint { state, .. }, damaged) = Checkpoint::newest(path)?;
        if let Some(error) = damaged {
            let _ = writeln!(text, "{:<16} {error}; the previous checkpoint is intact", "damaged");
        }
        let at = format!("t = {} s, step {}", state.time(), state.steps());
        let _ = writeln!(text, "{:<16} {at}", "checkpoint");
    }
    let mut files: Vec<String> = std::fs::read_dir(path)
        .map_err(|error| Failure::input(format!("cannot read `{}`: {error}", path.display())))?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .collect();
    files.sort();
    let _ = writeln!(text, "{:<16} {}", "files", files.join(", "));
    Ok(text)
}

fn summary(json: &str, text: &mut String) -> Result<(), Failure> {
    let summary: Value = serde_json::from_str(json)
        .map_err(|error| Failure::input(format!("summary.json cannot be parsed: {error}")))?;
    let rows = [
        ("title", "/title"),
        ("ended", "/ended"),
        ("failure", "/failure"),
        ("time [s]", "/time"),
        ("steps", "/steps"),
        ("time step [s]", "/time_step/step"),
        ("particles", "/particles/present"),
        ("deleted", "/particles/deleted"),
        ("contacts", "/contacts"),
        ("wall clock [s]", "/wall_time"),
        ("processor [s]", "/processor_time"),
        ("kinetic [J]", "/energy/kinetic"),
        ("energy error", "/relative_closure_error"),
        ("coordination", "/measures/mean_coordination"),
        ("max height [m]", "/measures/max_height"),
    ];
    for (name, pointer) in rows {
        match summary.pointer(pointer) {
            None | Some(Value::Null) => {}
            Some(Value::String(value)) => _ = writeln!(text, "{name:<16} {value}"),
            Some(value) => _ = writeln!(text, "{name:<16} {value}"),
        }
    }
    Ok(())
}
