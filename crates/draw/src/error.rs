//! Errors of writing or reading the output of a run.

use std::io;
use std::path::{Path, PathBuf};

/// An output file that could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// An error of the operating system.
    #[error("cannot {action} `{}`: {source}", path.display())]
    System {
        /// The failed action: "write", "read", "rename" …
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// A file has unexpected content.
    #[error("`{}`: {problem}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// The content found and the expected content.
        problem: String,
    },
    /// A picture could not be encoded.
    #[error("cannot encode a picture: {0}")]
    Picture(String),
    /// The page of the report could not be made.
    #[error("cannot make the report: {0}")]
    Report(String),
}

impl OutputError {
    /// Adds the file and the action to an error of the system, for `map_err`.
    pub fn system(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_path_buf();
        move |source| Self::System { action, path, source }
    }

    /// A file with unexpected content.
    pub fn content(path: &Path, problem: impl Into<String>) -> Self {
        Self::Content { path: path.to_path_buf(), problem: problem.into() }
    }
}
