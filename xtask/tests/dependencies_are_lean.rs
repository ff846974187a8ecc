//! Contents of the lock file: no unmaintained crate, and one implementation of deflate.

use std::path::Path;

/// Names of all packages of the lock file, one for each version.
fn packages() -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.lock");
    let text = std::fs::read_to_string(path).expect("the lock file is there");
    let lock: toml::Table = text.parse().expect("it is TOML");
    let packages = lock["package"].as_array().expect("a list of packages");
    packages.iter().filter_map(|one| one.get("name")?.as_str().map(str::to_owned)).collect()
}

#[test]
fn deflate_is_compiled_once() {
    let count = packages().iter().filter(|name| *name == "miniz_oxide").count();
    assert_eq!(count, 1, "see the remark beside flate2 in Cargo.toml");
}

/// `atomic-polyfill` is unmaintained (RUSTSEC-2023-0089); it is a default dependency of `postcard`.
#[test]
fn no_unmaintained_crate_is_in_the_lock_file() {
    assert!(!packages().iter().any(|name| name == "atomic-polyfill"));
}
