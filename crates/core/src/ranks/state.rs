//! State that ranks of one process share under a lock: the collective operation in progress and the wait of each rank.

use super::RankFailure;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A collective operation. All ranks must take part in the same one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operation {
    Max(usize),
    Sum(usize),
    Broadcast,
    Gather,
    Exchange,
}

impl std::fmt::Display for Operation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Max(count) => write!(f, "max of {count} numbers"),
            Self::Sum(count) => write!(f, "sum of {count} numbers"),
            Self::Broadcast => write!(f, "broadcast"),
            Self::Gather => write!(f, "gather"),
            Self::Exchange => write!(f, "exchange"),
        }
    }
}

/// Wait of a rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Waiting {
    /// None: it computes.
    No,
    /// For all ranks to join this operation, or to leave the last one.
    Collective(Operation),
    /// For numbers from another rank.
    Receive(usize),
    /// For another rank to receive the numbers of the last exchange.
    Send(usize),
    /// It has ended.
    Ended,
}

impl std::fmt::Display for Waiting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::No => write!(f, "computes"),
            Self::Collective(operation) => write!(f, "waits in a {operation}"),
            Self::Receive(rank) => write!(f, "waits for the halo of rank {rank}"),
            Self::Send(rank) => write!(f, "waits until rank {rank} has taken its halo"),
            Self::Ended => write!(f, "has ended"),
        }
    }
}

/// The collective operation in progress. Ranks join it; after the last one has joined, all leave it with the result,
/// and the next operation can begin.
#[derive(Debug, Default)]
pub(super) struct Meeting {
    pub operation: Option<Operation>,
    pub joined: usize,
    pub left: usize,
    pub maxima: Vec<u64>,
    pub sums: Vec<i64>,
    /// Sender, receiver and bytes.
    pub messages: Vec<(usize, usize, Vec<u8>)>,
}

impl Meeting {
    pub(super) fn end(&mut self) {
        (self.operation, self.joined, self.left) = (None, 0, 0);
        self.maxima.clear();
        self.sums.clear();
        self.messages.clear();
    }
}

/// State shared by ranks of one process.
#[derive(Debug)]
pub(super) struct State {
    pub size: usize,
    pub meeting: Meeting,
    /// Changes, while the state is locked, whenever a condition for which a rank waits may have become true. Ranks
    /// that are about to sleep read it without the lock.
    pub version: Arc<AtomicU64>,
    /// Wait of each rank, and the version in which its condition was last found false.
    pub waiting: Vec<(Waiting, u64)>,
    /// The first failure.
    pub failure: Option<RankFailure>,
}

impl State {
    pub(super) fn new(size: usize) -> Self {
        Self {
            size,
            meeting: Meeting::default(),
            version: Arc::default(),
            waiting: vec![(Waiting::No, 0); size],
            failure: None,
        }
    }

    pub(super) fn fail(&mut self, rank: usize, reason: String) {
        self.failure.get_or_insert(RankFailure { rank, reason });
        self.change();
    }

    /// The present version.
    pub(super) fn version(&self) -> u64 {
        self.version.load(Ordering::Relaxed)
    }

    /// Records that a condition may have become true.
    pub(super) fn change(&self) {
        self.version.fetch_add(1, Ordering::Release);
    }

    /// True if every rank waits or has ended, and no condition can have become true since.
    pub(super) fn is_deadlock(&self) -> bool {
        self.waiting.iter().all(|&(waiting, version)| match waiting {
            Waiting::No => false,
            Waiting::Ended => true,
            _ => version == self.version(),
        })
    }

    /// The state of each rank, for a message.
    pub(super) fn describe(&self) -> String {
        let ranks = self.waiting.iter().enumerate();
        ranks
            .map(|(rank, (waiting, _))| format!("rank {rank} {waiting}"))
            .collect::<Vec<_>>()
            .join("; ")
    }
}
