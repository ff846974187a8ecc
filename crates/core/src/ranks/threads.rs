//! Ranks as threads of one process, for tests and for `esker run --ranks`.
//!
//! A waiting rank sleeps. If a rank panics or aborts, all others end at their next communication. If every rank waits
//! for another one, the deadlock is detected immediately and reported with the wait of each rank; no time limit is
//! needed.

use super::Comm;
use super::mailbox::{Channel, Contribution, Letters, lock};
use super::state::{State, Waiting};
use std::any::Any;
use std::fmt::{self, Debug};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering, fence};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::JoinHandle;

/// Reason why ranks ended early; also the payload with which the other ranks unwind.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("rank {rank}: {reason}")]
pub struct RankFailure {
    /// The first rank that failed.
    pub rank: usize,
    /// Its panic message or the reason of its abort.
    pub reason: String,
}

/// One of several ranks that are threads of this process.
pub struct ThreadRanks {
    pub(super) rank: usize,
    pub(super) shared: Arc<Shared>,
}

pub(super) struct Shared {
    pub(super) size: usize,
    pub(super) state: Mutex<State>,
    pub(super) changed: Condvar,
    /// Number of ranks that sleep until `changed`.
    pub(super) sleeping: AtomicUsize,
    /// The version of the state, see there.
    pub(super) version: Arc<AtomicU64>,
    /// How often a rank that waits tries again before it sleeps: never if ranks share cores.
    pub(super) attempts: u32,
    pub(super) has_failed: AtomicBool,
    /// By sender · size + receiver.
    pub(super) channels: Vec<Channel>,
    /// By rank.
    pub(super) contributions: Vec<Contribution>,
    pub(super) letters: Vec<Letters>,
}

/// Attempts of a rank that waits while it keeps its core, some 20 µs, and those after which it sleeps, if every rank has
/// a core. Measured with 10 000 particles on two ranks: sleeping after 20 µs costs 4 % of the processor time.
pub(super) const SPINS: u32 = 400;
const ATTEMPTS: u32 = SPINS + 1000;

impl Debug for ThreadRanks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ThreadRanks").field("rank", &self.rank).finish_non_exhaustive()
    }
}

/// Runs `work` on `size` ranks, which are threads, and returns the result of each. Rank 0 is the calling thread. If a
/// rank panics, all end.
pub fn run_on_ranks<R: Send>(
    size: usize,
    work: impl Fn(Arc<dyn Comm>) -> R + Sync,
) -> Result<Vec<R>, RankFailure> {
    assert!(size > 0, "at least one rank");
    let shared = Shared::new(size);
    let run = |rank: usize| shared.run(rank, &work);
    let results = std::thread::scope(|scope| {
        let others: Vec<_> = (1..size).map(|rank| scope.spawn(move || run(rank))).collect();
        let mut results = vec![run(0)];
        results.extend(others.into_iter().map(|thread| thread.join().unwrap_or_default()));
        results
    });
    match (shared.failure(), results.into_iter().collect()) {
        (None, Some(results)) => Ok(results),
        (Some(failure), _) => Err(failure),
        // the thread could not run its rank
        (None, None) => {
            Err(RankFailure { rank: 0, reason: "a rank ended without a result".into() })
        }
    }
}

/// The message of a panic.
fn reason_of(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("panic").to_owned()
}

/// Threads of this process for all ranks but the first.
#[derive(Debug)]
pub struct RankThreads {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<Option<()>>>,
}

/// Runs `work` on all ranks but the first, each in a thread of its own, and returns the communication of
/// the first rank. If any of them panics, the first rank unwinds at its next communication, with a
/// [`RankFailure`].
pub fn spawn_ranks(
    size: usize,
    work: impl Fn(Arc<dyn Comm>) + Send + Sync + 'static,
) -> (Arc<dyn Comm>, RankThreads) {
    let (shared, work) = (Shared::new(size), Arc::new(work));
    let spawn = |rank: usize| {
        let (shared, work) = (Arc::clone(&shared), Arc::clone(&work));
        std::thread::spawn(move || shared.run(rank, &*work))
    };
    let threads = (1..size).map(spawn).collect();
    let first = Arc::new(ThreadRanks { rank: 0, shared: Arc::clone(&shared) });
    (first, RankThreads { shared, threads })
}

impl Drop for RankThreads {
    /// Ends the other ranks after the first one has ended.
    fn drop(&mut self) {
        self.shared.end(0);
        for thread in self.threads.drain(..) {
            // a panic of a rank is stored in the shared state
            let _ = thread.join();
        }
    }
}

impl Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared").finish_non_exhaustive()
    }
}

impl Shared {
    fn new(size: usize) -> Arc<Self> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let state = State::new(size);
        let version = Arc::clone(&state.version);
        Arc::new(Self {
            size,
            state: Mutex::new(state),
            changed: Condvar::new(),
            sleeping: AtomicUsize::new(0),
            version,
            attempts: if size <= cores { ATTEMPTS } else { 0 },
            has_failed: AtomicBool::new(false),
            channels: (0..size * size).map(|_| Channel::default()).collect(),
            contributions: (0..size).map(|_| Contribution::default()).collect(),
            letters: (0..size).map(|_| Letters::default()).collect(),
        })
    }

    /// Wakes sleeping ranks after a change outside the lock.
    pub(super) fn wake(&self) {
        // either a rank that is about to sleep sees the change, or this rank sees that it sleeps
        fence(Ordering::SeqCst);
        if self.sleeping.load(Ordering::SeqCst) > 0 {
            self.lock().change();
            self.changed.notify_all();
        }
    }

    /// The work of a rank. A panic becomes a failure of all ranks.
    fn run<R>(self: &Arc<Self>, rank: usize, work: impl Fn(Arc<dyn Comm>) -> R) -> Option<R> {
        let comm = Arc::new(ThreadRanks { rank, shared: Arc::clone(self) });
        let result = catch_unwind(AssertUnwindSafe(|| work(comm)));
        if let Err(payload) = &result
            && !payload.is::<RankFailure>()
        {
            self.lock().fail(rank, reason_of(&**payload));
            self.has_failed.store(true, Ordering::SeqCst);
        }
        self.end(rank);
        result.ok()
    }

    /// Records that a rank has ended.
    fn end(&self, rank: usize) {
        let mut state = self.lock();
        state.waiting[rank].0 = Waiting::Ended;
        state.change();
        drop(state);
        self.changed.notify_all();
    }

    /// The first failure of a rank.
    fn failure(&self) -> Option<RankFailure> {
        self.lock().failure.clone()
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }
}
