//! Inputs: the files of one fuzzing attempt, in a folder.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Kind of an input: how it is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A scene file.
    Scene,
    /// A mesh, in a scene that has it as a wall.
    Mesh,
    /// Lists of particles and tables of motions, in a scene that names them.
    Table,
    /// A checkpoint.
    Checkpoint,
    /// The folder of a run to be resumed.
    Run,
    /// The folder of a case with the tables of its runs.
    Case,
    /// Expressions, formulas and overrides, one for each line.
    Words,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 7] = [
        Self::Scene,
        Self::Mesh,
        Self::Table,
        Self::Checkpoint,
        Self::Run,
        Self::Case,
        Self::Words,
    ];

    /// Name, with which the names of its folders begin.
    pub fn name(self) -> &'static str {
        match self {
            Self::Scene => "scene",
            Self::Mesh => "mesh",
            Self::Table => "table",
            Self::Checkpoint => "checkpoint",
            Self::Run => "run",
            Self::Case => "case",
            Self::Words => "words",
        }
    }
}

/// Files by their path in the folder of the input.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Input(pub BTreeMap<String, Vec<u8>>);

impl Input {
    /// An input of one file.
    pub fn one(name: &str, bytes: impl Into<Vec<u8>>) -> Self {
        Self([(name.to_owned(), bytes.into())].into())
    }

    /// All files below a folder.
    pub fn read(folder: &Path) -> Self {
        let mut files = BTreeMap::new();
        let mut folders = vec![folder.to_path_buf()];
        while let Some(next) = folders.pop() {
            for entry in std::fs::read_dir(&next).expect("it can be listed") {
                let path = entry.expect("it can be listed").path();
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let name = path.strip_prefix(folder).expect("it is below").display().to_string();
                files.insert(name, std::fs::read(&path).expect("it can be read"));
            }
        }
        Self(files)
    }

    /// Empties a folder and writes the files into it.
    pub fn write(&self, folder: &Path) {
        let _ = std::fs::remove_dir_all(folder);
        std::fs::create_dir_all(folder).expect("it can be made");
        for (name, bytes) in &self.0 {
            let path = folder.join(name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("it can be made");
            std::fs::write(path, bytes).expect("it can be written");
        }
    }

    /// The text of a file, or nothing.
    pub fn text(&self, name: &str) -> String {
        String::from_utf8_lossy(self.0.get(name).map_or(&[], Vec::as_slice)).into_owned()
    }

    /// Saves the input where it is tested again by every test run, and returns the folder.
    pub fn keep(&self, kind: Kind) -> PathBuf {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        for byte in
            self.0.iter().flat_map(|(name, bytes)| name.bytes().chain(bytes.iter().copied()))
        {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
        let folder = found().join(format!("{}-{hash:016x}", kind.name()));
        self.write(&folder);
        folder
    }
}

/// The folder of all inputs that caused a failure.
pub fn found() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/found")
}
