//! `cargo xtask view`: the viewer in Debian's Chromium, driven by playwright in a virtual environment under `target`.
//! Everything missing is installed, as on a fresh machine of CI.

use crate::python;
use crate::steps::{build_program, program, root, run, target};
use anyhow::{Context, Result, ensure};
use std::path::Path;
use std::process::Command;

/// Imports of the tests: the driver of the browser, arrays, a video decoder.
const IMPORT: &str = "import playwright, numpy, av";

/// Runs the tests whose names contain one of these words; all tests without words. `budgets` measures instead: first
/// picture, frames per second, and the cost of a page for a run.
pub fn view(only: &[&str]) -> Result<()> {
    if !Path::new("/usr/bin/chromium").exists() {
        python::install(&["chromium", "fonts-dejavu-core"])?;
    }
    let python = python::with_packages("viewer", IMPORT, &["playwright", "numpy", "av"])?;
    if !program().exists() {
        build_program()?;
    }
    let out = target().join("view");
    if let ["budgets", only @ ..] = only {
        let mut command = Command::new(&python);
        command.arg(root().join("crates/view/browser/budgets.py")).args(only);
        command.env("ESKER", program()).env("ESKER_VIEW_OUT", &out);
        return run("speed of the viewer", &mut command);
    }
    check_types()?;
    let mut command = Command::new(&python);
    command.arg(root().join("crates/view/browser/test_view.py")).args(only);
    command.env("ESKER", program()).env("ESKER_VIEW_OUT", &out);
    run("viewer in the browser", &mut command)?;
    ensure!(out.join("finished.png").exists() || !only.is_empty(), "no pictures were kept");
    Ok(())
}

/// The version of the compiler that checks the types.
const TYPESCRIPT: &str = "7.0.2";

/// Checks the types in the comments of the page's scripts if npm is installed. Neither the page nor its other tests
/// need npm, which has hundreds of packages on Debian; it is not installed for this check.
fn check_types() -> Result<()> {
    let has_npm = Command::new("npm").arg("--version").output().is_ok_and(|o| o.status.success());
    if !has_npm {
        println!("types of the page's scripts: not checked, npm is not installed");
        return Ok(());
    }
    let folder = target().join("typescript");
    let compiler = folder.join("node_modules/typescript/bin/tsc");
    if !compiler.exists() {
        let package = format!("typescript@{TYPESCRIPT}");
        let mut install = Command::new("npm");
        install.args(["install", "--no-audit", "--no-fund", "--silent", "--prefix"]);
        run("compiler that checks types", install.arg(&folder).arg(package))?;
    }
    let page = root().join("crates/view/page");
    let mut check = Command::new("node");
    check.arg(&compiler).current_dir(&page).args([
        "--noEmit",
        "--allowJs",
        "--strict",
        "--skipLibCheck",
    ]);
    check.args(["--target", "es2024", "--lib", "es2024,dom,dom.iterable", "--module", "esnext"]);
    check.args(["--moduleResolution", "bundler", "main.js", "cull_worker.js"]);
    run("types of the page's scripts", &mut check).context("a type in `crates/view/page` is wrong")
}
