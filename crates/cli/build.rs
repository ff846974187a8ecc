//! Embeds the folders under `cases` into the program, so that `esker reproduce` needs no other files.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// Written by `esker reproduce`, therefore not an input of it.
const RESULTS: &str = "RESULTS.md";

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").unwrap_or_default());
    // A link to the folder at the top of the repository, or a folder in the published package. A checkout without
    // symbolic links has neither.
    let inside = root.join("cases");
    let cases = if inside.is_dir() { inside } else { root.join("../../cases") }.canonicalize()?;
    println!("cargo::rerun-if-changed={}", cases.display());
    let mut files = Vec::new();
    collect(&cases, &mut files)?;
    files.sort();
    let mut code =
        String::from("/// Every file of every case: its path under `cases`, its bytes.\n");
    code.push_str("static FILES: &[(&str, &[u8])] = &[\n");
    for file in &files {
        println!("cargo::rerun-if-changed={}", file.display());
        let path = file.strip_prefix(&cases).map_err(io::Error::other)?;
        let path: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
        let _ = writeln!(code, "    ({:?}, include_bytes!({:?})),", path.join("/"), file.display());
    }
    code.push_str("];\n");
    let target = PathBuf::from(env::var("OUT_DIR").unwrap_or_default()).join("cases.rs");
    fs::write(target, code)
}

/// All files under a folder.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            println!("cargo::rerun-if-changed={}", path.display());
            collect(&path, files)?;
        } else if path.file_name().is_none_or(|name| name != RESULTS) {
            files.push(path);
        }
    }
    Ok(())
}
