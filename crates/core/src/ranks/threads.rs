//! Ranks as threads of one process, for tests and for `esker run --ranks`.
//!
//! A rank that waits sleeps. If a rank panics or aborts, all others end at their next communication. If
//! every rank waits for another one, the deadlock is found at once and reported with what each rank
//! waits for; no time limit is needed.

use super::state::{Operation, State, Waiting};
use super::{Comm, Link};
use std::any::Any;
use std::fmt::{self, Debug};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

/// Why ranks ended early; also the payload with which the others unwind.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("rank {rank}: {reason}")]
pub struct RankFailure {
    /// The first rank that failed.
    pub rank: usize,
    /// Its panic message or the reason that it gave.
    pub reason: String,
}

/// One of several ranks that are threads of this process.
pub struct ThreadRanks {
    rank: usize,
    shared: Arc<Shared>,
}

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

impl Debug for ThreadRanks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ThreadRanks").field("rank", &self.rank).finish_non_exhaustive()
    }
}

/// Runs `work` on `size` ranks, which are threads, and returns the result of each. Rank 0 is the calling
/// thread. If a rank panics, all end.
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
        // a thread that could not run its rank
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

/// Threads of this process that are all ranks but the first.
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
    /// The first rank has ended: so do the others.
    fn drop(&mut self) {
        self.shared.end(0);
        for thread in self.threads.drain(..) {
            // a panic of a rank is in the shared state
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
        Arc::new(Self { state: Mutex::new(State::new(size)), changed: Condvar::new() })
    }

    /// The work of a rank. A panic is a failure of all.
    fn run<R>(self: &Arc<Self>, rank: usize, work: impl Fn(Arc<dyn Comm>) -> R) -> Option<R> {
        let comm = Arc::new(ThreadRanks { rank, shared: Arc::clone(self) });
        let result = catch_unwind(AssertUnwindSafe(|| work(comm)));
        if let Err(payload) = &result
            && !payload.is::<RankFailure>()
        {
            self.lock().fail(rank, reason_of(&**payload));
        }
        self.end(rank);
        result.ok()
    }

    /// Notes that a rank has ended.
    fn end(&self, rank: usize) {
        let mut state = self.lock();
        state.waiting[rank].0 = Waiting::Ended;
        state.version += 1;
        drop(state);
        self.changed.notify_all();
    }

    /// The first failure of a rank.
    fn failure(&self) -> Option<RankFailure> {
        self.lock().failure.clone()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // no code that can panic runs while the state is locked half-changed
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ThreadRanks {
    /// Ends this rank because of `failure`, which all ranks see.
    fn fail(&self, mut state: MutexGuard<'_, State>, reason: String) -> ! {
        state.fail(self.rank, reason);
        self.unwind(state)
    }

    /// Ends this rank after a failure.
    fn unwind(&self, state: MutexGuard<'_, State>) -> ! {
        let failure = state.failure.clone();
        drop(state);
        self.shared.changed.notify_all();
        resume_unwind(Box::new(failure.unwrap_or_else(|| RankFailure {
            rank: self.rank,
            reason: "ended without a reason".into(),
        })))
    }

    /// Waits until `is_ready`.
    fn wait<'a>(
        &self,
        mut state: MutexGuard<'a, State>,
        waiting: Waiting,
        is_ready: impl Fn(&State) -> bool,
    ) -> MutexGuard<'a, State> {
        loop {
            if state.failure.is_some() {
                self.unwind(state);
            }
            if is_ready(&state) {
                state.waiting[self.rank].0 = Waiting::No;
                return state;
            }
            state.waiting[self.rank] = (waiting, state.version);
            if state.is_deadlock() {
                let all = state.describe();
                self.fail(state, format!("every rank waits for another one: {all}"));
            }
            state = self.shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Joins a collective operation with the contribution of this rank and waits for all others. The
    /// result is in the state until this rank leaves.
    fn join(
        &self,
        operation: Operation,
        contribute: impl FnOnce(&mut State),
    ) -> MutexGuard<'_, State> {
        let waiting = Waiting::Collective(operation);
        let mut state = self.wait(self.shared.lock(), waiting, |state| state.meeting.left == 0);
        let present = *state.meeting.operation.get_or_insert(operation);
        if present != operation {
            let reason = format!("rank {} calls {operation}, others {present}", self.rank);
            self.fail(state, reason);
        }
        contribute(&mut state);
        state.meeting.joined += 1;
        if state.meeting.joined == state.size {
            state.version += 1;
            self.shared.changed.notify_all();
        }
        self.wait(state, waiting, |state| state.meeting.joined == state.size)
    }

    /// Leaves a collective operation. The last rank ends it.
    fn leave(&self, mut state: MutexGuard<'_, State>) {
        state.meeting.left += 1;
        if state.meeting.left == state.size {
            state.meeting.end();
            state.version += 1;
            self.shared.changed.notify_all();
        }
    }

    /// Takes the messages for this rank, in order of sender.
    fn take(&self, state: &mut State) -> Vec<(usize, Vec<u8>)> {
        let all = &mut state.meeting.messages;
        let own = all.extract_if(.., |(_, to, _)| *to == self.rank);
        let mut own: Vec<_> = own.map(|(from, _, bytes)| (from, bytes)).collect();
        own.sort_by_key(|(from, _)| *from);
        own
    }
}

/// Combines numbers with those of other ranks; the first rank brings its own.
fn combine<T: Copy>(all: &mut Vec<T>, own: &[T], with: impl Fn(T, T) -> T) {
    if all.is_empty() {
        all.extend_from_slice(own);
    } else {
        all.iter_mut().zip(own).for_each(|(all, &own)| *all = with(*all, own));
    }
}

impl Comm for ThreadRanks {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.shared.lock().size
    }

    fn max(&self, numbers: &mut [u64]) {
        let contribute = |state: &mut State| combine(&mut state.meeting.maxima, numbers, u64::max);
        let state = self.join(Operation::Max(numbers.len()), contribute);
        numbers.copy_from_slice(&state.meeting.maxima);
        self.leave(state);
    }

    fn sum(&self, numbers: &mut [i64]) {
        let contribute =
            |state: &mut State| combine(&mut state.meeting.sums, numbers, |a, b| a + b);
        let state = self.join(Operation::Sum(numbers.len()), contribute);
        numbers.copy_from_slice(&state.meeting.sums);
        self.leave(state);
    }

    fn broadcast(&self, bytes: &mut Vec<u8>) {
        let own = (self.rank == 0).then(|| std::mem::take(bytes));
        let contribute =
            |state: &mut State| state.meeting.messages.extend(own.map(|bytes| (0, 0, bytes)));
        let state = self.join(Operation::Broadcast, contribute);
        bytes.clone_from(&state.meeting.messages[0].2);
        self.leave(state);
    }

    fn gather(&self, bytes: &[u8]) -> Vec<Vec<u8>> {
        let own = (self.rank, 0, bytes.to_vec());
        let mut state = self.join(Operation::Gather, |state| state.meeting.messages.push(own));
        let all = self.take(&mut state);
        self.leave(state);
        all.into_iter().map(|(_, bytes)| bytes).collect()
    }

    fn exchange(&self, messages: Vec<(usize, Vec<u8>)>) -> Vec<(usize, Vec<u8>)> {
        let own = messages.into_iter().map(|(to, bytes)| (self.rank, to, bytes));
        let mut state = self.join(Operation::Exchange, |state| state.meeting.messages.extend(own));
        let received = self.take(&mut state);
        self.leave(state);
        received
    }

    fn start(&self, links: &mut [Link]) {
        for link in links {
            let channel = self.rank * self.size() + link.rank;
            let is_free = |state: &State| !state.channels[channel].is_full;
            let mut state = self.wait(self.shared.lock(), Waiting::Send(link.rank), is_free);
            let target = &mut state.channels[channel];
            target.numbers.clear();
            target.numbers.extend_from_slice(&link.send);
            target.is_full = true;
            state.version += 1;
            self.shared.changed.notify_all();
        }
    }

    fn finish(&self, links: &mut [Link]) {
        for link in links {
            let channel = link.rank * self.size() + self.rank;
            let is_full = |state: &State| state.channels[channel].is_full;
            let mut state = self.wait(self.shared.lock(), Waiting::Receive(link.rank), is_full);
            let (sent, expected) = (state.channels[channel].numbers.len(), link.receive.len());
            if sent != expected {
                let from = link.rank;
                self.fail(state, format!("rank {from} sent {sent} numbers instead of {expected}"));
            }
            link.receive.copy_from_slice(&state.channels[channel].numbers);
            state.channels[channel].is_full = false;
            state.version += 1;
            self.shared.changed.notify_all();
        }
    }

    fn abort(&self, reason: &str) -> ! {
        self.fail(self.shared.lock(), reason.to_owned())
    }
}
