//! Documentation of the libraries. A broken link is an error, and so is a new public item of the engine without
//! an example.

use crate::steps::{cargo, root};
use anyhow::{Context, Result, ensure};
use std::path::Path;

/// Units in brackets, which rustdoc takes for links.
const UNITS: [&str; 15] =
    ["C", "Hz", "J", "K", "N", "Pa", "T", "W", "bytes", "kg", "m", "m²", "m³", "rad", "s"];

/// Beginning of rustdoc's message on a broken link.
const UNRESOLVED: &str = "unresolved link to `";

/// Builds the documentation; fails on any warning but that of a unit.
pub fn documentation() -> Result<()> {
    eprintln!("== documentation");
    let flags = "-D warnings --force-warn rustdoc::broken_intra_doc_links";
    let libraries = ["doc", "--no-deps", "--lib", "--workspace", "--exclude", "xtask"];
    let output = cargo(&libraries)
        .args(["--message-format", "short"])
        .env("RUSTDOCFLAGS", flags)
        .output()
        .context("cannot start cargo")?;
    let messages = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "the documentation cannot be built:\n{messages}");
    let broken: Vec<&str> = messages.lines().filter(|line| is_broken(line)).collect();
    ensure!(broken.is_empty(), "broken links:\n{}", broken.join("\n"));
    let mut without = Vec::new();
    find_without_example(&root().join("target/doc/esker"), &mut without)?;
    ensure!(
        without.len() <= MOST_WITHOUT_EXAMPLE,
        "{} public items of the engine have no example, {MOST_WITHOUT_EXAMPLE} are allowed; add one to \
         the new item:\n{}",
        without.len(),
        without.join("\n")
    );
    Ok(())
}

/// Public items of the engine without an example: options of laws, and what only authors of laws use. To be
/// lowered, never raised.
const MOST_WITHOUT_EXAMPLE: usize = 122;

/// Pages of types, traits, functions and macros that show no example.
fn find_without_example(folder: &Path, found: &mut Vec<String>) -> Result<()> {
    for entry in std::fs::read_dir(folder).context("no documentation of the engine")? {
        let path = entry?.path();
        if path.is_dir() {
            find_without_example(&path, found)?;
            continue;
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let kinds = ["struct.", "enum.", "trait.", "fn.", "macro."];
        if kinds.iter().any(|kind| name.starts_with(kind))
            && name.ends_with(".html")
            && is_without_example(&std::fs::read_to_string(&path)?)
        {
            found.push(path.display().to_string());
        }
    }
    found.sort();
    Ok(())
}

/// Whether a page shows no example; the old address of a macro only refers to its page.
fn is_without_example(page: &str) -> bool {
    !page.contains("rust-example-rendered") && !page.contains("http-equiv=\"refresh\"")
}

/// Whether a message is on a link that is neither found nor a unit.
fn is_broken(message: &str) -> bool {
    let Some((_, rest)) = message.split_once(UNRESOLVED) else { return false };
    let link = rest.split('`').next().unwrap_or_default();
    !UNITS.contains(&link)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_is_no_broken_link() {
        assert!(is_broken("scene.rs:50:9: warning: unresolved link to `Simulation::overlaps`"));
        assert!(!is_broken("scene.rs:50:9: warning: unresolved link to `m`"));
        assert!(!is_broken("scene.rs:50:9: warning: unused variable"));
    }
}
