//! Lints that concern libraries and programs alone, not their tests, are in each `lib.rs` and `main.rs`: the manifest of the
//! workspace cannot make this distinction.

use std::path::Path;

const LINTS: [&str; 4] = ["print_stderr", "print_stdout", "too_many_lines", "unwrap_used"];

#[test]
fn every_crate_has_the_lints_of_libraries() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates");
    for folder in std::fs::read_dir(crates).expect("the folder is there") {
        let source = folder.expect("it can be read").path().join("src");
        let roots = ["lib.rs", "main.rs"].map(|name| source.join(name));
        for root in roots.iter().filter(|root| root.is_file()) {
            let text = std::fs::read_to_string(root).expect("it is text");
            let missing: Vec<&str> = LINTS
                .into_iter()
                .filter(|lint| !text.contains(&format!("clippy::{lint}")))
                .collect();
            assert!(missing.is_empty(), "{}: {missing:?}", root.display());
        }
    }
}
