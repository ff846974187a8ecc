//! `cargo xtask view`: the viewer in Debian's Chromium, driven by playwright in a virtual environment under `target`.
//! Everything missing is installed, as on a fresh machine of CI.

use crate::python;
use crate::steps::{build_program, program, root, run, target};
use anyhow::{Result, ensure};
use std::path::Path;
use std::process::Command;

/// What the tests import: the driver of the browser, arrays, a decoder of videos.
const IMPORT: &str = "import playwright, numpy, av";

/// Runs the tests whose names have one of these words in them; all without words.
pub fn view(only: &[&str]) -> Result<()> {
    if !Path::new("/usr/bin/chromium").exists() {
        python::install(&["chromium", "fonts-dejavu-core"])?;
    }
    let python = python::with_packages("viewer", IMPORT, &["playwright", "numpy", "av"])?;
    if !program().exists() {
        build_program()?;
    }
    let out = target().join("view");
    let mut command = Command::new(&python);
    command.arg(root().join("crates/view/browser/test_view.py")).args(only);
    command.env("ESKER", program()).env("ESKER_VIEW_OUT", &out);
    run("viewer in the browser", &mut command)?;
    ensure!(out.join("finished.png").exists() || !only.is_empty(), "no pictures were kept");
    Ok(())
}
