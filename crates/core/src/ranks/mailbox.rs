//! Messages between ranks of one process that need no common lock: maxima and sums of few numbers, bytes of the first
//! rank, and the numbers of linked ranks. A rank that waits tries again for some microseconds before it
//! sleeps.

use super::state::Operation;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Largest count of numbers that are reduced without a lock.
pub(super) const FEW: usize = 16;

/// A buffer for the numbers that one rank sends to another.
#[derive(Debug, Default)]
pub(super) struct Channel {
    pub numbers: Mutex<Vec<f64>>,
    pub is_full: AtomicBool,
}

/// The contribution of one rank to maxima and sums. There are two buffers: a rank writes to one of them again only after all
/// ranks have contributed to the operation in between, and have therefore read this one.
#[derive(Debug, Default)]
pub(super) struct Contribution {
    /// Number of operations to which this rank has contributed.
    pub round: AtomicU64,
    numbers: [[AtomicU64; FEW]; 2],
    counts: [AtomicUsize; 2],
    are_sums: [AtomicBool; 2],
}

impl Contribution {
    /// Writes the numbers of the next operation and returns its number.
    pub(super) fn write(&self, operation: Operation, numbers: &[u64]) -> u64 {
        let round = self.round.load(Ordering::Relaxed) + 1;
        let parity = (round % 2) as usize;
        for (target, number) in self.numbers[parity].iter().zip(numbers) {
            target.store(*number, Ordering::Relaxed);
        }
        self.counts[parity].store(numbers.len(), Ordering::Relaxed);
        let is_sum = matches!(operation, Operation::Sum(_));
        self.are_sums[parity].store(is_sum, Ordering::Relaxed);
        self.round.store(round, Ordering::Release);
        round
    }

    /// An operation to which this rank has contributed.
    pub(super) fn operation(&self, round: u64) -> Operation {
        let parity = (round % 2) as usize;
        let count = self.counts[parity].load(Ordering::Relaxed);
        match self.are_sums[parity].load(Ordering::Relaxed) {
            true => Operation::Sum(count),
            false => Operation::Max(count),
        }
    }

    /// True if this rank has contributed to an operation.
    pub(super) fn has(&self, round: u64) -> bool {
        self.round.load(Ordering::Acquire) >= round
    }

    /// Combines the numbers with those of an operation. The bits of a sum of signed numbers are those of the unsigned
    /// sum.
    pub(super) fn combine(&self, round: u64, numbers: &mut [u64]) {
        let is_sum = matches!(self.operation(round), Operation::Sum(_));
        let own = &self.numbers[(round % 2) as usize];
        for (number, own) in numbers.iter_mut().zip(own) {
            let own = own.load(Ordering::Relaxed);
            *number = if is_sum { number.wrapping_add(own) } else { (*number).max(own) };
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
