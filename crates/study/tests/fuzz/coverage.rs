//! Which code an input has reached.
//!
//! `cargo xtask fuzz` compiles the crates of this workspace with `-C instrument-coverage` and
//! `--cfg coverage_guided`: the compiler's profiler counts how often each region of code runs, and an
//! input that reaches a region for the first time, or many times more often, is kept and changed
//! further. Without that, no input is.

#[cfg(coverage_guided)]
mod counters {
    use std::sync::Mutex;

    // The runtime of the profiler, which `-C instrument-coverage` links (compiler-rt, `InstrProfiling.h`).
    unsafe extern "C" {
        fn __llvm_profile_begin_counters() -> *mut u64;
        fn __llvm_profile_end_counters() -> *mut u64;
    }

    /// For each counter, the sizes of count that were seen: a bit for 1, 2, 4, 8 … times.
    static SEEN: Mutex<Vec<u16>> = Mutex::new(Vec::new());

    fn counters() -> &'static mut [u64] {
        // SAFETY: the runtime gives the bounds of one array that lives as long as the program. Other
        // threads may count at the same time, as they do on the profiler's own accounts: a count
        // that is lost only makes an input look less interesting.
        unsafe {
            let (start, end) = (__llvm_profile_begin_counters(), __llvm_profile_end_counters());
            std::slice::from_raw_parts_mut(start, end.offset_from_unsigned(start))
        }
    }

    /// Sets all counters to zero.
    pub fn clear() {
        counters().fill(0);
    }

    /// Whether something new was reached since then.
    pub fn is_new() -> bool {
        let counters = counters();
        let mut seen = SEEN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        seen.resize(counters.len(), 0);
        let mut new = false;
        for (seen, count) in seen.iter_mut().zip(counters.iter()).filter(|(_, count)| **count > 0) {
            // Beyond 2¹⁵ times, more is not new.
            let size = 1 << count.ilog2().min(15);
            new |= *seen & size == 0;
            *seen |= size;
        }
        new
    }
}

#[cfg(coverage_guided)]
pub use counters::{clear, is_new};

/// Nothing is counted.
#[cfg(not(coverage_guided))]
pub fn clear() {}

/// Nothing is counted.
#[cfg(not(coverage_guided))]
pub fn is_new() -> bool {
    false
}
