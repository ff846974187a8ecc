//! Code coverage of an input.
//!
//! `cargo xtask fuzz` compiles the crates of this workspace with `-C instrument-coverage` and `--cfg coverage_guided`:
//! the profiler of the compiler counts the executions of each region of code, and an input that reaches a region for
//! the first time, or many times more often, is kept and mutated further. Without instrumentation, no input is kept.

#[cfg(coverage_guided)]
mod counters {
    use std::sync::Mutex;

    // The runtime of the profiler, which `-C instrument-coverage` links (compiler-rt, `InstrProfiling.h`).
    unsafe extern "C" {
        fn __llvm_profile_begin_counters() -> *mut u64;
        fn __llvm_profile_end_counters() -> *mut u64;
    }

    /// For each counter, the orders of magnitude of its counts so far: a bit for 1, 2, 4, 8 … executions.
    static SEEN: Mutex<Vec<u16>> = Mutex::new(Vec::new());

    fn counters() -> &'static mut [u64] {
        // SAFETY: the runtime returns the bounds of one array that lives as long as the program. Other threads may
        // count concurrently, as they do for the profiler itself: a lost count only makes an input appear less
        // interesting.
        unsafe {
            let (start, end) = (__llvm_profile_begin_counters(), __llvm_profile_end_counters());
            std::slice::from_raw_parts_mut(start, end.offset_from_unsigned(start))
        }
    }

    /// Sets all counters to zero.
    pub fn clear() {
        counters().fill(0);
    }

    /// True if a new region or count was reached since the last `clear`.
    pub fn is_new() -> bool {
        let counters = counters();
        let mut seen = SEEN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        seen.resize(counters.len(), 0);
        let mut new = false;
        for (seen, count) in seen.iter_mut().zip(counters.iter()).filter(|(_, count)| **count > 0) {
            // Counts beyond 2¹⁵ are not distinguished.
            let size = 1 << count.ilog2().min(15);
            new |= *seen & size == 0;
            *seen |= size;
        }
        new
    }
}

#[cfg(coverage_guided)]
pub use counters::{clear, is_new};

/// Without instrumentation: no effect.
#[cfg(not(coverage_guided))]
pub fn clear() {}

/// Without instrumentation: false.
#[cfg(not(coverage_guided))]
pub fn is_new() -> bool {
    false
}
