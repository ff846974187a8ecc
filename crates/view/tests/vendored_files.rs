//! Vendored files have the checksums of their originals.

use sha2::{Digest, Sha256};

#[test]
fn vendored_files_have_their_checksums() {
    let sums = include_str!("../page/vendor/SHA256SUMS");
    let read = |name: &str| {
        let path = format!("{}/page/vendor/{name}", env!("CARGO_MANIFEST_DIR"));
        std::fs::read(path).unwrap()
    };
    let mut checked = 0;
    for (expected, name) in sums.lines().filter_map(|line| line.split_once("  ")) {
        let found: String =
            Sha256::digest(read(name)).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(found, expected, "{name}");
        checked += 1;
    }
    assert_eq!(checked, 3);
    assert!(String::from_utf8(read("LICENSES")).unwrap().contains("Mozilla Public License"));
}
