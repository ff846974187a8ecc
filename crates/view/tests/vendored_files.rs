//! Files of others are those that were taken over, and pages stay small.

use esker_view::assets::{ASSETS, INDEX};
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

#[test]
fn the_page_has_at_most_200_kilobytes_without_video() {
    let video = "vendor/mediabunny.js";
    let files = ASSETS.iter().filter(|asset| asset.name != video).map(|asset| asset.bytes.len());
    let total = INDEX.len() + files.sum::<usize>();
    assert!(total <= 200_000, "{total} bytes");
}
