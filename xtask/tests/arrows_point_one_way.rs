//! Dependencies between the crates point one way: cli, python → study, view → scene → draw → core.

use std::path::{Path, PathBuf};

/// Each crate and the workspace crates that it may use.
const ARROWS: [(&str, &[&str]); 8] = [
    ("core", &[]),
    ("draw", &["esker"]),
    ("mpi", &["esker"]),
    ("scene", &["esker", "esker-draw"]),
    ("study", &["esker", "esker-draw", "esker-scene"]),
    ("view", &["esker", "esker-draw", "esker-scene"]),
    ("cli", &["esker", "esker-draw", "esker-mpi", "esker-scene", "esker-study", "esker-view"]),
    ("python", &["esker", "esker-draw", "esker-scene", "esker-study", "esker-view"]),
];

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates")
}

/// Names of workspace crates in a manifest, in any kind of dependencies.
fn ours(manifest: &toml::Table) -> Vec<String> {
    let kinds = ["dependencies", "dev-dependencies", "build-dependencies"];
    let tables = kinds.iter().filter_map(|kind| manifest.get(*kind)?.as_table());
    let names = tables.flat_map(|table| table.keys().cloned());
    // The tests of a crate may use the crate itself, with other features.
    let own = manifest.get("package").and_then(|package| package.get("name")?.as_str());
    let is_other = |name: &String| own != Some(name.as_str());
    names.filter(|name| name == "esker" || name.starts_with("esker-")).filter(is_other).collect()
}

#[test]
fn every_crate_uses_only_those_below_it() {
    for (name, allowed) in ARROWS {
        let path = crates().join(name).join("Cargo.toml");
        let text = std::fs::read_to_string(&path).expect("the manifest is there");
        let manifest: toml::Table = text.parse().expect("it is TOML");
        for used in ours(&manifest) {
            assert!(allowed.contains(&used.as_str()), "{name} must not use {used}");
        }
    }
}

#[test]
fn every_crate_is_in_the_list() {
    let folders = std::fs::read_dir(crates()).expect("the folder is there");
    for folder in folders {
        let name = folder.expect("it can be read").file_name();
        let known = ARROWS.iter().any(|(known, _)| name == *known);
        assert!(known, "add {name:?} to the arrows, with what it may use");
    }
}
