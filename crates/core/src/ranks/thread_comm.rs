//! Communication between ranks that are threads of one process.

use super::mailbox::{FEW, lock};
use super::state::{Operation, State, Waiting};
use super::threads::SPINS;
use super::{Comm, Link, RankFailure, ThreadRanks};
use std::panic::resume_unwind;
use std::sync::atomic::{Ordering, fence};
use std::sync::{MutexGuard, PoisonError};

impl ThreadRanks {
    /// Ends this rank because of `failure`, which is reported to all ranks.
    fn fail(&self, mut state: MutexGuard<'_, State>, reason: String) -> ! {
        state.fail(self.rank, reason);
        self.shared.has_failed.store(true, Ordering::SeqCst);
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

    /// Waits until `is_ready` is true: first without sleeping, since a rank that sleeps continues some microseconds
    /// late.
    fn wait<'a>(
        &'a self,
        mut state: MutexGuard<'a, State>,
        waiting: Waiting,
        is_ready: impl Fn(&State) -> bool,
    ) -> MutexGuard<'a, State> {
        let mut attempts = 0..self.shared.attempts;
        while !is_ready(&state) && state.failure.is_none() && !attempts.is_empty() {
            let seen = state.version();
            drop(state);
            let changed = |&attempt: &u32| {
                pause(attempt);
                self.shared.version.load(Ordering::Acquire) != seen
            };
            attempts.by_ref().find(changed);
            state = self.shared.lock();
        }
        self.sleep(state, waiting, is_ready)
    }

    /// Sleeps until `is_ready` is true.
    fn sleep<'a>(
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
            state.waiting[self.rank] = (waiting, state.version());
            if state.is_deadlock() {
                let all = state.describe();
                self.fail(state, format!("every rank waits for another one: {all}"));
            }
            state = self.shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Waits until `is_ready`, which does not depend on the locked state.
    fn wait_for(&self, waiting: Waiting, is_ready: impl Fn() -> bool) {
        for attempt in 0..self.shared.attempts {
            if self.shared.has_failed.load(Ordering::Relaxed) {
                break;
            }
            if is_ready() {
                return;
            }
            pause(attempt);
        }
        let state = self.shared.lock();
        self.shared.sleeping.fetch_add(1, Ordering::SeqCst);
        fence(Ordering::SeqCst);
        drop(self.sleep(state, waiting, |_| is_ready()));
        self.shared.sleeping.fetch_sub(1, Ordering::SeqCst);
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
            state.change();
            self.shared.changed.notify_all();
        }
        self.wait(state, waiting, |state| state.meeting.joined == state.size)
    }

    /// Leaves a collective operation. The last rank ends it.
    fn leave(&self, mut state: MutexGuard<'_, State>) {
        state.meeting.left += 1;
        if state.meeting.left == state.size {
            state.meeting.end();
            state.change();
            self.shared.changed.notify_all();
        }
    }

    /// Removes and returns the messages for this rank, in order of sender.
    fn take(&self, state: &mut State) -> Vec<(usize, Vec<u8>)> {
        let all = &mut state.meeting.messages;
        let own = all.extract_if(.., |(_, to, _)| *to == self.rank);
        let mut own: Vec<_> = own.map(|(from, _, bytes)| (from, bytes)).collect();
        own.sort_by_key(|(from, _)| *from);
        own
    }
}

impl ThreadRanks {
    /// The maximum or the sum of few numbers, without a lock.
    fn reduce_few(&self, operation: Operation, numbers: &mut [u64]) {
        let shared = &*self.shared;
        let round = shared.contributions[self.rank].write(operation, numbers);
        shared.wake();
        for (rank, other) in shared.contributions.iter().enumerate() {
            self.wait_for(Waiting::Collective(operation), || other.has(round));
            let others = other.operation(round);
            if others != operation {
                let reason = format!("rank {} calls {operation}, rank {rank} {others}", self.rank);
                self.fail(shared.lock(), reason);
            }
            if rank != self.rank {
                other.combine(round, numbers);
            }
        }
    }
}

/// A pause between two tests of a condition: at first the thread keeps its processor, then it lets others run.
fn pause(attempt: u32) {
    if attempt < SPINS { std::hint::spin_loop() } else { std::thread::yield_now() }
}

/// Combines the numbers with those of other ranks.
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
        self.shared.size
    }

    fn max(&self, numbers: &mut [u64]) {
        if numbers.len() <= FEW {
            return self.reduce_few(Operation::Max(numbers.len()), numbers);
        }
        let contribute = |state: &mut State| combine(&mut state.meeting.maxima, numbers, u64::max);
        let state = self.join(Operation::Max(numbers.len()), contribute);
        numbers.copy_from_slice(&state.meeting.maxima);
        self.leave(state);
    }

    fn sum(&self, numbers: &mut [i64]) {
        if numbers.len() <= FEW {
            let words = bytemuck::cast_slice_mut(numbers);
            return self.reduce_few(Operation::Sum(words.len()), words);
        }
        let contribute =
            |state: &mut State| combine(&mut state.meeting.sums, numbers, |a, b| a + b);
        let state = self.join(Operation::Sum(numbers.len()), contribute);
        numbers.copy_from_slice(&state.meeting.sums);
        self.leave(state);
    }

    fn broadcast(&self, bytes: &mut Vec<u8>) {
        if self.rank == 0 {
            self.shared.letters[1..].iter().for_each(|letters| letters.push(bytes.clone()));
            return self.shared.wake();
        }
        let letters = &self.shared.letters[self.rank];
        let waiting = Waiting::Collective(Operation::Broadcast);
        self.wait_for(waiting, || !letters.is_empty());
        *bytes = letters.take().unwrap_or_default();
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
            let channel = &self.shared.channels[self.rank * self.size() + link.rank];
            let is_free = || !channel.is_full.load(Ordering::Acquire);
            self.wait_for(Waiting::Send(link.rank), is_free);
            // the buffers are exchanged
            std::mem::swap(&mut *lock(&channel.numbers), &mut link.send);
            channel.is_full.store(true, Ordering::Release);
            // before this rank waits: a sleeping rank must not count as one that cannot continue
            self.shared.wake();
        }
    }

    fn poll(&self, links: &mut [Link]) -> bool {
        let channel = |link: &Link| &self.shared.channels[link.rank * self.size() + self.rank];
        links.iter().all(|link| channel(link).is_full.load(Ordering::Acquire))
    }

    fn finish(&self, links: &mut [Link]) {
        for link in links {
            let channel = &self.shared.channels[link.rank * self.size() + self.rank];
            let is_full = || channel.is_full.load(Ordering::Acquire);
            self.wait_for(Waiting::Receive(link.rank), is_full);
            let (sent, expected) = (lock(&channel.numbers).len(), link.receive.len());
            if sent != expected {
                let (from, state) = (link.rank, self.shared.lock());
                self.fail(state, format!("rank {from} sent {sent} numbers instead of {expected}"));
            }
            std::mem::swap(&mut *lock(&channel.numbers), &mut link.receive);
            channel.is_full.store(false, Ordering::Release);
            self.shared.wake();
        }
    }

    fn abort(&self, reason: &str) -> ! {
        self.fail(self.shared.lock(), reason.to_owned())
    }
}
