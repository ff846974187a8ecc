//! The current wait of this process, and the watchdog: a thread that ends the job if the process waits too long.
//!
//! Otherwise, a broken connection or a hanging process would stop all others indefinitely, or for the timeouts of TCP,
//! while they occupy processors.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Kind of a wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wait {
    /// No wait: the process computes or writes files.
    Nothing,
    /// For all processes, in a maximum.
    Max,
    /// For all processes, in a sum.
    Sum,
    /// For the first process, in a broadcast. It may write files meanwhile, so that this wait can be long.
    Broadcast,
    /// For data of a process, in a gather.
    Gather(usize),
    /// For the lengths of messages of all processes.
    Lengths,
    /// For a message of a process.
    Receive(usize),
    /// For a process to receive a message.
    Send(usize),
}

impl Wait {
    /// The kind and the rank as a number.
    fn to_bits(self) -> u64 {
        let (kind, rank) = match self {
            Self::Nothing => (0, 0),
            Self::Max => (1, 0),
            Self::Sum => (2, 0),
            Self::Broadcast => (3, 0),
            Self::Gather(rank) => (4, rank),
            Self::Lengths => (5, 0),
            Self::Receive(rank) => (6, rank),
            Self::Send(rank) => (7, rank),
        };
        kind << 24 | rank as u64 & 0xff_ffff
    }

    fn from_bits(bits: u64) -> Self {
        let rank = (bits & 0xff_ffff) as usize;
        match bits >> 24 & 0xff {
            1 => Self::Max,
            2 => Self::Sum,
            3 => Self::Broadcast,
            4 => Self::Gather(rank),
            5 => Self::Lengths,
            6 => Self::Receive(rank),
            7 => Self::Send(rank),
            _ => Self::Nothing,
        }
    }

    /// Allowed duration as a multiple of the limit. The first process writes frames, checkpoints and the report while
    /// the others wait for its next command.
    fn patience(self) -> u32 {
        if self == Self::Broadcast { 10 } else { 1 }
    }
}

impl fmt::Display for Wait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => write!(f, "nothing"),
            Self::Max => write!(f, "all ranks, in a maximum"),
            Self::Sum => write!(f, "all ranks, in a sum"),
            Self::Broadcast => write!(f, "rank 0, in a broadcast"),
            Self::Gather(rank) => write!(f, "rank {rank}, in a gather"),
            Self::Lengths => write!(f, "all ranks, in an exchange"),
            Self::Receive(rank) => write!(f, "a message of rank {rank}"),
            Self::Send(rank) => write!(f, "rank {rank}, to take a message"),
        }
    }
}

/// The current wait of the process. Written by the communicating thread, read by the watchdog.
#[derive(Debug, Clone, Default)]
pub struct Progress(Arc<AtomicU64>);

impl Progress {
    /// Records the beginning of a wait, which ends when the returned value is dropped.
    pub fn wait(&self, wait: Wait) -> Waiting<'_> {
        self.note(wait);
        Waiting(self)
    }

    /// Records another wait within the current one. The upper half is a counter, so that two waits of the same kind
    /// differ.
    pub fn note(&self, wait: Wait) {
        // only one thread writes
        let count = (self.0.load(Ordering::Relaxed) >> 32) + 1;
        self.0.store(count << 32 | wait.to_bits(), Ordering::Relaxed);
    }

    /// Starts the watchdog: `act` is called once, with the wait that has taken `limit` and its duration. Zero is no limit.
    pub fn watch(&self, limit: Duration, act: impl FnOnce(Wait, Duration) + Send + 'static) {
        if limit.is_zero() {
            return;
        }
        let progress = self.clone();
        let watchdog = std::thread::Builder::new().name("watchdog".to_owned());
        // Without a watchdog a run works as before, unless it hangs.
        let _ = watchdog.spawn(move || {
            let (wait, time) = progress.long_wait(limit);
            act(wait, time);
        });
    }

    /// Returns when one wait has taken too long. It counts polls instead of wall-clock time, since a suspended job has
    /// not waited.
    fn long_wait(&self, limit: Duration) -> (Wait, Duration) {
        const LOOKS: u32 = 20;
        let (mut last, mut looks) = (0, 0);
        loop {
            std::thread::sleep(limit / LOOKS);
            let now = self.0.load(Ordering::Relaxed);
            let wait = Wait::from_bits(now);
            looks = if now == last && wait != Wait::Nothing { looks + 1 } else { 0 };
            last = now;
            if looks >= LOOKS * wait.patience() {
                return (wait, limit * wait.patience());
            }
        }
    }
}

/// A wait; it ends when this is dropped.
#[derive(Debug)]
pub struct Waiting<'a>(&'a Progress);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.note(Wait::Nothing);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn every_wait_is_known_again() {
        let waits = [Wait::Nothing, Wait::Max, Wait::Sum, Wait::Broadcast, Wait::Lengths];
        let of_rank =
            [0, 3, 9999].map(|rank| [Wait::Gather(rank), Wait::Receive(rank), Wait::Send(rank)]);
        for wait in waits.into_iter().chain(of_rank.into_iter().flatten()) {
            assert_eq!(Wait::from_bits(wait.to_bits()), wait);
        }
    }

    #[test]
    fn many_short_waits_are_allowed_and_a_long_one_is_reported() {
        let progress = Progress::default();
        let (send, receive) = channel();
        progress.watch(Duration::from_millis(1500), move |wait, time| {
            let _ = send.send((wait, time));
        });
        for _ in 0..20 {
            let _wait = progress.wait(Wait::Max);
            std::thread::sleep(Duration::from_millis(100));
        }
        // computing may take any time
        std::thread::sleep(Duration::from_millis(2000));
        assert!(receive.try_recv().is_err());
        let _wait = progress.wait(Wait::Receive(2));
        let found = receive.recv_timeout(Duration::from_secs(60));
        assert_eq!(found, Ok((Wait::Receive(2), Duration::from_millis(1500))));
    }

    #[test]
    fn waiting_for_the_first_rank_may_take_longer() {
        let progress = Progress::default();
        let (send, receive) = channel();
        progress.watch(Duration::from_millis(40), move |_, time| {
            let _ = send.send(time);
        });
        let _wait = progress.wait(Wait::Broadcast);
        assert_eq!(receive.recv_timeout(Duration::from_secs(60)), Ok(Duration::from_millis(400)));
    }
}
