//! Documentation of the libraries. A link that leads nowhere is an error.

use crate::steps::cargo;
use anyhow::{Context, Result, ensure};

/// Units in brackets, which rustdoc takes for links.
const UNITS: [&str; 15] =
    ["C", "Hz", "J", "K", "N", "Pa", "T", "W", "bytes", "kg", "m", "m²", "m³", "rad", "s"];

/// Beginning of rustdoc's message on a link that leads nowhere.
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
    ensure!(broken.is_empty(), "links that lead nowhere:\n{}", broken.join("\n"));
    Ok(())
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
