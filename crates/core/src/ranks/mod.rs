//! Ranks: one run over several processes. `Comm` is the interface to the messages between them,
//! `SingleRank` its implementation for one rank, and `run_on_ranks` runs ranks as threads of one process.

mod bisection;
mod collective;
mod mailbox;
mod single;
mod state;
mod thread_comm;
mod threads;

pub(crate) use bisection::{Bisection, Point};
pub(crate) use collective::{gather_everywhere, sum_exactly};
pub use single::SingleRank;
pub use threads::{RankFailure, RankThreads, ThreadRanks, run_on_ranks, spawn_ranks};

use std::fmt::Debug;

/// Communication between ranks.
///
/// All methods but `rank`, `size` and `abort` are collective: every rank calls the same ones in the same
/// order. (`start`, `poll` and `finish` involve only the ranks that are linked, but every link has two ends.)
/// Only one thread of a rank calls them.
pub trait Comm: Debug + Send + Sync {
    /// Number of this rank, from zero.
    fn rank(&self) -> usize;

    /// Number of ranks.
    fn size(&self) -> usize;

    /// Replaces each number by its maximum over all ranks. All ranks pass equally many numbers.
    fn max(&self, numbers: &mut [u64]);

    /// Replaces each number by its sum over all ranks. All ranks pass equally many numbers.
    fn sum(&self, numbers: &mut [i64]);

    /// Replaces `bytes` by those of rank 0.
    fn broadcast(&self, bytes: &mut Vec<u8>);

    /// The bytes of each rank, in order of rank, on rank 0; nothing on the other ranks.
    fn gather(&self, bytes: &[u8]) -> Vec<Vec<u8>>;

    /// Sends each message to its rank. Returns the messages for this rank with their senders, in order
    /// of sender. A rank sends at most one message to another, and none to itself.
    fn exchange(&self, messages: Vec<(usize, Vec<u8>)>) -> Vec<(usize, Vec<u8>)>;

    /// Starts to send `link.send` to the rank of each link, and to receive as many numbers as `link.receive` has,
    /// which is the length of the `send` at the other end. Until `finish` the communicator owns the buffers of the
    /// links, so that the caller can neither read nor change them.
    fn start(&self, links: &mut [Link]);

    /// True if all numbers have arrived, so that `finish` does not wait. It also lets messages progress that need
    /// the processor.
    fn poll(&self, links: &mut [Link]) -> bool;

    /// Waits until `link.receive` of each link holds the numbers that its rank has sent. The content of `link.send` is
    /// unspecified afterwards.
    fn finish(&self, links: &mut [Link]);

    /// Ends all ranks with a reason.
    fn abort(&self, reason: &str) -> !;
}

/// A connection to another rank, with buffers that are reused in every exchange.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Link {
    /// The other rank.
    pub rank: usize,
    /// Numbers to be sent.
    pub send: Vec<f64>,
    /// Numbers received.
    pub receive: Vec<f64>,
}
