//! A Python with VTK, in a separate virtual environment under `target`.

use crate::steps::{run, target};
use anyhow::{Result, ensure};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Modules that the test of frames imports.
const IMPORT: &str = "import vtkmodules.vtkIOXML, vtkmodules.vtkCommonCore";

/// The interpreter; everything missing is installed.
pub fn with_vtk() -> Result<PathBuf> {
    let folder = target().join("python");
    let python = folder.join("bin").join("python");
    if imports_vtk(&python) {
        return Ok(python);
    }
    run("virtual environment", Command::new(interpreter()?).args(["-m", "venv"]).arg(&folder))?;
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "vtk"];
    run("VTK for the test of frames", Command::new(&python).args(pip))?;
    if !imports_vtk(&python) {
        // System libraries that the packages of VTK expect.
        install(&["libgl1", "libxrender1", "libx11-6", "libgomp1"])?;
    }
    ensure!(imports_vtk(&python), "Python cannot import VTK although it is installed");
    Ok(python)
}

/// A Python of version 3.11 or later that can make virtual environments; installed if it is missing.
pub fn interpreter() -> Result<&'static str> {
    let check = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))";
    let suits = || works(Command::new("python3").args(["-c", check]));
    if !suits() {
        install(&["python3", "python3-venv", "python3-pip"])?;
    }
    ensure!(suits(), "Python 3.11 or later is needed, with venv");
    Ok("python3")
}

fn imports_vtk(python: &Path) -> bool {
    python.exists() && works(Command::new(python).args(["-c", IMPORT]))
}

fn works(command: &mut Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|s| s.success())
}

/// Installs Debian packages; needs root, as on a fresh CI machine.
pub fn install(packages: &[&str]) -> Result<()> {
    let apt = |arguments: &[&str]| {
        let mut command = Command::new("apt-get");
        command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
        command
    };
    run("package lists", &mut apt(&["update", "--quiet"]))?;
    let mut install = apt(&["install", "--yes", "--quiet", "--no-install-recommends"]);
    run("system packages", install.args(packages))
}

/// The interpreter of a virtual environment of this name with packages, which `import` imports; everything missing is
/// installed.
pub fn with_packages(name: &str, import: &str, packages: &[&str]) -> Result<PathBuf> {
    let folder = target().join(format!("python-{name}"));
    let python = folder.join("bin").join("python");
    let imports = || python.exists() && works(Command::new(&python).args(["-c", import]));
    if imports() {
        return Ok(python);
    }
    if !works(Command::new("python3").args(["-c", "import venv, ensurepip"])) {
        install(&["python3", "python3-venv", "python3-pip"])?;
    }
    run("virtual environment", Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    run("packages of Python", Command::new(&python).args(pip).args(packages))?;
    ensure!(imports(), "Python cannot import what was installed: {packages:?}");
    Ok(python)
}
