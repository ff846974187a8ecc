//! Processes, hosts and mounts, for the lock of a run folder.

use std::fmt;
use std::path::{Path, PathBuf};

/// Mount options that restrict locks to one host: NFS and Lustre.
const LOCAL: [&str; 4] = ["nolock", "local_lock=flock", "local_lock=all", "localflock"];

/// The process that has locked a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Owner {
    /// Its number.
    pub process: u32,
    /// The name of its host; empty if that is not known.
    pub host: String,
}

impl Owner {
    /// This process.
    pub(super) fn this() -> Self {
        Self { process: std::process::id(), host: host_name() }
    }

    /// Parses the output of [`Owner::to_string`]. A number alone, as older versions wrote it, is a process of this
    /// host.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut words = text.split_whitespace();
        let process = words.next()?.parse().ok()?;
        let host = words.next().map_or_else(host_name, str::to_owned);
        Some(Self { process, host })
    }

    /// For messages: the host only if it is another one. Only letters, digits and the punctuation of host names reach
    /// the terminal, whatever the file contained.
    pub(super) fn relative_to(&self, other: &Self) -> String {
        if self.host == other.host {
            return format!("process {}", self.process);
        }
        let plain = |letter: &char| letter.is_alphanumeric() || "-._".contains(*letter);
        let host: String = self.host.chars().filter(plain).take(64).collect();
        format!("process {} on `{host}`", self.process)
    }

    /// True if the process may be alive on this host; true if the system does not report it.
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    pub(super) fn is_alive(&self) -> bool {
        use nix::errno::Errno;
        use nix::sys::signal::kill;
        use nix::unistd::Pid;
        let Ok(process) = i32::try_from(self.process) else { return false };
        // No signal is sent: only its existence is tested.
        process > 0 && kill(Pid::from_raw(process), None) != Err(Errno::ESRCH)
    }

    /// True if the process may be alive on this host; true if the system does not report it.
    #[cfg(not(any(target_os = "linux", target_os = "macos")))]
    pub(super) fn is_alive(&self) -> bool {
        true
    }
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.process, self.host)
    }
}

/// Peak memory of this process, if the system reports it [bytes].
pub fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(1024 * line.split_whitespace().next()?.parse::<u64>().ok()?)
}

/// The name of this machine.
#[cfg(any(target_os = "linux", target_os = "macos"))]
pub(crate) fn host_name() -> String {
    let name = nix::unistd::gethostname().unwrap_or_default();
    name.to_string_lossy().split_whitespace().collect()
}

/// The name of this machine.
#[cfg(not(any(target_os = "linux", target_os = "macos")))]
pub(crate) fn host_name() -> String {
    std::env::var("COMPUTERNAME").unwrap_or_default().split_whitespace().collect()
}

/// True if locks of the file system of a folder are visible on this host only.
pub(super) fn locks_are_local(folder: &Path) -> bool {
    let mounts = std::fs::read_to_string("/proc/self/mounts").unwrap_or_default();
    folder.canonicalize().is_ok_and(|folder| is_local(&mounts, &folder))
}

/// The same from the list of mounts: the last one among those with the longest path applies.
fn is_local(mounts: &str, folder: &Path) -> bool {
    let mut found = (0, false);
    for line in mounts.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let [_, mount_point, _, options, ..] = words.as_slice() else { continue };
        let mount_point = PathBuf::from(mount_point.replace("\\040", " "));
        let length = mount_point.components().count();
        if folder.starts_with(&mount_point) && length >= found.0 {
            let local = options.split(',').any(|option| LOCAL.contains(&option));
            found = (length, local);
        }
    }
    found.1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_lock_holds_reads_back_and_messages_hold_no_control_characters() {
        let owner = Owner { process: 12, host: "node-7.cluster".to_owned() };
        assert_eq!(Owner::parse(&owner.to_string()), Some(owner.clone()));
        assert_eq!(Owner::parse("12").map(|owner| owner.host), Some(host_name()));
        assert_eq!(Owner::parse("no number"), None);
        assert!(Owner::this().is_alive());
        let hostile = Owner { process: 1, host: "a\u{1b}[2Jb".to_owned() };
        assert_eq!(hostile.relative_to(&owner), "process 1 on `a2Jb`");
    }

    #[test]
    fn locks_are_local_where_the_innermost_mount_says_so() {
        let mounts = "/dev/sda1 / ext4 rw,relatime 0 0\n\
            server:/home /home nfs4 rw,local_lock=none 0 0\n\
            server:/scratch /scratch nfs rw,nolock,local_lock=flock 0 0\n\
            fast@tcp:/a /scratch/my\\040runs lustre rw,flock 0 0\n\
            fast@tcp:/b /work lustre rw,localflock 0 0\n";
        for (folder, local) in [
            ("/home/a/run", false),
            ("/scratch/a/run", true),
            ("/scratch/my runs/run", false),
            ("/scratchy", false),
            ("/work", true),
            ("/local/run", false),
        ] {
            assert_eq!(is_local(mounts, Path::new(folder)), local, "{folder}");
        }
    }
}
