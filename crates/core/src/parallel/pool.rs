//! The thread pool.
//!
//! A step starts about four parallel tasks. With a general-purpose pool, waking the threads took a fifth of a step of
//! 10 000 particles on two cores. The workers of this pool therefore spin for a short time before they sleep. Starting
//! a task does not allocate.
//!
//! The division of work never changes a result: contacts are evaluated independently, and the sums of each particle are
//! in order of partner id.

use std::cell::UnsafeCell;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{JoinHandle, Thread};

/// Iterations of spinning before a waiting worker yields its time slice, and before it sleeps.
const SPINS_BEFORE_YIELD: u32 = 2_000;
const YIELDS_BEFORE_SLEEP: u32 = 2_000;

/// Largest number of threads: more would be started one by one until the system fails.
pub const MOST_THREADS: usize = 1024;

/// A fixed number of threads, the calling one included.
pub struct Pool {
    shared: Arc<Shared>,
    workers: Vec<(JoinHandle<()>, Thread)>,
}

impl std::fmt::Debug for Pool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Pool of {} threads", self.threads())
    }
}

/// A task for the workers; the lifetime is erased while it runs.
type Task = *const (dyn Fn(usize) + Sync);

struct Shared {
    /// Number of tasks so far; a change is the signal to start.
    generation: AtomicUsize,
    /// Workers that have not finished the current task.
    running: AtomicUsize,
    /// Workers that are asleep.
    asleep: AtomicUsize,
    stop: AtomicBool,
    panicked: AtomicBool,
    task: UnsafeCell<Option<Task>>,
}

// SAFETY: `task` is written only by the thread that owns the pool while no worker runs
// (`running == 0`), and read by workers only after they have seen the new generation, which is
// stored with release ordering after the write.
unsafe impl Sync for Shared {}
// SAFETY: the pointer in `task` is dereferenced only while the call of `run` that set it is
// waiting for the workers.
unsafe impl Send for Shared {}

impl Pool {
    /// A pool with this number of threads; 0 selects one per core.
    pub fn new(threads: usize) -> Self {
        let threads = match threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            given => given,
        };
        let shared = Arc::new(Shared {
            generation: AtomicUsize::new(0),
            running: AtomicUsize::new(0),
            asleep: AtomicUsize::new(0),
            stop: AtomicBool::new(false),
            panicked: AtomicBool::new(false),
            task: UnsafeCell::new(None),
        });
        let workers = (1..threads)
            .filter_map(|index| {
                let shared = Arc::clone(&shared);
                // if the system refuses a thread, the pool has fewer; the results are the same
                let name = format!("esker-{index}");
                let handle = std::thread::Builder::new()
                    .name(name)
                    .spawn(move || work(&shared, index))
                    .ok()?;
                let thread = handle.thread().clone();
                Some((handle, thread))
            })
            .collect();
        Self { shared, workers }
    }

    /// Number of threads, the calling one included.
    pub fn threads(&self) -> usize {
        self.workers.len() + 1
    }

    /// Calls `task(part)` for every part from 0 to `threads() - 1` in parallel, and returns when all are
    /// done.
    pub fn run(&mut self, task: impl Fn(usize) + Sync) {
        if self.workers.is_empty() {
            return task(0);
        }
        let shared = &*self.shared;
        let task_ref: &(dyn Fn(usize) + Sync) = &task;
        // SAFETY: only the lifetime is erased; this function does not return, nor unwind past
        // `wait`, before every worker is done with the reference.
        let erased: Task =
            unsafe { std::mem::transmute::<&(dyn Fn(usize) + Sync), Task>(task_ref) };
        // SAFETY: no worker reads `task` now: `running` is zero and the generation is unchanged.
        unsafe { *shared.task.get() = Some(erased) };
        shared.running.store(self.workers.len(), Ordering::Relaxed);
        shared.generation.fetch_add(1, Ordering::SeqCst);
        if shared.asleep.load(Ordering::SeqCst) > 0 {
            self.workers.iter().for_each(|(_, thread)| thread.unpark());
        }
        let own = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| task(0)));
        wait(|| shared.running.load(Ordering::Acquire) == 0);
        if let Err(panic) = own {
            std::panic::resume_unwind(panic);
        }
        assert!(!shared.panicked.load(Ordering::Relaxed), "a worker thread panicked");
    }

    /// Calls `task(part, range)` with the range `0..length` divided into one range for each thread.
    pub fn split(&mut self, length: usize, task: impl Fn(usize, Range<usize>) + Sync) {
        let parts = self.threads();
        self.run(|part| task(part, range_of_part(length, part, parts)));
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::SeqCst);
        self.shared.generation.fetch_add(1, Ordering::SeqCst);
        for (handle, thread) in self.workers.drain(..) {
            thread.unpark();
            // a worker's panic was reported by `run`
            let _ = handle.join();
        }
    }
}

/// The part of `0..length` of one of several threads.
pub fn range_of_part(length: usize, part: usize, parts: usize) -> Range<usize> {
    length * part / parts..length * (part + 1) / parts
}

/// Waits for another thread of the same task.
pub(crate) fn wait(done: impl Fn() -> bool) {
    let mut spins = 0;
    while !done() {
        spins += 1;
        if spins < SPINS_BEFORE_YIELD { std::hint::spin_loop() } else { std::thread::yield_now() }
    }
}

fn work(shared: &Shared, index: usize) {
    let mut seen = 0;
    loop {
        wait_for_task(shared, seen);
        seen = seen.wrapping_add(1);
        if shared.stop.load(Ordering::SeqCst) {
            return;
        }
        // SAFETY: the new generation was seen, so the task was written before and is not changed until `running`
        // reaches zero, which requires this worker.
        let task = unsafe { *shared.task.get() };
        if let Some(task) = task {
            // SAFETY: `run` keeps the closure alive until `running` reaches zero.
            let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| unsafe {
                (*task)(index)
            }));
            if outcome.is_err() {
                shared.panicked.store(true, Ordering::Relaxed);
            }
        }
        shared.running.fetch_sub(1, Ordering::Release);
    }
}

fn wait_for_task(shared: &Shared, seen: usize) {
    let is_new = || shared.generation.load(Ordering::SeqCst) != seen;
    let mut rounds = 0;
    while !is_new() {
        rounds += 1;
        if rounds < SPINS_BEFORE_YIELD {
            std::hint::spin_loop();
        } else if rounds < SPINS_BEFORE_YIELD + YIELDS_BEFORE_SLEEP {
            std::thread::yield_now();
        } else {
            shared.asleep.fetch_add(1, Ordering::SeqCst);
            if !is_new() {
                std::thread::park();
            }
            shared.asleep.fetch_sub(1, Ordering::SeqCst);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parallel::DisjointSlices;

    #[test]
    fn every_part_runs_once_for_any_number_of_threads() {
        for threads in [1, 2, 3, 8] {
            let mut pool = Pool::new(threads);
            let mut counts = vec![0u32; 1000];
            for _ in 0..200 {
                let slices = DisjointSlices::new(&mut counts);
                pool.split(1000, |_, range| {
                    // SAFETY: the ranges of `split` are disjoint.
                    unsafe { slices.slice_mut(range) }.iter_mut().for_each(|c| *c += 1)
                });
            }
            assert!(counts.iter().all(|&count| count == 200));
        }
    }

    #[test]
    fn sleeping_workers_wake_up() {
        let mut pool = Pool::new(3);
        let calls = AtomicUsize::new(0);
        for _ in 0..3 {
            std::thread::sleep(std::time::Duration::from_millis(20));
            pool.run(|_| {
                calls.fetch_add(1, Ordering::Relaxed);
            });
        }
        assert_eq!(calls.load(Ordering::Relaxed), 9);
    }
}
