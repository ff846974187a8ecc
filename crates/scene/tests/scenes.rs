//! Every good scene loads; every bad one gives exactly the message that stands beside it.

use std::path::{Path, PathBuf};

fn scenes(kind: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(kind);
    let mut all: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the folder is in the repository")
        .map(|entry| entry.expect("it can be listed").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "toml"))
        .collect();
    all.sort();
    all
}

fn load(path: &Path) -> Result<esker_scene::Loaded, esker_scene::Diagnostics> {
    let name = path.file_name().and_then(|name| name.to_str()).expect("names are plain");
    let text = std::fs::read_to_string(path).expect("the file can be read");
    esker_scene::load_text(name, &text, path.parent().expect("it is in a folder"))
}

#[test]
fn every_good_scene_loads() {
    for path in scenes("good") {
        match load(&path) {
            Ok(loaded) => assert_eq!(loaded.render_warnings(false), "", "{}", path.display()),
            Err(errors) => panic!("{errors}"),
        }
    }
}

/// With `ESKER_WRITE_MESSAGES` set, the messages are written instead: read them before they are
/// committed.
#[test]
fn every_bad_scene_gives_its_message() {
    let write = std::env::var_os("ESKER_WRITE_MESSAGES").is_some();
    let paths = scenes("bad");
    assert!(paths.len() >= 40);
    for path in paths {
        let shown = match load(&path) {
            Ok(_) => panic!("{} loads", path.display()),
            Err(errors) => errors.render(false),
        };
        let beside = path.with_extension("txt");
        if write {
            std::fs::write(&beside, &shown).expect("the message can be written");
        }
        let expected = std::fs::read_to_string(&beside).unwrap_or_default();
        assert_eq!(shown, expected, "{}", path.display());
    }
}
