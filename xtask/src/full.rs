//! `cargo xtask full`: the checks that are too slow for CI, run by hand before a release.

use crate::soak::{Size, soak};
use crate::steps::{build_program, cargo, program, root, run, target};
use crate::{sanitize, wheel};
use anyhow::Result;
use std::process::Command;

/// All slow checks; the first failure ends them.
pub fn full() -> Result<()> {
    publish()?;
    build_program()?;
    wheel::wheel(wheel::Calls::Many)?;
    sanitize::sanitize()?;
    soak(Size::Full)?;
    reproduce()
}

/// Packs each crate and builds it from its package, without uploading it. Cargo needs the index of
/// the registry.
pub fn publish() -> Result<()> {
    run("publish, dry run", &mut cargo(&["publish", "--workspace", "--dry-run", "--allow-dirty"]))
}

/// The published problems at their full size.
fn reproduce() -> Result<()> {
    let out = target().join("reproduced-full");
    // runs of an earlier program would not be used anyway
    if out.exists() {
        std::fs::remove_dir_all(&out)?;
    }
    let mut command = Command::new(program());
    command.args(["reproduce", "--all", "--full", "--quiet", "--out"]).arg(&out);
    run("published problems, full size", command.current_dir(root()))
}
