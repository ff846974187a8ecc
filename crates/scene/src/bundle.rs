//! A scene with all files that it names, in one message: only the first rank of an MPI job reads files.

use crate::plain_file::{self, LONGEST_FILE};
use crate::{Diagnostics, Loaded, Provided, Source, read_source};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// Files by their paths from the working folder, taken instead of those of the file system.
pub(crate) type ReceivedFiles = BTreeMap<PathBuf, Vec<u8>>;

/// A scene with all files that it names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bundle {
    /// Name of the scene file in messages.
    name: String,
    /// Its text, overrides included.
    text: String,
    /// The folder that contains the files.
    base: PathBuf,
    files: ReceivedFiles,
}

impl Bundle {
    /// The scene as it was read, with the files that it names. An error names the file.
    pub fn of(loaded: &Loaded) -> Result<Self, String> {
        let contents = |path: &PathBuf| {
            let bytes = plain_file::read(path, LONGEST_FILE)
                .map_err(|error| format!("cannot read `{}`: {error}", path.display()))?;
            Ok((path.clone(), bytes))
        };
        Ok(Self {
            name: loaded.source.name().to_owned(),
            text: loaded.source.text().to_owned(),
            base: loaded.base.clone(),
            files: loaded.files.iter().map(contents).collect::<Result<_, String>>()?,
        })
    }

    /// Reads the scene without a file system.
    pub fn load(self) -> Result<Loaded, Diagnostics> {
        let source = Source::new(&self.name, &self.text);
        read_source(source, &self.base, &Provided::new(), Some(Arc::new(self.files)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCENE: &str = r#"
format = 1
materials.a = { density = 1000, young_modulus = 1e6, poisson_ratio = 0.3 }
[contact]
normal = "hertz"
pairs = [{ between = ["a", "a"] }]
[[particles]]
name = "p"
material = "a"
radius = 0.1
insert = { csv = "balls.csv" }
"#;

    #[test]
    fn a_scene_is_read_from_its_bundle_when_its_files_are_gone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("scene.toml");
        std::fs::write(&path, SCENE).unwrap();
        std::fs::write(folder.path().join("balls.csv"), "x,y,z\n0,0,0\n0,0,0.5\n").unwrap();
        let loaded = crate::load_with(&path, &[("particles[0].radius", "0.2")]).unwrap();
        let bundle = Bundle::of(&loaded).unwrap();
        drop(folder);
        let again = bundle.load().unwrap();
        assert_eq!(again.source.text(), loaded.source.text());
        let particles = |loaded: Loaded| loaded.scene.build().unwrap().snapshot().particles;
        let found = particles(again);
        assert_eq!(found.len(), 2);
        assert!(found.iter().all(|particle| particle.radius == 0.2));
    }

    #[test]
    fn a_file_that_is_gone_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("scene.toml");
        std::fs::write(&path, SCENE).unwrap();
        let list = folder.path().join("balls.csv");
        std::fs::write(&list, "x,y,z\n0,0,0\n").unwrap();
        let loaded = crate::load(&path).unwrap();
        std::fs::remove_file(list).unwrap();
        let problem = Bundle::of(&loaded).unwrap_err();
        assert!(problem.contains("balls.csv"), "{problem}");
    }
}
