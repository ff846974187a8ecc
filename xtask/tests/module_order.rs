//! Modules of the engine depend on each other in one direction: the order of the passes of a time step. Reads the paths
//! `crate::…` of `crates/core/src`; inline test modules are ignored.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

#[path = "../src/module_order.rs"]
mod module_order;

use module_order::{ORDER, TOP};

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

/// The module of a file: its first folder, or its name.
fn module_of(path: &Path) -> String {
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

/// Every dependency between two modules, with an example file.
fn dependencies() -> Vec<(String, String, PathBuf)> {
    let mut paths = Vec::new();
    files(&source(), &mut paths);
    paths.retain(|path| !path.to_string_lossy().ends_with("tests.rs"));
    let mut found = Vec::new();
    for path in paths {
        let module = module_of(&path);
        let text = std::fs::read_to_string(&path).expect("it is text");
        for name in used(&text) {
            let is_module = ORDER.contains(&name.as_str()) || TOP.contains(&name.as_str());
            if is_module && name != module {
                found.push((module.clone(), name, path.clone()));
            }
        }
    }
    found
}

#[test]
fn every_module_uses_only_those_before_it() {
    let rank = |name: &str| ORDER.iter().position(|known| *known == name);
    for (module, name, path) in dependencies() {
        if TOP.contains(&module.as_str()) {
            continue;
        }
        let own = rank(&module).unwrap_or_else(|| panic!("add `{module}` to the order"));
        let is_before = rank(&name).is_some_and(|other| other < own);
        assert!(is_before, "{} must not use {name}", path.display());
    }
}
