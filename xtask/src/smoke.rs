//! The release program from end to end, in an empty folder.

use crate::steps::program;
use anyhow::{Context, Result, ensure};
use std::path::Path;
use std::process::{Command, Output};

/// Runs the program in a folder and returns its output.
fn esker(folder: &Path, arguments: &[&str]) -> Result<Output> {
    let output = Command::new(program()).args(arguments).current_dir(folder).output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "esker {} failed:\n{said}", arguments.join(" "));
    Ok(output)
}

/// A first use as the README shows it, with a smaller pile.
pub fn smoke() -> Result<()> {
    eprintln!("== smoke");
    let folder = tempfile::tempdir()?;
    let at = folder.path();
    esker(at, &["list"])?;
    esker(at, &["new", "my", "--from", "pile"])?;
    esker(at, &["check", "my.toml"])?;
    let small = ["--set", "particles[0].insert.count=300", "--set", "stages[1].end.after=0.1"];
    let mut arguments = vec!["run", "my.toml"];
    arguments.extend(small);
    let output = esker(at, &arguments)?;
    let run = at.join(String::from_utf8_lossy(&output.stdout).trim());
    for file in ["run.toml", "energy.csv", "final.csv", "frames.pvd", "summary.json", "report.html"]
    {
        let length = std::fs::metadata(run.join(file)).with_context(|| file.to_owned())?.len();
        ensure!(length > 0, "{file} is empty");
    }
    let summary = std::fs::read_to_string(run.join("summary.json"))?;
    let summary: serde_json::Value = serde_json::from_str(&summary)?;
    ensure!(summary["ended"] == "finished", "the run ended as {}", summary["ended"]);
    ensure!(summary["particles"]["present"] == 300, "particles were lost");
    esker(at, &["info", "runs/my"])?;
    eprintln!("== smoke: good");
    Ok(())
}
