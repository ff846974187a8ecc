//! Modules of the engine depend on each other in one direction: the order of the passes of a time step. Reads the paths
//! `crate::…` of `crates/core/src`; inline test modules are ignored.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

#[path = "../src/module_order.rs"]
mod module_order;

use module_order::{ORDER, SIMULATION};

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/core/src")
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("it can be read").path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The module of a name after `crate::`, if it is one; the parts of `simulation` count as `simulation`.
fn module(name: &str) -> Option<&str> {
    let name = if SIMULATION.contains(&name) { "simulation" } else { name };
    ORDER.contains(&name).then_some(name)
}

/// The first folder of a file, or its name.
fn first_name(path: &Path) -> String {
    let relative = path.strip_prefix(source()).expect("it is below the source");
    let first = relative.iter().next().expect("it has a name").to_string_lossy();
    first.trim_end_matches(".rs").to_owned()
}

/// Modules that the code of a file names after `crate::`, without comments and inline tests.
fn used(text: &str) -> BTreeSet<String> {
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let lines = code.lines().map(|line| line.split("//").next().unwrap_or_default());
    let code = lines.collect::<Vec<_>>().join("\n");
    let word = |text: &str| -> String {
        text.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect()
    };
    let mut found = BTreeSet::new();
    for rest in code.split("crate::").skip(1) {
        if let Some(list) = rest.strip_prefix('{') {
            let end = list.find("};").unwrap_or(list.len());
            found.extend(list[..end].split(',').map(|item| word(item.trim_start())));
        } else {
            found.insert(word(rest));
        }
    }
    found
}

#[test]
fn every_module_uses_only_those_before_it() {
    let mut paths = Vec::new();
    files(&source(), &mut paths);
    paths.retain(|path| !path.to_string_lossy().ends_with("tests.rs"));
    let rank = |module: &str| ORDER.iter().position(|known| *known == module);
    for path in paths {
        let name = first_name(&path);
        let own = module(&name).unwrap_or_else(|| panic!("add `{name}` to the order"));
        let text = std::fs::read_to_string(&path).expect("it is text");
        for used in used(&text) {
            let Some(other) = module(&used) else { continue };
            let is_before = other == own || rank(other) < rank(own);
            assert!(is_before, "{} must not use {used}", path.display());
        }
    }
}
