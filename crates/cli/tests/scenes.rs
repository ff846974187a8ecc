//! Every scene of the folder `scenes` loads without warnings and runs.

use std::path::PathBuf;

fn scenes() -> Vec<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    let entries = std::fs::read_dir(folder).expect("the folder is in the repository");
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("it can be listed").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "toml"))
        .collect();
    paths.sort();
    paths
}

#[test]
fn every_scene_loads_and_runs() {
    let paths = scenes();
    assert!(paths.len() >= 8);
    for path in paths {
        let loaded = esker_scene::load(&path).unwrap_or_else(|errors| panic!("{errors}"));
        assert_eq!(loaded.render_warnings(false), "", "{}", path.display());
        let mut simulation = esker_scene::run::build(&loaded)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(simulation.warnings(), [] as [&str; 0], "{}", path.display());
        for _ in 0..200 {
            simulation.step().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        }
    }
}
