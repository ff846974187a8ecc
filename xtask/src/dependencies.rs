//! `cargo xtask dependencies`: unused dependencies, licences and duplicate versions, from
//! `cargo metadata`. Security advisories are checked by the GitHub workflow, which has a network.

use crate::steps::{cargo, root};
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Licences that can be combined with "MIT OR Apache-2.0". An expression is accepted if each of its parts joined by AND
/// offers one of these.
const LICENCES: [&str; 11] = [
    "MIT",
    "MIT-0",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "ISC",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Packages that may occur in several versions, with the reason. They are indirect dependencies, which we cannot unify.
const SEVERAL_VERSIONS: [(&str, &str); 4] = [
    ("embedded-io", "both optional for postcard, neither compiled"),
    ("getrandom", "proptest and tempfile, in tests only"),
    ("r-efi", "for UEFI targets only"),
    ("syn", "derive macros move from 2 to 3"),
];

/// Fails if a dependency is unused, has an unknown licence, or occurs in several versions.
pub fn dependencies() -> Result<()> {
    let output = cargo(&["metadata", "--format-version", "1", "--locked"]).output()?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout)?;
    let packages = list(&metadata["packages"]);
    let mut problems = unused(&metadata)?;
    problems.extend(packages.iter().filter_map(unknown_licence));
    problems.extend(several_versions(&packages));
    ensure!(problems.is_empty(), "dependencies:\n  {}", problems.join("\n  "));
    eprintln!("== dependencies: {} packages, no problem", packages.len());
    Ok(())
}

fn list(value: &Value) -> Vec<Value> {
    value.as_array().cloned().unwrap_or_default()
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

/// Dependencies of our packages whose names occur in none of their source files, and dependencies of the workspace that
/// no package inherits.
fn unused(metadata: &Value) -> Result<Vec<String>> {
    let ours: BTreeSet<String> =
        list(&metadata["workspace_members"]).iter().map(|id| id.to_string()).collect();
    let mut problems = Vec::new();
    let mut inherited = BTreeSet::new();
    for package in list(&metadata["packages"]) {
        if !ours.contains(&package["id"].to_string()) {
            continue;
        }
        let manifest = Path::new(text(&package, "manifest_path"));
        let source = all_source(manifest.parent().context("a manifest without a folder")?)?;
        for dependency in list(&package["dependencies"]) {
            let name = text(&dependency, "name");
            inherited.insert(name.to_owned());
            if !source.contains(&name.replace('-', "_")) {
                problems.push(format!("{} does not use `{name}`", text(&package, "name")));
            }
        }
    }
    let manifest = std::fs::read_to_string(root().join("Cargo.toml"))?;
    let table = manifest.split("[workspace.dependencies]").nth(1).unwrap_or_default();
    for line in table.lines().take_while(|line| !line.starts_with('[')) {
        if let Some((name, _)) = line.split_once(" = ")
            && !inherited.contains(name)
        {
            problems.push(format!("no package of the workspace uses `{name}`"));
        }
    }
    Ok(problems)
}

/// All Rust source below a folder, except build output.
fn all_source(folder: &Path) -> Result<String> {
    let mut source = String::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() && path.file_name().is_some_and(|name| name != "target") {
            source += &all_source(&path)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            source += &std::fs::read_to_string(&path)?;
        }
    }
    Ok(source)
}

fn unknown_licence(package: &Value) -> Option<String> {
    let licence = text(package, "license");
    let is_offered = |part: &str| {
        let mut choices = part.split(" OR ").flat_map(|choice| choice.split('/'));
        choices.any(|choice| LICENCES.contains(&choice.trim_matches(['(', ')', ' '])))
    };
    let passes = licence.split(" AND ").all(is_offered);
    (!passes).then(|| format!("licence of {}: `{licence}`", text(package, "name")))
}

fn several_versions(packages: &[Value]) -> Vec<String> {
    let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for package in packages {
        versions.entry(text(package, "name")).or_default().insert(text(package, "version"));
    }
    let is_allowed = |name: &str| SEVERAL_VERSIONS.iter().any(|(allowed, _)| *allowed == name);
    let several = versions.iter().filter(|(name, found)| found.len() > 1 && !is_allowed(name));
    let mut problems: Vec<String> =
        several.map(|(name, found)| format!("several versions of {name}: {found:?}")).collect();
    for (name, _) in SEVERAL_VERSIONS {
        if versions.get(name).is_none_or(|found| found.len() < 2) {
            problems.push(format!("{name} has one version: remove it from SEVERAL_VERSIONS"));
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn licence(licence: &str) -> Option<String> {
        unknown_licence(&json!({ "name": "some", "license": licence }))
    }

    #[test]
    fn a_licence_passes_if_each_joined_part_offers_a_known_one() {
        assert_eq!(licence("MIT OR LGPL-2.1-or-later"), None);
        assert_eq!(licence("Unlicense/MIT"), None);
        assert_eq!(licence("(MIT OR Apache-2.0) AND Unicode-3.0"), None);
        assert!(licence("MIT AND GPL-3.0").is_some());
        assert!(licence("").is_some());
    }

    #[test]
    fn two_versions_of_a_package_are_reported() {
        let package = |version: &str| json!({ "name": "twice", "version": version });
        let problems = several_versions(&[package("1.0.0"), package("2.0.0")]);
        assert!(problems[0].contains("twice"), "{problems:?}");
    }
}
