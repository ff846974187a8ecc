//! Limits of memory and time for one input.
//!
//! Memory is counted by the allocator of this test program, which refuses requests beyond a hard limit; a thread checks
//! the time. Both end the process, whose current input remains in its folder.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

/// Largest memory of one input [bytes], a thousand times what any of them needs.
pub const MEMORY: usize = 1 << 30;
/// Memory beyond which the process ends [bytes].
const HARD_MEMORY: usize = 3 << 30;
/// Largest time of one of these small inputs, on a busy machine.
pub const TIME: Duration = Duration::from_secs(60);

static HELD: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

/// Counts the allocated bytes.
struct Counting;

fn take(size: usize) -> bool {
    let held = HELD.fetch_add(size, Ordering::Relaxed) + size;
    MOST.fetch_max(held, Ordering::Relaxed);
    held <= HARD_MEMORY || {
        HELD.fetch_sub(size, Ordering::Relaxed);
        false
    }
}

// SAFETY: every request is passed to the system allocator unchanged, or refused.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if !take(layout.size()) {
            return std::ptr::null_mut();
        }
        // SAFETY: guaranteed by the caller.
        unsafe { System.alloc(layout) }
    }

    // Zeroed memory is requested as such: the system provides it without touching memory, as for programs without this
    // allocator.
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if !take(layout.size()) {
            return std::ptr::null_mut();
        }
        // SAFETY: guaranteed by the caller.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: guaranteed by the caller.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if !take(size) {
            return std::ptr::null_mut();
        }
        HELD.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: guaranteed by the caller.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Start time and name of the current input.
static PRESENT: Mutex<Option<(Instant, String)>> = Mutex::new(None);
/// Number of inputs so far.
static TRIED: AtomicU64 = AtomicU64::new(0);

/// Starts the time and memory measurement of one input.
pub fn begin(name: &str) {
    static WATCH: OnceLock<()> = OnceLock::new();
    WATCH.get_or_init(|| drop(std::thread::spawn(watch)));
    MOST.store(HELD.load(Ordering::Relaxed), Ordering::Relaxed);
    TRIED.fetch_add(1, Ordering::Relaxed);
    *PRESENT.lock().expect("nobody panics here") = Some((Instant::now(), name.to_owned()));
}

/// Stops the measurement; an exceeded limit is the error.
pub fn end(held_before: usize) -> Result<(), String> {
    let began = PRESENT.lock().expect("nobody panics here").take();
    let took = began.map_or(Duration::ZERO, |(began, _)| began.elapsed());
    let most = MOST.load(Ordering::Relaxed).saturating_sub(held_before);
    match () {
        () if took > TIME => Err(format!("it took {took:?}")),
        () if most > MEMORY => Err(format!("it took {} MB of memory", most >> 20)),
        () => Ok(()),
    }
}

/// Bytes currently allocated.
pub fn held() -> usize {
    HELD.load(Ordering::Relaxed)
}

fn watch() {
    loop {
        std::thread::sleep(Duration::from_millis(200));
        let present = PRESENT.lock().expect("nobody panics here").clone();
        if let Some((began, name)) = present
            && began.elapsed() > 2 * TIME
        {
            eprintln!("fuzz: this input takes longer than {TIME:?}: {name}");
            std::process::abort();
        }
    }
}
