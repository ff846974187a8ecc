//! `run.lock`: one run at a time in a folder.
//!
//! The file holds the process id of the run and is locked by the system while that run lives. A lock
//! of a process that died, even by SIGKILL, is released by the system and taken over.

use super::RunError;
use crate::output::OutputError;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// Its name in the run folder.
pub(super) const LOCK: &str = "run.lock";

/// A folder that is ours until this is dropped.
#[derive(Debug)]
pub(super) struct Lock {
    path: PathBuf,
    /// Closing it releases the lock.
    _file: File,
    /// Whether a run that did not end cleanly left its lock.
    pub stale: bool,
}

impl Lock {
    /// Takes a folder, which must exist.
    pub(super) fn take(folder: &Path) -> Result<Self, RunError> {
        let path = folder.join(LOCK);
        let mine = std::process::id().to_string();
        loop {
            let stale = path.exists();
            let mut options = OpenOptions::new();
            options.read(true).write(true).create(true).truncate(false);
            let mut file = options.open(&path).map_err(OutputError::system("create", &path))?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    let mut owner = String::new();
                    // Another run may write it at this moment: the number is for the message alone.
                    let _ = file.read_to_string(&mut owner);
                    let owner = owner.trim().parse().ok();
                    return Err(RunError::InUse { path: folder.to_path_buf(), owner });
                }
                // Some file systems know no locks; a run there is possible all the same.
                Err(TryLockError::Error(_)) => {}
            }
            file.set_len(0)
                .and_then(|()| file.write_all(mine.as_bytes()))
                .map_err(OutputError::system("write", &path))?;
            // The owner before may have removed the file between its opening and its locking.
            if fs::read_to_string(&path).is_ok_and(|text| text == mine) {
                return Ok(Self { path, _file: file, stale });
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // What stays is taken over by the next run.
        let _ = fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_taken_once_and_free_again_afterwards() {
        let folder = tempfile::tempdir().unwrap();
        let lock = Lock::take(folder.path()).unwrap();
        let refused = Lock::take(folder.path()).unwrap_err();
        let owner = format!("process {}", std::process::id());
        assert!(refused.to_string().contains(&owner), "{refused}");
        drop(lock);
        assert!(!folder.path().join(LOCK).exists());
        assert!(!Lock::take(folder.path()).unwrap().stale);
    }

    #[test]
    fn the_lock_of_a_dead_process_is_taken_over() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(LOCK), "1").unwrap();
        assert!(Lock::take(folder.path()).unwrap().stale);
    }
}
