//! Messages between ranks of one process that need no common lock: maxima of few numbers, bytes of the first
//! rank, and the numbers of linked ranks. A rank that waits tries again for some microseconds before it
//! sleeps.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Largest count of numbers whose maximum is computed without a lock.
pub(super) const FEW: usize = 16;

/// A buffer for the numbers that one rank sends to another.
#[derive(Debug, Default)]
pub(super) struct Channel {
    pub numbers: Mutex<Vec<f64>>,
    pub is_full: AtomicBool,
}

/// The contribution of one rank to maxima. There are two buffers: a rank writes to one of them again only after all
/// ranks have contributed to the operation in between, and have therefore read this one.
#[derive(Debug, Default)]
pub(super) struct Contribution {
    /// Number of operations to which this rank has contributed.
    pub round: AtomicU64,
    numbers: [[AtomicU64; FEW]; 2],
    counts: [AtomicUsize; 2],
}

impl Contribution {
    /// Writes the numbers of the next operation and returns its number.
    pub(super) fn write(&self, numbers: &[u64]) -> u64 {
        let round = self.round.load(Ordering::Relaxed) + 1;
        let parity = (round % 2) as usize;
        for (target, number) in self.numbers[parity].iter().zip(numbers) {
            target.store(*number, Ordering::Relaxed);
        }
        self.counts[parity].store(numbers.len(), Ordering::Relaxed);
        self.round.store(round, Ordering::Release);
        round
    }

    /// Count of the numbers of an operation.
    pub(super) fn count(&self, round: u64) -> usize {
        self.counts[(round % 2) as usize].load(Ordering::Relaxed)
    }

    /// True if this rank has contributed to an operation.
    pub(super) fn has(&self, round: u64) -> bool {
        self.round.load(Ordering::Acquire) >= round
    }

    /// Replaces each number by that of an operation if that is larger.
    pub(super) fn raise(&self, round: u64, numbers: &mut [u64]) {
        let own = &self.numbers[(round % 2) as usize];
        for (number, own) in numbers.iter_mut().zip(own) {
            *number = (*number).max(own.load(Ordering::Relaxed));
        }
    }
}

/// Messages of the first rank that another rank has not yet received.
#[derive(Debug, Default)]
pub(super) struct Letters {
    letters: Mutex<VecDeque<Vec<u8>>>,
    count: AtomicUsize,
}

impl Letters {
    pub(super) fn push(&self, bytes: Vec<u8>) {
        lock(&self.letters).push_back(bytes);
        self.count.fetch_add(1, Ordering::Release);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.count.load(Ordering::Acquire) == 0
    }

    pub(super) fn take(&self) -> Option<Vec<u8>> {
        let taken = lock(&self.letters).pop_front()?;
        self.count.fetch_sub(1, Ordering::Release);
        Some(taken)
    }
}

/// Locks; no code that can panic runs while a buffer is half-changed.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
