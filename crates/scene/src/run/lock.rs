//! `run.lock`: one run at a time in a folder.
//!
//! The file contains the process id and the host of the run, and is locked by the operating system while that run
//! exists. The lock of a process that has ended, even by SIGKILL, is released by the system and taken over.
//!
//! Network file systems differ. NFS forwards such a lock to the server, so that it also excludes runs on other hosts;
//! mounted with `nolock` or `local_lock`, and Lustre with `localflock`, the lock is visible on one host only; other
//! file systems have no locks. In these cases the contents of the file decide: a process of another host counts as
//! alive, and a warning states that only the file protects the folder.

use super::RunError;
use super::host::{self, Owner};
use esker_draw::OutputError;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

/// Its name in the run folder.
pub(super) const LOCK: &str = "run.lock";

/// An exclusive lock on a folder; dropping it releases the lock.
#[derive(Debug)]
pub(super) struct Lock {
    path: PathBuf,
    /// Closing the file releases the lock.
    _file: File,
    /// True if a run that did not end cleanly left its lock.
    pub stale: bool,
    /// Messages for the user.
    pub remark: Option<String>,
}

impl Lock {
    /// Takes a folder, which must exist.
    pub(super) fn take(folder: &Path) -> Result<Self, RunError> {
        Self::take_as(folder, &Owner::this(), host::locks_are_local(folder))
    }

    /// The same for a given process; `local` if locks of the system are visible on this host only.
    fn take_as(folder: &Path, mine: &Owner, local: bool) -> Result<Self, RunError> {
        let path = folder.join(LOCK);
        loop {
            let (mut file, stale) = open(&path).map_err(OutputError::system("create", &path))?;
            // Another run may be writing the file; then it cannot be parsed.
            let mut before = String::new();
            let _ = file.read_to_string(&mut before);
            let before = Owner::parse(&before);
            let trouble = match file.try_lock() {
                Ok(()) if local => Some("its locks are known to one host only".to_owned()),
                Ok(()) => None,
                Err(TryLockError::WouldBlock) => {
                    let owner = before.map(|owner| owner.relative_to(mine));
                    return Err(RunError::InUse { path: folder.to_path_buf(), owner });
                }
                Err(TryLockError::Error(error)) => Some(format!("it has no locks: {error}")),
            };
            let remark = match trouble {
                None => taken_over(before.as_ref(), mine),
                Some(trouble) => {
                    if stale {
                        may_take_over(folder, before, mine, &trouble)?;
                    }
                    Some(format!(
                        "the file system of `{}` cannot lock the folder ({trouble}): only the \
                         file `{LOCK}` protects it, and a killed run does not remove this file",
                        folder.display()
                    ))
                }
            };
            file.set_len(0)
                .and_then(|()| io::Seek::rewind(&mut file))
                .and_then(|()| file.write_all(mine.to_string().as_bytes()))
                .map_err(OutputError::system("write", &path))?;
            // The previous owner may have removed the file between opening and locking.
            if fs::read_to_string(&path).is_ok_and(|text| text == mine.to_string()) {
                return Ok(Self { path, _file: file, stale, remark });
            }
        }
    }
}

/// Opens the file; returns whether it existed. A missing file is created by exactly one process, also on network file
/// systems.
fn open(path: &Path) -> io::Result<(File, bool)> {
    loop {
        let mut options = OpenOptions::new();
        match options.read(true).write(true).create_new(true).open(path) {
            Ok(file) => return Ok((file, false)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
        match OpenOptions::new().read(true).write(true).open(path) {
            Ok(file) => return Ok((file, true)),
            // The file has been removed in the meantime.
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
}

/// The remark on a released lock of another host, on file systems that forward locks.
fn taken_over(before: Option<&Owner>, mine: &Owner) -> Option<String> {
    let owner = before.filter(|owner| owner.host != mine.host)?;
    Some(format!(
        "`{LOCK}` was left by {}, whose lock the file system has released: the folder is taken over",
        owner.relative_to(mine)
    ))
}

/// True if a lock that is indicated only by the contents of its file belongs to a dead process.
fn may_take_over(
    folder: &Path,
    before: Option<Owner>,
    mine: &Owner,
    trouble: &str,
) -> Result<(), RunError> {
    let path = folder.to_path_buf();
    match before {
        Some(owner) if owner.host != mine.host => Err(RunError::LockLeft {
            path,
            owner: owner.relative_to(mine),
            trouble: trouble.into(),
        }),
        Some(owner) if owner.process != mine.process && owner.is_alive() => {
            Err(RunError::InUse { path, owner: Some(owner.relative_to(mine)) })
        }
        Some(_) => Ok(()),
        None => {
            let owner = "an unknown process".to_owned();
            Err(RunError::LockLeft { path, owner, trouble: trouble.into() })
        }
    }
}

/// True if a run is writing into a folder. The folder is only read: its lock is not acquired, since a run that starts
/// at the same time would find it locked.
pub fn is_running(folder: &Path) -> bool {
    let Ok((file, _)) = crate::plain_file::open(&folder.join(LOCK)) else { return false };
    let mut text = String::new();
    let read = file.take(256).read_to_string(&mut text);
    // A process of another host cannot be checked; a lock file that is being written cannot be parsed.
    let owner = read.ok().and_then(|_| Owner::parse(&text));
    owner.is_none_or(|owner| owner.host != Owner::this().host || owner.is_alive())
}

impl Drop for Lock {
    fn drop(&mut self) {
        // A file that remains is taken over by the next run.
        let _ = fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owner(process: u32, host: &str) -> Owner {
        Owner { process, host: host.to_owned() }
    }

    #[test]
    fn a_folder_is_taken_once_and_free_again_afterwards() {
        let folder = tempfile::tempdir().unwrap();
        let lock = Lock::take(folder.path()).unwrap();
        let refused = Lock::take(folder.path()).unwrap_err();
        let owner = format!("(process {})", std::process::id());
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

    #[test]
    fn a_released_lock_of_another_host_is_taken_over_with_a_remark() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(LOCK), owner(7, "node4").to_string()).unwrap();
        let lock = Lock::take_as(folder.path(), &owner(8, "node5"), false).unwrap();
        assert!(lock.stale);
        let remark = lock.remark.clone().unwrap();
        assert!(remark.contains("left by process 7 on `node4`"), "{remark}");
    }

    #[test]
    fn where_locks_are_local_a_lock_of_another_host_is_not_taken_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(LOCK);
        let mine = Owner::this();
        for (text, word) in [("7 elsewhere", "process 7 on `elsewhere`"), ("", "unknown process")] {
            fs::write(&path, text).unwrap();
            let refused = Lock::take_as(folder.path(), &mine, true).unwrap_err();
            assert!(refused.to_string().contains(word), "{refused}");
            assert!(refused.help().is_some_and(|help| help.contains(LOCK)));
            assert_eq!(fs::read_to_string(&path).unwrap(), text, "it is left as it was");
        }
        // Process 1 always exists; the process with the largest number never does.
        fs::write(&path, owner(1, &mine.host).to_string()).unwrap();
        let refused = Lock::take_as(folder.path(), &mine, true).unwrap_err();
        assert!(refused.to_string().contains("in use by another run (process 1)"), "{refused}");
        fs::write(&path, owner(i32::MAX as u32, &mine.host).to_string()).unwrap();
        let lock = Lock::take_as(folder.path(), &mine, true).unwrap();
        assert!(lock.remark.clone().unwrap().contains("known to one host only"));
        drop(lock);
        let fresh = Lock::take_as(folder.path(), &mine, true).unwrap();
        assert!(!fresh.stale && fresh.remark.is_some());
    }
}
