//! Errors that prevent a run from starting or continuing.

use super::folder;
use crate::Diagnostics;
use esker_draw::OutputError;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Errors that prevent a run from starting or continuing.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The scene is invalid.
    #[error("{0}")]
    Scene(Box<Diagnostics>),
    /// The engine has warnings about the scene, and warnings are errors.
    #[error("there are warnings: {}", .0.join("; "))]
    Doubtful(Vec<String>),
    /// A file could not be written or read.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The folder is in use.
    #[error("the folder `{}` {what}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// Its content.
        what: &'static str,
    },
    /// A sweep or a comparison would write into a folder that it did not create.
    #[error("the folder `{}` contains {what}, and was not written by an earlier `esker {command}`", path.display())]
    NotOurs {
        /// The folder.
        path: PathBuf,
        /// Its content.
        what: &'static str,
        /// The command that would write into it.
        command: &'static str,
    },
    /// Another run is active in the folder.
    #[error("the folder `{}` is in use by another run{}", path.display(),
        owner.as_ref().map(|owner| format!(" ({owner})")).unwrap_or_default())]
    InUse {
        /// The folder.
        path: PathBuf,
        /// The process, and its host if that is another one.
        owner: Option<String>,
    },
    /// The folder has a lock, and it is unknown whether its owner is alive.
    #[error("the folder `{}` is locked by {owner}, and its file system does not show whether that run is still active ({trouble})", path.display())]
    LockLeft {
        /// The folder.
        path: PathBuf,
        /// The process, and its host if that is another one.
        owner: String,
        /// Reason why it is unknown.
        trouble: String,
    },
    /// There is no checkpoint to resume.
    #[error("the folder `{}` {what}", path.display())]
    NothingToResume {
        /// The folder.
        path: PathBuf,
        /// Reason why there is none.
        what: &'static str,
    },
    /// The run to resume was made with another scene.
    #[error("the run in `{}` belongs to another scene: {changes}", path.display())]
    OtherScene {
        /// The folder.
        path: PathBuf,
        /// Changes by key.
        changes: String,
    },
    /// The checkpoint lacks a table that the scene requests.
    #[error("the run to resume had no `{0}`, but the scene requests it")]
    NotInCheckpoint(String),
}

impl RunError {
    /// The remedy.
    pub fn help(&self) -> Option<&'static str> {
        match self {
            Self::Folder { what: "holds a run", .. } => Some(
                "`--resume` continues it, `--force` replaces it, `--out` selects another folder",
            ),
            Self::Folder { .. } => {
                Some("`--out` selects another; `--force` writes into it nevertheless")
            }
            Self::NotOurs { .. } => Some("select a new or an empty folder with `--out`"),
            Self::InUse { .. } => Some("wait for its end, or select another folder with `--out`"),
            Self::LockLeft { .. } => {
                Some("if that run is not active, remove `run.lock` from the folder and try again")
            }
            Self::NothingToResume { .. } => Some("start again without `--resume`"),
            Self::OtherScene { .. } => Some(
                "`--force` continues with the changed scene; without `--resume` the run starts \
                 again",
            ),
            Self::NotInCheckpoint(_) => Some("start again without `--resume`"),
            Self::Output(OutputError::System { source, path, .. }) => match source.kind() {
                ErrorKind::StorageFull | ErrorKind::FileTooLarge | ErrorKind::QuotaExceeded => {
                    Some(after_making_room(path))
                }
                ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
                    Some("select a folder with write permission with `--out`")
                }
                _ => None,
            },
            Self::Scene(_) | Self::Doubtful(_) | Self::Output(_) => None,
        }
    }
}

/// The remedy for a full disk, depending on the content of the folder of the file: tables and frames are one folder
/// deeper.
fn after_making_room(file: &Path) -> &'static str {
    let mut folders = file.ancestors().skip(1).take(2);
    let run = folders.find(|folder| folder::holds_run(folder));
    match run {
        Some(folder) if folder::has_checkpoint(folder) => {
            "free disk space, then continue from the last checkpoint with `--resume`; finished \
             files are kept"
        }
        Some(_) => {
            "free disk space, then use `--resume`: there is no checkpoint yet, so the run starts \
             from the beginning; `checkpoint = { every = … }` in [outputs] requests checkpoints"
        }
        None => "free disk space, then try again",
    }
}
